/** Places on the page of a student that other areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** What the student handed in; without an id the own. */
export const documentsOfStudent = outlet<{ id?: number }>('student.documents')
