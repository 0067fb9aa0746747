import { safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { CURRENCIES, FEE_TYPES, PER, STACKINGS } from './pricing.rules.ts'

/** Types of what is charged, in the order in which they stand on an invoice. */
export const TYPE_CHOICES = [
  { value: 'tuition', label: ['Tuition', 'المصروفات الدراسية'] },
  { value: 'hours', label: ['Credit hours', 'الساعات المعتمدة'] },
  { value: 'summer', label: ['Summer', 'الفصل الصيفي'] },
  { value: 'certificates', label: ['Certificates', 'الشهادات'] },
  { value: 'services', label: ['Services', 'الخدمات'] },
  { value: 'exams', label: ['Exams', 'الامتحانات'] },
] as const satisfies readonly { value: (typeof FEE_TYPES)[number]; label: readonly [string, string] }[]
export const CURRENCY_CHOICES = [
  { value: 'EGP', label: ['Egyptian pound', 'جنيه مصري'] },
  { value: 'USD', label: ['US dollar', 'دولار أمريكي'] },
] as const satisfies readonly { value: (typeof CURRENCIES)[number]; label: readonly [string, string] }[]
export const PER_CHOICES = [
  { value: 'year', label: ['Year', 'العام'] },
  { value: 'term', label: ['Term', 'الفصل الدراسي'] },
  { value: 'hour', label: ['Credit hour', 'الساعة المعتمدة'] },
  { value: 'course', label: ['Course', 'المقرر'] },
  { value: 'copy', label: ['Copy', 'النسخة'] },
  { value: 'request', label: ['Request', 'الطلب'] },
] as const satisfies readonly { value: (typeof PER)[number]; label: readonly [string, string] }[]

export const feeType = z.enum(FEE_TYPES)
export const feeCurrency = z.enum(CURRENCIES)
export const per = z.enum(PER)
export const stacking = z.enum(STACKINGS)
/** An amount in minor units that a person may type: a thousand million pounds at most. */
export const minor = z.int().min(0).max(100_000_000_000)
/** A level of study; some bylaws have a preparatory one, the level 0. */
export const feeLevel = z.int().min(0).max(12)
export const feeNote = safeText(500)
