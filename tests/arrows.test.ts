import { globSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/**
 * Which area may know which. An area uses another's contracts and rules, and of its server side only the functions listed
 * here, which are thereby what the other area offers. A new arrow is a decision: it is written down here, and never leads
 * back to where it comes from.
 */
const root = path.join(import.meta.dirname, '..')

/** The wings in order: an area knows those of its own wing and of the wings before it. */
const WINGS: readonly string[] = [
  'common',
  'people',
  'study',
  'money',
  'records',
  'enrolment',
  'admission',
  'exams',
  'campus',
  'office',
  'quality',
  'practice',
  'research',
]

/** Functions of an area's server side by the areas that call them: `area/file: function, …`. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  'admission/admissions/admissions/admission.server.ts': [
    'admissionState < applicant-imports, applicants, distribution',
  ],
  'admission/applicants/applicant/applicant.server.ts': [
    'applicants < acceptance, admission-payments, applicant-imports, distribution, entrance-exams',
  ],
  'admission/applicants/applicant/flow.server.ts': [
    'applicantWorkflow < acceptance, admission-payments, distribution, entrance-exams',
    'feeStanding < distribution',
    'wishing < reports',
  ],
  'admission/applicants/applicant/moved.server.ts': ['applicantsMoved < admission-payments, entrance-exams'],
  'admission/applicants/applicant/student-of.server.ts': ['studentOfApplicant < acceptance'],
  'admission/applicants/apply/apply.server.ts': ['applicationNumbers < applicant-imports'],
  'admission/applicants/apply/key.server.ts': [
    'limitKeys < admission-payments, distribution',
    'openWithKey < admission-payments, entrance-exams',
    'withKey < entrance-exams',
  ],
  'admission/applicants/apply/read.server.ts': [
    'isApplicantPhone < applicant-imports',
    'isWritable < admission-payments',
  ],
  'quality/questionnaires/outsiders/outsider.server.ts': ['organisationsToAsk < trainings'],
  'quality/questionnaires/results/of-domains.server.ts': ['domainsSaid < specifications'],
  'research/publications/researcher/more.server.ts': ['projectsOfResearcher < projects', 'thesesOfResearcher < theses'],
  'research/publications/works/reach.server.ts': ['publicationReach < projects'],
  'research/theses/thesis/reach.server.ts': ['mayThesis < projects'],
  'quality/questionnaires/results/of-offering.server.ts': ['offeringsSaid < course-files'],
  'quality/specifications/paper/paper.server.ts': ['specificationFile < course-files'],
  'people/access-and-people/sign-in/first.server.ts': ['ledFirst < questionnaires'],
  'people/access-and-people/sign-in/invite.server.ts': ['blockAccount < students'],
  'people/access-and-people/sign-in/passwords.server.ts': ['sendPasswordLink < acceptance'],
  'people/people/account/account.server.ts': ['accountStateSql < access-and-people'],
  'common/academics/attendance-state.server.ts': ['COUNTED_STATE < attendance, early-warning, students'],
  'common/academics/course-words.server.ts': [
    'courseCalled < offerings, registration',
    'courseWord < offerings, registration',
    'joinCourse < grading, level-results, registration, students',
  ],
  'common/academics/current-term.server.ts': [
    'currentTermId < attendance, early-warning, fees, grading, hotels, invoices, offerings, people, registration, reports, scheduling, specifications, students, terms, transfers',
  ],
  'common/academics/offering-reach.server.ts': [
    'offeringReach < attendance, course-files, exam-days, grading, offerings, questionnaires, reports, scheduling, specifications',
    'taughtBy < attendance, conversation, grading, offerings, questionnaires, registration, reports, scheduling, specifications',
  ],
  'common/academics/rating.server.ts': [
    'graceText < students',
    'ratingJson < grading, offerings, students',
    'ratingText < registration, students',
  ],
  'common/academics/student-status.server.ts': [
    'decideStatus < grading, level-results, students, transfers',
    'keepEnded < registration',
    'statusDecided < hotels, registration, transfers',
  ],
  'common/academics/sheet-student.server.ts': [
    'byStudentCode < attendance, grading, specifications',
    'sheetStudent < attendance, grading, specifications',
  ],
  'common/academics/student-reach.server.ts': [
    'studentReach < access-and-people, attendance, certificates, collecting, conversation, degree-audit, documents, early-warning, exams, fees, grading, hotels, internship, invoices, ledger, logbook, people, placement-tests, registration, reports, scheduling, services, specializations, sponsors, students, trainings, transactions, transfers',
  ],
  'common/academics/window-reach.server.ts': [
    'groupOfOffering < grading, offerings',
    'opensTo < attendance, registration, scheduling',
    'shownLevel < attendance, grading, registration, scheduling',
    'windowOpensTo < grading, registration',
  ],
  'enrolment/attendance/excuses/exam.server.ts': ['examExcused < exam-days'],
  'study/catalogue/bylaws/read-settings.server.ts': [
    'bylawSettings < degree-audit, grading, level-results, registration, students, transfers',
  ],
  'study/catalogue/courses/equals.server.ts': ['equalCourses < degree-audit, grading, students, transfers'],
  'study/catalogue/units/unit.server.ts': ['unitHistory < reports', 'unitSuccessions < reports'],
  'study/catalogue/programs/read-plan.server.ts': ['programPlan < degree-audit, transfers'],
  'records/degree-audit/audits/basis.server.ts': ['basisOf < grading', 'basisSql < grading', 'degreeBasis < grading'],
  'records/degree-audit/audits/required.server.ts': [
    'exceptionsJson < grading, transfers',
    'excusedJson < grading, students',
    'heldIn < grading, transfers',
    'lastAttempts < students, transfers',
    'requiredBy < grading, students, transfers',
    'withFacts < grading, students, transfers',
  ],
  'records/degree-audit/audits/wire.server.ts': [
    'auditToWire < students',
    'missingOf < transfers',
    'missingProblem < transfers',
  ],
  'money/fees/scholarships/grants.server.ts': ['giveGrant < acceptance, invoices', 'offerGrant < invoices'],
  'money/fees/prices.server.ts': ['pricesChanged < invoices'],
  'money/fees/settings.server.ts': ['feeFacts < invoices', 'feeSettingsOf < invoices, reports'],
  'records/grading/grades/absent.server.ts': [
    'examMarks < exam-days',
    'holdGrids < exam-days',
    'markAbsent < exam-days',
  ],
  'records/grading/grades/compute.server.ts': ['computeRegistrationGrades < level-results, registration'],
  'records/grading/grades/why.server.ts': ['whyOf < students'],
  'records/grading/guard.server.ts': ['actOn < level-results, merging, registration'],
  'records/grading/signing/sign.server.ts': ['sealsRecords < level-results, transfers'],
  'records/grading/terms/record.server.ts': [
    'followGraduation < trainings',
    'followRecords < merging, registration',
    'standCredits < transfers',
  ],
  'money/invoices/charges.server.ts': ['chargesChanged < sponsors', 'chargesFall < sponsors'],
  'money/invoices/gone.server.ts': ['invoiceGone < admission-payments, collecting'],
  'money/invoices/holds.server.ts': [
    'applicantDebts < admission-payments',
    'followDebts < collecting, transactions',
    'tellAccounts < collecting, transactions',
  ],
  'money/invoices/invoices/print.server.ts': ['accountsToPayInto < admission-payments'],
  'money/invoices/issue.server.ts': [
    'holdInvoice < admission-payments, collecting, hotels, sponsors',
    'issueInvoices < admission-payments, hotels, sponsors',
    'reverseInvoice < admission-payments, hotels',
    'setInstalments < collecting',
    'writeNote < hotels, sponsors',
  ],
  'money/invoices/requests/asked.server.ts': ['askedDraft < hotels', 'priceAsked < hotels'],
  'money/invoices/requests/payer.server.ts': ['chargedPayer < hotels', 'priceForPayer < hotels'],
  'money/invoices/release.server.ts': ['releaseToWallet < transactions'],
  'money/ledger/askers.server.ts': [
    'ASKERS < certificates, services',
    'ASKER_ACCOUNT < certificates, services',
    'ASKER_STATUS < certificates, services',
    'askerFor < certificates, services',
    'holdAsker < certificates, services',
    'reachedAsker < certificates, services',
  ],
  'money/ledger/found.server.ts': ['foundByNumber < invoices, transactions'],
  'money/ledger/others.server.ts': [
    'holdOtherPayer < transactions',
    'otherPayerFor < invoices',
    'workerReach < certificates, hotels, services',
    'workplaceText < certificates, invoices, reports, transactions',
  ],
  'money/ledger/own.server.ts': ['refuseOwn < banks, collecting, invoices, sponsors, transactions'],
  'money/ledger/post.server.ts': [
    'addAccount < banks',
    'holdPayers < collecting, invoices, sponsors, transactions',
    'payerOfGuest < invoices',
    'payerOfStaff < invoices',
    'payersOf < collecting, invoices, transactions',
    'postEntries < banks, invoices, transactions',
    'samePayers < invoices, transactions',
    'walletPayer < transactions',
  ],
  'money/ledger/reach.server.ts': [
    'PAYER_SEARCH < invoices, transactions',
    'otherPayer < invoices, transactions',
    'payerJoins < invoices, transactions',
    'reachedPayer < admission-payments, invoices, reports, transactions',
    'reachedStudent < sponsors',
    'requireWhole < banks',
    'staffCodeText < banks, certificates, hotels',
  ],
  'money/transactions/book.server.ts': ['bookTransactions < admission-payments, banks, sponsors'],
  'money/transactions/cancel.server.ts': ['cancelTransactions < banks'],
  'money/transactions/moves/receipt.server.ts': ['receiptOf < certificates'],
  'money/transactions/providers/pay.server.ts': [
    'askedPayment < admission-payments, certificates',
    'payOnline < admission-payments, certificates',
    'underWay < admission-payments, certificates',
    'waysOffered < admission-payments, certificates',
  ],
  'study/offerings/lock.server.ts': ['lockOfferings < scheduling', 'refuseFrozen < scheduling'],
  'study/offerings/offering.server.ts': [
    'lockTimetable < scheduling',
    'offeringControlSteps < grading',
    'storedSlots < scheduling',
  ],
  'study/offerings/slots/slots.server.ts': ['saveSlots < scheduling'],
  'people/people/instructors/instructor.server.ts': [
    'instructorReach < access-and-people, documents, registration',
    'instructors < scheduling',
  ],
  'people/people/employees/employee.server.ts': ['employeeReach < documents'],
  'people/people/names/follow.server.ts': [
    'LONGEST_NAME < certificates',
    'NAME_COLUMNS < acceptance, access-and-people, students',
    'nameLineProblems < students',
    'partsFollow < access-and-people, students',
  ],
  'people/people/person.server.ts': ['PERSON < access-and-people'],
  'people/people/removing.server.ts': ['beforeAccountRemoved < access-and-people'],
  'people/people/rights-above.server.ts': ['refuseMoreRights < access-and-people'],
  'people/people/taken-email.server.ts': ['tellWhoseEmail < access-and-people, students'],
  'enrolment/registration/capacity.server.ts': ['studentScope < reports'],
  'study/offerings/seats.server.ts': ['seatsAppeared < registration, scheduling'],
  'records/documents/students/carry.server.ts': ['carryDocuments < acceptance'],
  'enrolment/registration/block/block.server.ts': ['firstBlockJob < acceptance'],
  'enrolment/transfers/external/applicant.server.ts': ['creditApplicant < acceptance'],
  'enrolment/transfers/external/settled.server.ts': ['applicantSettled < applicants'],
  'money/fees/scholarships/definition.server.ts': ['definitionOf < admission-payments'],
  'enrolment/registration/changes/owners.server.ts': ['decides < attendance, exam-days'],
  'enrolment/registration/changes/change.server.ts': [
    'changeRegistrations < attendance, exam-days, transfers',
    'heldByControl < exam-days',
  ],

  'enrolment/registration/changes/locked.server.ts': ['lockRegistrations < exam-days'],
  'enrolment/registration/requests/queue.server.ts': ['makeRoom < oneroster', 'wakeWaitList < oneroster'],
  'common/settings/university/university.server.ts': [
    'universitySettingsOf < collecting, grading, hotels, students, transactions, transfers',
  ],
  'records/students/record/academic-record.server.ts': ['ownAcademicRecord < registration', 'recordOf < registration'],
  'records/students/student/student.server.ts': ['students < acceptance, credentials, registration, reports'],
  'common/settings/hijri/hijri.server.ts': ['bothCalendars < students'],
  'people/tags/tagging.server.ts': ['serveTagging < applicants, students'],
  'records/students/study-plan/study-plan.server.ts': ['studyPlanOf < registration'],
  'records/students/transcript/certificate.server.ts': ['certificatePage < certificates', 'prepareText < certificates'],
  'office/reports/figures/values.server.ts': ['figureValues < returns'],
  'office/archive/content/zip-out.server.ts': ['MAX_ZIP < course-files'],
  'office/archive/entries.server.ts': ['findEntry < course-files'],
  'office/credentials/read/read.server.ts': ['readForeignFile < certificates'],
  'records/students/names/former.server.ts': ['changeLegalName < certificates'],
  'people/people/names/names.server.ts': ['writeNames < students'],
  'practice/internship/interns/asked.server.ts': ['yearReasons < logbook'],
  'study/scheduling/feeds/feed.server.ts': ['moreOfCalendar < logbook'],
}

interface Arrow {
  readonly from: string
  readonly to: string
  readonly wings: readonly [from: string, to: string]
  readonly file: string
  readonly names: readonly string[]
  readonly server: boolean
}
const files = globSync('areas/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.test\.tsx?$|\.demo\.ts$|testing\.server\.ts$/.test(file),
)
const areaOf = (file: string): string => file.split('/')[2]!
const wingOf = (file: string): string => file.split('/')[1]!
const arrows = files.flatMap((file): Arrow[] => {
  const text = readFileSync(path.join(root, file), 'utf8')
  const imports = [
    ...text.matchAll(/^(?:import|export)\s+(type\s+)?(?:\{([^}]*)\}|[\w*\s]+)\s+from '([^']+)'/gm),
    // What is fetched later is known all the same.
    ...text.matchAll(/\bimport\((\s*)()'([^']+)'/g),
  ]
  return imports.flatMap(([, type, list = '', name]) => {
    const target = name!.startsWith('#areas/')
      ? name!.slice(1)
      : name!.startsWith('.')
        ? path.join(path.dirname(file), name!)
        : ''
    if (!target.startsWith('areas/') || areaOf(target) === areaOf(file)) return []
    const names = list
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one && !one.startsWith('type '))
      .map((one) => one.split(' as ')[0]!)
    const server = target.endsWith('.server.ts') && type === undefined && names.length > 0
    return [
      {
        from: areaOf(file),
        to: areaOf(target),
        wings: [wingOf(file), wingOf(target)],
        file: target.slice('areas/'.length),
        names,
        server,
      },
    ]
  })
})

it('an area calls of another’s server side only what that one offers', () => {
  const used: Record<string, string[]> = {}
  for (const [file, list] of Map.groupBy(
    arrows.filter((arrow) => arrow.server),
    (arrow) => arrow.file,
  )) {
    const names = [...new Set(list.flatMap((arrow) => arrow.names))].toSorted()
    used[file] = names.map(
      (name) =>
        `${name} < ${[...new Set(list.filter((a) => a.names.includes(name)).map((a) => a.from))].toSorted().join(', ')}`,
    )
  }
  expect(used).toEqual(OFFERED)
})

const known = new Map(
  [...Map.groupBy(arrows, (arrow) => arrow.from)].map(([from, list]) => [from, new Set(list.map(({ to }) => to))]),
)

it('an area knows its own wing and those before it', () => {
  const place = (wing: string) => WINGS.indexOf(wing)
  expect(readdirSync(path.join(root, 'areas')).toSorted(), 'every wing has its place in the order').toEqual(
    WINGS.toSorted(),
  )
  const back = arrows.filter(({ wings: [from, to] }) => place(to) > place(from))
  expect([...new Set(back.map(({ from, to, file }) => `${from} → ${to} (${file})`))]).toEqual([])
})

it('no two areas know each other', () => {
  const pairs = [...known].flatMap(([from, all]) =>
    [...all].flatMap((to) => (from < to && known.get(to)?.has(from) ? [`${from} ↔ ${to}`] : [])),
  )
  expect(pairs).toEqual([])
})

it('what all areas share knows none of them', () => {
  expect([...(known.get('academics') ?? [])]).toEqual([])
})

it('there is no circle of areas', () => {
  /** Everything an area knows, also by way of others. */
  const reached = (from: string): Set<string> => {
    const seen = new Set<string>()
    const open = [from]
    for (let area = open.pop(); area !== undefined; area = open.pop())
      for (const to of known.get(area) ?? [])
        if (!seen.has(to)) {
          seen.add(to)
          open.push(to)
        }
    return seen
  }
  const all = [...known.keys()].toSorted()
  const circles = new Set(
    all
      .filter((area) => reached(area).has(area))
      .map((area) => all.filter((other) => reached(area).has(other) && reached(other).has(area)).join(' ')),
  )
  expect([...circles].map((circle) => circle.split(' '))).toEqual([])
})
