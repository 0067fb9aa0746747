import { call, date, id, idParam, listOf, listQuery, problem, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { WINDOW_STATES } from '../windows/window.contract.ts'

const state = z.enum(WINDOW_STATES.map((one) => one.value))
const cutOff = z.object({ rank: z.int(), gpa: z.string().nullable(), passed_hours: z.string() })

/** A program of a window: what is asked for, and what a distribution gave. */
const distributionSeat = z.object({
  specialization: ref,
  program: ref,
  /** The general program from which it is chosen. */
  general: ref,
  capacity: z.int(),
  min_gpa: z.string().nullable(),
  min_passed_hours: z.string().nullable(),
  courses: z.array(z.object({ course: z.string(), min_letter: z.string().nullable() })),
  /** Students who name it at all, and first of all. */
  wanted: z.int(),
  first: z.int(),
  /** Of the last distribution; null: there is none. */
  given: z.int().nullable(),
  cut_off: cutOff.nullable(),
  /** Of the distribution before. */
  given_before: z.int().nullable(),
  cut_off_before: cutOff.nullable(),
})
export type DistributionSeat = z.output<typeof distributionSeat>

const run = z.object({
  number: z.int(),
  made_at: z.string(),
  made_by: z.object({ name: z.string(), name_local: z.string() }).nullable(),
  applicants: z.int(),
  placed: z.int(),
  /** Who was given the first wish, the second, and so on. */
  by_preference: z.array(z.int()),
})

/** What a window comes to: before it is distributed what is wanted, afterwards what is given. */
export const distribution = z.object({
  id,
  version: z.int(),
  state,
  bylaw: ref,
  start_date: z.string(),
  end_date: z.string(),
  tie_rule: z.string(),
  max_preferences: z.int(),
  capacity: z.int(),
  /** Students who take part: those with wishes, and those without. */
  taking_part: z.int(),
  with_wishes: z.int(),
  seats: z.array(distributionSeat),
  run: run.nullable(),
  /** Students who were given something else than in the distribution before; null: there was none. */
  moved: z.int().nullable(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type Distribution = z.output<typeof distribution>

/** A student in a distribution. */
const resultRow = z.object({
  id,
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  rank: z.int(),
  gpa: z.string().nullable(),
  passed_hours: z.string(),
  wishes: z.int(),
  given: ref.nullable(),
  preference: z.int().nullable(),
  /** In the distribution before; null there: none was given. */
  before: ref.nullable(),
  moved: z.boolean(),
})
export type DistributionResult = z.output<typeof resultRow>

/** A wish, what became of it, and why. */
export const rung = z.object({
  specialization: ref,
  outcome: z.enum(['given', 'not_needed', 'conditions', 'full', 'not_offered']),
  reasons: z.array(problem),
  cut_off: cutOff.nullable(),
  capacity: z.int(),
})
export const ladderAnswer = z.object({
  student: ref,
  rank: z.int(),
  /** Students who were put in order. */
  of: z.int(),
  gpa: z.string().nullable(),
  passed_hours: z.string(),
  given: ref.nullable(),
  preference: z.int().nullable(),
  rungs: z.array(rung),
})
export type LadderAnswer = z.output<typeof ladderAnswer>

const LOOK = ['show_specializationTime'] as const
export const distributionCalls = {
  /** The window of a bylaw that is current: the one that is open or was last. */
  preview: call('GET', '/specialization-time/preview/{bylawId}', {
    permission: LOOK,
    summary: ['What specialisation under a bylaw comes to', 'معاينة التشعيب في لائحة'],
    response: z.object({ data: distribution.nullable() }),
  }),
  distribution: call('GET', '/specialization-time/distribution/{id}', {
    permission: LOOK,
    summary: ['Show a distribution', 'عرض توزيع'],
    response: z.object({ data: distribution }),
  }),
  results: call('POST', '/specialization-time/results/{id}', {
    permission: LOOK,
    summary: ['List the students of a distribution', 'عرض طلاب توزيع'],
    body: listQuery,
    response: listOf(resultRow),
    reads: true,
  }),
  ladder: call('GET', '/specialization-time/ladder/{id}/{studentId}', {
    permission: [...LOOK, 'access_student_specialization', 'access_student'],
    summary: ['What became of each wish of a student', 'نتيجة كل رغبة من رغبات طالب'],
    response: z.object({ data: ladderAnswer }),
  }),
  /** Students of a general program, or those who want a program, in the windows of these days. */
  export: call('POST', '/specialization-time/export-students-data/{bylawId}/{programId}', {
    permission: 'export_specializationTime',
    summary: ['Export students with their wishes', 'تصدير بيانات الطلاب ورغباتهم'],
    params: z.object({ bylawId: idParam, programId: idParam }),
    query: z.strictObject({ start_date: date.optional(), end_date: date.optional() }),
    body: z.strictObject({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'students_data.xlsx', type: 'xlsx', fixed: true },
    reads: true,
    example: {},
  }),
}
