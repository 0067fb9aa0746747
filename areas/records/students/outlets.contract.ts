/** Places on the pages of students that other areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** Beneath the papers issued to a student: the same as data. */
export const papersAsData = outlet<{ readonly id: number }>('student.papers_as_data')

/** Beneath them: papers that the student brought from elsewhere. */
export const papersFromElsewhere = outlet<{ readonly id: number }>('student.papers_from_elsewhere')
