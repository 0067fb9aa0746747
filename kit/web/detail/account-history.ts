import { f } from '#kit/contract/field.ts'
import type { Fields } from '#kit/contract/field.ts'

/** Columns of an account that no form changes, as its history names them. */
export const accountHistory: Fields = {
  password_hash: f.text(['Password', 'كلمة المرور']),
  second_factor_at: f.instant(['Second factor since', 'خطوة التحقق الثانية منذ']),
  blocked_reason: f.longText(['Why it is blocked', 'سبب الإيقاف']),
  is_super_admin: f.flag(['May do everything', 'يملك كل الصلاحيات']),
  type: f.integer(['Kind of account', 'نوع الحساب']),
}
