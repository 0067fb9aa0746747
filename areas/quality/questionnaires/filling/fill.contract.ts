import { call, id, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { formAnswers, formWords, questionForm } from '../types/form.contract.ts'

/** What somebody is asked to answer now. `id` is the set: one offering, one instructor of it, or all. */
const due = z.object({
  id,
  questionnaire_id: id,
  type: ref,
  kind: z.enum(['student', 'graduate', 'faculty']),
  course: ref.nullable(),
  instructor: ref.nullable(),
  closes_on: z.string(),
  obligatory: z.boolean(),
  answered: z.boolean(),
  /** How often it may still be put off. */
  postponements_left: z.int(),
  /** It was put off today: nobody is led to it before tomorrow. */
  put_off: z.boolean(),
})
export type DueQuestionnaire = z.output<typeof due>

export const fillCalls = {
  own: call('GET', '/questionnaires/user', {
    permission: 'signed_in',
    summary: ['What I am asked to answer', 'الاستبيانات المطلوبة مني'],
    response: z.object({ data: z.array(due), must: z.boolean() }),
  }),
  questions: call('GET', '/questionnaires/get_questions/{id}', {
    permission: 'signed_in',
    summary: ['Questions that I am asked', 'أسئلة استبيان مطلوب مني'],
    response: z.object({
      data: due.extend({
        introduction: formWords.nullable(),
        questions: questionForm,
      }),
    }),
  }),
  /** Nobody answers for somebody else, whoever sits there. */
  submit: call('PUT', '/questionnaires/submit/{id}', {
    permission: 'signed_in',
    summary: ['Send my answers', 'إرسال إجاباتي'],
    body: z.strictObject({ answers: formAnswers }),
    response: z.object({ answered: z.literal(true) }),
    personal: 'always',
    maxBody: 128 * 1024,
  }),
  postpone: call('PUT', '/questionnaires/postpone/{id}', {
    permission: 'signed_in',
    summary: ['Put off an obligatory questionnaire', 'تأجيل استبيان إلزامي'],
    response: z.object({ postponements_left: z.int() }),
    personal: 'always',
  }),
}
