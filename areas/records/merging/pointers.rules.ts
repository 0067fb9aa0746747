import type { MergeKind, MergePart } from './merge.contract.ts'

/**
 * What becomes of a row that refers to a record when that record goes into another:
 *
 * - `moves`: it refers to the record that stays from now on.
 * - `joins`: the same for a row that is known by whom it belongs to; what both have is had once.
 * - `stays`: it tells what was done by, or to, the record that went, as it was written; read through `same_record`.
 * - `ends`: it is deleted, and undoing does not bring it back: ways in, sessions, links.
 * - `refused`: while there is one (that is still open), the records are not merged; `merge.rules.ts` says why.
 */
export type Fate = 'moves' | 'joins' | 'stays' | 'ends' | 'refused'

/** A pointer that is followed: what it is called in the preview, and of which rows it is true. */
export interface Moving {
  readonly fate: 'moves' | 'joins'
  readonly part: MergePart
  /** SQL over the row `r`, with `:into` for the id of the record that stays: which rows follow; the others stay. */
  readonly only?: string
  /**
   * The audit trail does not tell which rows followed: it does not know the table, or knows its rows by whom they belong to
   * (`audit_rows`). The operation itself remembers them, by these columns.
   */
  readonly remembered?: readonly string[]
}
type Pointer = Moving | Exclude<Fate, 'moves' | 'joins'>

const moves = (part: MergePart, more: Pick<Moving, 'only' | 'remembered'> = {}): Moving => ({
  fate: 'moves',
  part,
  ...more,
})
const joins = (part: MergePart, only?: string): Moving => ({ fate: 'joins', part, ...(only && { only }) })
const openOnce = (of: string) =>
  `(r.status not in ('owed', 'handed_in', 'waived') or not exists (select from ${of}_documents k where k.${of}_id = :into
    and k.kind_id = r.kind_id and k.status in ('owed', 'handed_in', 'waived') and k.removed_at is null))`
const EXTERNAL = { remembered: ['source', 'kind', 'external_id'] } as const

/** Who did something, as it was written: a column of an account that is named so always stays. */
export const DONE_BY = /_by$/

/**
 * Every other foreign key to the table of a kind, as `table.column`. A new one is written down here, else a test fails: nobody may
 * forget what becomes of it. The order is that in which rows follow.
 */
export const POINTERS: Readonly<Record<MergeKind, Readonly<Record<string, Pointer>>>> = {
  student: {
    // A course that was dropped there and taken here stays where it was dropped: one course is one registration in a term.
    'registrations.student_id': moves('registrations', {
      only: `not exists (select from registrations k where k.student_id = :into and k.term_id = r.term_id and k.course_id = r.course_id)`,
    }),
    'student_terms.student_id': joins('terms'),
    'student_years.student_id': moves('years'),
    'level_result_students.student_id': moves('years', {
      only: `not exists (select from level_result_students k where k.student_id = :into and k.level_result_id = r.level_result_id)`,
      remembered: ['level_result_id'],
    }),
    // A link of the record that went is dead; who took part by it is not remembered.
    'questionnaire_invitations.student_id': 'ends',
    // How the record that went came to be; each applicant became one student.
    'applicants.student_id': 'stays',
    // One result of a test: that of the record that stays.
    'placement_results.student_id': moves('placements', {
      only: `not exists (select from placement_results k where k.student_id = :into and k.placement_test_id = r.placement_test_id)`,
    }),
    'wait_list.student_id': moves('waiting'),
    // What lacks of documents holds by the list of the record that stays.
    'student_holds.student_id': moves('holds', { only: 'r.document_kind_id is null' }),
    // One that is asked for or looked at there stays where one of its kind is asked for or looked at here.
    'student_documents.student_id': moves('documents', { only: openOnce('student') }),
    // The same is set aside once: as of the record that stays.
    'hold_overrides.student_id': moves('holds', {
      only: `not exists (select from hold_overrides k where k.student_id = :into and k.what = r.what and k.ended_at is null and r.ended_at is null)`,
    }),
    // The same scholarship at the same time is had once: that of the record that stays.
    'scholarship_grants.student_id': moves('payers', {
      only: `not exists (select from scholarship_grants k where k.student_id = :into and k.scholarship_id = r.scholarship_id and k.during && r.during
        and k.status = 'applied' and r.status = 'applied')`,
    }),
    // One student is of one family at a time, and once in each: that of the record that stays.
    'family_members.student_id': moves('payers', {
      only: `not exists (select from family_members k where k.student_id = :into and (k.family_id = r.family_id or k.live and r.live))`,
      remembered: ['id'],
    }),
    // What a sponsor pays for at one time is paid for once: by the record that stays.
    'sponsorships.student_id': moves('payers', {
      only: `not exists (select from sponsorships k where k.student_id = :into and k.sponsor_id = r.sponsor_id and k.during && r.during
        and k.status in ('offered', 'active') and r.status in ('offered', 'active'))`,
    }),
    // Both stay payers, with their postings, of the record that stays.
    'payers.student_id': moves('payers', { remembered: ['id'] }),
    'excuses.student_id': moves('registrations', {
      only: `not exists (select from excuses k where k.student_id = :into and k.term_id = r.term_id and k.kind = r.kind
        and coalesce(k.offering_id, 0) = coalesce(r.offering_id, 0) and k.from_date is not distinct from r.from_date
        and k.status in ('requested', 'accepted') and r.status in ('requested', 'accepted'))`,
    }),
    // What was granted for exams of a term is granted once: to the record that stays.
    'exam_accommodations.student_id': moves('exceptions', {
      only: `not exists (select from exam_accommodations k where k.student_id = :into and k.covers && r.covers
        and k.removed_at is null and r.removed_at is null)`,
    }),
    // Who was there under either record was there.
    'attendance.student_id': moves('registrations', {
      only: `not exists (select from attendance k where k.student_id = :into and k.occurrence_id = r.occurrence_id)`,
      remembered: ['occurrence_id'],
    }),
    'student_status_decisions.student_id': moves('decisions', { remembered: ['id'] }),
    'student_tags.student_id': joins('tags'),
    'window_exception_students.student_id': joins('windows'),
    'preflight_notices.student_id': joins('windows'),
    'transcripts.student_id': moves('transcripts'),
    // One of a type is on its way for a person.
    'certificates.student_id': moves('certificates', {
      only: `(r.status in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled')
        or not exists (select from certificates k where k.student_id = :into and k.type_id = r.type_id and k.removed_at is null
          and k.status not in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled')))`,
    }),
    // One is on its way; names that either record bore stay with the one that is kept.
    'name_changes.student_id': moves('certificates', {
      only: `(r.status <> 'requested' or not exists (select from name_changes k where k.student_id = :into and k.status = 'requested'
          and k.removed_at is null))`,
    }),
    'external_papers.student_id': moves('certificates'),
    'former_names.student_id': moves('certificates'),
    // What somebody without an account asked for, whose it turned out to be.
    'graduate_requests.student_id': moves('certificates'),
    // Of what is asked for one at a time, one is on its way.
    'services.student_id': moves('services', {
      only: `(not r.alone or r.status not in ('fee_due', 'New', 'in review', 'asked_back')
        or not exists (select from services k where k.student_id = :into and k.kind_id = r.kind_id and k.alone and k.removed_at is null
          and k.status in ('fee_due', 'New', 'in review', 'asked_back')))`,
    }),
    // Nobody is in two beds.
    'hotel_reservations.student_id': moves('beds', {
      only: `(r.status not in ('requested', 'confirmed', 'checked_in') or not exists (select from hotel_reservations k
        where k.student_id = :into and k.period && r.period and k.removed_at is null
          and k.status in ('requested', 'confirmed', 'checked_in')))`,
    }),
    'bed_mates.student_id': 'stays',
    // One is written at a time, and one list of wishes is kept: that of the record that stays.
    'theses.student_id': moves('research', {
      only: `(r.status in ('granted', 'ended') or not exists (select from theses k where k.student_id = :into and k.removed_at is null
        and k.status not in ('granted', 'ended')))`,
    }),
    // One place is asked for once.
    'students_trainings.student_id': moves('trainings', {
      only: `(r.status not in ('requested', 'accepted', 'approved') or not exists (select from students_trainings k where k.student_id = :into
        and k.removed_at is null and k.status in ('requested', 'accepted', 'approved')
        and (k.training_id = r.training_id or (k.status = 'requested' and k.wish = r.wish))))`,
    }),
    // A year of an internship is of one record; its rotations go with it.
    'emtyaz_interns.student_id': moves('trainings', {
      only: `not exists (select from emtyaz_interns k where k.student_id = :into)`,
      remembered: ['id'],
    }),
    'emtyaz_interns.with_student_id': moves('trainings', { only: 'r.student_id <> :into', remembered: ['id'] }),
    'emtyaz_rotations.student_id': 'stays',
    // What stands out is that of the record that stays; the next count ends what is left behind.
    'student_risks.student_id': moves('early_warning', {
      only: `(r.ended_at is not null or not exists (select from student_risks k where k.student_id = :into and k.ended_at is null))`,
      remembered: ['id'],
    }),
    'risk_contacts.student_id': moves('early_warning'),
    // How the record that went stood is told by its own days; figures leave it out.
    'student_standings.student_id': 'stays',
    // Entries go with their rotations; nobody is on two duties at once.
    'logbook_entries.student_id': 'stays',
    'duty_shifts.student_id': moves('trainings', {
      only: `not exists (select from duty_shifts k where k.student_id = :into
        and tstzrange(k.starts_at, k.rests_until) && tstzrange(r.starts_at, r.rests_until))`,
      remembered: ['id'],
    }),
    'duty_wishes.student_id': 'ends',
    'duty_swaps.student_id': 'stays',
    'duty_swaps.other_id': 'stays',
    'thesis_wishes.student_id': moves('research', {
      only: `not exists (select from thesis_wishes k where k.student_id = :into)`,
      remembered: ['id'],
    }),
    // What was decided in both is decided once.
    'degree_exceptions.student_id': moves('exceptions', {
      only: `r.revoked_at is not null or not exists (select from degree_exceptions k where k.student_id = :into
        and k.program_id = r.program_id and k.key = r.key and coalesce(k.course_id, 0) = coalesce(r.course_id, 0) and k.revoked_at is null)`,
    }),
    // What was confirmed stays as it was; in one window there is one list of wishes, that of the record that stays.
    'specialization_preferences.student_id': moves('preferences', {
      only: `exists (select from specialization_times w where w.id = r.specialization_time_id and w.status <> 'confirmed')
        and not exists (select from specialization_preferences k where k.student_id = :into and k.specialization_time_id = r.specialization_time_id)`,
    }),
    'student_specializations.student_id': moves('specializations', {
      only: `not exists (select from student_specializations k where k.student_id = :into and k.from_program_id = r.from_program_id)`,
    }),
    'specialization_results.student_id': 'stays',
    'external_ids.student_id': moves('external_ids', EXTERNAL),
    // A study that was ended or credited elsewhere belongs to its own registrations: decided first.
    'course_credits.student_id': 'refused',
    'external_transfers.student_id': 'refused',
    'former_studies.student_id': 'refused',
    'internal_transfers.student_id': 'refused',
    'transfers_out.student_id': 'refused',
    // Ended by the database when the record goes: the person shares the one that stays anew, knowing what it holds.
    'record_shares.student_id': 'stays',
    // Who worked as the record that went works as the one that stays.
    'sessions.student_id': 'stays',
    // An address that waits for its link was asked for in the record that goes: it is asked for again.
    'student_addresses.student_id': 'stays',
    'degree_audit_results.student_id': 'stays',
    'registration_history.student_id': 'stays',
    'registration_turns.student_id': 'stays',
  },
  instructor: {
    'offering_slot_instructors.instructor_id': joins('meetings'),
    'offering_instructors.instructor_id': joins('offerings'),
    'questionnaire_sets.instructor_id': moves('offerings', {
      only: `not exists (select from questionnaire_sets k where k.questionnaire_id = r.questionnaire_id and k.offering_id = r.offering_id and k.instructor_id = :into)`,
      remembered: ['id'],
    }),
    // Nobody sits in two offices at once: an hour at the same time as one of the record that stays is left behind.
    'office_hours.instructor_id': moves('meetings', {
      only: `not exists (select from office_hours k where k.instructor_id = :into and k.day = r.day and k.removed_at is null
        and (k.start_time, k.end_time) overlaps (r.start_time, r.end_time))`,
    }),
    // Nobody is in two halls at once: where the record that stays invigilates elsewhere, the other stays as it was.
    'exam_schedule_instructors.instructor_id': moves('meetings', {
      only: `not exists (select from exam_schedule_instructors k where k.instructor_id = :into and k.during && r.during
        and (k.location_id <> r.location_id or k.exam_schedule_id = r.exam_schedule_id))`,
      remembered: ['exam_schedule_id', 'location_id'],
    }),
    'quality_findings.responsible_id': 'stays',
    'thesis_subjects.instructor_id': moves('research'),
    // Nobody supervises one training twice on a day.
    'logbook_entries.confirmed_by_id': 'stays',
    'logbook_pins.instructor_id': 'ends',
    'duty_supervisors.instructor_id': moves('trainings', {
      only: `not exists (select from duty_supervisors k where k.instructor_id = :into and k.kind_id = r.kind_id and k.day = r.day)`,
      remembered: ['id'],
    }),
    'emtyaz_training_instructors.instructor_id': moves('trainings', {
      only: `not exists (select from emtyaz_training_instructors k where k.training_id = r.training_id and k.instructor_id = :into
        and daterange(k.starts_on, k.ends_on, '[]') && daterange(r.starts_on, r.ends_on, '[]'))`,
      remembered: ['id'],
    }),
    // Nobody is on one team twice, nor in two discussions at once.
    'thesis_members.instructor_id': moves('research', {
      only: `(r.until_date is not null or not exists (select from thesis_members k where k.thesis_id = r.thesis_id
        and k.instructor_id = :into and k.until_date is null))`,
      remembered: ['id'],
    }),
    'thesis_discussion_people.instructor_id': moves('research', {
      only: `not exists (select from thesis_discussion_people k where k.instructor_id = :into and k.during && r.during)`,
      remembered: ['id'],
    }),
    'exam_closures.instructor_id': moves('meetings', { remembered: ['id'] }),
    'instructor_documents.instructor_id': moves('documents', { only: openOnce('instructor') }),
    'students.advisor_id': moves('advised'),
    'former_studies.advisor_id': 'stays',
    'student_specializations.advisor_id': 'stays',
    'student_specializations.from_advisor_id': 'stays',
    'departments.head_id': moves('departments'),
    'faculties.dean_id': moves('faculties'),
    'external_ids.instructor_id': moves('external_ids', EXTERNAL),
  },
  user: {
    // Who assessed a training, as it was written.
    'training_assessments.user_id': 'stays',
    // One of a name stays where it is; what is mailed to an account that has ended is ended by the next mail.
    'own_reports.user_id': moves('reports', {
      only: `(r.removed_at is not null or not exists (select from own_reports k where k.user_id = :into and k.removed_at is null
        and lower(k.name) = lower(r.name)))`,
    }),
    'own_report_pins.user_id': 'ends',
    'own_report_people.user_id': moves('reports', {
      only: 'not exists (select from own_report_people k where k.user_id = :into and k.report_id = r.report_id)',
    }),
    'own_report_schedules.user_id': 'stays',
    'students.user_id': moves('student_record'),
    'instructors.user_id': moves('instructor_record'),
    // Both stay payers, with their postings, of the account that stays.
    'payers.user_id': moves('payers', { remembered: ['id'] }),
    // Nobody is in two beds.
    // One of a type is on its way for a person.
    'certificates.staff_id': moves('certificates', {
      only: `(r.status in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled')
        or not exists (select from certificates k where k.staff_id = :into and k.type_id = r.type_id and k.removed_at is null
          and k.status not in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled')))`,
    }),
    'services.staff_id': moves('services', {
      only: `(not r.alone or r.status not in ('fee_due', 'New', 'in review', 'asked_back')
        or not exists (select from services k where k.staff_id = :into and k.kind_id = r.kind_id and k.alone and k.removed_at is null
          and k.status in ('fee_due', 'New', 'in review', 'asked_back')))`,
    }),
    'hotel_reservations.staff_id': moves('beds', {
      only: `(r.status not in ('requested', 'confirmed', 'checked_in') or not exists (select from hotel_reservations k
        where k.staff_id = :into and k.period && r.period and k.removed_at is null
          and k.status in ('requested', 'confirmed', 'checked_in')))`,
    }),
    // A person stands on a work once, and works once in a project; one page is the person's.
    'publication_members.user_id': moves('research', {
      only: `not exists (select from publication_members k where k.publication_id = r.publication_id and k.user_id = :into)`,
      remembered: ['id'],
    }),
    'project_members.user_id': moves('research', {
      only: `not exists (select from project_members k where k.project_id = r.project_id and k.user_id = :into)`,
      remembered: ['id'],
    }),
    'researchers.user_id': moves('research', {
      only: `not exists (select from researchers k where k.user_id = :into)`,
    }),
    // Contracts of one person run one after the other: where both have one at a time, that of the account that stays does.
    'employee_contracts.employee_id': moves('contracts', {
      only: `not exists (select from employee_contracts k where k.employee_id = :into
        and daterange(k.from_date, k.to_date, '[]') && daterange(r.from_date, r.to_date, '[]'))`,
      remembered: ['id'],
    }),
    // One that is asked for or looked at there stays where one of its kind is asked for or looked at here.
    'employee_documents.employee_id': moves('documents', { only: openOnce('employee') }),
    // Nobody manages himself or herself.
    'users.manager_id': moves('team', { only: 'r.id <> :into' }),
    'tickets.asker_id': moves('tickets'),
    'chat_members.user_id': joins('chats', `exists (select from chats c where c.id = r.chat_id and c.kind = 'group')`),
    'external_ids.user_id': moves('external_ids', EXTERNAL),
    // Who made a family, and who ended it, did.
    'families.made_by_id': 'stays',
    'families.ended_by_id': 'stays',
    // Ways in, and what was begun on them.
    'identities.user_id': 'ends',
    'calendar_feeds.user_id': 'ends',
    'known_devices.user_id': 'ends',
    'login_tokens.user_id': 'ends',
    'passkey_challenges.user_id': 'ends',
    'passkeys.user_id': 'ends',
    'password_resets.user_id': 'ends',
    'provider_sign_ins.user_id': 'ends',
    'recovery_codes.user_id': 'ends',
    'sessions.impersonator_id': 'ends',
    'sessions.user_id': 'ends',
    'sign_in_steps.user_id': 'ends',
    'student_addresses.impersonator_id': 'ends',
    'student_addresses.user_id': 'ends',
    'totp_secrets.user_id': 'ends',
    // Decided elsewhere first.
    'legal_holds.user_id': 'refused',
    'scim_people.user_id': 'refused',
    'signing_positions.user_id': 'refused',
    // Rights are given, not inherited: they stay with the account that is closed, and give nothing there.
    'cash_shifts.cashier_id': 'stays',
    'access_entries.user_id': 'stays',
    'archive_access.user_id': 'stays',
    'signatory_holders.user_id': 'stays',
    'signature_pictures.user_id': 'stays',
    // An office that one person held: whoever manages services names the next.
    'service_kind_steps.user_id': 'stays',
    'service_steps.user_id': 'stays',
    // What would be remembered of who took part would outlive the counting, which deletes it.
    'questionnaire_participations.user_id': 'stays',
    'questionnaire_postponements.user_id': 'stays',
    // Signed is signed, by whom it was.
    'certificate_signatures.user_id': 'stays',
    'external_paper_checks.user_id': 'stays',
    'certificate_signatures.deputy_id': 'stays',
    'delegations.from_user_id': 'stays',
    'delegations.to_user_id': 'stays',
    'rights_review_rows.user_id': 'stays',
    'role_assignments.user_id': 'stays',
    'scim_grants.user_id': 'stays',
    'scim_members.user_id': 'stays',
    'ticket_group_members.user_id': 'stays',
    'user_permissions.user_id': 'stays',
    // How somebody had set up the account that is closed, and what it was told.
    'archive_uploads.user_id': 'stays',
    'digests.user_id': 'stays',
    'last_logins.user_id': 'stays',
    'notice_mails.user_id': 'stays',
    'notice_preferences.user_id': 'stays',
    'notifications.user_id': 'stays',
    'saved_views.user_id': 'stays',
    // Who did something, as it was written.
    'chat_messages.author_id': 'stays',
    'control_history.actor_id': 'stays',
    'operations.actor_id': 'stays',
    'operations.impersonator_id': 'stays',
    'registration_history.actor_id': 'stays',
    'registration_history.impersonator_id': 'stays',
    'ticket_messages.author_id': 'stays',
  },
}

/**
 * Columns that name a person without a foreign key: all of them keep what was written. Papers, the trail and the security log
 * are read through `same_record` where somebody asks for all of one person.
 */
export const WRITTEN_DOWN: readonly string[] = [
  'audit_log.actor_id',
  'audit_log.impersonator_id',
  'audit_log.record_id',
  'decision_steps.actor_id',
  'decision_steps.impersonator_id',
  'exam_paper_moves.actor_id',
  'exam_paper_moves.impersonator_id',
  'exam_paper_moves.student_id',
  'grade_links.actor_id',
  'grade_links.impersonator_id',
  'import_rows.record_id',
  'merged_records.from_id',
  'merged_records.into_id',
  'papers.subject_id',
  'request_fees.record_id',
  'security_log.actor_id',
  'security_log.impersonator_id',
  'security_log.record_id',
  'security_log.subject_id',
  'step_history.actor_id',
  'step_history.impersonator_id',
  'step_history.record_id',
  'students_searched.advisor_id',
  'uploads_of_day.user_id',
]

/** The table of each kind. */
export const TABLES = { student: 'students', instructor: 'instructors', user: 'users' } as const

/** Pointers of a kind that are followed, in their order. */
export const movingOf = (kind: MergeKind): (Moving & { readonly table: string; readonly column: string })[] =>
  Object.entries(POINTERS[kind]).flatMap(([name, pointer]) => {
    if (typeof pointer === 'string') return []
    const [table, column] = name.split('.') as [string, string]
    return [{ ...pointer, table, column }]
  })
/** Tables and columns of what ends with an account. */
export const ending = (): [table: string, column: string][] =>
  Object.entries(POINTERS.user).flatMap(([name, fate]) =>
    fate === 'ends' ? [name.split('.') as [string, string]] : [],
  )
