/** A plan as rotations: what comes of a solution, what it is worth, how it differs from today's, and whether it still holds. Pure. */
import { addDays } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { NoPlan } from './bound.rules.ts'
import { giveWards, judgeWards, type LackingPlaces, type WardBlock, type WardProblem } from './hospitals.rules.ts'
import { NOWHERE, type RotationModel } from './instance.rules.ts'
import { piecesOf, type Overfull } from './judge.rules.ts'
import {
  blockKey,
  doneOf,
  lastDayThere,
  periodsOf,
  periodStart,
  type LiveRotation,
  type PlannedIntern,
  type PlannedYear,
  type YearProblem,
} from './year.rules.ts'

/** A rotation that a plan has, beside what stays. */
export interface PlannedRotation {
  readonly student_id: number
  readonly training_id: number
  readonly type_id: number
  readonly starts_on: string
  readonly ends_on: string
  readonly is_makeup: boolean
}

/** Blocks of a solution, without what is fixed. */
export function blocksOf(
  year: PlannedYear,
  { needed, moving, fixed, stays }: YearProblem,
  model: RotationModel,
  rows: readonly Int32Array[],
): WardBlock[] {
  const today = new Map(
    moving.map((one) => [`${one.student_id} ${one.type_id} ${one.starts_on}`, one.training_id] as const),
  )
  const isFixed = new Set(
    stays.filter(({ id }) => fixed.has(id)).map(({ student_id, type_id }) => blockKey(student_id, type_id)),
  )
  return rows.flatMap((row, t) => {
    const who = Number(model.names[t])
    return piecesOf(row).flatMap(({ department, start, length }) => {
      const type_id = Number(model.departments[department])
      if (isFixed.has(blockKey(who, type_id)) || !needed.has(blockKey(who, type_id))) return []
      const was = today.get(`${who} ${type_id} ${periodStart(year, start)}`) ?? null
      return [{ who, type_id, start, length, was }]
    })
  })
}

/** What hospitals are given for. */
export function wardProblem(year: PlannedYear, problem: YearProblem, blocks: readonly WardBlock[]): WardProblem {
  const hospitalOf = new Map(year.trainings.map(({ id, hospital_id }) => [id, hospital_id]))
  const mates = new Map<number, number[]>()
  const inYear = new Set(year.interns.map(({ student_id }) => student_id))
  for (const { student_id, with_student_id: other } of year.interns) {
    if (other === null || !inYear.has(other)) continue
    mates.set(student_id, [...(mates.get(student_id) ?? []), other])
    mates.set(other, [...(mates.get(other) ?? []), student_id])
  }
  return {
    periods: year.periods,
    wards: year.trainings.map(({ id, type_id, hospital_id }) => ({
      id,
      type_id,
      hospital_id,
      free: problem.free.get(id) ?? [],
    })),
    blocks,
    there: problem.stays.map((one) => {
      const [start, end] = periodsOf(year, one.starts_on, lastDayThere(one))
      return {
        who: one.student_id,
        hospital_id: hospitalOf.get(one.training_id) ?? NOWHERE,
        start,
        length: end - start,
      }
    }),
    mates,
  }
}

/** A solution with hospitals, proven: null with what lacks where they do not suffice. */
export function placedIn(
  year: PlannedYear,
  problem: YearProblem,
  model: RotationModel,
  rows: readonly Int32Array[],
): { readonly planned: PlannedRotation[] | null; readonly lacking: readonly LackingPlaces[] } {
  const wards = wardProblem(year, problem, blocksOf(year, problem, model, rows))
  const { wards: given, lacking } = giveWards(wards)
  if (lacking.length) return { planned: null, lacking }
  const wrong = judgeWards(wards, given)
  if (wrong.length) throw new Error(`hospitals were given wrongly: ${wrong.slice(0, 3).join('; ')}`)
  const planned = wards.blocks.map(({ who, type_id, start }, b): PlannedRotation => {
    const { days, is_makeup } = problem.needed.get(blockKey(who, type_id))!
    const starts_on = periodStart(year, start)
    return {
      student_id: who,
      training_id: given[b]!,
      type_id,
      starts_on,
      ends_on: addDays(starts_on, days - 1),
      is_makeup,
    }
  })
  return { planned, lacking }
}

type Figured = Pick<LiveRotation, 'student_id' | 'training_id' | 'type_id' | 'starts_on' | 'ends_on' | 'is_makeup'> &
  Partial<Pick<LiveRotation, 'outcome' | 'interrupted_on'>>
export interface PlanFigures {
  readonly interns: number
  /** Who has everything, done or planned. */
  readonly complete: number
  /** Electives by the place of the wish that was served; the last figure: none of them. */
  readonly wishes: number[]
  /** Who is worst off: how far down the wishes; null: nobody has an elective. */
  readonly worst: { readonly name: string; readonly name_local: string; readonly wish: number | null } | null
  /** Weeks that two who would be together spend in different trainings. */
  readonly apart: number
  /** Places of what is left of the year, counted by period, and how many of them are taken. */
  readonly places: number
  readonly used: number
  /** Periods of trainings with more interns than places. */
  readonly overfull: number
  /** As the search counts it, beside what no plan can cost less than. */
  readonly cost: number | null
  readonly bound: number | null
}
/** Wishes that are told one by one. */
const TOLD_WISHES = 5

const asLive = (one: Figured, id: number): LiveRotation => ({
  id,
  interrupted_on: null,
  outcome: null,
  is_locked: false,
  ...one,
  status: 'accepted',
})
/** Figures of accepted rotations: those of today, or those of a plan. */
export function planFigures(
  year: PlannedYear,
  rotations: readonly Figured[],
  { cost, bound }: Pick<PlanFigures, 'cost' | 'bound'>,
): PlanFigures {
  const live = rotations.map((one, i) => asLive(one, i + 1))
  const mine = Map.groupBy(live, ({ student_id }) => student_id)
  const wishes = Array<number>(TOLD_WISHES + 2).fill(0)
  let complete = 0
  let worst: { who: PlannedIntern; wish: number } | null = null
  for (const intern of year.interns) {
    const own = mine.get(intern.student_id) ?? []
    let lacks = false
    let electives = 0
    let far = 0
    for (const type of year.types) {
      if (type.bylaw_id !== null && type.bylaw_id !== intern.bylaw_id) continue
      if (!type.is_elective) {
        if (doneOf(year, intern, type, own).lacking > 0) lacks = true
        continue
      }
      if (!own.some(({ type_id, outcome }) => type_id === type.id && outcome !== 'failed')) continue
      if (doneOf(year, intern, type, own).lacking === 0) electives++
      const at = intern.wishes.indexOf(type.id)
      wishes[at < 0 ? TOLD_WISHES + 1 : Math.min(at, TOLD_WISHES)]! += 1
      far = Math.max(far, at < 0 ? Infinity : at + 1)
    }
    if (!lacks && electives >= year.electives) complete++
    if (far > 0 && intern.wishes.length > 0 && (worst === null || far > worst.wish)) worst = { who: intern, wish: far }
  }
  return {
    interns: year.interns.length,
    complete,
    wishes,
    worst: worst && {
      name: worst.who.name,
      name_local: worst.who.name_local,
      wish: Number.isFinite(worst.wish) ? worst.wish : null,
    },
    apart: weeksApart(year, mine),
    ...placesOf(year, live),
    cost,
    bound,
  }
}

function weeksApart(year: PlannedYear, mine: ReadonlyMap<number, readonly LiveRotation[]>): number {
  const pairs = new Set<string>()
  let days = 0
  for (const { student_id, with_student_id: other } of year.interns) {
    if (other === null) continue
    const key = student_id < other ? `${student_id} ${other}` : `${other} ${student_id}`
    if (pairs.has(key)) continue
    pairs.add(key)
    for (const one of mine.get(student_id) ?? [])
      for (const theirs of mine.get(other) ?? []) {
        if (one.type_id === theirs.type_id) continue
        const from = one.starts_on > theirs.starts_on ? one.starts_on : theirs.starts_on
        const until = lastDayThere(one) < lastDayThere(theirs) ? lastDayThere(one) : lastDayThere(theirs)
        days += Math.max(0, (Date.parse(until) - Date.parse(from)) / 86_400_000 + 1)
      }
  }
  return Math.round(days / 7)
}

function placesOf(year: PlannedYear, live: readonly LiveRotation[]): Pick<PlanFigures, 'places' | 'used' | 'overfull'> {
  const count = new Map(year.trainings.map(({ id }) => [id, Array<number>(year.periods).fill(0)]))
  for (const one of live) {
    const row = count.get(one.training_id)
    const [from, end] = periodsOf(year, one.starts_on, lastDayThere(one))
    for (let p = from; row && p < end; p++) row[p]! += 1
  }
  let [places, used, overfull] = [0, 0, 0]
  for (const training of year.trainings)
    for (let p = 0; p < year.periods; p++) {
      if (periodStart(year, p) < year.today) continue
      const there = placesIn(year, training, p)
      const taken = count.get(training.id)![p]!
      places += there
      used += taken
      if (taken > there) overfull++
    }
  return { places, used, overfull }
}
const placesIn = (year: PlannedYear, training: PlannedYear['trainings'][number], period: number): number => {
  const from = periodStart(year, period)
  const until = addDays(from, year.period_weeks * 7 - 1)
  let least = training.places
  for (const one of training.days)
    if (one.starts_on <= until && one.ends_on >= from)
      least = one.starts_on <= from && one.ends_on >= until ? one.places : Math.min(least, one.places)
  return training.withdrawn_from !== null && training.withdrawn_from <= until ? 0 : least
}

/** What becomes of today's rotations when a plan is taken. */
export interface PlanChanges {
  /** Stay as they are. */
  readonly kept: readonly LiveRotation[]
  /** Asked for or added, and now accepted. */
  readonly accepted: readonly LiveRotation[]
  readonly removed: readonly LiveRotation[]
  readonly added: readonly PlannedRotation[]
}
const placeKey = (one: Omit<PlannedRotation, 'type_id' | 'is_makeup'>): string =>
  `${one.student_id} ${one.training_id} ${one.starts_on} ${one.ends_on}`

/** Requests of a training type that the plan decides on go with it: accepted where they are in it, removed otherwise. */
export function planChanges(
  year: PlannedYear,
  { moving }: YearProblem,
  planned: readonly PlannedRotation[],
): PlanChanges {
  const wanted = new Map(planned.map((one) => [placeKey(one), one]))
  const decided = new Set(planned.map((one) => blockKey(one.student_id, one.type_id)))
  const waiting = year.rotations.filter(
    (one) => one.status !== 'accepted' && decided.has(blockKey(one.student_id, one.type_id)),
  )
  const kept: LiveRotation[] = []
  const accepted: LiveRotation[] = []
  const removed: LiveRotation[] = []
  for (const one of [...moving, ...waiting]) {
    const key = placeKey(one)
    const same = wanted.get(key)
    if (same?.is_makeup !== one.is_makeup) removed.push(one)
    else {
      wanted.delete(key)
      ;(one.status === 'accepted' ? kept : accepted).push(one)
    }
  }
  return { kept, accepted, removed, added: [...wanted.values()] }
}

/** How many rotations a plan changes, for how many interns, and which go. */
export const planChangeFigures = ({ kept, accepted, added, removed }: PlanChanges) => ({
  kept: kept.length,
  accepted: accepted.length,
  added: added.length,
  removed: removed.length,
  ids: removed.map(({ id }) => id),
  interns: new Set([...accepted, ...added, ...removed].map(({ student_id }) => student_id)).size,
})

/** Names that a reason tells, and how many there are. */
const MOST_NAMES = 10
interface Called {
  readonly name: string
  readonly name_local: string
}
const told = (people: readonly Called[]) => ({
  count: people.length,
  names: people
    .slice(0, MOST_NAMES)
    .map(({ name }) => name)
    .join(', '),
  names_local: people
    .slice(0, MOST_NAMES)
    .map(({ name_local }) => name_local)
    .join('، '),
})

/** What a plan stands on: whoever changes it meanwhile is told of. */
export interface PlanBase {
  /** Live rotations that have not begun, by id. */
  readonly rotations: Readonly<Record<string, string>>
  readonly interns: readonly number[]
  /** How the year is divided and what is done in it. */
  readonly year: string
}
export function planBase(year: PlannedYear): PlanBase {
  const { starts_on, periods, period_weeks, electives, leave_days } = year
  return {
    rotations: Object.fromEntries(
      year.rotations
        .filter((one) => one.starts_on > year.today)
        .map(({ id, student_id, training_id, starts_on: from, ends_on, status, outcome, is_locked }) => [
          id,
          [student_id, training_id, from, ends_on, status, outcome ?? '', is_locked].join(' '),
        ]),
    ),
    interns: year.interns.map(({ student_id }) => student_id),
    year: JSON.stringify([
      starts_on,
      periods,
      period_weeks,
      electives,
      leave_days,
      year.types.map(({ id, weeks, bylaw_id }) => [id, weeks, bylaw_id]),
    ]),
  }
}

/** Everything that stands against taking a plan now: what moved since it was looked for, and what of it does not hold any more. */
export function planTakeReasons(
  year: PlannedYear,
  problem: YearProblem,
  base: PlanBase,
  planned: readonly PlannedRotation[],
): Reason[] {
  const reasons: Reason[] = []
  const now = planBase(year)
  if (now.year !== base.year) reasons.push({ code: 'emtyaz_plan_year' })
  const internOf = new Map(year.interns.map((one) => [one.student_id, one]))
  const said = (code: string, ids: Iterable<number>): void => {
    const people = [...new Set(ids)].map((id) => internOf.get(id) ?? { name: `#${id}`, name_local: `#${id}` })
    if (people.length) reasons.push({ code, data: told(people) })
  }
  const changed = new Set<number>()
  for (const id of new Set([...Object.keys(now.rotations), ...Object.keys(base.rotations)])) {
    const [is, was] = [now.rotations[id], base.rotations[id]]
    // What has begun meanwhile is told of as begun.
    if (
      is === was ||
      (is === undefined && year.rotations.some((one) => String(one.id) === id && one.starts_on <= year.today))
    )
      continue
    changed.add(Number((is ?? was)!.split(' ')[0]))
  }
  said('emtyaz_plan_rotations', changed)
  const [before, there] = [new Set(base.interns), new Set(now.interns)]
  said(
    'emtyaz_plan_joined',
    now.interns.filter((id) => !before.has(id)),
  )
  const left = base.interns.filter((id) => !there.has(id))
  if (left.length) reasons.push({ code: 'emtyaz_plan_left', data: { count: left.length } })
  const begun = planned.filter(({ starts_on }) => starts_on < year.today)
  if (begun.length) reasons.push({ code: 'emtyaz_plan_begun', data: { count: begun.length } })
  said(
    'emtyaz_plan_leave',
    planned
      .filter((one) => {
        const away = problem.blocked.get(one.student_id)
        const [from, end] = periodsOf(year, one.starts_on, one.ends_on)
        return one.starts_on >= year.today && away?.slice(from, end).some(Boolean)
      })
      .map(({ student_id }) => student_id),
  )
  return [...reasons, ...fullReasons(year, problem, planned)]
}

/** Trainings that have fewer places than a plan needs, or are not there any more. */
function* fullReasons(
  year: PlannedYear,
  { free }: YearProblem,
  planned: readonly PlannedRotation[],
): Generator<Reason> {
  const inWard = Map.groupBy(planned, ({ training_id }) => training_id)
  const trainingOf = new Map(year.trainings.map((one) => [one.id, one]))
  let gone = 0
  for (const [id, rotations] of inWard) {
    const training = trainingOf.get(id)
    if (!training) {
      gone += rotations.length
      continue
    }
    const { name, name_local } = training
    for (const [p, places] of free.get(id)!.entries()) {
      const needed = rotations.filter((one) => {
        const [from, end] = periodsOf(year, one.starts_on, one.ends_on)
        return from <= p && p < end
      }).length
      if (needed > places)
        yield {
          code: 'emtyaz_plan_full',
          data: { name, name_local, day: periodStart(year, p), count: needed - places },
        }
    }
  }
  if (gone) yield { code: 'emtyaz_plan_training', data: { count: gone } }
}

/** Why there can be no plan, in words. */
export function noPlanReasons(year: PlannedYear, model: RotationModel, reasons: readonly NoPlan[]): Reason[] {
  const typeOf = (department: number) => year.types.find(({ id }) => id === Number(model.departments[department]))
  const people = reasons.flatMap((one) =>
    one.why === 'trainee'
      ? year.interns.filter(({ student_id }) => String(student_id) === model.names[one.trainee])
      : [],
  )
  return [
    ...(people.length ? [{ code: 'emtyaz_plan_trainee', data: told(people) }] : []),
    ...reasons.flatMap((one): Reason[] => {
      if (one.why === 'trainee') return []
      const { places, needed } = one
      if (one.why === 'period')
        return [{ code: 'emtyaz_plan_period', data: { day: periodStart(year, one.period), places, needed } }]
      const { name = '', name_local = '' } = typeOf(one.department) ?? {}
      return [{ code: 'emtyaz_plan_department', data: { name, name_local, places, needed } }]
    }),
  ]
}

/** Which departments lack how many places in which periods: neighbouring periods with the same lack are told as one. */
export function lackReasons(year: PlannedYear, lacking: readonly LackingPlaces[]): Reason[] {
  const sorted = lacking.toSorted((a, b) => a.type_id - b.type_id || a.period - b.period)
  const runs: { type_id: number; from: number; until: number; places: number }[] = []
  for (const { type_id, period, places } of sorted) {
    const last = runs.at(-1)
    if (last?.type_id === type_id && last.until === period - 1 && last.places === places) last.until = period
    else runs.push({ type_id, from: period, until: period, places })
  }
  return runs.map(({ type_id, from, until, places }) => {
    const { name = '', name_local = '' } = year.types.find(({ id }) => id === type_id) ?? {}
    return {
      code: 'emtyaz_plan_lacks',
      data: {
        name,
        name_local,
        from: periodStart(year, from),
        until: addDays(periodStart(year, until + 1), -1),
        count: places,
      },
    }
  })
}
/** What the nearest plan of a search lacks. */
export const overfullPlaces = (model: RotationModel, overfull: readonly Overfull[]): LackingPlaces[] =>
  overfull.map(({ department, period, over }) => ({
    type_id: Number(model.departments[department]),
    period,
    places: over,
  }))
