import { expect, it } from 'vitest'
import type { RoomUse } from './rooms.contract.ts'
import {
  daysShown,
  groupShares,
  hoursOf,
  idleHours,
  mapCell,
  minutesIn,
  minutesThere,
  roomsUnder,
  shareOf,
} from './rooms.rules.ts'

const group = { of: null, rooms: 1, seats: 50, meetings: 1, minutes: 0, seat_minutes: 0 }
const use: RoomUse = {
  term: null,
  days: [2, 2, 0, 2, 2, 2, 2],
  from: 8 * 60 + 30,
  to: 11 * 60,
  rooms: 4,
  seats: 200,
  cells: [
    { day: 3, hour: 10, rooms: 3, minutes: 240, seat_minutes: 6000 },
    { day: 3, hour: 8, rooms: 1, minutes: 60, seat_minutes: 600 },
  ],
  building: [],
  room: [
    { ...group, seats: 80, minutes: 30 },
    { ...group, minutes: 300 },
    { ...group, seats: 90, minutes: 0 },
  ],
  faculty: [],
  wide: { count: 0, rows: [] },
}
const REST = [6]

it('knows hours that are parts', () => {
  expect(hoursOf(use)).toEqual([8, 9, 10])
  expect([minutesIn(use, 8), minutesIn(use, 9), minutesIn(use, 11)]).toEqual([30, 60, 0])
  expect(hoursOf({ from: 0, to: 0 })).toEqual([])
})
it('shows days of lectures, and a day of rest only where something is held', () => {
  expect(daysShown(use, REST)).toEqual([0, 1, 3, 4, 5])
  expect(daysShown({ ...use, cells: [{ ...use.cells[0]!, day: 6 }] }, REST)).toContain(6)
})
it('counts what is there', () => {
  expect(minutesThere(use, { day: 3, hour: 8 }, REST)).toBe(60)
  expect(minutesThere(use, { day: 3 }, REST)).toBe(300)
  expect(minutesThere(use, {}, REST)).toBe(1500)
  expect(minutesThere(use, { day: 2 }, REST)).toBe(0)
})
it('tells a cell', () => {
  expect(mapCell(use, 3, 10)).toEqual({ day: 3, hour: 10, rooms: 3, taken: 50, room_share: 50, seat_share: 25 })
  expect(mapCell(use, 2, 10)).toMatchObject({ rooms: 0, taken: 0, room_share: null })
  expect([shareOf(3, 2), shareOf(0, 2), shareOf(1, 0)]).toEqual([100, 0, null])
})
it('finds what could be freed', () => {
  expect(roomsUnder(use, 300, 20).map(({ seats }) => seats)).toEqual([90, 80])
  // Under the share, not at it.
  expect(roomsUnder(use, 300, 10).map(({ seats }) => seats)).toEqual([90])
  expect(roomsUnder(use, 0, 20)).toEqual([])
  expect(groupShares(use.room[1]!, 300).room_share).toBe(100)
  expect(idleHours(use, REST).filter(({ day }) => day === 3)).toEqual([{ day: 3, from: 9, to: 10 }])
  expect(idleHours(use, REST).filter(({ day }) => day === 0)).toEqual([{ day: 0, from: 8, to: 11 }])
})
