/** A list that the server cuts says so: how many there are, and the way to the others. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const files = (pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()

/**
 * Rows that SQL cuts where no page follows, by why nobody misses the others. Any other list is answered by `cutRows` or
 * `pagedList`, and shown with `MoreRows`. `file: what stands behind limit`.
 */
const CUT: Readonly<Record<string, readonly string[]>> = {
  'work in portions: the rest is next': [
    'areas/office/reports/own/mail.server.ts: 500',
    'areas/money/transactions/tax-receipts/issue.server.ts: ${BATCH}',
    'areas/admission/entrance-exams/bookings/place-all.server.ts: ${TOGETHER}',
    'areas/money/transactions/tax-receipts/issue.server.ts: ${most}',
    'areas/money/transactions/providers/refund.server.ts: ${MOST_AT_ONCE}',
    'areas/money/transactions/providers/settle.server.ts: ${MOST_AT_ONCE}',
    'areas/money/invoices/next/next.server.ts: 2000',
    'areas/office/archive/tree/bin.server.ts: ${AT_ONCE}',
    'areas/office/archive/upload/parts.server.ts: 1000',
    'areas/enrolment/early-warning/erasing.server.ts: ${AT_ONCE}',
    'areas/office/services/erasing.server.ts: ${AT_ONCE}',
    'areas/admission/distribution/told/told.server.ts: ${PORTION}',
    'areas/office/certificates/external/clock.server.ts: ${limit}',
    'areas/office/certificates/graduates/proofs.server.ts: ${AT_ONCE}',
    'areas/office/certificates/turns/clock.server.ts: ${limit}',
    'areas/office/services/requests/clock.server.ts: ${limit}',
    'areas/quality/course-files/files/clock.server.ts: ${limit}',
    'areas/research/theses/rules/clock.server.ts: ${limit}',
    'areas/research/theses/repository/oai.server.ts: ${TOGETHER + 1}',
    'areas/people/conversation/erasing.server.ts: ${AT_ONCE}',
    'areas/people/conversation/tickets/ticket-calls.server.ts: 5000',
    'areas/quality/course-files/pack/pack.server.ts: ${AT_ONCE}',
    'areas/quality/questionnaires/counting/count.server.ts: ${AT_ONCE}',
    'areas/records/degree-audit/audits/run.server.ts: ${CHUNK}',
    'areas/records/grading/signing/verify.server.ts: ${LINKS}',
    'areas/records/grading/signing/verify.server.ts: ${RECORDS}',
    'areas/records/students/standing/leavers.server.ts: ${AT_ONCE}',
    'areas/admission/acceptance/accept.server.ts: ${AT_ONCE}',
    'areas/admission/applicants/apply/upload.server.ts: 1000',
    'areas/admission/distribution/results/result.server.ts: ${TOGETHER}',
    'areas/admission/distribution/seats/seat.server.ts: ${AT_ONCE}',
    'areas/enrolment/registration/swap/rings.server.ts: 2',
    'areas/enrolment/specializations/windows/window.server.ts: ${AT_ONCE + 1}',
    'areas/records/degree-audit/requirements/touched.server.ts: ${limit}',
    'kit/server/files/files.ts: ${SWEPT_AT_ONCE}',
    'kit/server/jobs/retention.ts: ${BATCH}',
    'kit/server/workflow/basis.ts: ${PORTION}',
  ],
  'refused, or told, when there are more': [
    'areas/common/settings/logs/audit.server.ts: ${MOST_PEOPLE + 1}',
    'areas/enrolment/specializations/distribution/distribution.server.ts: ${EXPORT_LIMIT + 1}',
    'areas/enrolment/transfers/equivalence/sheets.server.ts: ${EXPORT_LIMIT + 1}',
    'areas/office/archive/entries.server.ts: ${MAX_ENTRIES + 1}',
    'areas/people/conversation/chats/chat.server.ts: ${limit + 1}',
    'areas/records/grading/control/control.server.ts: 5001',
    'areas/study/catalogue/courses/course.server.ts: 5001',
    'areas/records/placement-tests/results/result.server.ts: ${limit}',
    'kit/server/resource/history.ts: ${HISTORY_MOST + 1}',
    'kit/server/resource/in-use.ts: ${sql.raw(String(COUNTED + 1))}',
    'kit/server/resource/list.ts: ${limit}',
  ],
  'pages under another name': [
    'areas/office/reports/rooms/rooms.server.ts: ${most}',
    'areas/common/settings/logs/audit.server.ts: ${most}',
    'areas/common/settings/logs/audit.server.ts: ${rows}',
    'areas/money/banks/batches/rows.server.ts: ${most}',
  ],
  'names beside a number that says how many': [
    'areas/enrolment/attendance/meetings/make-up.server.ts: ${NAMED}',
    'areas/enrolment/specializations/distribution/inputs.server.ts: ${NAMED}',
    'areas/enrolment/specializations/students/given.server.ts: 20',
    'areas/exams/exams/publishing/publishing.server.ts: ${NAMED}',
    'areas/money/ledger/proof/verify.server.ts: ${MOST_TOLD}',
    'areas/office/oneroster/store/import.server.ts: 20',
    'areas/office/oneroster/store/merge.server.ts: 1000',
    'areas/office/oneroster/store/staging.server.ts: ${SAMPLES}',
    'areas/people/conversation/chats/chat.server.ts: ${MOST_UNREAD}',
    'areas/people/conversation/chats/chat.server.ts: ${most}',
    'areas/records/level-results/results.server.ts: ${MOST_NAMED}',
    'kit/server/resource/imports/imports.ts: ${MOST_ERRORS}',
    'kit/server/resource/in-use.ts: ${sql.raw(String(NAMED))}',
    'kit/server/unit/undo-kept.ts: ${MOST}',
  ],
  'found by what is typed, or the latest: `OnlyFirst` tells it': [
    'areas/admission/applicant-imports/show.server.ts: 20',
    'areas/admission/applicant-imports/show.server.ts: ${MOST_MISTAKES + 1}',
    'areas/common/settings/deployment/deployment.server.ts: ${MOST_FAILED}',
    'areas/exams/exam-days/sitting.server.ts: ${MOST_FOUND}',
    'areas/money/banks/batches/reconciliation.server.ts: ${MOST_UNEXPLAINED}',
    'areas/money/transactions/account/account.server.ts: ${LATEST}',
    'areas/money/transactions/desk/desk.server.ts: ${MOST_PAYERS}',
    'areas/office/archive/tree/list.server.ts: ${MOST_NAMES}',
    'areas/office/reports/own/saved.server.ts: ${MOST_PEOPLE}',
    'areas/people/access-and-people/delegations/delegation.server.ts: ${MOST_DELEGATIONS}',
    'areas/people/access-and-people/rights/rights.server.ts: ${MOST_CHANGES}',
    'areas/people/conversation/chats/chat.server.ts: ${limit}',
    'areas/records/degree-audit/audits/run.server.ts: ${MOST_RUNS}',
    'areas/records/grading/barcodes/backup.server.ts: ${MOST_HOLDERS}',
    'areas/study/catalogue/courses/course.server.ts: ${LATEST_OFFERINGS}',
    'kit/server/kit.server.ts: $2',
  ],
  'the nearest of many, as the screen says': [
    'areas/quality/specifications/attainment/attainment.server.ts: ${YEARS}',
    'areas/enrolment/transfers/equivalence/equivalence.server.ts: 20',
    'areas/money/banks/batches/batch.server.ts: 10',
    'areas/money/banks/batches/batch.server.ts: 20',
    'areas/money/banks/batches/batch.server.ts: 40',
    'areas/money/banks/batches/preview.server.ts: 5',
    'areas/money/invoices/invoices/print.server.ts: 4',
    'areas/office/reports/overview/overview.server.ts: 3',
    'areas/records/degree-audit/audits/run.server.ts: 15',
    'areas/records/grading/rechecks/recheck.server.ts: ${EARLIER}',
    'areas/people/access-and-people/saml/setup.server.ts: ${MOST_SAMPLES}',
    'areas/practice/internship/trainings/training.server.ts: 50',
    'areas/practice/trainings/students-trainings/shown.server.ts: 40',
    'areas/practice/logbook/swaps/swap.server.ts: 400',
    'areas/enrolment/early-warning/past/model.server.ts: 10',
    'areas/enrolment/early-warning/past/model.server.ts: ${STUDENTS}',
    'areas/enrolment/early-warning/past/model.server.ts: ${most}',
    'areas/enrolment/early-warning/risks/risk.server.ts: ${SHOWN}',
    'areas/research/publications/references/import.server.ts: 50',
    'areas/research/publications/researcher/researcher.server.ts: ${WORKS_ON_PAGE + 1}',
  ],
  'beyond what one person, term or faculty can have': [
    'areas/office/certificates/graduates/ask.server.ts: 50',
    'areas/office/certificates/names/name-change.server.ts: 100',
    'areas/enrolment/attendance/meetings/make-up.server.ts: 2000',
    'areas/practice/internship/interns/intern.server.ts: 2000',
    'areas/enrolment/registration/requests/offered.server.ts: ${sql.lit(MOST_OFFERINGS)}',
    'areas/enrolment/specializations/choices/specialization.server.ts: 500',
    'areas/exams/exams/schedules/lists.server.ts: 2000',
    'areas/money/invoices/invoices/print.server.ts: ${MOST_PAPERS}',
    'areas/money/transactions/providers/pay.server.ts: 10',
    'areas/office/archive/tree/list.server.ts: 100',
    'areas/people/people/records/records.server.ts: 50',
    'areas/records/grading/control/control.server.ts: 40',
    'areas/records/grading/control/control.server.ts: 60',
    'areas/records/placement-tests/tests/test.server.ts: 500',
    'areas/research/projects/project/project.server.ts: 500',
    'areas/research/projects/project/public.server.ts: 300',
    'areas/research/theses/repository/supervised.server.ts: 300',
    'areas/research/publications/researcher/researcher.server.ts: 500',
    'areas/study/offerings/lms/sync.server.ts: 5000',
    'areas/study/scheduling/calendars/calendar.server.ts: 1000',
  ],
  'asked for by programs, which no screen of the university lists': [
    'areas/enrolment/registration/advising/advising.server.ts: 30',
    'areas/enrolment/transfers/external/external.server.ts: 500',
    'kit/server/jobs/jobs.ts: 50',
  ],
}

/** What SQL cuts, without what begins at an offset. */
const cutIn = (file: string): string[] =>
  [...read(file).matchAll(/\blimit (\$\{(?:[^{}]|\{[^{}]*\})*\}|\$\d+|\d+)(.{0,24})/g)].flatMap(([, most, rest]) =>
    most === '1' || rest!.includes('offset') ? [] : [`${file}: ${most}`],
  )

test('a list that SQL cuts has pages, is answered by `cutRows`, or says why nobody misses the others', () => {
  const found = files('{areas,kit/server}/**/*.ts')
    .filter((file) => !/\.(?:test|demo|contract|web)\.ts$|testing|kit\/server\/base\/cut\.ts/.test(file))
    .flatMap(cutIn)
  expect([...new Set(found)].toSorted()).toEqual(Object.values(CUT).flat().toSorted())
})

test('a screen that asks for a number of rows shows that there are more', () => {
  const asking = files('{kit/web,areas}/**/*.{tsx,web.ts}').filter(
    (file) =>
      !/\.test\.tsx?$/.test(file) && /\b(?:perPage|limit|most)\b:? ?(?:most|\d|[A-Z_]{3})|\{ most \}/.test(read(file)),
  )
  const told = /MoreRows|OnlyFirst|meta\.count|ListScreen|Pager|and_more|first_of|all_reminders/
  const silent = asking.filter((file) => !told.test(read(file)))
  expect(silent).toEqual(Object.keys(ASKS_ENOUGH).toSorted())
})

/** Screens that ask for a number of rows, and why that is enough. */
const ASKS_ENOUGH: Readonly<Record<string, string>> = {
  'areas/practice/internship/interns/list.web.tsx':
    'the years that are not closed; the page of an intern leads to each board',
  'areas/research/theses/thesis/my.web.tsx': 'the most that a student may wish for, not rows',
  'areas/quality/specifications/attainment/attainment.web.tsx': 'all actions of one course or program',
  'areas/quality/specifications/spec/panel.web.tsx': 'all versions of one course or program',
  'areas/enrolment/registration/records/list.web.tsx': 'the size of a page of a list',
  'areas/office/reports/own/address.web.ts': 'the size of a page of rows, below which their number stands',
  'areas/study/terms/stages/strip.web.tsx': 'all windows of one term',
  'areas/study/terms/terms/term-picker.web.tsx': 'the terms of thirty years',
  'kit/web/app/pages/outdated.tsx': 'the number alone',
  'kit/web/fields/lookup-input.tsx': 'says below what it offers that there are others',
  'kit/web/shell/palette-entries.tsx': 'leads to all',
}
