/** Places on the page of an instructor that are filled by those who plan teaching. */
import { outlet } from '#kit/contract/outlet.ts'

interface OfInstructor {
  readonly row: { readonly id: number }
}
export const teachingOfInstructor = outlet<OfInstructor>('instructor.teaching')
export const weekOfInstructor = outlet<OfInstructor>('instructor.week')
