import { expect, test } from 'vitest'
import { construct } from './construct.rules.ts'
import { Loads } from './loads.rules.ts'
import { madeProblem } from './made.rules.ts'
import { compile, Random } from './model.rules.ts'
import { Plan } from './plan.rules.ts'

/** From nothing: the weight times the worst load, less one, and the share of those who have it. */
function plainly(plan: Plan, slots: Int32Array): number {
  const { S, pair, takesFrom, takes, problem } = plan.model
  const loads = Array.from({ length: takesFrom.length - 1 }, (_, student) => {
    const mine = Array.from(takes.subarray(takesFrom[student], takesFrom[student + 1]), (unit) => slots[unit]!)
    return mine.reduce(
      (sum, a, i) => sum + mine.slice(i + 1).reduce((more, b) => more + (a < 0 || b < 0 ? 0 : pair[a * S + b]!), 0),
      0,
    )
  })
  const worst = Math.max(0, ...loads)
  const have = loads.filter((load) => load === worst).length
  return worst === 0 ? 0 : problem.weights.worst * (worst - 1 + have / loads.length)
}

test.each([1, 2, 3, 4])(
  'what the one who has it worst bears is kept along as it is reckoned from nothing (%i)',
  (seed) => {
    const made = madeProblem(seed, { exams: 16, slots: 8, halls: 0, students: 25, each: 3, rules: false })
    const random = new Random(seed)
    const plan = new Plan(compile({ ...made, weights: { ...made.weights, worst: 3 } }))
    construct(plan, random)
    const loads = new Loads(plan)
    expect(loads.cost).toBeCloseTo(plainly(plan, plan.slotOf))
    let kept = 0
    for (let round = 0; round < 600; round += 1) {
      const n = 1 + random.below(3)
      const moved = Int32Array.from({ length: n }, () => random.below(plan.model.U))
      const next = Int32Array.from(plan.slotOf)
      // Some lose their place, and some find one.
      for (const unit of moved) next[unit] = random.below(plan.model.S + 1) - 1
      const then = plainly(plan, next)
      expect(loads.change(moved, n, next)).toBeCloseTo(then - loads.cost)
      // What is only judged changes nothing.
      expect(loads.cost).toBeCloseTo(plainly(plan, plan.slotOf))
      if (random.below(2)) continue
      loads.keep()
      plan.slotOf.set(next)
      kept += 1
      expect(loads.cost).toBeCloseTo(then)
    }
    expect(kept).toBeGreaterThan(200)
  },
)

test('where nobody has two exams nobody has it worst', () => {
  const made = madeProblem(1, { exams: 4, slots: 4, halls: 0, students: 0, each: 1, rules: false })
  const plan = new Plan(compile({ ...made, students: [[0], [1]], weights: { ...made.weights, worst: 3 } }))
  const loads = new Loads(plan)
  expect(loads.cost).toBe(0)
  expect(loads.change(Int32Array.of(0), 1, Int32Array.from(plan.slotOf))).toBe(0)
})
