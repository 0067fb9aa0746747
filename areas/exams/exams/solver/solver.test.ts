import { describe, expect, test } from 'vitest'
import { construct, Repairer } from './construct.rules.ts'
import { evaluatePlacement } from './evaluate.rules.ts'
import {
  FormatError,
  NO_WEIGHTS,
  readItc2007,
  readItc2007Solution,
  readToronto,
  writeItc2007,
  writeToronto,
} from './formats.rules.ts'
import { EVERY_WISH, madeProblem } from './made.rules.ts'
import { compile, Random } from './model.rules.ts'
import { Plan } from './plan.rules.ts'
import type { ExamProblem, ExamPlacement } from './problem.contract.ts'
import { PlacementSearch, UNPLACED } from './search.rules.ts'
import { solve } from './solve.rules.ts'
import { assignStaff } from './staff.rules.ts'

const at = (...slots: number[]): ExamPlacement[] => slots.map((slot) => ({ slot, halls: [] }))

/** Exams of 60 minutes with one writer each, unless told; slots of 60 minutes, each a day of its own. */
function problem(exams: number, slots: number, students: number[][], more: Partial<ExamProblem> = {}): ExamProblem {
  return {
    slots: Array.from({ length: slots }, (_, id) => ({ id, day: id, minutes: 60 })),
    halls: [],
    exams: Array.from({ length: exams }, (_, id) => ({
      id,
      size: students.filter((one) => one.includes(id)).length,
      minutes: 60,
    })),
    students,
    weights: { ...NO_WEIGHTS, spread: [16, 8, 4, 2, 1] },
    ...more,
  }
}

/** An instance of the second competition with one exam, and what it is given besides. */
const itc = ({ exam = '60, 1', period = '', room = '' }): string =>
  `[Exams:1]\n${exam}\n[Periods:1]\n15:04:2005, 09:30:00, 60, 0\n[Rooms:1]\n10, 0\n[PeriodHardConstraints]\n${period}\n[RoomHardConstraints]\n${room}\n`

describe('what a plan costs', () => {
  test('spread: 16, 8, 4, 2, 1 for each student and pair, and nothing beyond', () => {
    const made = problem(3, 9, [
      [0, 1, 2],
      [0, 1],
    ])
    expect(evaluatePlacement(made, at(0, 1, 3)).parts.spread).toBe(16 + 4 + 8 + 16)
    expect(evaluatePlacement(made, at(0, 6, 8)).parts.spread).toBe(8)
    expect(evaluatePlacement(made, at(0, 0, 8)).broken.clashes).toBe(2)
  })

  test('rows, days, early, mixed lengths and penalties as the competition counts them', () => {
    const text = `[Exams:4]\n60, 1, 2\n90, 1, 3\n60, 2\n60, 4\n[Periods:3]\n01:01:2026, 09:00:00, 120, 0
01:01:2026, 12:00:00, 120, 3\n02:01:2026, 09:00:00, 120, 0\n[Rooms:2]\n10, 0\n2, 5\n[PeriodHardConstraints]
3, AFTER, 2\n[RoomHardConstraints]\n3, ROOM_EXCLUSIVE\n[InstitutionalWeightings]\nTWOINAROW, 7\nTWOINADAY, 5
PERIODSPREAD, 2\nNONMIXEDDURATIONS, 10\nFRONTLOAD, 1, 1, 4\n`
    const made = readItc2007(text)
    const solution = '0, 0\n1, 1\n1, 1\n2, 0\n'
    const placements = readItc2007Solution(made, solution.replace('1, 1\n1, 1', '1, 1\n1, 0'))
    const { parts, brokenCount } = evaluatePlacement(made, placements)
    // Student 1 has 0 and 1 in a row, student 2 has 0 and 2: two rows, two pairs within the spread.
    expect(parts).toMatchObject({ twoInRow: 14, spread: 2, slots: 6, halls: 5, mixed: 0, early: 0 })
    expect(brokenCount).toBe(0)
    const full = evaluatePlacement(made, readItc2007Solution(made, '2, 0\n1, 1\n1, 1\n2, 0\n'))
    expect(full.broken).toMatchObject({ capacity: 1, alone: 1, unplaced: 0 })
    expect(full.parts).toMatchObject({ mixed: 10, early: 4, spread: 2 })
    expect(readItc2007Solution(made, writeItc2007(placements))).toEqual(placements)
  })

  test('a Toronto instance is read and its solution written', () => {
    const made = readToronto({ exm: '0001 2\n0007 1\n', stu: 's1 0001\ns1 0007\ns2 0001\n', slo: '5\n' })
    expect(made.exams.map(({ id, size }) => [id, size])).toEqual([
      [1, 2],
      [7, 1],
    ])
    expect(made.students).toEqual([[0, 1], [0]])
    expect(writeToronto(made, at(0, 4))).toBe('0001 0\n0007 4\n')
    expect(() => readToronto({ exm: '', stu: 's1 x\n', slo: '5' })).toThrow(FormatError)
    expect(() => readItc2007('[Exams:1]\n60, 1\n')).toThrow('Periods')
  })

  test.each([
    ['slots', () => readToronto({ exm: '1 1\n', stu: 's1 1\n', slo: 'five' }), 'no number of slots'],
    ['no slots', () => readToronto({ exm: '1 1\n', stu: 's1 1\n', slo: '0' }), 'no number of slots'],
    ['more than a pair', () => readToronto({ exm: '1 1\n', stu: 's1 1 2\n', slo: '5' }), 'more than a student'],
    ['what stands before sections', () => readItc2007('60, 1\n[Exams:1]\n'), 'before the first section'],
    ['half a minute', () => readItc2007(itc({ exam: '60.5, 1' })), 'no whole number'],
    ['an unknown rule of rooms', () => readItc2007(itc({ room: '0, ROOM_LARGE' })), 'no constraint of rooms'],
    ['an unknown rule of periods', () => readItc2007(itc({ period: '0, BEFORE, 0' })), 'no constraint of periods'],
    ['an exam that is not there', () => readItc2007(itc({ period: '0, AFTER, 9' })), 'no exam 9'],
    ['a solution of other exams', () => readItc2007Solution(readItc2007(itc({})), '0, 0\n0, 0\n'), '2 lines for 1'],
  ])('is refused: %s', (_, read, message) => expect(read).toThrow(message))
})

describe('the search', () => {
  test.each([
    [1, { exams: 24, slots: 9, halls: 4, students: 60, each: 4, rules: true }],
    [2, { exams: 30, slots: 9, halls: 0, students: 80, each: 4, rules: true }],
    [3, { exams: 40, slots: 12, halls: 6, students: 90, each: 4, rules: false }],
    [4, { exams: 20, slots: 15, halls: 5, students: 40, each: 3, rules: true, overlap: true }],
  ])('reckons by increments what the evaluator reckons from nothing (%i)', (seed, size) => {
    const free = madeProblem(seed, size)
    const exams = free.exams.map((exam, i) => (i === 3 ? { ...exam, fixed: { slot: 1 } } : exam))
    const made = { ...free, exams }
    const random = new Random(seed)
    const plan = new Plan(compile(made))
    construct(plan, random)
    new Repairer(plan, random).run(2000, () => false)
    const search = new PlacementSearch(plan, random, { slots: 40, halls: 200, swaps: 200 })
    let taken = 0
    for (let round = 0; round < 60; round += 1) {
      for (let i = 0; i < 200; i += 1) if (search.propose(round < 30 ? 400 : random.below(40))) taken += 1
      const cost = evaluatePlacement(made, plan.placements())
      expect({ ...cost.broken, unplaced: 0 }).toMatchObject({
        clashes: 0,
        capacity: 0,
        forbidden: 0,
        after: 0,
        alone: 0,
      })
      expect(cost.brokenCount - cost.broken.unplaced).toBe(0)
      // Of the worst load the search counts one less, and the share of students who have it.
      const worst = made.weights.worst
      const own = search.cost() - plan.unplaced * UNPLACED
      expect(own).toBeGreaterThan(cost.total - worst - 1e-6)
      expect(own).toBeLessThanOrEqual(cost.total + 1e-6)
      expect(plan.cost + plan.seating.cost).toBe(cost.total - cost.parts.worst)
    }
    expect(taken).toBeGreaterThan(500)
  })

  test('a proposal that may cost nothing never makes the plan dearer', () => {
    const made = madeProblem(6, { exams: 30, slots: 9, halls: 5, students: 90, each: 4, rules: true })
    const random = new Random(1)
    const plan = new Plan(compile(made))
    construct(plan, random)
    const search = new PlacementSearch(plan, random, { slots: 40, halls: 200, swaps: 200 })
    for (let round = 0; round < 20; round += 1) {
      for (let i = 0; i < 50; i += 1) search.propose(500)
      for (let i = 0; i < 100; i += 1) {
        const before = search.cost()
        if (search.propose(0)) expect(search.cost()).toBeLessThanOrEqual(before + 1e-6)
      }
    }
  })

  test('small problems are solved as well as can be', () => {
    for (const seed of [1, 2, 3]) {
      const size = { exams: 5, slots: 5, halls: 2, students: 12, each: 3, rules: true }
      const made = madeProblem(seed, size, { ...EVERY_WISH, invigilators: 0 })
      const whole = { ...made, staff: [], exams: made.exams.map((exam) => ({ ...exam, maxHalls: 1 })) }
      const least = exhaustive(whole)
      const found = solve(whole, { iterations: 30_000, seed })
      expect(found.cost.broken.unplaced > 0 ? Infinity : found.cost.total).toBe(least)
    }
  })

  test('the same seed and number of proposals give the same plan, from a stored one too', () => {
    const made = madeProblem(5, { exams: 40, slots: 12, halls: 5, students: 120, each: 4, rules: true })
    const once = solve(made, { iterations: 30_000, seed: 7 })
    expect(solve(made, { iterations: 30_000, seed: 7 })).toEqual(once)
    const kept = JSON.parse(JSON.stringify(once.placements)) as ExamPlacement[]
    const again = solve(made, { iterations: 512, seed: 8, from: kept, done: 1 })
    expect(again.cost.total).toBeLessThanOrEqual(once.cost.total)
  })

  test('a long run begins anew and warms up the best plan, and never tells a worse plan than before', () => {
    const made = madeProblem(5, { exams: 40, slots: 12, halls: 5, students: 120, each: 4, rules: true })
    const rank = (placements: readonly ExamPlacement[]) => {
      const { brokenCount, total } = evaluatePlacement(made, placements)
      return brokenCount * 1e9 + total
    }
    const told: number[] = []
    // A clock of its own, so that two minutes pass in a moment.
    let clock = 0
    const long = solve(made, {
      seconds: 120,
      seed: 3,
      now: () => (clock += 200),
      onProgress: ({ cost }, best) => {
        expect(rank(best())).toBe(cost.brokenCount * 1e9 + cost.total)
        told.push(rank(best()))
      },
    })
    expect(told.length).toBeGreaterThan(20)
    expect(told).toEqual(told.toSorted((a, b) => b - a))
    expect(rank(long.placements)).toBeLessThanOrEqual(told.at(-1)!)
    expect(long.cost.brokenCount).toBe(0)
  })

  test('what is locked stays, whatever it costs', () => {
    const made = problem(4, 6, [[0, 1, 2, 3]])
    const exams = made.exams.map((exam, i) => (i < 2 ? { ...exam, fixed: { slot: i } } : exam))
    const found = solve({ ...made, exams }, { iterations: 20_000 })
    expect(found.placements.slice(0, 2).map(({ slot }) => slot)).toEqual([0, 1])
    expect(found.cost.brokenCount).toBe(0)
  })

  test('what finds no place is left out, and the rest is right', () => {
    const found = solve(problem(4, 3, [[0, 1, 2, 3]]), { iterations: 3000 })
    expect(found.cost.broken).toMatchObject({ unplaced: 1, clashes: 0 })
  })
})

describe('invigilators', () => {
  const hall = (id: number, invigilators: number) => ({ id, seats: 10, invigilators })
  const made = problem(4, 3, [], {
    halls: [hall(70, 2), hall(71, 1)],
    staff: [{ id: 1, away: [0] }, { id: 2, own: [2] }, { id: 3 }, { id: 4, most: 1 }, { id: 5 }],
    weights: { ...NO_WEIGHTS, invigilators: 10 },
  })
  const sits = (slot: number, which: number): ExamPlacement => ({ slot, halls: [{ hall: which, seats: 0 }] })

  test('as many as each hall needs, nobody who is away, busy or has enough, and evenly', () => {
    const plan = [sits(0, 0), sits(0, 1), sits(1, 0), sits(2, 1)]
    for (let seed = 0; seed < 12; seed += 1) {
      const duties = assignStaff(made, plan, seed)
      const { broken, parts } = evaluatePlacement(made, plan, duties)
      expect(broken.staff).toBe(0)
      expect(parts.invigilators).toBe(0)
      expect(duties.map(({ staff }) => staff.length)).toEqual([2, 1, 2, 1])
    }
  })

  test('what lacks, is doubled or uneven is counted', () => {
    const plan = [sits(0, 0), sits(0, 1), sits(1, 0), sits(2, 1)]
    const duties = [
      { slot: 0, hall: 0, staff: [0, 2] },
      { slot: 0, hall: 1, staff: [2] },
      { slot: 1, hall: 0, staff: [1] },
      { slot: 2, hall: 1, staff: [2] },
    ]
    const { broken, parts } = evaluatePlacement(made, plan, duties)
    // 0 is away, 2 in two halls at once, 1 with the own exam, and slot 1 wants one more.
    expect(broken.staff).toBe(4)
    expect(parts.invigilators).toBe(10)
  })

  test('halls are not opened for which nobody is there', () => {
    const few = { ...made, staff: [{ id: 1 }], exams: made.exams.map((exam) => ({ ...exam, size: 1 })) }
    const found = solve(few, { iterations: 5000 })
    expect(found.cost.brokenCount).toBe(0)
    expect(found.placements.every(({ halls }) => halls[0]!.hall === 1)).toBe(true)
  })
})

/** The least that any plan without a broken rule costs, by trying all of them. */
function exhaustive(made: ExamProblem): number {
  let least = Infinity
  const placements: ExamPlacement[] = []
  const choose = (exam: number): void => {
    if (exam === made.exams.length) {
      const cost = evaluatePlacement(made, placements)
      if (cost.brokenCount === 0) least = Math.min(least, cost.total)
      return
    }
    const { size } = made.exams[exam]!
    for (const slot of made.slots.keys()) {
      const clashes = placements.some(
        (other, i) => other.slot === slot && made.students.some((one) => one.includes(i) && one.includes(exam)),
      )
      if (clashes) continue
      for (const [hall, { seats }] of made.halls.entries()) {
        if (seats < size) continue
        placements[exam] = { slot, halls: [{ hall, seats: size }] }
        choose(exam + 1)
        placements.length = exam
      }
    }
  }
  choose(0)
  return least
}
