/**
 * What has to be true before a student gets a course: every rule is looked at, and every failure is returned at once,
 * with what failed and the step that unblocks it. Staff may override some rules by name, each with a reason.
 *
 * The input is plain JSON, as one query can build it. Unless a comment says otherwise, ids are numbers, statuses are
 * decimal strings, GPA, points and credit hours are whole hundredths, times of the day are minutes since midnight,
 * days of the week are 0 (Saturday) to 6, dates are YYYY-MM-DD, and instants are ISO 8601 with zone.
 */
import { meetingType, type MeetingType } from '#kit/contract/week.ts'
import { letterPoints, loadFor } from '#areas/study/catalogue/bylaw.rules.ts'
import { trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Bilingual, ProblemData } from '#areas/common/academics/problem.rules.ts'
import { againstCourse, excusedBy } from '#areas/common/academics/placement.rules.ts'
import { holdsData } from '#areas/records/grading/guard.rules.ts'
import { evaluateRequisites, printRequisite, type PassedCourse } from '#areas/study/catalogue/requisites.rules.ts'
import {
  countsInLoad,
  fromWire,
  mainOf,
  stageData,
  type StageCode,
  type Who,
} from '#areas/common/academics/status.rules.ts'
import { weighing } from './swap/swap.rules.ts'
import type {
  RequestedMeeting,
  ExamTime,
  OfferedSlot,
  CurrentRegistration,
  RegistrationElsewhere,
  RequestInput,
} from './registration-input.rules.ts'
import { type RefusalCode, type Refusal, refusal } from './registration-refusals.rules.ts'

/** Whether two weekly meetings share a minute. */
export const meetingsClash = (one: RequestedMeeting, other: RequestedMeeting): boolean =>
  one.day === other.day && one.from < other.to && other.from < one.to

const examsClash = (one: ExamTime, other: ExamTime): boolean =>
  one.date === other.date && one.from < other.to && other.from < one.to

const someClash = <Time>(ones: readonly Time[], others: readonly Time[], clash: (one: Time, other: Time) => boolean) =>
  ones.some((one) => others.some((other) => clash(one, other)))

/** The stage each way into a course needs; bulk enrolment by the registrar needs none. */
const stageOf: Record<RequestInput['action'], StageCode | null> = { request: 'register', add: 'add_drop', enroll: null }

const list = (values: readonly (string | number)[]): string => [...new Set(values)].join(', ')

/** Seats a slot still has for somebody: students have the quota, staff the over-quota as well, the wait list what is held for it. */
export function freeSeats(slot: Pick<OfferedSlot, 'quota' | 'over_quota' | 'taken' | 'held'>, who: Who): number {
  const staff = who === 'advisor' || who === 'registrar'
  const free = Math.max(0, slot.quota + (staff ? slot.over_quota : 0) - slot.taken - slot.held)
  return who === 'system' ? free + slot.held : free
}

/** A course from which a placement excuses: met whatever grade is asked for. */
const excusedCourse = (course_id: number): PassedCourse => ({ course_id, letter: null, points: 100_000 })

/** The limits of the load; null: there are none, as under every regulation by marks. */
const loadOf = (
  bylaw: RequestInput['bylaw'],
  ...rest: Parameters<typeof loadFor> extends [unknown, ...infer R] ? R : never
) => (bylaw.marks ? null : loadFor(bylaw, ...rest))

type Weighed = Omit<CurrentRegistration, 'course_id' | 'status'>

const running = (elsewhere: readonly RegistrationElsewhere[]): readonly RegistrationElsewhere[] =>
  elsewhere.filter((one) => countsInLoad(mainOf(fromWire(one.status))))

/** A course is taken in one of two programs; what it counts for in the other is credited there. */
function inOtherProgram(
  course: string,
  same: ReadonlySet<number>,
  elsewhere: readonly RegistrationElsewhere[],
): Refusal[] {
  const taken = running(elsewhere).filter((one) => same.has(one.course_id))
  if (!taken.length) return []
  const courses = list(taken.map((one) => one.course_code))
  return [refusal('course_in_other_program', { course, courses, ids: taken.map((one) => one.course_id) })]
}

/** What one more course does to the load and the week of a term. `inside`: its own meetings clash with each other. */
function weigh(
  one: Weighed,
  loaded: readonly CurrentRegistration[],
  load: ReturnType<typeof loadFor>,
  elsewhere: readonly RegistrationElsewhere[] = [],
  inside = false,
): Refusal[] {
  const found: Refusal[] = []
  const refuse = (code: RefusalCode, data: ProblemData) =>
    found.push(refusal(code, { course: one.course_code, ...data }))
  if (load !== null) {
    const weights = weighing(loaded)
    const hours = weights.reduce((sum, other) => sum + other.credit_hours, one.credit_hours)
    if (hours > load.max_ch * 100) refuse('credit_hours_limit', { total: trimHundredths(hours), maximum: load.max_ch })
    const courses = weights.length + 1
    if (load.max_courses !== null && courses > load.max_courses) {
      refuse('courses_limit', { total: courses, maximum: load.max_courses })
    }
  }
  const others = [...loaded, ...running(elsewhere)].filter((other) => other.offering_id !== one.offering_id)
  const clashing = others.filter((other) => someClash(one.meetings, other.meetings, meetingsClash))
  if (inside || clashing.length > 0) {
    const codes = [...(inside ? [one.course_code] : []), ...clashing.map((other) => other.course_code)]
    refuse('time_clash', { courses: list(codes), ids: clashing.map((other) => other.course_id) })
  }
  const examined = others.filter((other) => someClash(one.exams, other.exams, examsClash))
  if (examined.length > 0) {
    refuse('exam_clash', {
      courses: list(examined.map((other) => other.course_code)),
      ids: examined.map((other) => other.course_id),
    })
  }
  return found
}

/**
 * What a registration breaks that comes back into the term after it had left the load (dropped, withdrawn, excused):
 * meanwhile its hours and its time may have been given to other courses. That the student may take the course was
 * settled when it was registered; a request to leave that is taken back never left the load, and breaks nothing.
 */
export function checkCourseReturn(
  input: Pick<RequestInput, 'term_type' | 'bylaw'> & {
    student: Pick<RequestInput['student'], 'gpa' | 'warnings' | 'hours_to_degree'>
    registration: Weighed
    /** The course, and those that count as it. */
    same?: ReadonlySet<number>
    /** The other registrations of the term, as they will stand. */
    others: readonly CurrentRegistration[]
    /** What the person takes in another program. */
    elsewhere?: readonly RegistrationElsewhere[]
  },
): Refusal[] {
  const loaded = input.others.filter((one) => countsInLoad(mainOf(fromWire(one.status))))
  const { registration, same = new Set<number>(), elsewhere = [] } = input
  return [
    ...inOtherProgram(registration.course_code, same, elsewhere),
    ...weigh(registration, loaded, loadOf(input.bylaw, input.student, input.term_type), elsewhere),
  ]
}

/** Every rule that this request breaks; empty when it may go ahead. The order is that of `refusalCodes`. */
export function checkRequest(input: RequestInput): Refusal[] {
  const { student, offering, bylaw } = input
  const { course } = offering
  const byMarks = bylaw.marks != null
  const found: Refusal[] = []
  const refuse = (code: RefusalCode, data: ProblemData = {}) =>
    found.push(refusal(code, { course: course.code, ...data }))
  const codeOf = (id: number): string => input.course_codes[String(id)] ?? `#${id}`
  // A course dropped in this term can be taken again; every other registration stands.
  const standing = student.current.filter((one) => mainOf(fromWire(one.status)) !== 'Dropped')
  const loaded = student.current.filter((one) => !one.aside && countsInLoad(mainOf(fromWire(one.status))))

  const stage = stageOf[input.action]
  if (stage !== null) {
    const now = Date.parse(input.now)
    const open = input.stages.some(
      ({ code, from, to }) => code === stage && Date.parse(from) <= now && now < Date.parse(to),
    )
    if (!open) refuse('stage_closed', stageData(stage))
  }

  if (offering.state === 'draft') refuse('offering_draft')
  if (offering.control_status !== 'Draft') {
    const { status, status_local, control_status } = holdsData(offering.control_status, course.code)
    refuse('offering_control', { status, status_local, control_status })
  } else if (offering.state === 'closed') refuse('offering_closed')
  if (offering.program_ids.length > 0 && !offering.program_ids.includes(student.program_id)) refuse('offering_program')
  if (!input.block && offering.levels.length > 0 && !offering.levels.includes(student.level)) {
    refuse('offering_level', { levels: list(offering.levels), level: student.level })
  }
  const inPlan = offering.plan_kind ?? null
  if (byMarks && !input.block && input.action !== 'enroll' && inPlan !== null && inPlan !== 'elective') {
    refuse('comes_by_block')
  }

  const same = new Set([course.id, ...course.equal_ids])
  if (standing.some((one) => one.offering_id === offering.id || same.has(one.course_id))) refuse('already_registered')
  const elsewhere = student.elsewhere ?? []
  found.push(...inOtherProgram(course.code, same, elsewhere))

  const passed = student.passed.filter((one) => same.has(one.course_id))
  if (passed.length > 0) {
    const best = passed.reduce((one, other) => ((other.points ?? -1) > (one.points ?? -1) ? other : one))
    const letter = best.letter ?? '–'
    const { improvable, max_improvements } = bylaw.repeat
    // Who passed by marks sits the course no more.
    if (!input.improve || byMarks) refuse('already_passed', { letter })
    else {
      if (improvable.length > 0 && !improvable.includes(letter)) {
        refuse('improvement_grade', { letter, letters: list(improvable) })
      }
      if (max_improvements !== null && student.improvements >= max_improvements) {
        refuse('improvement_limit', { maximum: max_improvements })
      }
    }
  }

  const { max_repeats } = bylaw
  if (!byMarks && passed.length === 0 && max_repeats !== null && course.failed_attempts > max_repeats) {
    refuse('repeat_limit', { count: course.failed_attempts, maximum: max_repeats })
  }

  const placements = student.placements ?? []
  const excused = excusedBy(placements)
  const met = excused.length ? [...student.passed, ...excused.map(excusedCourse)] : student.passed
  const prerequisites = evaluateRequisites(course.prerequisites, met, letterPoints(bylaw.grade_ranges))
  if (!input.block && !prerequisites.met) {
    refuse('prerequisites', {
      missing: printRequisite(prerequisites.rest, 'en', codeOf),
      missing_local: printRequisite(prerequisites.rest, 'ar', codeOf),
      missing_de: printRequisite(prerequisites.rest, 'de', codeOf),
      missing_fr: printRequisite(prerequisites.rest, 'fr', codeOf),
      missing_pt: printRequisite(prerequisites.rest, 'pt', codeOf),
      ids: prerequisites.missing.map((one) => one.course),
    })
  }
  if (!input.block && passed.length === 0) {
    const isPassed = (id: number): boolean => student.passed.some((one) => one.course_id === id)
    for (const placement of placements) {
      const problem = againstCourse(placement, (id) => same.has(id), isPassed)
      if (problem === null) continue
      const { test, test_local, level, level_name, level_name_local, courses } = placement
      const first = courses.filter(
        (one) => one.level >= (level ?? 1) && !same.has(one.course_id) && !isPassed(one.course_id),
      )
      refuse(problem, {
        test,
        test_local,
        level: level_name,
        level_local: level_name_local,
        first: list(
          first
            .filter((one) => one.level === Math.min(...first.map((x) => x.level)))
            .map((one) => codeOf(one.course_id)),
        ),
        ids: first.map((one) => one.course_id),
      })
    }
  }
  const together = new Set([
    ...met.map((one) => one.course_id),
    ...loaded.map((one) => one.course_id),
    ...input.together_ids,
  ])
  const apart = course.corequisite_ids.filter((id) => !together.has(id))
  if (apart.length > 0) refuse('corequisites', { missing: list(apart.map(codeOf)), ids: apart })

  if (!byMarks && course.min_passed_hours !== null && student.passed_hours < course.min_passed_hours) {
    const passedHours = trimHundredths(student.passed_hours)
    refuse('min_passed_hours', { data: trimHundredths(course.min_passed_hours), passed: passedHours })
  }
  if (!input.block && course.min_level !== null && student.level < course.min_level) {
    refuse('min_level', { data: course.min_level, level: student.level })
  }

  const chosen = offering.slots.filter((slot) => input.slot_ids.includes(slot.id))
  const inside = chosen.some((slot, index) =>
    chosen.slice(index + 1).some((other) => someClash(slot.meetings, other.meetings, meetingsClash)),
  )
  const asked = {
    offering_id: offering.id,
    course_code: course.code,
    credit_hours: course.credit_hours,
    meetings: chosen.flatMap((slot) => slot.meetings),
    exams: offering.exams,
  }
  found.push(...weigh(asked, loaded, loadOf(bylaw, student, input.term_type), elsewhere, inside))

  const overdue = student.unpaid_invoices.filter((invoice) => invoice.due_date < input.today)
  if (overdue.length > 0) refuse('hold_payment', { invoices: list(overdue.map((invoice) => invoice.code)) })
  const named = (names: readonly Bilingual[], key: string): ProblemData => ({
    [key]: list(names.map((name) => name.en)),
    [`${key}_local`]: list(names.map((name) => name.ar)),
  })
  if (student.unfilled_surveys.length > 0) refuse('hold_survey', named(student.unfilled_surveys, 'surveys'))
  if (student.blocked) refuse('hold_blocked')
  if (student.missing_documents.length > 0) refuse('hold_documents', named(student.missing_documents, 'documents'))
  if (student.not_studying !== null) {
    refuse('not_studying', { status: student.not_studying.en, status_local: student.not_studying.ar })
  }

  if (input.slot_ids.some((id) => !offering.slots.some((slot) => slot.id === id))) refuse('slot_unknown')
  const group = chosen[0]?.group
  if (group === undefined) {
    if (!input.exam_only && offering.slots.length > 0 && input.slot_ids.length === 0) refuse('slot_required')
  } else {
    const groups = [...new Set(chosen.map((slot) => slot.group))]
    if (groups.length > 1) refuse('slot_groups', { groups: list(groups), ids: groups })
    const needed = [...new Set(offering.slots.filter((slot) => groups.includes(slot.group)).map((slot) => slot.type))]
    const types = (some: readonly MeetingType[]) =>
      named(
        some.map((type) => {
          const [en, ar] = meetingType(type)
          return { en, ar }
        }),
        'types',
      )
    const missing = needed.filter((type) => !chosen.some((slot) => slot.type === type))
    if (missing.length > 0) refuse('slot_type_missing', types(missing))
    const alternatives = (type: MeetingType) =>
      new Set(chosen.flatMap((slot) => (slot.type === type ? [`${slot.group}/${slot.section ?? `#${slot.id}`}`] : [])))
    const twice = groups.length > 1 ? [] : needed.filter((type) => alternatives(type).size > 1)
    if (twice.length > 0) refuse('slot_type_twice', types(twice))
    const full = chosen.filter((slot) => freeSeats(slot, input.who) === 0)
    if (full.length > 0)
      refuse('slot_full', { groups: list(full.map((slot) => slot.group)), ids: full.map((slot) => slot.id) })
  }

  return found
}

/**
 * The rules that staff may set aside. Not among them: what would damage the record (registered twice, slots that do not
 * fit together) and seats, of which there are never more than quota and over-quota.
 */
export const overridableCodes: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'stage_closed',
  'offering_closed',
  'offering_program',
  'offering_level',
  'course_in_other_program',
  'already_passed',
  'improvement_grade',
  'improvement_limit',
  'repeat_limit',
  'prerequisites',
  'corequisites',
  'corequisite_needed',
  'placement_due',
  'placement_excused',
  'placement_above',
  'min_passed_hours',
  'min_level',
  'credit_hours_limit',
  'courses_limit',
  'time_clash',
  'exam_clash',
  'hold_payment',
  'hold_survey',
  'hold_blocked',
  'hold_documents',
])

export type Override = { code: RefusalCode; reason: string }

/** An override that had no effect: the rule may not be overridden, the reason is empty, or the rule was not broken. */
export type RejectedOverride = Override & { problem: 'not_overridable' | 'reason_missing' | 'not_broken' }

/** Sets aside the named refusals. What was overridden is to be kept with the registration, reason and data. */
export function applyOverrides(
  refusals: readonly Refusal[],
  overrides: readonly Override[],
): { remaining: Refusal[]; overridden: (Refusal & { reason: string })[]; rejected: RejectedOverride[] } {
  const reasons = new Map<RefusalCode, string>()
  const rejected: RejectedOverride[] = []
  for (const { code, reason } of overrides) {
    const text = reason.trim()
    if (!overridableCodes.has(code)) rejected.push({ code, reason, problem: 'not_overridable' })
    else if (text === '') rejected.push({ code, reason, problem: 'reason_missing' })
    else if (!refusals.some((refusal) => refusal.code === code)) rejected.push({ code, reason, problem: 'not_broken' })
    else reasons.set(code, text)
  }
  const remaining: Refusal[] = []
  const overridden: (Refusal & { reason: string })[] = []
  for (const refusal of refusals) {
    const reason = reasons.get(refusal.code)
    if (reason === undefined) remaining.push(refusal)
    else overridden.push({ ...refusal, reason })
  }
  return { remaining, overridden, rejected }
}
