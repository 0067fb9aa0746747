/** An internship year as it is planned: what is there, what interns still need, and the instance that is solved. Pure. */
import { addDays, daysBetween } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { typeDone } from '../rotations/rotation.rules.ts'
import { MOST_BLOCKS, NOT_WISHED, type RotationInstance } from './instance.rules.ts'

export interface PlannedType {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly is_elective: boolean
  readonly weeks: number
  /** Only for interns of this bylaw. */
  readonly bylaw_id: number | null
}
export interface PlannedTraining {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly type_id: number
  readonly hospital_id: number
  readonly places: number
  readonly withdrawn_from: string | null
  /** Days on which it has more or fewer places. */
  readonly days: readonly { readonly starts_on: string; readonly ends_on: string; readonly places: number }[]
}
export interface PlannedIntern {
  readonly student_id: number
  readonly name: string
  readonly name_local: string
  readonly bylaw_id: number | null
  readonly joined_on: string
  readonly with_student_id: number | null
  /** Training types, the first wish first. */
  readonly wishes: readonly number[]
  readonly leaves: readonly { readonly starts_on: string; readonly ends_on: string }[]
}
/** A rotation that is asked for, added or accepted. */
export interface LiveRotation {
  readonly id: number
  readonly student_id: number
  readonly training_id: number
  readonly type_id: number
  readonly starts_on: string
  readonly ends_on: string
  readonly interrupted_on: string | null
  readonly status: 'requested' | 'added' | 'accepted'
  readonly outcome: string | null
  readonly is_makeup: boolean
  readonly is_locked: boolean
}
export interface PlannedYear {
  readonly today: string
  readonly starts_on: string
  readonly periods: number
  readonly period_weeks: number
  readonly electives: number
  readonly leave_days: number
  readonly types: readonly PlannedType[]
  readonly trainings: readonly PlannedTraining[]
  /** Those who have not completed the year. */
  readonly interns: readonly PlannedIntern[]
  readonly rotations: readonly LiveRotation[]
}
export interface PlanOptions {
  readonly kind: 'plan' | 'repair'
  /** What is accepted stays, and only the rest is planned. */
  readonly keep: boolean
}

/** What an intern still needs of a training type: so many periods, or days that make up for what was missed. */
export interface NeededBlock {
  readonly type_id: number
  readonly length: number
  readonly days: number
  readonly is_makeup: boolean
}
/** A year as it is solved. */
export interface YearProblem {
  readonly instance: RotationInstance
  /** Why nothing can be looked for. */
  readonly reasons: readonly Reason[]
  /** What stays as it is: begun, locked or kept. */
  readonly stays: readonly LiveRotation[]
  /** Those of `stays` that the solver sees as fixed; of the others it sees periods that are taken. */
  readonly fixed: ReadonlySet<number>
  /** Accepted and not begun: the plan may put them elsewhere. */
  readonly moving: readonly LiveRotation[]
  /** Places that are left beside what stays, by training and period. */
  readonly free: ReadonlyMap<number, readonly number[]>
  /** Today's plan, in the order of the trainees: a department by period. */
  readonly before: readonly (readonly (string | null)[])[]
  /** By trainee, the periods of today's plan whose place is lost. */
  readonly lost: readonly (readonly boolean[])[]
  /** What becomes of a block of an intern in a training type. */
  readonly needed: ReadonlyMap<string, NeededBlock>
  /** Periods in which an intern can be given nothing. */
  readonly blocked: ReadonlyMap<number, readonly boolean[]>
}

export const blockKey = (student_id: number, type_id: number): string => `${student_id} ${type_id}`
/** The last day there. */
export const lastDayThere = ({ interrupted_on, ends_on }: Pick<LiveRotation, 'interrupted_on' | 'ends_on'>): string =>
  interrupted_on ?? ends_on
export const periodStart = ({ starts_on, period_weeks }: PlannedYear, period: number): string =>
  addDays(starts_on, period * period_weeks * 7)
/** The first day of a period, and the last. */
const periodDays = (year: PlannedYear, period: number): readonly [from: string, until: string] => [
  periodStart(year, period),
  addDays(periodStart(year, period), year.period_weeks * 7 - 1),
]
const overlap = (from: string, until: string, since: string, to: string): number =>
  Math.max(0, daysBetween(from > since ? from : since, until < to ? until : to) + 1)

/** Periods in which somebody is between two days: from the first up to, not including, the last. */
export function periodsOf(year: PlannedYear, from: string, until: string): readonly [first: number, end: number] {
  const days = year.period_weeks * 7
  const first = Math.max(0, Math.floor(daysBetween(year.starts_on, from) / days))
  const end = Math.min(year.periods, Math.floor(daysBetween(year.starts_on, until) / days) + 1)
  return [first, Math.max(first, end)]
}
/** Places of a training on a day, as `emtyaz_places_on` says. */
const placesOn = ({ withdrawn_from, days, places }: PlannedTraining, day: string): number =>
  withdrawn_from !== null && withdrawn_from <= day
    ? 0
    : (days.find(({ starts_on, ends_on }) => starts_on <= day && day <= ends_on)?.places ?? places)

/** The fewest places of a training on a day of each period, without those who are there. */
export function freeByPeriod(
  year: PlannedYear,
  training: PlannedTraining,
  there: readonly LiveRotation[],
): readonly number[] {
  // Both change on these days alone.
  const changes = [
    ...training.days.flatMap(({ starts_on, ends_on }) => [starts_on, addDays(ends_on, 1)]),
    ...(training.withdrawn_from === null ? [] : [training.withdrawn_from]),
    ...there.map(({ starts_on }) => starts_on),
  ]
  return Array.from({ length: year.periods }, (_, period) => {
    const [from, until] = periodDays(year, period)
    const mine = there.filter((one) => one.starts_on <= until && lastDayThere(one) >= from)
    const days = [from, ...changes.filter((day) => day > from && day <= until)]
    return Math.min(
      ...days.map(
        (day) =>
          placesOn(training, day) - mine.filter((one) => one.starts_on <= day && lastDayThere(one) >= day).length,
      ),
    )
  })
}

/** Places that blocks of so many periods can use: those of periods beside each other. */
const usable = (free: readonly number[], length: number): number[] =>
  free.map((_, period) => {
    let most = 0
    for (let start = Math.max(0, period - length + 1); start <= period && start + length <= free.length; start++)
      most = Math.max(most, Math.min(...free.slice(start, start + length)))
    return most
  })

const fits = (type: PlannedType, intern: PlannedIntern): boolean =>
  type.bylaw_id === null || type.bylaw_id === intern.bylaw_id
const leaveIn = ({ leaves }: PlannedIntern, from: string, until: string): number =>
  leaves.reduce((sum, one) => sum + overlap(one.starts_on, one.ends_on, from, until), 0)

/** What an intern has of a training type by these rotations. */
export const doneOf = (
  year: PlannedYear,
  intern: PlannedIntern,
  type: PlannedType,
  rotations: readonly LiveRotation[],
): ReturnType<typeof typeDone> =>
  typeDone(
    {
      name: type.name,
      name_local: type.name_local,
      is_elective: type.is_elective,
      days: type.weeks * 7,
      rotations: rotations
        .filter(({ type_id, status }) => type_id === type.id && status === 'accepted')
        .map((one) => ({
          ...one,
          ends_on: lastDayThere(one),
          leave: leaveIn(intern, one.starts_on, lastDayThere(one)),
        })),
    },
    year.leave_days,
  )

/** Periods of leave: with more days than are allowed; of blocks of several periods as many as it takes. */
function onLeave(year: PlannedYear, intern: PlannedIntern, longest: number): boolean[] {
  const days = Array.from({ length: year.periods }, (_, period) => leaveIn(intern, ...periodDays(year, period)))
  const away = days.map(() => false)
  for (let start = 0; start + longest <= year.periods; start++)
    for (;;) {
      let sum = 0
      let most = start
      for (let p = start; p < start + longest; p++) {
        if (away[p]) continue
        sum += days[p]!
        if (away[most] || days[p]! > days[most]!) most = p
      }
      if (sum <= year.leave_days) break
      away[most] = true
    }
  return away
}

/** A regular rotation that lies on whole periods. */
function isAligned(year: PlannedYear, one: LiveRotation): boolean {
  const [first, end] = periodsOf(year, one.starts_on, one.ends_on)
  return (
    one.outcome === null &&
    periodStart(year, first) === one.starts_on &&
    (one.is_makeup || addDays(periodStart(year, end), -1) === one.ends_on)
  )
}

interface Needs {
  readonly obligatory: NeededBlock[]
  readonly fixed: { readonly type_id: number; readonly start: number; readonly length: number; readonly id: number }[]
  readonly electives: { readonly length: number; readonly wishes: readonly number[] }[]
  /** Types that an elective may be. */
  readonly options: ReadonlySet<number>
}
/** What an intern still needs beside what stays. */
function needsOf(
  year: PlannedYear,
  intern: PlannedIntern,
  stays: readonly LiveRotation[],
  waiting: readonly LiveRotation[],
  offered: ReadonlySet<number>,
): Needs {
  const days = year.period_weeks * 7
  const types = year.types.filter((type) => fits(type, intern))
  const obligatory: NeededBlock[] = []
  let had = 0
  const taken = new Set<number>()
  for (const type of types) {
    const mine = stays.filter(({ type_id, status }) => type_id === type.id && status === 'accepted')
    // Of what was failed nothing is left: it is chosen again, or another elective.
    const counts = mine.some(({ outcome }) => outcome !== 'failed')
    if (type.is_elective && !counts) continue
    if (type.is_elective) had++
    taken.add(type.id)
    const { lacking } = doneOf(year, intern, type, mine)
    if (lacking > 0)
      obligatory.push({
        type_id: type.id,
        length: Math.ceil(lacking / days),
        days: lacking,
        is_makeup: mine.length > 0,
      })
  }
  const fixed = stays
    .filter(
      (one) =>
        one.status === 'accepted' &&
        one.starts_on > year.today &&
        !one.is_makeup &&
        isAligned(year, one) &&
        !obligatory.some(({ type_id }) => type_id === one.type_id),
    )
    .map((one) => {
      const [start, end] = periodsOf(year, one.starts_on, one.ends_on)
      return { type_id: one.type_id, start, length: end - start, id: one.id }
    })
  const open = types.filter((type) => type.is_elective && !taken.has(type.id) && offered.has(type.id))
  const lengthOf = (id: number): number => (open.find((type) => type.id === id)?.weeks ?? 0) / year.period_weeks
  const asked = waiting.filter(({ type_id }) => open.some(({ id }) => id === type_id)).map(({ type_id }) => type_id)
  const wished = [...new Set([...intern.wishes, ...asked])].filter((id) => lengthOf(id) > 0)
  // Electives of one intern last equally long: as the first wish, or as most of them.
  const lengths = open.map(({ id }) => lengthOf(id)).toSorted((a, b) => a - b)
  const length = wished[0] === undefined ? (lengths[Math.floor(lengths.length / 2)] ?? 1) : lengthOf(wished[0])
  const wishes = wished.filter((id) => lengthOf(id) === length).slice(0, NOT_WISHED)
  const count = Math.max(0, year.electives - had)
  return {
    obligatory,
    fixed,
    // The second elective is best served by the second wish: who gets the first ones has no cost.
    electives: Array.from({ length: count }, (_, k) => ({
      length,
      wishes: k < wishes.length ? [...wishes.slice(k), ...wishes.slice(0, k).toReversed()] : wishes,
    })),
    options: new Set(open.filter(({ id }) => lengthOf(id) === length).map(({ id }) => id)),
  }
}

/** What must be mended before anything is looked for. */
export function* planReasons(year: PlannedYear): Generator<Reason> {
  const offered = new Set(year.trainings.map(({ type_id }) => type_id))
  if (!year.interns.length) yield { code: 'emtyaz_plan_nobody' }
  if (!year.trainings.length) yield { code: 'emtyaz_plan_no_trainings' }
  for (const { id, name, name_local, weeks, is_elective } of year.types)
    if (weeks % year.period_weeks !== 0 && (!is_elective || offered.has(id)))
      yield { code: 'emtyaz_plan_weeks', data: { name, name_local, weeks, period: year.period_weeks } }
}

/**
 * Rotations that cannot stay in their training, by id: of those who are too many in a period, who was accepted last.
 *
 * @param moving rotations that a plan may put elsewhere
 * @param free places that a training has for them, by period
 */
export function lostRotations(
  year: PlannedYear,
  moving: readonly LiveRotation[],
  free: ReadonlyMap<number, readonly number[]>,
): ReadonlySet<number> {
  const lost = new Set<number>()
  for (const [training_id, list] of Map.groupBy(moving, (one) => one.training_id)) {
    const places = free.get(training_id)
    const mine = list
      .toSorted((a, b) => b.id - a.id)
      .map(({ id, starts_on, ends_on }) => ({ id, at: periodsOf(year, starts_on, ends_on) }))
    for (let p = 0; p < year.periods; p++) {
      const there = mine.filter(({ id, at: [first, end] }) => first <= p && p < end && !lost.has(id))
      for (const { id } of there.slice(0, Math.max(0, there.length - (places?.[p] ?? 0)))) lost.add(id)
    }
  }
  return lost
}

/** Reads a year as a problem. */
export function yearProblem(year: PlannedYear, { kind, keep }: PlanOptions): YearProblem {
  const trainingOf = new Map(year.trainings.map((one) => [one.id, one]))
  const offered = new Set(year.trainings.map(({ type_id }) => type_id))
  const reasons: Reason[] = [...planReasons(year)]
  const planned = new Set(year.interns.map(({ student_id }) => student_id))
  const accepted = year.rotations.filter(({ status }) => status === 'accepted')
  const isMoving = (one: LiveRotation): boolean =>
    planned.has(one.student_id) &&
    one.starts_on > year.today &&
    one.outcome === null &&
    !one.is_locked &&
    !keep &&
    (kind === 'plan' || isAligned(year, one))
  const moving = accepted.filter(isMoving)
  const stays = accepted.filter((one) => !isMoving(one))
  const staysOf = Map.groupBy(stays, ({ student_id }) => student_id)
  const movingOf = Map.groupBy(moving, ({ student_id }) => student_id)
  const waitingOf = Map.groupBy(
    year.rotations.filter(({ status }) => status !== 'accepted'),
    ({ student_id }) => student_id,
  )
  const there = Map.groupBy(stays, ({ training_id }) => training_id)
  const free = new Map(
    year.trainings.map((one) => [one.id, freeByPeriod(year, one, there.get(one.id) ?? []).map((n) => Math.max(0, n))]),
  )
  const fixed = new Set<number>()
  const needed = new Map<string, NeededBlock>()
  const blocked = new Map<number, readonly boolean[]>()
  const before: (string | null)[][] = []
  const lostIds = lostRotations(year, moving, free)
  const lost: boolean[][] = []
  const trainees: RotationInstance['trainees'] = []
  const capacity = new Map(year.types.map(({ id }) => [id, Array<number>(year.periods).fill(0)]))
  const lengthsOf = new Map<number, number>()
  for (const intern of year.interns) {
    const mine = staysOf.get(intern.student_id) ?? []
    const waiting = waitingOf.get(intern.student_id) ?? []
    const needs = needsOf(year, intern, mine, waiting, offered)
    const blocks = [...needs.obligatory, ...needs.electives]
    const seen = new Set(needs.fixed.map(({ id }) => id))
    const away = onLeave(year, intern, Math.max(1, ...blocks.map(({ length }) => length)))
    const first = intern.joined_on > year.today ? intern.joined_on : year.today
    for (let p = 0; p < year.periods; p++) if (periodStart(year, p) < first) away[p] = true
    for (const one of mine) {
      if (seen.has(one.id) || lastDayThere(one) < one.starts_on) continue
      const [from, end] = periodsOf(year, one.starts_on, lastDayThere(one))
      away.fill(true, from, end)
    }
    // What is fixed in spite of leave is there.
    for (const { start, length } of needs.fixed) away.fill(false, start, start + length)
    blocked.set(intern.student_id, away)
    if (!blocks.length) continue
    // The solver counts who is fixed; of all others who stay the places are left out.
    for (const { id, type_id, start, length } of needs.fixed) {
      fixed.add(id)
      for (let p = start; p < start + length; p++) capacity.get(type_id)![p]! += 1
    }
    if (blocks.length + needs.fixed.length > MOST_BLOCKS)
      reasons.push({
        code: 'emtyaz_plan_blocks',
        data: { name: intern.name, name_local: intern.name_local, count: blocks.length, most: MOST_BLOCKS },
      })
    for (const block of needs.obligatory) needed.set(blockKey(intern.student_id, block.type_id), block)
    for (const { type_id, length } of needs.obligatory)
      lengthsOf.set(type_id, Math.min(length, lengthsOf.get(type_id) ?? length))
    for (const type_id of needs.options) {
      const length = needs.electives[0]?.length ?? 1
      needed.set(blockKey(intern.student_id, type_id), {
        type_id,
        length,
        days: length * year.period_weeks * 7,
        is_makeup: false,
      })
      lengthsOf.set(type_id, length)
    }
    const own = new Set([...needs.obligatory, ...needs.fixed].map(({ type_id }) => type_id))
    trainees.push({
      id: String(intern.student_id),
      obligatory: [
        ...needs.obligatory.map(({ type_id, length }) => ({ department: String(type_id), length })),
        ...needs.fixed.map(({ type_id, length }) => ({ department: String(type_id), length })),
      ],
      electives: needs.electives.map(({ length, wishes }) => ({ length, wishes: wishes.map(String) })),
      leave: away.flatMap((gone, p) => (gone ? [p] : [])),
      fixed: needs.fixed.map(({ type_id, start }) => ({ department: String(type_id), start })),
      with: intern.with_student_id === null ? null : String(intern.with_student_id),
      barred: year.types.filter(({ id }) => !own.has(id) && !needs.options.has(id)).map(({ id }) => String(id)),
    })
    const row = Array<string | null>(year.periods).fill(null)
    const now = [...(movingOf.get(intern.student_id) ?? []), ...mine.filter(({ id }) => seen.has(id))]
    const gone = Array<boolean>(year.periods).fill(false)
    for (const one of now) {
      const at = periodsOf(year, one.starts_on, one.ends_on)
      row.fill(String(one.type_id), ...at)
      if (lostIds.has(one.id)) gone.fill(true, ...at)
    }
    before.push(row)
    lost.push(gone)
  }
  for (const [id, list] of free) {
    const { type_id } = trainingOf.get(id)!
    for (const [p, count] of usable(list, lengthsOf.get(type_id) ?? 1).entries()) {
      const places = capacity.get(type_id)
      // What has begun already is no place for anybody.
      if (places && periodStart(year, p) >= year.today) places[p]! += count
    }
  }
  return {
    instance: {
      periods: year.periods,
      departments: year.types.map(({ id }) => ({ id: String(id), capacity: capacity.get(id)! })),
      trainees,
      once: true,
    },
    reasons,
    stays,
    fixed,
    moving,
    free,
    before,
    lost,
    needed,
    blocked,
  }
}
