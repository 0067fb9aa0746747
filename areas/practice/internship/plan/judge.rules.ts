/** What a plan is worth, found out anew from the plan alone: nothing of how it was made is believed. */
import { NOT_WISHED, NOWHERE, type RotationModel, type Trainee } from './instance.rules.ts'

/** A rule that a plan breaks for a trainee. */
export type BrokenRule = 'leave' | 'fixed' | 'obligatory' | 'electives'
/** A department with more trainees than places in a period. */
export interface Overfull {
  readonly department: number
  readonly period: number
  readonly over: number
}
export interface Judgement {
  readonly broken: readonly { readonly trainee: number; readonly rule: BrokenRule }[]
  readonly overfull: readonly Overfull[]
  /** Of wishes, and of periods apart from whom one would be with, in parts of the year. */
  readonly cost: { readonly wishes: number; readonly apart: number; readonly total: number }
  /** How many electives got the first, second … wish; the last figure: none of them. */
  readonly wishes: readonly number[]
  /** The cost of the wishes of who is worst off. */
  readonly worst: number
}

interface Piece {
  readonly department: number
  readonly start: number
  readonly length: number
}
/** A year in pieces: periods side by side in one department are one. */
export function piecesOf(row: Int32Array): Piece[] {
  const pieces: Piece[] = []
  for (let p = 0; p < row.length;) {
    const department = row[p]!
    let end = p
    while (end < row.length && row[end] === department) end++
    if (department !== NOWHERE) pieces.push({ department, start: p, length: end - p })
    p = end
  }
  return pieces
}

/** The cheapest way to say which piece serves which elective: places among the wishes; null: it cannot be said. */
export function servedWishes(trainee: Trainee, row: Int32Array): readonly number[] | null {
  const pieces = piecesOf(row).filter(({ department }) => !trainee.isObligatory[department])
  const { wishes } = trainee
  if (pieces.length !== wishes.length) return null
  let best: { cost: number; places: number[] } | null = null
  const places: number[] = []
  const go = (e: number, taken: number, cost: number): void => {
    if (best && cost >= best.cost) return
    if (e === wishes.length) {
      best = { cost, places: [...places] }
      return
    }
    for (const [i, { department, length }] of pieces.entries()) {
      if (taken & (1 << i) || length !== trainee.lengths[trainee.obligatory + e]) continue
      const at = wishes[e]!.indexOf(department)
      places.push(at < 0 ? NOT_WISHED : at)
      go(e + 1, taken | (1 << i), cost + places.at(-1)!)
      places.pop()
    }
  }
  go(0, 0, 0)
  return (best as { places: number[] } | null)?.places ?? null
}

function* brokenOf(
  trainee: Trainee,
  row: Int32Array,
  places: readonly number[] | null,
  once: boolean,
): Generator<BrokenRule> {
  const pieces = piecesOf(row)
  if (trainee.leave.some((away, p) => away && row[p] !== NOWHERE)) yield 'leave'
  if (
    trainee.fixed.some(
      (department, start) =>
        department !== NOWHERE && !pieces.some((one) => one.department === department && one.start === start),
    )
  )
    yield 'fixed'
  for (let b = 0; b < trainee.obligatory; b++) {
    const own = pieces.filter(({ department }) => department === trainee.departments[b])
    if (own.length !== 1 || own[0]!.length !== trainee.lengths[b]) yield 'obligatory'
  }
  if (!places || (once && new Set(pieces.map(({ department }) => department)).size < pieces.length)) yield 'electives'
}

/** Judges a plan: rows by trainee, a department or `NOWHERE` by period. */
export function judgeRotations(model: RotationModel, rows: readonly Int32Array[]): Judgement {
  const { periods, departments, capacity, trainees, names, once } = model
  const use = new Int32Array(capacity.length)
  const broken: { trainee: number; rule: BrokenRule }[] = []
  const most = Math.max(0, ...trainees.flatMap((one) => one.wishes.map((wish) => wish.length)))
  const wishes = Array<number>(most + 1).fill(0)
  let [sum, worst, apart] = [0, 0, 0]
  for (const [t, trainee] of trainees.entries()) {
    const row = rows[t]!
    for (let p = 0; p < periods; p++) if (row[p] !== NOWHERE) use[row[p]! * periods + p]!++
    const places = servedWishes(trainee, row)
    for (const rule of brokenOf(trainee, row, places, once)) broken.push({ trainee: t, rule })
    const own = (places ?? []).reduce((total, place) => total + place, 0)
    for (const place of places ?? []) wishes[Math.min(place, most)]!++
    sum += own
    worst = Math.max(worst, own)
    for (const mate of trainee.mates)
      if (names[t]! < names[mate]!)
        for (let p = 0; p < periods; p++)
          if (row[p] !== NOWHERE && rows[mate]![p] !== NOWHERE && row[p] !== rows[mate]![p]) apart++
  }
  const overfull = departments.flatMap((_, department) =>
    Array.from({ length: periods }, (__, period) => {
      const cell = department * periods + period
      return { department, period, over: use[cell]! - capacity[cell]! }
    }).filter(({ over }) => over > 0),
  )
  return {
    broken,
    overfull,
    cost: { wishes: sum, apart: apart / periods, total: sum + apart / periods },
    wishes,
    worst,
  }
}
