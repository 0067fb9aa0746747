import { expect, test } from 'vitest'
import { clashesOf, insistedClashes } from './move.rules.ts'
import type { MeetingBoard, BoardMeeting, MeetingMove } from './move.rules.ts'

const period = (id: number, from: number) => ({
  id,
  from,
  to: from + 90,
  ramadan_from: from,
  ramadan_to: from + 60,
})
const meeting: BoardMeeting = {
  id: 1,
  offering_id: 1,
  name: 'C1',
  group: 1,
  type: 'Lecture',
  section: null,
  day: 1,
  slot_id: 1,
  location_id: 1,
  instructors: [],
  seats: 20,
  students: [],
}
const board = (...meetings: Partial<BoardMeeting>[]): MeetingBoard => ({
  periods: [period(1, 540), period(2, 660)],
  rooms: [
    { id: 1, name: 'R1', name_local: 'ق', capacity: 20, online: false },
    { id: 2, name: 'R2', name_local: 'ق', capacity: 10, online: false },
    { id: 3, name: 'Online', name_local: 'ق', capacity: 1, online: true },
  ],
  instructors: [{ id: 7, name: 'Dr', name_local: 'د' }],
  meetings: meetings.map((one, i) => ({ ...meeting, id: i + 1, offering_id: i + 1, ...one })),
})
const to: MeetingMove = { id: 1, day: 2, slot_id: 1, location_id: 1 }

test.each<[string, Partial<BoardMeeting>[], Partial<MeetingMove>, string[]]>([
  ['a free place', [{}], {}, []],
  ['a period that is gone', [{}], { slot_id: 9 }, ['move_period_unknown']],
  ['a room that is gone', [{}], { location_id: 9 }, ['move_room_unknown']],
  ['a smaller room', [{}], { location_id: 2 }, ['move_room_small']],
  ['online, however many', [{}, { day: 2, location_id: 3 }], { location_id: 3 }, []],
  ['a room that is taken', [{}, { day: 2 }], {}, ['move_room_taken']],
  [
    'who teaches then',
    [{ instructors: [7] }, { day: 2, location_id: 2, instructors: [7] }],
    {},
    ['move_instructor_busy'],
  ],
  [
    'who sits elsewhere then',
    [{ students: [1, 2] }, { day: 2, location_id: 2, students: [2] }],
    {},
    ['move_students_busy'],
  ],
  ['its own group', [{}, { offering_id: 1, type: 'Lab', day: 2, location_id: 2 }], {}, ['move_group_overlaps']],
])('%s', (_, meetings, move, expected) =>
  expect(clashesOf(board(...meetings), [{ ...to, ...move }]).map((one) => one.code)).toEqual(expected),
)

test('two change places, and clashes of people alone may be wanted', () => {
  const both = board({}, { day: 2 })
  expect(clashesOf(both, [to, { ...to, id: 2, day: 1 }])).toEqual([])
  const found = clashesOf(board({ instructors: [7] }, { day: 2, instructors: [7] }), [to])
  const { wanted, refused } = insistedClashes(found)
  expect([wanted, refused].map((some) => some.map((one) => one.code))).toEqual([
    ['move_instructor_busy'],
    ['move_room_taken'],
  ])
})
