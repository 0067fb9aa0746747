/** Places on the pages of people that other areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** What a person handed in; without an id the own. */
export const documentsOfPerson = outlet<{
  readonly kind?: 'student' | 'employee' | 'instructor'
  readonly id?: number
}>('person.documents')

/** What somebody who works here is given: roles and rights, by the account. */
export const rightsOfPerson = outlet<{ readonly account: number | null }>('person.rights')
/** Papers that were issued to who works here, by the account. */
export const papersOfWorker = outlet<{ readonly account: number | null }>('person.papers')
/** How somebody who works here signs in. */
export const signInOfPerson = outlet<{ readonly kind: 'user' | 'instructor'; readonly row: unknown }>('person.sign_in')

interface OfInstructor {
  readonly row: { readonly id: number }
}
export const officeHoursOfInstructor = outlet<OfInstructor>('instructor.office_hours')
export const teachingOfInstructor = outlet<OfInstructor>('instructor.teaching')
export const weekOfInstructor = outlet<OfInstructor>('instructor.week')
