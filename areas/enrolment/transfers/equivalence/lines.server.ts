/** Equivalences line by line, as papers print them. */
import { inLanguage } from '#kit/contract/index.ts'
import type { Label, PaperLanguage } from '#kit/contract/index.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { EQUIVALENCE_STATES } from './equivalence.contract.ts'
import type { Equivalence } from './equivalence.contract.ts'

/** A line: a course passed and one that it counts as. What is said in the line before is empty. */
export interface PrintedLine {
  readonly code: string
  readonly course: string
  readonly hours: string
  readonly grade: string
  readonly counts_code: string
  readonly counts_course: string
  readonly counts_hours: string
  readonly counts_grade: string
  readonly in_gpa: string
  readonly decision: string
}
type Counted = Pick<Equivalence, 'course' | 'credit_hours' | 'letter' | 'mark' | 'maximum' | 'counts_in_gpa'>

const TOGETHER: Label = ['together with {code}', 'مع {code}']

/** Headings of the lines, in their order. */
export const LINE_HEADINGS: readonly (readonly [keyof PrintedLine, Label, 'text' | 'number'])[] = [
  ['code', ['Code', 'الكود'], 'text'],
  ['course', ['Course passed', 'المقرر المجتاز'], 'text'],
  ['hours', ['Hours', 'الساعات'], 'number'],
  ['grade', ['Grade', 'التقدير'], 'text'],
  ['counts_code', ['Counts as', 'يعادل'], 'text'],
  ['counts_course', ['Course here', 'المقرر المعادل'], 'text'],
  ['counts_hours', ['Hours', 'الساعات'], 'number'],
  ['counts_grade', ['Grade', 'التقدير'], 'text'],
  ['in_gpa', ['In GPA', 'في المعدل'], 'text'],
  ['decision', ['Decision', 'القرار'], 'text'],
]

/**
 * Each course passed with all that it counts as. Courses that count together stand one below the other: what they count as
 * with the first, and with the others the course they are together with.
 */
export function printedLines(lines: readonly Equivalence[], lang: PaperLanguage): PrintedLine[] {
  const say = (label: Label) => inLanguage(label, lang)
  const codes = new Map(lines.map((line) => [line.id, line.source.code]))
  const counted = (one: Counted) => ({
    counts_code: one.course?.code ?? '–',
    counts_course: nameIn(one.course, lang) ?? '',
    counts_hours: one.course ? String(one.credit_hours ?? '') : '',
    counts_grade: one.mark === null ? (one.letter ?? '') : `${Number(one.mark)} / ${one.maximum ?? 100}`,
    in_gpa: one.course ? say(one.counts_in_gpa ? ['Yes', 'نعم'] : ['No', 'لا']) : '',
  })
  const nothing = { counts_code: '', counts_course: '', counts_hours: '', counts_grade: '', in_gpa: '' }
  const first = lines.filter((line) => line.joined_to === null)
  return first.flatMap((head) =>
    [head, ...lines.filter((line) => line.joined_to === head.id)].flatMap((one): PrintedLine[] => [
      {
        code: one.source.code,
        course: nameIn(one.source, lang) ?? '',
        hours: String(one.source.credit_hours),
        grade: one.source.grade ?? '',
        ...(one === head
          ? counted(one)
          : { ...nothing, counts_course: say(TOGETHER).replace('{code}', codes.get(head.id)!) }),
        decision: say(EQUIVALENCE_STATES.find((state) => state.value === one.state)!.label),
      },
      ...(one === head ? one.more : []).map((more) => ({
        code: '',
        course: '',
        hours: '',
        grade: '',
        ...counted(more),
        decision: '',
      })),
    ]),
  )
}

/** How many courses here they count as, and the hours credited. */
export function creditedOf(lines: readonly Equivalence[]): { courses: number; hours: number } {
  const counts = lines
    .filter((line) => line.state !== 'none')
    .flatMap((line) => [line, ...line.more])
    .filter((one) => one.course !== null)
  return {
    courses: counts.length,
    hours: counts.reduce((sum, one) => sum + Math.round((one.credit_hours ?? 0) * 100), 0) / 100,
  }
}
