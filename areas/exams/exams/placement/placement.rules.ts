/** A plan of the solver beside the exam as it stands now: whether it can be taken, and every reason why not. */
import type { Reason } from '#kit/contract/issues.ts'
import { atOnce, longWriters } from '../solver/evaluate.rules.ts'
import {
  slotsReached,
  type Duty,
  type ExamProblem,
  type ExamPlacement,
  type Weights,
} from '../solver/problem.contract.ts'
import { DEFAULT_WEIGHTS, type WeightName } from './placement.contract.ts'

/**
 * What a student's pair of exams on one day, one day apart, two … costs, times the weight of the spread. A day nearer always costs
 * more, the same day most: else exams would be put together to be rid of the days between them.
 */
const SPREAD = [32, 16, 8, 4, 2, 1] as const
/** What an officer weighs, as the solver reckons it for so many exams and slots; what is not given weighs as usual. */
export function weightsOf(given: Partial<Record<WeightName, number>>, exams: number, slots: number): Weights {
  const w = { ...DEFAULT_WEIGHTS, ...given }
  const [within, ...apart] = SPREAD
  return {
    ...w,
    spread: apart.map((one) => one * w.spread),
    spreadWithin: within * w.spread,
    early: { exams: Math.ceil(exams / 20), slots: Math.floor(slots / 4), weight: w.early * 10 },
  }
}

/** A schedule in a plan: when, in which halls with how many, under whose eyes. */
export interface PlannedExam {
  readonly id: number
  readonly on_date: string | null
  readonly exam_slot_id: number | null
  readonly halls: readonly (readonly [location_id: number, seats: number])[]
  readonly staff: readonly (readonly [location_id: number, instructor_id: number])[]
}

/** Students of an exam who sit apart: one alone in a room, or those who have more time. */
export interface ExamPart {
  /** The exam, by its place among the schedules. */
  readonly exam: number
  readonly own: boolean
  readonly size: number
}
interface PartedHall {
  readonly hall: number
  readonly seats: number
  /** As it is held now; of a plan that is not told. */
  readonly own?: boolean
  readonly long?: boolean
  /** Another exam is there then. */
  readonly shared?: boolean
}
type Sittings = readonly { readonly hall: number; readonly seats: number }[]
/**
 * Which of the halls of an exam are whose: a room with one seat is that of who sits alone, and those with more time are in the hall that is
 * held longer, else in the smallest that holds them.
 */
export function partHalls(
  halls: readonly PartedHall[],
  parts: readonly Pick<ExamPart, 'own' | 'size'>[],
): { readonly main: Sittings; readonly parts: readonly Sittings[] } {
  const left = halls.map((hall) => ({ ...hall }))
  const of = parts.map((): { hall: number; seats: number }[] => [])
  for (const [i, { own }] of parts.entries()) {
    if (!own) continue
    const found = left.find((hall) => hall.own) ?? left.find((hall) => hall.seats === 1 && !hall.shared)
    if (!found) continue
    left.splice(left.indexOf(found), 1)
    of[i]!.push({ hall: found.hall, seats: 1 })
  }
  for (const [i, { own, size }] of parts.entries()) {
    if (own) continue
    const whole = left
      .filter((hall) => hall.seats >= size)
      .toSorted((a, b) => Number(b.long ?? false) - Number(a.long ?? false) || a.seats - b.seats)[0]
    let lack = size
    for (const hall of whole ? [whole] : left.toSorted((a, b) => b.seats - a.seats)) {
      const seats = Math.min(lack, hall.seats)
      if (seats > 0) of[i]!.push({ hall: hall.hall, seats })
      hall.seats -= seats
      lack -= seats
    }
  }
  return { main: left.flatMap(({ hall, seats }) => (seats > 0 ? [{ hall, seats }] : [])), parts: of }
}

/** An exam as a problem, with what is needed to read the answer. */
export interface ExamPlan {
  readonly problem: ExamProblem
  /** The same with everybody who may invigilate, though they be too few: who is assigned when slots and halls stand. */
  readonly staffed: ExamProblem
  readonly present: ExamPlacement[]
  /** Slots in which students of each exam are taught, with how many. */
  readonly lectures: readonly ReadonlyMap<number, number>[]
  /** Who invigilates now. */
  readonly duties: readonly Duty[]
  readonly names: ReadonlyMap<number, string>
  readonly slots: readonly {
    readonly on_date: string
    readonly exam_slot_id: number
    readonly from: number
    readonly to: number
  }[]
  readonly halls: readonly { readonly id: number; readonly name: string; readonly name_local: string }[]
  readonly schedules: readonly number[]
  /** Who sits apart from the others of a schedule: of the exams of the problem, those after the schedules. */
  readonly parts: readonly ExamPart[]
  /** Seats of each hall, those for who comes late among them. */
  readonly room: readonly number[]
  readonly staff: readonly { readonly id: number; readonly name: string; readonly name_local: string }[]
  /** Schedules that stay where they are: locked, or begun. */
  readonly locked: ReadonlySet<number>
}

/** How a schedule stood when a run began. */
export type Base = readonly [id: number, on_date: string | null, exam_slot_id: number | null, students: number]
export const baseOf = ({ schedules, present, slots, problem, parts }: ExamPlan): Base[] =>
  schedules.map((id, i) => {
    const at = slots[present[i]!.slot]
    const apart = parts.reduce((sum, part) => (part.exam === i ? sum + part.size : sum), 0)
    return [id, at?.on_date ?? null, at?.exam_slot_id ?? null, problem.exams[i]!.size + apart]
  })

/**
 * A plan as placements of the exam as it is now; what it puts into a day, slot or hall that the exam has no more has none. Seats
 * follow the number of students.
 */
export function placementsOf(plan: ExamPlan, planned: readonly PlannedExam[]): ExamPlacement[] {
  const slotAt = new Map(plan.slots.map((slot, i) => [`${slot.on_date} ${slot.exam_slot_id}`, i]))
  const hallAt = new Map(plan.halls.map((hall, i) => [hall.id, i]))
  const by = new Map(planned.map((one) => [one.id, one]))
  const placements = plan.schedules.map((id): ExamPlacement => {
    const one = by.get(id)
    const slot = one ? (slotAt.get(`${one.on_date} ${one.exam_slot_id}`) ?? -1) : -1
    const halls = slot < 0 ? [] : one!.halls.map(([hall, seats]) => ({ hall: hallAt.get(hall) ?? -1, seats }))
    return halls.some(({ hall }) => hall < 0) ? { slot: -1, halls: [] } : { slot, halls }
  })
  return refit(plan.problem, withParts(plan, placements), plan.room)
}

/** Placements of schedules as those of the exams of the problem: who sits apart has halls of their own. */
function withParts({ parts }: ExamPlan, placements: readonly ExamPlacement[]): ExamPlacement[] {
  if (!parts.length) return [...placements]
  const used = new Map<string, number>()
  for (const { slot, halls } of placements)
    for (const { hall } of halls) used.set(`${slot} ${hall}`, (used.get(`${slot} ${hall}`) ?? 0) + 1)
  const mains = [...placements]
  const apart: ExamPlacement[] = []
  for (const [exam, mine] of Map.groupBy(parts, (part) => part.exam)) {
    const { slot, halls } = placements[exam]!
    const split = partHalls(
      halls.map((hall) => ({ ...hall, shared: used.get(`${slot} ${hall.hall}`)! > 1 })),
      mine,
    )
    mains[exam] = { slot, halls: split.main }
    for (const [i, part] of mine.entries()) apart[parts.indexOf(part)] = { slot, halls: split.parts[i]! }
  }
  return [...mains, ...apart]
}

/**
 * Seats as many as write each exam, as far as its halls have them free: one who came late, or left, breaks no plan. What lacks
 * then lacks.
 */
export function refit(
  problem: ExamProblem,
  placements: readonly ExamPlacement[],
  room: readonly number[] = problem.halls.map((hall) => hall.seats),
): ExamPlacement[] {
  const next = [...placements]
  const lackOf = (exam: number) =>
    next[exam]!.slot < 0 ? 0 : problem.exams[exam]!.size - next[exam]!.halls.reduce((all, one) => all + one.seats, 0)
  // Who gives seats back does so first.
  for (const exam of [...next.keys()].toSorted((a, b) => lackOf(a) - lackOf(b) || a - b)) {
    const { slot, halls } = next[exam]!
    let lack = lackOf(exam)
    if (lack === 0) continue
    const seats = new Map<number, number>()
    for (const { hall, seats: had } of halls.toReversed()) {
      const free = Math.max(0, room[hall]! - takenIn(problem, next, slot, hall))
      const change = lack < 0 ? -Math.min(-lack, had) : Math.min(lack, free)
      lack -= change
      seats.set(hall, had + change)
    }
    next[exam] = {
      slot,
      halls: halls.map(({ hall }) => ({ hall, seats: seats.get(hall)! })).filter((one) => one.seats > 0),
    }
  }
  return next
}

/** Seats of a hall that are taken at a time. */
const takenIn = (problem: ExamProblem, placements: readonly ExamPlacement[], slot: number, hall: number): number =>
  placements.reduce(
    (all, one) =>
      one.slot >= 0 && atOnce(problem, one.slot, slot)
        ? all + one.halls.reduce((some, part) => (part.hall === hall ? some + part.seats : some), 0)
        : all,
    0,
  )

/** A solution as a plan of schedules. */
export const planOf = (plan: ExamPlan, placements: readonly ExamPlacement[], duties: readonly Duty[]): PlannedExam[] =>
  plan.schedules.map((_, i) => {
    const { slot } = placements[i]!
    const seats = new Map<number, number>()
    for (const [exam, { halls: some }] of placements.entries())
      if (exam === i || plan.parts[exam - plan.schedules.length]?.exam === i)
        for (const one of some) seats.set(one.hall, (seats.get(one.hall) ?? 0) + one.seats)
    const halls = [...seats].flatMap(([hall, count]) => (count > 0 ? [{ hall, seats: count }] : []))
    const at = plan.slots[slot]
    const staff = at
      ? halls.flatMap(({ hall }) =>
          duties.flatMap((duty) =>
            duty.slot === slot && duty.hall === hall
              ? duty.staff.map((one) => [plan.halls[hall]!.id, plan.staff[one]!.id] as const)
              : [],
          ),
        )
      : []
    return {
      id: plan.schedules[i]!,
      on_date: at?.on_date ?? null,
      exam_slot_id: at?.exam_slot_id ?? null,
      halls: at ? halls.map(({ hall, seats }) => [plan.halls[hall]!.id, seats] as const) : [],
      staff,
    }
  })

/** Invigilators that lack, slot by slot. */
export interface Lacking {
  readonly on_date: string
  readonly exam_slot_id: number
  readonly needed: number
  readonly lacking: number
}
export function lackingStaff(
  plan: Pick<ExamPlan, 'slots'>,
  needed: readonly { slot: number; hall: number; count: number }[],
  duties: readonly Duty[],
): Lacking[] {
  const given = new Map(duties.map(({ slot, hall, staff }) => [`${slot} ${hall}`, staff.length]))
  const bySlot = new Map<number, { needed: number; lacking: number }>()
  for (const { slot, hall, count } of needed) {
    const one = bySlot.get(slot) ?? { needed: 0, lacking: 0 }
    one.needed += count
    one.lacking += Math.max(0, count - (given.get(`${slot} ${hall}`) ?? 0))
    bySlot.set(slot, one)
  }
  return [...bySlot]
    .filter(([, { lacking }]) => lacking > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([slot, one]) => ({
      on_date: plan.slots[slot]!.on_date,
      exam_slot_id: plan.slots[slot]!.exam_slot_id,
      ...one,
    }))
}

/** So many are named, the others counted. */
const NAMED = 10
const told = (names: readonly string[]) => ({
  exams: names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ' …' : ''),
  count: names.length,
})
/** Reasons of one kind that are told one by one. */
const EACH = 10

/** Who moved or locked a schedule since a run began; nobody where the trail does not tell. */
export interface Mover {
  readonly by: string
  readonly by_local: string
}

export interface TakeInput {
  readonly base: readonly Base[]
  readonly planned: readonly PlannedExam[]
  readonly movers: ReadonlyMap<number, Mover>
  /** Whoever takes it knows that some exams have no place in it. */
  readonly incomplete: boolean
}

/** Every reason why a plan cannot be taken as the exam is now. */
export function takeReasons(plan: ExamPlan, { base, planned, movers, incomplete }: TakeInput): Reason[] {
  const { problem, schedules, names } = plan
  const idOf = (exam: number) => schedules[exam] ?? schedules[plan.parts[exam - schedules.length]!.exam]!
  const name = (exam: number) => names.get(idOf(exam)) ?? String(idOf(exam))
  const placements = placementsOf(plan, planned)
  const reasons: Reason[] = []

  // What others did meanwhile, person by person.
  const then = new Map(base.map((one) => [one[0], one]))
  const hands = new Map<string, { mover: Mover; moved: string[]; locked: string[] }>()
  const added: string[] = []
  for (const [exam, [id, on_date, slot]] of baseOf(plan).entries()) {
    const before = then.get(id)
    if (!before) {
      if (!planned.some((one) => one.id === id)) added.push(name(exam))
      continue
    }
    const moved = before[1] !== on_date || before[2] !== slot
    const locked = !moved && plan.locked.has(id) && placements[exam]!.slot !== plan.present[exam]!.slot
    if (!moved && !locked) continue
    const mover = movers.get(id) ?? { by: '–', by_local: '–' }
    const hand = hands.get(mover.by) ?? { mover, moved: [], locked: [] }
    hand[moved ? 'moved' : 'locked'].push(name(exam))
    hands.set(mover.by, hand)
  }
  for (const { mover, moved, locked } of hands.values()) {
    if (moved.length) reasons.push({ code: 'exam_plan_moved', data: { ...mover, ...told(moved) } })
    if (locked.length) reasons.push({ code: 'exam_plan_locked', data: { ...mover, ...told(locked) } })
  }
  if (added.length) reasons.push({ code: 'exam_plan_added', data: told(added) })

  // What the plan lacks, and what it had that the exam has no more.
  const byId = new Map(planned.map((one) => [one.id, one]))
  const lost: string[] = []
  const unplaced: string[] = []
  for (const [exam, { slot }] of placements.entries()) {
    const one = byId.get(schedules[exam]!)
    if (slot >= 0 || !one) continue
    if (one.on_date !== null) lost.push(name(exam))
    else unplaced.push(name(exam))
  }
  if (lost.length) reasons.push({ code: 'exam_plan_lost', data: told(lost) })
  if (unplaced.length && !incomplete) reasons.push({ code: 'exam_plan_incomplete', data: told(unplaced) })

  reasons.push(
    ...clashesOf(problem, placements, name),
    ...longerOf(problem, placements, name),
    ...hallsOf(plan, placements, name),
  )
  const taught = placements.flatMap(({ slot }, exam) => {
    const count = plan.lectures[exam]?.get(slot)
    return count ? [{ course: name(exam), day: plan.slots[slot]!.on_date, count }] : []
  })
  reasons.push(...taught.slice(0, EACH).map((data) => ({ code: 'exam_plan_taught', data })))
  const wrong = brokenExams(plan, placements).map(name)
  if (wrong.length) reasons.push({ code: 'exam_plan_broken', data: told(wrong) })
  return reasons
}

/** Exams with students in common at one time, the most students first. */
function clashesOf(
  problem: ExamProblem,
  placements: readonly ExamPlacement[],
  name: (exam: number) => string,
): readonly Reason[] {
  const pairs = new Map<string, { a: number; b: number; count: number }>()
  for (const exams of problem.students)
    for (const [i, a] of exams.entries())
      for (const b of exams.slice(i + 1)) {
        const [x, y] = [placements[a]!.slot, placements[b]!.slot]
        if (x < 0 || y < 0 || !atOnce(problem, x, y)) continue
        const key = a < b ? `${a} ${b}` : `${b} ${a}`
        const pair = pairs.get(key) ?? { a, b, count: 0 }
        pair.count += 1
        pairs.set(key, pair)
      }
  return [...pairs.values()]
    .toSorted((a, b) => b.count - a.count)
    .slice(0, EACH)
    .map(({ a, b, count }) => ({ code: 'exam_plan_clash', data: { course: name(a), other: name(b), count } }))
}

/** Exams that begin while students with more time still write another one. */
function longerOf(
  problem: ExamProblem,
  placements: readonly ExamPlacement[],
  name: (exam: number) => string,
): readonly Reason[] {
  const pairs = new Map<string, { course: string; other: string; count: number }>()
  for (const { student, exam } of longWriters(problem)) {
    const { slot } = placements[exam]!
    const reached = slot < 0 ? [] : slotsReached(problem, exam, slot)
    if (!reached.length) continue
    for (const other of new Set(problem.students[student])) {
      if (!reached.includes(placements[other]!.slot)) continue
      const one = { course: name(exam), other: name(other), count: 0 }
      const key = `${one.course} ${one.other}`
      pairs.set(key, { ...one, count: (pairs.get(key)?.count ?? 0) + 1 })
    }
  }
  return [...pairs.values()].slice(0, EACH).map((data) => ({ code: 'exam_plan_longer', data }))
}

/** Halls in which more would sit than may, and exams without a seat for everybody. */
function hallsOf(
  plan: ExamPlan,
  placements: readonly ExamPlacement[],
  name: (exam: number) => string,
): readonly Reason[] {
  const { problem } = plan
  const reasons: Reason[] = []
  const seen = new Set<string>()
  for (const { slot, halls } of placements)
    for (const { hall } of halls) {
      if (slot < 0 || seen.has(`${slot} ${hall}`)) continue
      seen.add(`${slot} ${hall}`)
      const wanted = takenIn(problem, placements, slot, hall)
      const open = !problem.halls[hall]!.closed?.includes(slot)
      const seats = open ? plan.room[hall]! : 0
      if (wanted <= seats) continue
      const { name: called, name_local } = plan.halls[hall]!
      const { on_date } = plan.slots[slot]!
      reasons.push({
        code: open ? 'exam_plan_hall_full' : 'exam_plan_hall_closed',
        data: { hall: called, hall_local: name_local, day: on_date, seats, wanted },
      })
    }
  const standing = placements.flatMap(({ slot, halls }, exam) => {
    const lack = problem.exams[exam]!.size - halls.reduce((all, one) => all + one.seats, 0)
    return slot >= 0 && lack > 0 ? [{ course: name(exam), count: lack }] : []
  })
  return [...reasons.slice(0, EACH), ...standing.slice(0, EACH).map((data) => ({ code: 'exam_plan_no_seat', data }))]
}

/** Exams that stand against another condition of the exam: length, days, order, together, apart, alone. */
function brokenExams({ problem, lectures }: ExamPlan, placements: readonly ExamPlacement[]): number[] {
  const wrong = new Set<number>()
  const at = (exam: number) => placements[exam]!.slot
  for (const [exam, { slots, minutes, fixed }] of problem.exams.entries()) {
    if (at(exam) < 0) continue
    if (minutes > problem.slots[at(exam)]!.minutes) wrong.add(exam)
    // What is locked is told with who locked it; where it is, it may be.
    if (!fixed && slots && !slots.includes(at(exam)) && !lectures[exam]?.has(at(exam))) wrong.add(exam)
  }
  const both = (a: number, b: number) => at(a) >= 0 && at(b) >= 0
  for (const [a, b] of problem.after ?? [])
    if (both(a, b) && (at(a) <= at(b) || atOnce(problem, at(a), at(b)))) for (const one of [a, b]) wrong.add(one)
  for (const [a, b] of problem.apart ?? [])
    if (both(a, b) && atOnce(problem, at(a), at(b))) for (const one of [a, b]) wrong.add(one)
  const taking = (problem.together ?? []).length ? problem.students : []
  for (const [a, b] of problem.together ?? [])
    if (both(a, b) && at(a) !== at(b) && !taking.some((one) => one.includes(a) && one.includes(b)))
      for (const one of [a, b]) wrong.add(one)
  for (const [exam, { alone }] of problem.exams.entries()) {
    if (!alone || at(exam) < 0) continue
    const mine = new Set(placements[exam]!.halls.map(({ hall }) => hall))
    const shared = placements.some(
      (other, i) =>
        i !== exam &&
        other.slot >= 0 &&
        atOnce(problem, other.slot, at(exam)) &&
        other.halls.some(({ hall }) => mine.has(hall)),
    )
    if (shared) wrong.add(exam)
  }
  return [...wrong].toSorted((a, b) => a - b)
}
