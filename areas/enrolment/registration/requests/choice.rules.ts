/** Choosing slots: the groups of an offering, the ways to attend each, and a choice that fits. */
import type { MeetingType } from '#kit/contract/week.ts'
import { meetingsClash } from '../registration.rules.ts'
import type { RequestedMeeting } from '../registration-input.rules.ts'

/** What a choice has to know of a slot. No meetings: not yet placed. */
export type ChoosableSlot = {
  id: number
  group_id: number
  type: MeetingType
  section: string | null
  meetings: readonly RequestedMeeting[]
  free: number
}

/** One way to attend one type of meeting in a group: a slot by itself, or all slots of a section. */
export type Alternative<S> = { type: MeetingType; slots: S[] }

/** The ways to attend each type in each group, by group. */
export function alternativesByGroup<S extends Pick<ChoosableSlot, 'id' | 'group_id' | 'type' | 'section'>>(
  slots: readonly S[],
): Map<number, Alternative<S>[]> {
  const groups = new Map<number, Alternative<S>[]>()
  for (const [group_id, inGroup] of Map.groupBy(slots, (slot) => slot.group_id)) {
    const ways = Map.groupBy(inGroup, (slot) => `${slot.type}/${slot.section ?? `#${slot.id}`}`)
    groups.set(
      group_id,
      [...ways.values()].map((way) => ({ type: way[0]!.type, slots: way })),
    )
  }
  return groups
}

const meetingsOf = (slots: readonly ChoosableSlot[]): RequestedMeeting[] => slots.flatMap((slot) => slot.meetings)

const clash = (ones: readonly RequestedMeeting[], others: readonly RequestedMeeting[]): boolean =>
  ones.some((one) => others.some((other) => meetingsClash(one, other)))

const freeIn = ({ slots }: Alternative<ChoosableSlot>): number => Math.min(...slots.map((slot) => slot.free))

/** Seats that a group still has: of each type those of the way with most, since a section that is full keeps nobody out of another. */
const seatsOf = (ways: readonly Alternative<ChoosableSlot>[]): number =>
  Math.min(...[...Map.groupBy(ways, (way) => way.type).values()].map((of) => Math.max(...of.map(freeIn))))

/**
 * A choice with a free seat everywhere that clashes with nothing in `busy` and not with itself; null when there is none.
 * Groups with more free seats come first, so that students spread.
 */
export function chooseSlots(slots: readonly ChoosableSlot[], busy: readonly RequestedMeeting[]): number[] | null {
  const groups = [...alternativesByGroup(slots).values()].map((ways) => ({
    ways,
    free: seatsOf(ways),
  }))
  for (const { ways } of groups.toSorted((one, other) => other.free - one.free)) {
    const types = [...Map.groupBy(ways, (way) => way.type).values()].map((of) =>
      of
        .filter((way) => way.slots.every((slot) => slot.free > 0) && !clash(meetingsOf(way.slots), busy))
        .toSorted((one, other) => freeIn(other) - freeIn(one)),
    )
    const found = combine(types, 0, [])
    if (found) return found.map((slot) => slot.id)
  }
  return null
}

/** The first combination of one way per type that does not clash with itself. */
function combine(
  types: readonly Alternative<ChoosableSlot>[][],
  index: number,
  taken: readonly ChoosableSlot[],
): ChoosableSlot[] | null {
  const ways = types[index]
  if (!ways) return [...taken]
  for (const way of ways) {
    if (clash(meetingsOf(way.slots), meetingsOf(taken))) continue
    const found = combine(types, index + 1, [...taken, ...way.slots])
    if (found) return found
  }
  return null
}
