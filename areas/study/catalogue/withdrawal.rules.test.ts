import { expect, test } from 'vitest'
import { checkWithdrawalSteps, type WithdrawalStep } from './withdrawal.rules.ts'

const step = (days: number, percent: number, summer = false): WithdrawalStep => ({
  days,
  percent: percent * 100,
  summer,
})

test.each<[string, WithdrawalStep[], number, string[]]>([
  ['no steps', [], 100, []],
  ['each later one charges more', [step(7, 0), step(14, 25), step(28, 50)], 100, []],
  ['two may charge the same', [step(7, 25), step(14, 25)], 25, []],
  ['in whatever order they are written', [step(28, 50), step(7, 0), step(14, 25)], 100, []],
  ['two through one day', [step(7, 0), step(7, 25)], 100, ['withdrawal_step_twice@withdrawal_steps.1.days']],
  [
    'the later one charges less',
    [step(7, 50), step(14, 25)],
    100,
    ['withdrawal_step_falls@withdrawal_steps.1.percent'],
  ],
  [
    'told at its own place, however it is sorted',
    [step(14, 25), step(7, 50)],
    100,
    ['withdrawal_step_falls@withdrawal_steps.0.percent'],
  ],
  ['less once all steps are over', [step(7, 50)], 40, ['withdrawal_step_falls@withdrawal_charge']],
  ['a summer has steps of its own', [step(7, 50), step(7, 50, true), step(3, 0, true)], 100, []],
  ['each season is judged', [step(7, 50, true)], 40, ['withdrawal_step_falls@withdrawal_charge']],
  [
    'every reason is told',
    [step(7, 50), step(7, 60), step(14, 10), step(3, 90, true)],
    80,
    [
      'withdrawal_step_twice@withdrawal_steps.1.days',
      'withdrawal_step_falls@withdrawal_steps.2.percent',
      'withdrawal_step_falls@withdrawal_charge',
    ],
  ],
])('%s', (_, steps, after, problems) => {
  expect(checkWithdrawalSteps(steps, after * 100).map(({ code, field }) => `${code}@${field}`)).toEqual(problems)
})

test('shares are told in percent', () => {
  expect(checkWithdrawalSteps([step(7, 33.33)], 1250)[0]?.data).toEqual({ percent: 12.5, before: 33.33 })
})
