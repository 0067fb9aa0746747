/** Places on the pages of transfers that other areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** A course as a file of another university tells of it. */
export interface FileCourse {
  readonly code: string
  readonly name: string
  readonly name_local: string | null
  readonly credit_hours: number
  readonly grade: string | null
}
/** On the page of courses passed elsewhere: papers that prove them, of a student or an applicant. */
export const papersOfTransfer = outlet<{ readonly student: number | null; readonly applicant: number | null }>(
  'transfer.papers_from_elsewhere',
)
/** Where courses passed elsewhere are entered: they may come out of a file. */
export const coursesFromFile = outlet<{ readonly onCourses: (courses: readonly FileCourse[]) => void }>(
  'transfer.courses_from_file',
)
