import { expect, test } from 'vitest'
import { clashesOf, insistedClashes, toldOf } from './move.rules.ts'
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

test('a meeting is not moved onto a published exam, but in an exam week of its faculty and level it is off', () => {
  const exam = {
    name: 'X (1)',
    on_date: '2026-11-09',
    day: 2,
    from: 600,
    to: 720,
    ramadan: false,
    rooms: [1],
    instructors: [7],
    students: [3, 4, 9],
  }
  const of = { instructors: [7], students: [3, 4, 5], faculty_id: 1, level: 2 }
  const week = { from: '2026-11-07', to: '2026-11-13', faculty_id: null, level: null }
  const codes = (more: Partial<MeetingBoard>, change: Partial<MeetingMove> = {}) =>
    clashesOf({ ...board(of), exams: [exam], ...more }, [{ ...to, ...change }]).map(({ code }) => code)
  const all = ['move_room_exam', 'move_instructor_exam', 'move_students_exam']
  expect(codes({})).toEqual(all)
  const told = clashesOf({ ...board(of), exams: [exam] }, [to])
  expect(told.at(-1)!.data).toMatchObject({ students: 2, by: 'X (1)', date: '2026-11-09' })
  expect(insistedClashes(told).refused.map(({ code }) => code)).toEqual(['move_room_exam'])
  // On another day, at another time, in another room.
  expect(codes({}, { day: 3 })).toEqual([])
  expect(codes({ exams: [{ ...exam, from: 630 }] })).toEqual([])
  expect(codes({ exams: [{ ...exam, from: 610, ramadan: true }] })).toEqual([])
  expect(codes({}, { location_id: 3 })).toEqual(all.slice(1))
  // Weeks that cover it, and such that do not.
  expect(codes({ exam_weeks: [week] })).toEqual([])
  expect(codes({ exam_weeks: [{ ...week, faculty_id: 1, level: 2 }] })).toEqual([])
  expect(codes({ exam_weeks: [{ ...week, faculty_id: 2 }] })).toEqual(all)
  expect(codes({ exam_weeks: [{ ...week, level: 3 }] })).toEqual(all)
  expect(codes({ exam_weeks: [{ ...week, to: '2026-11-08' }] })).toEqual(all)
})

test('it is known beforehand how many people moves tell, each once', () => {
  const of = board({ students: [1, 2], instructors: [7] }, { students: [2, 3], instructors: [7] }, { students: [9] })
  expect(toldOf(of, [{ id: 1 }, { id: 2 }])).toBe(4)
  expect(toldOf(of, [])).toBe(0)
})
