import type { Bond } from './reach.contract.ts'
import type { CrudVerb, PermissionKey, RequestVerb, Subject } from './permissions.contract.ts'
import { LOOKUPS, PERMISSION_KEYS, REQUESTS, REQUEST_VERBS, VERBS, kindsKnown } from './permissions.contract.ts'

type Label = readonly [en: string, ar: string]
/**
 * How far a right of a role reaches, as far as the right knows it. `scope`: the part of the university for which the role was assigned (all of it when
 * assigned without scope). `own`: the person's own record. `taught`: offerings the person teaches and their students.
 * `advised`: students the person advises. `supervised`: theses on whose team the person is.
 */
export type Reach = 'scope' | Bond

export interface SeededRole {
  readonly key: string
  readonly name: Label
  readonly rights: Readonly<Partial<Record<PermissionKey, Reach>>>
}

export const each = (reach: Reach, ...keys: PermissionKey[]): Partial<Record<PermissionKey, Reach>> =>
  Object.fromEntries(keys.map((k) => [k, reach]))
export const on = (
  reach: Reach,
  verbs: readonly CrudVerb[],
  ...subjects: Subject[]
): Partial<Record<PermissionKey, Reach>> =>
  Object.fromEntries(subjects.flatMap((s) => verbs.map((v) => [`${v}_${s}`, reach])))
const ALL_VERBS = Object.keys(VERBS) as CrudVerb[]
export const LOOK: CrudVerb[] = ['access', 'show']
export const LOOK_EXPORT: CrudVerb[] = ['access', 'show', 'export']
export const all = (reach: Reach, ...subjects: Subject[]) => on(reach, ALL_VERBS, ...subjects)
/** With every kind of request: the person asks for the own, the advisor follows, registrars decide. */
export const requests = (reach: Reach, ...verbs: RequestVerb[]): Partial<Record<PermissionKey, Reach>> =>
  Object.fromEntries(REQUESTS.flatMap((r) => verbs.map((v) => [`${v}_${r}`, reach])))
export const DECIDE = requests('scope', ...(Object.keys(REQUEST_VERBS) as RequestVerb[]))
/** Who keeps students: asks for them, lets them go, takes them, and decides what their courses count as. */
export const TRANSFERS = each(
  'scope',
  'access_transfer',
  'ask_transfer',
  'agree_transfer',
  'edit_equivalence',
  'execute_transfer',
)
/** Who keeps the internship year: its courses, trainings and interns, the plan, and the end of each one's year. */
export const INTERNSHIP = {
  ...all('scope', 'emtyaz', 'emtyazTraining', 'emtyazIntern', 'logbookType', 'dutyKind'),
  ...each('scope', 'access_logbook', 'export_logbook', 'access_roster', 'plan_roster', 'approve_dutySwap'),
  ...each('scope', 'plan_rotation', 'grade_rotation', 'grade_rotation_late', 'review_rotation', 'complete_emtyaz'),
}
/** Who decides on marks of the internship year and its end, and follows the rest. */
export const INTERNSHIP_LOOK = {
  ...on('scope', LOOK_EXPORT, 'emtyaz', 'emtyazTraining', 'emtyazIntern', 'logbookType', 'dutyKind'),
  ...each('scope', 'access_logbook', 'export_logbook', 'access_roster'),
  ...each('scope', 'access_rotation', 'show_rotation', 'approve_rotation', 'complete_emtyaz'),
}
/** What a dean decides and follows in the faculty, besides what others look at as well. */
export const DEAN = each(
  'scope',
  'approve_project',
  'decide_examPunishment',
  'access_payment',
  'access_transaction',
  'export_payment',
  'access_report_financial',
  'confirm_specialization',
  'publish_exam',
  'access_attendance',
  'access_transfer',
  'approve_transfer_out',
  'change_student_status',
  'access_recheck',
  'decide_recheck',
  'access_level_result',
  'apply_level_result',
  'approve_courseFile',
  'approve_control',
  'admin_system',
  'print_transcript',
  'edit_archive',
  'approve_thesis',
  'approve_specification',
  'access_early_warning',
  'note_early_warning',
)
export const everything = Object.fromEntries(
  PERMISSION_KEYS.filter((k) => k !== 'access_student' && k !== 'assign_super_admin').map((k) => [
    k,
    kindsKnown(k).has('university') ? 'scope' : 'own',
  ]),
) as Partial<Record<PermissionKey, Reach>>

/** What everybody who works here may look up. */
export const STAFF = {
  ...on('scope', LOOK, 'faculty', 'department', 'course', 'program', 'year', 'term', ...LOOKUPS),
  ...each('scope', 'access_schedule', 'access_archive'),
  // Each sees what concerns the person: the tickets he or she opened, and those of the own groups.
  ...each('own', 'ask_ticket', 'handle_ticket', 'use_chat'),
  // An employee sees the own record: job, manager, contract.
  ...each('own', 'show_employee'),
  // And the own documents, which whoever works here hands in.
  ...each('own', 'show_employeeDocument', 'add_employeeDocument', 'show_instructorDocument', 'add_instructorDocument'),
  // Offices are held by who teaches, too: whoever is an instructor sees when he or she teaches and invigilates.
  ...each('own', 'show_my_schedule'),
  // And whoever owes something as a member of staff sees it.
  ...each('own', 'see_own_money'),
  // And asks offices for what they do for staff, and for certificates.
  ...each('own', 'ask_service_as_staff', 'ask_certificate_as_staff'),
}
/**
 * Roles of teaching are given without a part of the university: what they reach are the weeks of the own offerings. Rooms are
 * shared with everybody who opens timetables.
 */
export const TEACHING_WEEKS = each('taught', 'access_schedule')
/** Specialisation is prepared here; another confirms it. */
export const SPECIALISE = each(
  'scope',
  'access_student_specialization',
  'edit_specialization_preferences',
  'bulk_specialize',
  'distribute_specialization',
)
export const SPECIALISATION_LOOK = {
  ...on('scope', LOOK_EXPORT, 'specialization', 'specializationTime', 'placementTest', 'placementResult'),
  ...each('scope', 'access_student_specialization'),
}
export const CATALOGUE_LOOK = on('scope', LOOK_EXPORT, 'faculty', 'department', 'course', 'program', 'bylaw')
export const STUDENT_LOOK = {
  ...on('scope', LOOK_EXPORT, 'students'),
  ...each('scope', 'show_student_record'),
}
export const CONTROL_LOOK = each(
  'scope',
  'access_control',
  'export_grades',
  'access_offering',
  'show_offering',
  'export_offering',
)

/** Who leads the university or a faculty asks for its figures. */
export const REPORTS = each(
  'scope',
  'access_reports',
  'access_report_Registrations',
  'access_report_admission',
  'access_report_graduates',
  'access_report_equivalence',
  'access_report_foreigners',
  'access_report_rooms',
)

/** Who keeps the hostels: gives beds, checks guests in and out, charges damage. */
export const HOUSING = {
  ...all('scope', 'hotel', 'hostel', 'roomKind', 'guest'),
  ...each('scope', 'confirm_hotel', 'skip_hotel_order', 'check_in_hotel', 'charge_hotel'),
}

/** Who takes in what students bring: looks at it, and decides. */
export const DOCUMENTS = each(
  'scope',
  'access_studentDocument',
  'show_studentDocument',
  'add_studentDocument',
  'decide_studentDocument',
  'export_studentDocument',
)

/** What a cashier does: what somebody else approves (refunds, cancelled receipts) is not among it. */
export const CASHIER = [
  'access_payment',
  'access_transaction',
  'take_payment',
  'pay_out_wallet',
  'access_deposit',
  'access_slip',
  'decide_slip',
  'enter_payment',
  'access_reminder',
  'access_promise',
  'note_promise',
  'access_plan',
] as const

/** What the exam office does on the days of exams; somebody else decides on punishments. */
export const EXAM_DAYS = each(
  'scope',
  'access_examSeat',
  'assign_examSeat',
  'access_examAbsence',
  'edit_examAbsence',
  'access_examPunishment',
  'open_examInvestigation',
  'access_examDelivery',
  'edit_examDelivery',
)
/** What control and heads see of it. */
export const EXAM_DAYS_LOOK = each(
  'scope',
  'access_examSeat',
  'access_examAbsence',
  'access_examPunishment',
  'access_examDelivery',
)

/** Who keeps the accounts at banks. */
const BANKS = {
  ...all('scope', 'bank'),
  ...each('scope', 'add_currency_bank', 'edit_currency_bnak', 'add_bankInfo_bank', 'edit_bankInfo_bnak'),
  ...each('scope', 'access_batch', 'import_batch', 'save_batch', 'delete_batch', 'access_reconciliation'),
}
/** What is charged, for whom it is reduced: who looks after students sees it. */
export const FEES_LOOK = {
  ...on('scope', LOOK_EXPORT, 'feeItem', 'nationalityGroup', 'scholarship'),
  ...each('scope', 'access_payment_setting'),
}

/** What the finance office does; its head approves as well what others asked for. */
export const FINANCE = {
  ...STAFF,
  ...each('scope', 'access_service', 'show_service', 'decide_service'),
  ...on('scope', LOOK_EXPORT, 'students', 'ledgerAccount'),
  ...on('scope', [...LOOK_EXPORT, 'add', 'edit'], 'guest'),
  ...on('scope', LOOK, 'registration'),
  ...each('scope', 'access_ledger', 'verify_ledger', 'export_journal', 'show_statement', 'access_report_financial'),
  ...each(
    'scope',
    'decide_provider_event',
    'access_slip',
    'decide_slip',
    'enter_payment',
    'refund_payment',
    'access_deposit',
    'return_deposit',
    'access_tax_receipt',
    'send_tax_receipt',
    'cancel_transaction',
    'review_shift',
    'export_transaction',
  ),
  ...each('scope', 'access_transaction'),
  ...each('scope', 'access_payment', 'issue_invoice', 'edit_invoice', 'reverse_invoice', 'export_payment'),
  ...BANKS,
  ...all('scope', 'feeItem', 'nationalityGroup', 'scholarship', 'family', 'sponsor', 'sponsorship', 'reminderStep'),
  ...each('scope', 'begin_sponsorship', 'withdraw_sponsor', 'bill_sponsor'),
  ...each('scope', 'access_reminder', 'export_reminder', 'send_reminder', 'access_promise', 'note_promise'),
  ...each('scope', 'access_plan', 'ask_plan', 'decide_plan'),
  ...each('scope', 'access_admission_payment', 'export_admission_payment'),
  ...on('scope', LOOK, 'bylaw'),
  ...each('scope', 'access_payment_setting', 'edit_payment_setting', 'grant_scholarship'),
} as const

/** Whoever signs certificates in a position sees those of the own reach. */
export const SIGN_CERTIFICATES = each('scope', 'access_certificate', 'show_certificate', 'sign_certificate')
/** Who makes certificates: prepares, issues, hands over; another reviews. */
export const CERTIFICATES = each(
  'scope',
  'access_certificate',
  'show_certificate',
  'add_certificate',
  'export_certificate',
  'edit_certificate',
)
/** Who registers papers from elsewhere, and asks their issuers. */
export const EXTERNAL_PAPERS = {
  ...each('scope', 'access_externalPaper', 'edit_externalPaper'),
  ...on('scope', [...LOOK, 'add', 'edit'], 'paperIssuer'),
}
/** An office of the university works on the service requests whose turn with it is. */
export const SERVICE_OFFICE = each('scope', 'access_service', 'show_service', 'decide_service')
/** Who manages services: asks for others, acts for any office, hears of what is late. */
export const SERVICES = {
  ...SERVICE_OFFICE,
  ...each('scope', 'add_service', 'export_service', 'manage_service'),
}
/** Theses: registrars keep them, record what councils decide, schedule discussions, deposit and withdraw. */
export const THESES = {
  ...all('scope', 'thesis', 'thesisSubject', 'thesisRule'),
  ...each('scope', 'register_thesis', 'approve_thesis', 'discuss_thesis', 'deposit_thesis'),
}
