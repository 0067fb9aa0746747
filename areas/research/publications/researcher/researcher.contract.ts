import { call, id, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'

const work = z.object({
  id,
  kind: z.string(),
  language: z.string(),
  title: z.string().nullable(),
  title_local: z.string().nullable(),
  year: z.int().nullable(),
  venue: z.string().nullable(),
  doi: z.string().nullable(),
  members: z.array(z.string()),
  /** Where everybody may read its file. */
  file: z.string().nullable(),
})
const supervised = z.object({
  title: z.string(),
  title_local: z.string(),
  degree: z.enum(['master', 'doctorate']),
  year: z.int(),
  /** Where it stands in the repository. */
  handle: z.string().nullable(),
})
export type ShownSupervised = z.output<typeof supervised>
const inProject = z.object({
  name: z.string(),
  name_local: z.string(),
  job: z.enum(['leader', 'co_leader', 'researcher', 'student', 'technician', 'consultant']),
  status: z.enum(['running', 'finished']),
  since: z.int(),
  until: z.int(),
})
export type ShownProject = z.output<typeof inProject>
const profile = z.object({
  user_id: id,
  name: z.string(),
  name_local: z.string(),
  orcid: z.string().nullable(),
  openalex: z.string().nullable(),
  is_public: z.boolean(),
  slug: z.string().nullable(),
  interests: z.string().nullable(),
  interests_local: z.string().nullable(),
  about: z.string().nullable(),
  about_local: z.string().nullable(),
  version: z.int(),
  synced_at: z.string().nullable(),
  /** The reader may change it. */
  writes: z.boolean(),
  /** Listed works by kind, by year, and by quartile of their journals (0: no list has it). */
  counts: z.object({
    kinds: z.array(z.object({ kind: z.string(), count: z.int() })),
    years: z.array(z.object({ year: z.int(), count: z.int() })),
    quartiles: z.array(z.object({ quartile: z.int(), count: z.int() })),
  }),
})
export type ResearcherProfile = z.output<typeof profile>

const text = (max: number) => safeText(max).nullable().optional()
export const researcherCalls = {
  profile: call('GET', '/researchers/{id}', {
    permission: ['edit_researcher', 'access_publication'],
    summary: ['A researcher’s identifiers and page, by the account', 'معرفات باحث وصفحته'],
    response: z.object({ data: profile }),
  }),
  changeProfile: call('PUT', '/researchers/{id}', {
    permission: 'edit_researcher',
    summary: ['Change a researcher’s identifiers and page', 'تعديل معرفات باحث وصفحته'],
    body: z.strictObject({
      orcid: z.string().trim().max(60).nullable().optional(),
      openalex: z.string().trim().max(60).nullable().optional(),
      is_public: z.boolean().optional(),
      slug: z.string().trim().toLowerCase().max(60).nullable().optional(),
      interests: text(500),
      interests_local: text(500),
      about: text(2000),
      about_local: text(2000),
      version: z.int().optional(),
    }),
    response: z.object({ data: profile }),
    example: { interests: 'Lighthouses' },
  }),
  /** How many listed works there are, by unit and year, kind and quartile. */
  counts: call('GET', '/publications/counts', {
    permission: 'access_publication',
    summary: [
      'Listed publications counted by year, kind and quartile',
      'أعداد المنشورات المدرجة بحسب السنة والنوع والربع',
    ],
    query: z.object({
      by: z.enum(['year', 'faculty', 'department', 'person']).default('year'),
      year: z.coerce.number().pipe(z.int().min(1000).max(2200)).optional(),
      department_id: z.coerce.number().pipe(id).optional(),
    }),
    response: z.object({
      data: z.array(
        z.object({
          of: ref.nullable(),
          year: z.int().nullable(),
          total: z.int(),
          kinds: z.record(z.string(), z.int()),
          quartiles: z.record(z.string(), z.int()),
        }),
      ),
    }),
  }),
  /** What the person wants everybody to see. */
  page: call('GET', '/research/{slug}', {
    permission: 'public',
    summary: ['The public page of a researcher', 'الصفحة العامة لباحث'],
    params: z.object({ slug: z.string().regex(/^[a-z0-9-]{1,60}$/) }),
    response: z.object({
      data: z.object({
        name: z.string(),
        name_local: z.string(),
        position: z.string().nullable(),
        faculty: ref.nullable(),
        department: ref.nullable(),
        photo: z.string().nullable(),
        orcid: z.string().nullable(),
        interests: z.string().nullable(),
        interests_local: z.string().nullable(),
        about: z.string().nullable(),
        about_local: z.string().nullable(),
        works: z.array(work),
        /** There are more than these. */
        more: z.boolean(),
        theses: z.array(supervised),
        projects: z.array(inProject),
        /** The same for machines, after schema.org. */
        json_ld: z.record(z.string(), z.unknown()),
      }),
    }),
  }),
}
export type ResearcherPage = z.output<typeof researcherCalls.page.response & z.ZodType<{ data: unknown }>>
/** Works on a public page. */
export const WORKS_ON_PAGE = 200
