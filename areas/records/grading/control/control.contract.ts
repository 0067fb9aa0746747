import { call, id, idParam, listOf, listQuery, option, paperLanguage, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'

const status = z.enum(controlStatuses)

/** An offering on its road through control. Abilities are the steps the reader may take now. */
export const controlRow = z.object({
  id,
  code: z.string(),
  version: z.int(),
  course: ref,
  term: ref,
  faculty: ref.nullable(),
  department: ref.nullable(),
  instructors: z.array(ref),
  control_status: status,
  /** Students on its list of results. */
  students: z.int(),
  /** Of them, those without a result. */
  missing_marks: z.int(),
  /** Maxima sum to 100, with one final exam. */
  scheme_sound: z.boolean(),
  /** When it came to its present status; null: never moved. */
  since: z.string().nullable(),
  abilities: z.array(z.string()),
})
export type ControlRow = z.output<typeof controlRow>

const lettersOf = z.array(z.object({ letter: z.string(), count: z.int() }))
const figures = {
  /** With a result. */
  results: z.int(),
  passed: z.int(),
  failed: z.int(),
  absent: z.int(),
  missing: z.int(),
  /** Mean of totals, two places; null without totals. */
  mean: z.string().nullable(),
  letters: lettersOf,
}
/** Results of a term: as a whole, by faculty, by offering. Letters stand in the order of their points. */
export const controlResults = z.object({
  term: ref.nullable(),
  /**
   * Results by the letters they can have: bylaws that give the same letters for courses of a kind are one scale. An A of one
   * scale is not that of another, so they are never counted together. The most used scale first.
   */
  scales: z.array(
    z.object({
      kind: z.enum(['letter', 'pass_fail']),
      /** What it gives for marks, the best first. */
      gives: z.array(z.string()),
      bylaws: z.array(ref),
      results: z.int(),
      letters: lettersOf,
    }),
  ),
  totals: z.object({ offerings: z.int(), students: z.int(), ...figures }),
  statuses: z.array(z.object({ control_status: status, count: z.int() })),
  faculties: z.array(ref.extend({ offerings: z.int(), ...figures })),
  offerings: z.array(
    z.object({
      id,
      code: z.string(),
      course: ref,
      faculty: ref.nullable(),
      control_status: status,
      students: z.int(),
      ...figures,
    }),
  ),
})
export type ControlResults = z.output<typeof controlResults>

const optionalId = idParam.optional()
const pdf = { name: 'offeringStudentGrades.pdf', type: 'pdf', fixed: true } as const

/** Offerings in control: the list and results. Their steps: `flow.contract.ts`. */
export const controlCalls = {
  list: call('POST', '/control/offerings', {
    permission: 'access_control',
    summary: ['List offerings in control', 'عرض مقررات الكنترول'],
    body: listQuery,
    response: listOf(controlRow),
    reads: true,
    example: { filters: { control_status: ['Submitted'] } },
  }),
  /** Where offerings stand, term by term, the newest first; what waits for the reader is counted in whatever term it is. */
  stages: call('GET', '/control/offerings/stages', {
    permission: 'access_control',
    summary: ['Where offerings stand in control, by term', 'مراحل المقررات في الكنترول حسب الفصل'],
    response: z.object({
      data: z.array(
        z.object({
          term: ref,
          stages: z.array(
            z.object({
              control_status: status,
              count: z.int(),
              /** Of which the next step is the reader's. */
              waiting: z.int(),
            }),
          ),
        }),
      ),
    }),
  }),
  gradesPdf: call('GET', '/control/offerings/students-grades-pdf/{id}/{lang}', {
    permission: ['access_control', 'export_grades'],
    summary: ['Print the marks of an offering', 'طباعة درجات المقرر'],
    file: pdf,
  }),
  reportLookup: call('POST', '/control/offerings/reports/lookup', {
    permission: 'access_control',
    summary: ['Options for reports of control', 'خيارات تقارير الكنترول'],
    response: z.object({
      data: z.object({
        terms: z.array(option),
        faculties: z.array(option),
        departments: z.array(option.extend({ faculty_id: id })),
        current_term_id: id.nullable(),
      }),
    }),
    reads: true,
  }),
  results: call('GET', '/control/offerings/reports/control-results', {
    permission: 'access_control',
    summary: [
      'Results of a term: distribution of grades and rates of passing',
      'نتائج فصل: توزيع التقديرات ونسب النجاح',
    ],
    query: z.strictObject({
      term_id: optionalId,
      faculty_id: optionalId,
      department_id: optionalId,
      course_id: optionalId,
      control_status: status.optional(),
    }),
    response: z.object({ data: controlResults }),
  }),
  migratedTemplate: call('POST', '/control/offerings/export_migrated_offerings_and_registrations_template', {
    permission: 'access_control',
    summary: [
      'Export a workbook for offerings and registrations of an earlier system',
      'تصدير نموذج نقل المقررات والتسجيلات من نظام سابق',
    ],
    body: z.strictObject({ term_id: id.optional(), lang: paperLanguage.optional() }),
    file: { name: 'Offerings and registrations template.xlsx', type: 'xlsx' },
    traced: false,
    reads: true,
    example: {},
  }),
}
