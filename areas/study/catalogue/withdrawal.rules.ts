/**
 * What a withdrawn course costs, by the day on which the student left it: the steps of a bylaw, each a number of days from the
 * beginning of the term and the share of the fees that is charged until then.
 */
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'
import type { Hundredths } from './decimal.rules.ts'

export interface WithdrawalStep {
  /** Of summer terms, which are shorter, or of all others. */
  readonly summer: boolean
  /** Days after the first day of the term; the step holds through that day. */
  readonly days: number
  /** Hundredths of a percent. */
  readonly percent: Hundredths
}

export type WithdrawalCode = 'withdrawal_step_twice' | 'withdrawal_step_falls'
export const withdrawalTexts: Record<WithdrawalCode, Bilingual> = {
  withdrawal_step_twice: {
    en: 'There is a step through day {days} already',
    ar: 'توجد شريحة حتى اليوم {days} بالفعل',
  },
  withdrawal_step_falls: {
    en: 'Whoever leaves later would be charged less: {percent}% after {before}%',
    ar: 'من ينسحب لاحقًا يُحتسب عليه أقل: {percent}% بعد {before}%',
  },
}

/**
 * Why steps make no sense: two through the same day, or one that charges less than an earlier one.
 *
 * @param after hundredths of a percent that are charged once all steps are over
 */
export function checkWithdrawalSteps(steps: readonly WithdrawalStep[], after: Hundredths): Problem<WithdrawalCode>[] {
  const problems: Problem<WithdrawalCode>[] = []
  for (const summer of [false, true]) {
    const own = steps
      .map((step, i) => ({ ...step, field: `withdrawal_steps.${i}` }))
      .filter((step) => step.summer === summer)
      .toSorted((a, b) => a.days - b.days)
    own.forEach((step, i) => {
      const before = own[i - 1]
      if (before?.days === step.days)
        problems.push({ code: 'withdrawal_step_twice', field: `${step.field}.days`, data: { days: step.days } })
      else if (before && step.percent < before.percent)
        problems.push({
          code: 'withdrawal_step_falls',
          field: `${step.field}.percent`,
          data: { percent: step.percent / 100, before: before.percent / 100 },
        })
    })
    const last = own.at(-1)
    if (last && after < last.percent)
      problems.push({
        code: 'withdrawal_step_falls',
        field: 'withdrawal_charge',
        data: { percent: after / 100, before: last.percent / 100 },
      })
  }
  return problems
}
