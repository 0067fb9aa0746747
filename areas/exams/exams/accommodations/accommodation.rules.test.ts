import { describe, expect, test } from 'vitest'
import { NO_WEIGHTS } from '../solver/formats.rules.ts'
import { assignStaff } from '../solver/staff.rules.ts'
import { evaluatePlacement } from '../solver/evaluate.rules.ts'
import { madeProblem } from '../solver/made.rules.ts'
import { repair } from '../solver/repair.rules.ts'
import { solve } from '../solver/solve.rules.ts'
import { obstacles } from '../solver/unplaced.rules.ts'
import type { ExamProblem } from '../solver/problem.contract.ts'
import { partHalls } from '../placement/placement.rules.ts'
import { ExamBoard, figuresOf, verdictOf, type Board } from '../board/board.rules.ts'
import {
  accommodationReasons,
  arrangeHalls,
  extraMinutes,
  holdReasons,
  longerReasons,
  type HeldHall,
  type Need,
} from './accommodation.rules.ts'

const term = (name: string, start_date: string, end_date: string) => ({ name, name_local: name, start_date, end_date })
const autumn = term('Autumn', '2026-09-20', '2027-01-20')
const spring = term('Spring', '2027-02-10', '2027-06-10')

describe('what is granted', () => {
  const codes = (...of: Parameters<typeof accommodationReasons>) =>
    accommodationReasons(...of).map((one) => `${one.code}@${one.field}`)
  test('every reason at once: nothing granted, help among others, terms the wrong way round, another one there', () => {
    const free = { from: autumn, to: null, others: [] }
    expect(codes({ extra_percent: 25, own_room: false, helper: null }, free)).toEqual([])
    expect(codes({ extra_percent: null, own_room: true, helper: 'reader' }, free)).toEqual([])
    expect(
      codes(
        { extra_percent: null, own_room: false, helper: 'scribe' },
        { from: spring, to: autumn, others: [{ from: 'Autumn', from_local: 'الخريف' }] },
      ),
    ).toEqual([
      'exam_accommodation_nothing@extra_percent',
      'exam_accommodation_helper@helper',
      'exam_accommodation_order@to_term_id',
      'exam_accommodation_there@from_term_id',
    ])
  })
  test('begun minutes count', () => {
    expect([extraMinutes(120, 25), extraMinutes(90, 33), extraMinutes(50, 5)]).toEqual([30, 30, 3])
  })
})

describe('halls that are held', () => {
  const hall = (location_id: number, seats: number, more: Partial<HeldHall> = {}): HeldHall => ({
    location_id,
    seats,
    extra: 0,
    own_room: false,
    helper: null,
    alone: true,
    free_for: 1200,
    long_seated: 0,
    ...more,
  })
  const long = (minutes: number): Need => ({ minutes, own_room: false, helper: null })
  const alone = (minutes = 0, helper: Need['helper'] = null): Need => ({ minutes, own_room: true, helper })

  test('those with more time are in the smallest hall that holds them, which is held until the last has written', () => {
    const { halls, hall_lacking } = arrangeHalls(90, [hall(1, 50), hall(2, 40)], [], [long(30), long(15)])
    expect(halls.map((one) => [one.location_id, one.extra])).toEqual([
      [1, 0],
      [2, 30],
    ])
    expect(hall_lacking).toBe(0)
    // Where they sit already, or the hall is held already, it stays so.
    const seated = arrangeHalls(90, [hall(1, 50, { long_seated: 2 }), hall(2, 40)], [], [long(30), long(15)])
    expect(seated.halls.map((one) => one.extra)).toEqual([30, 0])
    const held = arrangeHalls(90, [hall(1, 50, { extra: 30 }), hall(2, 40)], [], [long(30)])
    expect(held.halls.map((one) => one.extra)).toEqual([30, 0])
  })
  test('a hall that is used next before the last has written is not held; where none can be, they are counted', () => {
    const next = arrangeHalls(90, [hall(1, 50), hall(2, 40, { free_for: 15 })], [], [long(30)])
    expect(next.halls.map((one) => one.extra)).toEqual([30, 0])
    const none = arrangeHalls(90, [hall(1, 50, { free_for: 29 }), hall(2, 40, { free_for: 15 })], [], [long(30)])
    expect([none.hall_lacking, none.halls.map((one) => one.extra)]).toEqual([1, [0, 0]])
    // More than one hall holds: as many halls as they need.
    const many = arrangeHalls(4, [hall(1, 2), hall(2, 2)], [], [long(30), long(30), long(30)])
    expect([many.hall_lacking, many.halls.map((one) => one.extra)]).toEqual([0, [30, 30]])
  })
  test('each student who sits alone has a hall, the smallest that is free, and leaves a seat in the largest', () => {
    const free = [
      { location_id: 8, places: 40, free_for: 1200 },
      { location_id: 9, places: 6, free_for: 1200 },
    ]
    const { halls, rooms_lacking } = arrangeHalls(90, [hall(1, 50), hall(2, 40)], free, [alone(30, 'reader'), alone()])
    expect(halls).toEqual([
      { location_id: 1, seats: 48, extra: 0, own_room: false, helper: null },
      { location_id: 2, seats: 40, extra: 0, own_room: false, helper: null },
      { location_id: 9, seats: 1, extra: 30, own_room: true, helper: 'reader' },
      { location_id: 8, seats: 1, extra: 0, own_room: true, helper: null },
    ])
    expect(rooms_lacking).toBe(0)
    expect(arrangeHalls(90, [hall(1, 90)], [free[0]!], [alone(), alone()]).rooms_lacking).toBe(1)
    // A hall that is used again too early is none.
    expect(arrangeHalls(9, [hall(1, 9)], [{ ...free[1]!, free_for: 10 }], [alone(30)]).rooms_lacking).toBe(1)
  })
  test('never two of them in one hall, nor where another exam is; a room that is there stays, one that nobody needs is a hall again', () => {
    const shared = arrangeHalls(11, [hall(1, 10), hall(2, 1, { alone: false })], [], [alone()])
    expect([shared.rooms_lacking, shared.halls.some((one) => one.own_room)]).toEqual([1, false])
    const kept = arrangeHalls(11, [hall(1, 10), hall(2, 1, { own_room: true, extra: 20 })], [], [alone(20)])
    expect(kept.halls.find((one) => one.own_room)).toMatchObject({ location_id: 2, extra: 20 })
    const given = arrangeHalls(11, [hall(1, 10), hall(2, 1)], [], [alone()])
    expect(given.halls.find((one) => one.own_room)?.location_id).toBe(2)
    const over = arrangeHalls(11, [hall(1, 10), hall(2, 1, { own_room: true, extra: 20 })], [], [])
    expect(over.halls[1]).toEqual({ location_id: 2, seats: 1, extra: 0, own_room: false, helper: null })
  })
  test('every reason is told: rooms, what begins there next, who is elsewhere then', () => {
    const next = { hall: 'H', hall_local: 'ق', course: 'A', starts: '11:00', until: '11:30' }
    const busy = { instructor: 'I', instructor_local: 'م', starts: '11:10', until: '11:30' }
    expect(holdReasons({ rooms_lacking: 2, hall_lacking: 1 }, [next], [busy]).map((one) => one.code)).toEqual([
      'exam_rooms_lacking',
      'exam_hall_next',
      'exam_invigilator_longer',
    ])
    expect(holdReasons({ rooms_lacking: 0, hall_lacking: 1 }, [], [])[0]).toMatchObject({
      code: 'exam_hall_held_lacking',
      data: { count: 1 },
    })
    expect(holdReasons({ rooms_lacking: 0, hall_lacking: 0 }, [next], [])).toEqual([])
    const meeting = { course: 'A', starts: '11:00', count: 1, students: [], students_local: [] }
    expect(longerReasons([meeting])[0]?.data).toMatchObject({ students: '–', count: 1 })
  })
  test('of halls of a plan the rooms are whose they are, and those with more time are where it is held', () => {
    const parts = [
      { own: false, size: 2 },
      { own: true, size: 1 },
    ]
    const halls = [
      { hall: 0, seats: 30 },
      { hall: 1, seats: 10, long: true },
      { hall: 2, seats: 1, own: true },
    ]
    expect(partHalls(halls, parts)).toEqual({
      main: [
        { hall: 0, seats: 30 },
        { hall: 1, seats: 8 },
      ],
      parts: [[{ hall: 1, seats: 2 }], [{ hall: 2, seats: 1 }]],
    })
    // Of one that does not tell: a hall with one seat that nobody shares.
    expect(
      partHalls(
        [
          { hall: 0, seats: 9 },
          { hall: 3, seats: 1, shared: true },
        ],
        [{ own: true, size: 1 }],
      ).parts,
    ).toEqual([[]])
  })
})

describe('the solver', () => {
  /** Three slots of a morning, a quarter of an hour apart, and two halls. */
  const problem = (
    exams: ExamProblem['exams'],
    students: number[][],
    more: Partial<ExamProblem> = {},
  ): ExamProblem => ({
    slots: [0, 1, 2].map((id) => ({ id, day: 1, start: id * 135, minutes: 120 })),
    halls: [
      { id: 0, seats: 10, invigilators: 1 },
      { id: 1, seats: 10, invigilators: 1 },
    ],
    exams,
    students,
    weights: NO_WEIGHTS,
    ...more,
  })
  const exam = (id: number, size: number, over?: number) => ({
    id,
    size,
    minutes: 120,
    ...(over !== undefined && { over: [over, over, over] }),
  })
  const at = (slot: number, hall: number, seats: number) => ({ slot, halls: [{ hall, seats }] })

  test('a student who still writes when the next exam begins has two at once; with time between, has not', () => {
    const longer = problem([exam(0, 1, 30), exam(1, 1)], [[0, 1]])
    expect(evaluatePlacement(longer, [at(0, 0, 1), at(1, 1, 1)]).broken.clashes).toBe(1)
    expect(evaluatePlacement(longer, [at(1, 0, 1), at(0, 1, 1)]).broken.clashes).toBe(0)
    expect(evaluatePlacement(longer, [at(0, 0, 1), at(2, 1, 1)]).broken.clashes).toBe(0)
    const soon = problem([exam(0, 1, 15), exam(1, 1)], [[0, 1]])
    expect(evaluatePlacement(soon, [at(0, 0, 1), at(1, 1, 1)]).brokenCount).toBe(0)
    expect(obstacles(longer, [at(0, 0, 1), { slot: -1, halls: [] }], 1)[1]?.clashes).toEqual([{ exam: 0, students: 1 }])
    expect(obstacles(longer, [{ slot: -1, halls: [] }, at(1, 0, 1)], 0)[0]?.clashes).toEqual([{ exam: 1, students: 1 }])
  })
  test('its hall is not free for the next slot, and who looks after it neither', () => {
    const longer = problem([exam(0, 1, 30), exam(1, 1)], [[0], [1]], { staff: [{ id: 7 }, { id: 8 }] })
    expect(evaluatePlacement(longer, [at(0, 0, 1), at(1, 0, 1)]).broken.capacity).toBe(1)
    const apart = [at(0, 0, 1), at(1, 1, 1)]
    expect(evaluatePlacement(longer, apart).brokenCount).toBe(0)
    const one = [
      { slot: 0, hall: 0, staff: [0] },
      { slot: 1, hall: 1, staff: [0] },
    ]
    expect(evaluatePlacement(longer, apart, one).broken.staff).toBe(1)
    const duties = assignStaff(longer, apart, 1)
    expect(new Set(duties.flatMap((duty) => duty.staff)).size).toBe(2)
    expect(evaluatePlacement(longer, apart, duties).broken.staff).toBe(0)
    // Who is away in the next slot does not begin a duty that lasts into it.
    const away = { ...longer, staff: [{ id: 7 }, { id: 8, away: [1] }, { id: 9 }] }
    for (let seed = 1; seed <= 12; seed += 1)
      expect(evaluatePlacement(away, apart, assignStaff(away, apart, seed)).broken.staff).toBe(0)
  })
  test('is avoided in many problems made by chance, and so are its halls; the same problem without it is solved as before', () => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const made = madeProblem(seed, { exams: 24, slots: 9, halls: 4, students: 60, each: 3, rules: seed % 2 === 0 })
      const plain = solve(made, { iterations: 20_000, seed })
      expect(plain.cost.broken.clashes).toBe(0)
      // Every fifth exam has somebody who writes 75 minutes longer, into the next slot of the day.
      const longer = {
        ...made,
        exams: made.exams.map((one, i) => (i % 5 === 0 ? { ...one, over: made.slots.map(() => 75) } : one)),
      }
      const found = solve(longer, { iterations: 20_000, seed })
      expect(found.cost.broken).toEqual({ ...plain.cost.broken, staff: found.cost.broken.staff })
      expect(found.cost).toEqual(evaluatePlacement(longer, found.placements, found.duties))
      // A plan that was made without it is mended.
      if (evaluatePlacement(longer, plain.placements).brokenCount > plain.cost.brokenCount - plain.cost.broken.staff) {
        const mended = repair(longer, plain.placements, { seconds: 2, seed })
        expect(mended.cost.broken.clashes + mended.cost.broken.capacity).toBe(0)
      }
    }
  })
  test('a room alone is a hall in which nobody else is, at the time of the exam', () => {
    const rooms = problem(
      [exam(0, 8), { ...exam(1, 1, 60), alone: true, maxHalls: 1, watchers: 1 }, exam(2, 6)],
      [
        [0, 2],
        [1, 2],
      ],
      { together: [[0, 1]] },
    )
    const { placements, cost } = solve(rooms, { iterations: 3000 })
    expect(cost.brokenCount).toBe(0)
    expect(placements[0]!.slot).toBe(placements[1]!.slot)
    expect(placements[0]!.halls[0]!.hall).not.toBe(placements[1]!.halls[0]!.hall)
    expect(placements[2]!.slot < placements[0]!.slot || placements[2]!.slot === placements[0]!.slot + 2).toBe(true)
  })
  test('halls are changed where students have too far to go, within their slots', () => {
    const far = problem(
      [exam(0, 5), exam(1, 5), exam(2, 9)],
      [
        [0, 1],
        [0, 1],
      ],
      {
        ways: [
          [0, 20],
          [20, 0],
        ],
        weights: { ...NO_WEIGHTS, ways: 4 },
      },
    )
    const plan = [at(0, 0, 5), at(1, 1, 5), at(2, 1, 9)]
    expect(evaluatePlacement(far, plan).parts.ways).toBe(8)
    const { cost, placements } = solve(far, { iterations: 2000, from: plan })
    expect(cost.parts.ways).toBe(0)
    expect(cost.brokenCount).toBe(0)
    const [a, b] = [placements[0]!, placements[1]!]
    expect(Math.abs(a.slot - b.slot) > 1 || a.halls[0]!.hall === b.halls[0]!.hall).toBe(true)
  })
})

describe('the board', () => {
  const exams = [
    {
      id: 1,
      name: 'A',
      on_date: 'd1',
      exam_slot_id: 1,
      students: [0, 1, 2],
      halls: [{ location_id: 10, seats: 3, building_id: 1 }],
    },
    { id: 2, name: 'B', on_date: null, exam_slot_id: null, students: [0, 3], halls: [] },
  ]
  const board: Board = {
    slots: [
      { id: 1, starts: '09:00', ends: '11:00' },
      { id: 2, starts: '11:15', ends: '13:15' },
    ],
    halls: [
      { id: 10, seats: 5, building_id: 1 },
      { id: 11, seats: 4, building_id: 2 },
    ],
    closed: [],
    closed_halls: [],
    exams,
    others: [],
  }
  const needs = [{ percent: 25, own_room: false }]
  test('a student with more time keeps the next exam out of the slot; others that day are as before', () => {
    expect(verdictOf(new ExamBoard(board).at(exams[1]!, 'd1', 2))).toEqual({ fit: 'minded', count: 1, hurried: false })
    const longer = {
      ...board,
      longer: [[0, 25]] as const,
      exams: [
        { ...exams[0]!, needs },
        { ...exams[1]!, needs },
      ],
    }
    const effect = new ExamBoard(longer).at(longer.exams[1]!, 'd1', 2)
    expect(effect.late).toEqual([{ name: 'A', count: 1 }])
    expect(verdictOf(effect)).toEqual({ fit: 'taken', why: 'late', name: 'A', more: 0 })
    expect(
      figuresOf({ ...longer, exams: [longer.exams[0]!, { ...longer.exams[1]!, on_date: 'd1', exam_slot_id: 2 }] })
        .clashes,
    ).toBe(1)
    // A quarter of an hour is time enough for who has twelve minutes more.
    const short = { ...longer, longer: [[0, 10]] as const }
    expect(new ExamBoard(short).at(longer.exams[1]!, 'd1', 2).late).toEqual([])
  })
  test('a hall that is held longer, or for one alone, is not free; one that is used next is not held', () => {
    const held = { ...board, exams: [{ ...exams[0]!, halls: [{ location_id: 10, seats: 3, extra: 30 }] }, exams[1]!] }
    expect(new ExamBoard(held).free(2, 'd1', 2)).toEqual([
      { id: 10, seats: 0 },
      { id: 11, seats: 4 },
    ])
    const alone = {
      ...board,
      exams: [{ ...exams[0]!, halls: [{ location_id: 10, seats: 1, own_room: true }] }, exams[1]!],
    }
    expect(new ExamBoard(alone).free(2, 'd1', 1)[0]).toEqual({ id: 10, seats: 0 })
    // B is in the slot before, and A begins in one of its halls a quarter of an hour later.
    const late = {
      ...board,
      exams: [
        { ...exams[0]!, exam_slot_id: 2 },
        { ...exams[1]!, students: [3, 4, 5, 6], needs },
      ],
    }
    expect(new ExamBoard(late).seat(late.exams[1]!, 'd1', 1)).toEqual([{ location_id: 11, seats: 4 }])
    const big = { ...late, exams: [late.exams[0]!, { ...late.exams[1]!, students: [3, 4, 5, 6, 7] }] }
    expect(new ExamBoard(big).at(big.exams[1]!, 'd1', 1)).toMatchObject({ fits: true, lacks: null })
    const both = {
      ...big,
      exams: [
        {
          ...big.exams[0]!,
          halls: [
            { location_id: 10, seats: 2 },
            { location_id: 11, seats: 1 },
          ],
        },
        big.exams[1]!,
      ],
    }
    expect(verdictOf(new ExamBoard(both).at(both.exams[1]!, 'd1', 1))).toEqual({ fit: 'taken', why: 'held' })
  })
  test('a student who sits alone has the smallest hall that stands empty', () => {
    const one = { ...exams[1]!, needs: [{ percent: null, own_room: true }] }
    const rules = new ExamBoard({ ...board, exams: [exams[0]!, one] })
    expect(rules.seat(one, 'd2', 1)).toEqual([
      { location_id: 10, seats: 1 },
      { location_id: 11, seats: 1 },
    ])
    expect(verdictOf(rules.at({ ...one, students: [3] }, 'd1', 1))).toMatchObject({ fit: 'free' })
    const two = { ...one, students: [3, 4], needs: [...one.needs, ...one.needs] }
    expect(verdictOf(rules.at(two, 'd1', 1))).toEqual({ fit: 'taken', why: 'held' })
  })
  test('less time between two exams than the way needs is told, and does not stop it', () => {
    const far = { ...board, ways: [[2, 1, 20]] as const }
    const effect = new ExamBoard({ ...far, exams: [exams[0]!, { ...exams[1]!, students: [0, 3] }] }).at(
      exams[1]!,
      'd1',
      2,
    )
    expect(effect.hurried).toBe(1)
    expect(verdictOf(effect)).toEqual({ fit: 'minded', count: 1, hurried: true })
    expect(new ExamBoard({ ...board, ways: [[2, 1, 15]] }).at(exams[1]!, 'd1', 2).hurried).toBe(0)
  })
})
