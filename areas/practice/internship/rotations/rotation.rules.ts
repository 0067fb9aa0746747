/** Who may have which rotation, and when an internship year is done: pure functions that return every reason. */
import { addDays } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'

interface Named {
  readonly name: string
  readonly name_local: string
}
/** What decisions on a rotation look at. */
export interface RotationFacts {
  readonly today: string
  /** The year is closed, or the intern has completed it. */
  readonly closed: boolean
  readonly completed: boolean
  /** The intern was taken out of the year. */
  readonly gone: boolean
  readonly year_from: string
  readonly year_until: string
  readonly joined_on: string
  readonly starts_on: string
  readonly ends_on: string
  /** Days that the training type takes. */
  readonly days: number
  readonly training_removed: boolean
  readonly withdrawn_from: string | null
  /** The course is of another bylaw than the intern's. */
  readonly other_bylaw: boolean
  /** The fewest places that are free on a day of the rotation, without it. */
  readonly free: number
  /** Another rotation that was accepted for some of these days. */
  readonly meanwhile: Named | null
  /** Days on leave within the rotation, and how many need not be made up. */
  readonly leave: number
  readonly leave_days: number
  /** Another one of this training type that is asked for, accepted or passed. */
  readonly again: boolean
  readonly is_makeup: boolean
  /** Days of this training type that were not done by what ended: failed, interrupted, or away for longer than is allowed. */
  readonly to_make_up: number
  readonly is_elective: boolean
  /** Electives that the intern has besides, and how many the year has. */
  readonly electives: number
  readonly most_electives: number
  readonly marked: boolean
  /** The marks of those who are there for the same days are still entered. */
  readonly open: boolean
  /** The intern asks within the time for asking; null: the office enters it. */
  readonly asking: { readonly from: string | null; readonly until: string | null } | null
}

const closedReasons = ({ closed, completed, gone }: RotationFacts): Reason[] => [
  ...(gone ? [{ code: 'rotation_no_intern' }] : []),
  ...(closed ? [{ code: 'emtyaz_closed' }] : []),
  ...(completed ? [{ code: 'emtyaz_completed' }] : []),
]

/** What stands against a rotation whoever asks for it: the year, the training and what the intern has besides. */
function checkWhat(of: RotationFacts): Reason[] {
  const reasons = closedReasons(of)
  if (of.training_removed) reasons.push({ field: 'training_id', code: 'rotation_training_removed' })
  if (of.withdrawn_from !== null && of.withdrawn_from <= of.ends_on)
    reasons.push({ field: 'training_id', code: 'rotation_withdrawn', data: { day: of.withdrawn_from } })
  if (of.starts_on < of.year_from || of.ends_on > of.year_until)
    reasons.push({
      field: 'starts_on',
      code: 'rotation_outside_year',
      data: { from: of.year_from, until: of.year_until },
    })
  if (of.starts_on < of.joined_on)
    reasons.push({ field: 'starts_on', code: 'rotation_before_joining', data: { day: of.joined_on } })
  if (of.other_bylaw) reasons.push({ field: 'training_id', code: 'rotation_other_bylaw' })
  if (of.is_makeup) {
    if (of.to_make_up <= 0) reasons.push({ field: 'is_makeup', code: 'rotation_nothing_to_make_up' })
  } else {
    if (of.again) reasons.push({ field: 'training_id', code: 'rotation_twice' })
    if (addDays(of.starts_on, of.days - 1) !== of.ends_on)
      reasons.push({
        field: 'ends_on',
        code: 'rotation_days_wrong',
        data: { weeks: of.days / 7, until: addDays(of.starts_on, of.days - 1) },
      })
    if (of.is_elective && of.electives >= of.most_electives)
      reasons.push({ field: 'training_id', code: 'rotation_electives', data: { most: of.most_electives } })
  }
  return reasons
}

/** Everything that stands against asking for a rotation, or entering it. */
export function checkRotationAsked(of: RotationFacts): Reason[] {
  const reasons = checkWhat(of)
  if (of.asking && (of.asking.from === null || of.today < of.asking.from || of.today > (of.asking.until ?? '')))
    reasons.push(
      of.asking.from === null || of.asking.until === null
        ? { code: 'rotation_not_asked' }
        : { code: 'rotation_window', data: { from: of.asking.from, until: of.asking.until } },
    )
  return reasons
}

/** Everything that stands against a place for it. */
export function checkRotationAccepted(of: RotationFacts): Reason[] {
  const reasons = checkWhat(of)
  if (of.free <= 0) reasons.push({ code: 'rotation_full' })
  if (!of.open) reasons.push({ code: 'rotation_submitted' })
  if (of.meanwhile) reasons.push({ code: 'rotation_meanwhile_of', data: { ...of.meanwhile } })
  if (of.leave > of.leave_days)
    reasons.push({ code: 'rotation_on_leave', data: { days: of.leave, most: of.leave_days } })
  return reasons
}

/** Everything that stands against taking it out of the plan, or deciding anew: what has begun is interrupted instead. */
export function checkRotationRemoved(of: RotationFacts): Reason[] {
  const reasons = closedReasons(of)
  if (of.marked) reasons.push({ code: 'rotation_marked_already' })
  else if (!of.open) reasons.push({ code: 'rotation_submitted' })
  return reasons
}
/** The same of what was accepted. */
export function checkRotationLeft(of: RotationFacts): Reason[] {
  return [
    ...checkRotationRemoved(of),
    ...(of.starts_on <= of.today ? [{ code: 'rotation_begun', data: { day: of.starts_on } }] : []),
  ]
}

/** A rotation that ends early: while it lasts, and before it is marked. `on`: the last day there. */
export function checkInterrupted(
  of: RotationFacts & { readonly status: string; readonly outcome: string | null },
  on: string,
): Reason[] {
  const reasons = checkRotationRemoved(of)
  if (of.status !== 'accepted' || of.outcome !== null) return [...reasons, { code: 'rotation_not_running' }]
  const last = of.today < of.ends_on ? of.today : addDays(of.ends_on, -1)
  if (on < addDays(of.starts_on, -1) || on > last)
    reasons.push({
      field: 'on',
      code: 'rotation_interrupted_day',
      data: { from: addDays(of.starts_on, -1), until: last },
    })
  return reasons
}

/** A training type of the year, and what an intern has of it. */
export interface TrainingTypeFacts extends Named {
  readonly is_elective: boolean
  /** Days that it takes. */
  readonly days: number
  readonly rotations: readonly {
    readonly status: string
    readonly outcome: string | null
    readonly starts_on: string
    /** The last day there: of what was interrupted, that day. */
    readonly ends_on: string
    /** Days on leave in it. */
    readonly leave: number
  }[]
}
const DAY = 86_400_000
const daysOf = (from: string, until: string): number =>
  Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / DAY) + 1)

/** Days of a training type that count, that are planned, and that lack with neither. */
export interface TypeDone {
  readonly done: number
  readonly planned: number
  readonly lacking: number
  /** Of it something was failed, interrupted or missed: what lacks is made up. */
  readonly to_make_up: number
}
/**
 * What counts of a training type. What was failed counts nothing; what was interrupted counts until then; days on leave
 * beyond those that need not be made up do not count.
 */
export function typeDone(of: TrainingTypeFacts, leaveDays: number): TypeDone {
  let done = 0
  let planned = 0
  let ended = false
  for (const one of of.rotations) {
    if (one.status !== 'accepted') continue
    const missed = Math.max(0, one.leave - leaveDays)
    const counts = Math.max(0, daysOf(one.starts_on, one.ends_on) - missed)
    if (one.outcome === 'failed') ended = true
    else if (one.outcome === 'interrupted') {
      ended = true
      done += counts
    } else if (one.outcome === 'passed') done += counts
    else planned += counts
    if (missed > 0) ended = true
  }
  const lacking = Math.max(0, of.days - done - planned)
  return { done: Math.min(done, of.days), planned, lacking, to_make_up: ended ? lacking : 0 }
}

/** Everything that is missing until the year of an intern is done. */
export function checkCompleted(
  types: readonly TrainingTypeFacts[],
  { leave_days, electives }: { readonly leave_days: number; readonly electives: number },
): Reason[] {
  const reasons: Reason[] = []
  let chosen = 0
  for (const of of types) {
    const { done } = typeDone(of, leave_days)
    if (of.is_elective) {
      if (done >= of.days) chosen++
      continue
    }
    if (done < of.days)
      reasons.push({
        code: 'emtyaz_type_missing',
        data: { name: of.name, name_local: of.name_local, done: Math.floor(done / 7), weeks: Math.ceil(of.days / 7) },
      })
  }
  if (chosen < electives) reasons.push({ code: 'emtyaz_electives_missing', data: { done: chosen, needed: electives } })
  return reasons
}
