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

const status = of('areas/academics/status.rules.ts', 'areas/academics/status.test.ts')
const request = of('areas/registration/registration.rules.ts', 'areas/registration/registration.test.ts')
const change = of(
  'areas/registration/changes/change.server.ts',
  'areas/registration/changes',
  'areas/grading/guard.http.test.ts',
)
const capacity = of('areas/registration/capacity.server.ts', 'areas/registration')
const waiting = of('areas/registration/requests/wait-list.server.ts', 'areas/registration/requests/wait-list.test.ts')
const seats = of('db/migrations/0053_wait_list_seats.sql', 'areas/registration/requests')
const trail = of('db/migrations/0076_trail_of_filled_columns.sql', 'kit/server/trail.test.ts')
const line = of('db/migrations/0002_kit.sql', 'kit/server/trail.test.ts')
const advising = of('areas/registration/advising/advising.rules.ts', 'areas/registration/advising')
const bylaw = of('areas/catalogue/bylaw.rules.ts', 'areas/catalogue/bylaw.test.ts')
const requisites = of('areas/catalogue/requisites.rules.ts', 'areas/catalogue/requisites.test.ts')
const settings = of('areas/catalogue/bylaws/settings.server.ts', 'areas/catalogue/catalogue.test.ts')
const bylaws = of('areas/catalogue/bylaws/bylaw.server.ts', 'areas/catalogue/catalogue.test.ts')
const meetings = of('areas/offerings/slots/slots.rules.ts', 'areas/offerings/slots/slots.test.ts')
const team = of('areas/offerings/team/team.server.ts', 'areas/offerings/offerings.test.ts')
const reach = of('areas/academics/offering-reach.server.ts', 'areas/offerings/offerings.test.ts')
const next = of('areas/offerings/teaching/teaching.rules.ts', 'areas/offerings')
const control = of('areas/academics/control.rules.ts', 'areas/grading/control.test.ts')
const flow = of('areas/grading/control/flow.contract.ts', 'areas/grading/control')
const guard = of('areas/grading/guard.rules.ts', 'areas/grading/control.test.ts', 'areas/grading/guard.http.test.ts')
const grade = of('areas/grading/grading.rules.ts', 'areas/grading/grading.test.ts')
const marks = of('areas/grading/marks/marks.server.ts', 'areas/grading/marks')
const archive = of('areas/archive/archive.rules.ts', 'areas/archive/archive.rules.test.ts')
const archiveZip = of('areas/archive/import/zip.rules.ts', 'areas/archive/archive.rules.test.ts')
const archiveTree = of('db/migrations/0100_archive.sql', 'areas/archive/tree', 'areas/archive/access.test.ts')
const archiveFound = of('areas/archive/entries.server.ts', 'areas/archive/tree', 'areas/archive/access.test.ts')
const archiveParts = of('areas/archive/upload/parts.server.ts', 'areas/archive/upload')
const archiveBin = of('areas/archive/tree/bin.server.ts', 'areas/archive/tree')
const archiveZipIn = of('areas/archive/import/zip-in.server.ts', 'areas/archive/trouble.test.ts')
const contents = of('db/migrations/0176_held_contents.sql', 'areas/archive/upload/stores.test.ts')
const contentsKept = of('kit/server/files.ts', 'areas/archive/upload/stores.test.ts')
const students = of('areas/students/student/student.server.ts', 'areas/students')
const studentsReach = of('areas/academics/student-reach.server.ts', 'areas/students', 'areas/registration/changes')
const tagging = of('areas/tags/tagging.server.ts', 'areas/students/tags')
const studentTags = of('areas/students/student/student.contract.ts', 'areas/students/tags')
const ticket = of('areas/conversation/tickets/ticket.server.ts', 'areas/conversation/tickets')
const chat = of('areas/conversation/chats/chat.server.ts', 'areas/conversation/chats')
const ticketCall = of('areas/conversation/tickets/ticket-calls.server.ts', 'areas/conversation/tickets')
const said = of('areas/conversation/messages.server.ts', 'areas/conversation/tickets')
const standing = of('areas/students/standing/standing.server.ts', 'areas/students')
const sections = of('areas/students/sections/section.server.ts', 'areas/students')
const employees = of('areas/people/employees/employee.server.ts', 'areas/people')
const rightsAbove = of('areas/people/rights-above.server.ts', 'areas/people')
const users = of('areas/access-and-people/users/user.server.ts', 'areas/access-and-people/users')
const photos = of('areas/access-and-people/users/photo.server.ts', 'areas/access-and-people/users')
const whoseEmail = of('areas/people/taken-email.server.ts', 'areas/access-and-people/users')
const names = of('areas/people/names/name.rules.ts', 'areas/people/names/name.rules.test.ts')
const nameCalls = of('areas/people/names/names.server.ts', 'areas/people/names/names.test.ts')
const hijri = of('kit/contract/hijri.ts', 'kit/contract/hijri.test.ts')
const hijriMonths = of('areas/settings/hijri/hijri.server.ts', 'areas/settings/settings.test.ts')
const terms = of('areas/terms/terms.server.ts', 'areas/terms')
const slots = of('areas/scheduling/slots/slot.contract.ts', 'areas/scheduling')
const scope = of('kit/server/scope.ts', 'kit/server/scope.test.ts', 'kit/server/resource.test.ts')
const resource = of('kit/server/resource.ts', 'kit/server/resource.test.ts', 'kit/server/rows.test.ts')
const rows = of('kit/server/rows.ts', 'kit/server/rows.test.ts')
const history = of('kit/server/history.ts', 'kit/server/resource.test.ts', 'kit/server/rows.test.ts')
const rights = of('access/rights.server.ts', 'access')

const timetable = of('areas/scheduling/timetables/timetable.server.ts', 'areas/scheduling')
const instructors = of('areas/people/instructors/instructor.server.ts', 'areas/people')
const overview = of('areas/reports/overview/overview.rules.ts', 'areas/reports/overview/overview.rules.test.ts')
const figures = of('areas/reports/overview/overview.server.ts', 'areas/reports/overview/overview.test.ts')
const university = of('areas/settings/settings.server.ts', 'areas/settings')
const bundle = of('areas/oneroster/oneroster.rules.ts', 'areas/oneroster/oneroster.test.ts')
const provider = of('areas/access-and-people/provider/provider.server.ts', 'areas/access-and-people/provider')
const protocol = of('areas/access-and-people/provider/oidc.server.ts', 'areas/access-and-people/provider')
const samlJudged = of('areas/access-and-people/saml/assertion.rules.ts', 'areas/access-and-people/saml')
const samlProtocol = of('areas/access-and-people/saml/saml.server.ts', 'areas/access-and-people/saml')
const saml = of('areas/access-and-people/saml/way.server.ts', 'areas/access-and-people/saml')
const directory = of('areas/access-and-people/scim/directory.server.ts', 'areas/access-and-people/scim')
const directoryPeople = of('areas/access-and-people/scim/people.server.ts', 'areas/access-and-people/scim')
const directoryGroups = of('areas/access-and-people/scim/groups.server.ts', 'areas/access-and-people/scim')
const identity = of('areas/access-and-people/provider/identity.rules.ts', 'areas/access-and-people/provider')
const passkey = of('areas/access-and-people/passkeys/passkey.rules.ts', 'areas/access-and-people/passkeys')
const ceremony = of('areas/access-and-people/passkeys/ceremony.server.ts', 'areas/access-and-people/passkeys')
const share = of('areas/students/shares/share.rules.ts', 'areas/students/shares')
const sharing = of('areas/students/shares/share.server.ts', 'areas/students/shares')
const shown = of('areas/students/shares/shown.server.ts', 'areas/students/shares')
const sharedLink = of('areas/students/shares/links.server.ts', 'areas/students/shares')
const totp = of('areas/access-and-people/second-factor/totp.server.ts', 'areas/access-and-people/second-factor')
const factors = of('areas/access-and-people/second-factor/factors.server.ts', 'areas/access-and-people/second-factor')
const secondFactor = of(
  'areas/access-and-people/second-factor/second-factor.server.ts',
  'areas/access-and-people/second-factor',
)
const delegation = of('areas/access-and-people/delegations/delegation.rules.ts', 'areas/access-and-people/delegations')
const grants = of('areas/access-and-people/rights/grants.rules.ts', 'areas/access-and-people/rights')
const accesses = of('areas/access-and-people/rights/access.server.ts', 'areas/access-and-people/rights')
const roles = of('areas/access-and-people/roles/role.server.ts', 'areas/access-and-people/rights')
const reviews = of('areas/access-and-people/reviews/review.server.ts', 'areas/access-and-people/reviews')
const lookers = of('areas/access-and-people/lookers/lookers.server.ts', 'areas/access-and-people/reviews')
const supers = of('db/migrations/0110_rights.sql', 'areas/access-and-people/rights')
const invite = of('areas/access-and-people/sign-in/invite.server.ts', 'areas/access-and-people/sign-in/invite.test.ts')
const signIn = of(
  'areas/access-and-people/sign-in/sign-in.server.ts',
  'areas/access-and-people/sign-in/sign-in.test.ts',
)
const passwords = of(
  'areas/access-and-people/sign-in/passwords.server.ts',
  'areas/access-and-people/sign-in/sign-in.test.ts',
)
const step = of('kit/contract/workflow.ts', 'kit/server/workflow.test.ts')
const workflow = of('kit/server/workflow.ts', 'kit/server/workflow.test.ts')
const unit = of('kit/server/unit.ts', 'kit/server/unit.test.ts')
const undo = of('kit/server/undo.ts', 'kit/server/undo.test.ts')
const texts = of('kit/web/i18n/catalogue.ts', 'kit/web/i18n/i18n.test.ts')
const changes = of('kit/web/form/changes.ts', 'kit/web/form/changes.test.ts')

/** The list grows with the rules: before an area is called done, ten of its rules stand here. */
export const MUTATIONS: readonly Mutation[] = [
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
  request('courses of the term are limited', 'const courses = loaded.length + 1', 'const courses = loaded.length'),
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
  change('requests judged before a return are judged anew', '  await moveTurns(tx, returning)\n', ''),
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
  waiting(
    'nobody waits where there is a seat',
    "if (!refusals.length) throw refuse(409, 'wait_not_full'",
    "if (refusals.length > 99) throw refuse(409, 'wait_not_full'",
  ),
  waiting('every other rule holds for who waits', 'if (others.length)\n', 'if (others.length > 9)\n'),
  seats(
    'a slot holds no more than its quota',
    's.taken + s.held > s.quota and not l.over as above',
    's.taken + s.held > s.quota + 1 and not l.over as above',
  ),
  seats('seats are given back', 'set taken = s.taken - n.seats,', 'set taken = s.taken - 0 * n.seats,'),
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
  settings(
    'settings are changed within reach',
    "and ${scopeCondition(ctx, 'edit_bylaw_settings', bylawScope)} for update",
    'for update',
  ),
  settings('an entry of another bylaw is not taken', '!ids.delete(entry.id)', 'entry.id < 0'),
  bylaws('a bylaw is reached by itself', 'bylaw: () => sql`t.id`', 'bylaw: () => sql`t.faculty_id`'),
  bylaws('a bylaw with students stays in its faculty', 'if (rows[0]!.count) throw', 'if (rows[0]!.count > 99) throw'),
  // Offerings
  meetings(
    'a meeting with students keeps its type',
    'if (old.type !== slot.type || old.group !== slot.group)',
    'if (old.group !== slot.group)',
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
  control('students are finished from Approved on', "reached(status, 'Approved')", "reached(status, 'Reviewed')"),
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
    "advised: sql`${s('advisor_id')} =",
    "advised: sql`${s('advisor_id')} is distinct from",
  ),
  students('who has registered stays on the bylaw', 'else if (!program.started)', 'else if (program)'),
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
  employees(
    'nobody removes the own account',
    "if (ctx.actor?.user_id === id) throw refuse(409, 'cannot_remove_yourself')",
    '',
  ),
  // Terms and places
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
    'midnight(Date.parse(instant)) - midnight(now)',
    'Date.parse(instant) - now',
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
    "mode[0]!.on && name !== 'read_only'",
    "mode[0]!.on && name === 'lazy_admission'",
  ),
  university(
    'a setting is checked by its kind',
    "parse(UNIVERSITY_SETTINGS[name].schema, body.value, ['value']) as string",
    'body.value as string',
  ),
  bundle(
    'a bundle of another version is refused',
    "expect('oneroster.version', '1.2',",
    "expect('oneroster.version', value('oneroster.version'),",
  ),
  bundle('every file must be whole', "if (manifest && mode !== 'bulk')", "if (manifest && mode === '')"),
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
  provider(
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
  samlJudged('an assertion is of the provider', 'said.issuer !== expected.issuer || ', ''),
  samlProtocol(
    'only signed assertions count',
    'wantAssertionsSigned: true,\n    wantAuthnResponseSigned',
    'wantAssertionsSigned: false,\n    wantAuthnResponseSigned',
  ),
  samlProtocol('signatures with what is broken are refused', 'if (BROKEN.test(text))', 'if (!text)'),
  saml('an assertion is taken once', 'if (rowCount !== 1)', 'if (rowCount === null)'),
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
  of('areas/access-and-people/saml/metadata.server.ts', 'areas/access-and-people/saml')(
    'XML has no entities',
    'if (/<!(?:DOCTYPE|ENTITY)/i.test(text))',
    'if (!text)',
  ),
  of('areas/access-and-people/saml/mapping.rules.ts', 'areas/access-and-people/saml')(
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
    ' and not (${NEVER})\n    join users',
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
  factors('a recovery code works once', '} and used_at is null`.execute(\n      tx,', '}`.execute(\n      tx,'),
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
  factors('a role demands it on the days it is held', 'coalesce(a.valid_to >= current_date, true)', 'true'),
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
  secondFactor('what a role demands is not taken away', '.required) throw', '.required && false) throw'),
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
    'nobody acts as somebody with more rights',
    "  await refuseAbove(ctx, actor, row)\n  await ctx.services.security.write(ctx, { kind: 'log_in_as', subject_id: row.id })",
    "  await ctx.services.security.write(ctx, { kind: 'log_in_as', subject_id: row.id })",
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
  step('who signs is whose turn it is', 'return turn.holder === person ? []', 'return turn.holder !== null ? []'),
  workflow(
    'a step from an old screen is refused',
    'version !== undefined && version !== row.version',
    'version !== undefined && version > row.version',
  ),
  workflow('signatures fall with a step of another kind', 'else if (options.chain)\n', 'else if (!options.chain)\n'),
  workflow(
    'a record out of reach takes no step',
    'and ${scopeCondition(ctx, everybody, parts)}\n      order by',
    '\n      order by',
  ),
  unit(
    'what failed half-way is not kept, though the failure was swallowed',
    'if (own.failed) throw own.failed.error',
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
  resource(
    'an outdated version is refused',
    'if (version !== undefined && version !== current.version) throw',
    'if (version !== undefined && version > current.version) throw',
  ),
  resource('nobody puts a row out of the own reach', "if (!rows.length) throw refuse(403, 'not_allowed')\n  }", '}'),
  resource('a removed row is not changed', 'if (row.removed && !removed) throw', 'if (row.removed && removed) throw'),
  rows('a line of another record is not taken', '  requireKnown(field, current, next)\n', ''),
  rows(
    'lines keep the order they are sent in',
    '...(rows.position && { [rows.position]: i }),',
    '...(rows.position && { [rows.position]: 0 }),',
  ),
  history('a lookup is told by name', 'if (to && typeof value ===', 'if (!to && typeof value ==='),
  history('ids are hidden, words with these letters are not', '(?:^|_)(?:ids?|', '(?:ids?|'),
  rights(
    'an assignment ends on its last day',
    'where user_id = u.id and coalesce(valid_from <= current_date, true) and coalesce(valid_to >= current_date, true)\n      union all',
    'where user_id = u.id and coalesce(valid_from <= current_date, true) and coalesce(valid_to > current_date, true)\n      union all',
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
  contents(
    'of the contents of the store, what somebody else holds stays',
    'and not exists (select from held_contents h where h.hash = gone and h.until > now())',
    '',
  ),
  contents('no contents leave the store while a backup reads', 'not pg_try_advisory_xact_lock_shared(72402)', 'false'),
  contents('contents of a record stay', 'return not content_named(gone)', 'return true'),
  contents(
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
  archiveZipIn('a ZIP of more entries than two bytes tell', 'if (count === MORE)', 'if (count > MORE)'),
  archiveTree(
    'names in the archive are taken within one circle of readers',
    'archive_name_taken on archive_entries (parent_id, realm_id, name_key)',
    'archive_name_taken on archive_entries (parent_id, name_key)',
  ),
  archiveTree('the archive is not deeper than its limit', 'if depth > 30 then', 'if depth > 300 then'),
  archiveTree(
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
  archive('parts follow each other', 'part.offset !== upload.received', 'part.offset > upload.received'),
  archive('who writes a list stays among those who change', 'if (!stays)', 'if (stays)'),
  archiveZip(
    'what grows beyond measure is a bomb',
    'entry.size > entry.compressed * MAX_RATIO',
    'entry.size > entry.compressed * MAX_UNZIPPED',
  ),
  archiveZip('names that differ by case are one', "parts.map(keyOfName).join('/')", "parts.join('/')"),
  archiveZip('a link is no file', 'entry.special || ', ''),
  archiveTree(
    'a list only narrows what the folder around it allows',
    'join archive_entries e on e.realm_above = r.id and not e.inherits',
    'join archive_entries e on e.realm_above is not null and r.id = 1',
  ),
  archiveTree(
    'no folder lies within itself, whoever writes',
    'exists (select from archive_up(new.parent_id) u where u.id = new.id)',
    'new.parent_id = new.id',
  ),
  archiveTree(
    'what lies in a folder follows it',
    'when inherits then new.realm_id else realm_id end',
    'when inherits then realm_id else realm_id end',
  ),
  archiveTree('who moves waits for others who do', 'select pg_advisory_xact_lock(72401)', 'select null::void'),
  archiveFound(
    'what is removed is there only for who can take it out',
    'entry.removed_at && !entry.may_edit',
    'entry.removed_at && edit',
  ),
  archiveFound('who only sees changes nothing', 'edit && !entry.may_edit', 'edit && !entry'),
  archiveParts(
    'an upload is the own',
    'where id = ${key}::uuid and user_id = ${ctx.actor?.user_id ?? 0} and done_at is null`.execute(ctx.db)',
    'where id = ${key}::uuid and done_at is null`.execute(ctx.db)',
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
  grants('nobody lets the own rights grow', 'if (own && !giver.everything && difference.gained.length)', 'if (false)'),
  grants('students are given nothing', 'if (!person.staff && (', 'if (false && ('),
  grants('nobody takes what he or she could not give', 'if (taken.length)', 'if (false)'),
  accesses('changes of rights wait for each other', 'await lockRights(tx)', ''),
  accesses('what was changed meanwhile is not overwritten', 'seen !== now.seen', 'false'),
  accesses(
    'only the reach of the right counts',
    'and ${scopeCondition(ctx, access, userReach())}`.execute(db)',
    '`.execute(db)',
  ),
  roles(
    'the program keeps the roles it needs',
    "['root', 'super_admin', 'student', 'applicant'].includes(key as string)",
    'false',
  ),
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
  of('areas/conversation/chats/chat.contract.ts', 'areas/conversation/chats')(
    'who is logged in as somebody reads no messages',
    "body: listQuery,\n    response: listOf(chat),\n    reads: true,\n    personal: 'always',",
    'body: listQuery,\n    response: listOf(chat),\n    reads: true,\n    personal: true,',
  ),
  of('kit/server/events.ts', 'kit/server/events.test.ts')(
    'who is logged in as somebody hears nothing between people',
    'if (!personal || stream.impersonator_id === null)',
    'if (true)',
  ),
  of('kit/server/files.ts', 'areas/conversation/chats')(
    'who is logged in as somebody does not open that person’s files by their number',
    ' && ctx.actor?.impersonator_id === null)',
    ')',
  ),
  of('db/migrations/0141_chats.sql', 'areas/conversation/chats')(
    'who was added does not see what was said before',
    ' and m.id > k.joined_after',
    '',
  ),
  of('db/migrations/0141_chats.sql', 'areas/conversation/chats')(
    'who has left does not see what comes',
    'and (k.left_after is null or m.id <= k.left_after) and',
    'and',
  ),
  of('db/migrations/0141_chats.sql', 'areas/conversation/chats')(
    'who is added again has missed what was said meanwhile',
    ' and not k.missed @> m.id',
    '',
  ),
  // Texts of notices
  of('kit/contract/notice-texts.ts', 'areas/settings/notice-texts')(
    'a place that nothing fills is refused',
    '.filter((place) => !places.includes(place))',
    '.filter(() => false)',
  ),
  of('kit/contract/notice-texts.ts', 'areas/settings/notice-texts')(
    'a mail has the places it needs',
    'if (!said.includes(place))',
    'if (false)',
  ),
  of('kit/contract/notice-texts.ts', 'areas/settings/notice-texts')(
    'a subject is one line',
    "(field === 'subject' || !lines) &&",
    "!lines && field !== 'subject' &&",
  ),
  of('kit/server/notice-texts.ts', 'areas/settings/notice-texts')(
    'what no longer fits is not said',
    'shapeOf(key), own).length ? [] :',
    'shapeOf(key), own).length > 9 ? [] :',
  ),
  of('kit/server/mail.ts', 'areas/settings/notice-texts')(
    'a mail says what the university says',
    "composeMail(mail, await own(mail.key, mail.lang ?? 'ar'))",
    'composeMail(mail)',
  ),
  of('areas/settings/notice-texts/notice-text.server.ts', 'areas/settings/notice-texts')(
    'who saves has seen the newest version',
    'where ${seen}::int = coalesce(',
    'where 0 <= coalesce(',
  ),
]
