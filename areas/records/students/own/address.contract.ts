import { z } from 'zod'
import { call } from '#kit/contract/index.ts'
import type { ErrorTexts } from '#kit/contract/index.ts'

export const addressCalls = {
  /** Whoever opens the link has the mailbox: nobody is signed in where a mail is read. */
  confirmAddress: call('POST', '/students/address', {
    permission: 'public',
    summary: ['Confirm my new e-mail address by the link in the mail', 'تأكيد بريدي الجديد عبر رابط الرسالة'],
    body: z.strictObject({ token: z.string().min(1).max(100) }),
    response: z.object({ data: z.null() }),
    example: { token: 'from-the-mail' },
  }),
}

export const addressErrors = {
  address_link_over: [
    'This link was used already, or is too old. Enter the address again.',
    'استُخدم هذا الرابط من قبل أو انتهت صلاحيته. أدخل البريد من جديد.',
  ],
} as const satisfies ErrorTexts
