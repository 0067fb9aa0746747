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
/** What somebody who works here finds out, by the account: what was published, theses on whose team the person is, projects. */
interface OfWorker {
  readonly account: number
}
export const publicationsOfPerson = outlet<OfWorker>('person.publications')
export const thesesOfPerson = outlet<OfWorker>('person.theses')
export const projectsOfPerson = outlet<OfWorker>('person.projects')
/** How somebody who works here signs in. */
export const signInOfPerson = outlet<{ readonly kind: 'user' | 'instructor'; readonly row: unknown }>('person.sign_in')

interface OfInstructor {
  readonly row: { readonly id: number }
}
export const officeHoursOfInstructor = outlet<OfInstructor>('instructor.office_hours')
export const teachingOfInstructor = outlet<OfInstructor>('instructor.teaching')
export const weekOfInstructor = outlet<OfInstructor>('instructor.week')
