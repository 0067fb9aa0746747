/** What the board of an internship year shows: rotations as bars, who is too many where, and which rows are sought. Pure. */
import { daysBetween } from '#kit/contract/day.ts'
import { fold } from '#kit/contract/fold.ts'
import type { PlannedRotations } from '../plan/plan.contract.ts'
import { BOARD_STATES, type RotationBoardState, type RotationBoard } from './board.contract.ts'

/** A rotation as a bar: days after the year began. */
export interface RotationBar {
  /** Of what a plan would add: the place in the plan, below 0. */
  readonly id: number
  readonly student_id: number
  readonly training_id: number
  readonly at: number
  readonly days: number
  readonly state: RotationBoardState
  readonly locked: boolean
  /** A plan puts it there. */
  readonly is_new: boolean
}
/** Whoever is there on days on which there are places. */
const IS_THERE: ReadonlySet<RotationBoardState> = new Set(['accepted', 'begun', 'passed', 'failed', 'interrupted'])

/** The rotations that stand. */
export const rotationBars = ({ rotations }: RotationBoard): RotationBar[] =>
  rotations.map(([id, student_id, training_id, at, days, state, locked]) => ({
    id,
    student_id,
    training_id,
    at,
    days,
    state: BOARD_STATES[state] ?? 'requested',
    locked,
    is_new: false,
  }))

/** The rotations as a plan would have them: what is new in it is marked. */
export function barsOfPlan(board: RotationBoard, { rotations, removed }: PlannedRotations): RotationBar[] {
  const gone = new Set(removed)
  const key = (bar: Pick<RotationBar, 'student_id' | 'training_id' | 'at'>) =>
    `${bar.student_id} ${bar.training_id} ${bar.at}`
  const planned = rotations.map(([student_id, training_id, from, until], i): RotationBar => ({
    id: -1 - i,
    student_id,
    training_id,
    at: daysBetween(board.year.starts_on, from),
    days: daysBetween(from, until) + 1,
    state: 'accepted',
    locked: false,
    is_new: true,
  }))
  const there = new Map(planned.map((bar) => [key(bar), bar]))
  const stays = rotationBars(board).filter((bar) => {
    if (gone.has(bar.id)) return false
    if (!there.has(key(bar))) return true
    // What is asked for and planned is new; what is accepted and planned stays.
    if (bar.state !== 'accepted') return false
    there.delete(key(bar))
    return true
  })
  return [...stays, ...there.values()].toSorted((a, b) => a.student_id - b.student_id || a.at - b.at)
}

/** Where bars of one intern stand beside each other, in days: how far after the one before, which may be less than nothing. */
export function barPlaces(
  bars: readonly Pick<RotationBar, 'at' | 'days'>[],
  total: number,
): { readonly gap: number; readonly days: number }[] {
  let end = 0
  return bars.map((bar) => {
    const from = Math.min(total, Math.max(0, bar.at))
    const gap = from - end
    end = Math.max(from, Math.min(total, bar.at + bar.days))
    return { gap, days: end - from }
  })
}

/** Days of the year on which a training has more interns than places, as stretches. */
export interface OverfullDays {
  readonly training_id: number
  readonly at: number
  readonly days: number
  /** The most there are too many. */
  readonly over: number
}
export function overfullDays(board: RotationBoard, bars: readonly RotationBar[]): OverfullDays[] {
  const total = board.year.weeks * 7
  // Also those whom the reader does not see have places.
  const unseen = board.others.map(([training_id, at, days]) => ({ training_id, at, days }))
  const inTraining = Map.groupBy(
    [...bars.filter(({ state }) => IS_THERE.has(state)), ...unseen],
    ({ training_id }) => training_id,
  )
  const found: OverfullDays[] = []
  for (const training of board.trainings) {
    const mine = inTraining.get(training.id)
    if (!mine) continue
    const change = new Int32Array(total + 1)
    for (const { at, days } of mine) {
      if (at + days <= 0 || at >= total) continue
      change[Math.max(0, at)]! += 1
      change[Math.min(total, at + days)]! -= 1
    }
    const places = new Int32Array(total).fill(training.places)
    const fill = (count: number, from: string, until?: string) =>
      places.fill(
        count,
        Math.max(0, daysBetween(board.year.starts_on, from)),
        until === undefined ? total : Math.max(0, daysBetween(board.year.starts_on, until) + 1),
      )
    for (const one of training.days) fill(one.places, one.starts_on, one.ends_on)
    if (training.withdrawn_from !== null) fill(0, training.withdrawn_from)
    let there = 0
    let [first, most] = [-1, 0]
    for (let day = 0; day <= total; day++) {
      there += change[day]!
      const over = day < total ? there - places[day]! : 0
      if (over > 0) {
        if (first < 0) first = day
        most = Math.max(most, over)
      } else if (first >= 0) {
        found.push({ training_id: training.id, at: first, days: day - first, over: most })
        ;[first, most] = [-1, 0]
      }
    }
  }
  return found
}
/** Bars that lie on days with too many. */
export function overfullBars(bars: readonly RotationBar[], overfull: readonly OverfullDays[]): ReadonlySet<number> {
  const of = Map.groupBy(overfull, ({ training_id }) => training_id)
  return new Set(
    bars
      .filter(
        (bar) =>
          IS_THERE.has(bar.state) &&
          of.get(bar.training_id)?.some(({ at, days }) => bar.at < at + days && at < bar.at + bar.days),
      )
      .map(({ id }) => id),
  )
}
/** By week of the year: how many trainings have too many. */
export function overfullWeeks(weeks: number, overfull: readonly OverfullDays[]): number[] {
  const count = Array<number>(weeks).fill(0)
  for (const { at, days } of overfull)
    for (let week = Math.floor(at / 7); week <= Math.floor((at + days - 1) / 7) && week < weeks; week++)
      count[week]! += 1
  return count
}

/** What is looked for on the board. */
export interface Sought {
  readonly name: string
  readonly hospital: number | null
  readonly course: number | null
  readonly only: 'overfull' | 'changed' | 'waiting' | null
}
/** Which bars are sought; null: all of them. */
export function soughtBars(
  board: RotationBoard,
  { hospital, course, only }: Sought,
  overfull: ReadonlySet<number>,
): ((bar: RotationBar) => boolean) | null {
  if (hospital === null && course === null && only === null) return null
  const courseOf = new Map(board.types.map(({ id, course_id }) => [id, course_id]))
  const trainings = new Set(
    board.trainings
      .filter(
        (one) =>
          (hospital === null || one.hospital_id === hospital) &&
          (course === null || courseOf.get(one.type_id) === course),
      )
      .map(({ id }) => id),
  )
  return (bar) =>
    trainings.has(bar.training_id) &&
    (only === null ||
      (only === 'overfull'
        ? overfull.has(bar.id)
        : only === 'changed'
          ? bar.is_new
          : bar.state === 'requested' || bar.state === 'added'))
}
/** The interns that are shown: by name or code, and of those who have what is sought. */
export function soughtInterns(
  { interns }: RotationBoard,
  { name }: Pick<Sought, 'name'>,
  bars: ReadonlyMap<number, readonly RotationBar[]>,
  isSought: ((bar: RotationBar) => boolean) | null,
): RotationBoard['interns'] {
  const words = fold(name)
    .split(' ')
    .filter((word) => word !== '')
  return interns.filter((one) => {
    const text = words.length ? fold(`${one.code} ${one.name} ${one.name_local}`) : ''
    return words.every((word) => text.includes(word)) && (!isSought || (bars.get(one.id) ?? []).some(isSought))
  })
}

/** Where the focus goes on the board: a row, and a bar of it; -1: the intern. */
export interface BoardPlace {
  readonly row: number
  readonly bar: number
}
/** The place beside one: rows keep the time, bars go from one to the next. */
export function nextPlace(
  from: BoardPlace,
  step: { readonly rows: number; readonly bars: number },
  rows: readonly (readonly RotationBar[])[],
): BoardPlace {
  const row = Math.min(rows.length - 1, Math.max(0, from.row + step.rows))
  const own = rows[row] ?? []
  if (step.rows === 0) return { row, bar: Math.min(own.length - 1, Math.max(-1, from.bar + step.bars)) }
  const was = rows[from.row]?.[from.bar]
  if (!was) return { row, bar: -1 }
  let bar = own.findIndex(({ at, days }) => at + days > was.at)
  if (bar < 0) bar = own.length - 1
  return { row, bar }
}
