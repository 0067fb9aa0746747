/** Use of rooms: from minutes that were used to shares of what is there. */
import type { RoomUse, RoomUseAsked, RoomUseGroup } from './rooms.contract.ts'

/** Minutes of the day of lectures that lie in an hour: its first and last hour may be parts. */
export const minutesIn = ({ from, to }: Pick<RoomUse, 'from' | 'to'>, hour: number): number =>
  Math.max(0, Math.min(to, hour * 60 + 60) - Math.max(from, hour * 60))
/** The hours of the day of lectures. */
export const hoursOf = ({ from, to }: Pick<RoomUse, 'from' | 'to'>): number[] => {
  const first = Math.floor(from / 60)
  return to > from ? Array.from({ length: Math.ceil(to / 60) - first }, (_, at) => first + at) : []
}
/** Days that have lectures, or on which something is held all the same. A day of rest on which nothing is held is not shown. */
export const daysShown = ({ days, cells }: Pick<RoomUse, 'days' | 'cells'>, rest: readonly number[]): number[] =>
  days.flatMap((count, day) =>
    cells.some((cell) => cell.day === day) || (count > 0 && !rest.includes(day)) ? [day] : [],
  )
/** Minutes over the term for which one room is there, within the chosen days and hours. */
export function minutesThere(
  use: Pick<RoomUse, 'days' | 'from' | 'to' | 'cells'>,
  { day, hour }: Pick<RoomUseAsked, 'day' | 'hour'>,
  rest: readonly number[],
): number {
  const perDay = (hour === undefined ? hoursOf(use) : [hour]).reduce((sum, one) => sum + minutesIn(use, one), 0)
  const days = (day === undefined ? daysShown(use, rest) : [day]).reduce((sum, one) => sum + (use.days[one] ?? 0), 0)
  return perDay * days
}
/** A share in percent; none where nothing is there. Two meetings at once in one room do not make more than all of it. */
export const shareOf = (used: number, there: number): number | null =>
  there > 0 ? Math.min(100, (used / there) * 100) : null

/** What of the use of rooms stands in one cell of the map. */
export interface MapCell {
  readonly day: number
  readonly hour: number
  /** Rooms with a meeting then, on any day. */
  readonly rooms: number
  /** Students who sit there at the same time, on average. */
  readonly taken: number
  readonly room_share: number | null
  readonly seat_share: number | null
}
export function mapCell(use: RoomUse, day: number, hour: number): MapCell {
  const cell = use.cells.find((one) => one.day === day && one.hour === hour)
  const there = (use.days[day] ?? 0) * minutesIn(use, hour)
  return {
    day,
    hour,
    rooms: cell?.rooms ?? 0,
    taken: there ? Math.round((cell?.seat_minutes ?? 0) / there) : 0,
    room_share: shareOf(cell?.minutes ?? 0, there * use.rooms),
    seat_share: shareOf(cell?.seat_minutes ?? 0, there * use.seats),
  }
}
/** The shares of a building, a room or a faculty; `minutes`: for which one room is there. */
export const groupShares = ({ rooms, seats, ...used }: RoomUseGroup, minutes: number) => ({
  room_share: shareOf(used.minutes, minutes * rooms),
  seat_share: shareOf(used.seat_minutes, minutes * seats),
})
/** Rooms that are used less than a share of their time, the least used and largest first. */
export const roomsUnder = (use: RoomUse, minutes: number, share: number): RoomUseGroup[] =>
  use.room
    .filter((room) => minutes > 0 && (groupShares(room, minutes).room_share ?? 0) < share)
    .toSorted((a, b) => a.minutes - b.minutes || b.seats - a.seats)
/** Hours of the week of lectures in which nothing is held in any of the rooms, one after the other as a span. */
export function idleHours(use: RoomUse, rest: readonly number[]): { day: number; from: number; to: number }[] {
  const spans: { day: number; from: number; to: number }[] = []
  for (const day of daysShown(use, rest))
    for (const hour of hoursOf(use)) {
      if (!use.days[day] || use.cells.some((cell) => cell.day === day && cell.hour === hour)) continue
      const last = spans.at(-1)
      if (last?.day === day && last.to === hour) last.to = hour + 1
      else spans.push({ day, from: hour, to: hour + 1 })
    }
  return spans
}
/** `9:00`, as hours stand at the side of the map. */
export const clockOf = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
