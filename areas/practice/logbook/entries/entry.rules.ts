/** What an intern may enter in a logbook, what counts, and who confirms it: pure functions that return every reason. */
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { patientData } from './patient.rules.ts'

/** Lowest first: what was done oneself stands for what was assisted in, and that for what was observed. */
export const LOGBOOK_ROLES = ['observed', 'assisted', 'done'] as const
type LogbookRole = (typeof LOGBOOK_ROLES)[number]

/** Days before and after a rotation that are let through: a night's end, a phone whose day is wrong by one. */
const ROTATION_DAYS = 1
/** So many minutes may something lie ahead of our clock, once the phone's own is put right. */
const AHEAD_MINUTES = 10
/** From so many minutes on it is said that the phone's clock is wrong. */
const CLOCK_WRONG_MINUTES = 5

export interface EntryFacts {
  /** The rotation is one of the intern's, and accepted. */
  readonly rotation: {
    readonly starts_on: string
    /** The last day there. */
    readonly ends_on: string
    readonly course_id: number
  } | null
  readonly closed: boolean
  readonly completed: boolean
  readonly type: { readonly course_id: number; readonly removed: boolean } | null
  /** An instant. */
  readonly done_at: string
  readonly note: string | null
  /** Our clock, and by how many seconds the phone's was ahead of it when it sent. */
  readonly now: string
  readonly clock_ahead: number
}

/** How far a phone's clock is ahead (or behind: negative), as it is told: in minutes; 0 where that is nothing. */
const wrongBy = (seconds: number): number => {
  const minutes = Math.round(seconds / 60)
  return Math.abs(minutes) < CLOCK_WRONG_MINUTES ? 0 : minutes
}

/** Everything that stands against an entry. */
export function checkEntry(of: EntryFacts): Reason[] {
  const reasons: Reason[] = []
  const { rotation, type } = of
  if (of.closed) reasons.push({ code: 'emtyaz_closed' })
  if (of.completed) reasons.push({ code: 'emtyaz_completed' })
  if (!rotation) reasons.push({ field: 'rotation_id', code: 'logbook_no_rotation' })
  if (!type || type.removed) reasons.push({ field: 'type_id', code: 'logbook_no_type' })
  else if (rotation && rotation.course_id !== type.course_id)
    reasons.push({ field: 'type_id', code: 'logbook_other_course' })
  const minutes = wrongBy(of.clock_ahead)
  const clock: Reason[] = minutes
    ? [
        {
          field: 'done_at',
          code: minutes > 0 ? 'logbook_clock_ahead' : 'logbook_clock_behind',
          data: { minutes: Math.abs(minutes) },
        },
      ]
    : []
  const at = Date.parse(of.done_at)
  // What was typed by a clock that is ahead is ahead with it.
  const allowed = Date.parse(of.now) + Math.max(0, of.clock_ahead) * 1000 + AHEAD_MINUTES * 60_000
  if (at > allowed) reasons.push({ field: 'done_at', code: 'logbook_to_come' }, ...clock)
  else if (rotation) {
    const day = dayOf(new Date(at))
    if (day < addDays(rotation.starts_on, -ROTATION_DAYS) || day > addDays(rotation.ends_on, ROTATION_DAYS))
      reasons.push(
        {
          field: 'done_at',
          code: 'logbook_outside_rotation',
          data: { day, from: rotation.starts_on, until: rotation.ends_on },
        },
        ...clock,
      )
  }
  return [...reasons, ...patientData(of.note)]
}

/** What is stored of an entry that comes again. */
interface StoredEntry {
  readonly own: boolean
  readonly revision: number
  readonly status: string
  readonly removed: boolean
  /** What comes says the same. */
  readonly same: boolean
}
/**
 * What becomes of an entry that is there already: `same`, nothing is written; `changed`, it takes the place of the older
 * one; or the reasons why not. What was confirmed stays.
 */
export function judgeSentAgain(stored: StoredEntry, revision: number): 'same' | 'changed' | Reason[] {
  if (!stored.own) return [{ code: 'logbook_entry_twice' }]
  if (stored.same) return 'same'
  // A phone that sends late what it has changed since: the newer one stands already.
  if (revision < stored.revision) return 'same'
  if (stored.status === 'confirmed') return [{ code: 'logbook_confirmed' }]
  return revision === stored.revision ? [{ code: 'logbook_changed_elsewhere' }] : 'changed'
}

export interface ConfirmFacts {
  /** Whoever confirms is on duty in the training at that time. */
  readonly on_duty: boolean
  readonly day: string
  readonly training: { readonly name: string; readonly name_local: string }
  /** Who confirmed it, and that it was whoever asks. */
  readonly by: { readonly name: string; readonly name_local: string } | null
  readonly mine: boolean
  /** The year of the intern stands on it. */
  readonly completed: boolean
}
/** Only who was there confirms. */
export const checkConfirmed = (of: ConfirmFacts): Reason[] =>
  of.on_duty
    ? []
    : [
        {
          code: 'logbook_not_on_duty',
          data: { day: of.day, training: of.training.name, training_local: of.training.name_local },
        },
      ]
/** What was confirmed is taken back by who confirmed it alone, and while no year was completed by it. */
export function checkTakenBack(of: ConfirmFacts): Reason[] {
  if (of.by === null) return checkConfirmed(of)
  return [
    ...(of.mine
      ? []
      : [{ code: 'logbook_confirmed_by', data: { name: of.by.name, name_local: of.by.name_local ?? of.by.name } }]),
    ...(of.completed ? [{ code: 'emtyaz_completed' }] : []),
  ]
}

/** How many are wanted of a type, and how many were confirmed, by role. */
interface TypeCounts {
  readonly wanted: Readonly<Record<LogbookRole, number>>
  readonly confirmed: Readonly<Record<LogbookRole, number>>
}
/** How many count: what is more than wanted in a higher role counts in the next lower one. */
export function countedOf({ wanted, confirmed }: TypeCounts): Record<LogbookRole, number> {
  const counted = { observed: 0, assisted: 0, done: 0 }
  let over = 0
  for (const role of LOGBOOK_ROLES.toReversed()) {
    const there = confirmed[role] + over
    counted[role] = Math.min(there, wanted[role])
    over = there - counted[role]
  }
  return counted
}
/** The same in all: what counts, and what is wanted. */
export function totalOf(of: TypeCounts): { counted: number; wanted: number } {
  const counted = countedOf(of)
  const sum = (counts: Readonly<Record<LogbookRole, number>>) => counts.observed + counts.assisted + counts.done
  return { counted: sum(counted), wanted: sum(of.wanted) }
}

/** What an intern has of a course of the year. */
interface CourseCounts {
  readonly name: string
  readonly name_local?: string | null | undefined
  readonly types: readonly TypeCounts[]
}
/** What is missing in the logbook until the year is done: a reason for each course. */
export const checkLogbook = (courses: readonly CourseCounts[]): Reason[] =>
  courses.flatMap(({ name, name_local, types }) => {
    const totals = types.map(totalOf)
    const wanted = totals.reduce((sum, one) => sum + one.wanted, 0)
    const counted = totals.reduce((sum, one) => sum + one.counted, 0)
    return counted < wanted
      ? [{ code: 'logbook_missing', data: { name, name_local: name_local ?? name, count: counted, needed: wanted } }]
      : []
  })
