import { z } from 'zod'
import { call, f, id, listOf, listQuery, ref } from '#kit/contract/index.ts'

/** What the security log tells of, as stored. */
export const SECURITY_KINDS = [
  { value: 'sign_in', label: ['Signed in', 'تسجيل دخول'], tone: 'done' },
  { value: 'sign_in_failed', label: ['Sign-in failed', 'فشل تسجيل الدخول'], tone: 'refused' },
  { value: 'sign_out', label: ['Signed out', 'تسجيل خروج'], tone: 'draft' },
  { value: 'session_ended', label: ['Sessions ended', 'إنهاء جلسات'], tone: 'waiting' },
  { value: 'password_asked', label: ['Password link asked for', 'طلب رابط كلمة المرور'], tone: 'waiting' },
  { value: 'password_changed', label: ['Password changed', 'تغيير كلمة المرور'], tone: 'active' },
  { value: 'proof_failed', label: ['Not proved when asked again', 'تعذر تأكيد الهوية عند الطلب'], tone: 'refused' },
  { value: 'second_factor', label: ['Second factor changed', 'تغيير خطوة التحقق الثانية'], tone: 'active' },
  { value: 'identity', label: ['Linked identity changed', 'تغيير هوية مرتبطة'], tone: 'active' },
  { value: 'share', label: ['Record shared', 'مشاركة سجل'], tone: 'waiting' },
  { value: 'log_in_as', label: ['Logged in as another', 'دخول كشخص آخر'], tone: 'waiting' },
  { value: 'log_in_as_ended', label: ['Left the other account', 'الخروج من حساب الشخص الآخر'], tone: 'draft' },
  { value: 'export', label: ['File taken out', 'استخراج ملف'], tone: 'active' },
  { value: 'read', label: ['Record opened', 'فتح سجل شخص'], tone: 'draft' },
  { value: 'rights', label: ['Rights changed', 'تغيير صلاحيات'], tone: 'waiting' },
  { value: 'refused', label: ['Refused: no permission', 'رفض لعدم الصلاحية'], tone: 'refused' },
] as const

/** What the log can be filtered and sorted by. */
export const securityFields = {
  at: f.instant(['When', 'الوقت']),
  kind: f.choice(['What happened', 'ما حدث'], SECURITY_KINDS),
  ip: f.text(['Address', 'العنوان']),
}

const securityEntry = z.object({
  id: z.number(),
  at: z.string(),
  kind: z.string(),
  /** Who acted; the name is missing when the account is gone. */
  actor: ref.nullable(),
  /** Who really sat there. */
  impersonator: ref.nullable(),
  /** Whose account or record it concerns. */
  subject: ref.nullable(),
  record: z.object({ type: z.string(), id }).nullable(),
  /** Tells attempts for one unknown account from those for another. */
  account: z.string().nullable(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  request_id: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})
export type SecurityEntryRow = z.output<typeof securityEntry>

export const logCalls = {
  securityLog: call('POST', '/settings/logs/security', {
    permission: 'access_security_log',
    summary: [
      'Security log: who came in, took data out, read whose record',
      'سجل الأمان: من دخل ومن استخرج بيانات ومن فتح سجل من',
    ],
    body: listQuery,
    response: listOf(securityEntry),
    reads: true,
  }),
}
