/**
 * Who gets which program: applicant-proposing deferred acceptance, in which every program takes its applicants by the same
 * order (GPA, then passed hours, then the rule for equals, then the code).
 *
 * Points and hours are whole hundredths.
 */
import { printHundredths, trimHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** A course that has to be passed. */
export interface CourseCondition {
  /** Row of the condition. */
  readonly id: number
  readonly course: string
  readonly min_letter: string | null
}

/** What a window offers. */
export interface ProgramSeat {
  readonly specialization_id: number
  readonly general_program_id: number
  readonly program_id: number
  readonly capacity: number
  readonly min_gpa: Hundredths | null
  readonly min_passed_hours: Hundredths | null
  readonly courses: readonly CourseCondition[]
}

export interface Applicant {
  readonly student_id: number
  readonly code: string
  /** The general program in which the student is. */
  readonly program_id: number
  /** null: no result yet. */
  readonly gpa: Hundredths | null
  readonly passed_hours: Hundredths
  /** By what equals are told apart: smaller comes first, none last. */
  readonly tie: string | null
  /** Specialisations, the dearest first. */
  readonly choices: readonly number[]
  /** Conditions on courses that are met. */
  readonly met: readonly number[]
  /** Programs in which the same person has another record: one has one record in a program. */
  readonly elsewhere: readonly number[]
  /** By what the records of one person are known; null: this is the only one. */
  readonly account: number | null
}

export interface Placed {
  readonly applicant: Applicant
  /** From 1. */
  readonly rank: number
  readonly specialization_id: number | null
  /** Which wish it was, from 1. */
  readonly preference: number | null
}

/** The last who was taken where no place was left. */
export interface CutOff {
  readonly rank: number
  readonly gpa: Hundredths | null
  readonly passed_hours: Hundredths
}
export interface SeatResult {
  readonly specialization_id: number
  readonly given: number
  /** null: places were left, everybody who met the conditions was taken. */
  readonly cut_off: CutOff | null
}

/** The order in which applicants come: the one who comes first has the better right, everywhere. */
export function comesBefore(a: Applicant, b: Applicant): number {
  return (
    (b.gpa ?? -1) - (a.gpa ?? -1) ||
    b.passed_hours - a.passed_hours ||
    (a.tie === b.tie ? 0 : a.tie === null ? 1 : b.tie === null ? -1 : a.tie < b.tie ? -1 : 1) ||
    (a.code < b.code ? -1 : a.code > b.code ? 1 : a.student_id - b.student_id)
  )
}

/** Every reason why an applicant cannot be taken by a program, whatever places it has. */
export function unmet(
  applicant: Pick<Applicant, 'program_id' | 'gpa' | 'passed_hours' | 'met' | 'elsewhere'>,
  seat: Pick<ProgramSeat, 'general_program_id' | 'program_id' | 'min_gpa' | 'min_passed_hours' | 'courses'>,
): Reason[] {
  const reasons: Reason[] = []
  if (applicant.program_id !== seat.general_program_id) reasons.push({ code: 'specialization_other_program' })
  if (applicant.elsewhere.includes(seat.program_id)) reasons.push({ code: 'specialization_own_record' })
  if (seat.min_gpa !== null && (applicant.gpa ?? -1) < seat.min_gpa) {
    const data = {
      needed: printHundredths(seat.min_gpa),
      gpa: applicant.gpa === null ? '–' : printHundredths(applicant.gpa),
    }
    reasons.push({ code: 'specialization_gpa', data })
  }
  if (seat.min_passed_hours !== null && applicant.passed_hours < seat.min_passed_hours) {
    const data = { needed: trimHundredths(seat.min_passed_hours), passed: trimHundredths(applicant.passed_hours) }
    reasons.push({ code: 'specialization_hours', data })
  }
  for (const { id, course, min_letter } of seat.courses) {
    if (applicant.met.includes(id)) continue
    reasons.push(
      min_letter === null
        ? { code: 'specialization_course', data: { course } }
        : { code: 'specialization_course_grade', data: { course, letter: min_letter } },
    )
  }
  return reasons
}

/** The same, for hundred thousands: no reasons, only whether there is one. */
const mayTake = (applicant: Applicant, seat: ProgramSeat): boolean =>
  applicant.program_id === seat.general_program_id &&
  (applicant.elsewhere.length === 0 || !applicant.elsewhere.includes(seat.program_id)) &&
  (seat.min_gpa === null || (applicant.gpa ?? -1) >= seat.min_gpa) &&
  (seat.min_passed_hours === null || applicant.passed_hours >= seat.min_passed_hours) &&
  (seat.courses.length === 0 || seat.courses.every(({ id }) => applicant.met.includes(id)))

/**
 * The stable assignment that is best for every applicant: nobody could be given a dearer wish without taking the place of
 * somebody who has the better right to it.
 *
 * All programs order applicants alike, so whoever proposes is never sent away again if applicants propose in that order:
 * each takes the dearest wish that has a place left. It is the same as proposing in rounds, in one pass. Of two records of one
 * person that wish for the same program, the one that comes first is given it.
 */
export function assign(
  applicants: readonly Applicant[],
  seats: readonly ProgramSeat[],
): { placed: Placed[]; seats: SeatResult[] } {
  const at = new Map(seats.map((seat, i) => [seat.specialization_id, i]))
  const left = Int32Array.from(seats, (seat) => seat.capacity)
  const last: { rank: number; applicant: Applicant }[] = []
  /** Programs that persons with several records were given, by account. */
  const theirs = new Map<number, number[]>()
  const placed = applicants.toSorted(comesBefore).map((applicant, i): Placed => {
    const { choices, account } = applicant
    const own = account === null ? undefined : theirs.get(account)
    for (let n = 0; n < choices.length; n++) {
      const index = at.get(choices[n]!)
      if (index === undefined || left[index] === 0 || !mayTake(applicant, seats[index]!)) continue
      const { program_id } = seats[index]!
      if (own?.includes(program_id)) continue
      if (account !== null) theirs.set(account, [...(own ?? []), program_id])
      left[index]!--
      last[index] = { rank: i + 1, applicant }
      return { applicant, rank: i + 1, specialization_id: choices[n]!, preference: n + 1 }
    }
    return { applicant, rank: i + 1, specialization_id: null, preference: null }
  })
  return {
    placed,
    seats: seats.map(({ specialization_id, capacity }, i) => {
      const end = last[i]
      return {
        specialization_id,
        given: capacity - left[i]!,
        cut_off:
          left[i] === 0 && end
            ? { rank: end.rank, gpa: end.applicant.gpa, passed_hours: end.applicant.passed_hours }
            : null,
      }
    }),
  }
}

/** What became of a wish. */
export type RungOutcome = 'given' | 'not_needed' | 'conditions' | 'full' | 'not_offered'
export interface Rung {
  readonly specialization_id: number
  readonly outcome: RungOutcome
  /** Why it was not given; empty where it was, or a dearer one was. */
  readonly reasons: readonly Reason[]
  /** Of `full`: who was the last to be taken. */
  readonly cut_off: CutOff | null
}

/** The ladder of a student's wishes: what became of each, and why. */
export function ladder(
  applicant: Pick<Applicant, 'program_id' | 'gpa' | 'passed_hours' | 'met' | 'elsewhere' | 'choices'>,
  given: number | null,
  rank: number,
  seats: readonly (ProgramSeat & { readonly cut_off: CutOff | null })[],
): Rung[] {
  const by = new Map(seats.map((seat) => [seat.specialization_id, seat]))
  const reached = given === null ? applicant.choices.length : applicant.choices.indexOf(given)
  return applicant.choices.map((specialization_id, i): Rung => {
    const seat = by.get(specialization_id)
    const rung = (outcome: RungOutcome, reasons: readonly Reason[] = []): Rung => ({
      specialization_id,
      outcome,
      reasons,
      cut_off: seat?.cut_off ?? null,
    })
    if (specialization_id === given) return rung('given')
    if (i > reached) return rung('not_needed')
    if (!seat) return rung('not_offered', [{ code: 'specialization_not_offered' }])
    const reasons = unmet(applicant, seat)
    if (reasons.length) return rung('conditions', reasons)
    const data = {
      rank,
      last: seat.cut_off?.rank ?? 0,
      gpa: seat.cut_off?.gpa == null ? '–' : printHundredths(seat.cut_off.gpa),
      hours: trimHundredths(seat.cut_off?.passed_hours ?? 0),
    }
    return rung('full', [
      seat.capacity === 0 ? { code: 'specialization_no_place' } : { code: 'specialization_full', data },
    ])
  })
}
