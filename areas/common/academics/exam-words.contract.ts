/** Words of exams that several areas speak. */
import type { Choice, Label } from '#kit/contract/index.ts'

/** Kinds of exams. */
export const EXAM_KINDS = [
  { value: 'midterm', label: ['Midterm', 'منتصف الفصل'] },
  { value: 'final', label: ['Final', 'نهائي'] },
  { value: 'oral', label: ['Oral', 'شفوي'] },
  { value: 'practical', label: ['Practical', 'عملي'] },
] as const satisfies readonly Choice[]
export type ExamKind = (typeof EXAM_KINDS)[number]['value']

/** What is held, as a calendar and a timetable name it. */
export const EXAM_WORDS: Readonly<Record<ExamKind, Label>> = {
  midterm: ['Midterm exam', 'امتحان منتصف الفصل'],
  final: ['Final exam', 'امتحان نهائي'],
  oral: ['Oral exam', 'امتحان شفوي'],
  practical: ['Practical exam', 'امتحان عملي'],
}
