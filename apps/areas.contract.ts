import { accessAndPeople } from '#areas/people/access-and-people/access-and-people.contract.ts'
import { archiveArea } from '#areas/office/archive/archive.contract.ts'
import { attendanceArea } from '#areas/enrolment/attendance/attendance.contract.ts'
import { catalogueArea } from '#areas/study/catalogue/catalogue.contract.ts'
import { conversationArea } from '#areas/people/conversation/conversation.contract.ts'
import { offeringsArea } from '#areas/study/offerings/offerings.contract.ts'
import { examDaysArea } from '#areas/exams/exam-days/exam-days.contract.ts'
import { examsArea } from '#areas/exams/exams/exams.contract.ts'
import { gradingArea } from '#areas/records/grading/grading.contract.ts'
import { mergingArea } from '#areas/records/merging/merging.contract.ts'
import { oneRosterArea } from '#areas/office/oneroster/oneroster.contract.ts'
import { credentialsArea } from '#areas/office/credentials/credentials.contract.ts'
import { peopleArea } from '#areas/people/people/people.contract.ts'
import { placementTestsArea } from '#areas/records/placement-tests/placement-tests.contract.ts'
import { registrationArea } from '#areas/enrolment/registration/registration.contract.ts'
import { reportsArea } from '#areas/office/reports/reports.contract.ts'
import { schedulingArea } from '#areas/study/scheduling/scheduling.contract.ts'
import { settingsArea } from '#areas/common/settings/settings.contract.ts'
import { specializationsArea } from '#areas/enrolment/specializations/specializations.contract.ts'
import { studentsArea } from '#areas/records/students/students.contract.ts'
import { tagsArea } from '#areas/people/tags/tags.contract.ts'
import { termsArea } from '#areas/study/terms/terms.contract.ts'
import { hotelsArea } from '#areas/campus/hotels/hotels.contract.ts'
import type { Area } from '#kit/contract/index.ts'
import { kitArea } from '#kit/contract/kit.area.ts'
import { shellArea } from '#kit/contract/shell.area.ts'
import { degreeAuditArea } from '#areas/records/degree-audit/degree-audit.contract.ts'
import { transfersArea } from '#areas/enrolment/transfers/transfers.contract.ts'
import { levelResultsArea } from '#areas/records/level-results/level-results.contract.ts'
import { ledgerArea } from '#areas/money/ledger/ledger.contract.ts'
import { banksArea } from '#areas/money/banks/banks.contract.ts'
import { invoicesArea } from '#areas/money/invoices/invoices.contract.ts'
import { collectingArea } from '#areas/money/collecting/collecting.contract.ts'
import { transactionsArea } from '#areas/money/transactions/transactions.contract.ts'
import { feesArea } from '#areas/money/fees/fees.contract.ts'
import { sponsorsArea } from '#areas/money/sponsors/sponsors.contract.ts'
import { distributionArea } from '#areas/admission/distribution/distribution.contract.ts'
import { documentsArea } from '#areas/records/documents/documents.contract.ts'
import { admissionsArea } from '#areas/admission/admissions/admissions.contract.ts'
import { applicantsArea } from '#areas/admission/applicants/applicants.contract.ts'
import { acceptanceArea } from '#areas/admission/acceptance/acceptance.contract.ts'
import { admissionPaymentsArea } from '#areas/admission/admission-payments/admission-payments.contract.ts'
import { entranceExamsArea } from '#areas/admission/entrance-exams/entrance-exams.contract.ts'
import { applicantImportsArea } from '#areas/admission/applicant-imports/applicant-imports.contract.ts'
import { certificatesArea } from '#areas/office/certificates/certificates.contract.ts'
import { questionnairesArea } from '#areas/quality/questionnaires/questionnaires.contract.ts'
import { specificationsArea } from '#areas/quality/specifications/specifications.contract.ts'
import { servicesArea } from '#areas/office/services/services.contract.ts'
import { courseFilesArea } from '#areas/quality/course-files/course-files.contract.ts'
import { thesesArea } from '#areas/research/theses/theses.contract.ts'
import { publicationsArea } from '#areas/research/publications/publications.contract.ts'
import { projectsArea } from '#areas/research/projects/projects.contract.ts'
import { trainingsArea } from '#areas/practice/trainings/trainings.contract.ts'
import { internshipArea } from '#areas/practice/internship/internship.contract.ts'
import { logbookArea } from '#areas/practice/logbook/logbook.contract.ts'
import { earlyWarningArea } from '#areas/enrolment/early-warning/early-warning.contract.ts'
import { returnsArea } from '#areas/office/returns/returns.contract.ts'

/**
 * Every area of the university: the one place where an area is listed. Its server side is `{name}.server.ts` and its web
 * side `{name}.web.tsx` in its folder, where it has them.
 */
export const AREAS: readonly Area[] = [
  kitArea,
  shellArea,
  accessAndPeople,
  catalogueArea,
  termsArea,
  schedulingArea,
  peopleArea,
  tagsArea,
  studentsArea,
  offeringsArea,
  registrationArea,
  settingsArea,
  gradingArea,
  conversationArea,
  oneRosterArea,
  credentialsArea,
  mergingArea,
  reportsArea,
  archiveArea,
  hotelsArea,
  degreeAuditArea,
  specializationsArea,
  transfersArea,
  levelResultsArea,
  placementTestsArea,
  attendanceArea,
  examDaysArea,
  examsArea,
  ledgerArea,
  banksArea,
  invoicesArea,
  transactionsArea,
  collectingArea,
  feesArea,
  documentsArea,
  sponsorsArea,
  admissionsArea,
  applicantsArea,
  entranceExamsArea,
  applicantImportsArea,
  distributionArea,
  acceptanceArea,
  admissionPaymentsArea,
  certificatesArea,
  servicesArea,
  questionnairesArea,
  specificationsArea,
  courseFilesArea,
  publicationsArea,
  thesesArea,
  projectsArea,
  trainingsArea,
  internshipArea,
  logbookArea,
  earlyWarningArea,
  returnsArea,
]
