import { addDays, weekPlace } from '#kit/contract/day.ts'

/** A weekly meeting with times `HH:MM`. */
export interface Weekly {
  readonly id: number
  readonly day: number | null
  readonly slot: { readonly start: string; readonly end: string } | null
}
/** One occurrence of a meeting. */
export interface Occurrence {
  readonly slot_id: number
  readonly date: string
  readonly start: string
  readonly end: string
}

/**
 * The next occurrence that has not ended, within the term; null when there is none.
 * @param now date `YYYY-MM-DD` and time `HH:MM` of the university's clock
 */
export function nextMeeting(
  meetings: readonly Weekly[],
  now: { date: string; time: string },
  term: { start: string; end: string },
): Occurrence | null {
  const from = now.date > term.start ? now.date : term.start
  for (let ahead = 0; ahead <= 7; ahead++) {
    const date = addDays(from, ahead)
    if (date > term.end) return null
    const today = meetings
      .flatMap((m) =>
        m.day === weekPlace(date) && m.slot ? [{ slot_id: m.id, date, start: m.slot.start, end: m.slot.end }] : [],
      )
      .filter((m) => date !== now.date || m.end > now.time)
      .toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.slot_id - b.slot_id))
    if (today[0]) return today[0]
  }
  return null
}
