/** Calls by which whoever has no account proves an address: a puzzle is solved, and a code is sent there. What the code opens is the area's own call. */
import { z } from 'zod'
import { LANGUAGES } from './words.ts'

/** An address as it is compared. */
export const mailAddress = z.string().trim().toLowerCase().max(200).pipe(z.email())

/** @example puzzle: call('POST', '/certificates/graduate/puzzle', PUZZLE_CALL) */
export const PUZZLE_CALL = {
  permission: 'public',
  summary: ['A puzzle that a browser solves before it asks for a code', 'لغز يحله المتصفح قبل طلب الرمز'],
  body: z.strictObject({}),
  response: z.object({ data: z.object({ challenge: z.string(), bits: z.int() }) }),
  reads: true,
  example: {},
} as const
/** @example askCode: call('POST', '/certificates/graduate/code', CODE_CALL) */
export const CODE_CALL = {
  permission: 'public',
  summary: ['Send a code to an address', 'إرسال رمز إلى بريد إلكتروني'],
  body: z.strictObject({
    email: mailAddress,
    language: z.enum(LANGUAGES),
    challenge: z.string().max(200),
    nonce: z.string().max(20),
  }),
  response: z.object({ data: z.null() }),
  example: { email: 'somebody@example.com', language: 'en', challenge: '13.0.a.b', nonce: '1' },
} as const
