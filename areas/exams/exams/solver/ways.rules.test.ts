import { describe, expect, test } from 'vitest'
import { evaluatePlacement } from './evaluate.rules.ts'
import { NO_WEIGHTS } from './formats.rules.ts'
import { hurriedPairs, hurriedShare } from './hurried.rules.ts'
import type { ExamPlacement, ExamProblem, ProblemSlot } from './problem.contract.ts'
import { shortenWays } from './ways.rules.ts'

const slot = (id: number, day: number, start: number | undefined): ProblemSlot => ({
  id,
  day,
  minutes: 60,
  ...(start !== undefined && { start }),
})
/** Nine, half past ten (30 minutes later), two (150 minutes later), half past nine (at once with nine); tomorrow, and some time. */
const SLOTS = [
  slot(0, 0, 540),
  slot(1, 0, 630),
  slot(2, 0, 840),
  slot(3, 0, 570),
  slot(4, 1, 630),
  slot(5, 0, undefined),
]
/** The third hall lies far from the others. */
const WAYS = [
  [0, 10, 45],
  [10, 0, 45],
  [45, 45, 0],
]
const problem = (students: number[][], more: Partial<ExamProblem> = {}): ExamProblem => ({
  slots: SLOTS,
  halls: [0, 1, 2].map((id) => ({ id, seats: 20 })),
  exams: [0, 1, 2].map((id) => ({ id, minutes: 60, size: students.filter((one) => one.includes(id)).length })),
  students,
  ways: WAYS,
  weights: { ...NO_WEIGHTS, ways: 10 },
  ...more,
})
const pair = { a: 0, b: 1, students: 4, gap: 30 }
const both = [
  [0, 1],
  [0, 1],
]
const at = (slots: number, ...halls: (readonly [hall: number, seats: number])[]): ExamPlacement => ({
  slot: slots,
  halls: halls.map(([hall, seats]) => ({ hall, seats })),
})

describe('who hurries', () => {
  test.each([
    ['half an hour between halls that may be 45 minutes apart', both, [0, 1], [{ a: 0, b: 1, students: 2, gap: 30 }]],
    ['the later one named first', both, [1, 0], [{ a: 0, b: 1, students: 2, gap: 30 }]],
    ['time enough', both, [0, 2], []],
    ['at once, which is a clash', both, [0, 3], []],
    ['another day', both, [0, 4], []],
    ['a slot without a time', both, [0, 5], []],
    ['one without a place', both, [0, -1], []],
    ['nobody writes both', [[0], [1]], [0, 1], []],
    ['an exam named twice counts once', [[0, 1, 1]], [0, 1], [{ a: 0, b: 1, students: 1, gap: 30 }]],
    [
      'in whatever order each student has them',
      [
        [0, 1],
        [1, 0],
      ],
      [0, 1],
      [{ a: 0, b: 1, students: 2, gap: 30 }],
    ],
  ])('%s', (_, students, slots, pairs) => {
    expect(hurriedPairs(problem(students), [...slots, 4])).toEqual(pairs)
  })

  test('the longest way is the limit: what it takes is enough time', () => {
    const ways = (longest: number) => [
      [0, longest],
      [longest, 0],
    ]
    expect(hurriedPairs(problem(both, { ways: ways(30) }), [0, 1, -1])).toEqual([])
    expect(hurriedPairs(problem(both, { ways: ways(31) }), [0, 1, -1])).toHaveLength(1)
    expect(hurriedPairs(problem(both, { ways: undefined }), [0, 1, -1])).toEqual([])
  })

  test.each([
    ['in one hall', at(0, [0, 10]), at(1, [0, 10]), 0],
    ['near', at(0, [0, 10]), at(1, [1, 10]), 0],
    ['far', at(0, [0, 10]), at(1, [2, 10]), 4],
    ['a quarter of one far', at(0, [0, 15], [2, 5]), at(1, [1, 10]), 1],
    ['half of each far from half of the other', at(0, [0, 5], [2, 5]), at(1, [1, 5], [2, 5]), 2],
    ['without halls', at(0), at(1, [2, 10]), 0],
    ['the other without halls', at(0, [2, 10]), at(1), 0],
  ])('%s: so many of four', (_, one, other, share) => {
    expect(hurriedShare(problem(both), [one, other], pair)).toBeCloseTo(share)
  })

  test('a way that takes exactly the time between is none too long', () => {
    expect(hurriedShare(problem(both), [at(0, [0, 1]), at(1, [2, 1])], { ...pair, gap: 45 })).toBe(0)
    expect(hurriedShare(problem(both), [at(0, [0, 1]), at(1, [2, 1])], { ...pair, gap: 44 })).toBe(4)
  })
})

describe('ways are shortened', () => {
  const far = [at(0, [0, 2]), at(1, [2, 2]), at(4, [0, 0])]
  const cost = (of: ExamProblem, plan: readonly ExamPlacement[]) => evaluatePlacement(of, plan)

  test('an exam changes into a free hall near the other, in its slot', () => {
    const made = problem(both)
    expect(cost(made, far).parts.ways).toBe(20)
    const near = shortenWays(made, far)
    expect(cost(made, near)).toMatchObject({ total: 0, brokenCount: cost(made, far).brokenCount })
    expect(near.map((one) => one.slot)).toEqual(far.map((one) => one.slot))
  })

  test('in exchange with one that is there', () => {
    // Both near halls are taken in both slots by what nobody else writes.
    const exams = [0, 1, 2, 3, 4, 5].map((id) => ({ id, minutes: 60, size: id < 2 ? 2 : 15 }))
    const students = [...both, ...[2, 3, 4, 5].flatMap((exam) => Array.from({ length: 15 }, () => [exam]))]
    const made = problem(students, { exams, halls: [0, 1, 2].map((id) => ({ id, seats: 16 })) })
    const full = [at(0, [0, 2]), at(1, [2, 2]), at(1, [0, 15]), at(1, [1, 15]), at(0, [1, 15]), at(0, [2, 15])]
    const near = shortenWays(made, full)
    expect(cost(made, near)).toMatchObject({ brokenCount: 0, total: 0 })
  })

  test.each<[string, Partial<ExamProblem>]>([
    ['nobody minds', { weights: { ...NO_WEIGHTS, ways: 0 } }],
    ['no ways are known', { ways: undefined }],
    [
      'both are locked in their halls',
      {
        exams: far
          .slice(0, 2)
          .map(({ slot: fixed, halls }, id) => ({ id, minutes: 60, size: 2, fixed: { slot: fixed, halls } })),
      },
    ],
    [
      'the nearer halls cost more than the way',
      {
        halls: [0, 1, 2].map((id) => ({ id, seats: 2, penalty: id < 2 ? 50 : 0 })),
        weights: { ...NO_WEIGHTS, ways: 10, halls: 1 },
        exams: [
          { id: 0, minutes: 60, size: 2, fixed: { slot: 0, halls: far[0]!.halls } },
          { id: 1, minutes: 60, size: 2 },
        ],
      },
    ],
    ['they may be in no other', { exams: [0, 1].map((id) => ({ id, minutes: 60, size: 2, halls: [id * 2] })) }],
  ])('nothing moves where %s', (_, more) => {
    const two = far.slice(0, 2)
    expect(
      shortenWays(problem(both, { exams: [0, 1].map((id) => ({ id, minutes: 60, size: 2 })), ...more }), two),
    ).toEqual(two)
  })

  test('nothing moves when the time is over', () => {
    expect(shortenWays(problem(both), far, () => true)).toEqual(far)
  })
})
