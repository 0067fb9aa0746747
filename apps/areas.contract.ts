import { accessAndPeople } from '#areas/access-and-people/access-and-people.contract.ts'
import { archiveArea } from '#areas/archive/archive.contract.ts'
import { attendanceArea } from '#areas/attendance/attendance.contract.ts'
import { catalogueArea } from '#areas/catalogue/catalogue.contract.ts'
import { conversationArea } from '#areas/conversation/conversation.contract.ts'
import { offeringsArea } from '#areas/offerings/offerings.contract.ts'
import { examDaysArea } from '#areas/exam-days/exam-days.contract.ts'
import { examsArea } from '#areas/exams/exams.contract.ts'
import { gradingArea } from '#areas/grading/grading.contract.ts'
import { mergingArea } from '#areas/merging/merging.contract.ts'
import { oneRosterArea } from '#areas/oneroster/oneroster.contract.ts'
import { peopleArea } from '#areas/people/people.contract.ts'
import { placementTestsArea } from '#areas/placement-tests/placement-tests.contract.ts'
import { registrationArea } from '#areas/registration/registration.contract.ts'
import { reportsArea } from '#areas/reports/reports.contract.ts'
import { schedulingArea } from '#areas/scheduling/scheduling.contract.ts'
import { settingsArea } from '#areas/settings/settings.contract.ts'
import { specializationsArea } from '#areas/specializations/specializations.contract.ts'
import { studentsArea } from '#areas/students/students.contract.ts'
import { tagsArea } from '#areas/tags/tags.contract.ts'
import { termsArea } from '#areas/terms/terms.contract.ts'
import type { Area } from '#kit/contract/index.ts'
import { kitArea } from '#kit/contract/kit.area.ts'
import { shellArea } from '#kit/contract/shell.area.ts'
import { degreeAuditArea } from '#areas/degree-audit/degree-audit.contract.ts'
import { transfersArea } from '#areas/transfers/transfers.contract.ts'
import { levelResultsArea } from '#areas/level-results/level-results.contract.ts'
import { ledgerArea } from '#areas/ledger/ledger.contract.ts'
import { banksArea } from '#areas/banks/banks.contract.ts'
import { invoicesArea } from '#areas/invoices/invoices.contract.ts'
import { transactionsArea } from '#areas/transactions/transactions.contract.ts'
import { feesArea } from '#areas/fees/fees.contract.ts'
import { documentsArea } from '#areas/documents/documents.contract.ts'

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
  mergingArea,
  reportsArea,
  archiveArea,
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
  feesArea,
  documentsArea,
]
