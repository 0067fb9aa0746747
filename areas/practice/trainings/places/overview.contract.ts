import { z } from 'zod'
import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { call, id, problem, ref, safeText } from '#kit/contract/index.ts'
import { organisationAsk, trainingAdvice } from '../students-trainings/student-training.contract.ts'

const week = z.object({
  week: z.int(),
  starts_on: z.string(),
  ends_on: z.string(),
  places: z.int(),
  taken: z.int(),
})
const asker = z.object({
  id,
  version: z.int(),
  status: z.string(),
  student: ref,
  wish: z.int().nullable(),
  from_week: z.int().nullable(),
  until_week: z.int().nullable(),
  advice: trainingAdvice.nullable(),
  /** Mark that the organisation gave. */
  score: z.int().nullable(),
})
const overview = z.object({
  id,
  name: z.string(),
  name_local: z.string(),
  organisation: ref,
  starts_on: z.string(),
  ends_on: z.string(),
  has_interview: z.boolean(),
  called_off: z.object({ at: z.string(), reason: z.string() }).nullable(),
  weeks: z.array(week),
  /** The address that would be asked, and the question that is open. */
  email: z.string().nullable(),
  ask: organisationAsk.nullable(),
  /** Why it cannot be asked now. */
  not_asked: z.array(problem),
})
export type TrainingOverview = z.output<typeof overview>
export type TrainingAsker = z.output<typeof asker>
const done = z.object({ data: z.object({ id }) })
const EDIT = { permission: 'edit_training' } as const

/** What the office does with one training: places by week, its students, and the question to the organisation. */
export const trainingOverviewCalls = {
  overview: call('GET', '/trainings/overview/{id}', {
    ...EDIT,
    summary: ['A training with its weeks and students', 'تدريب بأسابيعه وطلابه'],
    response: z.object({ data: overview }),
  }),
  askers: call('GET', '/trainings/overview/{id}/students', {
    permission: 'edit_training',
    summary: ['Students of a training, with what its organisation says', 'طلاب تدريب مع رأي الجهة'],
    query: cutQuery,
    response: cutAnswer(asker),
  }),
  askOrganisation: call('POST', '/trainings/ask-organisation/{id}', {
    ...EDIT,
    summary: ['Send the organisation a link by which it answers', 'إرسال رابط الرد إلى الجهة'],
    response: done,
  }),
  endAsk: call('POST', '/trainings/end-ask/{id}', {
    ...EDIT,
    summary: ['Take back the link of an organisation', 'سحب رابط الجهة'],
    response: done,
  }),
  takeOver: call('POST', '/trainings/take-over/{id}', {
    permission: 'decide_studentTraining',
    summary: ['Decide as the organisation advised', 'اتخاذ القرار وفق رأي الجهة'],
    body: z.strictObject({ ids: z.array(id).min(1).max(5000) }),
    response: z.object({
      data: z.object({
        done: z.array(id),
        failed: z.array(z.object({ id, name: z.string(), errors: z.array(problem) })),
      }),
    }),
    example: { ids: [1] },
  }),
  callOff: call('POST', '/trainings/call-off/{id}', {
    ...EDIT,
    summary: ['Call off a training; its requests end with the reason', 'إلغاء تدريب وإنهاء طلباته مع ذكر السبب'],
    body: z.strictObject({ reason: safeText(500, 3) }),
    response: z.object({ data: z.object({ id, ended: z.int() }) }),
    example: { reason: 'The organisation closes its branch.' },
  }),
  offerAgain: call('POST', '/trainings/offer-again/{id}', {
    ...EDIT,
    summary: ['Offer a training again that was called off', 'إتاحة تدريب ملغى من جديد'],
    response: done,
  }),
}
