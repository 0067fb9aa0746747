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

/** Day of the week of a date as meetings are kept: 0 is Saturday. */
export const dayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 1) % 7

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
  const first = Date.parse(`${from}T00:00:00Z`)
  for (let ahead = 0; ahead <= 7; ahead++) {
    const date = new Date(first + ahead * 86_400_000).toISOString().slice(0, 10)
    if (date > term.end) return null
    const today = meetings
      .flatMap((m) =>
        m.day === dayOf(date) && m.slot ? [{ slot_id: m.id, date, start: m.slot.start, end: m.slot.end }] : [],
      )
      .filter((m) => date !== now.date || m.end > now.time)
      .toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.slot_id - b.slot_id))
    if (today[0]) return today[0]
  }
  return null
}
