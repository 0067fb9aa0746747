import { MEETING_TYPES } from '#kit/contract/week.ts'
import { z } from 'zod'
import { call, id, idParam, paperLanguage, ref } from '#kit/contract/index.ts'

const counted = <S extends z.ZodRawShape>(shape: S) => z.array(z.object({ ...shape, count: z.int() }))

/** Figures of an offering; students of offerings linked to it count as well. */
export const offeringStatistics = z.object({
  seats: z.int(),
  free: z.int(),
  registered: z.int(),
  requested: z.int(),
  waiting: z.int(),
  min_students: z.int(),
  max_students: z.int().nullable(),
  /** By main flag of the registration, e.g. `Registered`. */
  states: counted({ state: z.string() }),
  programs: counted({ program: ref }),
  levels: counted({ level: z.int() }),
  /** Fresh, Repeat, Improve; null where the registration does not say. */
  attempts: counted({ kind: z.string().nullable() }),
  offerings: counted({ offering: ref }),
  groups: z.array(
    z.object({
      number: z.int(),
      meetings: z.array(
        z.object({
          id,
          type: z.enum(MEETING_TYPES.map((meetingType) => meetingType.value)),
          section: z.string().nullable(),
          quota: z.int(),
          over_quota: z.int(),
          taken: z.int(),
        }),
      ),
    }),
  ),
  /** null until totals are there. `average` and `deviation` in percent, as decimals. */
  grades: z
    .object({
      count: z.int(),
      passed: z.int(),
      failed: z.int(),
      average: z.string(),
      deviation: z.string().nullable(),
      letters: counted({ letter: z.string() }),
      /** Tens of percent: 0 to 9, 100 counts into the last. */
      bands: counted({ from: z.int() }),
    })
    .nullable(),
})
export type Statistics = z.output<typeof offeringStatistics>

export const reportCalls = {
  statistics: call('GET', '/offerings/statistics/{id}', {
    permission: 'show_offering',
    summary: ['Statistics of an offering', 'إحصاءات المقرر المطروح'],
    response: z.object({ data: offeringStatistics }),
  }),
  excel: call('GET', '/offerings/export-excel/{x}', {
    permission: 'export_offering',
    summary: ['All offerings of a term, with their meetings', 'كل المقررات المطروحة في فصل دراسي ومواعيدها'],
    params: z.object({ x: idParam }),
    query: z.strictObject({ lang: paperLanguage.optional() }),
    file: { name: 'offerings.xlsx', type: 'xlsx', fixed: true },
  }),
  all: call('POST', '/offerings/all_offerings_pdf_excel', {
    permission: 'export_offering',
    summary: ['Offerings as spreadsheet and as PDF', 'المقررات المطروحة في جدول بيانات وملف PDF'],
    body: z.strictObject({
      /** The current term unless told. */
      term_id: id.optional(),
      filters: z.record(z.string(), z.unknown()).default({}),
      search: z.string().trim().max(200).default(''),
      lang: paperLanguage.optional(),
    }),
    file: { name: 'Offerings.zip', type: 'zip', fixed: true },
    reads: true,
    example: {},
  }),
}
