/** Marks of a rotation and their way through control: pure functions that return every reason. */
import { addDays } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'

export interface RotationControlFacts {
  readonly today: string
  readonly ends_on: string
  readonly closed: boolean
  /** Interns without a mark for some criterion, by name; those whose rotation was interrupted need none. */
  readonly unmarked: readonly { readonly name: string; readonly name_local: string }[]
  /** Interns who have completed their year by these marks. */
  readonly completed: readonly { readonly name: string; readonly name_local: string }[]
  readonly interns: number
}
const NAMED_MOST = 5
const names = (list: RotationControlFacts['unmarked']) => ({
  count: list.length,
  names: list
    .slice(0, NAMED_MOST)
    .map(({ name }) => name)
    .join(', '),
  names_local: list
    .slice(0, NAMED_MOST)
    .map(({ name_local }) => name_local)
    .join('، '),
})
const closed = (of: RotationControlFacts): Reason[] => (of.closed ? [{ code: 'emtyaz_closed' }] : [])

/** Everything that stands against submitting marks: the rotation is over, and everybody has a mark. */
export function checkRotationSubmitted(of: RotationControlFacts): Reason[] {
  const reasons = closed(of)
  if (of.interns === 0) reasons.push({ code: 'rotation_nobody' })
  if (of.today < of.ends_on) reasons.push({ code: 'rotation_not_over', data: { day: of.ends_on } })
  if (of.unmarked.length) reasons.push({ code: 'rotation_unmarked', data: names(of.unmarked) })
  return reasons
}
/** Everything that stands against approving or publishing: whoever joined meanwhile has a mark too. */
export const checkRotationPublished = (of: RotationControlFacts): Reason[] => [
  ...closed(of),
  ...(of.unmarked.length ? [{ code: 'rotation_unmarked', data: names(of.unmarked) }] : []),
]
/** Everything that stands against a step back: a year that was completed by these marks is opened again first. */
export const checkRotationBack = (of: RotationControlFacts): Reason[] => [
  ...closed(of),
  ...(of.completed.length ? [{ code: 'rotation_completed_by', data: names(of.completed) }] : []),
]

/** Whether marks may be entered now. */
export function checkMarking(of: {
  readonly today: string
  readonly ends_on: string
  readonly marks_days: number
  readonly control_status: string
  readonly closed: boolean
  /** Holds the right to mark after the deadline. */
  readonly late: boolean
}): Reason[] {
  const reasons: Reason[] = of.closed ? [{ code: 'emtyaz_closed' }] : []
  if (of.control_status !== 'Draft') reasons.push({ code: 'rotation_submitted' })
  if (of.today < of.ends_on) reasons.push({ code: 'rotation_not_over', data: { day: of.ends_on } })
  const due = addDays(of.ends_on, of.marks_days)
  if (of.today > due && !of.late) reasons.push({ code: 'rotation_marks_late', data: { day: due } })
  return reasons
}

export interface RotationCriterion {
  readonly id: number
  readonly max_mark: number
}
/** Marks of an intern by criterion; null takes one away. */
export function checkMarks(
  criteria: readonly RotationCriterion[],
  marks: readonly { readonly criterion_id: number; readonly points: number | null }[],
): Reason[] {
  const of = new Map(criteria.map((one) => [one.id, one.max_mark]))
  return marks.flatMap(({ criterion_id, points }): Reason[] => {
    const most = of.get(criterion_id)
    if (most === undefined) return [{ field: 'criterion_id', code: 'reference_missing' }]
    return points !== null && (points < 0 || points > most)
      ? [{ field: 'points', code: 'rotation_points', data: { most } }]
      : []
  })
}
/** The mark by all criteria; null where one lacks. */
export const rotationMarkOf = (
  criteria: readonly RotationCriterion[],
  points: ReadonlyMap<number, number>,
): number | null => {
  let sum = 0
  for (const { id } of criteria) {
    const given = points.get(id)
    if (given === undefined) return null
    sum += Math.round(given * 100)
  }
  return criteria.length ? sum / 100 : null
}
