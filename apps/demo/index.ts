/** Puts the demo university together: catalogue, calendar, people, finished terms, and the term open for registration. */
import { BUILDINGS, LOCATIONS, TIME_SLOTS } from './campus.ts'
import { buildCalendar } from './calendar.ts'
import { buildCatalogue } from './catalogue.ts'
import { isoDate } from './dates.ts'
import { leaveUnmarked, offeredIn, offeringBook, openedPools, simulateHistory, statusOf } from './history.ts'
import type { AttemptKind, DemoAccount, DemoOfferingSlot, DemoStudent, DemoUniversity, MainFlag } from './model.ts'
import { NATIONALITIES } from './names.ts'
import { buildStaff, personMaker } from './people.ts'
import { FACULTIES, UNIVERSITY } from './programs.ts'
import { seededRandom } from './random.ts'
import { advance, choose, enterYear, levelByHours, loadLimit, mayTake, newLearner, type Learner } from './record.ts'
import { buildTimetable, type Wish } from './timetable.ts'

export type { DemoAccount, DemoUniversity } from './model.ts'

/** Password of every demo account. */
export const DEMO_PASSWORD = 'Canopus-Lighthouse-27'

export type DemoOptions = {
  /** The load date, `YYYY-MM-DD`: the current term is open for registration on it. */
  today: string
  seed?: number
  /** Students in all; the campus holds up to about 1,800. */
  students?: number
  /** Staff, about. */
  staff?: number
}

/** Students of each year of study, youngest first: some leave on the way. */
const COHORTS = [0.27, 0.257, 0.243, 0.23]

const CERTIFICATES = [
  ['General Secondary Certificate', 'الثانوية العامة'],
  ['General Secondary Certificate', 'الثانوية العامة'],
  ['General Secondary Certificate', 'الثانوية العامة'],
  ['STEM Secondary Certificate', 'ثانوية المتفوقين في العلوم والتكنولوجيا'],
  ['Azhar Secondary Certificate', 'الثانوية الأزهرية'],
  ['International General Certificate of Secondary Education', 'الشهادة الدولية العامة للتعليم الثانوي'],
] as const

/** One person per seeded role with a sign-in account, in the order of the roles. */
const STAFF_ACCOUNTS = [
  'root',
  'super_admin',
  'admin',
  'registrar',
  'faculty_registrar',
  'instructor',
  'teaching_assistant_view',
  'teaching_assistant_edit',
  'program_coordinator',
  'academic_advisor',
  'examiner',
  'exam_officer',
  'control_team',
  'control_head',
  'quality_staff',
  'finance_officer',
  'finance_head',
  'personnel_officer',
  'cashier',
  'admission_officer',
  'graduate_affairs_employee',
  'graduate_affairs_head',
  'dean',
  'vice_president',
  'president',
  'university_administration_manager',
  'affair_manager',
  'registration_unit',
  'competent_employee',
  'manager_director',
] as const

const ACCOUNT_ADDRESS: Partial<Record<(typeof STAFF_ACCOUNTS)[number], string>> = {
  instructor: 'instructor',
  academic_advisor: 'advisor',
  program_coordinator: 'coordinator',
  teaching_assistant_view: 'ta.view',
  teaching_assistant_edit: 'ta.edit',
}

/**
 * Builds the demo university. The same options give the same structure, to the last mark.
 * @throws RangeError for a date that is none, and for more students than the campus can teach.
 */
export function buildDemo({
  today,
  seed = 20261,
  students: size = 1500,
  staff: staffSize = 65,
}: DemoOptions): DemoUniversity {
  const calendar = buildCalendar(today)
  const { rows: catalogue, plans } = buildCatalogue()
  const { courses } = catalogue
  // Each part has its own source, so that a change in one leaves the others as they were.
  const person = personMaker(seededRandom(seed))
  const staff = buildStaff(
    seededRandom(seed + 1),
    person,
    calendar.year,
    staffSize,
    personMaker(seededRandom(seed + 9)),
  )
  const random = seededRandom(seed + 2)

  // Students, cohort by cohort, the oldest first.
  const students: DemoStudent[] = []
  const entries: { learner: Learner; entry_term_id: number }[] = []
  const falls = calendar.terms.filter((term) => term.type === 'fall')
  const mentors = new Map([...staff.advisors].map(([faculty, ids]) => [faculty, { ids, next: 0 }]))
  for (const [age, share] of [...COHORTS.entries()].toReversed()) {
    const entered = calendar.year - age
    const entry_term_id = falls.at(-1 - age)!.id
    const numbers = new Map<number, number>()
    for (const plan of plans) {
      const count = Math.max(1, Math.round(size * share * plan.share))
      for (let n = 0; n < count; n++) {
        const number = (numbers.get(plan.faculty_id) ?? 0) + 1
        numbers.set(plan.faculty_id, number)
        const code = `${entered % 100}${plan.faculty_id}${String(number).padStart(4, '0')}`
        const foreign = random.chance(0.04)
        const gender = random.chance(plan.faculty_id === 1 ? 0.6 : 0.47) ? 1 : 2
        const born: [string, string] = [isoDate(entered - 19, 7, 1), isoDate(entered - 18, 9, 30)]
        const { parts, ...details } = person({ born, foreign, gender, email: `s${code}` })
        const certificate = random.pick(CERTIFICATES)
        const ability = random.normal()
        const id = students.length + 1
        const mentor = mentors.get(plan.faculty_id)!
        // Father, grandfather and family: what follows the student's own name, which may be of two words in Arabic.
        const parents = parts.slice(1)
        students.push({
          id,
          code,
          ...details,
          program_id: plan.id,
          faculty_id: plan.faculty_id,
          bylaw_id: FACULTIES.findIndex((faculty) => faculty.bylaw === plan.bylaw.code) + 1,
          entry_term_id,
          military_status:
            gender === 2 ? null : foreign ? 'foreign' : random.chance(0.12) ? 'exempted' : 'temporary_exempted',
          parent_name: parents.map(([, latin]) => latin).join(' '),
          parent_name_local: parents.map(([local]) => local).join(' '),
          parent_phone: `01${random.pick(['0', '1', '2', '5'])}${String(random.int(0, 99_999_999)).padStart(8, '0')}`,
          school_certificate: certificate[0],
          school_certificate_local: certificate[1],
          school_year: entered,
          school_percentage: Math.min(
            99.8,
            Math.max(65, (plan.faculty_id === 1 ? 86 : 76) + 5 * ability + 3 * random.normal()),
          ).toFixed(2),
          advisor_id: mentor.ids[mentor.next++ % mentor.ids.length]!,
          level: 1,
        })
        entries.push({ learner: newLearner(id, plan, ability), entry_term_id })
      }
    }
  }

  const ledger = offeringBook(catalogue, staff)
  simulateHistory(calendar, catalogue, ledger, entries, seededRandom(seed + 3))

  // The current term: wishes, timetable, registrations in every state.
  const term = calendar.current
  const parity = term.type === 'fall' ? 'odd' : 'even'
  for (const { learner } of entries) {
    advance(learner)
    if (term.type === 'fall') enterYear(learner, term.year_id)
    // By marks years open levels, not hours.
    students[learner.student_id - 1]!.level = learner.years.at(-1)?.level ?? levelByHours(learner)
  }
  const choice = {
    courses,
    offered: offeredIn(entries, parity),
    parity,
    opened: openedPools(entries, parity),
    random,
  } as const
  const wishes: Wish[] = entries.flatMap(({ learner }) =>
    choose(learner, choice).map((course_id) => ({ learner, course_id })),
  )
  const table = buildTimetable(catalogue, ledger, term, wishes, seededRandom(seed + 4))

  const { rows } = ledger
  const registration_slots: DemoUniversity['registration_slots'] = []
  const registered = new Map<number, Set<number>>()
  const slotById = (id: number): DemoOfferingSlot => table.slots[id - 1]!
  for (const [learner, seats] of Map.groupBy(table.seats, (seat) => seat.learner)) {
    const fresh = learner.attempted.size === 0
    const luck = random.next()
    // Freshmen are enrolled by the registrar; of the others some have not come yet and some wait for their advisor.
    const mode = fresh ? (luck < 0.05 ? 'waiting' : 'done') : luck < 0.06 ? 'absent' : luck < 0.27 ? 'waiting' : 'done'
    if (mode === 'absent') {
      for (const seat of seats) for (const id of seat.slot_ids) slotById(id).taken--
      continue
    }
    // By marks a level is registered as a block: nobody waits for an advisor.
    const byMarks = learner.plan.bylaw.program_type !== 'credit_hours'
    const odd = mode === 'done' && !fresh ? random.next() : 1
    const special: MainFlag | null =
      odd < 0.07 ? 'AddRequest' : odd < 0.1 ? 'DropRequest' : odd < 0.115 ? 'WithdrawRequest' : null
    for (const [i, seat] of seats.entries()) {
      const attempt: AttemptKind = learner.attempted.has(seat.course_id) ? 'Repeat' : 'Fresh'
      const main: MainFlag = byMarks
        ? 'Registered'
        : mode === 'waiting'
          ? 'RegisterRequest'
          : special && i === seats.length - 1
            ? special
            : 'Registered'
      const id = rows.registrations.length + 1
      rows.registrations.push({
        id,
        student_id: learner.student_id,
        offering_id: seat.offering_id,
        status: statusOf(main, attempt),
        main,
        attempt,
        total: null,
        letter: null,
      })
      for (const offering_slot_id of seat.slot_ids) registration_slots.push({ registration_id: id, offering_slot_id })
      let mine = registered.get(learner.student_id)
      if (!mine) registered.set(learner.student_id, (mine = new Set()))
      mine.add(seat.offering_id)
    }
  }

  // Some slots are nearly full, and one elective is full with a queue.
  for (const slot of table.slots)
    if (random.chance(0.08)) slot.quota = Math.min(slot.quota, slot.taken + random.int(1, 2))
  const electives = new Set(catalogue.program_courses.filter((e) => e.kind === 'elective').map((e) => e.course_id))
  const byOffering = Map.groupBy(table.slots, (slot) => slot.offering_id)
  const current = rows.offerings.filter((offering) => offering.term_id === term.id)
  // Who may take the course, takes part in the term, and has both the hours and the load for it left.
  const weeks = new Map<number, Set<string>>()
  const hours = new Map<number, number>()
  const registrationById = (id: number) => rows.registrations[id - 1]!
  for (const { registration_id, offering_slot_id } of registration_slots) {
    const { student_id } = registrationById(registration_id)
    const { day, slot_id } = slotById(offering_slot_id)
    weeks.set(student_id, (weeks.get(student_id) ?? new Set()).add(`${day} ${slot_id}`))
  }
  for (const [student_id, offerings] of registered)
    for (const id of offerings)
      hours.set(student_id, (hours.get(student_id) ?? 0) + courses[rows.offerings[id - 1]!.course_id - 1]!.credit_hours)
  const queueOf = (offering: (typeof current)[number]): DemoUniversity['wait_list'] => {
    const course = courses[offering.course_id - 1]!
    const types = [...Map.groupBy(byOffering.get(offering.id) ?? [], (slot) => slot.type).values()]
    const open = rows.offering_programs.filter((entry) => entry.offering_id === offering.id)
    return entries.flatMap(({ learner }) => {
      const week = weeks.get(learner.student_id)
      const limit = loadLimit(learner, false)
      const load = registered.get(learner.student_id)
      if (!week || !load || load.has(offering.id) || learner.passed.has(course.id) || !mayTake(course, learner))
        return []
      if (!open.some((entry) => entry.program_id === learner.plan.id)) return []
      if (load.size >= limit.courses || hours.get(learner.student_id)! + course.credit_hours > limit.hours) return []
      const slots = types.map((options) => options.find((slot) => !week.has(`${slot.day} ${slot.slot_id}`)))
      if (!slots.every((slot) => slot !== undefined)) return []
      const offering_slot_ids = slots.map((slot) => slot.id)
      return [{ offering_id: offering.id, student_id: learner.student_id, offering_slot_ids }]
    })
  }
  const full = current
    .filter((offering) => electives.has(offering.course_id) && offering.number_of_groups === 1)
    .map((offering) => ({ offering, queue: queueOf(offering) }))
    .toSorted((a, b) => b.queue.length - a.queue.length)[0]
  const wait_list: DemoUniversity['wait_list'] = []
  if (full && full.queue.length > 0) {
    for (const slot of byOffering.get(full.offering.id)!) slot.quota = slot.taken
    wait_list.push(...full.queue.slice(0, 6))
    // The last of them offers a course for the seat, and keeps it until then.
    const last = wait_list.at(-1)!
    const own = rows.registrations.find(
      (one) =>
        one.student_id === last.student_id &&
        one.main === 'Registered' &&
        rows.offerings[one.offering_id - 1]!.term_id === term.id,
    )
    if (own) Object.assign(last, { gives_up_id: own.id, swap_slot_ids: last.offering_slot_ids })
  }

  // Accounts: one person per role, then students in three situations, then an applicant.
  const accounts: DemoAccount[] = []
  const account = (role: string, who: { name: string; name_local: string; email: string }) =>
    accounts.push({ role, name: who.name, name_local: who.name_local, email: who.email, password: DEMO_PASSWORD })
  for (const role of STAFF_ACCOUNTS) {
    const address = ACCOUNT_ADDRESS[role]
    const holders = staff.users.filter((user) => user.roles.some((held) => held.role === role))
    account(role, holders.find((user) => address !== undefined && user.email.startsWith(`${address}@`)) ?? holders[0]!)
  }
  const studentAccount = (address: string, fits: (learner: Learner) => boolean) => {
    const free = entries.filter(
      ({ learner }) => !accounts.some((a) => a.email === students[learner.student_id - 1]!.email),
    )
    const { learner } = free.find((entry) => fits(entry.learner)) ?? free[0]!
    const student = students[learner.student_id - 1]!
    student.email = `${address}@${UNIVERSITY.domain}`
    account('student', student)
  }
  const hasMain = new Map<number, MainFlag>()
  for (const registration of rows.registrations)
    if (rows.offerings[registration.offering_id - 1]!.term_id === term.id)
      hasMain.set(registration.student_id, registration.main)
  const good = (learner: Learner) => (learner.gpa ?? 0) > 2.6 && learner.plan.id === 1
  // The one who chooses courses still waits for the mark of a final exam, in a course of the faculty.
  const late = rows.offerings.filter(
    (offering) =>
      offering.term_id !== term.id &&
      ['Draft', 'Submitted', 'Reviewed', 'Approved'].includes(offering.control_status) &&
      catalogue.courses[offering.course_id - 1]!.faculty_id !== null,
  )
  const lateOf = (student: number) =>
    late.find((offering) =>
      rows.registrations.some(
        (r) => r.offering_id === offering.id && r.student_id === student && r.main === 'Registered',
      ),
    )
  studentAccount(
    'student',
    (learner) =>
      good(learner) &&
      !hasMain.has(learner.student_id) &&
      learner.semester >= 4 &&
      lateOf(learner.student_id) !== undefined,
  )
  const waiting = students.find((student) => student.email.startsWith('student@'))!.id
  const unmarked = lateOf(waiting)
  if (unmarked) leaveUnmarked(rows, unmarked, (r, i) => r.student_id === waiting || i % 12 < 2)
  studentAccount('student2', (learner) => good(learner) && hasMain.get(learner.student_id) === 'Registered')
  studentAccount(
    'student3',
    (learner) => (learner.gpa ?? 4) < 2 && hasMain.get(learner.student_id) === 'RegisterRequest',
  )
  // The demo advisor has the demo students, so that both sides of a request can be tried.
  const advisor = staff.users.find((user) => user.email === `advisor@${UNIVERSITY.domain}`)!
  for (const student of students) if (student.email.startsWith('student')) student.advisor_id = advisor.id
  const withoutParts = (from: Parameters<typeof person>[0]) => {
    const { parts: _parts, ...details } = person(from)
    return details
  }
  const applicants = Array.from({ length: 4 }, (_, i) => ({
    id: i + 1,
    ...withoutParts({
      born: [isoDate(calendar.year - 18, 7, 1), isoDate(calendar.year - 17, 9, 30)],
      ...(i === 0 ? { email: 'applicant' } : {}),
    }),
  }))
  account('applicant', applicants[0]!)

  const buildingIds = new Map<string, number>(BUILDINGS.map((building, i) => [building.code, i + 1]))
  const { year: _year, current: _current, ...periods } = calendar
  return {
    today,
    university: UNIVERSITY,
    nationalities: NATIONALITIES.map((nationality) => ({ ...nationality })),
    ...catalogue,
    buildings: BUILDINGS.map(({ faculty, ...building }, i) => ({
      id: i + 1,
      ...building,
      faculty_id: faculty === null ? null : FACULTIES.findIndex((entry) => entry.code === faculty) + 1,
    })),
    locations: LOCATIONS.map(({ building, ...location }, i) => ({
      id: i + 1,
      ...location,
      building_id: buildingIds.get(building)!,
    })),
    slots: TIME_SLOTS.map(({ code, name, name_local, start, end, ramadan }, i) => ({
      id: i + 1,
      code,
      name,
      name_local,
      start_time: start,
      end_time: end,
      ramadan_start_time: ramadan[0],
      ramadan_end_time: ramadan[1],
    })),
    ...periods,
    users: staff.users,
    students,
    ...rows,
    offering_slots: table.slots,
    student_years: entries.flatMap(({ learner: { student_id, years } }) => {
      const { bylaw_id, program_id } = students[student_id - 1]!
      return years.map((year) => ({ student_id, bylaw_id, program_id, ...year }))
    }),
    registration_slots,
    wait_list,
    applicants,
    accounts,
  }
}

/** The sign-in accounts that are printed on start: one named person per role, and students in three situations. */
export const demoAccounts = (demo: DemoUniversity): DemoAccount[] => demo.accounts
