import { trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { gradeOf, type GradeInput } from '../grading.rules.ts'

/** Why a letter, or under a regulation by marks the marks that count, are not what was earned. */
export interface WhyLetter {
  /** `repeat`, `improve`: the bylaw names the highest letter of such an attempt; `final_exam`: failed for it alone; `later_sitting`: only the marks that pass count. */
  readonly code: 'repeat' | 'improve' | 'final_exam' | 'later_sitting'
  /** What the marks would have given by themselves: a letter, of a later sitting the marks. */
  readonly earned: string
  /** Percent of the final exam below which a course is failed. */
  readonly least: string | null
}

/**
 * Why the result is not what the marks earn by themselves; null: it is, or it has another letter than the marks and the
 * bylaw give today (grace marks, a correction that is under way), of which nothing is said here.
 *
 * @param letter of the registration, as it is kept
 */
export function whyLetter(input: GradeInput, letter: string | null): WhyLetter | null {
  const given = gradeOf(input)
  if (given.state !== 'graded' || given.letter === null || given.letter !== letter) return null
  if (given.failed_final) {
    const alone = gradeOf({ ...input, bylaw: { ...input.bylaw, min_percentage_final_exam: 0 } })
    if (alone.letter === null || alone.letter === letter) return null
    return { code: 'final_exam', earned: alone.letter, least: trimHundredths(input.bylaw.min_percentage_final_exam) }
  }
  const alone = gradeOf({ ...input, attempt: null })
  if (input.bylaw.marks)
    return alone.total === null || alone.total === given.total
      ? null
      : { code: 'later_sitting', earned: trimHundredths(alone.total), least: null }
  if (alone.letter === null || alone.letter === letter) return null
  return { code: input.attempt === 'Improve' ? 'improve' : 'repeat', earned: alone.letter, least: null }
}
