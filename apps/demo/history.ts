/** Finished terms: who took what, with which marks, and how far the control of each offering has come. */
import type { Calendar } from './calendar.ts'
import type { Catalogue } from './catalogue.ts'
import type { AttemptKind, DemoRegistration, DemoTerm, DemoUniversity, MainFlag } from './model.ts'
import type { Staff } from './people.ts'
import { MARK_CATEGORIES } from './bylaws.ts'
import { DEPARTMENTS } from './programs.ts'
import type { Random } from './random.ts'
import {
  advance,
  book,
  choose,
  enterYear,
  gradeOf,
  loadLimit,
  mayTake,
  missing,
  updateGpa,
  type Learner,
} from './record.ts'

/** The flags of the documents that the demo uses. */
const FLAGS: Record<MainFlag | AttemptKind, bigint> = {
  Fresh: 16n,
  Repeat: 32n,
  Improve: 64n,
  Withdrawn: 1024n,
  Excused: 2048n,
  Registered: 262144n,
  RegisterRequest: 1048576n,
  AddRequest: 2097152n,
  DropRequest: 4194304n,
  WithdrawRequest: 8388608n,
  Absent: 536870912n,
  Incomplete: 4294967296n,
  Banned: 2305843009213693952n,
}

const statuses = new Map<string, string>()
/** Decimal text of a main flag and an attempt kind together. */
export function statusOf(main: MainFlag, attempt: AttemptKind): string {
  const key = main + attempt
  let status = statuses.get(key)
  if (status === undefined) statuses.set(key, (status = (FLAGS[main] | FLAGS[attempt]).toString()))
  return status
}

type Rows = Pick<
  DemoUniversity,
  'offerings' | 'offering_programs' | 'offering_instructors' | 'registrations' | 'registration_marks'
>

export type Offerings = {
  rows: Rows
  /** The offering of a course in a term; it is made when first asked for. */
  offering(term: DemoTerm, course_id: number): DemoUniversity['offerings'][number]
  /** Ids of people who can lecture in, and assist with, a course. */
  lecturers(course_id: number): number[]
  assistants(course_id: number): number[]
  /** The same among the whole faculty, for what a department cannot teach alone. */
  colleagues: { lecturers(course_id: number): number[]; assistants(course_id: number): number[] }
}

/** Keeps offerings by term and course, with their mark scheme and the programs they are open to. */
export function offeringBook(catalogue: Catalogue, staff: Staff): Offerings {
  const rows: Rows = {
    offerings: [],
    offering_programs: [],
    offering_instructors: [],
    registrations: [],
    registration_marks: [],
  }
  const known = new Map<string, Rows['offerings'][number]>()
  const inPrograms = Map.groupBy(catalogue.program_courses, (entry) => entry.course_id)
  const ofFaculty = (people: Map<string, number[]>, course_id: number): number[] => {
    const { faculty_id } = catalogue.departments[catalogue.courses[course_id - 1]!.department_id - 1]!
    return catalogue.departments
      .filter((department) => department.faculty_id === faculty_id)
      .flatMap((department) => people.get(department.code)!)
  }
  const departmentOf = (course_id: number) =>
    DEPARTMENTS[catalogue.courses[course_id - 1]!.department_id - 1]!.code as string
  return {
    rows,
    lecturers: (course_id) => staff.lecturers.get(departmentOf(course_id))!,
    assistants: (course_id) => staff.assistants.get(departmentOf(course_id))!,
    colleagues: {
      lecturers: (course_id) => ofFaculty(staff.lecturers, course_id),
      assistants: (course_id) => ofFaculty(staff.assistants, course_id),
    },
    offering(term, course_id) {
      const key = `${term.id} ${course_id}`
      const found = known.get(key)
      if (found) return found
      const course = catalogue.courses[course_id - 1]!
      const programs = inPrograms.get(course_id) ?? []
      // University requirements are examined under the bylaw of the faculty that has most of their students.
      const commerce =
        programs.length > 0 && programs.every((entry) => catalogue.programs[entry.program_id - 1]!.faculty_id === 2)
      const bylaw_id = (course.faculty_id ?? (commerce ? 2 : 1)) === 2 ? 2 : 1
      const kind = /49[12]$/.test(course.code)
        ? 'project'
        : course.laboratory_hours + course.clinical_hours > 0
          ? 'laboratory'
          : 'theory'
      const offering = {
        id: rows.offerings.length + 1,
        term_id: term.id,
        course_id,
        code: '1',
        mark_id: catalogue.marks.find((scheme) => scheme.bylaw_id === bylaw_id && scheme.kind === kind)!.id,
        control_status: 'Draft' as const,
        number_of_groups: 1,
      }
      rows.offerings.push(offering)
      known.set(key, offering)
      for (const entry of programs)
        rows.offering_programs.push({ offering_id: offering.id, program_id: entry.program_id })
      return offering
    },
  }
}

const FINAL = MARK_CATEGORIES.findIndex((category) => category.is_final_exam) + 1
/** How marks of a category usually lie above or below the percentage of the whole. */
const LEANING: Record<string, number> = { YW: 9, MID: -1, PRA: 5, ORA: 3, FIN: -4 }

/** Marks in halves; the text of each is made once. */
const halves = Array.from({ length: 201 }, (_, half) => (half % 2 === 0 ? `${half / 2}` : `${(half - 1) / 2}.5`))

export function simulateHistory(
  calendar: Calendar,
  catalogue: Catalogue,
  ledger: Offerings,
  learners: { learner: Learner; entry_term_id: number }[],
  random: Random,
): void {
  const { courses } = catalogue
  const { rows } = ledger
  const difficulty = courses.map((course) => (course.code.startsWith('UNV') ? -0.9 : 0.55 * random.normal()))
  const teachers = new Map<string, { leader: number; assistant: number | null }>()
  const opensLater = leaves(catalogue)

  const attend = (learner: Learner, term: DemoTerm, course_id: number): void => {
    const course = courses[course_id - 1]!
    const offering = ledger.offering(term, course_id)
    const attempt: AttemptKind = learner.passed.has(course_id)
      ? 'Improve'
      : learner.attempted.has(course_id)
        ? 'Repeat'
        : 'Fresh'
    const luck = random.next()
    // Weak students give up or stay away more often.
    const risk = learner.ability < -0.8 ? 2.5 : 1
    const byHours = learner.plan.bylaw.program_type === 'credit_hours'
    let main: MainFlag = 'Registered'
    if (byHours && luck < 0.009 * risk) main = 'Withdrawn'
    else if (luck < 0.016 * risk) main = 'Absent'
    else if (luck < 0.02 * risk) main = 'Banned'
    else if (luck < 0.023 * risk) main = 'Excused'
    else if (luck < 0.025 && term.state === 'control') main = 'Incomplete'
    const registration: DemoRegistration = {
      id: rows.registrations.length + 1,
      student_id: learner.student_id,
      offering_id: offering.id,
      status: statusOf(main, attempt),
      main,
      attempt,
      total: null,
      letter: null,
    }
    rows.registrations.push(registration)
    if (main === 'Withdrawn' || main === 'Excused') return

    const base =
      (byHours ? 78.6 : 71.5) + 7.6 * learner.ability - 3.6 * difficulty[course_id - 1]! + 7.8 * random.normal()
    const raised = base + (attempt === 'Fresh' ? 0 : 4)
    // Full marks throughout are rare: above 92 the scale tightens.
    const percent = raised > 92 ? 92 + (raised - 92) * 0.4 : raised
    let total = 0
    let finalTooLow = false
    for (const item of catalogue.marks[offering.mark_id - 1]!.items) {
      const isFinal = item.mark_category_id === FINAL
      if (isFinal && (main === 'Banned' || main === 'Incomplete')) continue
      const absent = isFinal && main === 'Absent'
      const max = Number(item.max) * 2
      const leaning = LEANING[MARK_CATEGORIES[item.mark_category_id - 1]!.code]!
      const share = Math.min(100, Math.max(8, percent + leaning + 4 * random.normal())) / 100
      let half = Math.round(share * max)
      if (isFinal && half < 0.3 * max) {
        if (byHours) finalTooLow = true
        else half = Math.ceil(0.3 * max)
      }
      total += half
      rows.registration_marks.push({
        registration_id: registration.id,
        mark_category_id: item.mark_category_id,
        mark: absent ? null : halves[half]!,
        absent,
      })
    }
    if (main === 'Incomplete') return
    if (main !== 'Registered') return book(learner, course, 0, false)
    const rounded = Math.round(total / 2)
    const grade = gradeOf(learner.plan.bylaw, rounded, finalTooLow, attempt)
    registration.total = `${rounded}`
    registration.letter = grade.letter
    book(learner, course, grade.points, grade.success)
  }

  for (const term of calendar.terms) {
    if (term.state === 'current') break
    const present = learners.filter((entry) => entry.entry_term_id <= term.id)
    const first = rows.offerings.length
    if (term.type === 'summer') {
      for (const { learner } of present) {
        if (learner.plan.bylaw.program_type !== 'credit_hours' || !random.chance(0.8)) continue
        let hours = loadLimit(learner, true).hours
        const again = missing(learner, learner.semester).filter((id) => learner.attempted.has(id))
        // A low average is raised by repeating a course passed with a poor grade.
        if (learner.gpa !== null && learner.gpa < 2.2 && random.chance(0.4))
          for (const [id, points] of learner.passed) if (points > 0 && points <= 1.3) again.push(id)
        for (const id of again) {
          const course = courses[id - 1]!
          if (course.credit_hours > hours || !mayTake(course, learner) || !isSummerCourse(course.code)) continue
          attend(learner, term, id)
          hours -= course.credit_hours
        }
      }
    } else {
      const parity = term.type === 'fall' ? 'odd' : 'even'
      for (const { learner } of present) {
        advance(learner)
        if (term.type === 'fall') enterYear(learner, term.year_id)
      }
      const choice = {
        courses,
        offered: offeredIn(present, parity),
        parity,
        opened: openedPools(present, parity),
        random,
      } as const
      for (const { learner } of present) for (const id of choose(learner, choice)) attend(learner, term, id)
    }
    for (const { learner } of present) updateGpa(learner, courses)

    for (const offering of rows.offerings.slice(first)) {
      const lecturers = ledger.lecturers(offering.course_id)
      const assistants = ledger.assistants(offering.course_id)
      // A course changes hands every second year.
      const key = `${offering.course_id} ${Math.floor(term.year_id / 2)}`
      let team = teachers.get(key)
      if (!team) teachers.set(key, (team = { leader: random.pick(lecturers), assistant: random.pick(assistants) }))
      rows.offering_instructors.push({ offering_id: offering.id, user_id: team.leader, role: 'leader' })
      const course = courses[offering.course_id - 1]!
      if (team.assistant !== null && course.tutorial_hours + course.laboratory_hours + course.clinical_hours > 0)
        rows.offering_instructors.push({ offering_id: offering.id, user_id: team.assistant, role: 'assistant' })
      offering.control_status = term.state === 'control' ? 'Published' : 'Frozen'
    }
    if (term.state === 'control') leaveWorkForControl(rows, rows.offerings.slice(first), opensLater, random)
  }
}

/** Graduation projects are not taught in summer. */
const isSummerCourse = (code: string): boolean => !/49[12]$/.test(code)

/**
 * Courses that no other course asks for, and that the first level of a regulation by marks does not decide on: a late
 * result of theirs holds up nobody.
 */
function leaves(catalogue: Catalogue): Set<number> {
  const needed = new Set<number>()
  const visit = (tree: NonNullable<Catalogue['courses'][number]['prerequisites']>): void => {
    if ('course' in tree) needed.add(tree.course)
    else for (const part of 'all' in tree ? tree.all : tree.any) visit(part)
  }
  for (const course of catalogue.courses) {
    if (course.prerequisites) visit(course.prerequisites)
    for (const other of course.corequisites) needed.add(other)
  }
  const { programs, bylaws } = catalogue
  for (const { program_id, course_id, level, pool_id } of catalogue.program_courses)
    if (
      level === 1 &&
      pool_id === null &&
      bylaws[programs[program_id - 1]!.bylaw_id - 1]!.program_type !== 'credit_hours'
    )
      needed.add(course_id)
  return new Set(catalogue.courses.map((course) => course.id).filter((id) => !needed.has(id)))
}

/** A few offerings of the latest finished term wait at each step before publication; drafts lack some final marks. */
function leaveWorkForControl(rows: Rows, offerings: Rows['offerings'], late: Set<number>, random: Random): void {
  const waiting = random.shuffle(offerings.filter((offering) => late.has(offering.course_id)))
  const steps = [
    ['Draft', 2],
    ['Submitted', 3],
    ['Reviewed', 3],
    ['Approved', 6],
  ] as const
  for (const [status, count] of steps)
    for (const offering of waiting.splice(0, Math.min(count, Math.ceil(waiting.length / 3)))) {
      if (status === 'Draft') leaveUnmarked(rows, offering, (_, i) => i === 0 || random.chance(0.15))
      else offering.control_status = status
    }
}

/** A draft where some final exams still have to be marked: those `lacks` says, of the registered in their order. */
export function leaveUnmarked(
  rows: Rows,
  offering: Rows['offerings'][number],
  lacks: (registration: Rows['registrations'][number], place: number) => boolean,
): void {
  offering.control_status = 'Draft'
  const lacking = new Set<number>()
  const registered = rows.registrations.filter((r) => r.offering_id === offering.id && r.main === 'Registered')
  for (const [place, registration] of registered.entries())
    if (lacks(registration, place)) {
      lacking.add(registration.id)
      registration.total = null
      registration.letter = null
    }
  rows.registration_marks = rows.registration_marks.filter(
    (mark) => !lacking.has(mark.registration_id) || mark.mark_category_id !== FINAL,
  )
}

/** Courses of the plans taught in fall (odd semesters) or spring, as far as somebody has come to them. */
export function offeredIn(present: { learner: Learner }[], parity: 'odd' | 'even'): Set<number> {
  const remainder = parity === 'odd' ? 1 : 0
  const reached = new Map<Learner['plan'], number>()
  for (const { learner } of present)
    reached.set(learner.plan, Math.max(reached.get(learner.plan) ?? 0, learner.semester))
  const offered = new Set<number>()
  for (const [plan, semester] of reached) {
    for (const entry of plan.mandatory)
      if (entry.semester % 2 === remainder && entry.semester <= semester) offered.add(entry.course_id)
    for (const pool of plan.pools) for (const id of pool[parity]) offered.add(id)
  }
  return offered
}

/** As many electives of a pool as give each about fifteen students, but one more than a student needs. */
export function openedPools(present: { learner: Learner }[], parity: 'odd' | 'even'): (pool_id: number) => number[] {
  const opened = new Map<number, number[]>()
  const remainder = parity === 'odd' ? 1 : 0
  for (const [plan, group] of Map.groupBy(present, ({ learner }) => learner.plan))
    for (const pool of plan.pools) {
      let seats = 0
      let most = 0
      for (const { learner } of group) {
        const places = pool.places.filter(
          (place) => place.semester === learner.semester && place.semester % 2 === remainder,
        ).length
        seats += places
        most = Math.max(most, places)
      }
      opened.set(pool.id, seats === 0 ? [] : pool[parity].slice(0, Math.max(most + 1, Math.floor(seats / 15))))
    }
  return (pool_id) => opened.get(pool_id) ?? []
}
