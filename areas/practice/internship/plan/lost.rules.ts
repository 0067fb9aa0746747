/** Who has lost a place: where a training has fewer places than it gave. Pure. */
import { periodsOf, type LiveRotation, type PlannedYear } from './year.rules.ts'

/**
 * Rotations that cannot stay in their training, by id: of those who are too many in a period, who was accepted last.
 *
 * @param moving rotations that a plan may put elsewhere
 * @param free places that a training has for them, by period
 */
export function lostRotations(
  year: PlannedYear,
  moving: readonly LiveRotation[],
  free: ReadonlyMap<number, readonly number[]>,
): ReadonlySet<number> {
  const lost = new Set<number>()
  for (const [training_id, list] of Map.groupBy(moving, (one) => one.training_id)) {
    const places = free.get(training_id)
    const mine = list
      .toSorted((a, b) => b.id - a.id)
      .map(({ id, starts_on, ends_on }) => ({ id, at: periodsOf(year, starts_on, ends_on) }))
    for (let p = 0; p < year.periods; p++) {
      const there = mine.filter(({ id, at: [first, end] }) => first <= p && p < end && !lost.has(id))
      for (const { id } of there.slice(0, Math.max(0, there.length - (places?.[p] ?? 0)))) lost.add(id)
    }
  }
  return lost
}
