/** Where the numbered seats of a hall are, and which lie beside each other. */

/** Seats from left to right in a hall: rows are a little wider than they are many. */
export const acrossOf = (places: number): number =>
  Math.max(1, Math.min(places, Math.min(24, Math.round(Math.sqrt(places * 1.6)))))
/** The row (from the front) and the place in it of a seat, both from 0. */
export const seatPlaceOf = (seat: number, places: number): { row: number; at: number } => {
  const across = acrossOf(places)
  return { row: Math.floor((seat - 1) / across), at: (seat - 1) % across }
}

/** Seats beside, before and behind a seat (from 1) of a hall. */
export function neighboursOf(seat: number, places: number): { beside: number[]; before: number[]; behind: number[] } {
  const across = acrossOf(places)
  const { at } = seatPlaceOf(seat, places)
  const there = (one: number) => (one >= 1 && one <= places ? [one] : [])
  return {
    beside: [...(at > 0 ? [seat - 1] : []), ...(at < across - 1 ? there(seat + 1) : [])],
    before: there(seat - across),
    behind: there(seat + across),
  }
}

/**
 * Pairs of neighbours who write the same exam in a hall that others share. Where only one exam is written all neighbours do:
 * that is told by itself, and counts as none here.
 */
export function samePairs(seats: readonly (readonly [seat: number, exam: number])[], places: number): number {
  const by = new Map(seats)
  if (new Set(by.values()).size < 2) return 0
  let pairs = 0
  for (const [seat, exam] of by)
    for (const next of [...neighboursOf(seat, places).beside, ...neighboursOf(seat, places).behind])
      if (next > seat && by.get(next) === exam) pairs++
  return pairs
}
