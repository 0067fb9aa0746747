import { expect, test } from 'vitest'
import { rotationBound, whyNoPlan } from './bound.rules.ts'
import {
  NOWHERE,
  RotationError,
  rotationInstance,
  rotationModel,
  type RotationInstance,
  type RotationModel,
} from './instance.rules.ts'
import { judgeRotations, servedWishes } from './judge.rules.ts'
import { searchRotations } from './search.rules.ts'

type Loose = Parameters<typeof rotationInstance.parse>[0]
const modelOf = (instance: Loose): RotationModel => rotationModel(rotationInstance.parse(instance))
const department = (id: string, ...capacity: number[]) => ({ id, capacity })
/** A year of four periods: `a` twice, an elective, and another one. */
const ONE = {
  id: 't1',
  obligatory: [{ department: 'a', length: 2 }],
  electives: [
    { length: 1, wishes: ['x', 'y'] },
    { length: 1, wishes: ['y', 'x'] },
  ],
}
const SMALL = {
  periods: 4,
  departments: [department('a', 2, 2, 2, 2), department('x', 1, 1, 1, 1), department('y', 1, 1, 1, 1)],
  trainees: [ONE],
}
const row = (model: RotationModel, ...ids: (string | null)[]): Int32Array =>
  Int32Array.from(ids, (id) => (id === null ? NOWHERE : model.departments.indexOf(id)))

test.each([
  ['as it should be', ['a', 'a', 'x', 'y'], [], 0],
  ['in another order', ['y', 'a', 'a', 'x'], [], 0],
  ['an obligatory block in two', ['a', 'x', 'a', 'y'], ['obligatory'], 0],
  ['without an elective', ['a', 'a', 'x', null], ['electives'], 0],
  ['two electives of one department side by side', ['a', 'a', 'x', 'x'], ['electives'], 0],
  ['two of one department, apart', ['x', 'a', 'a', 'x'], [], 1],
  ['nothing at all', [null, null, null, null], ['obligatory', 'electives'], 0],
])('a year %s', (_, ids, rules, cost) => {
  const model = modelOf(SMALL)
  const { broken, cost: found } = judgeRotations(model, [row(model, ...ids)])
  expect(broken.map(({ rule }) => rule)).toEqual(rules)
  expect(found.wishes).toBe(cost)
})

test('leave, fixed blocks, places and who would be together are judged', () => {
  const model = modelOf({
    ...SMALL,
    departments: [department('a', 1, 2, 2, 2), SMALL.departments[1]!, SMALL.departments[2]!],
    trainees: [
      { ...ONE, with: 't2', electives: [ONE.electives[0]], leave: [3], fixed: [{ department: 'a', start: 1 }] },
      { ...ONE, id: 't2' },
    ],
  })
  const good = judgeRotations(model, [row(model, 'x', 'a', 'a', null), row(model, 'y', 'a', 'a', 'x')])
  expect(good).toMatchObject({ broken: [], overfull: [], worst: 0, wishes: [3, 0, 0] })
  // Apart in the first period of four.
  expect(good.cost).toEqual({ wishes: 0, apart: 0.25, total: 0.25 })
  const bad = judgeRotations(model, [row(model, 'a', 'a', null, 'x'), row(model, 'a', 'a', 'x', 'y')])
  expect(bad.broken).toEqual([
    { trainee: 0, rule: 'leave' },
    { trainee: 0, rule: 'fixed' },
  ])
  expect(bad.overfull).toEqual([{ department: 0, period: 0, over: 1 }])
})

test('pieces serve electives in the cheapest way', () => {
  const model = modelOf(SMALL)
  expect(servedWishes(model.trainees[0]!, row(model, 'a', 'a', 'y', 'x'))).toEqual([0, 0])
  expect(servedWishes(model.trainees[0]!, row(model, 'x', 'y', 'a', 'a'))).toEqual([0, 0])
  expect(servedWishes(model.trainees[0]!, row(model, 'a', 'a', 'a', 'x'))).toBe(null)
})

test.each<[string, Partial<Record<keyof RotationInstance, unknown>>, RegExp]>([
  [
    'a department that is not there',
    { trainees: [{ ...ONE, electives: [{ length: 1, wishes: ['z'] }] }] },
    /no department z/,
  ],
  [
    'places of other periods',
    { departments: [department('a', 1), ...SMALL.departments.slice(1)] },
    /capacity of 1 periods/,
  ],
  ['one name twice', { trainees: [ONE, ONE] }, /two trainees/],
  [
    'a block fixed beyond the year',
    { trainees: [{ ...ONE, fixed: [{ department: 'a', start: 4 }] }] },
    /after the last/,
  ],
  [
    'what is obligatory twice',
    { trainees: [{ ...ONE, obligatory: [...ONE.obligatory, ...ONE.obligatory] }] },
    /obligatory twice/,
  ],
])('%s cannot be meant', (_, more, message) => {
  expect(() => modelOf({ ...SMALL, ...more })).toThrow(RotationError)
  expect(() => modelOf({ ...SMALL, ...more })).toThrow(message)
})

test('why there is no plan is told by what lacks places', () => {
  expect(whyNoPlan(modelOf(SMALL))).toEqual([])
  const other = { ...ONE, id: 't2' }
  const narrow = {
    ...SMALL,
    departments: [department('a', 1, 1, 1, 0), ...SMALL.departments.slice(1)],
    trainees: [ONE, other],
  }
  expect(whyNoPlan(modelOf(narrow))).toEqual([{ why: 'department', department: 0, places: 3, needed: 4 }])
  const closed = { ...SMALL, departments: SMALL.departments.map(({ id }) => department(id, 0, 1, 1, 1)) }
  expect(whyNoPlan(modelOf({ ...closed, trainees: [ONE] }))).toEqual([
    { why: 'period', period: 0, places: 0, needed: 1 },
  ])
  const away = { ...ONE, electives: [ONE.electives[0]], leave: [1], fixed: [{ department: 'a', start: 0 }] }
  expect(whyNoPlan(modelOf({ ...SMALL, trainees: [away] }))).toEqual([{ why: 'trainee', trainee: 0 }])
})

/** Numbers of chance for made instances. */
function dice(seed: number): (most: number) => number {
  let state = seed * 2_654_435_761
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 4_294_967_296) * most)
  }
}
/** An instance made from a plan, so that there is one: as tight as `slack` more places than are used. */
function made(
  seed: number,
  trainees: number,
  periods: number,
  slack: number,
): { instance: Loose; plan: (string | null)[][] } {
  const roll = dice(seed)
  const ids = ['a', 'b', 'v', 'w', 'x', 'y']
  const use = new Map(ids.map((id) => [id, Array<number>(periods).fill(0)]))
  const plan: (string | null)[][] = []
  const people = Array.from({ length: trainees }, (_, t) => {
    const leave = roll(4) === 0 ? [0] : []
    const blocks: { department: string; length: number; chosen: boolean }[] = [
      { department: 'a', length: 2, chosen: false },
      { department: 'b', length: 1, chosen: false },
    ]
    let left = periods - 3 - leave.length
    let last = ''
    while (left > 0) {
      const length = Math.min(left, 1 + roll(2))
      let pick = ids[2 + roll(4)]!
      while (pick === last) pick = ids[2 + roll(4)]!
      last = pick
      blocks.push({ department: pick, length, chosen: true })
      left -= length
    }
    // Obligatory ones go somewhere between; electives keep their order, so that none is beside one of its department.
    const order = blocks.slice(2)
    for (const block of blocks.slice(0, 2)) order.splice(roll(order.length + 1), 0, block)
    const year: (string | null)[] = leave.length ? [null] : []
    for (const { department: id, length } of order)
      for (let i = 0; i < length; i++) {
        use.get(id)![year.length]!++
        year.push(id)
      }
    // Where two of one department came together, the obligatory ones stand first.
    plan.push(year)
    const wish = () =>
      ids
        .slice(2)
        .toSorted(() => roll(3) - 1)
        .slice(0, 3)
    return {
      id: `t${String(t).padStart(3, '0')}`,
      obligatory: blocks.slice(0, 2).map(({ department: id, length }) => ({ department: id, length })),
      electives: blocks.slice(2).map(({ length }) => ({ length, wishes: wish() })),
      leave,
      ...(t % 6 === 0 && t + 1 < trainees && { with: `t${String(t + 1).padStart(3, '0')}` }),
    }
  })
  const departments = ids.map((id) => ({
    id,
    capacity: use.get(id)!.map((count) => count + (roll(100) < slack ? 1 : 0)),
  }))
  return { instance: { periods, departments, trainees: people }, plan }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a plan of a made year %i holds, and costs no less than the bound', (seed) => {
  const { instance, plan } = made(seed, 40, 8, 40)
  const model = modelOf(instance)
  const known = judgeRotations(
    model,
    plan.map((year) => row(model, ...year)),
  )
  expect([known.broken, known.overfull]).toEqual([[], []])
  const { found } = searchRotations(model, { seconds: 5, rounds: 150, seed })
  expect(found?.judgement).toMatchObject({ broken: [], overfull: [] })
  expect(judgeRotations(model, found!.rows)).toEqual(found!.judgement)
  expect(found!.judgement.cost.total).toBeGreaterThanOrEqual(rotationBound(model) - 1e-9)
  expect(found!.judgement.cost.total).toBeLessThan(known.cost.total / 2)
})

/** All years that a trainee can have; small ones alone. */
function yearsOf(model: RotationModel, t: number): Int32Array[] {
  const years: Int32Array[] = []
  const year = new Int32Array(model.periods).fill(NOWHERE)
  const go = (p: number): void => {
    if (p === model.periods) {
      const alone = { ...model, trainees: [model.trainees[t]!], names: [model.names[t]!] }
      if (judgeRotations(alone, [year]).broken.length === 0) years.push(year.slice())
      return
    }
    for (let d = NOWHERE; d < model.departments.length; d++) {
      year[p] = d
      go(p + 1)
    }
  }
  go(0)
  return years
}
/** The best of all plans there are, by what it costs. */
function best(model: RotationModel, cost: (rows: readonly Int32Array[]) => number): number {
  const years = model.trainees.map((_, t) => yearsOf(model, t))
  let least = Infinity
  const rows: Int32Array[] = []
  const use = new Int32Array(model.capacity.length)
  const go = (t: number): void => {
    if (t === years.length) {
      least = Math.min(least, cost(rows))
      return
    }
    for (const year of years[t]!) {
      let holds = true
      for (const [p, d] of year.entries())
        if (d !== NOWHERE && ++use[d * model.periods + p]! > model.capacity[d * model.periods + p]!) holds = false
      if (holds) {
        rows.push(year)
        go(t + 1)
        rows.pop()
      }
      for (const [p, d] of year.entries()) if (d !== NOWHERE) use[d * model.periods + p]!--
    }
  }
  go(0)
  return least
}

const EASY = { obligatory: [{ department: 'a', length: 1 }], electives: [{ length: 1, wishes: ['x', 'y'] }] }
test.each([11, 12, 13, 14, 15])('of few, the best plan of all is found: %i', (seed) => {
  const roll = dice(seed)
  const model = modelOf({
    periods: 3,
    departments: ['a', 'x', 'y'].map((id) => ({ id, capacity: [0, 1, 2].map(() => 1 + roll(2)) })),
    trainees: [1, 2, 3, 4].map((n) => ({
      id: `t${n}`,
      ...EASY,
      electives: [
        { length: 1, wishes: roll(2) ? ['x', 'y'] : ['y', 'x'] },
        ...(n % 2 ? [] : [{ length: 1, wishes: ['x'] }]),
      ],
      ...(n === 1 && { with: 't2' }),
    })),
  })
  const least = best(model, (rows) => judgeRotations(model, rows).cost.total)
  const { found } = searchRotations(model, { seconds: 20, rounds: 3000, seed: 1 })
  expect(found === null).toBe(least === Infinity)
  if (found) expect(found.judgement.cost.total).toBeCloseTo(least, 6)
  if (found) expect(rotationBound(model)).toBeLessThanOrEqual(least + 1e-9)
})

test.each([21, 22, 23, 24, 25, 26])('a repair moves few: %i', (seed) => {
  const roll = dice(seed)
  const capacity = ['a', 'x', 'y'].map(() => [2, 2, 2])
  const instance = () => ({
    periods: 3,
    departments: ['a', 'x', 'y'].map((id, d) => ({ id, capacity: capacity[d]! })),
    trainees: [1, 2, 3, 4].map((n) => ({ id: `t${n}`, ...EASY, ...(n === 4 && { leave: [1] }) })),
  })
  const { found } = searchRotations(modelOf(instance()), { seconds: 5, rounds: 60, seed })
  const before = found!.rows
  // A department loses half of its places in a period.
  capacity[roll(3)]![roll(3)] = 1
  const model = modelOf(instance())
  const movedOf = (rows: readonly Int32Array[]): number =>
    rows.reduce((sum, one, t) => sum + one.filter((d, p) => d !== before[t]![p]).length, 0)
  const least = best(model, movedOf)
  const repaired = searchRotations(model, { seconds: 5, rounds: 120, seed, before }).found
  expect(repaired?.judgement).toMatchObject({ broken: [], overfull: [] })
  expect(repaired!.moved).toBe(movedOf(repaired!.rows))
  expect(repaired!.moved).toBeLessThanOrEqual(Math.floor(1.3 * least))
})

test('where nothing has to move, nothing does', () => {
  const { instance, plan } = made(9, 20, 8, 40)
  const model = modelOf(instance)
  const before = plan.map((year) => row(model, ...year))
  expect(searchRotations(model, { seconds: 2, rounds: 40, before }).found?.moved).toBe(0)
})

test('a plan that cannot be found is told by the nearest', () => {
  // Two who both need the only place of `x`, and nothing says so by counting alone.
  const model = modelOf({
    periods: 2,
    departments: [department('a', 1, 1), department('x', 1, 0), department('y', 1, 0)],
    trainees: [1, 2].map((n) => ({ id: `t${n}`, ...EASY })),
  })
  expect(whyNoPlan(model)).toContainEqual({ why: 'period', period: 1, places: 1, needed: 2 })
  const { found, nearest } = searchRotations(model, { seconds: 1, rounds: 20 })
  expect(found).toBe(null)
  expect(nearest.judgement.overfull.length).toBeGreaterThan(0)
})

test('the same seed gives the same plan', () => {
  const { instance } = made(3, 30, 8, 30)
  const of = (seed: number) =>
    searchRotations(modelOf(instance), { seconds: 60, rounds: 20, seed }).found?.judgement.cost
  expect(of(5)).toEqual(of(5))
})
