import { may } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { TransactionState } from '../moves/words.web.tsx'
import type { DrawerReceipt } from './desk.contract.ts'
import css from '../transactions.module.css'

/** A receipt of a drawer: its number leads to it. */
export function ReceiptLine({ of: one, purpose }: { of: DrawerReceipt; purpose: string }) {
  return (
    <li>
      <span>
        {may('access_transaction') ? (
          <Link to={to('/transaction/:id', { id: one.id })}>
            <Code>{one.receipt}</Code>
          </Link>
        ) : (
          <Code>{one.receipt}</Code>
        )}{' '}
        <Name row={one.student ?? one.payer} />
        <small>
          {formatInstant(one.at)} · {purpose}
        </small>
        {one.status !== 'paid' && <TransactionState of={one.status as never} />}
      </span>
      <bdi className={`${css.figure} ${one.status === 'cancelled' ? css.struck : ''}`}>
        {formatMoney(one.amount, one.currency)}
      </bdi>
    </li>
  )
}
