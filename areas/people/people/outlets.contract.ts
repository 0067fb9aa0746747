/** Places on the pages of people that other areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** What a person handed in; without an id the own. */
export const documentsOfPerson = outlet<{
  readonly kind?: 'student' | 'employee' | 'instructor'
  readonly id?: number
}>('person.documents')

interface OfInstructor {
  readonly row: { readonly id: number }
}
export const officeHoursOfInstructor = outlet<OfInstructor>('instructor.office_hours')
export const teachingOfInstructor = outlet<OfInstructor>('instructor.teaching')
export const weekOfInstructor = outlet<OfInstructor>('instructor.week')
