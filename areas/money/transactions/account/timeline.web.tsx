import { dayOf } from '#kit/contract/day.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { Code, Empty } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { formatDate, formatMoney, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Link, to } from '#kit/web/router/index.ts'
import { saveReceipt } from '../moves/receipt.web.tsx'
import { LATEST, type AccountMove, type IssuedInvoice } from './account.contract.ts'
import { TransactionState, usePurpose } from '../moves/words.web.tsx'
import { isReleased } from '../moves/words.rules.ts'
import { useWhatFor } from './open-invoice.web.tsx'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

/** Steps shown at first. */
const SHOWN = 8
/** What came to nothing by itself is of no interest to who tried. */
const LEFT_OUT: readonly AccountMove['status'][] = ['failed', 'expired']

/** What was charged, paid and given back, the latest first. */
export function Timeline({
  invoices,
  transactions,
}: {
  invoices: readonly IssuedInvoice[]
  transactions: readonly AccountMove[]
}) {
  const t = useT('transactions')
  const lang = useLanguage()
  const whatFor = useWhatFor()
  const { purpose, way } = usePurpose()
  const [all, setAll] = useState(false)
  const steps = [
    ...transactions
      .filter((one) => !LEFT_OUT.includes(one.status))
      .map((one) => ({ at: one.booked_on ?? dayOf(one.created_at), transaction: one, invoice: null })),
    ...invoices.map((one) => ({ at: one.issued_on, transaction: null, invoice: one })),
  ].toSorted((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : 0))
  if (!steps.length) return <Empty title={t('nothing_happened')} text={t('nothing_happened_text')} />
  return (
    <Stack>
      <ol className={css.lines}>
        {(all ? steps : steps.slice(0, SHOWN)).map(({ at, transaction, invoice }) =>
          invoice ? (
            <li key={`invoice ${invoice.id}`}>
              <span>
                <Link to={to('/payments/:id', { id: invoice.id })}>
                  {whatFor(invoice)}
                  <small>
                    {formatDate(at)} · {t('charged')} · <Code>{invoice.number}</Code>
                  </small>
                </Link>
              </span>
              <bdi className={`${css.figure} ${invoice.state === 'reversed' ? css.struck : ''}`}>
                {formatMoney(invoice.charged, invoice.currency)}
              </bdi>
            </li>
          ) : (
            <li key={`transaction ${transaction.id}`}>
              <span>
                <Link to={to('/transaction/:id', { id: transaction.id })}>
                  {isReleased(transaction)
                    ? t('released')
                    : `${purpose(transaction.purpose)} · ${way(transaction.way)}`}
                  <small>
                    {formatDate(at)} · <Code>{transaction.receipt ?? transaction.number}</Code>
                  </small>
                </Link>
                {transaction.status !== 'paid' && <TransactionState of={transaction.status} />}
              </span>
              <span className={shared.buttons}>
                {transaction.status === 'paid' && transaction.direction === 'in' && (
                  <ActionIcon
                    variant="subtle"
                    size={44}
                    aria-label={t('receipt_of', { number: transaction.receipt ?? transaction.number })}
                    onClick={() => void saveReceipt(transaction.id, lang)}
                  >
                    <IconReceipt size={18} aria-hidden />
                  </ActionIcon>
                )}
                <bdi
                  className={`${css.figure} ${transaction.status === 'paid' && transaction.direction === 'in' ? css.came : ''}`}
                >
                  {formatMoney(
                    isReleased(transaction) ? Math.abs(transaction.amount) : transaction.amount,
                    transaction.currency,
                  )}
                </bdi>
              </span>
            </li>
          ),
        )}
      </ol>
      {!all && steps.length > SHOWN && (
        <div className={shared.buttons}>
          <Button variant="default" onClick={() => setAll(true)}>
            {t('show_all', { count: steps.length })}
          </Button>
        </div>
      )}
      {(all || steps.length <= SHOWN) && (
        <OnlyFirst rows={Math.max(invoices.length, transactions.length)} most={LATEST} />
      )}
    </Stack>
  )
}
