/** How right a model is with students of one kind: whether it errs more with some than with others. */
import type { GroupKind } from './model.contract.ts'

export interface GroupedStudent {
  readonly faculty_id: number
  readonly gender: number | null
  readonly nationality_id: number | null
}
/** What became of a student's term, and what the model says that had not seen it. */
export interface JudgedStudent extends GroupedStudent {
  readonly hard: boolean
  readonly said: number
  readonly named: boolean
}
export interface ErrorsOfGroup {
  /** Of a faculty or a nationality; null: of a gender, or of all others together. */
  readonly of: number | null
  readonly gender: number | null
  readonly rows: number
  readonly hard: number
  readonly said: number
  readonly named_wrongly: number | null
  readonly missed: number | null
}

/** Of fewer, shares would say something of single persons, and nothing of the model. */
const LEAST = 20
const round = (value: number) => Math.round(value * 10_000) / 10_000

function errorsIn(rows: readonly JudgedStudent[]): Omit<ErrorsOfGroup, 'of' | 'gender'> {
  const hard = rows.filter((row) => row.hard)
  const went = rows.filter((row) => !row.hard)
  const share = (some: number, of: number) => (of ? round(some / of) : null)
  return {
    rows: rows.length,
    hard: round(hard.length / rows.length),
    said: round(rows.reduce((sum, row) => sum + row.said, 0) / rows.length),
    named_wrongly: share(went.filter((row) => row.named).length, went.length),
    missed: share(hard.filter((row) => !row.named).length, hard.length),
  }
}

function groupsBy(rows: readonly JudgedStudent[], key: (row: JudgedStudent) => number | null) {
  const groups = Map.groupBy(rows, key)
  const others = [...groups].filter(([of, some]) => of === null || some.length < LEAST).flatMap(([, some]) => some)
  const shown = [...groups]
    .filter(([of, some]) => of !== null && some.length >= LEAST)
    .toSorted(([, a], [, b]) => b.length - a.length)
  return [...shown, ...(others.length >= LEAST ? [[null, others] as const] : [])]
}

/** By faculty, gender and nationality; kinds of few students are counted together. */
export function errorsOf(rows: readonly JudgedStudent[]): Record<GroupKind, ErrorsOfGroup[]> {
  const by = (key: (row: JudgedStudent) => number | null) =>
    groupsBy(rows, key).map(([of, some]) => ({ of, gender: null, ...errorsIn(some) }))
  return {
    faculty: by((row) => row.faculty_id),
    nationality: by((row) => row.nationality_id),
    gender: groupsBy(rows, (row) => row.gender).map(([gender, some]) => ({ of: null, gender, ...errorsIn(some) })),
  }
}
