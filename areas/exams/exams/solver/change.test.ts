import { describe, expect, test } from 'vitest'
import { evaluatePlacement } from './evaluate.rules.ts'
import { NO_WEIGHTS } from './formats.rules.ts'
import { whyImpossible } from './impossible.rules.ts'
import { madeProblem } from './made.rules.ts'
import type { ExamProblem, ExamPlacement, ProblemExam } from './problem.contract.ts'
import { repair } from './repair.rules.ts'
import { solve } from './solve.rules.ts'
import { obstacles } from './unplaced.rules.ts'

const weights = { ...NO_WEIGHTS, spread: [16, 8, 4, 2, 1] }

/** Exams 100, 101 … of one writer and an hour; slots of an hour. */
function problem(exams: Partial<ProblemExam>[], slots: number, more: Partial<ExamProblem> = {}): ExamProblem {
  return {
    slots: Array.from({ length: slots }, (_, i) => ({ id: 10 + i, day: i, minutes: 60 })),
    halls: [],
    exams: exams.map((exam, i) => ({ id: 100 + i, size: 1, minutes: 60, ...exam })),
    students: [],
    weights,
    ...more,
  }
}
const free = (count: number): Partial<ProblemExam>[] => Array.from({ length: count }, () => ({}))
const halls = [
  { id: 70, seats: 20 },
  { id: 71, seats: 30 },
]

describe('why there is no plan', () => {
  test('a possible problem has no reason', () => {
    const made = madeProblem(1, { exams: 40, slots: 12, halls: 5, students: 100, each: 4, rules: true })
    expect(whyImpossible(made)).toEqual([])
  })

  test('exams that all need different slots and have too few, named without the others', () => {
    const made = problem(free(7), 3, {
      students: [
        [0, 1, 2],
        [0, 3],
        [1, 3],
        [2, 3],
        [4, 5],
        [5, 6],
      ],
    })
    expect(whyImpossible(made)).toEqual([{ code: 'too_few_slots', data: { exams: expect.any(Array), slots: 3 } }])
    const [reason] = whyImpossible(made)
    expect(reason!.data.exams.toSorted()).toEqual([100, 101, 102, 103])
  })

  test('few exams with many slots, but bound to the same few', () => {
    const bound = { slots: [4, 5] }
    const made = problem([bound, bound, bound, {}], 9, { students: [[0, 1, 2, 3]] })
    const [reason, ...more] = whyImpossible(made)
    expect(more).toEqual([])
    expect(reason).toMatchObject({ code: 'too_few_slots', data: { slots: 2 } })
    expect(reason!.data.exams.toSorted()).toEqual([100, 101, 102])
  })

  test('more writers than seats, too long, no slot, all seats together too few', () => {
    const exams = [{ size: 51 }, { size: 31, maxHalls: 1 }, { minutes: 61 }, { slots: [] }, { size: 50 }]
    expect(whyImpossible(problem(exams, 2, { halls }))).toEqual([
      { code: 'too_few_seats', data: { exams: [], needed: 134, seats: 100 } },
      { code: 'exam_too_large', data: { exams: [100], writers: 51, seats: 50 } },
      { code: 'exam_too_large', data: { exams: [101], writers: 31, seats: 30 } },
      { code: 'exam_too_long', data: { exams: [102], minutes: 61 } },
      { code: 'no_slot', data: { exams: [103] } },
    ])
  })

  test('locked exams that clash, fill a hall, or stand in the wrong order', () => {
    const fixed = (slot: number, seats: number) => ({ size: seats, fixed: { slot, halls: [{ hall: 0, seats }] } })
    const made = problem([fixed(1, 15), fixed(1, 6), { fixed: { slot: 0 } }], 3, {
      halls,
      students: [[0, 1]],
      after: [[2, 0]],
    })
    expect(whyImpossible(made)).toEqual([
      { code: 'locked_clash', data: { exams: [100, 101], students: 1, slots: [11, 11] } },
      { code: 'locked_order', data: { exams: [102, 100] } },
      { code: 'locked_hall', data: { exams: [100, 101], slot: 11, hall: 70, seats: 20 } },
      { code: 'too_few_slots', data: { exams: [101, 100], slots: 1 } },
    ])
  })

  test('no invigilators for any hall that holds it', () => {
    const guarded = halls.map((hall) => ({ ...hall, invigilators: 2 }))
    const made = problem(free(1), 2, { halls: guarded, staff: [{ id: 1 }, { id: 2, away: [0, 1] }] })
    expect(whyImpossible(made)).toEqual([{ code: 'too_few_invigilators', data: { exams: [100], needed: 2, staff: 1 } }])
  })

  test('slot by slot, what keeps out an exam that found no place', () => {
    const made = problem([{ size: 15 }, { size: 40 }, { size: 12, alone: true }, { size: 12, slots: [0, 1, 2] }], 4, {
      halls: [{ ...halls[0]!, closed: [2] }, halls[1]!],
      students: [
        [0, 3],
        [0, 3],
      ],
      after: [[2, 3]],
    })
    const plan: ExamPlacement[] = [
      { slot: 0, halls: [{ hall: 0, seats: 15 }] },
      {
        slot: 1,
        halls: [
          { hall: 0, seats: 15 },
          { hall: 1, seats: 25 },
        ],
      },
      { slot: 2, halls: [{ hall: 1, seats: 12 }] },
      { slot: -1, halls: [] },
    ]
    expect(obstacles(made, plan, 3)).toEqual([
      { slot: 10, forbidden: false, clashes: [{ exam: 100, students: 2 }], orders: [], seatsLacking: 0 },
      { slot: 11, forbidden: false, clashes: [], orders: [], seatsLacking: 2 },
      { slot: 12, forbidden: false, clashes: [], orders: [102], seatsLacking: 12 },
      { slot: 13, forbidden: true, clashes: [], orders: [102], seatsLacking: 0 },
    ])
  })

  test('orders in a ring or too long; together and apart', () => {
    const ring = problem(free(5), 9, {
      after: [
        [0, 1],
        [1, 2],
        [2, 0],
        [3, 0],
      ],
    })
    expect(whyImpossible(ring)).toEqual([{ code: 'order_in_a_ring', data: { exams: [100, 101, 102] } }])
    const long = problem(free(4), 3, {
      after: [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    })
    expect(whyImpossible(long)).toEqual([{ code: 'order_too_long', data: { exams: [100, 101, 102, 103], slots: 3 } }])
    const both = problem(free(2), 3, { together: [[0, 1]], apart: [[1, 0]] })
    expect(whyImpossible(both)).toEqual([{ code: 'together_and_apart', data: { exams: [100, 101] } }])
  })
})

describe('the smallest change that makes a plan right again', () => {
  const made = madeProblem(4, { exams: 60, slots: 15, halls: 8, students: 200, each: 4, rules: true })
  const { placements: plan, cost } = solve(made, { iterations: 40_000 })

  test('a right plan stays as it is', () => {
    expect(cost.brokenCount).toBe(0)
    const { moved, rehoused, placements } = repair(made, plan)
    expect([moved, rehoused]).toEqual([[], []])
    expect(placements).toEqual(plan)
  })

  test('an exam that must move', () => {
    for (const exam of [3, 17, 40]) {
      const found = repair(made, plan, { mustMove: [exam] })
      expect(found.cost.brokenCount).toBe(0)
      expect(found.moved).toContain(exam)
      expect(found.moved.length).toBeLessThanOrEqual(5)
    }
  })

  test('a hall that is lost: its exams find others, in their slots where that can be', () => {
    const use = plan.findIndex(({ halls: used }) => used.length > 0)
    const { hall } = plan[use]!.halls[0]!
    const { slot } = plan[use]!
    const lost = {
      ...made,
      halls: made.halls.map((one, i) => (i === hall ? { ...one, closed: [...(one.closed ?? []), slot] } : one)),
    }
    expect(evaluatePlacement(lost, plan).brokenCount).toBeGreaterThan(0)
    const found = repair(lost, plan)
    expect(found.cost.brokenCount).toBe(0)
    expect(found.moved.length).toBeLessThanOrEqual(5)
    expect(found.moved.length + found.rehoused.length).toBeGreaterThan(0)
  })

  test('a late registration that makes a clash moves one of the two, whichever is better', () => {
    const [a, b] = [...plan.keys()]
      .flatMap((one) => [...plan.keys()].map((other) => [one, other] as const))
      .find(([one, other]) => one < other && plan[one]!.slot === plan[other]!.slot)!
    const exams = made.exams.map((exam, i) => (i === a || i === b ? { ...exam, size: exam.size + 1 } : exam))
    const late = { ...made, exams, students: [...made.students, [a, b]] }
    const found = repair(late, plan)
    expect(found.cost.brokenCount).toBe(0)
    expect(found.moved.length).toBe(1)
    expect([a, b]).toContain(found.moved[0])
  })

  test('the one that is locked stays, and who is in its way goes', () => {
    const tight = problem([{ fixed: { slot: 0 } }, {}, {}], 3, {
      students: [
        [0, 1],
        [1, 2],
        [0, 2],
      ],
    })
    const present: ExamPlacement[] = [0, 0, 1].map((slot) => ({ slot, halls: [] }))
    const found = repair(tight, present)
    expect(found.placements.map(({ slot }) => slot)).toEqual([0, 2, 1])
    expect(found.moved).toEqual([1])
  })

  test('where many must move at once, the search finds a plan near the present one', () => {
    const many = [...plan.keys()].filter((exam) => exam % 5 === 0)
    const found = repair(made, plan, { mustMove: many, seconds: 1.5 })
    expect(found.cost.brokenCount).toBe(0)
    for (const exam of many) expect(found.moved).toContain(exam)
    expect(found.moved.length).toBeLessThanOrEqual(many.length + 10)
  })

  test('a hall lost in many slots: from each that is too full goes one, the smallest that makes up for it', () => {
    // In every slot halls of 10, 10 and 4 are full; the hall of 4 is lost. Each slot has an exam of 3, which is too small, and one of 5.
    const sizes = [12, 5, 4, 3]
    const exams = [0, 1, 2].flatMap((slot) => sizes.map((size) => ({ size, slot })))
    const tight = problem(
      exams.map(({ size }) => ({ size })),
      6,
      { halls: [10, 10, 4].map((seats, id) => ({ id, seats, ...(seats === 4 && { closed: [0, 1, 2, 3, 4, 5] }) })) },
    )
    const spread = (size: number, free: number[]) =>
      free.flatMap((seats, hall) => {
        const here = Math.min(seats, size)
        free[hall]! -= here
        size -= here
        return here ? [{ hall, seats: here }] : []
      })
    const left = [0, 1, 2].map(() => [10, 10, 4])
    const present = exams.map(({ size, slot }) => ({ slot, halls: spread(size, left[slot]!) }))
    const found = repair(tight, present, { seconds: 2 })
    expect(found.cost.brokenCount).toBe(0)
    expect(found.moved.map((exam) => exams[exam]!.size)).toEqual([4, 4, 4])
  })

  test('of equal changes the one that costs least', () => {
    const made = problem(free(2), 9, { students: [[0, 1]] })
    const found = repair(
      made,
      [4, 8].map((slot) => ({ slot, halls: [] })),
      { mustMove: [0] },
    )
    expect([found.cost.total, found.moved]).toEqual([0, [0]])
  })

  test('a chain: the only slot for one is that of another', () => {
    const chain = problem([{ slots: [0, 1] }, { slots: [1, 2] }, {}], 3, {
      students: [
        [0, 1],
        [1, 2],
      ],
    })
    const present: ExamPlacement[] = [0, 1, 2].map((slot) => ({ slot, halls: [] }))
    const found = repair(chain, present, { mustMove: [0] })
    expect(found.cost.brokenCount).toBe(0)
    expect(found.placements.map(({ slot }) => slot).slice(0, 2)).toEqual([1, 2])
    expect(found.moved).toHaveLength(3)
  })
})
