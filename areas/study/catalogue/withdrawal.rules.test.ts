import { describe, expect, test } from 'vitest'
import { checkWithdrawalSteps } from './withdrawal.rules.ts'

const step = (days: number, percent: number, summer = false) => ({ days, percent: percent * 100, summer })
const codes = (steps: Parameters<typeof checkWithdrawalSteps>[0], after: number) =>
  checkWithdrawalSteps(steps, after * 100).map(({ code, field, data }) => [code, field, data])

describe('steps of what a withdrawal costs', () => {
  test.each([
    ['rise, in whatever order they were entered', [step(28, 50), step(7, 0), step(14, 25)], 100],
    ['may stay as they are', [step(7, 25), step(14, 25)], 25],
    ['are none', [], 0],
    ['of the summer are by themselves, shorter and dearer', [step(14, 25), step(14, 75, true), step(7, 50, true)], 100],
  ])('they %s', (_, steps, after) => expect(codes(steps, after)).toEqual([]))

  test('two through one day are told at the later one, and not as a fall besides', () => {
    expect(codes([step(7, 50), step(7, 25)], 100)).toEqual([
      ['withdrawal_step_twice', 'withdrawal_steps.1.days', { days: 7 }],
    ])
  })

  test('whoever leaves later is never charged less: each fall by the place where it was entered', () => {
    expect(codes([step(21, 10), step(7, 50), step(14, 25)], 100)).toEqual([
      ['withdrawal_step_falls', 'withdrawal_steps.2.percent', { percent: 25, before: 50 }],
      ['withdrawal_step_falls', 'withdrawal_steps.0.percent', { percent: 10, before: 25 }],
    ])
  })

  test('nor once all steps are over, in each kind of term', () => {
    expect(codes([step(7, 60), step(7, 40, true)], 50)).toEqual([
      ['withdrawal_step_falls', 'withdrawal_charge', { percent: 50, before: 60 }],
    ])
    expect(codes([step(7, 60), step(7, 70, true)], 50)).toHaveLength(2)
  })
})
