import type { Bond } from './reach.contract.ts'
import type { CrudVerb, PermissionKey, RequestVerb, Subject } from './permissions.contract.ts'
import { LOOKUPS, PERMISSION_KEYS, REQUESTS, REQUEST_VERBS, VERBS, kindsKnown } from './permissions.contract.ts'

type Label = readonly [en: string, ar: string]
/**
 * How far a right of a role reaches, as far as the right knows it. `scope`: the part of the university for which the role was assigned (all of it when
 * assigned without scope). `own`: the person's own record. `taught`: offerings the person teaches and their students.
 * `advised`: students the person advises.
 */
export type Reach = 'scope' | Bond

export interface SeededRole {
  readonly key: string
  readonly name: Label
  readonly rights: Readonly<Partial<Record<PermissionKey, Reach>>>
}

const each = (reach: Reach, ...keys: PermissionKey[]): Partial<Record<PermissionKey, Reach>> =>
  Object.fromEntries(keys.map((k) => [k, reach]))
const on = (reach: Reach, verbs: readonly CrudVerb[], ...subjects: Subject[]): Partial<Record<PermissionKey, Reach>> =>
  Object.fromEntries(subjects.flatMap((s) => verbs.map((v) => [`${v}_${s}`, reach])))
const ALL_VERBS = Object.keys(VERBS) as CrudVerb[]
const LOOK: CrudVerb[] = ['access', 'show']
const LOOK_EXPORT: CrudVerb[] = ['access', 'show', 'export']
const all = (reach: Reach, ...subjects: Subject[]) => on(reach, ALL_VERBS, ...subjects)
/** With every kind of request: the person asks for the own, the advisor follows, registrars decide. */
const requests = (reach: Reach, ...verbs: RequestVerb[]): Partial<Record<PermissionKey, Reach>> =>
  Object.fromEntries(REQUESTS.flatMap((r) => verbs.map((v) => [`${v}_${r}`, reach])))
const DECIDE = requests('scope', ...(Object.keys(REQUEST_VERBS) as RequestVerb[]))
/** Who keeps students: asks for them, lets them go, takes them, and decides what their courses count as. */
const TRANSFERS = each(
  'scope',
  'access_transfer',
  'ask_transfer',
  'agree_transfer',
  'edit_equivalence',
  'execute_transfer',
)
const everything = Object.fromEntries(
  PERMISSION_KEYS.filter((k) => k !== 'access_student' && k !== 'assign_super_admin').map((k) => [
    k,
    kindsKnown(k).has('university') ? 'scope' : 'own',
  ]),
) as Partial<Record<PermissionKey, Reach>>

/** What everybody who works here may look up. */
const STAFF = {
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
}
/**
 * Roles of teaching are given without a part of the university: what they reach are the weeks of the own offerings. Rooms are
 * shared with everybody who opens timetables.
 */
const TEACHING_WEEKS = each('taught', 'access_schedule')
/** Specialisation is prepared here; another confirms it. */
const SPECIALISE = each(
  'scope',
  'access_student_specialization',
  'edit_specialization_preferences',
  'bulk_specialize',
  'distribute_specialization',
)
const SPECIALISATION_LOOK = {
  ...on('scope', LOOK_EXPORT, 'specialization', 'specializationTime', 'placementTest', 'placementResult'),
  ...each('scope', 'access_student_specialization'),
}
const CATALOGUE_LOOK = on('scope', LOOK_EXPORT, 'faculty', 'department', 'course', 'program', 'bylaw')
const STUDENT_LOOK = {
  ...on('scope', LOOK_EXPORT, 'students'),
  ...each('scope', 'show_student_record'),
}
const CONTROL_LOOK = each(
  'scope',
  'access_control',
  'export_grades',
  'access_offering',
  'show_offering',
  'export_offering',
)

/** Who takes in what students bring: looks at it, and decides. */
const DOCUMENTS = each(
  'scope',
  'access_studentDocument',
  'show_studentDocument',
  'add_studentDocument',
  'decide_studentDocument',
  'export_studentDocument',
)

/** What a cashier does: what somebody else approves (refunds, cancelled receipts) is not among it. */
const CASHIER = [
  'access_payment',
  'access_transaction',
  'take_payment',
  'pay_out_wallet',
  'access_slip',
  'decide_slip',
  'enter_payment',
] as const

/** What the exam office does on the days of exams; somebody else decides on punishments. */
const EXAM_DAYS = each(
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
const EXAM_DAYS_LOOK = each(
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
const FEES_LOOK = {
  ...on('scope', LOOK_EXPORT, 'feeItem', 'nationalityGroup', 'scholarship'),
  ...each('scope', 'access_payment_setting'),
}

/** What the finance office does; its head approves as well what others asked for. */
const FINANCE = {
  ...STAFF,
  ...on('scope', LOOK_EXPORT, 'students', 'ledgerAccount'),
  ...on('scope', LOOK, 'registration'),
  ...each('scope', 'access_ledger', 'verify_ledger', 'show_statement', 'access_report_financial'),
  ...each(
    'scope',
    'decide_provider_event',
    'access_slip',
    'decide_slip',
    'enter_payment',
    'refund_payment',
    'cancel_transaction',
    'review_shift',
    'export_transaction',
  ),
  ...each('scope', 'access_transaction'),
  ...each('scope', 'access_payment', 'issue_invoice', 'edit_invoice', 'reverse_invoice', 'export_payment'),
  ...BANKS,
  ...all('scope', 'feeItem', 'nationalityGroup', 'scholarship'),
  ...on('scope', LOOK, 'bylaw'),
  ...each('scope', 'access_payment_setting', 'edit_payment_setting', 'grant_scholarship'),
} as const

/** Rights of the seeded roles, written once. A university changes them in the role screens; this is where it starts. */
export const SEEDED_ROLES: readonly SeededRole[] = [
  { key: 'root', name: ['Root', 'مدير النظام الجذر'], rights: { ...everything, assign_super_admin: 'scope' } },
  { key: 'super_admin', name: ['Super admin', 'المدير الأعلى'], rights: { ...everything, assign_super_admin: 'scope' } },
  { key: 'admin', name: ['Admin', 'مدير النظام'], rights: everything },
  {
    key: 'registrar',
    name: ['Registrar', 'مسجل عام'],
    rights: {
      ...EXAM_DAYS,
      ...STAFF,
      ...FEES_LOOK,
      ...all(
        'scope',
        'faculty',
        'department',
        'course',
        'program',
        'bylaw',
        'year',
        'term',
        'stage',
        'stageGroup',
        'students',
        'instructor',
        'offering',
        'registration',
        'mark',
        'markCategory',
        'tag',
        'specialization',
        'specializationTime',
        'placementTest',
        'placementResult',
        'calendarEvent',
        'officeHour',
        'windowException',
        'exam',
        'examSchedule',
        ...LOOKUPS,
      ),
      ...SPECIALISE,
      ...each('scope', 'confirm_specialization', 'publish_exam', 'place_exam'),
      ...TRANSFERS,
      ...each('scope', 'access_attendance', 'take_attendance'),
      ...DECIDE,
      ...each(
        'scope',
        'edit_bylaw_settings',
        'edit_study_plan',
        'show_requirements',
        'edit_requirements',
        'grant_exception',
        'access_degree_audits',
        'set_current_terms',
        'change_ramadan_time',
        'override_schedule_clash',
        'accessScheduleSettings_administration',
        'invite_person',
        'edit_student_notes',
        'block_student',
        'change_student_status',
        'show_student_record',
        'print_transcript',
        'issue_paper',
        'revoke_paper',
        'edit_offering_team',
        'edit_offering_slots',
        'link_offerings',
        'sync_lms',
        'access_advising',
        'edit_advising',
        'request_registration',
        'accept_registration',
        'withdraw_registration',
        'undo_registration',
        'update_registration_status',
        'enroll_students',
        'exempt_students',
        'override_registration_rule',
        'use_over_quota',
        'access_control',
        'access_level_result',
        'export_grades',
        'finish_term',
        'access_management',
        'edit_enrollment_setting',
        'edit_graduation_certificate_setting',
        'admin_system',
        'access_logs',
        'import_oneroster',
        'access_reports',
        'edit_archive',
        'attach_tag',
        'merge_people',
      ),
    },
  },
  {
    key: 'faculty_registrar',
    name: ['Faculty registrar', 'مسجل الكلية'],
    rights: {
      ...STAFF,
      ...FEES_LOOK,
      ...CATALOGUE_LOOK,
      ...on('scope', ['access', 'show', 'add', 'edit', 'export', 'import'], 'students', 'offering', 'registration'),
      ...on('scope', LOOK, 'instructor', 'stage', 'stageGroup'),
      ...on('scope', [...LOOK_EXPORT, 'add', 'edit'], 'tag'),
      ...on(
        'scope',
        [...LOOK_EXPORT, 'add', 'edit', 'import'],
        'specialization',
        'specializationTime',
        'placementResult',
      ),
      ...on('scope', [...LOOK_EXPORT, 'add', 'edit'], 'placementTest'),
      ...on(
        'scope',
        [...LOOK_EXPORT, 'add', 'edit', 'remove', 'restore'],
        'calendarEvent',
        'officeHour',
        'windowException',
      ),
      ...SPECIALISE,
      ...TRANSFERS,
      ...each('scope', 'access_attendance', 'take_attendance'),
      ...DECIDE,
      ...each(
        'scope',
        'edit_student_notes',
        'show_requirements',
        'access_degree_audits',
        'show_student_record',
        'print_transcript',
        'issue_paper',
        'edit_offering_team',
        'edit_offering_slots',
        'link_offerings',
        'sync_lms',
        'access_advising',
        'edit_advising',
        'request_registration',
        'accept_registration',
        'withdraw_registration',
        'undo_registration',
        'enroll_students',
        'use_over_quota',
        'admin_system',
        'attach_tag',
      ),
    },
  },
  {
    key: 'personnel_officer',
    name: ['Personnel officer', 'مسؤول شؤون العاملين'],
    rights: {
      ...STAFF,
      ...all('scope', 'employee', 'jobTitle', 'documentKind'),
      ...on('scope', [...LOOK_EXPORT, 'add', 'edit', 'import'], 'instructor'),
      ...each(
        'scope',
        'access_employeeDocument',
        'show_employeeDocument',
        'add_employeeDocument',
        'decide_employeeDocument',
        'export_employeeDocument',
        'access_instructorDocument',
        'show_instructorDocument',
        'add_instructorDocument',
        'decide_instructorDocument',
        'export_instructorDocument',
        'invite_person',
        'block_person',
        'edit_photo',
      ),
    },
  },
  {
    key: 'instructor',
    name: ['Instructor', 'عضو هيئة تدريس'],
    rights: {
      ...each('taught', 'access_examSeat'),
      ...STAFF,
      ...TEACHING_WEEKS,
      ...on('taught', LOOK, 'offering', 'students', 'registration'),
      ...each(
        'taught',
        'enter_marks',
        'ask_correction',
        'mark_by_barcode',
        'import_grades',
        'export_grades',
        'submit_control',
        'export_offering',
      ),
      ...each('taught', 'access_attendance', 'take_attendance'),
      ...each('own', 'access_my_offerings', 'show_my_schedule', 'show_instructor'),
      ...on('own', [...LOOK, 'add', 'edit', 'remove', 'restore'], 'officeHour'),
    },
  },
  {
    key: 'teaching_assistant_view',
    name: ['Teaching assistant (view)', 'معاون هيئة تدريس (عرض)'],
    rights: {
      ...STAFF,
      ...TEACHING_WEEKS,
      ...on('taught', LOOK, 'offering', 'students', 'registration'),
      ...each('taught', 'export_grades'),
      ...each('taught', 'access_attendance'),
      ...each('own', 'access_my_offerings', 'show_my_schedule', 'show_instructor'),
      ...on('own', [...LOOK, 'add', 'edit', 'remove', 'restore'], 'officeHour'),
    },
  },
  {
    key: 'teaching_assistant_edit',
    name: ['Teaching assistant (edit)', 'معاون هيئة تدريس (تعديل)'],
    rights: {
      ...STAFF,
      ...TEACHING_WEEKS,
      ...on('taught', LOOK, 'offering', 'students', 'registration'),
      ...each('taught', 'enter_marks', 'mark_by_barcode', 'import_grades', 'export_grades'),
      ...each('taught', 'access_attendance', 'take_attendance'),
      ...each('own', 'access_my_offerings', 'show_my_schedule', 'show_instructor'),
      ...on('own', [...LOOK, 'add', 'edit', 'remove', 'restore'], 'officeHour'),
    },
  },
  {
    key: 'program_coordinator',
    name: ['Program coordinator', 'منسق برنامج'],
    rights: {
      ...STAFF,
      ...CATALOGUE_LOOK,
      ...SPECIALISATION_LOOK,
      ...STUDENT_LOOK,
      ...on('scope', LOOK_EXPORT, 'offering', 'registration', 'instructor'),
      ...each('scope', 'access_attendance'),
      ...each('scope', 'access_transfer', 'edit_equivalence'),
      ...each(
        'scope',
        'edit_study_plan',
        'show_requirements',
        'edit_requirements',
        'grant_exception',
        'access_degree_audits',
        'edit_offering_team',
        'edit_offering_slots',
        'access_advising',
        'edit_advising',
      ),
    },
  },
  {
    key: 'academic_advisor',
    name: ['Academic advisor', 'مرشد أكاديمي'],
    rights: {
      ...STAFF,
      ...TEACHING_WEEKS,
      ...on('advised', LOOK, 'students', 'registration', 'placementResult'),
      ...on('scope', LOOK, 'tag'),
      ...requests('advised', 'access', 'show'),
      ...on('scope', LOOK, 'offering', 'bylaw'),
      ...each(
        'advised',
        'access_student_specialization',
        'show_student_record',
        'request_registration',
        'accept_registration',
        'access_advising',
        'withdraw_registration',
        'attach_tag',
      ),
      ...each('advised', 'access_attendance'),
      ...each('advised', 'access_transfer'),
      ...each('own', 'access_my_advising', 'show_my_schedule'),
    },
  },
  {
    key: 'examiner',
    name: ['Examiner', 'ممتحن'],
    rights: {
      ...STAFF,
      ...TEACHING_WEEKS,
      ...on('taught', LOOK, 'offering'),
      ...each('taught', 'enter_marks', 'mark_by_barcode'),
      ...each('own', 'access_my_offerings', 'show_my_schedule'),
    },
  },
  {
    key: 'exam_officer',
    name: ['Exam officer', 'مسؤول الامتحانات'],
    rights: {
      ...STAFF,
      ...STUDENT_LOOK,
      ...on('scope', LOOK_EXPORT, 'offering', 'registration', 'instructor'),
      ...all('scope', 'exam', 'examSchedule', 'examSlot'),
      ...each('scope', 'accessScheduleSettings_administration', 'publish_exam', 'place_exam'),
      ...each('scope', 'update_registration_status', 'manage_barcodes'),
      ...each('scope', 'access_attendance'),
      ...all('scope', 'examPapersType'),
      ...EXAM_DAYS,
    },
  },
  {
    key: 'control_team',
    name: ['Control team', 'عضو كنترول'],
    rights: {
      ...EXAM_DAYS_LOOK,
      ...STAFF,
      ...STUDENT_LOOK,
      ...CONTROL_LOOK,
      ...each('scope', 'access_attendance'),
      ...on('scope', LOOK, 'registration', 'mark', 'markCategory', 'exam', 'examSchedule'),
      ...each(
        'scope',
        'enter_marks',
        'access_recheck',
        'review_recheck',
        'mark_by_barcode',
        'import_grades',
        'review_control',
        'update_registration_status',
        'access_level_result',
      ),
    },
  },
  {
    key: 'control_head',
    name: ['Control head', 'رئيس الكنترول'],
    rights: {
      ...EXAM_DAYS_LOOK,
      ...each('scope', 'edit_examAbsence'),
      ...STAFF,
      ...STUDENT_LOOK,
      ...CONTROL_LOOK,
      ...on('scope', LOOK_EXPORT, 'registration', 'bylaw', 'exam', 'examSchedule'),
      ...each('scope', 'access_attendance'),
      ...all('scope', 'mark', 'markCategory', 'graceRule'),
      ...each(
        'scope',
        'access_level_result',
        'apply_level_result',
        'enter_marks',
        'access_recheck',
        'review_recheck',
        'decide_recheck',
        'mark_by_barcode',
        'manage_barcodes',
        'import_grades',
        'submit_control',
        'review_control',
        'approve_control',
        'publish_control',
        'freeze_control',
        'undo_control',
        'unfreeze_control',
        'finish_term',
        'edit_term_grades',
        'verify_grades',
        'print_transcript',
        'update_registration_status',
        'admin_system',
      ),
    },
  },
  {
    key: 'quality_staff',
    name: ['Quality staff', 'مسؤول الجودة'],
    rights: { ...STAFF, ...CATALOGUE_LOOK, ...on('scope', LOOK_EXPORT, 'offering'), ...each('scope', 'edit_archive') },
  },
  {
    key: 'finance_officer',
    name: ['Finance officer', 'مسؤول مالي'],
    rights: FINANCE,
  },
  {
    key: 'finance_head',
    name: ['Head of finance', 'رئيس الشؤون المالية'],
    rights: { ...FINANCE, ...each('scope', 'approve_refund', 'override_hold') },
  },
  {
    key: 'cashier',
    name: ['Cashier', 'أمين خزينة'],
    rights: { ...STAFF, ...FEES_LOOK, ...on('scope', LOOK, 'students', 'bank'), ...each('scope', ...CASHIER) },
  },
  {
    key: 'admission_officer',
    name: ['Admission officer', 'مسؤول القبول'],
    rights: {
      ...STAFF,
      ...on('scope', [...LOOK_EXPORT, 'add', 'edit', 'import'], 'placementResult'),
      ...on('scope', LOOK, 'placementTest'),
      ...on('scope', [...LOOK_EXPORT, 'add', 'edit', 'import'], 'students'),
      ...on('scope', LOOK, 'tag'),
      ...each('scope', 'attach_tag'),
      ...DOCUMENTS,
    },
  },
  {
    key: 'graduate_affairs_employee',
    name: ['Graduate affairs employee', 'موظف شؤون الخريجين'],
    rights: { ...STAFF, ...STUDENT_LOOK, ...each('scope', 'print_transcript', 'issue_paper') },
  },
  {
    key: 'graduate_affairs_head',
    name: ['Graduate affairs head', 'رئيس شؤون الخريجين'],
    rights: {
      ...STAFF,
      ...STUDENT_LOOK,
      ...each('scope', 'print_transcript', 'issue_paper', 'revoke_paper', 'edit_student_notes'),
    },
  },
  {
    key: 'dean',
    name: ['Dean', 'عميد'],
    rights: {
      ...EXAM_DAYS_LOOK,
      ...each('scope', 'decide_examPunishment'),
      // What the reports of the faculty add up: its invoices, and the transactions and wallets of its students.
      ...each('scope', 'access_payment', 'access_transaction', 'export_payment', 'access_report_financial'),
      ...STAFF,
      ...FEES_LOOK,
      ...CATALOGUE_LOOK,
      ...STUDENT_LOOK,
      ...CONTROL_LOOK,
      ...on('scope', LOOK_EXPORT, 'registration', 'instructor', 'exam', 'examSchedule'),
      ...SPECIALISATION_LOOK,
      ...each('scope', 'confirm_specialization', 'publish_exam'),
      ...each('scope', 'access_transfer', 'approve_transfer_out', 'change_student_status'),
      ...each('scope', 'access_attendance'),
      ...all('scope', 'graceRule'),
      ...each('scope', 'access_recheck', 'decide_recheck'),
      ...each('scope', 'access_level_result', 'apply_level_result'),
      ...each('scope', 'approve_control', 'admin_system', 'print_transcript', 'access_reports', 'edit_archive'),
    },
  },
  {
    key: 'vice_president',
    name: ['Vice president', 'نائب رئيس الجامعة'],
    rights: {
      ...STAFF,
      ...FEES_LOOK,
      ...CATALOGUE_LOOK,
      ...STUDENT_LOOK,
      ...on('scope', LOOK_EXPORT, 'offering', 'registration', 'instructor'),
      ...each('scope', 'admin_system', 'access_reports'),
    },
  },
  {
    key: 'president',
    name: ['President', 'رئيس الجامعة'],
    rights: {
      ...STAFF,
      ...FEES_LOOK,
      ...CATALOGUE_LOOK,
      ...STUDENT_LOOK,
      ...on('scope', LOOK_EXPORT, 'offering', 'registration', 'instructor'),
      ...each('scope', 'admin_system', 'access_reports'),
    },
  },
  {
    key: 'university_administration_manager',
    name: ['University administration manager', 'مدير إدارة الجامعة'],
    rights: { ...STAFF, ...STUDENT_LOOK, ...each('scope', 'admin_system', 'access_management', 'edit_archive') },
  },
  {
    key: 'affair_manager',
    name: ['Affair manager', 'مدير شؤون الطلاب'],
    rights: {
      ...STAFF,
      ...STUDENT_LOOK,
      ...on('scope', [...LOOK_EXPORT, 'add', 'edit'], 'tag'),
      ...each('scope', 'access_transfer'),
      ...DOCUMENTS,
      ...each('scope', 'show_student_private', 'edit_student_notes', 'print_transcript', 'issue_paper', 'revoke_paper'),
      ...each('scope', 'attach_tag'),
    },
  },
  {
    key: 'registration_unit',
    name: ['Registration unit', 'وحدة التسجيل'],
    rights: {
      ...STAFF,
      ...STUDENT_LOOK,
      ...on('scope', LOOK_EXPORT, 'offering', 'registration'),
      ...each('scope', 'request_registration', 'accept_registration', 'access_advising'),
    },
  },
  {
    key: 'competent_employee',
    name: ['Competent employee', 'الموظف المختص'],
    rights: { ...STAFF, ...on('scope', LOOK, 'students') },
  },
  { key: 'manager_director', name: ['Manager director', 'مدير الإدارة'], rights: { ...STAFF, ...STUDENT_LOOK } },
  {
    key: 'student',
    name: ['Student', 'طالب'],
    rights: {
      ...each('own', 'access_student', 'show_my_schedule', 'ask_ticket', 'use_chat', 'access_payment', 'pay_online'),
      ...each('own', 'show_statement', 'access_transaction', 'access_slip'),
      ...each('scope', 'access_archive'),
      ...each('own', 'access_transfer', 'ask_transfer', 'ask_recheck'),
      ...requests('own', 'access', 'show', 'add'),
    },
  },
  { key: 'applicant', name: ['Applicant', 'متقدم'], rights: {} },
]

/** Role keys by name. */
export const ROLE_KEYS = SEEDED_ROLES.map((r) => r.key)
