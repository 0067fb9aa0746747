import { call, id, idParam, problem, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { ladderAnswer } from '../distribution/distribution.contract.ts'
import { WINDOW_STATES } from '../windows/window.contract.ts'

const offer = z.object({
  specialization: ref,
  program: ref,
  capacity: z.int(),
  min_gpa: z.string().nullable(),
  min_passed_hours: z.string().nullable(),
  courses: z.array(z.object({ course: z.string(), min_letter: z.string().nullable() })),
  /** Conditions that the student does not meet as things stand: it may be wished for, and will not be given. */
  unmet: z.array(problem),
})
export type Offer = z.output<typeof offer>

/** A window as one student sees it: what is offered, the own wishes, and, once it is confirmed, what became of them. */
const ownWindow = z.object({
  id,
  state: z.enum(WINDOW_STATES.map((windowState) => windowState.value)),
  start_date: z.string(),
  end_date: z.string(),
  most: z.int(),
  tie_rule: z.string(),
  offers: z.array(offer),
  wishes: z.array(id),
  /** null: nothing was saved yet. */
  saved_at: z.string().nullable(),
  version: z.int(),
  /** Why nothing can be changed; empty: it can. */
  closed: z.array(problem),
  result: ladderAnswer.nullable(),
})
export type OwnWindow = z.output<typeof ownWindow>

export const preferenceCalls = {
  /** The windows of the own program, or of a student whom staff reach; the newest first. */
  windows: call('GET', '/specialization-time/preferences', {
    permission: ['access_student', 'access_student_specialization'],
    summary: ['Show wishes for specialisation', 'عرض رغبات التشعيب'],
    query: z.strictObject({ student_id: idParam.optional() }),
    response: z.object({
      data: z.object({
        student: ref,
        gpa: z.string().nullable(),
        passed_hours: z.string(),
        windows: z.array(ownWindow),
      }),
    }),
  }),
  /** The whole list, the dearest first; an empty one takes all wishes back. */
  save: call('PUT', '/specialization-time/preferences/{id}', {
    permission: ['access_student', 'edit_specialization_preferences'],
    summary: ['Save wishes for specialisation', 'حفظ رغبات التشعيب'],
    body: z.strictObject({
      specialization_ids: z.array(id).max(50),
      /** Staff name the student. */
      student_id: id.optional(),
      /** The version seen; 0: nothing was saved. */
      version: z.int().min(0).max(2_147_483_647).optional(),
    }),
    response: z.object({ data: z.object({ wishes: z.array(id), version: z.int(), saved_at: z.string() }) }),
    example: { specialization_ids: [] },
  }),
}
