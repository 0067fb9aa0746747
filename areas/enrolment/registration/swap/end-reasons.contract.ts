import type { EndReason } from './swap.rules.ts'

/** Why an exchange is over although no seat was had, in words. */
export const END_REASONS = [
  { value: 'gone', label: ['The course to be given up is no longer held', 'لم يعد المقرر المتنازل عنه مسجلًا'] },
  { value: 'graded', label: ['Marks stand for the course to be given up', 'رُصدت درجات للمقرر المتنازل عنه'] },
  { value: 'control', label: ['The course to be given up is with control', 'المقرر المتنازل عنه لدى الكنترول'] },
  {
    value: 'block',
    label: ['The course to be given up belongs to the level', 'المقرر المتنازل عنه من مقررات المستوى'],
  },
  { value: 'group', label: ['The group has changed', 'تغيرت المجموعة'] },
  { value: 'refused', label: ['The exchange was refused', 'رُفضت المبادلة'] },
] as const satisfies readonly { value: EndReason; label: readonly [string, string] }[]
