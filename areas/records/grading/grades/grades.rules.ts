/** What server and grid share when they compute results: the part of a bylaw that grades one course. */
import { checkGradeRanges, type Bylaw } from '#areas/study/catalogue/bylaw.rules.ts'
import type { GradeRange } from '#areas/study/catalogue/bylaw.rules.ts'
import { flag, mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'
import type { GradeInput } from '../grading.rules.ts'

type Grading = GradeInput['bylaw']

/** The bylaw as it grades a course of this kind: pass/fail courses have ranges of their own where the bylaw gives some. */
export const gradingBylaw = (
  bylaw: Grading & { readonly pass_fail_ranges: GradeRange[] },
  kind: 'letter' | 'pass_fail',
): Grading =>
  kind === 'pass_fail' && bylaw.pass_fail_ranges.length > 0 ? { ...bylaw, grade_ranges: bylaw.pass_fail_ranges } : bylaw

/** Whether every result has a grade in the bylaw; without that nothing can be graded under it. */
export const isSound = (
  bylaw: Pick<Bylaw, 'grade_ranges'> & {
    readonly pass_fail_ranges: GradeRange[]
    readonly marks: GradeInput['bylaw']['marks']
  },
): boolean => (bylaw.marks ? hasEveryRating(bylaw.marks) : hasEveryGrade(bylaw))

/** A regulation by marks rates everything that passes and everything that fails. */
const hasEveryRating = ({ ratings, pass_share }: NonNullable<GradeInput['bylaw']['marks']>): boolean =>
  pass_share > 0 && ratings.some(({ from }) => from === 0) && ratings.some(({ from }) => from === pass_share)

const hasEveryGrade = (bylaw: Pick<Bylaw, 'grade_ranges'> & { readonly pass_fail_ranges: GradeRange[] }): boolean =>
  checkGradeRanges(bylaw.grade_ranges).every((p) => !p.code.startsWith('range')) &&
  (bylaw.pass_fail_ranges.length === 0 ||
    checkGradeRanges(bylaw.pass_fail_ranges).every((p) => !p.code.startsWith('range')))

/** States in which somebody sits in the course and has marks. */
export const markedMains: readonly MainFlag[] = [
  'Registered',
  'DropRequest',
  'WithdrawRequest',
  'ExcuseRequest',
  'Incomplete',
  'Complete',
]
/** States in which somebody stands on the list of the course's results, with marks or with a special grade. */
export const listedMains: readonly MainFlag[] = [
  ...markedMains,
  'Absent',
  'Banned',
  'Punished',
  'Withdrawn',
  'ForcedWithdrawn',
  'Excused',
]

/** Whether marks can be written for a registration in this state. */
export const takesMarks = (status: bigint): boolean => {
  const main = mainOf(status)
  return main !== null && markedMains.includes(main)
}

/** For SQL: `status & mask <> 0` says the state is one of these, because exactly one main flag is set. */
export const maskOf = (mains: readonly MainFlag[]): string =>
  mains.reduce((bits, main) => bits | flag[main], 0n).toString()
