import { call, date, id, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { STUDENT_STATUSES } from '../student/student.contract.ts'

const status = z.enum(STUDENT_STATUSES.map((s) => s.value))
const decision = z.object({
  id,
  from_status: status,
  to_status: status,
  decision: z.string(),
  decided_on: z.string(),
  file: z.object({ id, name: z.string(), size: z.int(), url: z.string() }).nullable(),
  by: z.string().nullable(),
  /** Where it comes from; `earlier`: it stood before decisions were kept. */
  source: z.enum(['decision', 'transfer_out', 'term_result', 'level_result', 'earlier']),
  /** The term by whose result it was decided. */
  term: z.object({ name: z.string(), name_local: z.string() }).nullable(),
  /** How many registered courses ended with it. */
  left: z.int(),
  created_at: z.string(),
})
export type StatusDecision = z.output<typeof decision>

const answer = z.object({
  data: z.object({
    id,
    version: z.int(),
    status,
    /** What a decision may make of it. */
    next: z.array(status),
    /** Newest first. */
    decisions: z.array(decision),
  }),
})
export type StudentStatusAnswer = z.output<typeof answer>['data']

/** The status of a student, and the decisions by which it changed. */
export const statusCalls = {
  statusOf: call('GET', '/students/status/{id}', {
    permission: ['change_student_status', 'show_student_record'],
    summary: ['Status of a student and the decisions about it', 'حالة الطالب والقرارات الصادرة بشأنها'],
    response: answer,
    traced: 'student',
  }),
  setStatus: call('POST', '/students/status/{id}', {
    permission: 'change_student_status',
    summary: ['Change the status of a student by a decision', 'تغيير حالة الطالب بقرار'],
    body: z.strictObject({
      status,
      /** Number of the decision, and what it says; told to the student. */
      decision: safeText(400, 1),
      decided_on: date,
      /** The decision as a file that the caller has uploaded. */
      file_id: id.nullish(),
      version: z.int().optional(),
    }),
    response: answer,
    example: { status: 'suspended', decision: 'Council decision 14 of 2026', decided_on: '2026-01-15' },
  }),
}
