/** What stands against holding a cancelled meeting on another day. Times are minutes since midnight. */
import type { Reason } from '#kit/contract/issues.ts'
import { attendableDay } from './occurrences.rules.ts'
import type { OccurrenceFacts } from './occurrences.rules.ts'

/** Something else on that day at that time. */
export interface OtherEvent {
  /** How texts name it, e.g. `CS101 (1)`. */
  readonly name: string
  /** In the same room, which does not hold two. */
  readonly room: boolean
  readonly instructors: readonly { readonly name: string; readonly name_local: string }[]
  readonly students: number
}
/** What is known of the day and the room. */
export interface MakeUpFacts extends OccurrenceFacts {
  readonly on: string
  readonly term: { readonly start: string; readonly end: string }
  /** The cancelled meeting makes up another itself. */
  readonly is_make_up: boolean
  /** Where it is held instead already. */
  readonly made_up: string | null
  readonly no_teaching: boolean
  /** The exam week in which the day lies. */
  readonly exam_week: { readonly from: string; readonly to: string } | null
  readonly seats: number
  readonly room: {
    readonly name: string
    readonly name_local: string
    readonly capacity: number
    readonly online: boolean
  } | null
  readonly beside: readonly OtherEvent[]
}

/** Clashes that who teaches may want all the same, with a reason: no room holds two meetings. */
const WANTED: ReadonlySet<string> = new Set(['make_up_instructor_busy', 'make_up_students_busy'])

/** Every reason why a meeting cannot be held on that day, at that time, in that room. */
export function checkMakeUp(facts: MakeUpFacts): Reason[] {
  const { on, date, room, beside, seats } = facts
  const out: Reason[] = []
  const say = (code: string, data: Record<string, string | number> = {}) => out.push({ code, data })
  if (facts.submitted) say('attendance_submitted')
  if (facts.is_make_up) say('make_up_of_make_up', { date })
  else if (facts.cancelled === null) say('occurrence_not_cancelled', { date })
  if (facts.made_up !== null) say('occurrence_made_up', { date, on: facts.made_up })
  if (on < facts.today) say('make_up_past', { date: on })
  if (on < facts.term.start || on > facts.term.end) say('make_up_outside_term', { ...facts.term })
  if (facts.no_teaching) say('make_up_no_teaching', { date: on })
  if (facts.exam_week) say('make_up_exam_week', { date: on, ...facts.exam_week })
  if (attendableDay(facts, on)) say('make_up_same_day', { date: on })
  if (room && !room.online && seats > room.capacity)
    say('make_up_room_small', { room: room.name, room_local: room.name_local, capacity: room.capacity, seats })
  for (const other of beside) {
    if (other.room && room && !room.online)
      say('make_up_room_taken', { room: room.name, room_local: room.name_local, by: other.name })
    for (const one of other.instructors)
      say('make_up_instructor_busy', { instructor: one.name, instructor_local: one.name_local, by: other.name })
    if (other.students) say('make_up_students_busy', { students: other.students, by: other.name })
  }
  return out
}

/** What is left when clashes of people are wanted. */
export const insistedReasons = (reasons: readonly Reason[]): Reason[] => reasons.filter(({ code }) => !WANTED.has(code))
/** Whether clashes can be wanted at all: nothing else stands against it. */
export const mayBeWanted = (reasons: readonly Reason[]): boolean =>
  reasons.length > 0 && !insistedReasons(reasons).length
