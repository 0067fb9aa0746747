/** A rule broken on purpose: what stands in a file once is replaced, and one of the tests must fail. */
export interface Mutation {
  /** The rule that would be lost. */
  readonly rule: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
}
const of =
  (file: string, ...tests: string[]) =>
  (rule: string, find: string, replace: string): Mutation => ({ rule, file, find, replace, tests })

const figureRules = of(
  'areas/office/reports/figures/figures.rules.ts',
  'areas/office/reports/figures/figures.rules.test.ts',
)
const roomRules = of('areas/office/reports/rooms/rooms.rules.ts', 'areas/office/reports/rooms/rooms.rules.test.ts')
const roomUse = of('areas/office/reports/rooms/rooms.server.ts', 'areas/office/reports/rooms/rooms.test.ts')
const returnCells = (file: string) =>
  of(`areas/office/returns/cells/${file}`, 'areas/office/returns/cells/cell.rules.test.ts')
const returnParts = (file: string) => of(`areas/office/returns/${file}`, 'areas/office/returns/returns.test.ts')
const figureParts = (file: string) =>
  of(
    `areas/office/reports/figures/${file}`,
    'areas/office/reports/figures/figures.test.ts',
    'areas/office/reports/figures/measures.test.ts',
  )
const keptFigures = (file: string) =>
  of(
    `areas/office/reports/figures/${file}`,
    'areas/office/reports/figures/kept.test.ts',
    'areas/office/reports/figures/rows-sheet.test.ts',
  )
const unitRules = of('areas/study/catalogue/units/unit.rules.ts', 'areas/study/catalogue/units/unit.test.ts')
const unitParts = of('areas/study/catalogue/units/unit.server.ts', 'areas/study/catalogue/units/unit.test.ts')
const figureUnits = (file: string) =>
  of(`areas/office/reports/figures/${file}`, 'areas/office/reports/figures/units.test.ts')
const differRules = of(
  'areas/office/reports/differ/differ.rules.ts',
  'areas/office/reports/differ/differ.rules.test.ts',
)
const ownReports = (file: string) => of(`areas/office/reports/own/${file}`, 'areas/office/reports/own')
const thesisRules = of(
  'areas/research/theses/thesis/thesis.rules.ts',
  'areas/research/theses/thesis/thesis.rules.test.ts',
)
const thesisParts = (file: string) => of(`areas/research/theses/${file}`, 'areas/research/theses/theses.test.ts')
const workRules = of(
  'areas/research/publications/works/publication.rules.ts',
  'areas/research/publications/rules.test.ts',
  'areas/research/publications/publications.test.ts',
)
const doubleRules = of('areas/research/publications/doubles/doubles.rules.ts', 'areas/research/publications/doubles')
const fetchRules = of('areas/research/publications/sources/source.rules.ts', 'areas/research/publications/sources')
const keptApart = of('areas/research/publications/doubles/doubles.server.ts', 'areas/research/publications/doubles')
const fetchFor = of('areas/research/publications/sources/sync.server.ts', 'areas/research/publications/sources')
const brokenEntry = of(
  'areas/research/publications/references/bibtex.rules.ts',
  'areas/research/publications/references/references.test.ts',
)
const foundTheses = of(
  'areas/research/theses/repository/repository.server.ts',
  'areas/research/theses/repository/repository.test.ts',
)
const examinerMail = of(
  'areas/research/theses/discussion/invite.server.ts',
  'areas/research/theses/discussion/invite.test.ts',
)
const packLimit = of(
  'areas/quality/course-files/pack/pack.server.ts',
  'areas/quality/course-files/course-files.test.ts',
)
const claimRules = of(
  'areas/research/publications/works/members.server.ts',
  'areas/research/publications/publications.test.ts',
)
const projectRules = of('areas/research/projects/project/project.rules.ts', 'areas/research/projects')
const courseFileRules = of(
  'areas/quality/course-files/files/course-file.rules.ts',
  'areas/quality/course-files/files/course-file.rules.test.ts',
)
const courseFileParts = (file: string) => of(file, 'areas/quality/course-files/course-files.test.ts')
const specGaps = of(
  'areas/quality/specifications/matrix/gaps.rules.ts',
  'areas/quality/specifications/matrix/gaps.rules.test.ts',
  'areas/quality/specifications/specifications.test.ts',
)
const specPart = of(
  'areas/quality/specifications/parts/parts.rules.ts',
  'areas/quality/specifications/parts/parts.rules.test.ts',
)
const specServer = (file: string) =>
  of(`areas/quality/specifications/${file}`, 'areas/quality/specifications/specifications.test.ts')
const attainedBy = (file: string) =>
  of(`areas/quality/specifications/${file}`, 'areas/quality/specifications/questions')
const attained = (file: string) =>
  of(`areas/quality/specifications/attainment/${file}`, 'areas/quality/specifications/attainment')
const internshipRules = (file: string) =>
  of(`areas/practice/internship/${file}`, 'areas/practice/internship/internship.rules.test.ts')
const internshipParts = (file: string) => of(file, 'areas/practice/internship/internship.test.ts')
const rotations = (file: string) =>
  of(
    `areas/practice/internship/plan/${file}`,
    'areas/practice/internship/plan',
    'areas/practice/internship/trouble.test.ts',
  )
const trainingRules = of(
  'areas/practice/trainings/places/training.rules.ts',
  'areas/practice/trainings/places/training.rules.test.ts',
)
const trainingParts = (file: string, test: string) =>
  of(`areas/practice/trainings/${file}`, `areas/practice/trainings/${test}.test.ts`)
const logbookEntries = (file: string) => of(`areas/practice/logbook/entries/${file}`, 'areas/practice/logbook/entries')
const logbookSync = of('areas/practice/logbook/entries/sync.server.ts', 'areas/practice/logbook/logbook.test.ts')
const dutyGiving = of('areas/practice/logbook/roster/give.server.ts', 'areas/practice/logbook/roster/roster.test.ts')
const duties = (file: string) =>
  of(`areas/practice/logbook/roster/${file}`, 'areas/practice/logbook/roster/roster.rules.test.ts')
const risks = of(
  'areas/enrolment/early-warning/rules/risk.rules.ts',
  'areas/enrolment/early-warning/rules/risk.rules.test.ts',
)
const warnings = (file: string) =>
  of(`areas/enrolment/early-warning/${file}`, 'areas/enrolment/early-warning/early-warning.test.ts')
const warningModel = (file: string) =>
  of(`areas/enrolment/early-warning/model/${file}`, 'areas/enrolment/early-warning/model/model.rules.test.ts')
const domains = of(
  'areas/quality/questionnaires/results/of-domains.server.ts',
  'areas/quality/specifications/attainment/attainment.test.ts',
)
const specFunction = of(
  'db/functions/quality/guard_specification_part.sql',
  'areas/quality/specifications/specifications.test.ts',
)

const serviceRules = of('areas/office/services/requests/service.rules.ts', 'areas/office/services/requests')
const serviceKinds = of('areas/office/services/kinds/kind.rules.ts', 'areas/office/services/kinds')
const questionnaires = (file: string, ...tests: string[]) =>
  of(`areas/quality/questionnaires/${file}`, ...tests.map((test) => `areas/quality/questionnaires/${test}.test.ts`))
const surveysHeld = of('db/functions/quality/surveys_held.sql', 'areas/quality/questionnaires/filling/waiting.test.ts')
const serviceParts = (file: string) => of(file, 'areas/office/services/services.test.ts')
const migrating = of('db/migrate.ts', 'db/migrate.test.ts', 'db/baseline.test.ts')
const released = of('db/releases.ts', 'db/migrate.test.ts')
const employed = (file: string) => of(`areas/people/people/employees/${file}`, 'areas/people/people/employees')
const staffMigration = (file: string) => of(`db/${file}`, 'areas/people/people/employees')
const handed = (file: string) => of(`areas/records/documents/${file}`, 'areas/records/documents')
const telephone = (file: string) => of(`db/${file}`, 'areas/people/access-and-people/users/telephone.test.ts')

const reported = (file: string) =>
  of(`areas/office/reports/${file}`, 'areas/office/reports/financial/financial.test.ts')
const period = of('areas/money/ledger/periods/period.rules.ts', 'areas/money/ledger/periods/period.rules.test.ts')
const periods = (file: string) => of(`areas/money/ledger/periods/${file}`, 'areas/money/ledger/periods')
const bankFile = (file: string) => of(`areas/money/banks/files/${file}`, 'areas/money/banks/files')
const bankBatch = (file: string) => of(`areas/money/banks/batches/${file}`, 'areas/money/banks/batches')
const slipPart = (file: string) =>
  of(`areas/money/transactions/${file}`, 'areas/money/transactions/slips', 'areas/money/transactions/moves')
const collected = (file: string) => of(`areas/money/collecting/${file}`, 'areas/money/collecting')
const slipMigration = of('db/migrations/0040_money.sql', 'areas/money/transactions/slips')
const fees = of('areas/money/fees/pricing.rules.ts', 'areas/money/fees/pricing.test.ts')
const instalments = of('areas/money/fees/instalments.rules.ts', 'areas/money/fees/pricing.test.ts')
const applicantFee = of(
  'areas/admission/admission-payments/fees/fee.rules.ts',
  'areas/admission/admission-payments/fees/fee.rules.test.ts',
)
const ministryRow = of(
  'areas/admission/applicant-imports/rows/row.rules.ts',
  'areas/admission/applicant-imports/rows/row.rules.test.ts',
)
const ministrySheet = of(
  'areas/admission/applicant-imports/sheet.rules.ts',
  'areas/admission/applicant-imports/rows/row.rules.test.ts',
)
const applicantPays = (file: string) =>
  of(`areas/admission/admission-payments/${file}`, 'areas/admission/admission-payments/payments.test.ts')
const sponsorShares = of('areas/money/sponsors/shares/share.rules.ts', 'areas/money/sponsors/shares')
const invoiceParts = of('areas/money/invoices/parts.rules.ts', 'areas/money/invoices/parts.rules.test.ts')
const simulation = of(
  'areas/money/fees/settings/simulation.rules.ts',
  'areas/money/fees/settings/simulation.rules.test.ts',
)
const feeSettings = (file: string) => of(`areas/money/fees/${file}`, 'areas/money/fees')
const depositRules = of(
  'areas/money/transactions/deposits/deposit.rules.ts',
  'areas/money/transactions/deposits/deposit.rules.test.ts',
)
const taxDocuments = of(
  'areas/money/transactions/tax-receipts/tax-document.rules.ts',
  'areas/money/transactions/tax-receipts/tax-document.rules.test.ts',
)
const families = (file: string) => of(`areas/money/fees/${file}`, 'areas/money/fees/families')
const audited = (file: string) =>
  of(`areas/records/degree-audit/audits/${file}`, 'areas/records/degree-audit/audits/evaluate.test.ts')
const housing = (file: string) => of(file, 'areas/campus/hotels')
const guestRule = of('areas/people/people/guests/guest.rules.ts', 'areas/money/transactions/payers.test.ts')
const ofPayers = (file: string) => of(`areas/money/${file}`, 'areas/money/transactions/payers.test.ts')
const bedOrder = of('areas/campus/hotels/stays/fit.rules.ts', 'areas/campus/hotels/stays/fit.rules.test.ts')
const stayRule = of('areas/campus/hotels/stays/stay.rules.ts', 'areas/campus/hotels/stays/stay.rules.test.ts')
const specialising = (file: string) => of(`areas/enrolment/specializations/${file}`, 'areas/enrolment/specializations')
const assigning = of(
  'areas/enrolment/specializations/distribution/assign.rules.ts',
  'areas/enrolment/specializations/distribution/assign.test.ts',
)
const placing = (file: string) => of(`areas/records/placement-tests/${file}`, 'areas/records/placement-tests')
const placed = of('areas/common/academics/placement.rules.ts', 'areas/records/placement-tests')
const levelRules = (file: string) =>
  of(`areas/records/level-results/${file}`, 'areas/records/level-results/rules.test.ts')
const levelResult = of(
  'areas/records/level-results/results.server.ts',
  'areas/records/level-results/levels.own.test.ts',
)
const block = of('areas/enrolment/registration/block/block.server.ts', 'areas/enrolment/registration/block')
const transferRules = 'areas/enrolment/transfers/equivalence/equivalence.rules.test.ts'
const equivalence = of('areas/enrolment/transfers/equivalence/equivalence.rules.ts', transferRules)
const conversion = of('areas/study/catalogue/conversion.rules.ts', transferRules)
const moving = of('areas/enrolment/transfers/internal/internal.rules.ts', transferRules)
const merging = (file: string) => of(`areas/records/merging/${file}`, 'areas/records/merging')
const status = of('areas/common/academics/status.rules.ts', 'areas/common/academics/status.test.ts')
const request = of(
  'areas/enrolment/registration/registration.rules.ts',
  'areas/enrolment/registration/registration.test.ts',
)
const change = of(
  'areas/enrolment/registration/changes/change.server.ts',
  'areas/enrolment/registration/changes',
  'areas/records/grading/guard.http.test.ts',
)
const decided = (file: string) => of(file, 'areas/exams/exam-days/decided.test.ts')
const capacity = of('areas/enrolment/registration/capacity.server.ts', 'areas/enrolment/registration')
const preflights = (file: string) =>
  of(`areas/enrolment/registration/preflight/${file}`, 'areas/enrolment/registration/preflight')
const exchanged = (file: string) => of(`areas/enrolment/registration/${file}`, 'areas/enrolment/registration/swap')
const waiting = of(
  'areas/enrolment/registration/requests/wait-list.server.ts',
  'areas/enrolment/registration/requests/wait-list.test.ts',
)
const seats = (file: string) => of(`db/${file}`, 'areas/enrolment/registration/requests')
const attended = (file: string) => of(`areas/enrolment/attendance/${file}`, 'areas/enrolment/attendance')
const samlTests = 'areas/people/access-and-people/saml/saml.test.ts'
const samlSettings = of('areas/people/access-and-people/saml/settings.server.ts', samlTests)
const logoutAsked = of('areas/people/access-and-people/saml/logout.rules.ts', samlTests)
const logoutRoutes = of('areas/people/access-and-people/saml/logout-routes.server.ts', samlTests)
const logoutEnds = of('areas/people/access-and-people/saml/logout.server.ts', samlTests)
const scimBulk = of(
  'areas/people/access-and-people/scim/bulk.server.ts',
  'areas/people/access-and-people/scim/scim.test.ts',
)
const scimDirectory = of(
  'areas/people/access-and-people/scim/directory.server.ts',
  'areas/people/access-and-people/scim/scim.test.ts',
)
const lengths = 'areas/common/settings/retention/retention.test.ts'
const erasingTalk = of('areas/people/conversation/erasing.server.ts', lengths)
const leavers = of('areas/records/students/standing/leavers.server.ts', lengths)
const twoTests = 'areas/records/students/two-programs.test.ts'
const secondRecord = of('areas/records/students/student/second-record.rules.ts', twoTests)
const personOf = of('kit/server/identity/auth.ts', twoTests)
const placesOf = of('kit/server/http/places.ts', 'kit/server/http/places.test.ts')
const keyOfChance = of('kit/server/base/config.ts', 'kit/server/base/config.test.ts')
const tokenOf = of('areas/people/access-and-people/provider/oidc.server.ts', 'areas/people/access-and-people/provider')
const scopeOf = of('kit/server/base/scope.ts', 'tests/every-scope.test.ts')
const chainEnd = of('areas/records/grading/signing/verify.server.ts', 'apps/server/keys.test.ts')
const ownRecords = of('areas/people/access-and-people/own-records/own-records.server.ts', twoTests)
const turnsOfPerson = (file: string) => of(`db/${file}`, twoTests)
const accountName = of('db/functions/people/name_account_by_record.sql', 'areas/people/people/names/names.test.ts')
const certificate = of('areas/records/students/transcript/certificate.server.ts', 'areas/records/students/transcript')
const certificates = (file: string, test = 'areas/office/certificates/certificates.test.ts') =>
  of(`areas/office/certificates/${file}`, test)
const certificateTurn = (file: string) => of(file, 'areas/office/certificates/turns/turns.test.ts')
const turnsOf = (name: string) => certificateTurn(`db/functions/office/${name}.sql`)
const turnClock = certificateTurn('areas/office/certificates/turns/clock.server.ts')
const nameChanging = (file: string) => of(file, 'areas/office/certificates/names/name-changes.test.ts')
const nameChangeRules = nameChanging('areas/office/certificates/names/name-change.rules.ts')
const nameChangeParts = nameChanging('areas/office/certificates/names/name-change.server.ts')
const elsewhere = (file: string) =>
  of(`areas/office/certificates/external/${file}`, 'areas/office/certificates/external/external.test.ts')
const certificateRule = certificates('requests/certificate.rules.ts')
const certificatePrint = certificates('requests/printed.server.ts')
const certificateText = certificates(
  'types/template.rules.ts',
  'areas/office/certificates/types/template.rules.test.ts',
)
const askersOf = (file: string) =>
  of(file, 'areas/office/services/staff.test.ts', 'areas/office/certificates/staff.test.ts')
const askerUnits = askersOf('db/functions/office/asker_units.sql')
const askers = askersOf('areas/money/ledger/askers.server.ts')
const serviceStaff = (file: string) => of(`areas/office/services/${file}`, 'areas/office/services/staff.test.ts')
const certificateStaff = (file: string) =>
  of(`areas/office/certificates/${file}`, 'areas/office/certificates/staff.test.ts')
const officeFunction = (name: string) =>
  of(`db/functions/office/${name}.sql`, 'areas/office/certificates/certificates.test.ts')
const timeline = of('areas/study/terms/timeline/timeline.server.ts', 'areas/study/terms')
const nameParts = of('areas/people/people/names/name.rules.ts', 'areas/people/people/names/name.rules.test.ts')
const nameSheets = of('areas/people/people/names/follow.server.ts', 'areas/people/people/names/names.test.ts')
const toldProgram = of('kit/server/mail/notifications.ts', twoTests)
const movedTo = of('areas/enrolment/transfers/internal/internal.rules.ts', 'areas/enrolment/transfers/internal')
const trail = of('db/functions/base/audit_change.sql', 'kit/server/unit/trail.test.ts')
const logMonths = (file: string) => of(`db/${file}`, lengths)
const line = of('db/functions/base/audit_line.sql', 'kit/server/unit/trail.test.ts')
const distributed = (file: string, test = 'stable') =>
  of(`areas/admission/distribution/${file}`, `areas/admission/distribution/${test}.test.ts`)
const examSolver = (file: string) => of(`areas/exams/exams/solver/${file}`, 'areas/exams/exams/solver')
const examRule = (file: string) => of(`areas/exams/exams/${file}`, 'areas/exams/exams/rules.test.ts')
const granted = of(
  'areas/exams/exams/accommodations/accommodation.rules.ts',
  'areas/exams/exams/accommodations/accommodation.rules.test.ts',
)
const grantedIn = (file: string) =>
  of(`areas/exams/exams/${file}`, 'areas/exams/exams/accommodations/accommodation.rules.test.ts')
const grantedDb = (name: string) =>
  of(`db/functions/exams/${name}.sql`, 'areas/exams/exams/accommodations/accommodation.test.ts')
const examSeats = of('areas/exams/exams/seats/seats.rules.ts', 'areas/exams/exams/seats')
const examDay = (file: string) => of(`areas/exams/exam-days/${file}`, 'areas/exams/exam-days')
const payment = (file: string, test = 'signatures') =>
  of(`areas/money/transactions/providers/${file}`, `areas/money/transactions/providers/${test}.test.ts`)
const advising = of('areas/enrolment/registration/advising/advising.rules.ts', 'areas/enrolment/registration/advising')
const bylaw = of('areas/study/catalogue/bylaw.rules.ts', 'areas/study/catalogue/bylaw.test.ts')
const requisites = of('areas/study/catalogue/requisites.rules.ts', 'areas/study/catalogue/requisites.test.ts')
const bylaws = of('areas/study/catalogue/bylaws/bylaw.server.ts', 'areas/study/catalogue/catalogue.test.ts')
const weekMoved = (file: string) => of(`areas/study/scheduling/${file}`, 'areas/study/scheduling/calendar.test.ts')
const meetings = of('areas/study/offerings/slots/slots.rules.ts', 'areas/study/offerings/slots/slots.test.ts')
const team = of('areas/study/offerings/team/team.server.ts', 'areas/study/offerings/offerings.test.ts')
const reach = of('areas/common/academics/offering-reach.server.ts', 'areas/study/offerings/offerings.test.ts')
const next = of('areas/study/offerings/teaching/teaching.rules.ts', 'areas/study/offerings')
const control = of('areas/common/academics/control.rules.ts', 'areas/records/grading/control.test.ts')
const flow = of('areas/records/grading/control/flow.contract.ts', 'areas/records/grading/control')
const signing = of('areas/records/grading/signing/verify.server.ts', 'areas/records/grading/signing')
const signed = of('areas/records/grading/signing/sign.server.ts', 'areas/records/grading/signing')
const papersByBarcode = of('areas/records/grading/barcodes/barcodes.server.ts', 'areas/records/grading/barcodes')
const paperChanges = of(
  'areas/records/grading/barcodes/backup.server.ts',
  'areas/records/grading/barcodes/moves.test.ts',
)
const paperMoves = of('db/functions/records/exam_paper_moved.sql', 'areas/records/grading/barcodes/moves.test.ts')
const sealed = of('areas/records/grading/signing/sign.server.ts', 'areas/records/grading/signing/tampering.test.ts')
const found = of('areas/records/grading/signing/verify.server.ts', 'areas/records/grading/signing/tampering.test.ts')
const words = of('areas/common/academics/course-words.server.ts', 'areas/records/grading/control/words.test.ts')
const frozenWords = of('db/functions/study/guard_offering_words.sql', 'areas/records/grading/control/words.test.ts')
const everything = (file: string) => of(file, 'tests/basis/all-at-once.test.ts')
const remembers = (file: string) => of(file, 'tests/basis/basis.test.ts')
const prerequisite = (file: string) => of(file, 'areas/enrolment/registration/changes/prerequisite.test.ts')
const leaving = (file: string) => of(file, 'areas/enrolment/registration/changes/leaving.test.ts')
const returning = (file: string) => of(file, 'areas/records/grading/terms/revised.http.test.ts')
const fromTermOn = (file: string) => of(file, 'areas/records/grading/terms/from-a-term.http.test.ts')
const editionRules = of(
  'areas/study/catalogue/bylaws/editions.rules.ts',
  'areas/study/catalogue/bylaws/editions.test.ts',
)
const decidedAgain = (file: string) => of(file, 'areas/records/level-results/levels.own.test.ts')
const handedIn = (file: string) => of(file, 'areas/records/documents/documents.test.ts')
const checked = (file: string) => of(file, 'tests/checker/editions.test.ts')
const paperSecond = (file: string) => of(`db/${file}`, 'areas/records/grading/barcodes/moves.test.ts')
const recheck = of('areas/records/grading/rechecks/recheck.rules.ts', 'areas/records/grading/rechecks')
const guard = of(
  'areas/records/grading/guard.rules.ts',
  'areas/records/grading/control.test.ts',
  'areas/records/grading/guard.http.test.ts',
)
const grade = of('areas/records/grading/grading.rules.ts', 'areas/records/grading/grading.test.ts')
const marks = of('areas/records/grading/marks/marks.server.ts', 'areas/records/grading/marks')
const archive = of('areas/office/archive/archive.rules.ts', 'areas/office/archive/archive.rules.test.ts')
const archiveZip = of('areas/office/archive/import/zip.rules.ts', 'areas/office/archive/archive.rules.test.ts')
const archiveTree = (file: string) =>
  of(`db/${file}`, 'areas/office/archive/tree', 'areas/office/archive/access.test.ts')
const archiveFound = of(
  'areas/office/archive/entries.server.ts',
  'areas/office/archive/tree',
  'areas/office/archive/access.test.ts',
)
const pictures = of(
  'areas/admission/applicants/apply/picture.rules.ts',
  'areas/admission/applicants/apply/picture.rules.test.ts',
)
const addresses = of('kit/contract/address.ts', 'kit/contract/address.test.ts')
const documentParts = of(
  'areas/admission/applicants/apply/upload.server.ts',
  'areas/admission/applicants/apply/upload.test.ts',
)
const kitParts = of('kit/contract/parts.ts', 'areas/office/archive/archive.rules.test.ts')
const archiveParts = of('kit/server/files/parts.ts', 'areas/office/archive/upload')
const archiveBin = of('areas/office/archive/tree/bin.server.ts', 'areas/office/archive/tree')
const archiveZipIn = of('areas/office/archive/import/zip-in.server.ts', 'areas/office/archive/trouble.test.ts')
const contents = (file: string) => of(`db/${file}`, 'areas/office/archive/upload/stores.test.ts')
const contentsKept = of('kit/server/files/files.ts', 'areas/office/archive/upload/stores.test.ts')
const students = of('areas/records/students/student/student.server.ts', 'areas/records/students')
const studentsReach = of(
  'areas/common/academics/student-reach.server.ts',
  'areas/records/students',
  'areas/enrolment/registration/changes',
)
const tagging = of('areas/people/tags/tagging.server.ts', 'areas/records/students/tags')
const studentTags = of('areas/records/students/student/student.contract.ts', 'areas/records/students/tags')
const ticket = of('areas/people/conversation/tickets/ticket.server.ts', 'areas/people/conversation/tickets')
const chat = of('areas/people/conversation/chats/chat.server.ts', 'areas/people/conversation/chats')
const ticketCall = of('areas/people/conversation/tickets/ticket-calls.server.ts', 'areas/people/conversation/tickets')
const said = of('areas/people/conversation/messages.server.ts', 'areas/people/conversation/tickets')
const standing = of('areas/records/students/standing/standing.server.ts', 'areas/records/students')
const sections = of('areas/records/students/sections/section.server.ts', 'areas/records/students')
const rightsAbove = of('areas/people/people/rights-above.server.ts', 'areas/people/people')
const users = of('areas/people/access-and-people/users/user.server.ts', 'areas/people/access-and-people/users')
const photos = of('areas/people/access-and-people/users/photo.server.ts', 'areas/people/access-and-people/users')
const whoseEmail = of('areas/people/people/taken-email.server.ts', 'areas/people/access-and-people/users')
const names = of('areas/people/people/names/name.rules.ts', 'areas/people/people/names/name.rules.test.ts')
const nameCalls = of('areas/people/people/names/names.server.ts', 'areas/people/people/names/names.test.ts')
const hijri = of('kit/contract/hijri.ts', 'kit/contract/hijri.test.ts')
const hijriMonths = of('areas/common/settings/hijri/hijri.server.ts', 'areas/common/settings/settings.test.ts')
const terms = of('areas/study/terms/terms.server.ts', 'areas/study/terms')
const takeOver = (file: string) => of(`areas/study/terms/stages/${file}`, 'areas/study/terms')
const takingOver = takeOver('take-over.server.ts')
const takeOverRules = takeOver('take-over.rules.ts')
const classWords = of(
  'areas/enrolment/attendance/meetings/sheet.server.ts',
  'areas/enrolment/attendance/attendance.test.ts',
)
const oneRequirement = of(
  'areas/study/catalogue/bylaws/requirements.server.ts',
  'areas/study/catalogue/catalogue.test.ts',
)
const changedSetting = of(
  'areas/study/catalogue/bylaws/changed.rules.ts',
  'areas/study/catalogue/bylaws/changed.test.ts',
)
const slots = of('areas/study/scheduling/slots/slot.contract.ts', 'areas/study/scheduling')
const scope = of('kit/server/base/scope.ts', 'kit/server/base/scope.test.ts', 'kit/server/resource/resource.test.ts')
const resource = (file: string) =>
  of(`kit/server/resource/${file}`, 'kit/server/resource/resource.test.ts', 'kit/server/resource/rows.test.ts')
const handing = (file: string) => of(`kit/server/handing-in/${file}`, 'kit/server/handing-in/handing-in.test.ts')
const rows = of('kit/server/resource/rows.ts', 'kit/server/resource/rows.test.ts')
const telling = of(
  'kit/server/resource/telling.ts',
  'kit/server/resource/resource.test.ts',
  'areas/common/settings/logs',
)
const tableWords = of(
  'kit/server/resource/table-words.ts',
  'kit/server/resource/resource.test.ts',
  'kit/server/resource/rows.test.ts',
  'tests/told.test.ts',
)
const inUse = of(
  'kit/server/resource/in-use.ts',
  'kit/server/resource/resource.test.ts',
  'areas/study/catalogue/catalogue.test.ts',
)
const rights = of('access/rights.server.ts', 'access')

const timetable = of('areas/study/scheduling/timetables/timetable.server.ts', 'areas/study/scheduling')
const instructors = of('areas/people/people/instructors/instructor.server.ts', 'areas/people/people')
const overview = of(
  'areas/office/reports/overview/overview.rules.ts',
  'areas/office/reports/overview/overview.rules.test.ts',
)
const figures = of('areas/office/reports/overview/overview.server.ts', 'areas/office/reports/overview/overview.test.ts')
const university = of('areas/common/settings/university/university.server.ts', 'areas/common/settings')
const bundle = of('areas/office/oneroster/oneroster.rules.ts', 'areas/office/oneroster/oneroster.test.ts')
const provider = of(
  'areas/people/access-and-people/provider/provider.server.ts',
  'areas/people/access-and-people/provider',
)
const vouched = of('areas/people/access-and-people/provider/provider.server.ts', 'areas/people/access-and-people/saml')
const protocol = of('areas/people/access-and-people/provider/oidc.server.ts', 'areas/people/access-and-people/provider')
const samlJudged = of('areas/people/access-and-people/saml/assertion.rules.ts', 'areas/people/access-and-people/saml')
const samlProtocol = of('areas/people/access-and-people/saml/saml.server.ts', 'areas/people/access-and-people/saml')
const saml = of('areas/people/access-and-people/saml/way.server.ts', 'areas/people/access-and-people/saml')
const directory = of('areas/people/access-and-people/scim/directory.server.ts', 'areas/people/access-and-people/scim')
const directoryPeople = of(
  'areas/people/access-and-people/scim/people.server.ts',
  'areas/people/access-and-people/scim',
)
const directoryGroups = of(
  'areas/people/access-and-people/scim/groups.server.ts',
  'areas/people/access-and-people/scim',
)
const identity = of(
  'areas/people/access-and-people/provider/identity.rules.ts',
  'areas/people/access-and-people/provider',
)
const passkey = of(
  'areas/people/access-and-people/passkeys/passkey.rules.ts',
  'areas/people/access-and-people/passkeys',
)
const ceremony = of(
  'areas/people/access-and-people/passkeys/ceremony.server.ts',
  'areas/people/access-and-people/passkeys',
)
const share = of('areas/records/students/shares/share.rules.ts', 'areas/records/students/shares')
const sharing = of('areas/records/students/shares/share.server.ts', 'areas/records/students/shares')
const shown = of('areas/records/students/shares/shown.server.ts', 'areas/records/students/shares')
const ownAddress = of('areas/records/students/own/address.server.ts', 'areas/records/students/own/address.test.ts')
const ownSection = of('areas/records/students/sections/section.server.ts', 'areas/records/students/own/address.test.ts')
const lists = of('kit/server/resource/list.ts', 'areas/records/students/student/search.test.ts')
const sharedLink = of('areas/records/students/shares/links.server.ts', 'areas/records/students/shares')
const totp = of(
  'areas/people/access-and-people/second-factor/totp.server.ts',
  'areas/people/access-and-people/second-factor',
)
const factors = of(
  'areas/people/access-and-people/second-factor/factors.server.ts',
  'areas/people/access-and-people/second-factor',
)
const secondFactor = of(
  'areas/people/access-and-people/second-factor/second-factor.server.ts',
  'areas/people/access-and-people/second-factor',
)
const delegation = of(
  'areas/people/access-and-people/delegations/delegation.rules.ts',
  'areas/people/access-and-people/delegations',
)
const grants = of('areas/people/access-and-people/rights/grants.rules.ts', 'areas/people/access-and-people/rights')
const knownReach = of('access/rights.server.ts', 'tests/every-reach.test.ts')
const roleRules = of('areas/people/access-and-people/roles/role.rules.ts', 'areas/people/access-and-people/rights')
const proof = of('kit/server/http/app.ts', 'areas/people/access-and-people/second-factor')
const sessionEnds = of('kit/server/identity/sessions.ts', 'areas/people/access-and-people/sign-in/sign-in.test.ts')
const accesses = of('areas/people/access-and-people/rights/access.server.ts', 'areas/people/access-and-people/rights')
const roles = of('areas/people/access-and-people/roles/role.server.ts', 'areas/people/access-and-people/rights')
const reviews = of('areas/people/access-and-people/reviews/review.server.ts', 'areas/people/access-and-people/reviews')
const lookers = of('areas/people/access-and-people/lookers/lookers.server.ts', 'areas/people/access-and-people/reviews')
const supers = of('db/functions/people/keep_a_super_admin.sql', 'areas/people/access-and-people/rights')
const invite = of(
  'areas/people/access-and-people/sign-in/invite.server.ts',
  'areas/people/access-and-people/sign-in/invite.test.ts',
)
const signIn = of(
  'areas/people/access-and-people/sign-in/sign-in.server.ts',
  'areas/people/access-and-people/sign-in/sign-in.test.ts',
)
const passwords = of(
  'areas/people/access-and-people/sign-in/passwords.server.ts',
  'areas/people/access-and-people/sign-in/sign-in.test.ts',
)
const step = of('kit/contract/workflow.ts', 'kit/server/workflow/workflow.test.ts')
const workflow = (file: string) => of(`kit/server/workflow/${file}`, 'kit/server/workflow/workflow.test.ts')
const asked = 'kit/server/workflow/requests.test.ts'
const stepwise = of('kit/contract/request.ts', asked)
const roads = of('kit/contract/workflow.ts', asked)
const inboxes = (file: string) => of(`kit/server/workflow/${file}`, asked)
const asking = of('kit/server/workflow/requests.ts', asked)
const feeing = of('kit/server/workflow/fees.ts', asked)
const heard = of('kit/server/base/hears.ts', 'kit/server/base/hears.test.ts')
const charged = of('areas/money/invoices/requests/fee.server.ts', 'areas/money/invoices/requests')
const unit = of('kit/server/unit/unit.ts', 'kit/server/unit/unit.test.ts')
const undo = of('kit/server/unit/undo.ts', 'kit/server/unit/undo.test.ts')
const texts = of('kit/web/i18n/catalogue.ts', 'kit/web/i18n/i18n.test.ts')
const changes = of('kit/web/form/changes.ts', 'kit/web/form/changes.test.ts')

/** The list grows with the rules: before an area is called done, ten of its rules stand here. */
const refunds = (file: string) =>
  of(`areas/money/transactions/${file}`, 'areas/money/transactions/refunds/refunds.test.ts')
const misuse = (file: string) => of(`areas/money/transactions/${file}`, 'areas/money/transactions/moves/misuse.test.ts')
const callbacks = (file: string) =>
  of(`areas/money/transactions/${file}`, 'areas/money/transactions/providers/callbacks.test.ts')

export const MUTATIONS: readonly Mutation[] = [
  workRules('a list has one of the university', 'else if (inside === 0)', 'else if (inside < 0)'),
  workRules('one member is the corresponding one', 'if (corresponding > 1)', 'if (corresponding > 2)'),
  workRules(
    'an ORCID iD has its check digit',
    "return digits[15] === (check === 10 ? 'X' : String(check)) ?",
    'return digits[15] !== undefined ?',
  ),
  workRules('an ISSN has its check digit', 'return sum % 11 === 0 ? `', 'return sum >= 0 ? `'),
  workRules('a month has the day', 'else if (Number(work.day) >', 'else if (Number(work.day) > 31 +'),
  doubleRules('two DOIs are two works', 'if (a.work.doi !== null && b.work.doi !== null) return null', ''),
  doubleRules('nobody in common: two works', 'if (!unnamed && shared === 0) return null', ''),
  doubleRules('years apart: two works', 'if (years !== null && years > 1) return null', ''),
  doubleRules('parts of a series are two', ' && numbers(one) === numbers(other)', ''),
  keptApart(
    'two stay two when one is merged into a third',
    'from publication_doubles d cross join lateral',
    'from (select * from publication_doubles where false) d cross join lateral',
  ),
  fetchFor(
    'for somebody else fetches who keeps the record',
    "if (!rows.length) throw refuse(404, 'not_found')\n  return asked",
    'return asked',
  ),
  brokenEntry('what has no brace is named', 'if (at >= 0 && named)', 'if (at < 0 && named)'),
  brokenEntry(
    'a quotation mark that is not closed is told',
    '/^Unterminated quote-value/',
    '/^Unterminated quote-nothing/',
  ),
  foundTheses(
    'the article is no part of what is sought',
    "const bare = word.replace(ARTICLE, '')",
    'const bare = word',
  ),
  foundTheses(
    'joined letters are no part of what is sought',
    "const less = word.replace(JOINED, '')",
    'const less = word',
  ),
  examinerMail('what was called off is not told as if it stood', ' || of.off !== off', ''),
  examinerMail('a calendar puts the later time in place of the earlier', 'sequence: of.sequence,', 'sequence: 0,'),
  packLimit('a pack is one that every program reads', 'if (bytes > LARGEST)', 'if (bytes > 2 * LARGEST)'),
  fetchRules('an answer is about the DOI that was asked for', "if (doi !== asked) return 'other'", ''),
  claimRules(
    'what one has claimed no other claims',
    'if (holder && holder.id !== person)',
    'if (holder && holder.id < 0)',
  ),
  projectRules(
    'a correction is at most what was spent',
    '-spending.amount > line.spent',
    '-spending.amount > line.amount',
  ),
  projectRules('all milestones are done at the end', '(open_milestones > 0 ?', '(open_milestones > 9 ?'),
  specGaps('weights sum to the whole', 'assessments.length && sum === WHOLE', 'assessments.length && sum <= WHOLE'),
  specGaps(
    'an outcome that no topic teaches stands against approval',
    "[blocks('spec_outcome_not_taught', { code })]",
    "[told('spec_outcome_not_taught', { code })]",
  ),
  specGaps('an outcome assessed once is told', 'assessed.get(id) === 1', 'assessed.get(id) === 0'),
  specPart(
    'what belongs to another kind is refused',
    'given[field] !== undefined && !known.has(field)',
    'given[field] === null && !known.has(field)',
  ),
  specPart('what a kind needs is not taken away', 'given[field] === null || (fresh', '(fresh'),
  specGaps('nobody decides on what he or she submitted', "mine ? [{ code: 'specification_own' }] : []", '[]'),
  specServer('spec/reach.server.ts')(
    'heads reach their own department',
    'hd.head_id = ${instructor}',
    'hd.head_id is not null',
  ),
  specServer('parts/parts.server.ts')(
    'parts are changed within reach',
    "${scopeCondition(ctx, 'edit_specification', specificationReach(ctx))} for no key",
    'true for no key',
  ),
  specServer('spec/specification.server.ts')(
    'one version at a time is worked on',
    "if (open) throw refuse(409, 'specification_open')",
    '',
  ),
  specServer('matrix/matrix.server.ts')('cells join what belongs together', 'if (!rows.length) return false', ''),
  specServer('matrix/facts.server.ts')(
    'shares of a mark scheme are of its own sum',
    '100 * om.max / sum(om.max) over ()',
    'om.max',
  ),
  specFunction(
    'parts stay while nobody works on it',
    "status_now not in ('draft', 'sent_back')",
    "status_now = 'none'",
  ),
  roomRules('hours may be parts', 'Math.max(from, hour * 60)', 'hour * 60'),
  roomRules('rooms under a share are told, not at it', '?? 0) < share', '?? 0) <= share + 50'),
  roomRules('a day of rest without meetings is not shown', 'count > 0 && !rest.includes(day)', 'count > 0'),
  roomUse('what was cancelled is taken out', 'k.days - coalesce(c.days, 0) as days', 'k.days as days'),
  roomUse('exam weeks of a level are of that level', 'w.level is null or w.level = ${level}', 'true'),
  returnCells('cell.rules.ts')(
    'a cell holds one figure and nothing else',
    "if (inner === undefined) return mistake('broken', { text })",
    '',
  ),
  returnCells('cell.rules.ts')('a filter stands once', 'if (filters.some((one) => one.by === by))', 'if (false)'),
  returnCells('cell.rules.ts')(
    'the beginning of one word alone',
    'begun.length === 1 ? begun[0]',
    'begun.length ? begun[0]',
  ),
  returnCells('finding.rules.ts')(
    'sums are of the same sheet',
    'other.sheet === sheet && other !== one',
    'other !== one',
  ),
  returnCells('finding.rules.ts')(
    'changes count in both directions',
    'Math.abs(percent) > threshold',
    'percent > threshold',
  ),
  returnCells('finding.rules.ts')('open findings hold a return up', 'open > 0', 'open > 99'),
  returnParts('filed/fill.server.ts')(
    'who fills saw what is there',
    "if (version !== undefined && version !== held.version) throw refuse(409, 'return_changed')",
    '',
  ),
  // That what was checked is not filled is said twice: here, and by the database.
  returnParts('filed/fill.server.ts')(
    'what is compared with was sent',
    "b.status = 'filed' and b.removed_at is null and y.start_date < own.start_date",
    'b.removed_at is null and y.start_date < own.start_date',
  ),
  returnParts('templates/template.server.ts')(
    'who sets a cell saw its edition',
    'edition?.id !== edition_id',
    'edition === null',
  ),
  risks('few meetings say nothing', 'if (recorded < MEETINGS) return null', 'if (recorded < 1) return null'),
  risks('of one kind the heaviest counts', 'points > (heaviest.get(kind)?.points ?? 0)', '!heaviest.has(kind)'),
  risks('the level follows the points', "points >= limits.high ? 'high'", "points > limits.high ? 'high'"),
  risks(
    'marks that are not out are not told',
    'below: marks.own_below, of: marks.own_of',
    'below: marks.below, of: marks.of',
  ),
  risks('the model is not told to a student', 'probability: null,\n  }', 'probability: facts.probability,\n  }'),
  risks('figures that are held back are not told', 'record: record.told', 'record: record.told || record.gpa !== null'),
  warnings('risks/risk.server.ts')(
    'who teaches a course sees nothing of it',
    'const { taught: _taught, own: _own, ...reach } = studentReach',
    'const { taught: _taught, advised: _own, ...reach } = studentReach',
  ),
  warnings('risks/risk.server.ts')(
    'switched off, nothing is shown',
    "if (!(await warningSettings(db)).on) throw refuse(409, 'early_warning_off')",
    '',
  ),
  warnings('risks/contact.server.ts')(
    'who changes saw what is there',
    'if (found.version !== body.version) throw',
    'if (found.version < body.version) throw',
  ),
  warnings('risks/count.server.ts')(
    'a rule that is switched off says nothing',
    'r.is_active and r.removed_at is null',
    'r.removed_at is null',
  ),
  warnings('risks/own.server.ts')('a university may not show it', 'if (!own) return', 'if (own === undefined) return'),
  warnings('past/model.server.ts')('too little past is refused', 'if (hard < NEEDED ||', 'if (hard < -1 &&'),
  warningModel('measure.rules.ts')('no class is forgotten', 'logs[k] = one\n', 'logs[k] = one * 0\n'),
  warningModel('table.rules.ts')(
    'ids are not learned from',
    'if (ID_NAME.test(name) && share > 0.5) return true',
    'if (ID_NAME.test(name) && share > 2) return true',
  ),
  rotations('judge.rules.ts')(
    'a block is in one piece',
    'own.length !== 1 || own[0]!.length !== trainee.lengths[b]',
    'own.length < 1',
  ),
  rotations('judge.rules.ts')('nothing in a period of leave', 'away && row[p] !== NOWHERE', 'away && p < 0'),
  rotations('judge.rules.ts')('no more trainees than places', '({ over }) => over > 0', '({ over }) => over > 1'),
  rotations('judge.rules.ts')(
    'what is fixed begins there',
    'one.department === department && one.start === start',
    'one.department === department',
  ),
  rotations('row.rules.ts')('blocks side by side are two', 'if (!twins) return cost', 'return cost'),
  rotations('bound.rules.ts')(
    'a department lacks places',
    "if (needed > places) reasons.push({ why: 'department'",
    "if (needed > places + 1) reasons.push({ why: 'department'",
  ),
  rotations('search.rules.ts')('a repair counts what moves', 'before ? 100 : 0', 'before ? 0.01 : 0'),
  rotations('search.rules.ts')('who comes late is laid by a repair', '|| lacks.has(t)) return [t]', ') return [t]'),
  rotations('year.rules.ts')('who was accepted last loses first', 'b.id - a.id', 'a.id - b.id'),
  rotations('search.rules.ts')('what is lost moves first', 'lost[t]?.[p] ? LOST : d', 'lost[t]?.[p] ? d : d'),
  rotations('year.rules.ts')(
    'periods that have begun have no places',
    'if (places && periodStart(year, p) >= year.today)',
    'if (places)',
  ),
  rotations('year.rules.ts')('what has begun stays', 'one.starts_on > year.today &&\n    one.outcome', 'one.outcome'),
  rotations('year.rules.ts')('what is locked stays', '!one.is_locked &&', ''),
  rotations('year.rules.ts')(
    'nothing before joining',
    'if (periodStart(year, p) < first)',
    'if (periodStart(year, p) < year.today)',
  ),
  rotations('year.rules.ts')(
    'leave beyond what is allowed',
    'if (sum <= year.leave_days) break',
    'if (sum <= year.leave_days + 9) break',
  ),
  rotations('year.rules.ts')(
    'a training that is withdrawn has no places',
    'withdrawn_from <= day',
    'withdrawn_from < day',
  ),
  rotations('hospitals.rules.ts')(
    'a place is there in all periods',
    'if (left[p]! <= 0) return false',
    'if (left[p]! < 0) return false',
  ),
  rotations('hospitals.rules.ts')('others make room', 'const DEEP = 4', 'const DEEP = 0'),
  rotations('hospitals.rules.ts')('with whom one would be', 'together: 1.5', 'together: 0'),
  rotations('plan.rules.ts')('who joined since is told', '!before.has(id)', 'before.size < 0'),
  rotations('plan.rules.ts')('places that are gone are told', 'if (needed > places)', 'if (needed > places + 5)'),
  rotations('plan.rules.ts')('what is the same stays', 'same?.is_makeup !== one.is_makeup', 'true'),
  rotations('take.server.ts')('interns are told', 'if (!changed.length) return', 'if (changed.length) return'),
  logbookEntries('entry.rules.ts')(
    'an entry is of the course of its rotation',
    'rotation.course_id !== type.course_id',
    'rotation.course_id === 0',
  ),
  logbookEntries('entry.rules.ts')('nothing lies ahead', 'if (at > allowed)', 'if (at > allowed + 86_400_000)'),
  logbookEntries('entry.rules.ts')(
    'an entry lies in its rotation',
    'const ROTATION_DAYS = 1',
    'const ROTATION_DAYS = 30',
  ),
  logbookEntries('entry.rules.ts')(
    'what was confirmed is not changed',
    "if (stored.status === 'confirmed')",
    "if (stored.status === 'none')",
  ),
  logbookEntries('entry.rules.ts')(
    'what comes late changes nothing',
    'if (revision < stored.revision)',
    'if (revision < 0)',
  ),
  logbookEntries('entry.rules.ts')(
    'only who was there confirms',
    'of.on_duty\n    ? []',
    'of.on_duty || of.day\n    ? []',
  ),
  logbookEntries('patient.rules.ts')(
    'a name after a title is told',
    'if (!NO_NAME.test(hit[2]!)) say(hit[0])',
    'if (NO_NAME.test(hit[2]!)) say(hit[0])',
  ),
  logbookEntries('patient.rules.ts')(
    'a national id is told',
    '/^[23]\\d{13}$/.test(digits)',
    '/^[9]\\d{13}$/.test(digits)',
  ),
  logbookSync(
    'an entry is stored once',
    'if (there) {\n    const same',
    'if (there && there.own === null) {\n    const same',
  ),
  logbookSync('who was not on duty does not confirm by PIN', 'if (!of.on_duty)', 'if (of.on_duty === null)'),
  duties('draw.rules.ts')(
    'nobody has two duties without rest',
    'a.from < b.to + REST_MINUTES && b.from < a.to + REST_MINUTES',
    'a.from < b.to && b.from < a.to',
  ),
  dutyGiving('who cannot take a duty is not given it', 'if (reasons.length) throw new Refusal(409, reasons)', ''),
  dutyGiving('swaps that wanted it end', "set status = 'cancelled'", "set status = 'requested'"),
  dutyGiving(
    'the first of two who give it is not overwritten',
    'if (version !== undefined &&',
    'if (version === undefined &&',
  ),
  duties('judge.rules.ts')('the judge counts the rest', 'if (hours < REST_HOURS)', 'if (hours < 0)'),
  duties('judge.rules.ts')('the judge sees leave', 'if (one.on_leave)', 'if (one.on_leave && !one.there && !one.day)'),
  attained('attainment.rules.ts')('enough students reach it', 'measured.share >= target', 'measured.mean >= target'),
  attained('attainment.server.ts')(
    'results count from the approval on',
    "o.control_status in ('Approved', 'Published', 'Frozen')",
    'true',
  ),
  attained('attainment.server.ts')(
    'assessments are weighted',
    'p.weight, p.weight * k.part as worth',
    '1, k.part as worth',
  ),
  attainedBy('attainment/attainment.server.ts')(
    'questions that do not sum to the mark count for nothing',
    'w.answers = w.questions and w.mark = h.mark',
    'w.answers = w.questions',
  ),
  attainedBy('attainment/attainment.server.ts')(
    'a component counts as a whole or by question, never twice',
    'where not k.by_question',
    'where true',
  ),
  attainedBy('questions/question.server.ts')(
    'nothing moves once the offering is frozen',
    "if (found.offering.frozen) throw refuse(409, 'question_marks_frozen')",
    '',
  ),
  attainedBy('questions/question.server.ts')(
    'what somebody else entered meanwhile stays',
    'm.version is not distinct from i.seen as fresh',
    'true as fresh',
  ),
  attainedBy('questions/question.rules.ts')('a question with marks stays', 'marked > 0)', 'marked > 1000)'),
  attainedBy('questions/question.rules.ts')(
    'a question gives no less than somebody has',
    'hundredths(was.highest) > hundredths(max)',
    'false',
  ),
  questionnaires('outsiders/outsider.rules.ts', 'outsiders/outsider.rules')(
    'an address stands on the list once',
    'else if (first !== null)',
    'else if (first === 0)',
  ),
  questionnaires('outsiders/outsider.server.ts', 'outsiders/outsider')(
    'a corrected address gets a link of its own',
    'if (held.asked && held.email !== body.email) {',
    'if (held.asked && held.email === body.email) {',
  ),
  questionnaires('outsiders/outsider.server.ts', 'outsiders/outsider')(
    'who has answered stays on the list as he or she was written to',
    '...(held.answered ? [',
    '...(held.answered && held.asked === null ? [',
  ),
  questionnaires('inviting/invite.server.ts', 'outsiders/outsider')(
    'who wants no mails gets no first one',
    'and g.email is not null and not g.email = any(${refused}::text[])\n      order by g.student_id',
    'and g.email is not null\n      order by g.student_id',
  ),
  questionnaires('inviting/refusal.server.ts', 'outsiders/outsider')(
    'nobody refuses for somebody else',
    'return given.length === right.length && timingSafeEqual(given, right) ? plain : null',
    'return plain',
  ),
  questionnaires('counting/count.server.ts', 'questionnaires')(
    'who dropped the course after answering is among those asked',
    'join questionnaire_sets s on s.id = p.set_id where s.questionnaire_id = ${id})',
    'join questionnaire_sets s on s.id = p.set_id where s.questionnaire_id = ${id} and false)',
  ),
  questionnaires('types/question.server.ts', 'trouble', 'questionnaires')(
    'a question on which a condition stands is not removed',
    "if (found) throw refuse(409, 'question_condition_stands', { ...found })",
    '',
  ),
  questionnaires('results/results.server.ts', 'questionnaires')(
    'who teaches waits for the marks, also as a quality officer',
    "(o.control_status in ('Published', 'Frozen') and ${ofOwn(ctx)})",
    '(${ofOwn(ctx)})',
  ),
  questionnaires('results/mask.rules.ts', 'results/stats.rules')(
    'names of those who teach are masked',
    'within.some((one) => parts.has(one)) ? MASK : word',
    'within.some((one) => parts.has(one) && false) ? MASK : word',
  ),
  of('db/functions/quality/guard_questionnaire_answer.sql', 'areas/quality/questionnaires')(
    'no answer is taken by what is not open',
    "and q.status = 'open' and q.removed_at is null",
    'and q.removed_at is null',
  ),
  courseFileParts('areas/quality/course-files/files/check.server.ts')(
    'a file that is gone from the archive is told as gone',
    "when e.removed_at is not null then 'gone'",
    "when e.removed_at is not null then 'same'",
  ),
  attainedBy('questions/question.rules.ts')(
    'a question measures outcomes that the specification has',
    "reasons.push({ field: field('outcomes'), code: 'question_outcome_unknown', data: { code } })",
    'void field',
  ),
  of('areas/office/reports/own/mail.server.ts', 'areas/office/reports/own/trouble.test.ts')(
    'an hour that the clock skips is past',
    's.next_on + make_interval(hours => s.hour) <= now() at time zone university_zone()',
    's.next_on = university_today() and s.hour = extract(hour from now() at time zone university_zone())',
  ),
  of('areas/office/reports/own/order.rules.ts', 'areas/office/reports/own/trouble.test.ts')(
    'hundreds of columns are cut',
    'Math.floor(MOST_FIGURES / figures)',
    'Math.floor((10 * MOST_FIGURES) / figures)',
  ),
  of('areas/office/reports/figures/subject.server.ts', 'areas/office/reports/figures/figures.test.ts')(
    'who is in two programs is one person',
    'sql`coalesce(s.user_id, -s.id)`',
    'sql`-s.id`',
  ),
  questionnaires('outsiders/sheet.server.ts', 'outsiders/outsider')(
    'a closed list keeps whom it asked, also when an import is taken back',
    'before: async (ctx, tx, { facts }) => void (await openListOf(ctx, tx, Number(facts.questionnaire_id))),',
    '',
  ),
  questionnaires('outsiders/sheet.server.ts', 'outsiders/outsider')(
    'who was written to is told as that when an import is taken back',
    "held: { questionnaire_invitations: 'questionnaire_outsider_asked' },",
    '',
  ),
  questionnaires('inviting/refusal.server.ts', 'inviting/refusal')(
    'what is kept of an address that wants no mails is under the key',
    'values (${keyed(seal, plain)}, ${seal',
    'values (${plain}, ${seal',
  ),
  questionnaires('inviting/refusal.server.ts', 'inviting/refusal')(
    'who refused before there was a key is not written to',
    "[...seal.digests(plain.toString('hex')), plain]",
    "seal.digests(plain.toString('hex'))",
  ),
  questionnaires('inviting/refusal.server.ts', 'inviting/refusal')(
    'a changed key forgets no refusal',
    'if (sealed && !seal.isOfBefore(sealed, ABOUT)) continue',
    'if (sealed) continue',
  ),
  questionnaires('inviting/refusal.server.ts', 'inviting/refusal')(
    'who wants mails again gets them, also while the refusal is brought under the key',
    'await sql`select from questionnaire_refusals where ${mine} for update`.execute(tx)',
    '',
  ),
  questionnaires('types/question.rules.ts', 'types/question.rules')(
    'a section does not pass the question on which it stands',
    'all.has(condition_id) && !before.has(condition_id)',
    'false',
  ),
  attained('attainment.server.ts')('of those who began together', 'r.cohort_id = ${cohort_id}', 'true'),
  domains('what students say is told once marks are published', "o.control_status in ('Published', 'Frozen')", 'true'),
  domains('what is said is counted', 'q.counted_on is not null and', ''),
  domains('of what is about the course, not its instructors', 'and x.instructor_id is null', ''),
  domains('four of five points are 75 percent', '100 * (c.point::int - 1)', '100 * c.point::int'),
  of('db/functions/quality/of_graduation_year.sql', 'areas/quality/questionnaires/inviting')(
    'graduates of the year alone',
    'd.decided_on between y.start_date and y.end_date',
    'd.decided_on <= y.end_date',
  ),
  attained('finding.server.ts')('whoever acted does not judge it', 'i.user_id = any(${people}))`', 'i.user_id = -1)`'),
  attained('finding.server.ts')(
    'it is seen again in a later year',
    'y.start_date > b.start_date',
    'y.start_date >= b.start_date',
  ),
  // Attendance
  attended('codes/code.rules.ts')(
    'a code is too old a few seconds after the next one',
    'seconds < (step + 1) * CODE_STEP + CODE_GRACE',
    'seconds >= 0',
  ),
  attended('codes/code.rules.ts')(
    'who sits in another group does not count',
    "facts.seat === 'offering' ?",
    "facts.seat === 'none' ?",
  ),
  attended('codes/code.rules.ts')(
    'a made-up code tells nothing',
    "facts.open ? !facts.genuine : facts.seat === 'none'",
    "!facts.open && facts.seat === 'none'",
  ),
  attended('absences/absence.rules.ts')('a limit is passed when it is reached', 'share >= limit', 'share > limit'),
  attended('absences/absence.rules.ts')(
    'what was decided is not decided again by counting',
    "state === 'banned' || state === 'waived'",
    "state === 'banned'",
  ),
  attended('meetings/occurrences.rules.ts')(
    'nothing is recorded before the date',
    'facts.date > facts.today ?',
    "facts.date > '9999' ?",
  ),
  attended('excuses/excuse.rules.ts')(
    'an excuse changes nothing where control has the marks',
    'submitted && state !== null',
    'submitted && state === null',
  ),
  attended('excuses/excuse.server.ts')(
    'who does not reach a student hears nothing of what the student asked',
    '  if (!found) {\n    const { rows: known }',
    '  if (found === null) {\n    const { rows: known }',
  ),
  // Registration: states
  status(
    'a withdrawn registration keeps its seat',
    'Withdrawn: true,\n  ForcedWithdrawn: true,',
    'Withdrawn: false,\n  ForcedWithdrawn: true,',
  ),
  status('a dropped one gives it back', 'Dropped: false,', 'Dropped: true,'),
  status(
    'an excuse is granted by the registrar alone',
    "row('ExcuseRequest', 'accept', ['registrar']",
    "row('ExcuseRequest', 'accept', advisers",
  ),
  status(
    'an add request is accepted in its window only',
    "row('AddRequest', 'accept', advisers, 'add_drop'",
    "row('AddRequest', 'accept', advisers, null",
  ),
  status(
    'what was withdrawn does not weigh on the load',
    "['Dropped', 'Withdrawn', 'ForcedWithdrawn', 'Excused'].includes",
    "['Dropped', 'ForcedWithdrawn', 'Excused'].includes",
  ),
  status(
    'passed once, a further attempt improves',
    "if (earlier.includes('passed')) return 'Improve'",
    "if (earlier.at(-1) === 'passed') return 'Improve'",
  ),
  // Registration: what a request must hold
  request(
    'a stage is closed at its last instant',
    'Date.parse(from) <= now && now < Date.parse(to)',
    'Date.parse(from) <= now && now <= Date.parse(to)',
  ),
  request(
    'equal courses count as registered already',
    'same.has(one.course_id))) refuse',
    'course.id === one.course_id)) refuse',
  ),
  request(
    'improvements are limited',
    'student.improvements >= max_improvements',
    'student.improvements > max_improvements',
  ),
  request('repeats are limited', 'course.failed_attempts > max_repeats', 'course.failed_attempts > max_repeats + 1'),
  request('hours of the term are limited', 'if (hours > load.max_ch * 100)', 'if (hours > load.max_ch * 100 + 100)'),
  request('courses of the term are limited', 'const courses = weights.length + 1', 'const courses = weights.length'),
  request(
    'meetings that touch do not clash',
    'one.day === other.day && one.from < other.to',
    'one.day === other.day && one.from <= other.to',
  ),
  request('an invoice is overdue after its day', 'invoice.due_date < input.today', 'invoice.due_date <= input.today'),
  request('a blocked student asks for nothing', "if (student.blocked) refuse('hold_blocked')", ''),
  request('seats held for the queue are not free for others', '- slot.taken - slot.held)', '- slot.taken)'),
  request(
    'over-quota is for staff',
    "const staff = who === 'advisor' || who === 'registrar'",
    "const staff = who !== 'system'",
  ),
  request('a full slot is never overridden', "  'hold_documents',\n])", "  'hold_documents',\n  'slot_full',\n])"),
  request(
    'an override without a reason does nothing',
    "else if (text === '') rejected",
    "else if (text === 'never') rejected",
  ),
  // Registration: through HTTP
  change(
    'returning is for who may undo',
    "undo: ['undo_registration'],",
    "undo: ['undo_registration', 'accept_registration'],",
  ),
  decided('areas/enrolment/registration/changes/owners.server.ts')(
    'a state that was decided is taken back with its decision',
    "one.stands && next === 'Registered'",
    "one.stands && next === 'Dropped'",
  ),
  decided('areas/enrolment/registration/changes/owners.server.ts')(
    'whose step it is not hears whose it is',
    "['not_found', 'not_allowed', 'step_permission', 'step_own']",
    "['not_found', 'not_allowed', 'step_own']",
  ),
  decided('db/functions/records/registration_with_its_case.sql')(
    'the database keeps a registration from a state without its decision',
    'if became <> 0 and not',
    'if became < 0 and not',
  ),
  decided('db/functions/records/registration_with_its_case.sql')(
    'the database keeps a registration in its state while the decision stands',
    'not in (0, became) and registration_case_stands',
    'not in (0, became, decided_state(old.status)) and registration_case_stands',
  ),
  of('areas/enrolment/registration/changes/exempt.rules.ts', 'areas/enrolment/registration/changes/change.test.ts')(
    'nobody is exempted from what was passed already',
    "  'already_passed',\n",
    '',
  ),
  change(
    'an exemption that is taken back gives the seat back to who had it',
    "gone ? 'keep' : 'hold'",
    "gone ? 'keep' : 'keep'",
  ),
  attended('absences/case.server.ts')(
    'a ban whose absences still reach the limit stays',
    "one.level === 'ban' ? undefined",
    "one.level === 'none' ? undefined",
  ),
  of(
    'areas/enrolment/registration/changes/returns.server.ts',
    'areas/enrolment/registration/changes',
    'areas/records/grading/guard.http.test.ts',
  )('requests judged before a return are judged anew', '  await moveTurns(tx, returning)\n', ''),
  change(
    'what is corrected after the exam keeps its reason',
    "if (held.authority === 'correction' && !reason?.trim())",
    "if (held.authority === 'correction' && reason === '-')",
  ),
  change(
    'forcing a withdrawal has a key of its own',
    "force_withdraw: ['withdraw_registration'],",
    "force_withdraw: ['accept_registration'],",
  ),
  capacity(
    'who teaches a course registers nobody in it',
    "const { taught: _taught, ...reach } = studentReach(ctx, 's')",
    "const reach = studentReach(ctx, 's')",
  ),
  capacity('self-service is one’s own', 'ctx.actor.student_id === studentId &&', 'ctx.actor.student_id !== null &&'),
  preflights('preflight.rules.ts')(
    'what will be refused is judged when the window opens',
    'at: window && !window.open ? window.from : now,',
    'at: now,',
  ),
  of('db/migrations/0152_questionnaire_words.sql', 'areas/enrolment/registration/preflight')(
    'a hold that was lifted blocks nobody',
    'from student_holds h where h.lifted_at is null',
    'from student_holds h',
  ),
  preflights('notices.server.ts')(
    'nobody is told twice before registration',
    'on conflict do nothing returning student_id`',
    'on conflict (student_id, term_id) do update set told_at = now() returning student_id`',
  ),
  exchanged('requests/place.server.ts')(
    'a seat is judged without what is given up for it',
    'one.id === given?.id ? [] :',
    'one.id === given?.id ? one :',
  ),
  exchanged('requests/place.server.ts')(
    'what was agreed to is registered at once',
    "const agreed = entry.approved && given?.main === 'Registered'",
    'const agreed = false',
  ),
  exchanged('swap/swap.rules.ts')(
    'what is registered stays until the request for the other is accepted',
    "): boolean => main === 'Registered' && !same_course && gets !== 'Registered'",
    "): boolean => main === 'Registered' && !same_course && gets === 'Dropped'",
  ),
  exchanged('swap/swap.rules.ts')(
    'what control has is not given up when the request is accepted',
    "if (given.control_status !== 'Draft') return { refused: 'swap_control' }",
    '',
  ),
  exchanged('swap/swap.rules.ts')(
    'of two that are exchanged the heavier weighs',
    'lighter.add(given.credit_hours > one.credit_hours ? one : given)',
    'lighter.add(one)',
  ),
  exchanged('swap/swap.rules.ts')(
    'who only waits is not passed over by a set of several',
    'return kept.filter(({ id }) => !only.has(id))',
    'return kept',
  ),
  of('areas/enrolment/registration/changes/returns.server.ts', 'areas/enrolment/registration/swap')(
    'what is given up leaves with the acceptance',
    'return { ...decided, gives_up }',
    'return { ...decided }',
  ),
  of('areas/enrolment/registration/changes/returns.server.ts', 'areas/enrolment/registration/swap')(
    'a course that cannot stand alone is not left by an exchange that is accepted',
    '].map((one) => ({ ...one, id: of.get(one.id) ?? one.id }))',
    '].filter((one) => !of.has(one.id))',
  ),
  of('db/functions/enrolment/end_exchange_of_given.sql', 'areas/enrolment/registration/swap')(
    'a course that has left by another way is no longer exchanged',
    'delete from registration_exchanges where gives_up_id = new.id;',
    '',
  ),
  of('db/functions/enrolment/end_exchange_of_request.sql', 'areas/enrolment/registration/swap')(
    'a course and the one it is exchanged for are never registered together',
    'where x.registration_id = new.id and g.status & 29622272 <> 0) then',
    'where x.registration_id = new.id and false) then',
  ),
  attended('meetings/make-up.rules.ts')(
    'no room holds two',
    "say('make_up_room_taken', {",
    "void ('make_up_room_taken', {",
  ),
  attended('meetings/make-up.server.ts')(
    'no room is given away twice in one moment',
    "select pg_advisory_xact_lock(hashtextextended('make-up', ${wanted.on}::date - date '2000-01-01'))",
    'select 1',
  ),
  attended('meetings/make-up.server.ts')(
    'clashes are wanted with a reason alone',
    "if (insist && problems.length && !reason?.trim()) throw refuse(422, 'required', undefined, 'reason')",
    '',
  ),
  attended('meetings/occurrences.rules.ts')(
    'what is held on another day does not come back beside it',
    "...(facts.made_up ? [{ code: 'occurrence_made_up', data: { date: facts.date, on: facts.made_up } }] : []),",
    '',
  ),
  of('areas/study/scheduling/feeds/events.server.ts', 'areas/study/scheduling/calendar.test.ts')(
    'a day that is made up is a changed one of its series',
    'const except = place.except.filter((day) => !made.has(day))',
    'const except = place.except',
  ),
  exchanged('swap/exchange.server.ts')(
    'what is given up is given up',
    "r.id = x.registration_id and x.action = 'give_up' and x.to_status is null",
    "r.id = x.registration_id and x.action = 'none' and x.to_status is null",
  ),
  exchanged('swap/exchange.server.ts')(
    'a course that must not stand alone keeps the seat',
    'if (apart.length) throw new NotNow()',
    'if (apart.length > 99) throw new NotNow()',
  ),
  exchanged('swap/rings.server.ts')(
    'the first of a queue is not passed over by a ring',
    "return member === 'keeps' ? null : place",
    "if (member !== 'keeps') return place",
  ),
  exchanged('swap/swap.rules.ts')('what has marks is not exchanged', "if (given.graded) return { ends: 'graded' }", ''),
  waiting(
    'nobody waits where there is a seat',
    "if (!full.length && !given) throw refuse(409, 'wait_not_full'",
    "if (full.length > 99 && !given) throw refuse(409, 'wait_not_full'",
  ),
  waiting('every other rule holds for who waits', 'if (others.length)\n', 'if (others.length > 9)\n'),
  seats('functions/enrolment/take_seats.sql')(
    'a slot holds no more than its quota',
    's.taken + s.held > s.quota and not l.over as above',
    's.taken + s.held > s.quota + 1 and not l.over as above',
  ),
  seats('functions/enrolment/give_back_seats.sql')(
    'seats are given back',
    'set taken = s.taken - n.seats,',
    'set taken = s.taken - 0 * n.seats,',
  ),
  advising(
    'an advisor has a maximum',
    'advisor.advised < advisor.max_advised)',
    'advisor.advised <= advisor.max_advised)',
  ),
  advising('the own department comes first', 'const from = near.length ? near : open', 'const from = open'),
  // Catalogue
  bylaw('ranges leave no hole', "if (from > end) gap('range_hole'", "if (from > end + 100) gap('range_hole'"),
  bylaw(
    'points do not fall as percentages rise',
    'if (range.points < lower.points)',
    'if (range.points < lower.points - 400)',
  ),
  bylaw(
    'a warning narrows the load',
    'bylaw.warning.maximum > 0 && student.warnings > 0',
    'bylaw.warning.maximum > 0 && student.warnings > 1',
  ),
  bylaw(
    'who can graduate with what is beyond has it',
    'left > (max_ch + extra_hours) * 100',
    'left >= (max_ch + extra_hours) * 100',
  ),
  requisites(
    'all of a group are needed',
    'return only === undefined ? null : rest.length === 1 ? only : { all: rest }',
    'return rest.length < node.all.length ? null : only === undefined ? null : rest.length === 1 ? only : { all: rest }',
  ),
  of('areas/study/catalogue/bylaws/change-settings.server.ts', 'areas/study/catalogue/catalogue.test.ts')(
    'settings are changed within reach',
    "and ${scopeCondition(ctx, 'edit_bylaw_settings', bylawScope)} for update",
    'for update',
  ),
  of('areas/study/catalogue/bylaws/change-settings.server.ts', 'areas/study/catalogue/catalogue.test.ts')(
    'an entry of another bylaw is not taken',
    '!ids.delete(entry.id)',
    'entry.id < 0',
  ),
  bylaws('a bylaw is reached by itself', 'bylaw: () => sql`t.id`', 'bylaw: () => sql`t.faculty_id`'),
  bylaws(
    'a bylaw with students stays in its faculty',
    'if (firstRow(rows).count) throw',
    'if (firstRow(rows).count > 99) throw',
  ),
  // Offerings
  meetings(
    'a meeting with students keeps its type',
    'if (old.type !== slot.type || old.group !== slot.group)',
    'if (old.group !== slot.group)',
  ),
  weekMoved('board/move.rules.ts')(
    'a room is never shared',
    'other.location_id === room.id)',
    'other.location_id === -room.id)',
  ),
  weekMoved('board/move.server.ts')(
    'who comes late is told',
    'version !== held.version)',
    'version > held.version + 99)',
  ),
  weekMoved('board/told.server.ts')('of several moves one is told once', 'count === 1', 'count > 0'),
  weekMoved('feeds/feed.server.ts')(
    'an address that is revoked is dead',
    'where f.token_hash = $1 and f.revoked_at is null`',
    'where f.token_hash = $1`',
  ),
  weekMoved('feeds/events.server.ts')(
    'a holiday is no lecture in a calendar',
    'except: except.filter((day) => first < day && day < last)',
    'except: []',
  ),
  meetings('a room holds the seats', 'seats > room.capacity && !sameRoom', 'seats > room.capacity * 2 && !sameRoom'),
  meetings('an instructor is in one place', 'if (elsewhere)\n', 'if (elsewhere && index < 0)\n'),
  meetings('a meeting with students cannot go', 'if (s.taken > 0) found.push', 'if (s.taken > 1) found.push'),
  team('linked offerings are of one term', 'if (one.term_id !== root.term_id)', 'if (one.term_id === -1)'),
  team(
    'an offering with seats taken is not linked',
    'if (taken && id !== root_id)',
    'if (taken > 99 && id !== root_id)',
  ),
  reach(
    'a meeting’s instructor teaches the offering',
    'where si.instructor_id = ${instructor_id} and',
    'where si.instructor_id = ${instructor_id} and false and',
  ),
  reach('an offering is reached by its department', "department: o('department_id')", "department: o('faculty_id')"),
  next('a meeting that has ended is not the next', 'm.end > now.time', 'm.start > "00:00"'),
  // Grading
  flow('marks are published by the head', "permission: 'publish_control',", "permission: 'review_control',"),
  control(
    'students are finished from Approved on',
    "statusReached(status, 'Approved')",
    "statusReached(status, 'Reviewed')",
  ),
  signing(
    'a cell that differs from what was signed is told',
    'if (before !== now) tell',
    'if (before !== now && now === null) tell',
  ),
  signing(
    'a link without the seal of the program is told',
    "if (sealed && !right) tell({ kind: 'seal', ...about })",
    '',
  ),
  signing(
    'an end that was noted must stand in the chain',
    'if (noted && noted.number > (last?.number ?? 0))',
    'if (noted && noted.number < 0)',
  ),
  sealed(
    'a lawful change signs nothing beside it on the same sheet',
    '!again || !touched || touched.has(id)',
    '!again || !touched || true',
  ),
  found(
    'a link holds the records that it was sealed with',
    'if ((records.length ? recordsHash(records) : null) !== records_hash)',
    'if (records.length < 0)',
  ),
  found(
    'the course of a registration is that of its offering',
    'where r.course_id <> o.course_id and o.control_status',
    'where r.course_id < 0 and o.control_status',
  ),
  words(
    'what was approved keeps its words',
    'coalesce(its_words.code, the_course.code) as code',
    'the_course.code as code',
  ),
  frozenWords(
    'words of what is approved are not changed',
    "if tg_op = 'UPDATE' or (tg_op = 'INSERT'",
    "if (tg_op = 'INSERT'",
  ),
  signed('undoing an approval is a link', 'if (!one.signed && !one.was) continue', 'if (!one.signed) continue'),
  papersByBarcode(
    'who has seen the names marks nothing',
    'if (row.knows_names) return',
    'if (row.knows_names && row.may_mark === false) return',
  ),
  papersByBarcode(
    'who has marked a paper sees no names',
    'if (row.has_marked) throw refuse(403',
    'if (row.has_marked && !row.may_manage) throw refuse(403',
  ),
  paperChanges(
    'a barcode of one paper never goes to another',
    'and registration_id <> ${registration_id} limit 1`',
    'and registration_id = -1 limit 1`',
  ),
  paperChanges(
    'who asked for a change of a barcode does not confirm it',
    'no === null && own',
    'no === null && own && id < 0',
  ),
  paperChanges(
    'once marking began a change of a barcode waits for a second person',
    'if (!began) await move(tx, own, to)',
    'await move(tx, own, to)',
  ),
  papersByBarcode(
    'nobody reads what happened to barcodes before the names are open',
    "if (row.names !== 'opened') throw refuse(409, row.names === 'none'",
    "if (row.names === 'none') throw refuse(409, row.names === 'none'",
  ),
  paperMoves(
    'the database refuses a change of a barcode that nobody asked for',
    'if not fresh and asked.id is null then',
    'if false then',
  ),
  papersByBarcode(
    'a mark of who left is not taken',
    'one.mark !== null && takes(one)).map((one) => one.registration_id)',
    'one.mark !== null).map((one) => one.registration_id)',
  ),
  recheck(
    'nobody who gave the mark judges it',
    'people.some((one) => assessors.includes(one))',
    'people.every((one) => assessors.includes(one) && one < 0)',
  ),
  recheck(
    'who reviewed does not decide',
    'else if (one.people.includes(one.reviewed_by))',
    'else if (one.people.includes(-1))',
  ),
  recheck('a mark that moved meanwhile is not changed', 'if (one.mark !== one.old_mark)', 'if (one.mark === null)'),
  guard(
    'who must not write marks after submission',
    "kinds: ['state', 'seat', 'result'] },\n  load",
    "kinds: ['state', 'seat', 'result', 'mark'] },\n  load",
  ),
  guard(
    'in Draft control has no say',
    "if (status === 'Draft') return { authority: null }",
    "if (status === 'Submitted') return { authority: null }",
  ),
  grade(
    'a weak final fails whatever the total',
    'gradeFor(bylaw.grade_ranges, weakFinal ? 0 : total)',
    'gradeFor(bylaw.grade_ranges, total)',
  ),
  grade('absent in the final is Absent', "absent = mark === 'A'", "absent = mark === 'never'"),
  grade(
    'a repeated course earns at most its cap',
    "input.attempt === 'Repeat' ? max_grade",
    "input.attempt === 'Repeat' ? null",
  ),
  grade('a mark lies within its maximum', 'mark >= 0 && mark <= maximum', 'mark >= 0 && mark <= maximum + 1'),
  marks(
    'a scheme is changed by who reaches its bylaw',
    'if (current) await requireBylaw(ctx, tx, edit, bylawId(current))',
    '',
  ),
  marks('a category of another bylaw does not fit', 'category.bylaw_id === null ||', 'category.bylaw_id !== 0 ||'),
  // Students and staff
  studentsReach(
    'a department reaches the students of its programs',
    'select pr.department_id from programs pr',
    'select pr.faculty_id from programs pr',
  ),
  studentsReach(
    'an advisor reaches those advised',
    "advised: isId(s('advisor_id'), instructor_id)",
    "advised: sql`${s('advisor_id')} is distinct from ${instructor_id}::int`",
  ),
  students('who has registered stays on the bylaw', 'if (moves && !program.started) ({', 'if (moves) ({'),
  students(
    'a student with registrations is not removed',
    "if (rows.length) throw refuse(409, 'student_has_registrations')",
    "if (rows.length > 9) throw refuse(409, 'student_has_registrations')",
  ),
  standing('who is blocked is signed out', 'if (blocked && user_id) await', 'if (!blocked && user_id) await'),
  standing('blocking asks for a reason', 'if (blocked && !reason) throw', 'if (blocked && reason === "-") throw'),
  sections(
    'a student changes only the own sections',
    'OWN_SECTIONS.includes(details) && ctx.actor?.student_id === id',
    'ctx.actor?.student_id === id',
  ),
  rightsAbove(
    'nobody changes somebody with more rights',
    'if (!covers(actor.rights, await rightsOf(tx, user_id))) throw',
    'if (user_id < 0) throw',
  ),
  hijri('a month begins where its correction says', 'if (start <= day) return', 'if (start < day) return'),
  hijri('months have 29 or 30 days', 'days < 29 || days > 30', 'days < 28 || days > 31'),
  hijriMonths('a correction leaves a calendar', 'if (wrong) throw', 'if (wrong && false) throw'),
  names('names of several words stay together', 'if (before && (open ||', 'if (before && (false ||'),
  names(
    'a part follows only where it can be read in one way',
    'return found.length === 1 ? found[0]! : null',
    'return found[0] ?? null',
  ),
  nameCalls('names of somebody with more rights stay', "if (kind === 'user') await refuseMoreRights(ctx, tx, id)", ''),
  users('a person with a record is renamed in the record', 'if (rows.length)', 'if (rows.length > 9)'),
  users(
    'who reads no tags finds nobody by them',
    "and ${scopeCondition(ctx, 'access_tag', studentReach(ctx, 's'))}",
    '',
  ),
  photos('the office changes photos within its reach', "scopeCondition(ctx, 'edit_photo', userReach())}", 'sql`true`}'),
  photos('nobody changes the photo of somebody with more rights', 'await refuseMoreRights(ctx, tx, id)', ''),
  whoseEmail('whose an address is is told to who may open the person', 'x where visible', 'x where true'),
  of('areas/people/people/removing.server.ts', 'areas/people/people')(
    'nobody removes the own account',
    "if (ctx.actor?.user_id === id) throw refuse(409, 'cannot_remove_yourself')",
    '',
  ),
  // Terms and places
  takingOver(
    'two who take over for one term come one after the other',
    'await sql`select from terms where id = ${id} for no key update`.execute(tx)',
    '',
  ),
  takingOver(
    'stages of other parts are not taken',
    'sql`(${stages.scope(ctx, KEY)} and not exists (',
    'sql`(true and not exists (',
  ),
  takingOver('stages of groups that are gone are not taken', 'g.removed_at is not null', 'false'),
  takeOverRules('a term with stages takes none over', 'there > 0', 'false'),
  takeOverRules('stages come from an earlier term', 'from.start_date >= term.start_date', 'false'),
  classWords('the same words once within a minute', 'most: 1, seconds: 60', 'most: 100, seconds: 60'),
  classWords('ten messages a day', 'most: 10, seconds: 86_400', 'most: 100, seconds: 86_400'),
  oneRequirement('a course that is not there is not required', 'required && !course.length', 'false'),
  oneRequirement('the bylaw has another version', 'if (changed) await touch(tx, id)', ''),
  oneRequirement('a bylaw is changed by who reaches it', 'await lockBylaw(tx, ctx, id)\n    const', 'const'),
  changedSetting('decimals are the same by value', 'return Number(a) === Number(b)', 'return a === b'),
  terms('a current term is not removed', "if (rows.length) throw refuse(409, 'term_is_current')", ''),
  terms('a term ends within its year', '|| String(merged[field]) > found.end_date', ''),
  slots('the wrong person switches no Ramadan time', "permission: 'change_ramadan_time'", "permission: 'signed_in'"),
  timetable(
    'a timetable is read by whom it is open to',
    "if (!mayRead(ctx, type, id)) throw refuse(404, 'not_found')",
    '',
  ),
  timetable('and as far as the right reaches', 'sql` where ${reach(ctx)}`', 'sql``'),
  instructors(
    'an instructor’s department is of the own faculty',
    'and faculty_id = ${merged.faculty_id}',
    'and ${merged.faculty_id} is not null',
  ),
  // Figures, settings, bundles of other systems
  overview('a term ends after its last day', 'Date.parse(term.end_date) + DAY', 'Date.parse(term.end_date)'),
  overview('a window for everybody swallows the groups', 'groups.length < same.length ? [] : groups', 'groups'),
  overview(
    'days are counted by the calendar',
    'daysBetween(dayOf(new Date(now)), dayOf(instant))',
    'Math.round((Date.parse(instant) - now) / DAY)',
  ),
  figures(
    'figures of students are those within reach',
    "t.removed_at is null and ${students.scope(ctx, 'access_students')}",
    't.removed_at is null',
  ),
  figures(
    'figures of offerings are those within reach',
    "o.removed_at is null and ${scopeCondition(ctx, access, offeringReach(ctx, 'o'))}",
    'o.removed_at is null',
  ),
  university(
    'who has not signed in hears public settings only',
    '.filter(({ name }) => UNIVERSITY_SETTINGS[name].public)',
    '',
  ),
  university(
    'in read-only mode no other setting changes',
    "readOnly && name !== 'read_only'",
    "readOnly && name === 'lazy_admission'",
  ),
  university(
    'a setting is checked by its kind',
    'parse(schema, given[name], [at ?? name]) as string',
    'given[name] as string',
  ),
  bundle(
    'a bundle of another version is refused',
    "!VERSIONS.includes(value('oneroster.version'))",
    "VERSIONS.includes('1.3')",
  ),
  bundle('every file must be whole', "mode !== 'bulk' && !absent)", "mode === '' && !absent)"),
  bundle('a row that is left out is not imported', 'if (here.some((one) => one.column === null)) return []', ''),
  // Signing in, standing in
  provider('only the browser that was sent comes back', '!found?.mine ||', '!found ||'),
  provider('who comes back does so in time', 'state_hash = $1 and expires_at > now()', 'state_hash = $1'),
  provider('what one began another does not finish', 'found.user_id !== ctx.actor?.user_id', 'found.user_id === -1'),
  provider('who is blocked does not come in', 'if (row.blocked)', 'if (row.id < 0)'),
  provider(
    'a kind of account that comes in otherwise does not',
    'if (!way.entries.some((entry) => mayEnter(row, entry)))',
    'if (row.id < 0)',
  ),
  provider('nobody shuts the own last door', 'if (!rows[0].another)', 'if (rows[0].another === null)'),
  identity('the provider has verified the address', '!email || !verified', '!email'),
  identity(
    'the address is in a domain of the university',
    'domains.includes(domain)',
    'domains.some((own) => domain.endsWith(own))',
  ),
  protocol('the answer carries the nonce that was sent', 'expectedNonce: sent.nonce,', ''),
  passkey('a passkey of another site is refused', 'origin !== own || framed || !ownKey', 'framed || !ownKey'),
  passkey('not in a frame of another site', 'origin !== own || framed || !ownKey', 'origin !== own || !ownKey'),
  passkey('the device was unlocked', 'if (!verified) reasons', 'if (!verified && !ours) reasons'),
  passkey(
    'the last factor that a role demands stays',
    'demanded && !app && others === 0',
    'demanded && !app && others < 0',
  ),
  passkey(
    'nobody shuts the own last door',
    '!password && others === 0 && identities === 0',
    '!password && identities < 0',
  ),
  passkey(
    'a password alone proves nothing where a role demands more',
    'password && !(demanded && (app || passkeys > 0))',
    'password',
  ),
  ceremony(
    'a challenge is for one browser',
    'browser_hash = $2 is true and purpose',
    '$2::bytea is not null and purpose',
  ),
  ceremony('a challenge is for one purpose', 'and purpose = $3 and', "and $3 <> '' and"),
  ceremony('a challenge works for minutes', 'challenge_hash = $1 and expires_at > now()', 'challenge_hash = $1'),
  ceremony('a count that stands still is a copy', '(counter < $2 or', '(counter <= $2 or'),
  ceremony('a passkey is one person’s', '(userId !== null && kept.user_id !== userId)', '(userId === -1)'),
  share('a share is given until a day that is not over', 'days < 0 ?', 'days < -9 ?'),
  share('nobody shares with the own address', 'one?.toLowerCase() === email', 'one === null'),
  sharing(
    'who is logged in as a student gives nothing',
    'actor.impersonator_id !== null',
    'actor.impersonator_id === -1',
  ),
  shown('a share ends by its day', 's.ended_at is null and s.last_day >= ${TODAY}', 's.ended_at is null'),
  shown('only chosen parts are shown', 'parts.includes(part)', 'parts.length > 0 || part.length > 0'),
  ownSection(
    'a student writes no new address without the link',
    "const asks = own && typeof email === 'string'",
    "const asks = own && email === '-' && typeof email === 'string'",
  ),
  ownAddress('whose address it is gets no link', 'if (!taken) {', 'if (taken !== null) {'),
  ownAddress('a link to an own address works once', 'if (!kept[0]) throw', "if (kept[0]?.email === '-') throw"),
  ownAddress(
    'a link to an own address works a day',
    'where token_hash = $1 and expires_at > now()',
    'where token_hash = $1',
  ),
  lists(
    'what the narrow table lacks is asked of the rows',
    'name !== undefined && narrow.columns',
    'name !== undefined || narrow.columns',
  ),
  sharedLink(
    'a link works once',
    'delete from share_links where token_hash = $1 and expires_at > now() returning email',
    'select email from share_links where token_hash = $1 and expires_at > now()',
  ),
  sharedLink(
    'an address sees what is shared with it',
    'where s.email = ${email} and ${OPEN} and (${id}',
    "where s.email <> '' || ${email} and ${OPEN} and (${id}",
  ),
  vouched(
    'a code and an address that lead to two people are believed neither',
    ' || (coded && mailed && coded.id !== mailed.id)',
    '',
  ),
  samlJudged(
    'an assertion is for this audience',
    '!said.audiences.every((some) => some.includes(expected.audience))',
    'false',
  ),
  samlJudged('an assertion is for this recipient', 'recipient === expected.consumer', 'recipient !== null'),
  samlJudged('an assertion answers the request that was sent', 'request === expected.request', 'request !== undefined'),
  samlJudged('clocks differ by two minutes at most', 'TOLERANCE = 120_000', 'TOLERANCE = 300_000'),
  samlProtocol(
    'what is encrypted is signed with what is not broken',
    '[read, ...(sealed ? await openedAt(settings, read) : [])]',
    '[read]',
  ),
  samlJudged('an assertion is of the provider', 'said.issuer !== expected.issuer || ', ''),
  samlProtocol(
    'only signed assertions count',
    'wantAssertionsSigned: true,\n    wantAuthnResponseSigned',
    'wantAssertionsSigned: false,\n    wantAuthnResponseSigned',
  ),
  samlProtocol('signatures with what is broken are refused', '].some(isBroken)) throw', '].some(() => false)) throw'),
  samlSettings('an assertion is taken once', 'if (rowCount !== 1)', 'if (rowCount === null)'),
  saml(
    'who was not sent away does not come in',
    'if (request === undefined && !settings.unasked)',
    'if (request === null)',
  ),
  saml(
    'what came is for the browser that was sent',
    'and state_hash is not distinct from $2 ',
    'and ($2::bytea is null or true) ',
  ),
  saml('attributes are kept only where somebody watches', 'if (by.watched)', 'if (by)'),
  of('areas/people/access-and-people/saml/metadata.server.ts', 'areas/people/access-and-people/saml')(
    'XML has no entities',
    'if (/<!(?:DOCTYPE|ENTITY)/i.test(text))',
    'if (!text)',
  ),
  of('areas/people/access-and-people/saml/mapping.rules.ts', 'areas/people/access-and-people/saml')(
    'a name that changes each time names nobody',
    'came.nameIdFormat === TRANSIENT',
    'came.nameIdFormat === null',
  ),
  directory('a token that is over opens nothing', ' and t.expires_at > now()', ''),
  directory('a token that is revoked opens nothing', 't.revoked_at is null and ', ''),
  directory('no directory touches super admins', 'if (row.is_super_admin || row.is_root)', 'if (row.id < 0)'),
  directory(
    'no directory touches who has more rights than its maker',
    'await refuseAbove(ctx, await makerOf(ctx), row)',
    'await makerOf(ctx)',
  ),
  directory('what was read before may be older', 'if (!asked.split', 'if (!asked && !asked.split'),
  directoryPeople(
    'a directory sees its kinds of accounts only',
    ' and u.type = any(${directoryOf(ctx).kinds}::smallint[])',
    '',
  ),
  directoryPeople(
    'who is blocked is signed out',
    'const count = await endSessions(tx, id)',
    'const count = 0 * (await Promise.resolve(id))',
  ),
  directoryPeople('a block by the university stays', 'blocked && reason === BLOCKED', 'blocked && reason !== null'),
  directoryPeople('an account bears the name of its record', '!recorded &&', 'recorded !== null &&'),
  directoryGroups(
    'no directory gives the role of super admins',
    ' and not (${NO_GROUP})\n    join users',
    '\n    join users',
  ),
  directoryGroups(
    'a directory gives what its maker could give',
    'await demandGiving(by, tx, [...new Set',
    'void (async () => [...new Set',
  ),
  directoryGroups(
    'only roles that a directory gave are its own to take',
    'where s.role_assignment_id = a.id and',
    'where s.role_id = a.role_id and',
  ),
  totp('a code of one half minute off is taken, no other', 'const AROUND = 1', 'const AROUND = 4'),
  totp('a code that was taken is used up', 'found <= lastStep', 'found < lastStep'),
  totp('who must have a second factor and has none sets it up', "has ? 'prove' : 'enrol'", "has ? 'prove' : 'in'"),
  factors('of two processes one takes a code', 'and secret = $3 and last_step < $2', 'and secret = $3'),
  factors('a recovery code works once', '::bytea[]) and used_at is null`', '::bytea[])`'),
  factors(
    'new recovery codes end the old ones',
    'delete from recovery_codes where user_id = ${userId}`.execute(tx)\n  await sql`insert',
    'delete from recovery_codes where user_id = ${userId} and false`.execute(tx)\n  await sql`insert',
  ),
  factors(
    'a ticket works for some minutes',
    "where ticket_hash = $1 and expires_at > now()',\n    [hashToken(ticket)],\n  )\n  if (!rows[0])",
    "where ticket_hash = $1',\n    [hashToken(ticket)],\n  )\n  if (!rows[0])",
  ),
  factors('a role demands it on the days it is held', 'coalesce(a.valid_to >= university_today(), true)))`', 'true))`'),
  secondFactor(
    'wrong codes are counted',
    'const succeeded = await tries(ctx, row)\n  const second',
    'const succeeded = async () => {}\n  const second',
  ),
  secondFactor(
    'a password alone sets up no other app',
    "!== null) throw refuse(409, 'sign_in_step_over')",
    "=== 'never') throw refuse(409, 'sign_in_step_over')",
  ),
  secondFactor('it is not taken away from who has more rights', '  await refuseAbove(ctx, actor, row)\n', ''),
  secondFactor(
    'what a role demands is not taken away',
    'held.required && held.passkeys === 0',
    'held.required && held.passkeys === 99',
  ),
  delegation('nobody hands on what is not held', '!holds(key) || !mayDelegate', '!mayDelegate'),
  delegation(
    'rights over people are handed on by nobody',
    '!holds(key) || !mayDelegate(key as PermissionKey)',
    '!holds(key)',
  ),
  delegation('nobody is stood in for without an end', '> MOST_DAYS * 86_400_000', '> 99 * MOST_DAYS * 86_400_000'),
  invite('who signs in already is not invited', "if (row.password_hash !== null) throw refuse(409, 'has_account')", ''),
  invite('nobody blocks the own account', "if (user_id === actor.user_id) throw refuse(409, 'block_yourself')", ''),
  invite('who is blocked is signed out', 'if (blocked) await endSessions(tx, user_id)', ''),
  signIn(
    'a link signs in once',
    'where token_hash = $1 and used_at is null and expires_at',
    'where token_hash = $1 and expires_at',
  ),
  signIn(
    'a right for a part of the university logs in as people of that part alone',
    "and ${scopeCondition(ctx, 'login_as_user', userReach())}",
    '',
  ),
  passwords(
    'a right for a part of the university sends links to people of that part alone',
    "await personWithin(ctx, 'reset_password', 'user', body.user_id)",
    '(await byId(ctx.pool, body.user_id))!',
  ),
  signIn(
    'nobody acts as somebody with more rights',
    "  await refuseAbove(ctx, actor, row)\n  await ctx.services.security.write(ctx, { kind: 'log_in_as', subject_id: row.id, data: { change } })",
    "  await ctx.services.security.write(ctx, { kind: 'log_in_as', subject_id: row.id, data: { change } })",
  ),
  passwords(
    'a link to a new password works once',
    "if (used.numAffectedRows !== 1n) throw refuse(409, 'link_not_valid')",
    '',
  ),
  passwords(
    'a new password ends every other session',
    'where user_id = ${row.id} and id is distinct from ${keep ?? null}',
    'where user_id = ${row.id} and id = ${keep ?? null}',
  ),
  // Kit: workflows, units of work, undo
  step('nobody decides the own', 'if (own && !known.byOwner)', 'if (own && known.byOwner)'),
  step(
    'a reason that is asked for is given',
    "known.reason === 'required' && facts !== null",
    "known.reason === 'required' && facts === null",
  ),
  workflow('steps.ts')(
    'a step from an old screen is refused',
    'version !== undefined && version !== row.version',
    'version !== undefined && version > row.version',
  ),
  workflow('records.ts')(
    'a record out of reach takes no step',
    'and ${scopeCondition(ctx, everybody, parts)}\n      order by',
    '\n      order by',
  ),
  unit(
    'what failed half-way is not kept, though the failure was swallowed',
    'if (this.failed) throw this.failed.error',
    '',
  ),
  unit('what was started in a unit and outlived it is no part of it', 'if (unit) unit.open = false', ''),
  undo('nothing is undone twice', "if (operation.undone_at) throw refuse(409, 'undo_done')", ''),
  undo('nothing is undone too late', "if (operation.expired) throw refuse(409, 'undo_expired')", ''),
  undo(
    'what somebody changed since stays',
    'line.now -> f.field is distinct from line.written -> f.field`',
    'line.now -> f.field is distinct from line.now -> f.field`',
  ),
  texts('a count chooses its form', 'pluralOf(count, l)', 'pluralOf(1, l)'),
  texts('a name of the other direction keeps its order', 'foreign.test(value) ?', 'foreign.test("") ?'),
  changes(
    'only what was changed is sent',
    '.filter((name) => !sameValue(',
    '.filter((name) => name !== "" || !sameValue(',
  ),
  changes('empty values are one', "value === undefined || value === '' ||", 'value === undefined ||'),
  // Kit: reach, writing, the trail
  scope(
    'who holds a key for nothing sees nothing',
    'if (sets.length === 0) return FALSE',
    'if (sets.length === 0) return TRUE',
  ),
  scope(
    'what is bound to units is narrowed by them',
    'return any.length ? sql<SqlBool>`(${sql.join(any, sql` or `)})` : FALSE',
    'return any.length ? sql<SqlBool>`(${sql.join(any, sql` or `)})` : TRUE',
  ),
  resource('writing.ts')(
    'an outdated version is refused',
    'if (version !== undefined && version !== current.version) throw',
    'if (version !== undefined && version > current.version) throw',
  ),
  resource('reach.ts')(
    'nobody puts a row out of the own reach',
    "if (!rows.length) throw refuse(403, 'not_allowed')\n  }",
    '}',
  ),
  resource('writing.ts')(
    'a removed row is not changed',
    'if (row.removed && !removed) throw',
    'if (row.removed && removed) throw',
  ),
  handing('handing-in.ts')(
    'a sheet is of the record that it was handed in about',
    'name: `${sheet.name}/${id}`',
    'name: sheet.name',
  ),
  handing('handing-in.ts')(
    'a sheet with a wrong cell is not saved at once',
    'if (data.errors.length) throw refusedCells(data)',
    '',
  ),
  handing('handing-in.ts')(
    'a record that was closed meanwhile takes no sheet',
    'sheet.write(ctx, tx, lines, { of, open: await sheet.open(ctx, tx, of), facts })',
    'sheet.write(ctx, tx, lines, { of, open: new Map() as never, facts })',
  ),
  handing('read.ts')(
    'a column stands in a sheet once',
    'else if (places.has(means.field)) tell',
    'else if (!places) tell',
  ),
  handing('read.ts')(
    'without the column by which rows are known none is read',
    '!places.has(knownBy) || cells',
    'cells',
  ),
  handing('read.ts')('a sheet has no more rows than it may', '(plan.maxRows ?? MOST_ROWS) + 1', 'MOST_ROWS + 1'),
  handing('read.ts')(
    'a sheet without rows is refused',
    'if (!lines.length && !facts.errors.length) throw',
    'if (!lines) throw',
  ),
  handing('judge.ts')('a row that is left out is not judged', "if (line.state === 'out') continue", ''),
  handing('judge.ts')(
    'a row names nothing that an earlier row names',
    'earlier: line.key === null ? undefined : first.get(line.key)',
    'earlier: undefined',
  ),
  handing('judge.ts')(
    'a row with something wrong changes nothing',
    "line.state = line.errors.length ? 'wrong' :",
    "line.state = line.errors.length > 9 ? 'wrong' :",
  ),
  rows('a line of another record is not taken', '  requireKnown(field, current, next)\n', ''),
  rows(
    'lines keep the order they are sent in',
    '...(rows.position && { [rows.position]: i }),',
    '...(rows.position && { [rows.position]: 0 }),',
  ),
  telling('a lookup is told by name', 'if (!to || isEmpty(value)', 'if (to || isEmpty(value)'),
  telling('what is kept from a reader is counted, not told', 'if (hidden(name)) {', 'if (!hidden(name) && false) {'),
  tableWords('ids are hidden, words with these letters are not', '(?:^|_)(?:ids?|', '(?:ids?|'),
  tableWords('columns that say nothing are silent', 'if (silent.has(name) ||', 'if (silent.has(name + 1) ||'),
  inUse(
    'whoever may not see a record does not learn its name',
    'if (!key) return undefined',
    'if (!key) return sql`true`',
  ),
  inUse('removed records use nothing', 'and ${alias}.removed_at is null', ''),
  rights(
    'an assignment ends on its last day',
    'where user_id = u.id and coalesce(valid_from <= university_today(), true) and coalesce(valid_to >= university_today(), true)\n      union all',
    'where user_id = u.id and coalesce(valid_from <= university_today(), true) and coalesce(valid_to > university_today(), true)\n      union all',
  ),
  rights(
    'a removed role gives nothing',
    'and r.removed_at is null\n    join role_permissions',
    '\n    join role_permissions',
  ),
  rights('a student’s own record gives nobody power over others', 'if (mine.all) continue', 'if (mine) continue'),
  line(
    'secrets of a new row are not kept in the trail',
    "case when key ~ '(password|secret|token)' then '\"•••\"'::jsonb else value end), '{}')",
    "value), '{}')",
  ),
  trail(
    'secrets of many new rows are not kept either',
    "array_agg(case when a.attname ~ '(password|secret|token)' then 'secret'",
    "array_agg(case when a.attname ~ '(never)' then 'secret'",
  ),
  trail(
    'secrets that change are not kept',
    "jsonb_object_agg(key, case when key ~ '(password|secret|token)' and value <> 'null' then",
    "jsonb_object_agg(key, case when key ~ '(never)' and value <> 'null' then",
  ),
  contents('functions/office/content_may_go.sql')(
    'of the contents of the store, what somebody else holds stays',
    'and not exists (select from held_contents h where h.hash = gone and h.until > now())',
    '',
  ),
  contents('functions/office/content_may_go.sql')(
    'no contents leave the store while a backup reads',
    'not pg_try_advisory_xact_lock_shared(72402)',
    'false',
  ),
  contents('functions/office/content_may_go.sql')(
    'contents of a record stay',
    'return not content_named(gone)',
    'return true',
  ),
  contents('functions/base/forget_content.sql')(
    'contents of a deleted record are looked at',
    'select distinct hash, now() from gone',
    "select distinct hash, now() + interval '1 day' from gone",
  ),
  contentsKept('contents that are refused leave the store', 'if (done) for', 'if (!done) for'),
  archiveBin('the archive’s bin keeps what only others may change', 'if (ids && held)', 'if (!ids && held)'),
  archiveBin(
    'the archive’s bin is not emptied of what did not go there by itself',
    ' || entry.removed_with !== entry.id',
    '',
  ),
  archiveBin(
    'the archive’s bin keeps what is not old',
    "removed_at < now() - ${days} * interval '1 day' order",
    'removed_at < now() order',
  ),
  logoutAsked('a sign-out for another application is not taken', 'asked.destination !== expected.here', 'false'),
  logoutRoutes(
    'a sign-out that is not signed is not taken',
    '!provider.certificates.some(',
    '!signature && !provider.certificates.some(',
  ),
  logoutRoutes('a sign-out is taken once', 'await takeOnce(ctx, asked, countsUntil(asked))', ''),
  logoutEnds('a sign-out at the provider ends nobody else', 'and name_id = ${nameId} for update', 'for update'),
  logoutEnds(
    'who is half in when signed out comes no further',
    "and identity -> 'login' ->> 'nameId' = ${nameId}",
    'and false',
  ),
  scimBulk('a bulk request stops where it is told to', 'if (errors >= failOnErrors) break', ''),
  scimDirectory(
    'an operation of a bulk request changes the version it says',
    'versions.has(ctx) ? versions.get(ctx) : ',
    '',
  ),
  erasingTalk(
    'erasing a ticket spares what was said lately',
    'm.created_at >= now() - make_interval(days => ${days}::int) or ',
    '',
  ),
  erasingTalk(
    'erasing messages spares the chats of who is held',
    'not exists (select from chat_members k where k.chat_id = m.chat_id and is_held(k.user_id))',
    'true',
  ),
  leavers('erasing spares who studies', "'transferred', 'dismissed')", "'transferred', 'dismissed', 'studying')"),
  leavers('erasing spares who left and is held', 'and not is_held(s.user_id)', ''),
  logMonths('functions/base/audit_log_over.sql')(
    'erasing spares the log while anybody is held',
    'or exists (select from legal_holds where ended_at is null)',
    '',
  ),
  logMonths('functions/base/audit_change.sql')(
    'erasing a row leaves nothing of it in the trail',
    'case when erasing then',
    'case when false then',
  ),
  archiveZipIn('a ZIP of more entries than two bytes tell', 'if (count === MORE)', 'if (count > MORE)'),
  archiveTree('migrations/0080_office.sql')(
    'names in the archive are taken within one circle of readers',
    'archive_name_taken on archive_entries (parent_id, realm_id, name_key)',
    'archive_name_taken on archive_entries (parent_id, name_key)',
  ),
  archiveTree('functions/office/place_archive_entry.sql')(
    'the archive is not deeper than its limit',
    'if depth > 30 then',
    'if depth > 300 then',
  ),
  archiveTree('functions/office/keep_archive_whole.sql')(
    'what is there in the archive lies in what is there',
    'where e.id = new.id and e.removed_at is null and p.removed_at is not null',
    'where false',
  ),
  archive('nothing goes into what lies in it', 'moved.some((id) => around.includes(id))', 'moved.includes(around[0]!)'),
  archive('a path does not lead out of its folder', "name === '.' || name === '..' || /[. ]$/", '/[ ]$/'),
  archive(
    'a name that says another content is refused',
    'if (KNOWN_ENDINGS.has(said))',
    'if (!KNOWN_ENDINGS.has(said))',
  ),
  pictures(
    'an edge stops before the one on the other side',
    'top: within(0, place, cut.bottom - THINNEST)',
    'top: within(0, place, 1)',
  ),
  pictures('a photograph is made small', 'LONGEST / Math.max(wide, high), ', ''),
  pictures(
    'a quarter to the left stands upright, too',
    'const turned = quarters % 2 !== 0',
    'const turned = quarters === 1',
  ),
  pictures('what was turned is drawn anew', ' && isUncut(cut) && quarters % 4 === 0', ' && isUncut(cut)'),
  addresses('a word comes before a place', '.toSorted((a, b) => wordsOf(b.path) - wordsOf(a.path))', ''),
  addresses('what is longer opens nothing', 'if (given.length > asked.length) return null', ''),
  documentParts(
    'an upload is that of one application',
    'sql`applicant_id = ${applicant_id} and',
    'sql`${applicant_id}::int > 0 and',
  ),
  documentParts('it arrives as it was sent', '!== firstRow(rows).digest)', "=== '')"),
  documentParts(
    'what is whole is looked into',
    'await checkFile(content, waiting.name, DOCUMENT_KINDS, { maxBytes: MOST_DOCUMENT_BYTES })',
    "{ ext: 'pdf', mime: 'application/pdf' }",
  ),
  kitParts('parts follow each other', 'part.offset !== upload.received', 'part.offset > upload.received'),
  archive('who writes a list stays among those who change', 'if (!stays)', 'if (stays)'),
  archiveZip(
    'what grows beyond measure is a bomb',
    'entry.size > entry.compressed * MAX_RATIO',
    'entry.size > entry.compressed * MAX_UNZIPPED',
  ),
  archiveZip('names that differ by case are one', "parts.map(keyOfName).join('/')", "parts.join('/')"),
  archiveZip('a link is no file', 'entry.special || ', ''),
  archiveTree('functions/office/archive_realms.sql')(
    'a list only narrows what the folder around it allows',
    'join archive_entries e on e.realm_above = r.id and not e.inherits',
    'join archive_entries e on e.realm_above is not null and r.id = 1',
  ),
  archiveTree('functions/office/place_archive_entry.sql')(
    'no folder lies within itself, whoever writes',
    'exists (select from archive_up(new.parent_id) u where u.id = new.id)',
    'new.parent_id = new.id',
  ),
  archiveTree('functions/office/follow_archive_realm.sql')(
    'what lies in a folder follows it',
    'when inherits then new.realm_id else realm_id end',
    'when inherits then realm_id else realm_id end',
  ),
  archiveTree('functions/office/lock_archive.sql')(
    'who moves waits for others who do',
    'select pg_advisory_xact_lock(72401)',
    'select null::void',
  ),
  archiveFound(
    'what is removed is there only for who can take it out',
    'entry.removed_at && !entry.may_edit',
    'entry.removed_at && edit',
  ),
  archiveFound('who only sees changes nothing', 'edit && !entry.may_edit', 'edit && !entry'),
  archiveParts(
    'an upload is the own',
    'where id = ${key}::uuid and ${owner} and done_at is null`.execute(db)',
    'where id = ${key}::uuid and done_at is null`.execute(db)',
  ),
  archiveParts('of two parts at one place one is taken', 'judge(rows[0])', 'void rows[0]'),
  // Tags
  tagging(
    'nobody tags a student outside the reach',
    'and t.removed_at is null and ${scope(ctx)}',
    'and t.removed_at is null',
  ),
  tagging('a removed student gets no tag', 'and t.removed_at is null and ${scope(ctx)}', 'and ${scope(ctx)}'),
  tagging(
    'a removed tag is put on nobody',
    'and removed_at is null order by id for key share',
    'order by id for key share',
  ),
  tagging(
    'a tag that is on already is no change',
    'on conflict do nothing returning',
    'on conflict (student_id, tag_id) do update set tag_id = excluded.tag_id returning',
  ),
  tagging(
    'only the tags named are taken off',
    'and tag_id = any(${[...tags]}::int[])\n      returning',
    '\n      returning',
  ),
  studentTags(
    'tags are for who may see tags',
    "const TAGS = ['access_tag'] as const",
    "const TAGS = ['access_tag', 'self', 'access_students'] as const",
  ),
  // Tickets
  ticket(
    'a note is never for who asked',
    'sql`(t.asker_id is distinct from ${me(ctx)} and ${handles(ctx)})`',
    'sql`(${asked(ctx)} or ${handles(ctx)})`',
  ),
  ticket('only members answer tickets of a group', 'gm.group_id = t.group_id and gm.user_id', 'gm.user_id'),
  ticket(
    'nobody handles the own ticket',
    "if (ticket.mine) throw refuse(403, 'step_own')\n    if (!ticket.handled)",
    'if (!ticket.handled)',
  ),
  ticket('tickets of two persons are not merged', 'ticket.asker_id !== into.asker_id', 'ticket.asker_id === 0'),
  ticket(
    'a merged ticket is not opened again',
    'left join tickets i on i.id = t.merged_into_id where t.id = any',
    'left join tickets i on false where t.id = any',
  ),
  ticket('the first answer is the first', 'where id = ${id} and responded_at is null', 'where false and id = ${id}'),
  ticket(
    'a key is for one message',
    "if (!before.length) throw refuse(409, 'message_key_used')",
    "if (before.length > 1) throw refuse(409, 'message_key_used')",
  ),
  ticketCall(
    'satisfaction is said by who asked',
    "if (!ticket.mine) throw refuse(403, 'ticket_rate_asker')",
    "if (!ticket) throw refuse(403, 'ticket_rate_asker')",
  ),
  ticketCall('a ticket sent twice is opened once', 'if (before[0]) return', 'if (before[1]) return'),
  said('a file is that of who writes', 'and f.created_by = ${ctx.actor!.user_id}', ''),
  said('a file has a size', 'file.size > largest', 'file.size > largest * 1000'),
  grants(
    'a right in a part is none in another one',
    'place.type === scope!.type && place.id === scope!.id',
    'place.type === scope!.type',
  ),
  grants(
    'what is bound to teaching does not reach everything',
    "return one.reach === other.reach && one.reach !== 'scope'",
    "return one.reach === other.reach || one.reach !== 'scope'",
  ),
  grants(
    'nobody gives for longer than he or she has it',
    '(one.valid_to === null || (other.valid_to !== null && one.valid_to >= other.valid_to))',
    '(one.valid_to === null || other.valid_to !== null)',
  ),
  grants('what is not held yet cannot be given', '.filter((grant) => isInForce(grant, today))', '.filter(() => true)'),
  grants('nobody lets the own rights grow', 'if (!everything[0] && gained.length)', 'if (false)'),
  grants('a reach that a right does not know is not written', '!known.size || known.has(kind)', 'true'),
  knownReach('a reach that a right does not know opens nothing', 'if (kind === null) continue', 'void 0'),
  roleRules('a role that is held does not go', '...(holders ? [', '...(false ? ['),
  proof(
    'the password alone takes no second factor off',
    "auth.demandProof(actor, confirm === 'second factor')",
    'auth.demandProof(actor, false)',
  ),
  sessionEnds('coming back from another person makes no day longer', ', $16::timestamptz, (select', ', null, (select'),
  grants('students are given nothing', 'if (!person.staff && (', 'if (false && ('),
  grants('nobody takes what he or she could not give', 'if (taken.length)', 'if (false)'),
  accesses('changes of rights wait for each other', 'await lockRights(tx)', ''),
  accesses('what was changed meanwhile is not overwritten', 'seen !== now.seen', 'false'),
  accesses(
    'only the reach of the right counts',
    'and ${scopeCondition(ctx, access, userReach())}`.execute(db)',
    '`.execute(db)',
  ),
  roleRules('the program keeps the roles it needs', "  'student',\n  'applicant',\n", ''),
  roles('a role’s rights are given by who holds them', 'if (reasons.length) throw new Refusal(403, reasons)', ''),
  supers('two at once wait for each other', "perform pg_advisory_xact_lock(hashtext('super admins'));", ''),
  reviews('nobody reviews the own rights', 'if (row.user_id === actor.user_id) throw', 'if (false) throw'),
  reviews('what was decided is not decided again', 'if (!from.includes(row.decision)) throw', 'if (false) throw'),
  reviews('what is not decided is told once', 'closed_at is null and told_at is null', 'closed_at is null'),
  lookers('the own looks are no news', 'is distinct from ${user_id}`', 'is distinct from 0`'),
  // Chats
  chat(
    'students do not write to students',
    'and exists (select from instructors i where',
    'or exists (select from instructors i where',
  ),
  chat(
    'staff write to students within reach',
    'and ${scopeCondition(ctx, [',
    "and ${scopeCondition({ ...ctx, system: 'any' }, [",
  ),
  chat('who taught once is not written to', 'and ${TAUGHT_NOW} and', 'and'),
  chat(
    'a conversation ends with what bound the two',
    "if (chat.kind === 'direct' && !(await goesOn(",
    'if (false && !(await goesOn(',
  ),
  chat(
    'who has left does not write',
    'return { data: told(ctx, await stored(sent[0].id)) }\n      requireHere(chat)',
    'return { data: told(ctx, await stored(sent[0].id)) }',
  ),
  chat('what is read does not go back', 'and was.before < was.to returning', 'returning'),
  chat(
    'a message is stored once',
    'if (sent[0]) return { data: told(ctx, await stored(sent[0].id)) }',
    'if (sent[1]) return { data: told(ctx, await stored(sent[1].id)) }',
  ),
  chat('what was changed is another message', ' || sent[0].body !== body)', ')'),
  chat('who wrote what is read hears of it alone', '[...new Set([me(ctx), ...row.authors])]', '[me(ctx)]'),
  of('areas/people/conversation/chats/chat.contract.ts', 'areas/people/conversation/chats')(
    'who is logged in as somebody reads no messages',
    "body: listQuery,\n    response: listOf(chat),\n    reads: true,\n    personal: 'always',",
    'body: listQuery,\n    response: listOf(chat),\n    reads: true,\n    personal: true,',
  ),
  of('kit/server/base/events.ts', 'kit/server/base/events.test.ts')(
    'who is logged in as somebody hears nothing between people',
    'if (!personal || stream.impersonator_id === null)',
    'if (true)',
  ),
  of('kit/server/files/files.ts', 'areas/people/conversation/chats')(
    'who is logged in as somebody does not open that person’s files by their number',
    ' && ctx.actor?.impersonator_id === null)',
    ')',
  ),
  of('db/migrations/0020_people.sql', 'areas/people/conversation/chats')(
    'who was added does not see what was said before',
    ' and m.id > k.joined_after',
    '',
  ),
  of('db/migrations/0020_people.sql', 'areas/people/conversation/chats')(
    'who has left does not see what comes',
    'and (k.left_after is null or m.id <= k.left_after) and',
    'and',
  ),
  of('db/migrations/0020_people.sql', 'areas/people/conversation/chats')(
    'who is added again has missed what was said meanwhile',
    ' and not k.missed @> m.id',
    '',
  ),
  // Texts of notices
  of('kit/contract/notice-texts.ts', 'areas/common/settings/notice-texts')(
    'a place that nothing fills is refused',
    '.filter((place) => !places.includes(place))',
    '.filter(() => false)',
  ),
  of('kit/contract/notice-texts.ts', 'areas/common/settings/notice-texts')(
    'a mail has the places it needs',
    'if (!said.includes(place))',
    'if (false)',
  ),
  of('kit/contract/notice-texts.ts', 'areas/common/settings/notice-texts')(
    'a subject is one line',
    "(field === 'subject' || !lines) &&",
    "!lines && field !== 'subject' &&",
  ),
  of('kit/server/mail/notice-texts.ts', 'areas/common/settings/notice-texts')(
    'what no longer fits is not said',
    'shapeOf(key), own).length ? [] :',
    'shapeOf(key), own).length > 9 ? [] :',
  ),
  of('kit/server/mail/mail.ts', 'areas/common/settings/notice-texts')(
    'a mail says what the university says',
    "composeMail(mail, await own(mail.key, mail.lang ?? 'ar'))",
    'composeMail(mail)',
  ),
  of('areas/common/settings/notice-texts/notice-text.server.ts', 'areas/common/settings/notice-texts')(
    'who saves has seen the newest version',
    'where ${seen}::int = coalesce(',
    'where 0 <= coalesce(',
  ),
  merging('doubles.server.ts')(
    'who was said to be two people is not proposed',
    ' where (one, other) not in (select one, other from said)',
    '',
  ),
  merging('merge.rules.ts')(
    'who was said to be two people is not merged',
    "if (found.two) say('merge_not_double'",
    "if (!found) say('merge_not_double'",
  ),
  merging('two-people.server.ts')(
    'what is said holds for the record that stayed',
    'merged_into(n.kind, n.one_id) as a',
    'n.one_id as a',
  ),
  merging('two-people.rules.ts')('nobody says it of the own record', 'if (own) out', 'if (own && removed) out'),
  accountName('the account bears the name of its record', 'where id = new.user_id;', 'where false;'),
  certificate('an enrolment is certified of who studies', "person.status !== 'studying'", "person.status === ''"),
  certificate('a graduation is certified of who graduated', "person.status !== 'graduated'", "person.status === ''"),
  certificate(
    'no degree while the average is being revised',
    'if (graduation && person.revised)',
    'if (graduation && !person)',
  ),
  timeline('windows of groups are for who reaches them', '(g.id is null or ${within} or ${own})', 'true'),
  timeline('a student sees the windows of the own groups', 'or ${own})', 'or ${own} and false)'),
  nameParts(
    'a part stands in the whole name where it must',
    'if (rest !== text && !rest.startsWith(`${text} `)) return part',
    '',
  ),
  nameSheets('parts in a sheet make the whole name', 'merged[column] = joinName(parts)', ''),
  toldProgram(
    'who has one record is told no program',
    'where exists (select from students o where',
    'where true or exists (select from students o where',
  ),
  movedTo('nobody moves to the own other record', 'facts.program_elsewhere ?', 'facts.program_elsewhere === null ?'),
  passkey('who has a password proves by it, not by a code alone', '!password && app ?', 'app ?'),
  share('ten people see it at a time', 'open >= MOST_SHARES', 'open > MOST_SHARES'),
  share('a share is given for a year at most', 'days > MOST_SHARE_DAYS ?', 'days > MOST_SHARE_DAYS * 2 ?'),
  merging('merge.rules.ts')('nobody merges the own record', "if (one.own) say('merge_own', who)", ''),
  merging('facts.server.ts')(
    'nobody merges who has more rights',
    '!covers(actor.rights, await rightsOf(db, row.account_id))',
    'false',
  ),
  merging('move.server.ts')(
    'undoing a merge gives no way in back',
    "await sql`select set_config('ems.operation', '', true)`.execute(tx)",
    '',
  ),
  merging('merge.server.ts')(
    'a merge is undone wholly or not at all',
    'if (firstRow(rows).what) throw',
    'if (firstRow(rows).what > 99) throw',
  ),
  merging('merge.server.ts')(
    'who went into a record that is merged is answered by the last',
    'where kind = ${kind} and into_id = ${from_id}`',
    'where kind = ${kind} and into_id = -${from_id}::int`',
  ),
  merging('merge.server.ts')(
    'a merge knows what was seen',
    'kept.version !== seen[0] || merged.version !== seen[1]',
    'false',
  ),
  merging('pointers.rules.ts')(
    'a reference that nobody decided on is noticed',
    "    'student_tags.student_id': joins('tags'),\n",
    '',
  ),
  of('kit/server/resource/merged.ts', 'areas/records/merging')(
    'nobody changes a merged record by its old id',
    "if (!reads) throw refuse(409, 'merged_into', { into })",
    '',
  ),
  of('db/functions/records/keep_merged_removed.sql', 'areas/records/merging')(
    'a merged record comes back by undoing alone',
    'if exists (select from merged_records where kind = tg_argv[0] and from_id = new.id) then',
    'if false then',
  ),
  bedOrder('who comes from farther away comes first', '(b.distance_km ?? -1) - (a.distance_km ?? -1) ||', ''),
  bedOrder('the priority is the first word', 'a.priority - b.priority ||', ''),
  bedOrder(
    'days meet where a night is shared',
    'a.from_day < b.until_day && b.from_day < a.until_day',
    'a.from_day <= b.until_day && b.from_day < a.until_day',
  ),
  bedOrder('a bed that was given is taken', 'house.take({ ...who, bed_id: bed.id, reservation_id: who.id })', ''),
  stayRule('nobody moves in while another is there', '...(occupied ? [', '...(occupied && own ? ['),
  stayRule(
    'a stay of a guest who is there begins where it began',
    '...(inside && to.from_day !== stay.from_day',
    '...(!inside && to.from_day !== stay.from_day',
  ),
  guestRule('a document has one record however it is typed', '.toUpperCase()', '.trim()'),
  guestRule('a passport has six characters at least', '{6,20}', '{2,20}'),
  ofPayers('ledger/reach.server.ts')(
    'staff are reached by the faculty of the work',
    '= any(${[...ids]}::int[])))`\n  const unit',
    '> 0))`\n  const unit',
  ),
  ofPayers('ledger/own.server.ts')(
    'nobody moves the own money as staff',
    'coalesce(s.user_id, p.user_id)',
    's.user_id',
  ),
  ofPayers('ledger/post.server.ts')(
    'two accounts that became one are one person',
    'on q.user_id = p.user_id where p.id in',
    'on q.id = p.id where p.user_id is not null and p.id in',
  ),
  ofPayers('ledger/post.server.ts')(
    'of two who charge somebody first one makes the payer',
    'select from users where id = ${user_id} for no key update',
    'select from users where id = ${user_id}',
  ),
  ofPayers('ledger/others.server.ts')(
    'a guest is of the whole university',
    ' || !reachesAll(ctx, key)) throw refuse',
    ') throw refuse',
  ),
  ofPayers('ledger/others.server.ts')(
    'staff are no students',
    'and u.type in (1, 2) and u.removed_at',
    'and u.removed_at',
  ),
  ofPayers('banks/batches/debtors.server.ts')(
    'a short staff number names nobody',
    'join payers p on p.user_id = u.id and p.main\n      where length(k.key) >= 6',
    'join payers p on p.user_id = u.id and p.main\n      where length(k.key) >= 4',
  ),
  housing('areas/campus/hotels/stays/money.server.ts')(
    'damage of a name alone is charged to nobody',
    'if (of.student_id === null && !other) throw refuse',
    'if (of.student_id === null && !other && of.invoice_id) throw refuse',
  ),
  housing('areas/campus/hotels/stays/stay.server.ts')(
    'who is named is charged from then on',
    'if (holdsBed && stay.group_id === null) await chargeStay',
    'if (!holdsBed && stay.group_id === null) await chargeStay',
  ),
  housing('areas/campus/hotels/stays/money.server.ts')(
    'damage is charged before the deposit goes back',
    'if (damages.length) await chargeDamages(',
    'if (damages.length > 99) await chargeDamages(',
  ),
  housing('areas/campus/hotels/stays/money.server.ts')(
    'a deposit is held, not earned',
    "[{ ...line, account: 'deposit' }]",
    '[line]',
  ),
  housing('areas/campus/hotels/stays/flow.server.ts')(
    'a bed is given in turn',
    'const turn = given.has(who.id) || skips(ctx)',
    'const turn = true',
  ),
  housing('areas/campus/hotels/stays/ask.server.ts')(
    'one press of the button is one request',
    'if (before) return before',
    'if (before && !wish) return before',
  ),
  housing('areas/campus/hotels/stays/clock.server.ts')(
    'who is suspended is given no bed',
    "if (to === 'studying') return",
    "if (to !== 'graduated') return",
  ),
  housing('db/functions/campus/guard_bed_closing.sql')(
    'nothing is closed in which somebody stays',
    "s.status in ('confirmed', 'checked_in') and s.removed_at is null",
    "s.status in ('checked_in') and s.removed_at is null",
  ),
  housing('db/functions/campus/guard_bed_stay.sql')(
    'nobody is given a closed bed',
    'c.removed_at is null) then',
    'c.removed_at is not null) then',
  ),
  assigning('the better GPA comes first', '(b.gpa ?? -1) - (a.gpa ?? -1) ||', ''),
  assigning('no program takes more than its places', 'left[index] === 0 ||', ''),
  assigning(
    'whoever does not meet the conditions is not taken',
    '(seat.min_gpa === null || (applicant.gpa ?? -1) >= seat.min_gpa) &&',
    '',
  ),
  assigning(
    'nobody is given a program in which the same person has another record',
    '(applicant.elsewhere.length === 0 || !applicant.elsewhere.includes(seat.program_id)) &&',
    '',
  ),
  assigning('two records of one person are not given one program', 'if (own?.includes(program_id)) continue', ''),
  assigning(
    'the dearest wish is given',
    'for (let n = 0; n < choices.length; n++) {',
    'for (let n = choices.length - 1; n >= 0; n--) {',
  ),
  specialising('windows/window.server.ts')(
    'places that changed since a distribution are named before it is confirmed',
    '...changedSeats(run.seats, await readSeats(tx, id)),',
    '',
  ),
  specialising('preferences/preferences.rules.ts')('a program is wished once', 'if (seen.has(wish))', 'if (false)'),
  specialising('students/specialise.rules.ts')(
    'places of the last window are kept by hand too',
    'left !== null && left <= 0',
    'left !== null && left < 0',
  ),
  placing('tests/bands.rules.ts')('a course stands at a level of the test', 'level > count', 'level > count + 9'),
  placed(
    'what is to be taken first stops its courses',
    "if (level === null) return 'placement_due'",
    'if (level === null) return null',
  ),
  specialising('preferences/preferences.rules.ts')(
    'nobody wishes outside the window',
    "else if (!staff && state !== 'open')",
    "else if (!staff && state === 'never')",
  ),
  specialising('windows/window.server.ts')(
    'many students are distributed by a job',
    'return firstRow(rows).many',
    'return firstRow(rows).many && id < 0',
  ),
  placing('tests/bands.rules.ts')(
    'levels of a placement test leave no hole',
    'if (from !== reached)',
    'if (from < reached)',
  ),
  placed(
    'what lies above opens one level after the other',
    'one.level >= mine.level || passed(one.course_id)',
    'one.level >= mine.level || passed(mine.course_id) !== undefined',
  ),
  placed(
    'nobody is excused from the own level',
    'one.level < level ? [one.course_id] : []',
    'one.level <= level ? [one.course_id] : []',
  ),
  placing('results/sheet.server.ts')(
    'a sheet names a student once',
    'else if (earlier !== undefined) wrong(',
    'else if (Number(earlier) < 0) wrong(',
  ),
  placing('results/sheet.server.ts')(
    'a sheet does not overwrite what somebody changed meanwhile',
    '...(version !== null && { version }),',
    '',
  ),
  levelRules('grace.rules.ts')(
    'a course has no more grace marks than the rule allows',
    'need <= rule.per_course &&',
    '',
  ),
  levelRules('grace.rules.ts')(
    'a student has no more grace marks than the rule allows',
    'if (onCourses > limit) return',
    'if (onCourses > limit * 2) return',
  ),
  levelRules('grace.rules.ts')(
    'as few grace marks as possible are given',
    'one.total < other.total',
    'one.total > other.total',
  ),
  levelRules('rating.rules.ts')(
    'with honours no exam was ever failed',
    'if (failed.length) problems.push',
    'if (failed.length > 99) problems.push',
  ),
  levelRules('promotion.rules.ts')(
    'who failed more than may be carried stays',
    'if (counted.length > maximum)',
    'if (counted.length > maximum + 1)',
  ),
  levelResult(
    'a bylaw edited since a preview stops it',
    '!sameDegree(old.degree, degrees.get(one.student_id) ?? null)',
    'false',
  ),
  levelResult('marks changed since a preview stop it', '  await changedSince(tx, key.id, worked, key)', ''),
  block(
    'a level waits for the promotion from the year before',
    'if (enrolment === null && before !== null)',
    'if (enrolment === null && before === undefined)',
  ),
  block(
    'a level of a program without a type is not registered',
    'if (programs[0]?.untyped)',
    'if (programs.length > 99)',
  ),
  conversion(
    'a table of conversions covers both scales',
    "(['share', 'points'] as const).flatMap",
    "(['share'] as const).flatMap",
  ),
  conversion(
    'what is more on the one scale is more on the other',
    'lower.line.from_points > line.from_points',
    'false',
  ),
  equivalence(
    'between the kinds a grade is told by the table',
    'by_marks && percent !== null ? pointsOf',
    'false ? pointsOf',
  ),
  equivalence('what was passed never fails here', 'return found?.success ?', 'return found ?'),
  equivalence(
    'courses that count together are weighted by their hours',
    'sum + of(one)! * one.hours, 0',
    'sum + of(one)! * 100, 0',
  ),
  equivalence(
    'courses count together again only where all are there',
    'if (places.includes(-1) || courses',
    'if (courses',
  ),
  equivalence('a course of the program is filled once', 'if (filled.has(course.id))\n', 'if (false)\n'),
  equivalence('a mark that does not pass is not credited', 'one.mark < least || ', ''),
  equivalence('nothing counts together with a course that counts as nothing', '!joined?.counts.length || ', ''),
  equivalence('no more hours are shared out than there were', 'shared > whole', 'false'),
  moving('a transfer stands on courses that the plan still has', 'facts.gone ?', 'false ?'),
  moving('the level of the last year is decided before', 'facts.level_open ?', 'false ?'),
  moving('the last place is given once', 'facts.taken >= facts.places', 'facts.taken > facts.places'),
  moving('who asks to leave does not move within', 'facts.out_pending ?', 'false ?'),
  moving(
    'nobody moves more often in a term than allowed',
    'facts.moves >= facts.most_moves',
    'facts.moves > facts.most_moves',
  ),
  moving('the faculty that is left agrees first', '...(facts.agreed ? []', '...(true ? []'),
  of(
    'areas/enrolment/transfers/equivalence/equivalence.rules.ts',
    'areas/enrolment/transfers/equivalence/outdated.test.ts',
  )(
    'what is not passed any more counts as nothing',
    'place !== null && failed.has(id) &&',
    'place === null && failed.has(id) &&',
  ),
  of('areas/enrolment/transfers/internal/internal.rules.ts', 'areas/enrolment/transfers/equivalence/outdated.test.ts')(
    'a transfer is not executed on a result that has changed',
    '...facts.changed.filter(',
    '...[].filter(',
  ),
  of('areas/enrolment/transfers/equivalence/basis.server.ts', 'areas/enrolment/transfers/equivalence/outdated.test.ts')(
    'a credit ends when its course is not passed any more',
    'sources.some((source) => !source.passed)',
    'sources.some((source) => source.hours < 0)',
  ),
  of('kit/server/workflow/basis.ts', 'tests/basis/basis.test.ts')(
    'nobody decides on the own',
    "if (row.own) throw refuse(403, 'step_own')",
    "if (row.own && !row.decides && row.outdated === null) throw refuse(403, 'step_own')",
  ),
  of(
    'areas/enrolment/registration/changes/prerequisite.server.ts',
    'areas/enrolment/registration/changes/prerequisite.test.ts',
  )('what was set aside is kept with the rule and the reason', "'code', 'prerequisites'", "'code', 'corequisites'"),
  of('areas/enrolment/transfers/out/out.rules.ts', transferRules)(
    'nobody asks to leave while a transfer within waits',
    '...(internal_pending ?',
    '...(false ?',
  ),
  of('areas/enrolment/transfers/external/external.rules.ts', transferRules)(
    'what was passed here meanwhile is not credited as well',
    'facts.passed_meanwhile ?',
    'false ?',
  ),
  of('areas/records/students/record/record.rules.ts', 'areas/records/level-results/levels.own.test.ts')(
    'grace marks are seen where the mark is',
    'grace: view.marks ? result.grace : null',
    'grace: result.grace',
  ),
  of('areas/records/students/record/levels.server.ts', 'areas/records/level-results/levels.own.test.ts')(
    'a student is told the result of a year once it is announced',
    "(r.status = 'announced' or ${all})",
    '(true or ${all})',
  ),
  of('areas/records/level-results/promotion.rules.ts', transferRules)(
    'a level is not entered with more than may be carried',
    'obstacles(open, level, rules).length) return { level, carried }',
    'false) return { level, carried }',
  ),
  attended('absences/shares.server.ts')(
    'no ban is proposed in a linked offering that control has',
    "(o.control_status <> 'Draft' or not ${comes('r')}) as settled",
    "(not ${comes('r')}) as settled",
  ),
  of('db/functions/enrolment/attendance_of_held_meeting.sql', 'areas/enrolment/attendance')(
    'a meeting that is cancelled while somebody scans counts nobody',
    'where id = new.occurrence_id and cancelled_at is null for share',
    'where id = new.occurrence_id and cancelled_at is null',
  ),
  weekMoved('timetables/timetable.server.ts')(
    'a cancelled date is taken out of a calendar',
    'where c.offering_slot_id = s.id and c.cancelled_at is not null',
    'where c.offering_slot_id = s.id and c.cancelled_at is null',
  ),
  weekMoved('feeds/feed.server.ts')(
    'a calendar is written anew when a date of it is cancelled',
    '(x.cancelled_at is not null or x.makes_up_id is not null)',
    'x.makes_up_id is not null',
  ),
  of('areas/records/students/shares/shown.server.ts', 'areas/records/students/shares')(
    'attendance is shown to whom the student lets see it',
    "const attended = has('attendance')",
    "const attended = has('attendance') || has('grades')",
  ),
  of('areas/records/grading/rechecks/fee.server.ts', 'areas/records/grading/rechecks')(
    'a correction costs nothing',
    "where t.id = ${id} and t.kind = 'recheck'`",
    'where t.id = ${id}`',
  ),
  of('areas/records/grading/rechecks/fee.server.ts', 'areas/records/grading/rechecks/fee.own.test.ts')(
    'the fee is kept where the university says so',
    "recheck_fee_back === 'true')",
    "recheck_fee_back !== '')",
  ),
  of('areas/money/invoices/prices.server.ts', 'areas/money/invoices/prices.test.ts')(
    'only what differs is outdated',
    'rows.filter((one) => one.before !== one.now)',
    'rows.filter((one) => one.now > 0)',
  ),
  of('areas/money/invoices/holds.server.ts', 'areas/money/invoices/notices.test.ts')(
    'a hold and its end are told apart',
    "held ? 'invoices.notice_hold' : 'invoices.notice_hold_lifted'",
    "'invoices.notice_hold'",
  ),
  of('areas/enrolment/transfers/equivalence/paper.server.ts', 'areas/enrolment/transfers/transfers.test.ts')(
    'the paper of equivalences certifies the present study alone',
    'where x.executed_at >= coalesce(',
    "where x.executed_at > x.executed_at - interval '1 day' or x.executed_at >= coalesce(",
  ),
  of('areas/enrolment/transfers/external/external.rules.ts', 'areas/enrolment/transfers/external')(
    'a course is entered once in a transfer',
    'if (keys.has(codeKey(code)))',
    'if (false)',
  ),
  of('areas/enrolment/transfers/external/external.server.ts', 'areas/enrolment/transfers/external')(
    'a course from elsewhere that is there changes for who has seen it as it is',
    'if (version !== transfer.version)',
    'if (false)',
  ),
  of('areas/enrolment/transfers/external/external.server.ts', 'areas/enrolment/transfers/external')(
    'courses of one place go into the record that waits',
    'if (row.open_id !== null) {',
    'if (false) {',
  ),
  of('areas/enrolment/transfers/external/external.server.ts', 'areas/enrolment/transfers/external')(
    'who enters courses holds the student: two do not begin two records',
    "${scopeCondition(ctx, 'edit_equivalence', studentReach(ctx, 's'))}\n      for no key update`",
    "${scopeCondition(ctx, 'edit_equivalence', studentReach(ctx, 's'))}`",
  ),
  of('areas/enrolment/transfers/external/external.server.ts', 'areas/enrolment/transfers/external')(
    'nobody enters the own courses from elsewhere',
    "if (row.own) throw refuse(403, 'step_own')",
    "if (false) throw refuse(403, 'step_own')",
  ),
  of('areas/enrolment/transfers/external/external.server.ts', 'areas/enrolment/transfers/external')(
    'nobody decides what the own courses from elsewhere count as',
    "if (row.steps.own) throw refuse(403, 'step_own')",
    "if (false) throw refuse(403, 'step_own')",
  ),
  of('areas/enrolment/transfers/equivalence/proposal.server.ts', 'areas/enrolment/transfers/external')(
    'a decision on a course of another faculty of the university is none on this one',
    'coalesce(x.university_faculty_id = (',
    'coalesce(x.university_faculty_id is not null or x.university_faculty_id = (',
  ),
  of('areas/enrolment/transfers/equivalence/proposal.server.ts', 'areas/enrolment/transfers/external')(
    'nothing is credited besides an equal course that is passed',
    'flatMap(({ course_id }) => [course_id!, ...(equals.get(course_id!) ?? [])])',
    'map(({ course_id }) => course_id!)',
  ),
  equivalence(
    'a grade that is worth something else since is decided on again',
    'range?.success === true && range.points === one.points',
    'range?.success === true',
  ),
  equivalence('a course that has fewer hours since is decided on again', 'one.hours <= course.hours &&', ''),
  of('areas/enrolment/transfers/internal/internal-calls.server.ts', 'areas/enrolment/transfers/internal')(
    'nobody decides what the own courses count as',
    "key === 'edit_equivalence' && row.steps.own",
    'false',
  ),
  of('areas/common/settings/universities-list/merge.server.ts', 'areas/enrolment/transfers/external')(
    'faculties of two universities are not merged',
    'if (table === universityFaculty.table) await refuseOfAnother',
    'if (false) await refuseOfAnother',
  ),
  of('db/functions/enrolment/follow_university.sql', 'areas/enrolment/transfers/external')(
    'courses follow a university that is merged into another',
    "set source_key = 'u' || new.university_id ||",
    "set source_key = 'u' || old.university_id ||",
  ),
  specialising('distribution/inputs.server.ts')(
    'a specialisation that leads elsewhere since is not confirmed',
    'JSON.stringify([\n    general_program_id,\n    program_id,',
    'JSON.stringify([\n    general_program_id,',
  ),
  specialising('students/given.server.ts')(
    'what was given is not taken back after courses were credited there',
    'k.student_id = s.id and k.created_at > g.assigned_at',
    'k.student_id = s.id and k.created_at < g.assigned_at and false',
  ),
  specialising('students/students.server.ts')('nobody specialises the own record', 'if (own) {', 'if (false) {'),
  of('areas/enrolment/transfers/external/external.server.ts', 'areas/enrolment/transfers/transfers.test.ts')(
    'nobody decides on the own courses from elsewhere',
    'where s.id = t.student_id and s.user_id = any(${people}))`,',
    'where s.id = -t.student_id and s.user_id = any(${people}))`,',
  ),
  // The degree audit
  of('areas/records/degree-audit/audits/evaluate.rules.ts', 'tests/degree-audit.test.ts')(
    'certain: a course that was settled counts nowhere else but where courses are shared',
    'decidedOnly ? elsewhere.filter(shared) : elsewhere',
    'elsewhere',
  ),
  of('areas/records/degree-audit/audits/bound.rules.ts', 'areas/records/degree-audit/audits/evaluate.test.ts')(
    'the bound takes back what was sent the wrong way',
    'room[arc ^ 1]! += one',
    'room[arc ^ 1]! += 0',
  ),
  audited('search.rules.ts')(
    'a contested place is taken once',
    '        if (slot >= 0 && ways.isTaken(w, slot)) continue\n',
    '',
  ),
  audited('search.rules.ts')(
    'a course may leave its place to a later one',
    '      if (!stays) continue\n',
    '      if (places.length) continue\n',
  ),
  audited('search.rules.ts')(
    'no way is given up that could still come to more',
    'then = Math.max(then, value[THEN]! - later.all)',
    'then = Math.max(then, value[THEN]!)',
  ),
  audited('bound.rules.ts')(
    'the bound lets the heaviest course take a contested place',
    'amount > (heaviest.get(slot)?.amount ?? -1)',
    '!heaviest.has(slot)',
  ),
  audited('layer.rules.ts')(
    'of two ways that leave the same the better is kept',
    'if (better(value, this.value, Layer.FIGURES, 0, there * Layer.FIGURES)) this.write(there, from, put, value)',
    '',
  ),
  audited('figures.rules.ts')(
    'figures are told apart by what every leaf of a requirement holds',
    '* strides[j]!',
    '* strides[0]!',
  ),
  audited('compile.rules.ts')(
    'courses of a requirement that shares count elsewhere too',
    'apart(nodes[parent]!.one) || shares(one)',
    'apart(nodes[parent]!.one)',
  ),
  audited('evaluate.rules.ts')(
    'a course stands in for another in each requirement for which that was granted',
    "if (by !== 'substitute') continue",
    "if (by !== 'substitute' || one.held.size > 1) continue",
  ),
  audited('evaluate.rules.ts')(
    'what a placement excuses from is not asked for',
    '          sum += leaf.listed.get(id)!\n',
    '          sum += 0\n',
  ),
  audited('evaluate.rules.ts')(
    'a grade that is too low does not count',
    '(course.points ?? -1) >= cents(min_points)',
    'course.points !== undefined',
  ),
  audited('evaluate.rules.ts')(
    'certain: a course with several places counts in none',
    "        if (assign === 'certain' && !certain) continue\n",
    '',
  ),
  secondRecord(
    'a second record is opened by who says so',
    'if (!added.is_second_record) {',
    'if (!added.is_second_record && found.length > 9) {',
  ),
  secondRecord(
    'a person has one record in a program',
    'found.some((one) => one.program_id === added.program_id)',
    'found.length > 9',
  ),
  secondRecord(
    'a second record is of the same person',
    'found.flatMap((one) => one.differs)',
    'found.flatMap(() => [])',
  ),
  request(
    'a course is taken in one of two programs',
    '  found.push(...inOtherProgram(course.code, same, elsewhere))\n',
    '',
  ),
  request('meetings of the other program clash', '[...loaded, ...running(elsewhere)]', '[...loaded]'),
  turnsOfPerson('migrations/0060_enrolment.sql')(
    'requests in two records do not pass each other',
    'new.account is not null and pg_trigger_depth() = 0',
    'new.account is not null and pg_trigger_depth() > 9',
  ),
  turnsOfPerson('migrations/0050_records.sql')(
    'a national id is borne by records of one account',
    '(coalesce(user_id, -id)) with <>',
    '(abs(user_id) * 0) with <>',
  ),
  turnsOfPerson('functions/people/name_account_by_record.sql')(
    'one person bears one name',
    'where user_id = $1.user_id and removed_at is null',
    'where false',
  ),
  placesOf('a person has so many calls in flight', 'party.busy[sort] < party.share[sort] && ', ''),
  placesOf('whoever was served goes behind the others', 'this.queues[sort].delete(who)', 'void who'),
  keyOfChance('a key is long', 'if (text.length < 32) return false', 'if (text.length < 8) return false'),
  keyOfChance('a row of characters is no chance', 'bits * (1 - steps / piece) >= LEAST_BITS', 'bits >= LEAST_BITS'),
  tokenOf('a token is believed by its signature', 'execute: [oidc.enableNonRepudiationChecks, ', 'execute: ['),
  scopeOf('a scope is never unknown', ': isOneOf(column, ids))', ': sql`${column} = any(${ids}::int[])`)'),
  chainEnd('another key writes no end of the chain', 'if (last && strange && !sealed)', 'if (last && !last)'),
  personOf(
    'who is logged in as one record comes to no other',
    's.impersonator_id is not null and s.student_id is not null',
    'false',
  ),
  ownRecords('the own records are those of the account', 's.user_id = ${account} and s.removed_at', 's.removed_at'),
  ownRecords('a blocked record is not chosen', 'if (record.blocked)', 'if (record.id < 0)'),
  of('kit/server/http/app.ts', twoTests)(
    'what was meant for one record is not done in the other',
    'if (record !== undefined && record !== String(actor.student_id))',
    'if (record !== undefined && record === "never")',
  ),
  of('areas/records/merging/doubles.server.ts', 'areas/records/merging')(
    'records of one account are no doubles',
    'a.id < b.id and (a.account = b.account) is not true',
    'a.id < b.id',
  ),
  examSolver('search.rules.ts')(
    'a pair that only changes sides saves nothing',
    'delta += 2 * pair[a * S + b]! * across',
    'delta += across - across',
  ),
  examSolver('search.rules.ts')(
    'a chain keeps orders',
    'if (!plan.inOrder(moved[i]!, next[moved[i]!]!, next)) return Number.NaN',
    'if (plan.model.S < 0) return Number.NaN',
  ),
  examSolver('seating.rules.ts')(
    'who wants a hall alone has it alone',
    'if (inside > 0) return !alone[exam] && this.alone[at] === 0',
    'if (inside > 0) return true',
  ),
  examSolver('seating.rules.ts')(
    'a hall is not free for a slot that begins before the other ends',
    'if (this.count[other * R + hall]! > 0 ||',
    'if (',
  ),
  examSolver('loads.rules.ts')(
    'who has it worst is looked for anew',
    'else if (atWorst === 0 && worstTouched < worst)',
    'else if (atWorst < 0 && worstTouched < worst)',
  ),
  examSolver('repair.rules.ts')(
    'of equal repairs the one that costs least',
    'if (this.best && !isLess(rank, this.bestRank)) return',
    'if (this.best && rank.length === 0) return',
  ),
  examSolver('impossible.rules.ts')(
    'exams bound to the same few slots are told',
    'for (const slot of allowed[one]!) {',
    'for (const slot of Array(99).keys()) {',
  ),
  examSolver('staff.rules.ts')(
    'nobody invigilates beside the own exam',
    '...(person.own ?? []).map((exam) => placements[exam]!.slot)',
    '',
  ),
  examRule('solver/staff.rules.ts')(
    'who looks after a hall already stays',
    'if (stays.has(`${one.slot} ${one.hall} ${person}`)) continue',
    '',
  ),
  examRule('schedules/clash.rules.ts')(
    'exams at the same time are an error',
    "one.same_time ? [{ field: 'exam_slot_id'",
    "!one.same_time ? [{ field: 'exam_slot_id'",
  ),
  examRule('schedules/clash.rules.ts')(
    'a hall takes no more than is free',
    'taken + wanted > hall.seats',
    'wanted > hall.seats',
  ),
  examRule('schedules/clash.rules.ts')(
    'an invigilator who is busy does not go along',
    'people.filter((one) => free.has(one.instructor_id) && halls',
    'people.filter((one) => halls',
  ),
  examRule('exams/exam.contract.ts')(
    'what was held and recorded is not planned anew',
    'if (ahead > 0 || absences + cases + deliveries === 0) return []',
    'if (ahead >= 0) return []',
  ),
  examRule('exams/exam.contract.ts')(
    'while something lies ahead an exam can be planned anew',
    'if (ahead > 0 || absences',
    'if (absences',
  ),
  examRule('exams/exam.contract.ts')(
    'an exam is published when everybody has a seat',
    "...(unseated ? [{ code: 'exam_unseated'",
    "...(unseated < 0 ? [{ code: 'exam_unseated'",
  ),
  examRule('placement/placement.rules.ts')(
    'what another officer moved is not overwritten',
    'const moved = before[1] !== on_date || before[2] !== slot',
    'const moved = before[1] !== on_date && before[2] !== slot',
  ),
  examRule('placement/placement.rules.ts')(
    'an incomplete plan is taken only knowingly',
    'if (unplaced.length && !incomplete)',
    'if (unplaced.length && incomplete)',
  ),
  examRule('placement/placement.rules.ts')(
    'no plan is taken that overfills a hall',
    'if (wanted <= seats) continue',
    'if (wanted <= seats * 2) continue',
  ),
  examRule('placement/placement.rules.ts')(
    'no plan is taken with students in two exams at once',
    'if (x < 0 || y < 0 || !atOnce(problem, x, y)) continue',
    'if (x < 0 || y < 0 || x === y) continue',
  ),
  examRule('placement/placement.rules.ts')(
    'who gives seats back does so first',
    'lackOf(a) - lackOf(b) || a - b',
    'lackOf(b) - lackOf(a) || a - b',
  ),
  examRule('placement/placement.rules.ts')(
    'an exam that wants its halls alone has them alone in a plan that is taken',
    'if (shared) wrong.add(exam)',
    '',
  ),
  examRule('board/board.rules.ts')(
    'a hall that is not to be had has no seats on the board',
    'left.set(one.location_id, 0)',
    'left.get(one.location_id)',
  ),
  examRule('board/board.rules.ts')(
    'exams of other plans count on the board',
    'meet(one.name, one.from < to && from < one.to, one.from',
    'meet(one.name, false, one.from',
  ),
  merging('pointers.rules.ts')(
    'who invigilated as the record that went invigilates as the one that stays',
    'k.during && r.during\n        and (k.location_id',
    'k.during && r.during and k.id = r.id\n        and (k.location_id',
  ),
  merging('pointers.rules.ts')(
    'who was away from exams is away as the record that stays',
    "'exam_closures.instructor_id': moves('meetings', { remembered: ['id'] })",
    "'exam_closures.instructor_id': 'stays'",
  ),
  merging('pointers.rules.ts')(
    'departments follow their head',
    "'departments.head_id': moves('departments')",
    "'departments.head_id': 'stays'",
  ),
  examRule('board/board.rules.ts')(
    'students who only sit other plans are not counted',
    'for (const student of sits) {',
    'for (const student of of.keys()) {',
  ),
  examRule('board/board.rules.ts')('fewer is better', "to < from ? 'better'", "to > from ? 'better'"),
  examRule('board/board.rules.ts')(
    'a closed time is told before a clash',
    "if (closed) return { fit: 'taken', why: 'closed' }",
    "if (closed && !first) return { fit: 'taken', why: 'closed' }",
  ),
  examDay('seats/places.rules.ts')(
    'the end of a row is no neighbour of the next',
    'at < across - 1 ?',
    'at < across ?',
  ),
  examDay('seats/places.rules.ts')(
    'a hall with one exam has no pairs that could be parted',
    'if (new Set(by.values()).size < 2) return 0',
    'if (!by.size) return 0',
  ),
  examSeats('neighbours write different exams', 'if (bestWrong > 0 && spare > 0) {', 'if (bestWrong > 99) {'),
  examSeats('friends sit apart', 'if (wrong(seat) + wrong(other) >= before) swap', 'if (before > 0) swap'),
  examSeats('who has a seat keeps it', 'there.part.kept.set(student, seat.seat - 1)', 'taken.delete("")'),
  examDay('absences/absence.rules.ts')(
    'nobody is absent before the exam has begun',
    '...(one.begun ? []',
    '...(course ? []',
  ),
  examDay('absences/absence.rules.ts')(
    'control holds absences of final exams',
    '((final || graded) && held ? [held] : [])',
    '(graded && held ? [held] : [])',
  ),
  examDay('cases/case.rules.ts')(
    'a course that control holds is not punished',
    'stands : held ? [held] : []',
    'stands : []',
  ),
  examDay('deliveries/delivery.rules.ts')(
    'papers that differ need a reason',
    'papers.returned !== papers.present) &&',
    'papers.returned === -1) &&',
  ),
  examDay('deliveries/delivery.rules.ts')('counts of an approved offering stay', 'approved ? [{', '!course ? [{'),
  examDay('seats/seats.server.ts')('stale seats are not taken', '!== found.print', '=== "x"'),
  examDay('absences/absence.rules.ts')(
    'who has a mark is not recorded as absent',
    "mark === null || mark === 'A' ? []",
    "mark !== 'x' ? []",
  ),
  examDay('absences/absence.rules.ts')(
    'control holds absences that stand in marks',
    '(final || graded) && held',
    'final && held',
  ),
  examDay('absences/absence.server.ts')(
    'whom somebody else recorded meanwhile stays',
    "again === 'counted' ? rows.filter((one) => !isRecorded(one.standing)) : rows",
    'rows',
  ),
  examDay('absences/absence.server.ts')(
    'of a hall only who sits there is recorded',
    'exams.has(one) ? [] :',
    'exams.size ? [] :',
  ),
  examDay('absences/hall.rules.ts')(
    'a code comes before a seat',
    'rows.find((one) => one.student.code?.toLowerCase() === text) ??',
    '',
  ),
  examDay('cases/case.rules.ts')(
    'what control holds is not given back',
    "held && main === 'Punished' ? [held] : []",
    "held && main === 'Absent' ? [held] : []",
  ),
  examDay('seats/sheets.server.ts')(
    'lists that are printed again replace the wrong ones',
    'and x.location_id <> p.location_id and exam_list_print',
    'and x.location_id = p.location_id and exam_list_print',
  ),
  examDay('told.server.ts')(
    'a moved exam is told once',
    'set told = s.during from moved',
    'set told = s.told from moved',
  ),
  of('areas/study/scheduling/timetables/exams.server.ts', 'areas/study/scheduling/calendar.test.ts')(
    'only published exams stand in timetables',
    "e.status = 'published' and s.removed_at is null and s.during is not null",
    's.removed_at is null and s.during is not null',
  ),
  of('areas/study/scheduling/timetables/exams.server.ts', 'areas/study/scheduling/calendar.test.ts')(
    'an exam that is planned anew is cancelled where it was told',
    'else s.told end as at',
    'else s.during end as at',
  ),
  of('areas/records/grading/barcodes/backup.server.ts', 'areas/records/grading/barcodes')(
    'a barcode is on one paper only',
    'if (used && used.registration_id !== registration_id)',
    'if (used && used.registration_id === -1)',
  ),
  payment('events.rules.ts')(
    'another amount than was asked is booked by nobody alone',
    'event.amount !== charge.amount || event.currency !== charge.currency',
    'event.currency !== charge.currency',
  ),
  payment('events.rules.ts')(
    'a payment is booked once',
    "if (charge.payment === event.payment) return 'repeated'",
    "if (charge.payment === event.order) return 'repeated'",
  ),
  payment('events.rules.ts')(
    'paid a second time waits for a person',
    "if (charge.payment !== null || charge.status === 'paid') return 'again'",
    '',
  ),
  payment('events.rules.ts')(
    'failed after paid does nothing',
    `charge.status === 'new' || charge.status === 'pending'
      ? 'recorded'`,
    `charge.status !== 'expired'
      ? 'recorded'`,
  ),
  payment('fawry.rules.ts')(
    'what was paid is signed as well as what was asked',
    `    payment,
    order,
`,
    `    order,
    order,
`,
  ),
  payment('fawry.rules.ts')('less than was asked is less', 'amount: Math.min(asked, paid)', 'amount: asked'),
  payment('paymob.rules.ts')(
    'a transaction with a parent is no payment',
    "f.is_voided === 'true' || f.has_parent_transaction === 'true'",
    "f.is_voided === 'true'",
  ),
  payment('paymob.rules.ts')(
    'only the integration that is set',
    "if (f.integration_id === '' || f.integration_id !== integrations[f.currency]) return null",
    '',
  ),
  payment('signing.server.ts')(
    'a signature is compared whole',
    'a.length === b.length && timingSafeEqual(a, b)',
    'timingSafeEqual(a.subarray(0, Math.min(a.length, b.length)), b.subarray(0, Math.min(a.length, b.length)))',
  ),
  payment('paymob.rules.ts', 'callbacks')(
    'a reference that nobody signed books nothing',
    'reference_signed: false',
    'reference_signed: true',
  ),
  payment('amounts.rules.ts')(
    'an amount is no finer than its currency',
    '/[1-9]/.test(fraction.slice(digits))',
    'false',
  ),
  payment('pay.server.ts', 'callbacks')('two devices at once get the same number', 'for no key update of i`', '`'),
  payment('pay.server.ts')('two devices at once get the same number', 'for no key update of i`', '`'),
  applicantFee('nothing is paid for an application that ended', 'if (ENDED.includes(status)) return []', ''),
  applicantFee('the exam is paid for each attempt', "(fee !== 'exam' || one.attempt === exam_attempt)", 'true'),
  applicantFee('an admission that has closed takes no fee for applying', "(fee !== 'application' || writable)", 'true'),
  applicantFee('a fee is asked for where the application stands', 'ASKED_IN[fee].includes(status) && ', ''),
  applicantFee('a settled fee stays while an application is on hold', "if (to === 'REJECTED') return false", ''),
  applicantFee('an exam that was sat is not given back', 'attempt === exam_attempt && (from', '(from'),
  applicantFee(
    'an earlier attempt leads nowhere',
    "fee === 'exam' && attempt === exam_attempt && ",
    "fee === 'exam' && ",
  ),
  applicantPays('fees/charge.server.ts')(
    'a fee is charged once',
    'if (of.there !== null) return { invoice_id: of.there, settled: false }',
    '',
  ),
  applicantPays('fees/charge.server.ts')(
    'what lies in the wallet is not paid twice',
    'const there = Math.min(amount, rows[0]?.wallet ?? 0)',
    'const there = 0',
  ),
  applicantPays('fees/follow.server.ts')(
    'a payment that is cancelled is noted',
    'case when ${now.settled} then null else now() end',
    'null',
  ),
  applicantPays('website/ticket.server.ts')(
    'a ticket opens the papers of its own application',
    "if (!(until > Date.now())) throw refuse(404, 'application_unknown')",
    '',
  ),
  applicantPays('website/payment.server.ts')(
    'an applicant pays by a provider what is the own',
    'within: sql`p.applicant_id = ${id}::int`',
    'within: sql`(p.applicant_id = ${id}::int or true)`',
  ),
  sponsorShares('sponsors take over no more than is charged', '      limit,\n      wanted', '      wanted'),
  sponsorShares(
    'a second sponsor takes of what is left of an item',
    'Math.min(left[i]!, shareOfAmount',
    'Math.max(left[i]!, shareOfAmount',
  ),
  sponsorShares(
    'what was kept when a sponsor withdrew comes first',
    'Number(a.kept === null) - Number(b.kept === null) || a.id - b.id',
    'a.id - b.id',
  ),
  sponsorShares('a sponsor pays no more of an invoice than its cap', 'terms.invoice_cap ?? Infinity', 'Infinity'),
  sponsorShares(
    'a sponsor pays no more in a year than its cap',
    'Math.max(0, terms.year_cap - terms.used)',
    'terms.year_cap',
  ),
  sponsorShares('a sponsor pays for chosen kinds only', 'terms.types.includes(item.type) ||', 'true ||'),
  sponsorShares(
    'what was closed is paid first',
    'for (const line of lines) if (line.closed) pay(line, line.amount)',
    '',
  ),
  sponsorShares('a part payment by shares adds up', '(more.has(i) ? 1 : 0)', '0'),
  sponsorShares('what goes back stands before later parts', 'later < 0 ? all.length : later', 'all.length'),
  sponsorShares('an invoice keeps three parts', 'if (all.length < most)', 'if (all.length <= most)'),
  sponsorShares(
    'a term that is over stays the sponsor’s',
    'term === null || term.end_date >= day',
    'term === null || term.end_date !== day',
  ),
  sponsorShares('students do not pay by a day that is over', 'due_on < today', 'due_on < day + today'),
  invoiceParts(
    'more never takes all of the next part',
    'Math.max(1, settledOf(of.parts, of.settled)[at]!))',
    'settledOf(of.parts, of.settled)[at]!)',
  ),
  invoiceParts(
    'nothing moves into a part whose day is over',
    'of.parts[at]!.due_date >= of.today && !isPaid(of, at)',
    '!isPaid(of, at)',
  ),
  invoiceParts(
    'nothing moves into a part that is paid',
    'of.parts[at]!.due_date >= of.today && !isPaid(of, at)',
    'of.parts[at]!.due_date >= of.today',
  ),
  invoiceParts('what a part leaves goes to a later one first', 'later[0] ?? earlier[0]', 'earlier[0] ?? later[0]'),
  invoiceParts('a part that is late does not grow', 'if (due_date < of.today)', 'if (due_date > of.today + of.today)'),
  invoiceParts('a paid part is not removed', 'if (isPaid(of, at)) return refused(of, paidReason(of, at))\n', ''),
  invoiceParts(
    'no part comes before one that is paid',
    'place >= 0 && after[place]! < part.amount',
    'place >= 0 && after[place]! < 0',
  ),
  invoiceParts('a part keeps what is paid of it', 'if (amount < least)', 'if (amount < 1)'),
  fees('a course with a price of its own is not charged twice', '!apart.has(course)', 'true'),
  fees(
    'a flat price is no more than its band',
    'Math.min(amount, shareOfAmount(rate, hours, 100))',
    'shareOfAmount(rate, hours, 100)',
  ),
  fees(
    'a course outweighs that it is repeated',
    '(row.course_id ?? null) === null ? 0 : 2',
    '(row.course_id ?? null) === null ? 0 : 0',
  ),
  fees(
    'withdrawn hours count in a band as far as they are charged',
    'BigInt(one.hours) * BigInt(one.charged)',
    'BigInt(one.hours) * BigInt(WHOLE)',
  ),
  simulation(
    'each currency has a sum of its own',
    'one?.currency === currency ? one.amount : 0',
    'one ? one.amount : 0',
  ),
  fees(
    'the most telling price wins',
    '.toSorted((a, b) => specificity(b) - specificity(a) || a.id - b.id)',
    '.toSorted((a, b) => a.id - b.id)',
  ),
  fees(
    'a nationality group counts more than a program',
    "CRITERIA = [\n  'nationality_group_id',\n  'program_id',",
    "CRITERIA = [\n  'program_id',\n  'nationality_group_id',",
  ),
  fees('amounts are rounded half up', '(twice + BigInt(of)) /', 'twice /'),
  fees(
    'all grants together stay under the cap',
    'Math.min(wanted, room, line.amount)',
    'Math.min(wanted, line.amount)',
  ),
  fees('an amount is granted once', 'if (grant.percent === null) left -= amount', ''),
  fees('a year is charged once', "row.per === 'year' && quantity === null &&", 'false &&'),
  fees(
    'an invoice has one currency',
    'if (currencies.length > 1)\n    reasons.push',
    'if (currencies.length > 2)\n    reasons.push',
  ),
  instalments(
    'the last instalment is what remains',
    'const due = i === last ? total : shareOfAmount(total, until, all)',
    'const due = shareOfAmount(total, share, all) + before',
  ),
  instalments(
    'a fine is not more than its cap',
    'Math.min(fine, rule.cap ?? fine, overdue)',
    'Math.min(fine, overdue)',
  ),
  of('areas/money/fees/settings/version.server.ts', 'areas/money/fees')(
    'who saw an older version is refused',
    'if (version !== undefined && version !== last) throw',
    'if (version !== undefined && version > last) throw',
  ),
  of('areas/money/fees/settings/version.server.ts', 'areas/money/fees')(
    'who reaches a faculty changes its prices alone',
    "requireReach(ctx, 'edit_payment_setting', { faculty: facultyOf(row, names) })",
    "requireReach(ctx, 'edit_payment_setting')",
  ),
  feeSettings('scholarships/scholarship.rules.ts')(
    'nobody is granted the own scholarship',
    "if (student.own) reasons.push({ code: 'scholarship_own' })",
    '',
  ),
  feeSettings('scholarships/by-rule.server.ts')(
    'who deserves a scholarship no more loses it',
    'row.reached && !keeps(row)',
    'false && row.reached',
  ),
  of('areas/money/banks/banks/bank.rules.ts', 'areas/money/banks/banks.test.ts')(
    'an IBAN has right check digits',
    'return rest === 1',
    'return rest >= 0',
  ),
  bankFile('amount.rules.ts')(
    'more digits than the currency has are no amount',
    'if (/[1-9]/.test(part.slice(digits))) return null',
    '',
  ),
  bankFile('xml.server.ts')(
    'a document type is refused',
    'if (/<!(?!--|\\[CDATA\\[)/.test(text))',
    'if (/<!NEVER/.test(text))',
  ),
  bankFile('columns.rules.ts')('formula cells are refused', 'if (one && (one.formula ||', 'if (one && (false ||'),
  bankFile('camt.rules.ts')('parts are worth what was booked', 'sum !== total!.amount', 'sum < 0'),
  bankFile('mt940.rules.ts')(
    'a reversal of a credit goes out',
    "mark.endsWith('C') !== reversal",
    "mark.endsWith('C')",
  ),
  slipPart('slips/slip.rules.ts')(
    'nobody pays a reversed invoice by a slip',
    "of.reversed ? [{ code: 'slip_reversed' }]",
    "false ? [{ code: 'slip_reversed' }]",
  ),
  slipPart('slips/slip.rules.ts')(
    'a slip that was handed in makes no room for another',
    "live !== null && live.same && live.status === 'issued' && live.amount !== open",
    'live !== null && live.same && live.amount !== open',
  ),
  slipPart('slips/slip.rules.ts')(
    'what was stamped after its time is not taken in',
    'of.paid_on > of.expires_on',
    "of.paid_on > '9999'",
  ),
  slipPart('slips/slip.rules.ts')(
    'what the bank calls a payment is booked once',
    "...(used ? [{ code: 'bank_reference_used' }] : []),",
    '',
  ),
  slipPart('slips/slip.server.ts')('who handed a slip in does not accept it', 't.uploaded_by = any(${people}) or ', ''),
  slipPart('slips/slip.server.ts')(
    'a slip is booked on the day of the stamp',
    '[one.transaction_id, one.paid_on!]',
    '[one.transaction_id, dayOf()]',
  ),
  slipPart('slips/slip.server.ts')(
    'a slip is seen by who reaches its student',
    'where t.id = ${id} and ${seen(ctx)}`.execute(db)',
    'where t.id = ${id}`.execute(db)',
  ),
  slipPart('moves/once.server.ts')(
    'a key is of one payer and one wish',
    'before.payer_id !== payer_id || !before.same',
    'before.payer_id !== payer_id',
  ),
  slipPart('desk/shift.rules.ts')(
    'nobody reviews the own drawer',
    "of.own ? [{ code: 'shift_review_own' }]",
    "false ? [{ code: 'shift_review_own' }]",
  ),
  slipMigration(
    'of a part of an invoice one slip is out at a time',
    "where (status in ('issued', 'uploaded'))",
    "where (status in ('uploaded'))",
  ),
  bankBatch('match.rules.ts')(
    'what is of two payers is for a person',
    'if (payers.length !== 1)',
    'if (payers.length < 1)',
  ),
  bankBatch('preview.server.ts')(
    'another currency is left',
    'line.currency !== null && line.currency !== bank.currency',
    "line.currency === '???'",
  ),
  bankBatch('book.server.ts')(
    'what came in another file meanwhile is a duplicate',
    'if (again.length)',
    'if (again.length > 1000)',
  ),
  of('areas/money/ledger/reach.server.ts', 'areas/money/ledger/periods', 'areas/money/banks/batches')(
    'books and bank accounts are of the whole university',
    "if (!reachesAll(ctx, key)) throw refuse(403, 'not_allowed')",
    'if (!ctx.can(key)) throw refuse(403, String(reachesAll(ctx, key)))',
  ),
  period('a period is closed when its days are over', 'if (through >= facts.today)', 'if (through > facts.today)'),
  period('a period waits for its drawers', 'if (facts.drawers.length)', 'if (facts.drawers.length > 99)'),
  period('a period waits for a proof', 'if (facts.findings === null)', 'if (false)'),
  period('a proof that found something closes nothing', 'facts.findings > 0', 'facts.findings > 9'),
  period(
    'only the last closing is taken back',
    'last !== null && last > closed_through',
    'last !== null && last < closed_through',
  ),
  periods('period.server.ts')(
    'drawers are those of the period',
    '(x.opened_at at time zone university_zone())::date <= ${through}::date',
    'x.opened_at is null and ${through}::date is not null',
  ),
  periods('period.server.ts')(
    'a proof from before the end of the period says nothing of it',
    '(p.proven_at at time zone university_zone())::date > ${through}::date',
    '(p.proven_at at time zone university_zone())::date > ${through}::date - 9999',
  ),
  of('db/functions/money/ledger_post.sql', 'areas/money/ledger/periods')(
    'nothing is booked on a closed day',
    'greatest(g.day, closed + 1)',
    'g.day',
  ),
  of('db/functions/money/ledger_post.sql', 'areas/money/ledger/periods')(
    'what is booked later keeps its own day',
    'case when g.day <= closed then g.day end',
    'null::date',
  ),
  of('db/functions/money/ledger_post.sql', 'areas/money/ledger/periods')(
    'who books holds the period open',
    "perform pg_advisory_xact_lock_shared(hashtext('ledger_periods'));",
    '',
  ),
  of('db/functions/money/keep_ledger_closing.sql', 'areas/money/ledger/periods')(
    'a closing stays',
    "raise exception using errcode = 'UE409', message = 'ledger_closing_stays';\n  end if;\n  if tg_op = 'INSERT'",
    "return old;\n  end if;\n  if tg_op = 'INSERT'",
  ),
  of('areas/money/ledger/proof/verify.server.ts', 'areas/money/ledger/periods')(
    'an entry in a closed period is found',
    'e.created_at > c.closed_at',
    'e.created_at < c.closed_at',
  ),
  of('areas/money/ledger/journal/journal.rules.ts', 'areas/money/ledger/journal')(
    'both sides of an account are told',
    '...(line.credit ? [{ debit: 0, credit: line.credit }] : [])',
    '...(line.credit && !line.debit ? [{ debit: 0, credit: line.credit }] : [])',
  ),
  of('areas/money/ledger/journal/journal.server.ts', 'areas/money/ledger/periods')(
    'an account without a code is named',
    "if (format !== 'xlsx' && unmapped.length)",
    "if (format !== 'xlsx' && unmapped.length > 99)",
  ),
  reported('financial/financial.rules.ts')(
    'two currencies are two figures',
    'const p = CURRENCY_PREFIX[one.currency as ReportCurrency]\n    const open',
    'const p = CURRENCY_PREFIX.EGP\n    const open',
  ),
  reported('financial/financial.rules.ts')(
    'who neither studies nor has graduated is told apart',
    "status === 'graduated' ? 'grad' : 'other'",
    "status === 'graduated' ? 'grad' : 'studing'",
  ),
  reported('financial/financial.server.ts')(
    'a student of several programs is counted once in the sum',
    'found.parts.filter((one) => one.whole)',
    'found.parts.filter((one) => !one.whole)',
  ),
  reported('financial/financial.server.ts')(
    'a dean sees students within reach alone',
    'reachesAll(ctx, key) ? sql`true` : scopeCondition',
    'reachesAll(ctx, key) || ctx.can(key) ? sql`true` : scopeCondition',
  ),
  reported('financial/financial.server.ts')(
    'who owes a part has not paid',
    'count(*) filter (where o.settled >= o.charged) as paid',
    'count(*) filter (where o.settled > 0) as paid',
  ),
  reported('financial/financial.server.ts')(
    'as of a day only what was booked until then counts',
    'where q.invoice_id is not null and e.booked_on <= ${day}::date',
    'where q.invoice_id is not null and ${day}::date is not null',
  ),
  reported('financial/payments.server.ts')(
    'what a wallet pays is not received again',
    "t.way not in ('wallet', 'deposit')",
    "t.way <> 'deposit'",
  ),
  reported('financial/payments.server.ts')(
    'what was cancelled was not received',
    "t.status = 'paid' and",
    "t.status in ('paid', 'cancelled') and",
  ),
  reported('financial/links.server.ts')(
    'a report by its link has its own right',
    'requireReach(ctx, report.permission)',
    'void requireReach',
  ),
  reported('finance/dashboard.rules.ts')(
    'what is due today is not late',
    "age: 'not_due', from: null, to: 0",
    "age: 'not_due', from: null, to: 1",
  ),
  reported('finance/dashboard.server.ts')(
    'only what was due until yesterday is late',
    'i.due_date < (select day from today) as due',
    'i.due_date < (select day + 30 from today) as due',
  ),
  reported('financial/financial.rules.ts')(
    'prices by other units are not compared',
    'price.per === other.per ?',
    'true ?',
  ),
  refunds('moves/back.rules.ts')(
    'many small refunds are one large one',
    'limit !== null && before + amount > limit',
    'limit !== null && amount > limit',
  ),
  refunds('moves/back.rules.ts')(
    'who asked does not approve',
    'people.some((one) => one === of.asked_by || one === of.really_asked_by)',
    'people.some((one) => one === of.really_asked_by)',
  ),
  refunds('moves/back.rules.ts')(
    'what is asked back is not there for others',
    'const left = of.amount - of.refunded - (of.asked ?? 0)',
    'const left = of.amount - of.refunded',
  ),
  refunds('refunds/refund.server.ts')(
    'paid out is what was approved',
    'demand(checkPayOut(of, peopleOf(ctx)))',
    'demand(checkPayOut({ ...of, status: "approved" }, peopleOf(ctx)))',
  ),
  refunds('refunds/pay-back.server.ts')(
    'of a wallet what went out counts',
    'return needsSecondPerson(limit, firstRow(rows).before, amount)',
    'return needsSecondPerson(limit, Math.min(0, firstRow(rows).before), amount)',
  ),
  misuse('cancel.server.ts')(
    'payers are held before transactions',
    'await holdPayers(tx, sql`select payer_id from transactions where id = any(${[...ids]}::int[])`)\n',
    'void holdPayers\n',
  ),
  callbacks('providers/refund.server.ts')(
    'a refund that may have happened is asked about first',
    'if (of.asked > 0) {',
    'if (of.asked > 99) {',
  ),
  callbacks('providers/refund.server.ts')(
    'no answer is not a no',
    'if (!(error instanceof ProviderRefused)) throw error',
    'if (!(error instanceof Error)) throw error',
  ),
  callbacks('refunds/pay-back.server.ts')(
    'one unanswered refund of a payment at a time',
    "if (pending && of.unanswered) throw refuse(409, 'refund_not_answered')",
    '',
  ),
  of('areas/records/students/record/academic-record.server.ts', 'tests/before-publication.test.ts')(
    'held results are in no record',
    'const eyes: Eyes = reader.staff ? null : visibility',
    'const eyes: Eyes = reader.staff ? null : { ...visibility, letter: "Published" }',
  ),
  // Finance: what tests did not notice once, and what stands beside it
  of('areas/money/transactions/refunds/pay-back.server.ts', 'areas/money/transactions/refunds')(
    'what went out of a wallet in the last 30 days counts, not only today',
    't.booked_on > university_today() - 30',
    't.booked_on > university_today() - 1',
  ),
  of('areas/money/transactions/refunds/pay-back.server.ts', 'areas/money/transactions/refunds')(
    'of a wallet what is asked for counts',
    "and q.status in ('asked', 'approved')), 0))::float8 as before",
    "and q.status = 'none'), 0))::float8 as before",
  ),
  of('areas/money/transactions/refunds/pay-back.server.ts', 'areas/money/transactions/refunds')(
    'of a payment what is asked for counts',
    'of.refunded + of.asked, amount',
    'of.refunded, amount',
  ),
  of('areas/money/transactions/refunds/pay-back.server.ts', 'areas/money/transactions/refunds')(
    'the limit of dollars is that of dollars',
    "currency === 'USD' ? 'refund_limit_usd'",
    "currency === 'XXX' ? 'refund_limit_usd'",
  ),
  of('areas/money/transactions/refunds/refund.server.ts', 'areas/money/transactions/refunds')(
    'approving checks again what there is',
    '  demand(checkRefund(held, of.amount))\n',
    '',
  ),
  of('areas/money/transactions/refunds/refund.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'unanswered refunds are seen within reach',
    "where: [sql`t.status = 'asked'`, decidable(ctx)]",
    "where: [sql`t.status = 'asked'`]",
  ),
  of('areas/money/transactions/refunds/refund.server.ts', 'areas/money/transactions/refunds')(
    'an older version of a request is refused',
    'if (version !== undefined && version !== of.version) throw',
    'if (version !== undefined && version > of.version) throw',
  ),
  of('areas/money/transactions/hold.server.ts', 'areas/money/transactions/refunds')(
    'a wallet is looked at without what others asked out of it',
    "and o.status in ('asked', 'approved') and o.id is distinct from ${request}::int))::float8 as wallet",
    "and o.status = 'none' and o.id is distinct from ${request}::int))::float8 as wallet",
  ),
  of('areas/money/transactions/hold.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'what is refunded by a provider and not answered counts as gone',
    "r.status in ('new', 'pending', 'paid')), 0)::float8`\n/** SQL: what of",
    "r.status in ('paid')), 0)::float8`\n/** SQL: what of",
  ),
  of('areas/money/transactions/providers/refund.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'a refund is done once, whoever says so',
    "answered_at = now(), next_check_at = null, version = version + 1 where refund_id = ${id} and status = 'asked' returning id`.execute(\n    tx,\n  )\n  if (!rows.length) return\n  await sql`update transactions",
    'answered_at = now(), next_check_at = null, version = version + 1 where refund_id = ${id} returning id`.execute(\n    tx,\n  )\n  if (!rows.length) return\n  await sql`update transactions',
  ),
  of('areas/money/transactions/providers/refund.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'news of another refund is not this one',
    'if (!waiting || waiting.known) return',
    'if (!waiting) return',
  ),
  of('areas/money/transactions/providers/refund.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'a refund of another amount is not this one',
    '? event.amount === amount',
    '? event.amount > 0',
  ),
  of('areas/money/transactions/providers/refund.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'two processes do not ask for one refund',
    'limit ${MOST_AT_ONCE} for update skip locked),\n      taken',
    'limit ${MOST_AT_ONCE}),\n      taken',
  ),
  of('areas/money/transactions/slips/slip.server.ts', 'areas/money/transactions/slips')(
    'a slip of the whole is in the way of one of a part',
    '(t.part is null or ${payable.part}::int is null or t.part = ${payable.part}::int)',
    '(t.part is not distinct from ${payable.part}::int)',
  ),
  of('areas/money/transactions/slips/slip.server.ts', 'areas/money/transactions/slips')(
    'a slip is good until its last day',
    "t.status = 'issued' and t.expires_on < university_today()",
    "t.status = 'issued' and t.expires_on <= university_today()",
  ),
  of('areas/money/transactions/slips/slip.server.ts', 'areas/money/transactions/slips')(
    'a bank account that is not in use takes nothing',
    'and k.is_active and k.removed_at is null order',
    'and k.removed_at is null order',
  ),
  of('areas/money/transactions/slips/slip.server.ts', 'areas/money/transactions/slips')(
    'the number of a slip in a file names it',
    '[key, ...(of.number === null ? [] : [referenceKey(of.number)])]',
    '[key]',
  ),
  of('areas/money/transactions/moves/move.server.ts', 'areas/money/transactions/moves/moves.test.ts')(
    'the wallet pays no more than is owed',
    'if (amount > open) throw',
    'if (amount > open + 1e9) throw',
  ),
  of('areas/money/transactions/book.server.ts', 'areas/money/transactions/book.test.ts')(
    'what was rejected is not booked',
    "!['rejected', 'cancelled'].includes(one.status)",
    "!['cancelled'].includes(one.status)",
  ),
  of('areas/money/transactions/allocate.rules.ts', 'areas/money/transactions/book.test.ts')(
    'only what was asked for',
    '  if (!only)\n',
    '',
  ),
  of('areas/money/banks/batches/match.rules.ts', 'areas/money/banks/batches')(
    'who says alone that it is the own is believed by a person',
    "(slip.claimed_at === undefined || proposals.some((one) => one.why !== 'slip'))",
    'true',
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches')(
    'what another bank calls so is another payment',
    "each.kind !== 'slip' || each.claimed_at === undefined || each.claimed_at === bank_id",
    'true',
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches')(
    'a statement of another account within the file is left',
    'if (!isOfBank(account, bank)) return {',
    'if (false) return {',
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches')(
    'duplicates are of one bank',
    'join batch_lines l on l.bank_id = ${bank_id} and',
    'join batch_lines l on',
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches')(
    'invoices that are reversed name nobody',
    '= k.key and i.reversed_at is null join',
    '= k.key join',
  ),
  of('areas/money/banks/batches/book.server.ts', 'areas/money/transactions/slips')(
    'what was accepted meanwhile is not booked again',
    '  await leaveBooked(tx, id)\n  await pay',
    '  await pay',
  ),
  of('areas/money/banks/batches/batch.server.ts', 'areas/money/banks/batches')(
    'an invoice that is reversed takes nothing by hand',
    'i.currency = ${currency} and i.reversed_at is null)) as invoice',
    'i.currency = ${currency})) as invoice',
  ),
  of('areas/money/banks/batches/batch.server.ts', 'areas/money/banks/batches')(
    'an invoice of another currency takes nothing by hand',
    'i.payer_id = ${payer_id} and i.currency = ${currency} and',
    'i.payer_id = ${payer_id} and',
  ),
  of('areas/money/banks/batches/batch.server.ts', 'areas/money/transactions/slips')(
    'a slip that waits for the money is the payment',
    'const slip = await awaitedBy(tx, body.payer_id, line, await paidBeside(tx, line))',
    'const slip = null as number | null',
  ),
  of('areas/money/banks/batches/batch.server.ts', 'areas/money/banks/batches')(
    'a line that could not be read stays left',
    "line.why?.code === 'batch_left_by_hand' && line.why.data?.was === 'wrong'",
    'false',
  ),
  of('areas/money/transactions/providers/settle.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'our reference with another order is not what was agreed',
    '(found.order_number === null || found.order_number === event.order)',
    'true',
  ),
  of('areas/money/transactions/providers/settle.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'what is asked for is told once',
    'if (same.length) return\n',
    '',
  ),
  of('areas/money/transactions/providers/settle.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'what was booked is not asked about any more',
    'set next_check_at = null, updated_at = now() where transaction_id',
    'set updated_at = now() where transaction_id',
  ),
  of('areas/money/transactions/providers/callbacks.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'forged callbacks are kept up to a number',
    "interval '1 day') < ${MOST_FORGED}",
    "interval '1 day') < 1e9",
  ),
  of('areas/office/reports/finance/dashboard.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'what is due today is not overdue on the dashboard',
    'i.due_date < (select day from today) as due',
    'i.due_date <= (select day from today) as due',
  ),
  of('areas/office/reports/finance/dashboard.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'what went back is taken off',
    "sum(case when t.direction = 'out' then -t.amount else t.amount end) as amount, count(*) as count,",
    'sum(t.amount) as amount, count(*) as count,',
  ),
  of('areas/office/reports/finance/dashboard.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'wallets of one currency',
    'where b.currency = ${currency} and b.wallet > 0',
    'where b.wallet > 0',
  ),
  of('areas/office/reports/finance/dashboard.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'a dean sees money within reach',
    'all && faculty_id === null ? sql`true`',
    'faculty_id === null ? sql`true`',
  ),
  of('areas/office/reports/finance/dashboard.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'wallets within reach',
    'b.wallet > 0 and b.payer_id in (select id from paying)',
    'b.wallet > 0',
  ),
  of('areas/office/reports/finance/dashboard.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'last year is the one before',
    'y.start_date < c.start_date\n',
    'y.start_date > c.start_date\n',
  ),
  of('areas/office/reports/financial/payments.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'net is less what went back',
    "'net', x.received - x.paid_back",
    "'net', x.received",
  ),
  of('areas/office/reports/financial/payments.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'invoices within reach',
    '${askedInvoices(asked)} and ${seenPayers(ctx)} group by',
    '${askedInvoices(asked)} group by',
  ),
  of('areas/office/reports/financial/payments.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'reversed invoices are none',
    'where t.reversed_at is null and ${askedInvoices',
    'where ${askedInvoices',
  ),
  of('areas/office/reports/financial/fees.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'prices of two currencies are not compared',
    'first.price?.currency === first.other?.currency ? changeOf',
    'true ? changeOf',
  ),
  of('areas/office/reports/financial/fees.server.ts', 'areas/office/reports/financial/financial.test.ts')(
    'programs of the fee report are within reach',
    'where g.removed_at is null and ${reach} and',
    'where g.removed_at is null and',
  ),
  of('areas/money/invoices/invoice.rules.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'later instalments are due later',
    'i > 0 && one.due_date <= parts[i - 1]!.due_date',
    'i > 0 && one.due_date < parts[i - 1]!.due_date',
  ),
  of('areas/money/invoices/next/next.server.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'what has no price any more stays as it was issued',
    'if (priced.reasons.length || (priced.currency',
    'if ((priced.currency',
  ),
  of('areas/money/invoices/next/next.server.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'an amount is granted once in a year',
    'grants: facts.grants.map((one) => ({ ...one, used: used?.grants[one.id] ?? 0 })),',
    '',
  ),
  of('areas/money/invoices/next/next.server.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'many are issued within reach',
    "s.status = 'studying' and ${scopeCondition(ctx, 'issue_invoice', studentReach(ctx, 's'))}",
    "s.status = 'studying'",
  ),
  of('areas/money/invoices/next/next.server.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'only who studies',
    "and s.status = 'studying' and",
    'and',
  ),
  of('areas/money/invoices/clock.server.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'fines are no reason for fines',
    'Math.max(0, part.amount - own - settled[i]!)',
    'Math.max(0, part.amount - settled[i]!)',
  ),
  of('areas/money/invoices/clock.server.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'fines are by the version that it was issued with',
    'await feeSettingsOf(ctx.db, year_id, version)',
    'await feeSettingsOf(ctx.db, year_id)',
  ),
  of('areas/money/invoices/holds.server.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'only what is the payer’s is lifted',
    'where k.lifted_at is null and (${payers === null} or j.payer_id',
    'where k.lifted_at is null and (true or j.payer_id',
  ),
  of('areas/money/invoices/issue.server.ts', 'areas/money/invoices/next', 'areas/money/invoices/rules.test.ts')(
    'a note follows debts',
    "  await sql`update invoices set version = version + 1 where id = ${invoice.id}`.execute(tx)\n  // What a sponsor takes over is still owed: nothing that hung on it goes.\n  if (charged === 0 && kind !== 'sponsor') await invoiceGone(ctx, tx, invoice.id, reason)\n  await followDebts(ctx, tx, [invoice.payer_id])\n  await tellAccounts(ctx, tx, [invoice.payer_id])\n  await tellStudents(tx, [\n    {\n      key:\n        kind ===",
    '  await sql`update invoices set version = version + 1 where id = ${invoice.id}`.execute(tx)\n  await tellStudents(tx, [\n    {\n      key:\n        kind ===',
  ),
  of('areas/money/fees/scholarships/scholarship.rules.ts', 'areas/money/fees/fees.test.ts')(
    'a scholarship of another faculty is not given',
    '(rule.faculty_id !== null && rule.faculty_id !== student.faculty_id) ||\n    (rule.level !== null && rule.level !== student.level)\n  )',
    '(rule.level !== null && rule.level !== student.level)\n  )',
  ),
  depositRules(
    'a deposit is given back only to who has left',
    "...(hasLeft(of.status) ? [] : [{ code: 'deposit_studies' }]),",
    '',
  ),
  depositRules(
    'nothing goes back while something is owed, unless it is set off',
    '...(of.owed > 0 && !set_off ?',
    '...(of.owed > 0 && set_off ?',
  ),
  depositRules(
    'who is dismissed gets it back only where the university says so',
    "...(of.status === 'dismissed' && !of.back_to_dismissed ?",
    "...(of.status === 'dismissed' && of.back_to_dismissed ?",
  ),
  depositRules('what was given back is not given back again', '...(of.held > 0 ? []', '...(of.held >= 0 ? []'),
  taxDocuments('names are hashed in capitals', 'name.toUpperCase()', 'name'),
  taxDocuments(
    'the name of a list stands before each of its elements',
    'inner.map((one) => said + canonicalText(one))',
    'inner.map((one) => canonicalText(one))',
  ),
  taxDocuments('a receipt names the one before it', 'previousUUID: sale.previous,', "previousUUID: '',"),
  taxDocuments(
    'what is taken back names the receipt of the sale',
    "...(sale.kind === 'R' && { referenceUUID: sale.reference ?? '' }),",
    '',
  ),
  taxDocuments(
    'a large receipt without the id of who paid is not made',
    '...(pounds >= NAMED_FROM && !sale.payer.national_id ?',
    '...(pounds > NAMED_FROM * 10 && !sale.payer.national_id ?',
  ),
  taxDocuments(
    'foreign money needs a rate',
    "...(sale.currency !== 'EGP' && !(sale.rate !== null",
    "...(sale.currency === 'EGP' && !(sale.rate !== null",
  ),
  families('scholarships/scholarship.rules.ts')(
    'a telephone alone grants nothing',
    'has || (proposed && by !==',
    'has || (!has && by !==',
  ),
  families('scholarships/scholarship.rules.ts')(
    'siblings by the telephone are proposed',
    "!has && rule.basis === 'sibling' && fits(student.likely)",
    'false && fits(student.likely)',
  ),
  families('scholarships/by-rule.server.ts')(
    'only those are given what is proposed whom a person names',
    'plan.proposed.filter((student) => said.has(student.student_id))',
    'plan.proposed',
  ),
  families('scholarships/by-rule.server.ts')(
    'a discount of siblings stands on them',
    "if (rule.basis === 'sibling')\n    await keepBasis",
    "if (rule.basis === 'rank')\n    await keepBasis",
  ),
  families('families/family.rules.ts')('nobody makes the own family', "if (one.own) say('family_own')", ''),
  families('families/family.rules.ts')(
    'who studies no more is not put into a family',
    "if (!one.before && one.status !== 'studying')",
    "if (!one.before && one.status === 'nothing')",
  ),
  families('families/family.rules.ts')(
    'nobody is of two families at once',
    'if (one.other !== null) say(',
    'if (one.other === undefined) say(',
  ),
  families('families/family.rules.ts')(
    'a family has two students',
    'one.student_id)).size < 2',
    'one.student_id)).size < 1',
  ),
  families('families/family.server.ts')(
    'whoever puts students together reaches each of them',
    'if (!found?.mine) throw',
    'if (!found) throw',
  ),
  families('families/family.server.ts')(
    'a family ends once',
    "if (found.status !== 'active') throw refuse(409, 'family_ended')",
    '',
  ),
  of('areas/money/fees/scholarships/grants.server.ts', 'areas/money/fees/fees.test.ts')(
    'nobody removes the own',
    "if (found.own) throw refuse(403, 'scholarship_own')",
    '',
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches')(
    'a slip is paid by one line of a file',
    'if (one.transaction_id !== null) taken.add(one.transaction_id)',
    '',
  ),
  of('areas/money/banks/batches/batch.server.ts', 'areas/money/banks/batches')(
    'what went out stays out, counted again',
    "if (never) Object.assign(one, { state: 'not_booked', why: never })\n  else ",
    '',
  ),
  of('areas/money/banks/batches/batch.server.ts', 'areas/money/banks/batches')(
    'what was turned round stays so, counted again',
    "in ('batch_outgoing', 'batch_reversal')",
    "in ('batch_outgoing')",
  ),
  of('areas/money/transactions/refunds/refund.server.ts', 'areas/money/transactions/refunds')(
    'approving checks again what there is',
    '  demand(checkRefund(held, of.amount))\n',
    '',
  ),
  of('areas/money/transactions/providers/refund.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'two processes do not ask for one refund',
    'limit ${MOST_AT_ONCE} for update skip locked),\n      taken',
    'limit ${MOST_AT_ONCE}),\n      taken',
  ),
  of('areas/money/transactions/book.server.ts', 'areas/money/transactions/book.test.ts')(
    'what was rejected is not booked',
    "!['rejected', 'cancelled'].includes(one.status)",
    "!['cancelled'].includes(one.status)",
  ),
  of('areas/money/transactions/book.server.ts', 'areas/money/transactions/book.test.ts')(
    'of two payments at once the second finds what is left',
    'open: invoice.open - (taken.get(invoice.id) ?? 0) })',
    'open: invoice.open - 0 * (taken.get(invoice.id) ?? 0) })',
  ),
  of('areas/money/transactions/slips/slip.server.ts', 'areas/money/transactions/slips')(
    'an officer does not accept the own slip',
    'or exists (select from ${STUDENT} and s.user_id = any(${people}))',
    'or false',
  ),
  of('areas/money/invoices/next/next.server.ts', 'areas/money/invoices/next/next.test.ts')(
    'a reversed invoice is no obstacle',
    'and i.term_id = ${term_id} and i.reversed_at is null\n',
    'and i.term_id = ${term_id}\n',
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches')(
    'duplicates are of one bank',
    'join batch_lines l on l.bank_id = ${bank_id} and',
    'join batch_lines l on',
  ),
  of('areas/money/transactions/refunds/refund.server.ts', 'areas/money/transactions/refunds')(
    'cash is paid out by who pays out wallets, not by who gives payments back',
    "const payer = (way: string) => (way === 'cash' ? 'pay_out_wallet' : 'refund_payment')",
    "const payer = (_way: string) => 'refund_payment' as 'refund_payment' | 'pay_out_wallet'",
  ),
  of('areas/money/transactions/providers/refund.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'where the provider cannot say whether it happened it is not asked again',
    'if (told === null) throw new ProviderDown(`${of.provider} cannot say whether it happened`)',
    '',
  ),
  of('areas/money/transactions/providers/refund.server.ts', 'areas/money/transactions/providers/callbacks.test.ts')(
    'a definite no takes back what was booked',
    '  await cancelTransactions(ctx, tx, [id], `The provider did not take the refund: ${said}`.slice(0, 300))\n',
    '',
  ),
  of(
    'areas/money/transactions/slips/slip.server.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )('slips are listed within reach', 'where: [seen(ctx)],', 'where: [],'),
  of(
    'areas/money/transactions/slips/slip.server.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )(
    'a slip is issued within reach',
    "where i.id = ${invoice} and ${seen(ctx, ['pay_online', 'decide_slip'])}",
    'where i.id = ${invoice}',
  ),
  of(
    'areas/money/transactions/slips/slip.server.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )(
    'money is entered within reach',
    "and s.removed_at is null and ${seen(ctx, 'enter_payment')}`.execute(",
    'and s.removed_at is null`.execute(',
  ),
  of(
    'areas/money/transactions/moves/move.server.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )(
    'a wallet is of the reach',
    "where i.id = ${invoice} and i.reversed_at is null and ${studentReached(ctx, 'pay_online')}",
    'where i.id = ${invoice} and i.reversed_at is null',
  ),
  of(
    'areas/money/transactions/desk/desk.server.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )(
    'a press of the button is of one payer and amount',
    'before.payer_id !== payer_id || before.amount !== body.amount || before.currency !== body.currency',
    'before.payer_id !== payer_id',
  ),
  of(
    'areas/money/transactions/desk/desk.server.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )(
    'students are found within reach at the desk',
    'where s.removed_at is null and ${within} order by',
    'where s.removed_at is null order by',
  ),
  of(
    'areas/money/transactions/desk/shift.server.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )('every currency in the drawer is counted', '  if (missing.length)\n', '  if (missing.length > 9)\n'),
  of(
    'areas/money/transactions/desk/shift.server.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )(
    'a drawer counts what was taken less what was paid out',
    'coalesce(c.expected, c.opening + x.taken - x.paid_out)',
    'coalesce(c.expected, c.opening + x.taken)',
  ),
  of(
    'areas/money/transactions/desk/shift.rules.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )('an open drawer is not reviewed', "...(of.closed ? [] : [{ code: 'shift_not_closed' }]),", ''),
  of(
    'areas/money/transactions/moves/back.rules.ts',
    'areas/money/transactions/slips',
    'areas/money/transactions/moves',
  )(
    'what went through a drawer that is closed is not cancelled',
    "...(of.shift_closed ? [{ code: 'cancel_shift_closed' }] : []),",
    '',
  ),
  of('areas/money/transactions/book.server.ts', 'areas/money/transactions/slips', 'areas/money/transactions/moves')(
    'holds are lifted when it is booked',
    '  await writeAllocations(tx, booked)\n  const payers = [...new Set(booked.map((one) => one.payer_id))]\n  await followDebts(ctx, tx, payers)',
    '  await writeAllocations(tx, booked)\n  const payers = [...new Set(booked.map((one) => one.payer_id))]',
  ),
  of('areas/money/banks/batches/book.server.ts', 'areas/money/banks/batches')(
    'one file of a bank after the other',
    'order by k.id, x.id for no key update of k`',
    'order by k.id, x.id`',
  ),
  of('areas/money/banks/files/xml.server.ts', 'areas/money/banks/files')(
    'XML is not deep',
    'if (++depth > DEEPEST)',
    'if (++depth > 1e9)',
  ),
  of('areas/money/banks/files/xml.server.ts', 'areas/money/banks/files')(
    'XML has no endless text',
    'if (collected.length > LONGEST)',
    'if (collected.length > 1e9)',
  ),
  of('areas/money/transactions/providers/fawry.server.ts', 'areas/money/transactions/providers')(
    'a callback of Fawry is signed',
    "if (!read || !genuine(read)) return 'forged'",
    "if (!read) return 'forged'",
  ),
  of('areas/money/transactions/providers/paymob.server.ts', 'areas/money/transactions/providers')(
    'a callback of Paymob is signed',
    "if (!sameSignature(query.hmac ?? '', right)) return 'forged'",
    '',
  ),
  of('areas/money/transactions/providers/paymob.rules.ts', 'areas/money/transactions/providers')(
    'fields are signed in the order of Paymob',
    "  'order.id',\n  'owner',",
    "  'owner',\n  'order.id',",
  ),
  of('areas/money/transactions/providers/paymob.server.ts', 'areas/money/transactions/providers')(
    'a browser that comes back is signed',
    "return sameSignature(query.hmac ?? '', hmacSha512(hmacSecret, hmacText(fields)))",
    'return fields',
  ),
  of('areas/money/transactions/providers/events.rules.ts', 'areas/money/transactions/providers')(
    'what was cancelled is not booked by the program',
    "if (charge.status === 'cancelled' || charge.status === 'rejected') return 'ended'",
    '',
  ),
  of('areas/money/transactions/providers/settle.server.ts', 'areas/money/transactions/providers')(
    'the same payment under another charge is booked once',
    "elsewhere.length && event.status === 'paid' ? 'repeated' :",
    "false ? 'repeated' :",
  ),
  of('areas/money/invoices/invoice.rules.ts', 'areas/money/invoices')(
    'three instalments at most',
    'const MOST_INSTALMENTS = 3',
    'const MOST_INSTALMENTS = 4',
  ),
  of('areas/money/invoices/next/next.server.ts', 'areas/money/invoices')(
    'what was corrected by hand stays',
    "and l.rule ? 'key' order by l.rule ->> 'key', l.id",
    "order by l.rule ->> 'key', l.id",
  ),
  of('areas/money/invoices/next/next.server.ts', 'areas/money/invoices')(
    'prices are those that it was issued with',
    'await feeSettingsOf(tx, one.year_id, Number(one.number))',
    'await feeSettingsOf(tx, one.year_id)',
  ),
  of('areas/money/invoices/clock.server.ts', 'areas/money/invoices')(
    'a fine is charged once',
    'fined: fined.get(part.id) ?? 0',
    'fined: 0',
  ),
  of('areas/money/invoices/holds.server.ts', 'areas/money/invoices')(
    'a hold is lifted once it is settled',
    'and not exists (select from wanted w where w.id = k.invoice_id)',
    'and false',
  ),
  of('areas/money/invoices/issue.server.ts', 'areas/money/invoices')(
    'reversing follows debts',
    "  await followDebts(ctx, tx, [invoice.payer_id])\n  await tellAccounts(ctx, tx, [invoice.payer_id])\n  await tellStudents(tx, [\n    {\n      key: 'notice_reversed'",
    "  await tellStudents(tx, [\n    {\n      key: 'notice_reversed'",
  ),
  of('areas/money/invoices/issue.server.ts', 'areas/money/invoices')(
    'notes of a reversed invoice are turned round too',
    "or e.source in (select 'note:' || n.id from invoice_notes n where n.invoice_id = ${invoice.id}) order",
    'order',
  ),
  of('areas/money/invoices/next/draft.rules.ts', 'areas/money/invoices')(
    'who is late has some days',
    'LEAST_DAYS = 7',
    'LEAST_DAYS = 0',
  ),
  of('db/functions/money/check_ledger_postings.sql', 'areas/money/ledger/post.test.ts')(
    'entries are balanced',
    'group by p.entry_id having sum(p.amount) <> 0)',
    'group by p.entry_id having false)',
  ),
  of('db/functions/money/ledger_post.sql', 'areas/money/ledger/post.test.ts')(
    'the same source with other postings is refused',
    'where l.digest <> md5(',
    'where false and l.digest <> md5(',
  ),
  of('db/migrations/0040_money.sql', 'areas/money/ledger/post.test.ts')(
    'a wallet is never below nothing',
    'constraint wallet_negative check (wallet >= 0)',
    'constraint wallet_negative check (wallet >= -1000)',
  ),
  of('db/migrations/0040_money.sql', 'areas/money/ledger/post.test.ts')(
    'postings are not changed by the owner',
    'create trigger append_only before update or delete on ledger_postings for each row execute function refuse_ledger_change();',
    '',
  ),
  of('db/functions/money/ledger_post.sql', 'areas/money/ledger/post.test.ts')(
    'a reversal keeps whether it settles',
    "coalesce(r.settles, (g.e ->> 'settles')::boolean)",
    "coalesce((g.e ->> 'settles')::boolean, false)",
  ),
  of(
    'areas/money/ledger/reach.server.ts',
    'areas/money/ledger/entries',
    'areas/money/ledger/statements',
    'areas/money/ledger/proof/proof.test.ts',
  )(
    'entries are seen within reach',
    'reachesAll(ctx, access)\n    ? sql`true`',
    'reachesAll(ctx, access) || true\n    ? sql`true`',
  ),
  of('areas/money/fees/scholarships/scholarship.rules.ts', 'areas/money/fees')(
    'an automatic one is not given by hand',
    "if (rule.basis !== 'manual' && rule.basis !== 'sibling')\n    reasons",
    "if (rule.basis === 'rank') reasons",
  ),
  of('areas/money/fees/scholarships/by-rule.server.ts', 'areas/money/fees')(
    'places are of program and level',
    'rank() over (partition by s.program_id, s.level order by',
    'rank() over (partition by s.program_id order by',
  ),
  of('areas/money/fees/pricing.rules.ts', 'areas/money/fees')(
    'what is withdrawn costs its share',
    'share.quantity * share.charged, 100 * WHOLE',
    'share.quantity * WHOLE, 100 * WHOLE',
  ),
  of('areas/money/fees/pricing.rules.ts', 'areas/money/fees')(
    'an amount is of its currency',
    'if (grant.percent === null && grant.currency !== line.currency) continue',
    '',
  ),
  of('db/functions/people/refuse_emails_of_others.sql', 'areas/records/students/student/person.test.ts')(
    'two new records of one statement never have one address',
    'and (n.user_id is null or s.user_id is distinct from n.user_id) and s.id <> n.id)',
    'and (n.user_id is null or s.user_id is distinct from n.user_id) and s.id <> n.id and not exists (select from new_rows x where x.id = s.id))',
  ),
  of('db/functions/money/outdate_invoices_of_new.sql', 'areas/money/invoices/next/next.test.ts')(
    'what is not charged outdates no invoice, also among many that are registered at once',
    'where charged_registration(n.status) and i.term_id',
    'where i.term_id',
  ),
  of('db/functions/money/decide_withdrawal_charge.sql', 'areas/money/invoices/next/next.test.ts')(
    'an excused course costs what the bylaw says of excused ones',
    "when 'excused' then b.excuse_charge else coalesce((",
    "when 'excused' then b.withdrawal_charge else coalesce((",
  ),
  of('db/migrations/0050_records.sql', 'areas/money/invoices/next/next.test.ts')(
    'what is imported as excused is decided too',
    'after insert on registrations for each row\n  when (left_how(new.status) is not null)',
    'after insert on registrations for each row\n  when (false)',
  ),
  of('areas/money/fees/settings.server.ts', 'areas/money/fees/fees.test.ts')(
    'what an excused course costs was decided then',
    '(coalesce(w.percent,',
    '(coalesce(case when r.status & 2048 = 0 then w.percent end,',
  ),
  misuse('cancel.server.ts')(
    'what a cancelled refund brings back and no invoice takes goes into the wallet',
    '    ...more.map((one) => one.entry),\n',
    '',
  ),
  misuse('cancel.server.ts')(
    'and no more of it than that',
    'Math.min(back, settles + left - open)',
    'Math.max(back, settles + left - open)',
  ),
  misuse('cancel.server.ts')(
    'transactions are held in one order',
    '::int[]) order by id for no key update`',
    '::int[]) order by id desc for no key update`',
  ),
  of('areas/money/ledger/post.server.ts', 'areas/money/transactions/moves/misuse.test.ts')(
    'payers are held in one order',
    'order by sponsor_id is not null, id for',
    'order by sponsor_id is not null, id desc for',
  ),
  of('areas/study/catalogue/bylaws/change-settings.server.ts', 'areas/records/grading/control/control.http.test.ts')(
    'a grade that results stand on is told with how many',
    'problems.length || used.length) throw',
    'problems.length) throw',
  ),
  of(
    'db/functions/records/results_of_grade.sql',
    'areas/records/grading/control/control.http.test.ts',
    'areas/records/grading/by-marks.http.test.ts',
  )('only approved results keep a grade', "and o.control_status in ('Approved', 'Published', 'Frozen')", ''),
  of(
    'db/migrations/0030_study.sql',
    'areas/records/grading/control/control.http.test.ts',
    'areas/records/grading/by-marks.http.test.ts',
  )(
    'a letter with results is not renamed',
    'after delete or update of letter on grade_ranges',
    'after delete on grade_ranges',
  ),
  of(
    'db/functions/records/keep_rating.sql',
    'areas/records/grading/control/control.http.test.ts',
    'areas/records/grading/by-marks.http.test.ts',
  )('a rating with results stays', "perform keep_grade(old.bylaw_id, 'rating', old.code);", 'null;'),
  of('areas/records/grading/control/steps.server.ts', 'areas/records/grading/control/control.http.test.ts')(
    'who approves holds the grades of the bylaw',
    "if (action === 'approve' || action === 'publish') await holdGrades(tx, ids)",
    'void holdGrades',
  ),
  of('db/functions/exams/guard_meeting_hall.sql', 'areas/exams/exams/exams.test.ts')(
    'no meeting is made up in the hall of a published exam',
    "and e.status = 'published'",
    "and e.status = 'never'",
  ),
  of('db/functions/exams/guard_exam_meetings.sql', 'areas/exams/exams/exams.test.ts')(
    'an exam is not moved beside a made-up meeting',
    'where (n.location_id, n.during) is distinct from (o.location_id, o.during)',
    'where false',
  ),
  of('db/functions/exams/closed_by_meetings.sql', 'areas/exams/exams/exams.test.ts')(
    'who gives a made-up meeting is busy',
    'join offering_slot_instructors i on i.offering_slot_id = h.meeting_id',
    'join offering_slot_instructors i on false',
  ),
  of('areas/study/scheduling/timetables/timetable.server.ts', 'areas/exams/exams/exams.test.ts')(
    'a room shows a meeting only when it is held there',
    'held: (id) => sql`h.location_id = ${id}`',
    'held: () => sql`true`',
  ),
  of('areas/exams/exams/exams/exam.contract.ts', 'areas/exams/exams/rules.test.ts')(
    'an exam beside made-up meetings is not published',
    '...(taught ? [{',
    '...(taught > 99 ? [{',
  ),
  granted(
    'nothing else is held where a student sits alone',
    'hall.alone && hall.free_for >= minutes',
    'hall.free_for >= minutes',
  ),
  granted(
    'who reads or writes does so in a room alone',
    'if (wanted.helper !== null && !wanted.own_room)',
    'if (false)',
  ),
  granted('a hall that is used too soon is not held', 'hall.free_for >= most && seats', 'seats'),
  granted(
    'a student who sits alone leaves a seat',
    'seats.get(largest.location_id)! - 1)',
    'seats.get(largest.location_id)!)',
  ),
  distributed('stable.rules.ts')(
    'no more seats are reserved than there are',
    'const kept = Math.min(reserved[t]!, members, left)',
    'const kept = Math.min(reserved[t]!, members)',
  ),
  distributed('stable.rules.ts')(
    'the worst of a slot leaves, or the newcomer if he or she is worse',
    'if (t === s && rank > last) last = rank',
    'if (t === s) last = rank',
  ),
  distributed('stable.rules.ts')(
    'who comes counts for the reserved seats of the group',
    'const members = t === s ? count[t]! + 1 : count[t]!',
    'const members = count[t]!',
  ),
  distributed('stable.rules.ts')(
    'no more of a group than its maximum',
    'Math.min(capacity[p]!, limit?.maximum ?? capacity[p]!)',
    'capacity[p]!',
  ),
  distributed('input.rules.ts')(
    'a group that an applicant has twice overlaps with no other',
    'if (own < 0 || own === slot) continue',
    'if (own < 0) continue',
  ),
  distributed('proof/proof.rules.ts')(
    'a stable assignment that is not the best for applicants is found',
    'stable ? findCircle() : null',
    'null',
  ),
  distributed('proof/proof.rules.ts', 'proof/verify')(
    'a program that was not wished for is found',
    'if (i === wishAt[a + 1]) found(',
    'if (i < 0) found(',
  ),
  distributed('proof/proof.rules.ts')(
    'of those who would rather be there the best is offered',
    'if (!there || at < there.at)',
    'if (!there || at > there.at)',
  ),
  distributed('proof/proof.rules.ts', 'proof/verify')(
    'who would come is asked for each group whose member leaves',
    'held.findLast((one) => one.limit === limit)',
    'held.at(-1)',
  ),
  distributed('why.rules.ts', 'why')(
    'who has a reserved seat is not the last on an open one',
    'if (admitted[s]! > onReserved[s]!) lastOnOpen[p]',
    'lastOnOpen[p]',
  ),
  distributed('ranking.rules.ts', 'ranking')(
    'scores are not rounded',
    'sum + weight * value',
    'sum + Math.round((weight * value) / 10_000)',
  ),
  distributed('ranking.rules.ts', 'ranking')(
    'equals draw lots, whatever their ids',
    'return before(a.lot, b.lot)',
    'return a.id - b.id',
  ),
  distributed('files/instance.server.ts', 'files/files')(
    'reserved seats are filled in the order in which they are written',
    'for (const [group, count] of reserved)',
    'for (const [group, count] of [...reserved].reverse())',
  ),
  distributed('files/json.server.ts', 'files/files')(
    'two halves of a letter are one',
    'code = 0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00)',
    'code = 0x10000 + ((high - 0xd800) << 10)',
  ),
  grantedIn('solver/model.rules.ts')(
    'two exams of who writes longer are kept apart from either side',
    'tie(b, a)[there * S + slot] = 1',
    'tie(b, a)[there * S + slot] = 0',
  ),
  grantedIn('solver/seating.rules.ts')(
    'nothing comes into a hall in which somebody still writes',
    'if (this.held[at]! > 0) return false',
    'if (this.held[at]! > 9) return false',
  ),
  grantedIn('solver/staff.rules.ts')(
    'who looks after a hall stays until the last has written',
    'free[slot]! && reached.every((later) => free[later])',
    'free[slot]!',
  ),
  grantedIn('solver/evaluate.rules.ts')(
    'who still writes when the next exam begins has two at once',
    'if (reached.includes(slotOf[other]!)) broken.clashes += 1',
    'if (reached.includes(slotOf[other]!)) broken.clashes += 0',
  ),
  grantedIn('solver/ways.rules.ts')(
    'ways are shortened',
    'shareOf(next, exams) >= shareOf(now, exams)',
    'shareOf(next, exams) >= 0',
  ),
  grantedIn('board/board.rules.ts')(
    'more time counts on the board',
    'if (percent && begins < until && from < last)',
    'if (percent < 0 && begins < until && from < last)',
  ),
  of('areas/exams/exam-days/seats/seating.rules.ts', 'areas/exams/exam-days/seats/seats.test.ts')(
    'a room alone is for who has one',
    'hall.own_room === need.own_room &&',
    '',
  ),
  grantedDb('refuse_longer_clash')(
    'nobody still writes when another exam of theirs begins',
    'where x.minutes > 0 and',
    'where x.minutes > 9999 and',
  ),
  grantedDb('guard_exam_halls')(
    'nothing begins where somebody still writes',
    'where l.own_room or lower(b.during)',
    'where l.own_room or false and lower(b.during)',
  ),
  grantedDb('keep_exam_seats')(
    'nobody else sits in a room for one',
    'l.own_room where not exists',
    'l.own_room where false and not exists',
  ),
  of('db/functions/study/days_without_meetings.sql', 'areas/exams/exams/exam-weeks.test.ts')(
    'an exam week is that of its faculty',
    '(w.faculty_id is null or w.faculty_id = o.faculty_id) and (w.level is null or w.level = o.level)',
    '(w.level is null or w.level = o.level)',
  ),
  of('db/functions/study/teaching_dates.sql', 'areas/exams/exams/exam-weeks.test.ts')(
    'no meeting takes place in an exam week',
    'not in (select days_without_meetings(s.offering_id, p.from_date, p.until_date))',
    'is not null',
  ),
  of('db/functions/enrolment/weekly_meetings_on.sql', 'areas/exams/exams/exam-weeks.test.ts')(
    'a level of an exam week is that of the offering',
    'and (w.level is null or w.level = o.level))',
    ')',
  ),
  of('db/functions/enrolment/weekly_meetings_on.sql', 'areas/exams/exams/exam-weeks.test.ts')(
    'a meeting that was cancelled closes nothing',
    'c.date = on_day and c.cancelled_at is not null',
    'c.date = on_day and c.cancelled_at is null',
  ),
  of('db/functions/exams/guard_exam_meetings.sql', 'areas/exams/exams/exam-weeks.test.ts')(
    'an exam comes into no hall in which it is taught',
    'or exists (select from weekly w where w.location_id = m.location_id and w.held && m.during) limit 1;\n  end if;',
    'limit 1;\n  end if;',
  ),
  of('db/functions/exams/guard_published_halls.sql', 'areas/exams/exams/exam-weeks.test.ts')(
    'an exam in whose hall it is taught is not published',
    "where b.what = 'hall'",
    "where b.what = 'never'",
  ),
  of('db/functions/exams/guard_weekly_hall.sql', 'areas/exams/exams/exam-weeks.test.ts')(
    'a meeting is not moved into the hall of a published exam',
    "and e.status = 'published'",
    "and e.status = 'never'",
  ),
  of('db/functions/exams/exams_beside_meetings.sql', 'areas/exams/exams/exam-weeks.test.ts')(
    'an exam that lies ahead is told beside a meeting',
    'join locations r on r.id = l.location_id and r.location_type <>',
    'join locations r on r.id = -l.location_id and r.location_type <>',
  ),
  of('areas/exams/exams/schedules/schedule.server.ts', 'areas/exams/exams/exam-weeks.test.ts')(
    'students who are taught are not free for an exam',
    'taughtReasons(await taughtAt(ctx, tx, now.offering_id, at))',
    'taughtReasons([])',
  ),
  of('areas/exams/exams/schedules/lists.server.ts', 'areas/exams/exams/exam-weeks.test.ts')(
    'halls in which it is taught are not offered',
    "l.location_type = 'online' or l.id not in (",
    "l.location_type <> 'never' or l.id not in (",
  ),
  of('areas/exams/exams/placement/problem.server.ts', 'areas/exams/exams/exam-weeks.test.ts')(
    'automatic placement knows who is taught when',
    '!lectures[exam_index]!.has(i) &&',
    '',
  ),
  of('areas/exams/exams/board/board.rules.ts', 'areas/exams/exams/rules.test.ts')(
    'a cell in which students are taught is none for them',
    'if (taught[0]) return',
    'if (taught[99]) return',
  ),
  of('areas/study/scheduling/board/move.rules.ts', 'areas/study/scheduling/board/move.rules.test.ts')(
    'a meeting of an exam week stands beside no exam',
    '&& !isOff(exam.on_date)',
    '',
  ),
  of('areas/study/scheduling/exam-weeks/exam-week.rules.ts', 'areas/study/scheduling/exam-weeks')(
    'an exam week begins in its term',
    'start_date < term.start_date ||',
    '',
  ),
  of('areas/enrolment/attendance/meetings/make-up.rules.ts', 'areas/enrolment/attendance/attendance.test.ts')(
    'nothing is made up in an exam week',
    'if (facts.exam_week)',
    'if (!facts.exam_week)',
  ),
  of('areas/money/banks/files/mt940.rules.ts', 'areas/money/banks/files')(
    'an MT940 file has so many lines at most',
    'if (lines.length >= MOST_LINES) throw tooManyLines()',
    'if (lines.length > MOST_LINES) throw tooManyLines()',
  ),
  of('areas/money/transactions/providers/paymob.server.ts', 'areas/money/transactions/providers/simulator.test.ts')(
    'an answer about another order is none',
    '(order ? event.order === order : event.reference === reference)',
    '(order ? true : event.reference === reference)',
  ),
  of('areas/money/transactions/providers/paymob.server.ts', 'areas/money/transactions/providers/simulator.test.ts')(
    'an answer about another reference is none',
    '(order ? event.order === order : event.reference === reference)',
    '(order ? event.order === order : true)',
  ),
  of('areas/money/banks/files/columns.rules.ts', 'areas/money/banks/files')(
    'what a person said of columns goes before what is remembered',
    'says !== -1 ? [said!.columns!, says] : [remembered?.columns ?? {}, remembers]',
    'remembers !== -1 ? [remembered!.columns, remembers] : [said?.columns ?? {}, says]',
  ),
  of('areas/money/banks/files/columns.rules.ts', 'areas/money/banks/files')(
    'money of another currency is none of the account',
    'meant === null || meant.includes(currency) ? currency : meant[0]!',
    'currency',
  ),
  of('areas/money/banks/files/columns.rules.ts', 'areas/money/banks/files')(
    'a table without headings loses no row',
    'const body = none ? rows : rows.slice(at + 1)',
    'const body = rows.slice(Math.max(0, at) + 1)',
  ),
  of('areas/money/banks/files/columns.rules.ts', 'areas/money/banks/files')(
    'the balance that a bank says goes before what follows',
    'closing === null ? run.closing : { amount: closing, on: null }',
    'run.closing',
  ),
  of('areas/money/banks/files/head.rules.ts', 'areas/money/banks/files')(
    'an account that is hidden names none',
    'if (/[*•]|x{3}/i.test(shown)) return null',
    '',
  ),
  of('areas/money/banks/files/statement.rules.ts', 'areas/money/banks/files')(
    'money of another currency is none of the balance',
    'one.currency !== null && one.currency !== statements[one.statement]!.currency',
    'one.currency === null && statements.length < 0',
  ),
  of('areas/money/banks/files/ofx.rules.ts', 'areas/money/banks/files')(
    'a file of movements that was cut is refused',
    "if (statement || movement) throw stop('file_ofx_broken', { line: entries + 1 })",
    '',
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches')(
    'an entry told whole and in parts is booked once',
    'and (l.part = 0) = x.is_part',
    'and (l.part = 0) <> x.is_part',
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches')(
    'another amount is another movement',
    'having sum(l.amount) = x.whole',
    'having sum(l.amount) > 0',
  ),
  of('areas/people/access-and-people/scim/resource.rules.ts', 'areas/people/access-and-people/scim')(
    'the address with which people sign in is not taken away',
    "if (attribute === 'emails' && op === 'remove' && !filter && (sub === null || sub === 'value'))",
    "if (attribute === 'emails' && op === 'remove' && sub === 'nothing')",
  ),
  of('areas/money/banks/files/columns.rules.ts', 'areas/money/banks/files')(
    'a column that was named is nothing else',
    "(taken.has(i) ? '' : heading)",
    "(taken.has(-2 - i) ? '' : heading)",
  ),
  of('areas/money/banks/batches/preview.server.ts', 'areas/money/banks/batches/batches.test.ts')(
    'only what a person said is remembered with the bank',
    'if (said && table)',
    'if (table)',
  ),
  of('areas/money/transactions/desk/shift.server.ts', 'areas/money/transactions/moves/misuse.test.ts')(
    'who really closed a drawer is kept',
    'really_closed_by = ${ctx.actor?.impersonator_id ?? null}',
    'really_closed_by = ${null}',
  ),
  of('areas/money/transactions/desk/shift.server.ts', 'areas/money/transactions/moves/misuse.test.ts')(
    'who really closed a drawer does not review it',
    '[cashier_id, really_opened_by, really_closed_by].includes(one)',
    '[cashier_id, really_opened_by].includes(one)',
  ),
  of('areas/money/banks/batches/reconciliation.server.ts', 'areas/money/banks/batches/batches.test.ts')(
    'fees that were told are of the days that are looked at',
    'where t.way = a.role and t.currency = p.currency and t.booked_on between',
    'where t.way = a.role and t.currency = p.currency or t.booked_on between',
  ),
  remembers('db/functions/records/facts_changed.sql')(
    'when the fact is again what it was, nothing is outdated',
    "nullif(coalesce(f.value, 'null'), h.stood) as now",
    "coalesce(f.value, 'null') as now",
  ),
  remembers('db/functions/records/facts_changed.sql')(
    'since when a decision is outdated stays',
    'coalesce(d.since, now()) end,\n    told_at',
    'now() end,\n    told_at',
  ),
  remembers('db/migrations/0050_records.sql')(
    'a result that is removed outdates what stood on it',
    'create trigger basis_delete after delete on registrations',
    'create trigger basis_delete after delete on exam_paper_changes',
  ),
  remembers('db/migrations/0050_records.sql')(
    'a result that control takes back outdates what stood on it',
    "    or (old.control_status in ('Published', 'Frozen')) <> (new.control_status in ('Published', 'Frozen')))",
    '    )',
  ),
  remembers('db/functions/records/figures_changed.sql')(
    'figures of a student outdate what stood on them',
    'where (o.gpa, o.passed_hours, o.level) is distinct from (n.gpa, n.passed_hours, n.level);\n  return null',
    'where false;\n  return null',
  ),
  remembers('db/functions/base/keep_basis.sql')(
    'what a decision stood on is held while it is kept',
    "    execute format('select %I($1)', 'hold_' || f.fact) using f.ids;",
    '    null;',
  ),
  remembers('db/migrations/0001_base.sql')(
    'what became of decisions cannot be changed',
    'create trigger decision_steps_stand before update or delete on decision_steps for each row execute function refuse_decision_step_change();',
    '',
  ),
  remembers('db/functions/records/changed_registrations.sql')(
    'marks below Approved ask nothing',
    '  if unsigned is not null then\n    perform results_changed',
    '  if true then\n    perform results_changed',
  ),
  remembers('kit/server/workflow/basis.ts')(
    'who only sees what is outdated decides nothing',
    "if (!row.decides) throw refuse(403, 'not_allowed')",
    '',
  ),
  remembers('kit/server/workflow/basis.ts')(
    'what is not outdated is not decided again',
    "if (!row.outdated) throw refuse(409, 'decision_not_outdated')",
    '',
  ),
  remembers('kit/server/workflow/basis.ts')(
    'what is outdated is seen within reach',
    'where ${sql.join([whereOf(one), scopeCondition(ctx, keysOf(one.basis.sees), partsOf(one, ctx)), ...more]',
    'where ${sql.join([whereOf(one), ...more]',
  ),
  remembers('kit/server/workflow/basis.ts')(
    'what is kept stands on what is now',
    'sql`update decision_facts set stood = now, now = null, since = null, told_at = null',
    'sql`update decision_facts set now = null, since = null, told_at = null',
  ),
  everything('kit/server/workflow/basis.ts')(
    'a student finds on the home what concerns the own record alone',
    '[sql`${sql.raw(one.student!)} = ${ctx.actor!.student_id}`]',
    '[sql`false`]',
  ),
  prerequisite('db/functions/records/results_changed.sql')(
    'a prerequisite that is lost is told, and none that is met',
    'and not requisite_met(x.student_id, x.requisite) and requisite_met',
    'and requisite_met(x.student_id, x.requisite) and requisite_met',
  ),
  prerequisite('db/functions/enrolment/running_requisites.sql')(
    'what was set aside with a reason is lost no more',
    '    and not exists (select from registration_history h where h.registration_id = r.id and h.overrides @> \'[{"code": "prerequisites"}]\')\n$$;',
    '$$;',
  ),
  prerequisite('db/functions/records/results_changed.sql')(
    'an attempt that is right again is outdated no more',
    "where d.kind = 'attempt' and d.decision_id = l.id and l.flag = l.fresh)",
    "where d.kind = 'attempt' and d.decision_id = l.id and false)",
  ),
  prerequisite('db/functions/enrolment/prerequisites_regained.sql')(
    'a prerequisite that is passed again waits for nobody',
    '    and requisite_met(r.student_id, running_requisite(r));',
    '    and false;',
  ),
  prerequisite('db/functions/enrolment/requisite_grade.sql')(
    'points of a prerequisite are compared',
    ">= coalesce((leaf ->> 'min_points')::numeric,",
    "> coalesce((leaf ->> 'min_points')::numeric,",
  ),
  prerequisite('areas/records/grading/control/attempts.server.ts')(
    'which attempt it is stands in the history',
    "${ctx.actor?.impersonator_id ?? null}::int, 'attempt',",
    "${ctx.actor?.impersonator_id ?? null}::int, 'change',",
  ),
  everything('db/functions/enrolment/requisite_met.sql')(
    'a credit whose result is not passed any more meets no prerequisite',
    'and credit_sound(k.id, registration, other)',
    '',
  ),
  everything('db/functions/enrolment/credit_counts_again.sql')(
    'a credit that is kept counts again',
    "where c.kind = 'credit' and c.was is not null and c.now is null;",
    'where false;',
  ),
  everything('db/functions/enrolment/credits_changed.sql')(
    'a credit that is worth less is looked at behind a prerequisite',
    '    perform prerequisites_lost_by_credits(students, ids, were);\n',
    '',
  ),
  everything('db/functions/enrolment/requisite_met.sql')(
    'a former result meets no prerequisite but by its credit',
    'select from registrations r where r.id = registration and not term_after(r.term_id, s.study_after_term_id)',
    'select from registrations r where r.id = -1',
  ),
  everything('areas/records/grading/grades/compute.server.ts')(
    'what is corrected after a transfer is graded by the bylaw of then',
    'join bylaws b on b.id = ${STUDY_BYLAW}',
    'join bylaws b on b.id = s.bylaw_id',
  ),
  of('db/migrations/0060_enrolment.sql', 'areas/enrolment/transfers/equivalence/outdated.test.ts')(
    'what is credited stands on the result with its grade, not on the bare course',
    "select basis_goes_with('course_credits', 'credit');",
    'select 1;',
  ),
  of('areas/enrolment/transfers/equivalence/basis.server.ts', 'areas/enrolment/transfers/equivalence/outdated.test.ts')(
    'a credit that is renewed gets the grade that the new result has here',
    'const grade = one.graded ? convertGrade(together(passed), target.scale) : null',
    'const grade = one.graded && !sources.length ? convertGrade(together(passed), target.scale) : null',
  ),
  of('areas/enrolment/transfers/equivalence/basis.server.ts', 'areas/enrolment/transfers/equivalence/outdated.test.ts')(
    'rows of terms follow a credit that is renewed',
    '  await standCredits(ctx, tx, [...new Set(rows.map((row) => row.student_id))])\n',
    '',
  ),
  of('areas/enrolment/transfers/equivalence/basis.server.ts', 'areas/enrolment/transfers/equivalence/outdated.test.ts')(
    'the faculty that is joined decides on credits, the one that is left does not',
    '    scope: sees,\n    bound: decides,\n    renew: renewCredits,',
    '    scope: sees,\n    renew: renewCredits,',
  ),
  everything('areas/money/fees/scholarships/by-rule.server.ts')(
    'a scholarship by results stands on them',
    "new Set<Basis>(['gpa', 'rank'])",
    "new Set<Basis>(['rank'])",
  ),
  everything('areas/money/fees/scholarships/by-rule.server.ts')(
    'who deserves a scholarship no more loses it when it is judged again',
    'if (plan.lost.some((one) => one.id === id))',
    'if (plan.lost.some((one) => one.id !== id))',
  ),
  everything('areas/money/fees/scholarships/basis.server.ts')(
    'a scholarship that ended waits for nobody',
    "where: `t.status = 'applied'`,",
    'where: `true`,',
  ),
  everything('areas/records/students/transcript/transcript.server.ts')(
    'a transcript stands on the results that are printed on it',
    "stood: composed.registration_ids.map((fact_id) => ({ fact: 'result', fact_id })),",
    'stood: [],',
  ),
  everything('areas/records/students/transcript/basis.server.ts')(
    'a paper that is revoked is outdated no more',
    ' and t.revoked_at is null`',
    '`',
  ),
  everything('areas/records/level-results/results.server.ts')(
    'a decided year stands on its results',
    'registration_id === null ? [] : [{ fact: approvedFact.name',
    'registration_id !== null ? [] : [{ fact: approvedFact.name',
  ),
  decidedAgain('areas/records/level-results/results.server.ts')(
    'nothing is announced while a result has changed',
    '    await refuseOutdated(\n',
    '    await ((...all: unknown[]) => void all)(\n',
  ),
  decidedAgain('areas/records/level-results/results.server.ts')(
    'who is registered in the next year stays in its level',
    'one.registered && one.place !== now.get(student)?.place',
    'one.registered && one.place === undefined',
  ),
  decidedAgain('areas/records/level-results/results.server.ts')(
    'a result for named students is of those alone',
    'key.named ? await studentsOf(tx, key.id) : undefined',
    'undefined',
  ),
  decidedAgain('areas/records/level-results/results.server.ts')(
    'a year that is taken back stands on nothing',
    '  await dropBasis(\n',
    '  await ((...all: unknown[]) => void all)(\n',
  ),
  decidedAgain('areas/records/level-results/results.server.ts')(
    'a result is undone for named students alone',
    'or s.id = any(${[...(student_ids ?? [])]}::int[]))\n    order by',
    'or true)\n    order by',
  ),
  decidedAgain('areas/records/level-results/results.server.ts')(
    'who is not in the result is not undone',
    'if (student_ids && against.length < new Set(student_ids).size)',
    'if (student_ids && against.length < 0)',
  ),
  leaving('db/functions/records/decide_status.sql')(
    'whoever leaves has no advisor any more',
    "advisor_id = case when new_status in ('studying', 'suspended') then s.advisor_id end,",
    'advisor_id = s.advisor_id,',
  ),
  leaving('db/migrations/0050_records.sql')(
    'no status without its decision',
    "constraint status_decided check (status = 'studying' or status_decision_id is not null)",
    'constraint status_decided check (true)',
  ),
  leaving('db/migrations/0050_records.sql')(
    'a status is what its decision says',
    'foreign key (status_decision_id, status) references student_status_decisions (id, to_status)',
    'foreign key (status_decision_id) references student_status_decisions (id)',
  ),
  leaving('db/migrations/0050_records.sql')(
    'nobody graduates by the result of a term',
    "when 'graduated' then source in ('decision', 'earlier')",
    "when 'graduated' then source in ('decision', 'earlier', 'term_result')",
  ),
  leaving('areas/enrolment/registration/changes/leaving.server.ts')(
    'requests of who leaves are taken back',
    '  await takeBackRequests(ctx, tx, ids, decision)\n',
    '',
  ),
  leaving('areas/enrolment/registration/changes/leaving.server.ts')(
    'who leaves waits in no queue',
    "and state = 'waiting'`.execute(\n    tx,\n  )\n  await takeBackRequests",
    "and state = 'never'`.execute(\n    tx,\n  )\n  await takeBackRequests",
  ),
  leaving('areas/enrolment/registration/changes/leaving.server.ts')(
    'who is suspended keeps the courses',
    'if (!LEFT_STATUSES.has(to)) return',
    "if (to === 'studying') return",
  ),
  leaving('areas/enrolment/registration/changes/leaving.server.ts')(
    'once nobody registers any more courses are withdrawn from',
    "c.code in ('register', 'add_drop') and w.ends_at > now()",
    "c.code in ('register', 'add_drop')",
  ),
  leaving('areas/records/students/standing/status.rules.ts')(
    'to another university leads the transfer alone',
    "else if (to === 'transferred') problems",
    "else if (to === 'dismissed' && from === 'withdrawn') problems",
  ),
  leaving('areas/records/students/standing/status.rules.ts')(
    'no decision passes a transfer that waits',
    'if (transfer_waits && LEFT_STATUSES.has(to))',
    'if (transfer_waits && to === from)',
  ),
  editionRules(
    'the term from which a change holds is the first with it',
    'a.start_date < b.start_date || (a.start_date === b.start_date && a.id < b.id)',
    'a.start_date < b.start_date || (a.start_date === b.start_date && a.id <= b.id)',
  ),
  editionRules('results stand on what passes', 'Number(points), success]', 'Number(points)]'),
  of('areas/study/catalogue/bylaws/change-settings.server.ts', 'areas/records/grading/terms/from-a-term.http.test.ts')(
    'what approved results stand on does not change without a term',
    "    throw refuse(409, 'settings_from_term', data, 'from_term_id')",
    '    return',
  ),
  of('areas/study/catalogue/bylaws/change-settings.server.ts', 'areas/records/grading/terms/from-a-term.http.test.ts')(
    'nor from a term that has results',
    "if (after) throw refuse(409, 'settings_term_decided'",
    "if (after < 0) throw refuse(409, 'settings_term_decided'",
  ),
  fromTermOn('db/functions/study/keep_settled_range.sql')(
    'whoever writes: grades under approved results stay',
    '  if not bylaw_settled(bylaw) then',
    '  if false then',
  ),
  fromTermOn('db/functions/records/keep_level.sql')(
    'whoever writes: a level in which students are stays',
    '    and not exists (select from bylaw_levels l where l.bylaw_id = old.bylaw_id and l.level = old.level)\n',
    '    and false\n',
  ),
  of('areas/records/grading/terms/compute-record.server.ts', 'areas/records/grading/terms/from-a-term.http.test.ts')(
    'rows of terms are computed by the edition of their time',
    '...(editions.length && rulesIn(term_id) && { rules: rulesIn(term_id)! }),',
    '',
  ),
  checked('areas/study/catalogue/bylaws/editions.rules.ts')(
    'results are graded by the edition of their time',
    'for (const edition of bylaw.earlier) if (before(term, edition.until)) return edition.settings',
    '',
  ),
  of('areas/records/grading/terms/compute-record.server.ts', 'tests/checker/editions.test.ts')(
    'rows of terms go by the edition of their time',
    'editions.find(({ until }) => at(term_id) < at(until))?.rules',
    'editions.find(({ until }) => at(term_id) < at(until) - 99)?.rules',
  ),
  paperSecond('functions/records/exam_paper_moved.sql')(
    'the database wants a second person once marking began',
    'if not fresh and asked.decided_by is null and exam_marking_began(of_offering) then',
    'if false then',
  ),
  paperSecond('functions/records/exam_paper_moved.sql')(
    'a barcode of one paper never goes to another, whoever writes',
    'where m.to_barcode_id = to_id and m.registration_id <> of_registration)',
    'where m.to_barcode_id = to_id and m.registration_id = -1)',
  ),
  paperSecond('migrations/0050_records.sql')(
    'the history of exam papers is append-only',
    'create trigger append_only before update or delete on exam_paper_moves for each row execute function refuse_paper_move_change();',
    '',
  ),
  paperSecond('migrations/0050_records.sql')(
    'who asked is no second person, whoever writes',
    "check (status = 'rejected'\n    or not",
    "check (status = 'rejected' or true\n    or not",
  ),
  of('db/functions/study/keep_offering_words.sql', 'areas/records/grading/control/words.test.ts')(
    'words of what is not approved any more go',
    '    delete from offering_words where offering_id = new.id;',
    '    null;',
  ),
  of('db/functions/enrolment/keep_credit_words.sql', 'areas/records/grading/control/words.test.ts')(
    'what was credited keeps its words',
    'elsif (old.code, old.name, old.name_local) <> (new.code, new.name, new.name_local) then',
    'elsif false then',
  ),
  handedIn('areas/records/documents/document.rules.ts')(
    'what expires is accepted until a day that is still to come',
    'return expires_on < today',
    'return expires_on < expires_on',
  ),
  handedIn('areas/records/documents/document.rules.ts')(
    'who is not at the desk sends a file',
    'own && !file ?',
    'own && !own && !file ?',
  ),
  handedIn('areas/records/documents/document.rules.ts')(
    'a document is what can be looked at',
    'if (!DOCUMENT_FILES.includes(ext))',
    'if (!ext)',
  ),
  handedIn('areas/records/documents/document.server.ts')(
    'the file of another person is none of the own',
    'and created_by = ${ctx.actor?.user_id ?? null}`',
    'and created_by is not null`',
  ),
  handedIn('areas/records/documents/document.server.ts')(
    'who may not open files sees none',
    'file: file && rest.reads_files ?',
    'file: file ?',
  ),
  handedIn('areas/records/documents/document.server.ts')(
    'what waits is not handed in once more',
    "if (open.status === 'handed_in')\n        throw refuse",
    'if (open.id === -1)\n        throw refuse',
  ),
  handedIn('db/functions/records/settle_documents.sql')(
    'what is missing holds',
    'from lacking l join document_kinds k on k.id = l.kind_id order by 1, 5',
    'from lacking l join document_kinds k on k.id = l.kind_id and false order by 1, 5',
  ),
  handedIn('db/functions/records/documents_lacking.sql')(
    'what is accepted or waived is missing no more',
    "and d.status in ('accepted', 'waived'))\n$$;",
    "and d.status in ('accepted'))\n$$;",
  ),
  handedIn('db/migrations/0050_records.sql')(
    'two who hand in the same hand in one',
    'create unique index document_open_already on',
    'create index document_open_already on',
  ),
  returning('areas/enrolment/registration/changes/leaving.server.ts')(
    'courses that ended with a dismissal come back with the result that lifts it',
    "if (source !== 'decision') await giveBack(ctx, tx, students, decision)",
    "if (source === 'earlier') await giveBack(ctx, tx, students, decision)",
  ),
  employed('employee.rules.ts')(
    'a contract does not end before it begins',
    'to_date < from_date',
    'to_date < from_date && false',
  ),
  employed('employee.rules.ts')(
    'the last day of a contract is none of the next',
    'to_date >= next.from_date',
    'to_date > next.from_date',
  ),
  employed('employee.rules.ts')(
    'what is for a time says until when',
    'if (FOR_A_TIME.has(kind))',
    "if (kind === 'secondment')",
  ),
  employed('employee.rules.ts')(
    'nobody is led by whom he or she leads',
    'if (place < 0) return []',
    'if (place !== 0) return []',
  ),
  employed('employee.rules.ts')(
    'a contract ends soon on its last day',
    "if (ends_on < today) return 'ended'",
    "if (ends_on <= today) return 'ended'",
  ),
  employed('employee.server.ts')(
    'a manager is somebody whom the writer sees',
    "and ${scopeCondition(ctx, ['access_employee', 'show_employee'], employeeReach(ctx))} as known",
    'as known',
  ),
  employed('employee.server.ts')(
    'who does not read contracts finds nobody by them',
    "sql`(${employees.readable(ctx, 'contracts')} and (${sql.join(",
    'sql`(true and (${sql.join(',
  ),
  employed('employee.contract.ts')(
    'contracts are read by who keeps the record and the person',
    '        detailOnly: true,\n        readers: CONTRACT_READERS,\n',
    '        detailOnly: true,\n',
  ),
  employed('contracts.server.ts')(
    'of a contract that another one follows nobody is told',
    'where o.employee_id = c.employee_id and o.from_date > c.from_date',
    'where o.employee_id = c.employee_id and o.from_date > c.to_date + 1',
  ),
  employed('contracts.server.ts')(
    'who is told of a contract once is not told again',
    'c.${sql.ref(columns[0]!)} is distinct from c.to_date and ${due}',
    '${due}',
  ),
  staffMigration('functions/people/refuse_circle_of_managers.sql')(
    'two people do not come to manage each other',
    'select from above where id = new.id) then',
    'select from above where id = new.id and false) then',
  ),
  staffMigration('migrations/0030_study.sql')(
    'a department has one faculty',
    'foreign key (department_id, faculty_id)\n  references departments (id, faculty_id) on update cascade',
    'foreign key (department_id)\n  references departments (id) on update cascade',
  ),
  handed('employees/employee-documents.server.ts')(
    'a student’s account has no documents of an employee',
    'are: sql`s.type = 2`',
    'are: sql`true`',
  ),
  handed('document.server.ts')(
    'a kind of students is none of who works here',
    'k.removed_at is null and ${here.kinds}`',
    'k.removed_at is null`',
  ),
  handed('kinds/kind.rules.ts')(
    'a level is asked of students alone',
    'return []\n  return [',
    'return []\n  return []\n  return [',
  ),
  telephone('functions/people/one_telephone_of_records.sql')(
    'whoever changes a telephone changes that of the account',
    'where u.id = x.id and u.phone is distinct from x.phone;',
    'where false;',
  ),
  telephone('functions/people/one_telephone_of_accounts.sql')(
    'what was erased does not come back',
    "      and (s.phone is not null or s.status in ('studying', 'suspended'));",
    '    ;',
  ),
  of('areas/people/access-and-people/users/phone.server.ts', 'areas/people/access-and-people/users/telephone.test.ts')(
    'the telephone of an account is written as its record asks',
    'if (rows.some(',
    'if (rows.every(() => false) && rows.some(',
  ),
  of('areas/people/people/removing.server.ts', 'areas/people/people/employees')(
    'who manages others is not removed',
    'if (rows[0]) throw',
    'if (rows[1]) throw',
  ),

  // Requests of several steps, and with a fee
  stepwise(
    'each step begins where the one before it ended',
    'i === 0 ? REQUESTED.value : steps[i - 1]!.to[0]',
    'REQUESTED.value',
  ),
  stepwise('a step is taken by whose right it names', 'by: step.by ?? decide,', 'by: decide,'),
  stepwise('a request is rejected by whose step it is', "{ to: 'rejected', permission: by }", "'rejected'"),
  roads(
    'what was rejected waits again where it was rejected',
    'left != null && way.back && Object.hasOwn(way.back, left)',
    'left == null && way.back',
  ),
  roads('what was led back has not passed what came after', 'if (at !== -1) passed.length = at', ''),
  inboxes('records.ts')('a request waits for nobody who may not decide on it', 'and not ${ownOf(ctx)})`', ')`'),
  inboxes('notices.ts')(
    'who goes on is told once, until he or she has looked',
    'and read_at is null',
    'and read_at is not null',
  ),
  inboxes('notices.ts')('who hands on is not told that it waits', 'ctx.actor?.user_id])', '])'),
  asking('what was charged is taken back with the request', "if (action === 'cancel' ||", "if (action === 'accept' ||"),
  asking('a fee that is due is waited for', 'number === null ? beginsIn(r.flow) : FEE.due', 'beginsIn(r.flow)'),
  feeing('a payment that is cancelled leads back', 'paid ? FEE.waive : FEE.charge', 'FEE.waive'),
  heard('of two who answer the second is refused', 'of.one && of.hearers.length', 'of.one && of.hearers.length > 1'),
  heard('what nobody hears is named', 'hearers.length ? []', 'hearers.length >= 0 ? []'),
  charged('a fee is charged once', 'if (firstRow(rows).charged) throw', 'if (false) throw'),
  charged(
    'a fee that was taken back is reversed',
    'if (!invoice.reversed) await reverseInvoice',
    'if (invoice.reversed) await reverseInvoice',
  ),
  of('areas/money/invoices/holds.server.ts', 'areas/money/invoices/requests')(
    'a request hears at once that its fee is settled',
    "if (sends('fees'))",
    "if (sends('nothing'))",
  ),
  // What was lost unseen before.
  of('areas/enrolment/transfers/external/external.server.ts', 'areas/enrolment/transfers/external/external.test.ts')(
    'who sees courses from elsewhere decides on them only where the right to decide reaches',
    "if (!row.may) throw refuse(403, 'not_allowed')",
    '',
  ),
  of('areas/enrolment/transfers/external/external.server.ts', 'areas/enrolment/transfers/external/external.test.ts')(
    'what was decided from elsewhere is not typed any more',
    "if (row.status !== 'entered') throw refuse(409, 'transfer_decided')",
    '',
  ),
  of('areas/enrolment/transfers/internal/internal-calls.server.ts', 'areas/enrolment/transfers/internal')(
    'what was decided is not changed any more',
    "if (row.status !== 'added' && (first || row.status !== 'agreed')) throw refuse(409, 'transfer_decided')",
    '',
  ),
  of('areas/money/banks/batches/batch.server.ts', 'areas/money/banks/batches/batches.test.ts')(
    'what is being read is not read again',
    "if (!['columns', 'failed', 'previewed'].includes(rows[0].status))",
    'if (false)',
  ),
  of('areas/study/catalogue/bylaws/change-settings.server.ts', 'areas/study/catalogue/catalogue.test.ts')(
    'settings of a removed bylaw stay',
    "if (row.removed) throw refuse(409, 'removed_record')",
    '',
  ),
  papersByBarcode('of a removed offering no paper is made', "if (row.removed) throw refuse(409, 'removed_record')", ''),
  papersByBarcode(
    'once names were opened no paper is made',
    "if (row.names === 'opened') throw refuse(409, 'names_opened', { course: row.course.code })",
    '',
  ),
  of('areas/records/placement-tests/tests/test.server.ts', 'areas/records/placement-tests')(
    'the bylaw of a placement test is one of its faculty',
    "if (firstRow(rows).bylaw) reasons.push({ field: 'bylaw_id', code: 'placement_other_part' })",
    '',
  ),
  of('areas/exams/exams/schedules/lists.server.ts', 'areas/exams/exams/exams.test.ts')(
    'who may add an exam changes none, who may change one adds none',
    "if (!ctx.can(id === undefined ? 'add_examSchedule' : 'edit_examSchedule')) throw refuse(403, 'not_allowed')",
    '',
  ),
  of('areas/study/scheduling/board/move.server.ts', 'areas/study/scheduling/calendar.test.ts')(
    'clashes of meetings out of reach are not told',
    "if (moves.some((one) => !movable.has(one.id))) throw refuse(404, 'not_found')",
    '',
  ),
  of('areas/study/scheduling/office-hours/office-hour.server.ts', 'areas/study/scheduling/calendar.test.ts')(
    'online there is room for any number',
    "left join locations l on l.id = s.location_id and l.location_type <> 'online'",
    'left join locations l on l.id = s.location_id',
  ),
  of('areas/enrolment/registration/requests/handlers.server.ts', 'areas/enrolment/registration/changes/change.test.ts')(
    'of a student out of reach nothing waits',
    "and ${scopeCondition(ctx, 'accept_registration', studentScope(ctx))}`.execute(ctx.db)\n    if (!rows.length) return",
    '`.execute(ctx.db)\n    if (!rows.length) return',
  ),
  of('areas/records/students/transcript/transcript.server.ts', 'tests/before-publication.test.ts')(
    'a paper that a debt holds is refused before it is made',
    "if (firstRow(rows).certificates) throw refuse(409, 'certificates_held')",
    '',
  ),
  attended('codes/code.server.ts')(
    'a code counts on the day of its meeting alone',
    'k.nonce is not null and x.date = university_today() as open',
    'k.nonce is not null as open',
  ),
  attended('codes/code.server.ts')(
    'a code counts until it is closed',
    'left join attendance_codes k on k.occurrence_id = x.id and k.closes_at > now()\n      left join attendance a',
    'left join attendance_codes k on k.occurrence_id = x.id\n      left join attendance a',
  ),
  migrating(
    'a function file that has changed is run again',
    'there.get(one.name) !== one.hash',
    '!there.has(one.name)',
  ),
  collected('reminders/reminder.rules.ts')(
    'what was missed before the day is not told after a nearer one',
    "one.moment === 'before' && one.days <= latest.days",
    "one.moment === 'before' && one.days === latest.days",
  ),
  collected('reminders/reminder.rules.ts')(
    'a level comes as long after the one before as their days differ',
    'daysBetween(last.sent_on, today) < next.days - last.days',
    'daysBetween(last.sent_on, today) < 0',
  ),
  collected('reminders/reminder.rules.ts')(
    'what is under way is waited for',
    'return step && part.waits ?',
    'return step && part.waits === null ?',
  ),
  collected('reminders/reminder.rules.ts')(
    'a faculty with steps of its own has these alone',
    'own.length ? own :',
    'own.length > 99 ? own :',
  ),
  collected('reminders/remind.server.ts')(
    'payers are held while it is decided',
    'await holdPayers(tx, sql`select unnest(${some}::int[])`)',
    '',
  ),
  collected('reminders/remind.server.ts')(
    'what somebody else wrote in between is not told again',
    'due.filter(({ part }) => ids.has(part.installment_id))',
    'due.filter(() => true)',
  ),
  collected('reminders/remind.server.ts')(
    'what a reminder cost costs nothing more',
    'if (step.fee !== null && !part.is_fee)',
    'if (step.fee !== null)',
  ),
  collected('reminders/reminder.server.ts')(
    'what a reminder cost goes with the invoice',
    'await takeBackFee(ctx, tx, { workflow: REMINDER, id }, reason)',
    'void id',
  ),
  collected('reminders/reminder.server.ts')(
    'who reaches a part of the university does not send to all of it',
    "if (!reachesAll(ctx, 'send_reminder'))",
    "if (!ctx.can('send_reminder'))",
  ),
  of('db/functions/money/hold_waits.sql', 'areas/money/collecting')(
    'a debt holds from the level that says so',
    'and r.holds',
    'and not r.holds',
  ),
  collected('promises/promise.rules.ts')(
    'a promise is not broken while a payment is under way',
    'of.promised_on < of.today && !of.under_way',
    'of.promised_on < of.today',
  ),
  collected('promises/promise.rules.ts')(
    'what came before it was noted keeps no promise',
    'of.settled - of.settled_before >= of.amount',
    'of.settled >= of.amount',
  ),
  collected('promises/promise.server.ts')(
    'nobody notes a promise of the own debt',
    'await refuseOwn(ctx, tx, sql`select ${payer_id}::int`)\n    await holdPayers',
    'await holdPayers',
  ),
  collected('plans/plan.rules.ts')(
    'a plan is not broken while money for it is on its way',
    'addDays(one.since, grace) < today && !one.under_way',
    'addDays(one.since, grace) < today',
  ),
  collected('plans/plan.rules.ts')(
    'a part may be paid some days after its day',
    'addDays(one.since, grace) < today',
    'one.since < today',
  ),
  collected('plans/plan.rules.ts')(
    'what was paid of a part stands in the first part of the plan',
    'amount: first.amount + settled - before',
    'amount: first.amount',
  ),
  collected('plans/plan.rules.ts')(
    'invoices of a plan are cut in the order in which money settles them',
    'invoices.toSorted((a, b) => a.id - b.id)',
    'invoices',
  ),
  collected('plans/plan.server.ts')(
    'nobody decides on the plan that one asked for',
    "if (people.some((one) => one === plan.asked_by || one === plan.really_asked_by)) throw refuse(403, 'plan_own_request')",
    'void people',
  ),
  collected('plans/plan.server.ts')(
    'nobody decides on the plan of the own debt',
    "  await refuseOwn(ctx, tx, sql`select ${plan.payer_id}::int`)\n  if (plan.state !== 'asked')",
    "  if (plan.state !== 'asked')",
  ),
  collected('plans/judge.server.ts')(
    'what a broken plan leaves open is due at once',
    '{ amount: open, due_date: today },',
    '{ amount: open, due_date: since },',
  ),
  collected('plans/judge.server.ts')(
    'a plan goes on with what else it covers when one invoice is reversed',
    'if (others.length) return',
    'void others',
  ),
  collected('reminders/facts.server.ts')(
    'nobody is reminded of what is in a plan',
    "case when i.plan_id is not null then 'plan' end, ",
    '',
  ),
  of('db/functions/money/invoice_overdue.sql', 'areas/money/collecting')(
    'nothing of a plan that runs holds or is fined',
    ' and i.plan_id is null',
    '',
  ),
  of('db/functions/money/check_plan.sql', 'areas/money/collecting')(
    'a plan runs exactly while it covers an invoice',
    "(p.state = 'running') <> exists (select from invoices i where i.plan_id = p.id)",
    'false',
  ),
  of('areas/money/invoices/invoices/invoice.server.ts', 'areas/money/collecting')(
    'instalments of a plan are not changed by hand',
    "if (invoice.plan_id !== null) throw refuse(409, 'installment_in_plan')",
    'void 0',
  ),
  of('areas/office/reports/financial/aging.server.ts', 'areas/money/collecting')(
    'aging does not count what is in a plan as late',
    't.plan_id is null and x.due_date',
    'x.due_date',
  ),
  of('areas/office/reports/finance/dashboard.server.ts', 'areas/money/collecting')(
    'the dashboard does not count what is in a plan as late',
    'a.plan_id is null and i.due_date',
    'i.due_date',
  ),
  reported('financial/aging.server.ts')(
    'what is late is not counted as not yet due',
    'sum(k.open - k.overdue)::float8 as not_due',
    'sum(k.open)::float8 as not_due',
  ),
  migrating(
    'a function by which stored values were computed is not replaced by itself',
    'if (after.get(name)?.definition !== definition)',
    'if (!after.has(name))',
  ),
  migrating(
    'what only stands in for a value that was not given keeps no function as it is',
    "and c.attgenerated <> ''))",
    '))',
  ),
  migrating(
    'a function that stands on the wrong one is found',
    'union select d.refobjid, u.by',
    'union select d.objid, u.by',
  ),
  migrating('a database that is taken over keeps its time', '(select max("timestamp") from before)', 'now()::text'),
  released('a database before the release is refused', 'if (lacking.length)', 'if (lacking.length > 9)'),
  released('a database with others beside the release is refused', 'if (others.length)', 'if (others.length > 9)'),
  of('db/roles.ts', 'db/roles.test.ts')(
    'the program does not say which functions were installed',
    "or c.relname = 'function_files' or",
    'or',
  ),
  of('apps/server/backup/restore.ts', 'tests/trouble/backup.test.ts')(
    'a backup of the release that became the baseline is restored by the names of today',
    'namesOfToday(told.migrations, await readReleases())',
    'told.migrations',
  ),
  ministryRow('a formula is no value', "errors.push({ at, code: 'applicant_row_formula' })", ';'),
  ministryRow(
    'a row has as many cells as columns',
    "errors.push({ at: null, code: 'applicant_row_cells'",
    "void ({ at: null, code: 'applicant_row_cells'",
  ),
  ministryRow(
    'a maximum is that of the certificate',
    'Math.round(Number(read) * 100) !== certificate.max_total',
    'false',
  ),
  ministryRow(
    'an officer of a part brings those who wish for it',
    'if (reached && !wishes.some',
    'if (false && reached && !wishes.some',
  ),
  ministryRow(
    'a day is one that there is',
    'at.getUTCDate() !== Number(date) || at.getUTCMonth() + 1 !== Number(month)',
    'false',
  ),
  ministryRow('a mark has two places at most', '(?:\\.\\d{1,2}0*)?$', '(?:\\.\\d*)?$'),
  ministryRow('a passport is of a country', "String(nationality_id ?? '')", "''"),
  ministryRow('whoever has a national id is Egyptian', 'values.nationality_id ??= EGYPTIAN', ''),
  ministryRow('somebody is known by something', 'if (person === null && !errors.length)', 'if (false)'),
  ministryRow('what only the form asks for is not asked', 'if (NOT_ASKED.has(code)) continue', ''),
  ministrySheet('a column is one field', 'else if (taken.has(at))', 'else if (false)'),
  ministrySheet('a kept mapping needs all its headings', 'found.every(([, at]) => at >= 0)', 'true'),
  ministrySheet('wishes have no gap', 'if (!wishes.includes(wish))', 'if (false)'),
  elsewhere('external.rules.ts')(
    'a paper of this university that was revoked is not genuine',
    "result: own.valid ? 'genuine' : 'not_genuine'",
    "result: 'genuine'",
  ),
  elsewhere('external.rules.ts')(
    'an intact signature does not say who signed',
    "{ result: 'unknown', found: 'signature_intact'",
    "{ result: 'genuine', found: 'signature_intact'",
  ),
  elsewhere('external.rules.ts')(
    'an issuer without an address is not asked',
    'of.email ? [] :',
    'of.email || true ? [] :',
  ),
  elsewhere('external.server.ts')(
    'whose paper it is is one person',
    'if (given.length !== 1)',
    'if (given.length === 0)',
  ),
  elsewhere('external.server.ts')(
    'papers of others are for who reaches everything',
    "if (!reachesAll(ctx, USE)) throw refuse(403, 'not_allowed')",
    '',
  ),
  elsewhere('external.server.ts')('a further file begins anew', "if (status !== 'New')", 'if (false)'),
  elsewhere('ask.server.ts')(
    'the links end with the question',
    'where q.id = l.ask_id and q.paper_id = ${paper_id}',
    'where false and q.id = l.ask_id and q.paper_id = ${paper_id}',
  ),
  elsewhere('answer.server.ts')(
    'a link that is late opens nothing',
    'where l.token_hash = ${hashToken(token)} and l.expires_at > now()',
    'where l.token_hash = ${hashToken(token)}',
  ),
  elsewhere('clock.server.ts')(
    'an issuer that has still time is not asked again',
    'q.due_on + ${over}::int < university_today()',
    'q.due_on + ${over}::int <= university_today()',
  ),
  turnsOf('keep_certificate_turn')(
    'a certificate that is removed or ended waits for nobody',
    "when 'in review' then 'review'",
    "when 'in review' then 'review' when 'Rejected' then 'prepare'",
  ),
  turnsOf('keep_certificate_turn')(
    'what is collected by hand waits for who asked',
    "case when c.delivery <> 'by_hand' then 'deliver' end",
    "'deliver'",
  ),
  turnsOf('keep_certificate_turn')(
    'each signature has a wait of its own',
    ' and held.position_id is not distinct from place then',
    ' then',
  ),
  turnsOf('certificate_turn_holders')(
    'whoever prepared it is not reminded of its review',
    "not (x.kind = 'review' and o.id is not distinct from x.prepared_by)",
    'true',
  ),
  turnsOf('certificate_turn_holders')(
    'whoever stands in is reminded',
    "'sign_certificate' = any (d.permissions)",
    'false',
  ),
  turnsOf('certificate_turn_above')(
    'who follows certificates is told only where there is no manager',
    'not exists (select from managers)',
    'true',
  ),
  turnsOf('signing_holder')('whose account is closed holds no position', 'and u.blocked_at is null', ''),
  turnClock(
    'a day on which it is due is not over',
    'g.due_on + ${over}::int < university_today()',
    'g.due_on + ${over}::int <= university_today()',
  ),
  turnClock('nobody is told twice of one wait', 'g.${sql.raw(mark)} is null and', 'true and'),
  turnClock(
    'the office is not reminded of what a debt holds',
    "(g.kind = 'deliver' or not coalesce(certificates_held(t.student_id), false))",
    'true',
  ),
  certificateTurn('kit/server/workflow/reminders.ts')(
    'what was told is marked in the same unit of work',
    'set ${sql.ref(of.mark)} = university_today()',
    'set ${sql.ref(of.mark)} = null',
  ),
  certificateTurn('areas/office/certificates/turns/turn.server.ts')(
    'whom the office told is for staff',
    'case when ${staff} then g.reminded_on end',
    'g.reminded_on',
  ),
  nameChangeRules(
    'it stands on the name that the record bore',
    'of.name === of.old_name && of.name_local === of.old_name_local',
    'true',
  ),
  nameChangeRules('the name that the record bears is not asked for', 'if (of.same)', 'if (false)'),
  nameChangeRules('a proof is a PDF or a picture', '!(PROOF_KINDS as readonly string[]).includes(file.ext)', 'false'),
  nameChangeRules('a proof is not too large', 'file.size > PROOF_MOST', 'false'),
  nameChangeParts('a proof is the own file', ' and f.created_by = ${ctx.actor?.user_id ?? null}::int', ''),
  nameChangeParts(
    'papers of before are those that bear the name of before',
    'and (q.holder, q.holder_local) = (t.old_name, t.old_name_local)',
    '',
  ),
  nameChanging('areas/records/students/names/former.server.ts')(
    'the name of before is kept',
    'where s.id = ${student_id} order by o.id',
    'where false and s.id = ${student_id} order by o.id',
  ),
  nameChanging('db/functions/people/search_text_of_person.sql')(
    'a student is found by the name of before',
    'from former_names f where f.student_id = new.id',
    'from former_names f where false',
  ),
  certificateRule('as many originals as were paid for', 'original: printed < copies', 'original: printed <= copies'),
  certificateRule('a copy beyond has a reason', 'nextPrint(facts).original || reason !== null', 'true'),
  certificateRule('what is revoked is not printed', "facts.state === 'valid' ? []", 'true ? []'),
  certificateRule('nobody reviews what he prepared', 'facts.people.includes(facts.prepared_by)', 'false'),
  certificateRule('signers sign in their turn', 'next.holder_id === actor_id', 'actor_id !== null'),
  certificatePrint(
    'nothing is printed of what is being corrected',
    'if (!PRINTED_IN.includes(row.status))',
    'if (false)',
  ),
  certificatePrint('a copy carries its number', 'if (original) return file', 'if (original || number) return file'),
  certificatePrint(
    'two clerks print one after the other',
    'await sql`select from certificates where id = ${id} for update`.execute(tx)',
    '',
  ),
  certificatePrint('what is not released is not opened in the own papers', "and t.status <> 'Delivered'", 'and false'),
  certificatePrint(
    'in the office nobody opens an original',
    'return office && !row.own ? stamped',
    'return false ? stamped',
  ),
  officeFunction('keep_certificate_print')(
    'a printing that was kept stays as it was',
    "if tg_op <> 'INSERT' then",
    'if false then',
  ),
  officeFunction('keep_certificate_print')(
    'the database says what is an original',
    'new.original := new.number <= paid',
    'new.original := new.original',
  ),
  officeFunction('keep_certificate_text')('who wrote a wording is kept', "(who ->> 'actor_id')::integer", 'null'),
  of('kit/server/papers/stamp.ts', 'areas/office/certificates/certificates.test.ts')(
    'a copy does not carry the signature of the original',
    'file.context.delete(ref)',
    'void ref',
  ),
  certificateText('what nothing fills stays text', 'if (!isPlace(name)) continue', ''),
  certificateText('words that both have are not told', 'left[i] === right[j]) {', 'false) {'),
  askers(
    'staff: who asks is a student or an account, not both',
    "if (student_id !== null && staff_id !== null) throw refuse(422, both, undefined, 'staff_id')",
    '',
  ),
  askers(
    'staff: whose account is closed works here no more',
    'when w.removed_at is null and w.blocked_at is null and w.type in (1, 2)',
    'when w.type in (1, 2)',
  ),
  askers('staff: who is a student asks as a student', 'own === null && ctx.can(asStaff)', 'ctx.can(asStaff)'),
  askerUnits(
    'staff: who teaches works where the record of the work is',
    'coalesce(u.faculty_id, i.faculty_id)',
    'u.faculty_id',
  ),
  serviceStaff('requests/service.rules.ts')(
    'staff: what is for students is not for staff',
    "staff: 'for_staff' } as const",
    "staff: 'for_students' } as const",
  ),
  serviceStaff('kinds/kind.server.ts')(
    'staff: one at a time is one for an account, too',
    '(c.student_id = s.id or c.staff_id = w.id)',
    'c.student_id = s.id',
  ),
  serviceStaff('requests/service.server.ts')(
    'staff: sent twice it is one request, too',
    '(student_id = ${student_id} or staff_id = ${staff_id})',
    'student_id = ${student_id}',
  ),
  serviceStaff('erasing.server.ts')(
    'staff: what is kept for a person is not erased',
    'and not coalesce(is_held(coalesce(s.user_id, t.staff_id)), false)',
    '',
  ),
  certificateStaff('requests/certificate.rules.ts')(
    'staff: a certificate for students is not for staff',
    "staff: 'for_staff' } as const",
    "staff: 'for_students' } as const",
  ),
  certificateStaff('types/type.rules.ts')(
    'staff: what is for staff is for nobody else',
    'type.for_staff && (type.for_students || type.for_graduates',
    'type.for_staff && (false',
  ),
  certificateStaff('types/type.rules.ts')(
    'staff: a text for staff is filled from the work',
    'type.for_staff ? STAFF_PLACES : CERTIFICATE_PLACES',
    'CERTIFICATE_PLACES',
  ),
  certificateStaff('requests/contents.server.ts')(
    'staff: papers of staff are a kind of their own',
    "staff_id !== null ? 'staff_certificate' : document",
    'document',
  ),
  certificateStaff('types/offered.server.ts')(
    'staff: one certificate of a type is on its way for an account, too',
    '(c.student_id = s.id or c.staff_id = w.id)',
    'c.student_id = s.id',
  ),
  certificatePrint(
    'a record that is signed is not issued at once',
    'and exists (select from certificate_setting_signers s where s.type_id = t.id)',
    'and false',
  ),
  certificatePrint(
    'a type lets the desk issue its record at once',
    'o.document = t.document and o.desk_at_once',
    'o.document = t.document and false',
  ),
  of('db/functions/office/external_papers_go_with.sql', 'areas/office/certificates/external/external.test.ts')(
    'what the student has already stays with the application',
    'o.student_id = new.student_id and o.sha256 = p.sha256',
    'false',
  ),
  of('db/functions/money/keep_noted_invoice.sql', 'areas/money/invoices/invoices.test.ts')(
    'no note is added to a reversed invoice',
    'if reversed is not null then',
    'if false then',
  ),
  of('kit/server/documents/pdf.worker.ts', 'kit/server/documents/documents.test.ts')(
    'what has no structure is not said to be read aloud',
    "if (!task.tags || task.standard === '1.7') return made",
    "if (task.standard === '1.7') return made",
  ),
  serviceRules(
    'who has left asks for no service',
    "if (audience === null) reasons.push({ code: 'service_left' })",
    'if (false) ;',
  ),
  serviceRules('a required field is answered', "field.required ? [{ field: field.key, code: 'required' }] : []", '[]'),
  serviceRules('a day is one that there is', 'at.toISOString().startsWith(given)', 'true'),
  serviceRules('what a service does not ask for is not taken', '!known.has(key) && !empty(answers[key])', 'false'),
  serviceRules('the last office does not pass on', "facts.last ? [{ code: 'service_last_office' }] : []", '[]'),
  serviceRules('what is paid later is not waited for', 'system && !prepaid', 'false'),
  serviceKinds('an office is a role or a person', '(office.role_id === null) === (office.user_id === null)', 'false'),
  serviceKinds('a choice has two options', 'found.length < 2', 'found.length < 1'),
  serviceParts('areas/office/services/requests/chain.server.ts')(
    'an office works in its turn only',
    '(${ownTurn(ctx)} or ${manages(ctx)}) as turn',
    'true as turn',
  ),
  serviceParts('areas/office/services/requests/show.server.ts')(
    'a note for offices is not read by who asked',
    'office || one.note_shown ? one.note : null',
    'one.note',
  ),
  serviceParts('areas/office/services/requests/service.server.ts')(
    'sent twice it is one request',
    'if (rows[0]) return standing(tx, rows[0].id)',
    '',
  ),
  serviceParts('areas/office/services/requests/service.server.ts')(
    'a correction is made while nobody has begun',
    'if (!OPEN.includes(status))',
    'if (false)',
  ),
  serviceParts('areas/office/services/requests/clock.server.ts')(
    'a reminder is sent once',
    'and g.${sql.raw(mark)} is null',
    '',
  ),
  serviceParts('areas/office/services/requests/answers.server.ts')(
    'a file of somebody else is not handed in',
    'f.created_by = ${ctx.actor?.user_id ?? null}::int',
    'true',
  ),
  thesisRules('shares sum to a hundred', 'sum !== 100', 'sum > 100'),
  thesisRules('a relative does not supervise', "one.tie === 'relative'", 'false'),
  thesisRules(
    'the load of a supervisor is held',
    'one.load >= rules.max_supervised',
    'one.load > rules.max_supervised',
  ),
  thesisRules('so many of a committee are from elsewhere', 'external < rules.min_external', 'false'),
  thesisRules('who is bound to the student does not judge', "if (one.tie !== 'none')", 'if (false)'),
  thesisRules('similarity stays below the limit', 'facts.similarity > rules.max_similarity', 'false'),
  thesisRules(
    'who supervises stays while a discussion is scheduled',
    'change_team && discussion && !discussion.result',
    'false',
  ),
  thesisRules('no discussion before the earliest day', 'earliest && day < earliest', 'false'),
  thesisRules('no discussion after the latest day', 'latest && day > latest', 'false'),
  thesisRules(
    'the degree waits for the changes',
    "discussion.result === 'changes' && !discussion.changes_done_on",
    'false',
  ),
  thesisParts('thesis/thesis.rules.ts')(
    'a degree with which somebody graduated is not taken back',
    "facts.status === 'granted' && facts.graduated",
    'false',
  ),
  thesisParts('thesis/facts.server.ts')(
    'two who register at once do not pass the load',
    'order by i.id for no key update',
    'order by i.id',
  ),
  thesisParts('thesis/flow.server.ts')(
    'nobody decides on a thesis of the own team',
    'i.user_id = any(${people})',
    'false',
  ),
  thesisParts('rules/clock.server.ts')('a day is told once', 'and t.${sql.raw(mark)} is null', ''),
  courseFileRules('a part is asked of courses that have such hours', "part.asked_of === 'all' ||", 'true ||'),
  courseFileRules('as many files as the part says', 'handed >= part.min_files', 'handed > 0'),
  courseFileRules('a part that is set up no more is not asked', 'part.is_optional || part.removed', 'part.is_optional'),
  courseFileRules('work of students is taken without names', 'part.names_hidden && !of.names_hidden', 'false'),
  courseFileRules('open comments hold up a decision', 'open_comments > 0 ?', 'false ?'),
  ownReports('choices.rules.ts')(
    'three dimensions stand together at most',
    'dimensions.length > MOST_DIMENSIONS',
    'dimensions.length > 9',
  ),
  ownReports('choices.rules.ts')(
    'only what adds up has a share',
    '.filter((key) => !addsUp(key))',
    '.filter(() => false)',
  ),
  ownReports('choices.rules.ts')(
    'figures of which somebody lacks the right are closed',
    '.filter((one) => !holds(rightOfSubject(one)))',
    '.filter(() => false)',
  ),
  ownReports('order.rules.ts')('rows with the most persons stay', 'people > least ||', 'people < least ||'),
  ownReports('tables.rules.ts')(
    'a change of a hidden figure is hidden',
    "now === 'few' || before === 'few'\n",
    "now === 'few'\n",
  ),
  ownReports('schedule.rules.ts')('no mail of today once its hour has begun', 'hourNow < hour ?', 'hourNow <= hour ?'),
  ownReports('schedule.rules.ts')(
    'the next mail is never today',
    'dayOfWeekFrom(addDays(today, 1)',
    'dayOfWeekFrom(addDays(today, 0)',
  ),
  ownReports('saved.server.ts')(
    'a role held until yesterday opens nothing',
    'a.valid_to >= university_today()',
    'true',
  ),
  ownReports('saved.server.ts')(
    'a report is not shared with who sees nothing of it',
    '.filter(({ sees }) => !sees)',
    '.filter(() => false)',
  ),
  ownReports('mail.server.ts')('nothing is sent of what is shared no more', '!due.readable', 'false'),
  ownReports('mail.server.ts')('who left is told nothing', "!rows.length || why === 'account'", '!rows.length'),
  ownReports('rows.server.ts')('rows open by the right to the rows', 'requireReach(ctx, rowsRight)', 'void rowsRight'),
  ownReports('shape.server.ts')('a cell of few is hidden', 'hiddenCells[at]![place]!', 'false'),
  figureRules(
    'figures of one to four persons out of reach are few',
    'far > 0 && ((people > 0 && people < FEW)',
    'far > 0 && ((people > 0 && people < 2)',
  ),
  figureRules('a count of few among many is few', 'count > 0 && count < FEW', 'count > 0 && count < 0'),
  figureRules('who reaches all of them is told', 'far > 0 && ((people', '((people'),
  figureRules(
    'a hidden figure is not left alone beside its sum',
    'hidden.size === 1 || people() < FEW',
    'people() < 0',
  ),
  figureRules(
    'the smallest one beside it is hidden',
    'line[at]!.people < line[least]!.people',
    'line[at]!.people > line[least]!.people',
  ),
  figureRules('nothing through nothing is none', 'part === null || !through ? null', 'part === null ? null'),
  figureRules('columns with the most persons stay', 'people >= least', 'people <= least'),
  unitRules('the name of a term is that of its last day', 'const then = at(span.to)', 'const then = names.at(0)!'),
  unitRules(
    'a former name of before the span is not told',
    'one.until > span.from) && !alike',
    'one.until > "") && !alike',
  ),
  unitRules('what was merged into it is no former name', "one.to === id && one.kind !== 'merged'", 'one.to === id'),
  unitRules('what came from several has none of their names', '!origin || origins.length > 1', '!origin'),
  unitRules('what is still to come bridges nothing', 'filter(({ on }) => on <= today)', 'filter(() => true)'),
  unitRules('what goes on is one of the several', '...(goesOn ? [id] : [])', ''),
  unitRules('an end has one day', "given.kind !== 'split_off' && end.on !== given.on", 'false'),
  unitParts('what follows is within reach as well', '[id, ...unit_ids])', '[id])'),
  unitParts(
    'a line of another unit is not removed',
    'where id = ${line} and ${columnOf(unit)} = ${id}',
    'where id = ${line}',
  ),
  unitParts(
    'a former name ended, and does not end some day',
    "if (typed.until_day > firstRow(rows).today) throw refuse(422, 'unit_day_ahead', undefined, 'until_day')",
    '',
  ),
  figureUnits('units.rules.ts')('kept figures know the new name', 'const of = now ? {', 'const of = now && false ? {'),
  figureUnits('units.rules.ts')('what was split stands below it', 'if (at < 0 || !group.length) continue', 'continue'),
  figureUnits('read.server.ts')('a bridge is another question', 'asked.today ? bridges : {},\n', '{},\n'),
  figureUnits('rows.server.ts')(
    'rows behind a bridged figure are those',
    'asked.today ? await readBridges',
    'false ? await readBridges',
  ),
  figureUnits('units.server.ts')(
    'who asks for the old unit gets the new one',
    'find(([from]) => from === value)',
    'find(() => false)',
  ),
  differRules('a term in one alone is told', "OF_TIME(by) ? 'time' : 'narrowed'", "'narrowed'"),
  differRules('persons beside rows are told', 'countsPersons(one) !== countsPersons(other)', 'false'),
  differRules('another reach is told', 'reach(a) !== reach(b)', 'false'),
  differRules('another moment is told', 'a.seen.kept !== b.seen.kept ||', 'false ||'),
  keptFigures('kept.server.ts')(
    'rows that are held are left to a job',
    "['took_too_long', 'data_busy']",
    "['took_too_long']",
  ),
  keptFigures('rows-sheet.server.ts')(
    'a sheet is fetched by its author alone',
    'and j.created_by = ${ctx.actor?.user_id ?? null}::int',
    '',
  ),
  keptFigures('rows-sheet.server.ts')(
    'a sheet is fetched while the right is there',
    'requireReach(ctx, systemReport(found.result.link).permission)',
    'void found.result.link',
  ),
  keptFigures('rows-sheet.server.ts')(
    'a sheet that is kept no more is told so',
    'if (!found.kept) throw',
    'if (false) throw',
  ),
  ownReports('saved.server.ts')(
    'a report is not shared with a person who sees nothing of it',
    '(await rightsOf(tx, id)).has(right)',
    'true',
  ),
  ownReports('saved.server.ts')(
    'with whom else it is shared is told to who keeps it',
    'case when r.user_id = ${user} then (select',
    'case when true then (select',
  ),
  keptFigures('read.server.ts')(
    'kept figures are told to nobody who reaches less',
    'every((key) => reachesAll(ctx, key))\n  const { answer, kept } = whole',
    'every((key) => reachesAll(ctx, key) || true)\n  const { answer, kept } = whole',
  ),
  keptFigures('read.server.ts')(
    'figures are of the question that was asked',
    'filtersInOrder(question.filters),',
    '[],',
  ),
  keptFigures('kept.server.ts')(
    'figures of one term are not told of another',
    'and term_id is not distinct from ${termOf(asked)}\n',
    '\n',
  ),
  keptFigures('kept.server.ts')('who wants them anew gets them anew', 'if (!asked.fresh) {', 'if (asked) {'),
  keptFigures('kept.server.ts')(
    'old figures serve nobody',
    'and made_at > now() - make_interval(secs => ${FIGURES_KEPT.longest}::int)',
    '',
  ),
  keptFigures('kept.server.ts')(
    'figures that are no longer young are worked out again',
    'if (kept.old) await workOut',
    'if (!kept) await workOut',
  ),
  keptFigures('kept.server.ts')(
    'nobody works out what a job works out already',
    "if (await ctx.services.jobs.underWay(ctx.db, FIGURES_JOB, { digest })) throw refuse(409, 'report_worked_out')",
    '',
  ),
  keptFigures('kept-jobs.server.ts')(
    'what nobody asks for any more goes',
    'where asked_at < now() - make_interval(days => ${FIGURES_KEPT.asked}::int)',
    'where false',
  ),
  keptFigures('rows-sheet.server.ts')(
    'a sheet of rows asks for the right to the report',
    'requireReach(ctx, systemReport(link).permission)\n    // What may not be opened',
    '// What may not be opened',
  ),
  keptFigures('rows-sheet.server.ts')(
    'a sheet holds no more rows than Excel takes',
    "if (all > ROWS_SHEET.most) throw refuse(422, 'report_rows_many', { most: ROWS_SHEET.most })\n    const job_id",
    'const job_id',
  ),
  figureParts('figures.server.ts')(
    'each report asks for its own right',
    'requireReach(ctx, systemReport(link).permission)',
    'void systemReport(link).permission',
  ),
  figureParts('rows.server.ts')(
    'rows open by the right to the rows',
    'requireReach(ctx, figureSubject(report.of).rows)',
    'void figureSubject(report.of).rows',
  ),
  figureParts('rows.server.ts')(
    'rows are of the cell alone',
    '...(of_row ? [is(subject.dimensions[by]!, row)] : []),',
    '',
  ),
  figureParts('read.server.ts')(
    'a share tells what is left of its whole',
    'counts.length === 2 ? [...counts, counts[1]! - counts[0]!] : counts',
    'counts',
  ),
  figureParts('read.server.ts')(
    'a dimension that the report does not have is refused',
    "if (rows === undefined || !report.rows.includes(rows)) throw unknown('rows')",
    '',
  ),
  figureParts('subjects/students.server.ts')(
    'who left within the year is not retained',
    'd.decided_on < et.start_date + 365)',
    'd.decided_on < et.start_date + 3)',
  ),
  figureParts('subjects/registrations.server.ts')(
    'results count when they are out',
    'const PASSED = sql`r.passed and ${OUT}`',
    'const PASSED = sql`r.passed`',
  ),
  courseFileParts('areas/quality/course-files/files/course-file.rules.ts')(
    'what is gone since holds up a decision',
    '...checkCourseFile(parts),\n  ...(open',
    '...(open',
  ),
  courseFileParts('areas/quality/course-files/files/reach.server.ts')(
    'what is handed in is not changed',
    'if (!OPEN_STATES.has(status))',
    'if (false)',
  ),
  courseFileParts('areas/quality/course-files/files/course-file.server.ts')(
    'a step is taken back only where it is the last',
    'if (status !== quality)',
    'if (false)',
  ),
  courseFileParts('areas/quality/course-files/reports/report.server.ts')(
    'a report is filled once the marks are published',
    'if (!(await reportsOf(tx, [id])).get(id)?.published)',
    'if (false)',
  ),
  courseFileParts('areas/quality/course-files/files/flow.server.ts')(
    'nobody decides on the own course',
    'i.user_id = any(${people})',
    'false',
  ),
  courseFileParts('areas/quality/course-files/files/comments.server.ts')(
    'a thread is settled by whoever began it or teaches',
    'if (!mine && by !== (ctx.actor?.user_id ?? null))',
    'if (false)',
  ),
  courseFileParts('areas/quality/course-files/files/clock.server.ts')(
    'a reminder is sent once',
    'and t.${sql.raw(mark)} is null',
    '',
  ),
  questionnaires('counting/tally.rules.ts', 'counting/tally.rules')(
    'a question that fewer than five answered is not stored',
    'if (n < FEWEST_ANSWERS) return []',
    '',
  ),
  questionnaires('counting/tally.rules.ts', 'counting/tally.rules')(
    'four comments are not stored',
    'if (texts.length < FEWEST_ANSWERS) return []',
    '',
  ),
  questionnaires('counting/tally.rules.ts', 'counting/tally.rules')(
    'what everybody said is not stored',
    'const alike = n >= asked && sorted.some(([, times]) => times === n)',
    'const alike = false',
  ),
  questionnaires('counting/tally.rules.ts', 'counting/tally.rules')(
    'comments stand in the order of the alphabet',
    'return texts.sort(byCode).map(',
    'return texts.map(',
  ),
  questionnaires('counting/count.server.ts', 'questionnaires')(
    'who took part is deleted when a set is counted',
    'await sql`delete from questionnaire_participations where set_id = ${set_id}`.execute(tx)',
    '',
  ),
  questionnaires('counting/count.server.ts', 'inviting/invite')(
    'invitations go when a questionnaire is counted',
    'await sql`delete from questionnaire_invitations where questionnaire_id = ${of.id}`.execute(tx)',
    '',
  ),
  questionnaires('filling/answers.rules.ts', 'filling/answers.rules')(
    'an answer to what is not asked does not count',
    'if (given === undefined || isBlank(given) || !isQuestionAsked(form, question, answers)) continue',
    'if (given === undefined || isBlank(given)) continue',
  ),
  questionnaires('filling/fill.server.ts', 'questionnaires')(
    'of two windows one counts',
    "if (!took.length) throw refuse(409, 'questionnaire_answered')",
    '',
  ),
  questionnaires('filling/waiting.server.ts', 'filling/waiting')(
    'who has put it off today is not led to it again',
    'and w.day = university_today())',
    'and false)',
  ),
  surveysHeld('one that may still be put off stands against nobody', '), q.postponements = 0)', '), true)'),
  surveysHeld(
    'what is answered stands against nobody',
    'and not exists (select from questionnaire_participations p where p.set_id = x.id and p.user_id = person)',
    '',
  ),
  questionnaires('inviting/invited.server.ts', 'inviting/invite')(
    'a link is used once',
    "if (found.answered) throw refuse(409, 'questionnaire_answered')",
    '',
  ),
  questionnaires('results/stats.rules.ts', 'results/stats.rules')(
    'who teaches waits for the marks',
    "if (teaches && control_status !== 'Published' && control_status !== 'Frozen') return 'results_marks_first'",
    '',
  ),
  questionnaires('results/compare.rules.ts', 'results/export')(
    'a set is compared with the others, not with itself',
    'times - (own.counts[value] ?? 0)',
    'times',
  ),
  questionnaires('results/all.server.ts', 'results/export')(
    'an instructor has no file of what is withheld',
    ' and ${shownSets(ctx)}',
    '',
  ),
  questionnaires('planning/questionnaire.rules.ts', 'planning/questionnaire.rules')(
    'nothing is opened without a key outside the database',
    "if (!at.key) reasons.push({ code: 'questionnaire_no_key' })",
    '',
  ),
  internshipRules('rotations/rotation.rules.ts')(
    'nobody is where a hospital has left',
    'of.withdrawn_from <= of.ends_on',
    'of.withdrawn_from < of.ends_on',
  ),
  internshipRules('rotations/rotation.rules.ts')(
    'as many electives as the year has',
    'of.electives >= of.most_electives',
    'of.electives > of.most_electives',
  ),
  internshipRules('rotations/rotation.rules.ts')('the last place is given once', 'of.free <= 0', 'of.free < 0'),
  internshipRules('rotations/rotation.rules.ts')(
    'what was failed counts nothing',
    "if (one.outcome === 'failed') ended = true\n    else if",
    'if',
  ),
  internshipRules('rotations/rotation.rules.ts')(
    'days on leave beyond those allowed are made up',
    'one.leave - leaveDays',
    'one.leave - leaveDays - 1',
  ),
  internshipRules('interns/intern.rules.ts')(
    'the year is for graduates',
    "joins && of.status !== 'graduated'",
    'false',
  ),
  internshipRules('grades/offering.rules.ts')(
    'marks come until the deadline',
    'of.today > due',
    'of.today > addDays(due, 1)',
  ),
  internshipRules('setup/setup.rules.ts')(
    'a year holds what it has',
    'of.used_until > yearEnds(of)',
    'of.used_until > addDays(yearEnds(of), 1)',
  ),
  internshipParts('db/functions/practice/guard_emtyaz_places.sql')(
    'the database gives no place twice',
    'if exists (select from emtyaz_overfull',
    'if false and exists (select from emtyaz_overfull',
  ),
  internshipParts('db/functions/practice/emtyaz_places_on.sql')(
    'nobody has a place where a hospital has left',
    'case when t.withdrawn_from <= day then 0',
    'case when t.withdrawn_from <= day - 400 then 0',
  ),
  internshipParts('areas/practice/internship/grades/offering.server.ts')(
    'the second of two who mark is told',
    'if (row.version !== given.version)',
    'if (false)',
  ),
  internshipParts('areas/practice/internship/grades/offering.server.ts')(
    'what was made up for stays failed',
    "if (rows[0]) throw refuse(409, 'rotation_made_up'",
    "if (false as boolean && rows[0]) throw refuse(409, 'rotation_made_up'",
  ),
  internshipParts('areas/practice/internship/interns/intern.server.ts')(
    'marks are the intern’s once they are published',
    "case when g.control_status = 'Published' or",
    "case when g.control_status <> 'none' or",
  ),
  internshipParts('areas/practice/internship/reach.server.ts')(
    'who supervises elsewhere marks nobody here',
    'm.training_id = ${training} and m.instructor_id',
    'm.instructor_id',
  ),
  trainingRules(
    'a training is long enough for its weeks',
    "if (weeks > last) reasons.push({ field: 'weeks', code: 'training_weeks', data: { weeks: last } })",
    '',
  ),
  trainingRules('weeks that were asked for stay', 'of.asked_until > (of.by_week ? last : 0)', 'false'),
  trainingRules(
    'a week has not fewer places than are taken',
    'if (taken > (own.get(week) ?? places))',
    'if (taken > places)',
  ),
  trainingRules(
    'weeks are chosen where they are to be',
    "if (from_week === null || until_week === null) return [{ field: 'from_week', code: 'training_weeks_missing' }]",
    'if (from_week === null || until_week === null) return []',
  ),
  trainingRules('no place in a week that is full', 'of.places !== null && of.full_weeks.length', 'false'),
  trainingRules(
    'who has had no interview has no place',
    "if (of.needs_interview && !of.interviewed) reasons.push({ code: 'training_not_interviewed' })",
    '',
  ),
  trainingRules(
    'the organisation assesses from the first day on',
    "if (of.today < of.starts_on) return [{ code: 'training_not_begun', data: { day: of.starts_on } }]",
    '',
  ),
  trainingRules('an earlier wish stays', 'one.wish > wish)', 'one.wish !== wish)'),
  trainingParts('students-trainings/facts.server.ts', 'trainings')(
    'nobody is at two trainings at once',
    "&& daterange(${from}, ${until}, '[]')",
    "&& 'empty'::daterange",
  ),
  trainingParts('students-trainings/student-training.server.ts', 'trainings')(
    'many at once are counted together',
    'if (placed.length) await keepPlaces(tx, placed)',
    '',
  ),
  trainingParts('students-trainings/student-training.server.ts', 'organisation')(
    'a second supervisor does not wipe out the first',
    "if (of.version !== version) throw refuse(409, 'changed_meanwhile', { version: of.version })",
    '',
  ),
  trainingParts('students-trainings/student-training.server.ts', 'counted')(
    'reasons against graduation follow approved weeks',
    'if (rows.length)\n    await followGraduation(',
    'if (rows.length > 1000)\n    await followGraduation(',
  ),
  trainingParts('students-trainings/paper.server.ts', 'organisation')(
    'the certificate goes with the approval',
    "moved.filter(({ from }) => from === 'approved')",
    "moved.filter(({ from }) => from === 'never')",
  ),
  trainingParts('organisations/link.server.ts', 'organisation')(
    'a link opens the CVs of its own training alone',
    "and ${ofLink(about)} and t.removed_at is null and t.status = 'requested' and t.cv_file_id is not null",
    "and t.removed_at is null and t.status = 'requested' and t.cv_file_id is not null",
  ),
  trainingParts('organisations/link.server.ts', 'organisation')(
    'a link ends after the training',
    'and university_today() <= coalesce(y.ends_on, p.own_ends_on) + ${TRAINING_LINK_DAYS}::int',
    '',
  ),
  trainingParts('places/overview.server.ts', 'organisation')(
    'who calls a training off decides on each of its students',
    "if (elsewhere) throw refuse(409, 'training_students_elsewhere', { count: elsewhere })",
    '',
  ),
  trainingParts('places/training.server.ts', 'weeks')(
    'days are not changed so that two trainings overlap',
    'reasons.push(...(await overlapsOf(tx, current.id, said.starts_on, said.ends_on)))',
    'void overlapsOf',
  ),
]
