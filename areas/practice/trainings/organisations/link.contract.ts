import { z } from 'zod'
import { call, date, id, safeText } from '#kit/contract/index.ts'

const names = z.object({ name: z.string(), name_local: z.string() })
const student = z.object({
  id,
  student: names,
  starts_on: z.string(),
  ends_on: z.string(),
})
const shown = z.object({
  university: names,
  organisation: names,
  training: names,
  starts_on: z.string(),
  ends_on: z.string(),
  places: z.int(),
  taken: z.int(),
  /** The link ends after this day. */
  until: z.string(),
  /** Who waits for a place. */
  waiting: z.array(
    student.extend({
      has_cv: z.boolean(),
      answer: z.object({ says: z.boolean(), reason: z.string().nullable() }).nullable(),
    }),
  ),
  /** Who has one, from the first day on to be assessed. */
  placed: z.array(
    student.extend({
      begun: z.boolean(),
      assessment: z.object({ score: z.int(), text: z.string(), visited_on: z.string().nullable() }).nullable(),
    }),
  ),
})
/** What an organisation sees by its link. */
export type OrganisationSees = z.output<typeof shown>

const token = z.string().max(200)
const said_by = safeText(200, 3)
const PUBLIC = { permission: 'public' } as const
const done = z.object({ data: z.null() })
const example = { token: 'a'.repeat(43) }

/** What an organisation sees and says by the link of a mail, without an account. */
export const organisationLinkCalls = {
  openAsOrganisation: call('POST', '/trainings/organisation/open', {
    ...PUBLIC,
    summary: ['Students of a training, by the link of the organisation', 'طلاب تدريب برابط الجهة'],
    body: z.strictObject({ token }),
    response: z.object({ data: shown }),
    reads: true,
    example,
  }),
  cvAsOrganisation: call('POST', '/trainings/organisation/cv', {
    ...PUBLIC,
    summary: ['The CV of a student who waits, by the link of the organisation', 'السيرة الذاتية لطالب برابط الجهة'],
    body: z.strictObject({ token, id }),
    file: { name: 'CV.pdf', type: 'pdf' },
    reads: true,
    example: { ...example, id: 1 },
  }),
  answerAsOrganisation: call('POST', '/trainings/organisation/answer', {
    ...PUBLIC,
    summary: ['Say as the organisation whether a student may come', 'رد الجهة بقبول طالب أو عدم قبوله'],
    body: z.strictObject({ token, id, says: z.boolean(), reason: safeText(500, 3).nullable().optional(), said_by }),
    response: done,
    example: { ...example, id: 1, says: true, said_by: 'Nadia Selim' },
  }),
  assessAsOrganisation: call('POST', '/trainings/organisation/assess', {
    ...PUBLIC,
    summary: ['Assess a student as the organisation', 'تقييم الجهة لطالب'],
    body: z.strictObject({
      token,
      id,
      score: z.int().min(0).max(100),
      text: safeText(4000, 3),
      visited_on: date.nullable().optional(),
      said_by,
    }),
    response: done,
    example: { ...example, id: 1, score: 85, text: 'Careful, and quick to learn.', said_by: 'Nadia Selim' },
  }),
}
