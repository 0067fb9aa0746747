import { describe, expect, test } from 'vitest'
import { assignSeats, badNeighbours, checkSeats, splitOverHalls } from './seats.rules.ts'
import type { SeatProblem } from './seats.rules.ts'

const list = (n: number, from = 0) => Array.from({ length: n }, (_, i) => from + i)

/** Two exams of 30 in a hall of 60, one of 40 over two halls, one alone in its hall. */
const shared: SeatProblem = {
  halls: [
    { id: 1, seats: 60, perRow: 8 },
    { id: 2, seats: 50 },
    { id: 3, seats: 40, perRow: 5 },
  ],
  exams: [
    { id: 11, students: list(30), halls: [{ hall: 1, seats: 30 }] },
    { id: 12, students: list(30, 100), halls: [{ hall: 1, seats: 30 }] },
    {
      id: 13,
      students: list(40, 200),
      halls: [
        { hall: 2, seats: 25 },
        { hall: 3, seats: 15 },
      ],
    },
    { id: 14, students: list(25, 300), halls: [{ hall: 2, seats: 25 }] },
  ],
  apart: [
    [0, 100],
    [3, 17],
  ],
}

describe('seats', () => {
  test('everybody has one seat of the own hall, no seat is given twice', () => {
    const seats = assignSeats(shared, 1)
    expect(new Set(seats.map(({ student }) => student)).size).toBe(125)
    expect(new Set(seats.map(({ hall, seat }) => `${hall} ${seat}`)).size).toBe(125)
    for (const hall of shared.halls)
      for (const seat of seats.filter((one) => one.hall === hall.id)) {
        expect(seat.seat).toBeGreaterThan(0)
        expect(seat.seat).toBeLessThanOrEqual(hall.seats)
      }
    for (const exam of shared.exams)
      for (const { hall, seats: count } of exam.halls)
        expect(seats.filter((seat) => seat.exam === exam.id && seat.hall === hall)).toHaveLength(count)
  })

  test('neighbours write different exams, and friends sit apart', () => {
    for (const seed of list(8)) expect(badNeighbours(shared, assignSeats(shared, seed))).toEqual([])
  })

  test('with free seats even those of one exam have gaps; without, as few as can be sit together', () => {
    const one = (seats: number, students: number): SeatProblem => ({
      halls: [{ id: 1, seats, perRow: 6 }],
      exams: [
        { id: 1, students: list(students), halls: [{ hall: 1, seats: students }] },
        { id: 2, students: [900], halls: [{ hall: 1, seats: 1 }] },
      ],
    })
    const wide = one(36, 17)
    expect(badNeighbours(wide, assignSeats(wide, 1))).toEqual([])
    const tight = one(36, 35)
    const exams = badNeighbours(tight, assignSeats(tight, 1)).filter(({ why }) => why === 'exam')
    // 60 pairs of neighbours, of which the other exam breaks at most four.
    expect(exams.length).toBe(56)
  })

  test('by chance, but the same for the same seed', () => {
    expect(assignSeats(shared, 5)).toEqual(assignSeats(shared, 5))
    expect(assignSeats(shared, 5)).not.toEqual(assignSeats(shared, 6))
  })

  test('who has a seat keeps it when somebody comes late or goes', () => {
    const before = assignSeats(shared, 1)
    const exams = shared.exams.map((exam) =>
      exam.id === 14
        ? { ...exam, students: [...exam.students.slice(1), 998, 999], halls: [{ hall: 2, seats: 25 }] }
        : exam,
    )
    expect(checkSeats({ ...shared, exams })).toEqual([
      { code: 'exam_not_covered', data: { exam: 14, students: 26, seats: 25 } },
    ])
    const now = {
      ...shared,
      exams: exams.map((exam) => (exam.id === 14 ? { ...exam, students: exam.students.slice(1) } : exam)),
    }
    const after = assignSeats(now, 2, before)
    const kept = new Map(before.map((seat) => [seat.student, `${seat.hall} ${seat.seat}`]))
    const moved = after.filter((seat) => kept.get(seat.student) !== `${seat.hall} ${seat.seat}`)
    expect(moved.map(({ student }) => student).toSorted()).toEqual([998, 999])
  })

  test('what cannot be seated is told in full', () => {
    const wrong: SeatProblem = {
      halls: [{ id: 1, seats: 5 }],
      exams: [
        { id: 1, students: list(4), halls: [{ hall: 1, seats: 4 }] },
        { id: 2, students: [3, 9], halls: [{ hall: 1, seats: 2 }] },
        { id: 3, students: [], halls: [{ hall: 7, seats: 0 }] },
      ],
    }
    expect(checkSeats(wrong).map(({ code }) => code)).toEqual(['hall_unknown', 'hall_too_small', 'student_twice'])
  })

  test('an exam is split over as few halls as can be', () => {
    const halls = [
      { id: 1, free: 30 },
      { id: 2, free: 100 },
      { id: 3, free: 60 },
      { id: 4, free: 0 },
    ]
    expect(splitOverHalls(25, halls)).toEqual([{ hall: 1, seats: 25 }])
    expect(splitOverHalls(120, halls)).toEqual([
      { hall: 2, seats: 100 },
      { hall: 1, seats: 20 },
    ])
    expect(splitOverHalls(120, halls, 1)).toBeUndefined()
    expect(splitOverHalls(191, halls)).toBeUndefined()
  })

  test('20,000 students in 200 halls are seated at once', () => {
    const big: SeatProblem = {
      halls: list(200).map((id) => ({ id, seats: 110, perRow: 10 })),
      exams: list(100).map((id) => ({
        id,
        students: list(200, id * 200),
        halls: list(4).map((part) => ({ hall: (id * 2 + part) % 200, seats: 50 })),
      })),
    }
    const begun = performance.now()
    const seats = assignSeats(big, 1)
    expect(performance.now() - begun).toBeLessThan(30_000)
    expect(seats).toHaveLength(20_000)
    expect(badNeighbours(big, seats)).toEqual([])
  })
})
