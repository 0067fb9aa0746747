import { describe, expect, test } from 'vitest'
import { addDays } from '#kit/contract/day.ts'
import { solvePlan } from './solve.rules.ts'
import { planBase, planChanges, planTakeReasons, type PlannedRotation } from './plan.rules.ts'
import { giveWards, judgeWards, type WardProblem } from './hospitals.rules.ts'
import {
  freeByPeriod,
  lostRotations,
  yearProblem,
  type LiveRotation,
  type PlannedIntern,
  type PlannedTraining,
  type PlannedType,
  type PlannedYear,
} from './year.rules.ts'

const START = '2030-01-06'
const day = (n: number): string => addDays(START, n)
const type = (id: number, more: Partial<PlannedType> = {}): PlannedType => ({
  id,
  name: `T${id}`,
  name_local: `ت${id}`,
  is_elective: false,
  weeks: 4,
  bylaw_id: null,
  ...more,
})
const training = (
  id: number,
  type_id: number,
  places: number,
  more: Partial<PlannedTraining> = {},
): PlannedTraining => ({
  id,
  name: `W${id}`,
  name_local: `ق${id}`,
  type_id,
  hospital_id: id % 10,
  places,
  withdrawn_from: null,
  days: [],
  ...more,
})
const intern = (student_id: number, more: Partial<PlannedIntern> = {}): PlannedIntern => ({
  student_id,
  name: `I${student_id}`,
  name_local: `ط${student_id}`,
  bylaw_id: 1,
  joined_on: START,
  with_student_id: null,
  wishes: [],
  leaves: [],
  ...more,
})
let ids = 0
const rotation = (
  student_id: number,
  [training_id, type_id]: readonly [number, number],
  from: number,
  more: Partial<LiveRotation> = {},
): LiveRotation => ({
  id: ++ids,
  student_id,
  training_id,
  type_id,
  starts_on: day(from),
  ends_on: day(from + 27),
  interrupted_on: null,
  status: 'accepted',
  outcome: null,
  is_makeup: false,
  is_locked: false,
  ...more,
})
/** Four periods of four weeks; two obligatory types in two hospitals, electives 3 and 4. */
const year = (more: Partial<PlannedYear> = {}): PlannedYear => ({
  today: addDays(START, -20),
  starts_on: START,
  periods: 4,
  period_weeks: 4,
  electives: 1,
  leave_days: 2,
  types: [type(1), type(2), type(3, { is_elective: true }), type(4, { is_elective: true })],
  trainings: [training(11, 1, 1), training(12, 1, 1), training(21, 2, 2), training(31, 3, 1), training(42, 4, 1)],
  interns: [intern(1), intern(2)],
  rotations: [],
  ...more,
})
const PLAN = { kind: 'plan', keep: false } as const
const REPAIR = { kind: 'repair', keep: false } as const
const solve = (of: PlannedYear, options: Parameters<typeof yearProblem>[1] = PLAN) =>
  solvePlan({ year: of, options, seconds: 1, seed: 1 })
const needs = (of: PlannedYear, options: Parameters<typeof yearProblem>[1] = PLAN) => {
  const { instance } = yearProblem(of, options)
  return instance.trainees.map(({ id, obligatory, electives, leave, fixed, barred }) => ({
    id,
    obligatory: obligatory.map(({ department, length }) => `${department}×${length}`),
    electives: electives.map(({ wishes }) => wishes),
    leave,
    fixed: fixed.map(({ department, start }) => `${department}@${start}`),
    barred,
  }))
}

describe('what an intern still needs', () => {
  test('everything at first; wishes are looked at in turn, and types of other bylaws are none of theirs', () => {
    const [one] = needs(
      year({
        electives: 2,
        types: [
          type(1),
          type(2),
          type(3, { is_elective: true }),
          type(4, { is_elective: true }),
          type(5, { bylaw_id: 9 }),
        ],
        interns: [intern(1, { wishes: [4, 3] })],
      }),
    )
    expect(one).toEqual({
      id: '1',
      obligatory: ['1×1', '2×1'],
      electives: [
        ['4', '3'],
        ['3', '4'],
      ],
      leave: [],
      fixed: [],
      barred: ['5'],
    })
  })
  test.each([
    ['what began', rotation(1, [11, 1], 0), ['2×1'], [0], []],
    ['what is passed', rotation(1, [11, 1], 0, { outcome: 'passed' }), ['2×1'], [0], []],
    ['what was failed is made up', rotation(1, [11, 1], 0, { outcome: 'failed' }), ['1×1', '2×1'], [0], []],
    [
      'the rest of what was interrupted',
      rotation(1, [11, 1], 0, { outcome: 'interrupted', interrupted_on: day(6) }),
      ['1×1', '2×1'],
      [0],
      [],
    ],
    ['what is locked is fixed', rotation(1, [11, 1], 56, { is_locked: true }), ['2×1', '1×1'], [0], ['1@2']],
    [
      'locked beside the periods: they are taken',
      rotation(1, [11, 1], 63, { is_locked: true }),
      ['2×1'],
      [0, 2, 3],
      [],
    ],
    ['what has not begun is planned anew', rotation(1, [11, 1], 56), ['1×1', '2×1'], [0], []],
  ])('%s', (_, one, obligatory, leave, fixed) => {
    // The first period has begun.
    expect(needs(year({ today: day(3), interns: [intern(1)], rotations: [one] }))[0]).toMatchObject({
      obligatory,
      leave,
      fixed,
    })
  })
  test('days of what was interrupted are made up, no more', () => {
    const problem = yearProblem(
      year({
        today: day(30),
        interns: [intern(1)],
        rotations: [rotation(1, [11, 1], 0, { outcome: 'interrupted', interrupted_on: day(6) })],
      }),
      PLAN,
    )
    expect(problem.needed.get('1 1')).toEqual({ type_id: 1, length: 1, days: 21, is_makeup: true })
  })
  test('periods before joining, and with more leave than is allowed, are free of rotations', () => {
    const leaves = [
      { starts_on: day(28), ends_on: day(29) },
      { starts_on: day(56), ends_on: day(58) },
    ]
    expect(needs(year({ interns: [intern(1, { joined_on: day(1), leaves })] }))[0]?.leave).toEqual([0, 2])
    // In a rotation of two periods both leaves lie together.
    const types = [type(1, { weeks: 8 }), type(3, { is_elective: true })]
    const two = [
      { starts_on: day(28), ends_on: day(29) },
      { starts_on: day(56), ends_on: day(57) },
    ]
    expect(needs(year({ types, electives: 0, interns: [intern(1, { leaves: two })] }))[0]?.leave).toEqual([1])
  })
  test('a year is mended first where weeks are no periods, or nobody is there', () => {
    const codes = (of: PlannedYear) => yearProblem(of, PLAN).reasons.map(({ code }) => code)
    expect(codes(year())).toEqual([])
    expect(codes(year({ interns: [], trainings: [] }))).toEqual(['emtyaz_plan_nobody', 'emtyaz_plan_no_trainings'])
    expect(codes(year({ types: [type(1, { weeks: 6 })] }))).toEqual(['emtyaz_plan_weeks'])
  })
})

test('who was accepted last loses a place first, and nobody where there are enough', () => {
  const [first, second, third] = [rotation(1, [11, 1], 28), rotation(2, [11, 1], 28), rotation(3, [11, 1], 56)]
  const lost = (...places: number[]) => [...lostRotations(year(), [first, second, third], new Map([[11, places]]))]
  expect(lost(2, 2, 2, 2)).toEqual([])
  expect(lost(2, 1, 1, 1)).toEqual([second.id])
  expect(lost(2, 0, 0, 2)).toEqual([second.id, first.id, third.id])
  // A training that is not offered any more has no places at all.
  expect(lostRotations(year(), [first], new Map())).toEqual(new Set([first.id]))
  // A plan sees whose places these are.
  const problem = yearProblem(
    year({
      interns: [intern(1), intern(2)],
      trainings: [training(11, 1, 1), training(21, 2, 2)],
      rotations: [first, second],
    }),
    { kind: 'repair', keep: false },
  )
  expect(problem.lost).toEqual([
    [false, false, false, false],
    [false, true, false, false],
  ])
})

test('places are the fewest on a day of a period, without who is there', () => {
  const ward = training(11, 1, 3, {
    withdrawn_from: day(100),
    days: [{ starts_on: day(30), ends_on: day(31), places: 1 }],
  })
  expect(freeByPeriod(year(), ward, [])).toEqual([3, 1, 3, 0])
  expect(freeByPeriod(year(), ward, [rotation(9, [11, 1], 20), rotation(8, [11, 1], 31)])).toEqual([2, -1, 2, 0])
})

describe('a plan', () => {
  test('gives hospitals, serves wishes, and holds', () => {
    const of = year({
      interns: [intern(1, { wishes: [3], with_student_id: 2 }), intern(2, { wishes: [4] })],
    })
    const { planned, figures, reasons } = solve(of)
    expect(reasons).toEqual([])
    expect(planned).toHaveLength(6)
    expect(figures).toMatchObject({ complete: 2, overfull: 0, cost: 0, bound: 0, worst: { wish: 1 } })
    expect(figures?.wishes).toEqual([2, 0, 0, 0, 0, 0, 0])
    expect(planTakeReasons(of, yearProblem(of, PLAN), planBase(of), planned!)).toEqual([])
  })
  test('says who does not fit, and which department lacks how much', () => {
    const tight = solve(year({ interns: [intern(1, { joined_on: day(57) })] }))
    expect(tight.planned).toBeNull()
    expect(tight.reasons).toMatchObject([{ code: 'emtyaz_plan_trainee', data: { count: 1, names: 'I1' } }])
    const full = solve(
      year({
        interns: [1, 2, 3, 4, 5].map((id) => intern(id)),
        trainings: [training(11, 1, 1), training(21, 2, 9), training(31, 3, 9)],
      }),
    )
    expect(full.reasons).toMatchObject([{ code: 'emtyaz_plan_department', data: { name: 'T1', places: 4, needed: 5 } }])
  })
  test('says in which period everybody needs more places than there are, and who has too much to be planned', () => {
    const first = (places: number) => ({ days: [{ starts_on: START, ends_on: day(6), places }] })
    const tight = year({
      electives: 0,
      types: [type(1, { weeks: 8 }), type(2, { weeks: 8 })],
      trainings: [training(11, 1, 2, first(1)), training(21, 2, 2, first(0))],
    })
    expect(solve(tight).reasons).toMatchObject([
      { code: 'emtyaz_plan_period', data: { day: START, places: 1, needed: 2 } },
    ])
    const many = Array.from({ length: 17 }, (_, i) => type(i + 1))
    expect(solve(year({ electives: 0, types: many, interns: [intern(1)] })).reasons).toMatchObject([
      { code: 'emtyaz_plan_blocks', data: { name: 'I1', count: 17, most: 16 } },
    ])
  })
  test('that is not found says what the nearest one lacks', () => {
    const leaves = [{ starts_on: day(28), ends_on: day(111) }]
    const both = year({
      electives: 0,
      types: [type(1), type(2, { bylaw_id: 9 })],
      trainings: [training(11, 1, 1), training(21, 2, 5)],
      interns: [intern(1, { leaves }), intern(2, { leaves })],
    })
    expect(solve(both).reasons).toMatchObject([
      { code: 'emtyaz_plan_lacks', data: { name: 'T1', from: START, until: day(27), count: 1 } },
      { code: 'emtyaz_plan_not_found' },
    ])
  })
  test('repairs with as few moves as can be: who loses a place, and who comes late', () => {
    const rotations = [1, 2].flatMap((who) => [
      rotation(who, [10 + who, 1], 0),
      rotation(who, [21, 2], 28),
      rotation(who, who === 1 ? [31, 3] : [42, 4], 56),
    ])
    const lost = year({
      rotations,
      trainings: [
        training(11, 1, 2),
        training(12, 1, 1, { withdrawn_from: START }),
        training(21, 2, 2),
        training(31, 3, 1),
        training(42, 4, 1),
      ],
    })
    const { planned } = solve(lost, REPAIR)
    const changes = planChanges(lost, yearProblem(lost, REPAIR), planned!)
    expect(changes.removed.map(({ training_id }) => training_id)).toEqual([12])
    expect(changes.added).toMatchObject([{ student_id: 2, training_id: 11, starts_on: START }])
    const late = year({ rotations, interns: [intern(1), intern(2), intern(3, { joined_on: day(28) })] })
    const more = planChanges(late, yearProblem(late, REPAIR), solve(late, REPAIR).planned!)
    expect([more.removed.length, more.added.length, more.kept.length]).toEqual([0, 3, 6])
  })
  test('is refused where the ground moved', () => {
    const of = year()
    const planned = solve(of).planned!
    const codes = (now: PlannedYear) =>
      planTakeReasons(now, yearProblem(now, PLAN), planBase(of), planned).map(({ code }) => code)
    const first = planned[0] as PlannedRotation
    expect(codes({ ...of, interns: [...of.interns, intern(3)] })).toEqual(['emtyaz_plan_joined'])
    expect(codes({ ...of, interns: [intern(2)] })).toContain('emtyaz_plan_left')
    expect(codes({ ...of, leave_days: 3 })).toEqual(['emtyaz_plan_year'])
    expect(codes({ ...of, trainings: of.trainings.filter(({ id }) => id !== first.training_id) })).toContain(
      'emtyaz_plan_training',
    )
    expect(codes({ ...of, rotations: [rotation(1, [11, 1], 56)] })).toContain('emtyaz_plan_rotations')
    expect(codes({ ...of, today: day(120) })).toContain('emtyaz_plan_begun')
  })
})

describe('hospitals', () => {
  const block = (who: number, start: number, length = 1, was: number | null = null) => ({
    who,
    type_id: 1,
    start,
    length,
    was,
  })
  const problem = (more: Partial<WardProblem>): WardProblem => ({
    periods: 4,
    wards: [
      { id: 11, type_id: 1, hospital_id: 1, free: [1, 1, 1, 1] },
      { id: 12, type_id: 1, hospital_id: 2, free: [1, 1, 1, 1] },
    ],
    blocks: [],
    there: [],
    mates: new Map(),
    ...more,
  })
  test('others make room where a block fits in no other way', () => {
    const of = problem({
      wards: [
        { id: 11, type_id: 1, hospital_id: 1, free: [1, 1, 1, 0] },
        { id: 12, type_id: 1, hospital_id: 2, free: [1, 1, 1, 1] },
      ],
      // The first one could be in either, and is in the second today; the last needs it.
      blocks: [block(1, 1, 2, 12), block(2, 2, 2)],
    })
    const { wards, lacking } = giveWards(of)
    expect([wards, lacking]).toEqual([[11, 12], []])
    expect(judgeWards(of, wards)).toEqual([])
  })
  test('who is there today stays, and what lacks is told', () => {
    const of = problem({ blocks: [block(1, 0, 1, 12), block(2, 0, 1, 12), block(3, 0)] })
    const { wards, lacking } = giveWards(of)
    expect(wards[0]).toBe(12)
    expect(lacking).toEqual([{ type_id: 1, period: 0, places: 1 }])
    expect(judgeWards(of, wards)).toHaveLength(1)
  })
  test('mates are together, the next block is in the same hospital, and hospitals are used evenly', () => {
    const wide = problem({}).wards.map((ward) => ({ ...ward, free: [4, 4, 4, 4] }))
    const mates = new Map([
      [1, [2]],
      [2, [1]],
    ])
    const together = giveWards(problem({ wards: wide, blocks: [block(1, 0), block(3, 0), block(2, 0)], mates })).wards
    expect(together[0]).toBe(together[2])
    const there = [{ who: 1, hospital_id: 2, start: 1, length: 1 }]
    expect(giveWards(problem({ wards: wide, blocks: [block(1, 0)], there })).wards).toEqual([12])
    const even = giveWards(problem({ wards: wide, blocks: [1, 2, 3, 4].map((who) => block(who, 0)) })).wards
    expect(even.filter((id) => id === 11)).toHaveLength(2)
  })
  test.each([1, 2, 3, 4, 5])('made ones %i: whatever is given holds', (seed) => {
    let state = seed
    const chance = (n: number) => (state = (state * 48271) % 2147483647) % n
    const of = problem({
      periods: 8,
      wards: [1, 2, 3, 4].map((id) => ({
        id,
        type_id: 1 + (id % 2),
        hospital_id: id,
        free: Array.from({ length: 8 }, () => chance(4)),
      })),
      blocks: Array.from({ length: 24 }, (_, who) => {
        const length = 1 + chance(2)
        return { who, type_id: 1 + chance(2), start: chance(8 - length), length, was: chance(3) ? null : 1 + chance(4) }
      }),
    })
    const { wards } = giveWards(of)
    const given = wards.flatMap((id, b) => (id === null ? [] : [[of.blocks[b]!, id] as const]))
    expect(
      judgeWards(
        { ...of, blocks: given.map(([one]) => one) },
        given.map(([, id]) => id),
      ),
    ).toEqual([])
  })
})
