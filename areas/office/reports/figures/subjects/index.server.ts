import type { SubjectKey } from '../measures.contract.ts'
import type { SubjectSql } from '../subject.server.ts'
import { applicantSubject, wishSubject } from './applicants.server.ts'
import { equivalenceSubject } from './equivalences.server.ts'
import { foreignInvoiceSubject, permitSubject } from './foreigners.server.ts'
import { meetingSubject, teachingSubject } from './meetings.server.ts'
import { registrationSubject } from './registrations.server.ts'
import { standingSubject } from '../../own/standing.server.ts'
import { foreignerSubject, graduateSubject, cohortSubject, studentSubject } from './students.server.ts'

/** How each subject is read. */
export const SUBJECT_SQL: { readonly [S in SubjectKey]: SubjectSql<S> } = {
  student: studentSubject,
  standing: standingSubject,
  foreigner: foreignerSubject,
  permit: permitSubject,
  foreign_invoice: foreignInvoiceSubject,
  graduate: graduateSubject,
  cohort: cohortSubject,
  registration: registrationSubject,
  meeting: meetingSubject,
  teaching: teachingSubject,
  applicant: applicantSubject,
  wish: wishSubject,
  equivalence: equivalenceSubject,
}
