import { call, id, listOf, listQuery, paperLanguage, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { LEVEL_STATES, OUTCOMES, RESULT_STATUSES } from './words.contract.ts'

const outcome = z.enum(OUTCOMES.map((one) => one.value))
/** Which level of which year. */
const level = { bylaw_id: id, year_id: id, level: z.int().min(0).max(7) }
const rating = z.object({ code: z.string(), name: z.string(), name_local: z.string() })
const actor = z.object({ id, name: z.string(), name_local: z.string() }).nullable()

/** A level in a year. */
export const levelRow = z.object({
  id,
  ...level,
  bylaw: ref,
  year: ref,
  name: z.string(),
  name_local: z.string(),
  students: z.int(),
  /** Whose year is decided. */
  decided: z.int(),
  /** Offerings of its students in the year that control has not approved yet. */
  below_approved: z.int(),
  state: z.enum(LEVEL_STATES.map((levelState) => levelState.value)),
  second_session: ref.nullable(),
  has_second_session: z.boolean(),
  has_rule: z.boolean(),
  /** The last result that was worked out. */
  result_id: id.nullable(),
  made_at: z.string().nullable(),
  abilities: z.array(z.string()),
})
export type LevelResultRow = z.output<typeof levelRow>

const reason = z.object({ code: z.string(), en: z.string(), ar: z.string(), data: z.record(z.string(), z.unknown()) })

/** A course in the year of a student. Marks are decimal texts. */
export const resultCourse = z.object({
  registration_id: id.nullable(),
  course_id: id,
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  mark: z.string().nullable(),
  maximum: z.string(),
  state: z.enum(['passed', 'failed', 'absent', 'excused', 'missing']),
  /** Carried over from an earlier level: not in the sum. */
  carried: z.boolean(),
  grace: z.string().nullable(),
})
export type ResultCourse = z.output<typeof resultCourse>

/** A student in a result. */
export const resultRow = z.object({
  id,
  student: ref,
  outcome_before: outcome,
  outcome,
  rating_before: z.string().nullable(),
  rating: z.string().nullable(),
  marks: z.string(),
  maximum: z.string(),
  grace: z.string(),
  grace_on_sum: z.string(),
  failed: z.int(),
  uses_chance: z.boolean(),
  applied: z.boolean(),
  reasons: z.array(reason),
  courses: z.array(resultCourse),
  degree: z
    .object({ rating: z.string().nullable(), share: z.string(), honours: z.boolean(), problems: z.array(reason) })
    .nullable(),
})
export type StudentLevelResult = z.output<typeof resultRow>

/** A result of a level. */
export const resultHead = z.object({
  id,
  version: z.int(),
  ...level,
  bylaw: ref,
  year: ref,
  name: z.string(),
  name_local: z.string(),
  status: z.enum(RESULT_STATUSES.map((resultStatus) => resultStatus.value)),
  rule: z
    .object({
      decided_by: z.string(),
      decision_number: z.string(),
      decided_on: z.string(),
      per_course: z.string(),
      in_all: z.string().nullable(),
      share: z.string().nullable(),
      order: z.array(z.string()),
      on_transcript: z.boolean(),
    })
    .nullable(),
  students: z.int(),
  /** Of some students of the level, by name. */
  named: z.boolean(),
  /** How many have which outcome, without grace marks and with them. */
  outcomes: z.array(z.object({ outcome, before: z.int(), after: z.int() })),
  ratings: z.array(z.object({ rating, before: z.int(), after: z.int() })),
  with_grace: z.int(),
  grace: z.string(),
  /** Whose year a later result decides again would be refused: already decided. */
  waiting: z.int(),
  /** Students whose marks have changed since. */
  changed: z.int(),
  made_at: z.string(),
  made_by: actor,
  applied_at: z.string().nullable(),
  applied_by: actor,
  announced_at: z.string().nullable(),
  announced_by: actor,
  undone_at: z.string().nullable(),
  undone_by: actor,
  /** Other results of the same level, newest first. */
  others: z.array(
    z.object({
      id,
      status: z.enum(RESULT_STATUSES.map((resultStatus) => resultStatus.value)),
      made_at: z.string(),
      students: z.int(),
      named: z.boolean(),
    }),
  ),
  abilities: z.array(z.string()),
})
export type ResultHead = z.output<typeof resultHead>

const kept = z.object({ data: z.object({ id, students: z.int() }) })

/** Results of levels: worked out, applied, announced, taken back. */
export const levelCalls = {
  list: call('POST', '/control/levels', {
    permission: 'access_level_result',
    summary: ['List levels of a year with their state', 'عرض مستويات العام وحالتها'],
    body: listQuery,
    response: listOf(levelRow),
    reads: true,
    example: {},
  }),
  preview: call('POST', '/control/levels/preview', {
    permission: 'apply_level_result',
    summary: [
      'Work out the result of a level, with grace marks, without changing anybody',
      'احتساب نتيجة مستوى بدرجات الرأفة دون تغيير أحد',
    ],
    body: z.strictObject({
      ...level,
      /** Of these students alone, whose year is not decided; absent: of everybody. */
      student_ids: z.array(id).min(1).max(2000).optional(),
    }),
    response: kept,
    example: { bylaw_id: 2, year_id: 3, level: 2 },
  }),
  apply: call('POST', '/control/levels/apply', {
    permission: 'apply_level_result',
    summary: ['Apply the result of a level to its students', 'تطبيق نتيجة مستوى على طلابه'],
    body: z.strictObject({ id, version: z.int().optional() }),
    response: kept,
    example: { id: 1 },
  }),
  announce: call('POST', '/control/levels/announce', {
    permission: 'apply_level_result',
    summary: ['Announce the result of a level to its students', 'إعلان نتيجة مستوى لطلابه'],
    body: z.strictObject({ id }),
    response: kept,
    example: { id: 1 },
  }),
  undo: call('POST', '/control/levels/undo', {
    permission: 'apply_level_result',
    summary: ['Take back the result of a level, with a reason', 'التراجع عن نتيجة مستوى مع ذكر السبب'],
    body: z.strictObject({
      id,
      reason: safeText(500, 3),
      /** Of these students alone; absent: of everybody. */
      student_ids: z.array(id).min(1).max(2000).optional(),
    }),
    response: kept,
    example: { id: 2, reason: 'A sheet was missing' },
  }),
  secondSession: call('POST', '/control/levels/second-session', {
    permission: 'apply_level_result',
    summary: [
      'Open the second session of a level: what was failed is sat again in a term',
      'فتح الدور الثاني لمستوى: يُعاد امتحان ما رُسب فيه في فصل',
    ],
    body: z.strictObject({ ...level, term_id: id }),
    response: z.object({
      data: z.object({
        students: z.int(),
        offerings: z.int(),
        registrations: z.int(),
        /** Who got an invoice for what is sat again, and for whom the year has no price that fits. */
        charged: z.int(),
        not_charged: z.int(),
      }),
    }),
    example: { bylaw_id: 2, year_id: 2, level: 2, term_id: 6 },
  }),
  show: call('GET', '/control/levels/{id}', {
    permission: 'access_level_result',
    summary: ['Show a result of a level', 'عرض نتيجة مستوى'],
    response: z.object({ data: resultHead }),
  }),
  students: call('POST', '/control/levels/students/{id}', {
    permission: 'access_level_result',
    summary: ['List the students of a result, before and after grace marks', 'عرض طلاب النتيجة قبل درجات الرأفة وبعدها'],
    body: listQuery,
    response: listOf(resultRow),
    reads: true,
    example: {},
  }),
  sheet: call('POST', '/control/levels/sheet/{id}/{lang}', {
    permission: 'access_level_result',
    summary: ['Result sheet of a level, PDF or XLSX', 'كشف نتيجة مستوى، PDF أو XLSX'],
    params: z.object({ id: z.coerce.number().pipe(id), lang: paperLanguage }),
    body: z.strictObject({
      /** For the officers who approve it, with grace marks; or as it is posted. */
      purpose: z.enum(['approval', 'announcement']).default('approval'),
      format: z.enum(['pdf', 'xlsx']).default('pdf'),
    }),
    file: { name: 'Result sheet.pdf', type: 'pdf' },
    reads: true,
    example: { format: 'pdf' },
  }),
}
