import type { ResponseOf } from '#kit/contract/call.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { moveWord } from './words.rules.ts'
import type { transactionCalls } from './transaction.contract.ts'
import css from '../transactions.module.css'

type Moves = ResponseOf<typeof transactionCalls.credit>['data']['moves']

/** What came into a wallet and went out of it, the latest first, with what was in it then. */
export function WalletMoves({ moves }: { moves: Moves }) {
  const t = useT('transactions')
  if (!moves.length) return null
  return (
    <ol className={css.lines}>
      {moves.map((move, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a list that only grows at its beginning
        <li key={moves.length - i}>
          <span>
            {t(`move_${moveWord(move)}` as 'move_payment')}
            <small>
              {formatInstant(move.at)}
              {move.number && (
                <>
                  {' · '}
                  <Code>{move.number}</Code>
                </>
              )}
            </small>
          </span>
          <span className={css.figure}>
            <bdi className={move.amount > 0 ? css.came : undefined}>{formatMoney(move.amount, move.currency)}</bdi>
            <small>
              <bdi>{t('then_in_it', { amount: formatMoney(move.after, move.currency) })}</bdi>
            </small>
          </span>
        </li>
      ))}
    </ol>
  )
}
