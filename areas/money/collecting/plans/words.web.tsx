import { Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, useLabel, useT } from '#kit/web/i18n/index.ts'
import { PLAN_STATES, type PlanRow } from './plan.contract.ts'
import css from '../collecting.module.css'

/** What is fetched again once something happened to a plan. */
export const PLAN_AFTER = ['/payment-plans', '/payments', '/student-payments', '/reminders', '/users/work'] as const

const IS = {
  asked: 'waits',
  refused: 'failed',
  withdrawn: 'cancelled',
  running: 'in_progress',
  kept: 'done',
  broken: 'failed',
  ended: 'cancelled',
} as const
/** Where a plan stands. */
export function PlanState({ of }: { of: Pick<PlanRow, 'state'> }) {
  const say = useLabel()
  return <Status is={IS[of.state]} label={say(PLAN_STATES.find(({ value }) => value === of.state)!.label)} />
}

/** Parts of a plan in lines: by when which amount, and what is paid of it. */
export function PlanParts({
  parts,
  currency,
  running = false,
}: {
  parts: readonly { readonly amount: number; readonly due_date: string; readonly paid?: number }[]
  currency: string
  running?: boolean
}) {
  const t = useT('collecting')
  return (
    <ol className={css.parts}>
      {parts.map((one) => (
        <li key={one.due_date}>
          <span>
            {t('part_by', { day: formatDate(one.due_date) })}
            {running && (one.paid ?? 0) > 0 && (
              <small>
                {(one.paid ?? 0) >= one.amount
                  ? t('part_paid')
                  : t('part_paid_of', { amount: formatMoney(one.paid ?? 0, currency) })}
              </small>
            )}
          </span>
          <bdi className={css.figure}>{formatMoney(one.amount, currency)}</bdi>
        </li>
      ))}
    </ol>
  )
}

/** What a plan is for: an invoice by its number, or all that is owed. */
export function usePlanFor() {
  const t = useT('collecting')
  return ({ invoice, currency }: Pick<PlanRow, 'invoice' | 'currency'>): string =>
    invoice ? t('plan_of_invoice', { number: invoice.number }) : t('plan_of_all', { currency })
}
