import { call } from '#kit/contract/index.ts'
import { z } from 'zod'
import { formAnswers, formWords, questionForm } from '../types/form.contract.ts'

const token = z.string().min(1).max(100)

/** Whoever opens the link in the mail answers, signed in or not; or says that no more are wanted. */
export const invitedCalls = {
  questions: call('POST', '/questionnaires/invited', {
    permission: 'public',
    summary: ['What the link in the mail asks', 'أسئلة الرابط المرسل بالبريد'],
    body: z.strictObject({ token }),
    response: z.object({
      data: z.object({
        type: z.object({ name: z.string(), name_local: z.string() }),
        introduction: formWords.nullable(),
        closes_on: z.string(),
        questions: questionForm,
        /** By which no more mails are sent to the address. */
        stop: z.string().nullable(),
      }),
    }),
    reads: true,
    example: { token: 'from-the-mail' },
  }),
  submit: call('PUT', '/questionnaires/invited', {
    permission: 'public',
    summary: ['Send my answers by the link in the mail', 'إرسال إجاباتي عبر رابط البريد'],
    body: z.strictObject({ token, answers: formAnswers }),
    response: z.object({ answered: z.literal(true) }),
    maxBody: 128 * 1024,
    example: { token: 'from-the-mail', answers: {} },
  }),
  refuse: call('PUT', '/questionnaires/invited/refuse', {
    permission: 'public',
    summary: ['Refuse more mails of questionnaires, or allow them again', 'رفض استقبال رسائل الاستبيانات أو السماح بها'],
    body: z.strictObject({ stop: z.string().min(1).max(200), refused: z.boolean() }),
    response: z.object({ refused: z.boolean() }),
    example: { stop: 'from-the-mail', refused: true },
  }),
}
