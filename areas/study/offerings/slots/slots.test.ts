import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alternatives, checkSlots, meetingCountOf, periodsMeet, placeMeetings, planMeetings } from './slots.rules.ts'
import type { Period, PlannedMeeting, Placing, Room, SlotContext, StoredMeeting } from './slots.rules.ts'

const period = (id: number, from: number, minutes = 90): Period => ({
  id,
  from,
  to: from + minutes,
  ramadan_from: from,
  ramadan_to: from + minutes - 30,
})
const PERIODS = [period(1, 540), period(2, 630), period(3, 720), period(4, 810), period(5, 540, 180)]
const room = (id: number, capacity: number, kind: Room['kind'] = 'hall', faculty_id: number | null = 1): Room => ({
  id,
  code: `R${id}`,
  capacity,
  kind,
  faculty_id,
})
const slot = (more: Partial<PlannedMeeting> = {}): PlannedMeeting => ({
  group: 1,
  type: 'Lecture',
  section: null,
  day: 0,
  slot_id: 1,
  location_id: 1,
  instructor_ids: [1],
  quota: 50,
  over_quota: 5,
  ...more,
})
const context = (more: Partial<SlotContext> = {}): SlotContext => ({
  groups: 2,
  stored: [],
  periods: new Map(PERIODS.map((p) => [p.id, p])),
  rooms: new Map([room(1, 60), room(2, 30), room(3, 40, 'lab'), room(4, 1, 'online')].map((r) => [r.id, r])),
  others: [],
  students: [],
  instructorNames: new Map([[1, 'Dr. Mona Adel']]),
  name: 'CS101 (1)',
  ...more,
})
const stored = (more: Partial<StoredMeeting> = {}): StoredMeeting => ({
  ...slot(),
  id: 7,
  taken: 30,
  waiting: 0,
  ...more,
})
const codes = (slots: readonly PlannedMeeting[], more?: Partial<SlotContext>) =>
  checkSlots(slots, context(more)).map((r) => `${r.field}: ${r.code}`)

describe('what may be saved', () => {
  test('nothing to refuse', () => expect(codes([slot(), slot({ group: 2, slot_id: 2 })])).toEqual([]))
  test('seats never fall below those taken, and the group and figures are told', () => {
    expect(checkSlots([slot({ id: 7, quota: 20, over_quota: 5 })], context({ stored: [stored()] }))).toEqual([
      {
        field: 'slots.0.quota',
        code: 'quota_below_taken',
        data: { group: 1, type: 'Lecture', type_ar: 'محاضرة', taken: 30, quota: 20, over_quota: 5 },
      },
    ])
    // Seats above the quota were given by staff: saving them unchanged is no mistake, lowering the quota further is.
    const over = { stored: [stored({ quota: 28, over_quota: 5 })] }
    expect(codes([slot({ id: 7, quota: 28, over_quota: 5 })], over)).toEqual([])
    expect(codes([slot({ id: 7, quota: 27, over_quota: 6 })], over)).toEqual(['slots.0.quota: quota_below_taken'])
  })
  test('a meeting with students or a wait list stays', () => {
    expect(codes([], { stored: [stored()] })).toEqual(['slots: slot_taken_stays'])
    expect(codes([], { stored: [stored({ taken: 0, waiting: 2 })] })).toEqual(['slots: slot_waiting_stays'])
    expect(codes([], { stored: [stored({ taken: 0 })] })).toEqual([])
    expect(codes([], { stored: [stored({ taken: 1 })] })).toEqual(['slots: slot_taken_stays'])
    expect(codes([slot({ id: 7, group: 2 })], { stored: [stored()] })).toEqual(['slots.0.type: slot_type_fixed'])
    expect(codes([slot({ id: 7, type: 'Lab' })], { stored: [stored()] })).toEqual(['slots.0.type: slot_type_fixed'])
    expect(codes([slot({ id: 7, type: 'Lab', group: 2 })], { stored: [stored({ taken: 0 })] })).toEqual([])
  })
  test('a room that is gone, or too small but for what it holds already', () => {
    expect(codes([slot({ location_id: 9 })])).toEqual(['slots.0.location_id: room_unknown'])
    expect(codes([slot({ location_id: 2 })])).toEqual(['slots.0.location_id: room_too_small'])
    const kept = stored({ location_id: 2, quota: 50, over_quota: 5 })
    expect(codes([slot({ id: 7, location_id: 2 })], { stored: [kept] })).toEqual([])
  })
  test('every reason at once', () => {
    expect(
      codes(
        [
          slot({ quota: 70 }),
          slot({ group: 3, slot_id: 1 }),
          slot({ day: 2, slot_id: null }),
          slot({ id: 99, slot_id: 99 }),
        ],
        {
          others: [{ day: 0, slot_id: 1, location_id: 1, instructor_ids: [1], name: 'PHY101 (1)' }],
        },
      ),
    ).toEqual([
      'slots.0.location_id: room_too_small',
      'slots.1.group: slot_group_beyond',
      'slots.2.slot_id: slot_time_incomplete',
      'slots.3.id: slot_unknown_here',
      'slots.3.slot_id: slot_period_unknown',
      'slots.0.location_id: room_taken',
      'slots.0.instructor_ids: instructor_busy',
      'slots.1.location_id: room_taken',
      'slots.1.instructor_ids: instructor_busy',
    ])
  })
  test('periods that overlap clash although they are two', () => {
    expect(periodsMeet(PERIODS[0]!, PERIODS[4]!)).toBe(true)
    expect(periodsMeet(PERIODS[0]!, PERIODS[1]!)).toBe(false)
    expect(
      codes([slot({ slot_id: 2 })], {
        others: [{ day: 0, slot_id: 5, location_id: 1, instructor_ids: [], name: 'X' }],
      }),
    ).toEqual(['slots.0.location_id: room_taken'])
  })
  test('an online room holds any number at once', () => {
    expect(
      codes([slot({ location_id: 4, instructor_ids: [] }), slot({ group: 2, location_id: 4, instructor_ids: [] })]),
    ).toEqual([])
  })
  test('a group must be attendable: alternatives may overlap, what belongs together may not', () => {
    const lab = (more: Partial<PlannedMeeting>) => slot({ type: 'Lab', location_id: null, instructor_ids: [], ...more })
    expect(codes([slot(), lab({ slot_id: 1 })])).toEqual(['slots: group_not_attendable'])
    expect(codes([slot(), lab({ slot_id: 1, section: 'A' }), lab({ slot_id: 2, section: 'B' })])).toEqual([])
    expect(codes([slot(), lab({ slot_id: 1, section: 'A' }), lab({ slot_id: 2, section: 'A' })])).toEqual([
      'slots: group_not_attendable',
    ])
  })
})

test('hours become meetings, sections share the seats of the group', () => {
  expect([0, 1, 2, 3, 4].map((h) => meetingCountOf(h, 90))).toEqual([0, 1, 1, 2, 2])
  const plan = planMeetings(
    [1, 2],
    [
      { type: 'Lecture', meetings: 2, sections: 1 },
      { type: 'Lab', meetings: 1, sections: 3 },
    ],
    { quota: 100, over_quota: 4 },
  )
  expect(plan.filter((s) => s.group === 1).map((s) => [s.type, s.section, s.quota, s.over_quota])).toEqual([
    ['Lecture', 'A', 100, 4],
    ['Lecture', 'A', 100, 4],
    ['Lab', 'A', 34, 2],
    ['Lab', 'B', 33, 1],
    ['Lab', 'C', 33, 1],
  ])
  expect(alternatives(plan.filter((s) => s.group === 1 && s.type === 'Lecture')).length).toBe(1)
  expect(alternatives(plan.filter((s) => s.group === 1 && s.type === 'Lab')).length).toBe(3)
})

describe('placing', () => {
  const around = (more: Partial<Placing> = {}): Placing => ({
    periods: PERIODS.slice(0, 4),
    days: [0, 1, 2, 3, 4],
    rooms: [room(1, 60), room(2, 120), room(3, 40, 'lab'), room(5, 60, 'hall', 2)],
    others: [],
    peers: [],
    team: [
      { id: 1, role: 'leader' },
      { id: 2, role: 'assistant' },
    ],
    faculty_id: 1,
    ...more,
  })
  const open = (more: Partial<PlannedMeeting> = {}) =>
    slot({ day: null, slot_id: null, location_id: null, instructor_ids: [], ...more })

  test('the smallest room that fits, of the own faculty; lecturers lecture, assistants the rest', () => {
    const { slots, unplaced } = placeMeetings([open(), open({ type: 'Lab', quota: 30 })], around())
    expect(unplaced).toEqual([])
    expect(slots[0]).toMatchObject({ location_id: 1, instructor_ids: [1] })
    expect(slots[1]).toMatchObject({ location_id: 3, instructor_ids: [2] })
  })
  test('says why there is no place', () => {
    expect(placeMeetings([open({ quota: 500 })], around()).unplaced).toEqual([{ index: 0, reason: 'no_room' }])
    const everywhere = [1, 2, 3, 4].flatMap((slot_id) =>
      [0, 1, 2, 3, 4].map((day) => ({ day, slot_id, location_id: null, instructor_ids: [1], name: 'X' })),
    )
    expect(placeMeetings([open()], around({ others: everywhere })).unplaced).toEqual([
      { index: 0, reason: 'no_instructor' },
    ])
  })
  test('keeps away from the hours of the same students', () => {
    const peers = [1, 2, 3].map((slot_id) => ({ day: 0, slot_id }))
    const { slots } = placeMeetings([open()], around({ peers, days: [0] }))
    expect(slots[0]?.slot_id).toBe(4)
  })
  test('never a clash of room, instructor or group, whatever is there', () => {
    const other = fc.record({
      day: fc.integer({ min: 0, max: 4 }),
      slot_id: fc.integer({ min: 1, max: 5 }),
      location_id: fc.option(fc.integer({ min: 1, max: 5 })),
      instructor_ids: fc.array(fc.integer({ min: 1, max: 2 }), { maxLength: 1 }),
      name: fc.constant('X'),
    })
    fc.assert(
      fc.property(
        fc.array(other, { maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 20, max: 70 }),
        (others, groups, sections, quota) => {
          const wanted = planMeetings(
            Array.from({ length: groups }, (_, i) => i + 1),
            [
              { type: 'Lecture', meetings: 2, sections: 1 },
              { type: 'Lab', meetings: 1, sections },
            ],
            { quota, over_quota: 2 },
          )
          const { slots, unplaced } = placeMeetings(wanted, around({ others, periods: PERIODS }))
          expect(slots.filter((s) => s.day === null).length).toBe(unplaced.length)
          // Others may clash among themselves; the placed must not add to that.
          const rooms = new Map(around().rooms.map((r) => [r.id, r]))
          expect(
            checkSlots(slots, context({ groups, others, rooms })).filter((r) => r.code !== 'group_not_attendable'),
          ).toEqual([])
          for (let g = 1; g <= groups; g++) {
            const mine = slots.filter((s) => s.group === g && s.day !== null)
            for (const a of mine.filter((s) => s.type === 'Lecture'))
              for (const b of mine.filter((s) => s !== a))
                expect(a.day === b.day && periodsMeet(PERIODS[a.slot_id! - 1]!, PERIODS[b.slot_id! - 1]!)).toBe(false)
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})
