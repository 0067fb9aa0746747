import { Button } from '@mantine/core'
import { IconBuildingBank, IconWallet } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Code, Failed, Status, act } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, useLabel, useT } from '#kit/web/i18n/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { transactionCalls as calls } from '../moves/transaction.contract.ts'
import { WalletMoves } from '../moves/wallet-moves.web.tsx'
import { collectingOfAccount } from '../outlets.contract.ts'
import { PayOnline } from '../providers/pay-online.web.tsx'
import { REFUND_STATES } from '../refunds/refund.contract.ts'
import { OwnSlips, PayAtBank } from '../slips/at-bank.web.tsx'
import { accountCalls, type AwaitedRefund, type OpenInvoice as Open } from './account.contract.ts'
import { OwnNumbers } from './numbers.web.tsx'
import { OpenInvoice, useWhatFor } from './open-invoice.web.tsx'
import { Timeline } from './timeline.web.tsx'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

const Collecting = filled(collectingOfAccount)

const AFTER = ['/student-payments', '/payments', '/transactions', '/credits', '/students'] as const
/** Parts shown at the top; the rest stands with its invoice. */
const SHOWN = 3

/** A part of an invoice that is still to be paid. */
export interface AccountPart {
  readonly invoice: Open
  readonly id: number
  readonly due_date: string
  readonly overdue: boolean
  readonly open: number
  /** A slip that was handed in for it and is being checked. */
  readonly slip: string | null
}
const partsOf = (invoice: Open): AccountPart[] =>
  invoice.installments
    .filter((one) => one.settled < one.amount)
    .map(({ id, due_date, overdue, amount, settled, slip }) => ({
      invoice,
      id,
      due_date,
      overdue,
      open: amount - settled,
      slip,
    }))

/** The own account: what I owe and by when, how it was computed, what I paid, and what is in the wallet. */
export default function Account() {
  const t = useT('transactions')
  const say = useLabel()
  const { user } = useMe()
  const student = user.student_id!
  const { data, error, refetch } = useCall(accountCalls.account, { params: { id: student } })
  const found = data?.data
  const [paying, setPaying] = useState<AccountPart | null>(null)
  const [atBank, setAtBank] = useState<AccountPart | null>(null)
  /** The invoice of a number that may have been paid. */
  const [asking, setAsking] = useState<number | null>(null)
  useEvent('account', () => void refetch())

  const invoices = found?.open ?? []
  const parts = invoices.flatMap(partsOf).toSorted((a, b) => (a.due_date < b.due_date ? -1 : 1))
  const wallets = (found?.wallet.balances ?? []).filter((balance) => balance.wallet > 0)
  const inWallet = (currency: string) => wallets.find((one) => one.currency === currency)?.wallet ?? 0
  const collecting = (
    <Suspense fallback={null}>
      <Collecting student={student} own />
    </Suspense>
  )
  return (
    <Page title={say(['My account', 'حسابي المالي'])} wide={false}>
      <Stack>
        {error && !found ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !found ? (
          <Bone height={220} />
        ) : (
          <>
            <Owed parts={parts} inWallet={inWallet} onPay={setPaying} onBank={setAtBank} />
            <OwnNumbers of={found.numbers} onCheck={setAsking} />
            <OwnSlips student={student} />
            <OwnRefunds of={found.refunds} />
            {invoices.length > 0 && (
              <Card title={t('to_pay')}>
                {invoices.map((invoice) => (
                  <OpenInvoice
                    key={invoice.id}
                    of={invoice}
                    parts={partsOf(invoice)}
                    onPay={setPaying}
                    onBank={setAtBank}
                  />
                ))}
              </Card>
            )}
            {invoices.length > 0 && collecting}
            <Card title={t('what_happened')}>
              <Timeline invoices={found.issued} transactions={found.transactions} />
            </Card>
            <Card title={t('wallet')}>
              <Stack>
                {wallets.map((one) => (
                  <p key={one.currency} className={css.owed} style={{ margin: 0 }}>
                    <b>
                      <bdi>{formatMoney(one.wallet, one.currency)}</bdi>
                    </b>
                  </p>
                ))}
                <p className={css.text}>{t(wallets.length ? 'wallet_text' : 'wallet_empty')}</p>
                <WalletMoves moves={found.wallet.moves} />
                {found.wallet.balances
                  .filter((one) => one.deposit > 0)
                  .map((one) => (
                    <p key={`deposit ${one.currency}`} className={css.text}>
                      {t('deposit_held')} <bdi>{formatMoney(one.deposit, one.currency)}</bdi>. {t('deposit_held_text')}
                    </p>
                  ))}
              </Stack>
            </Card>
            {/* It comes later: where nothing is owed it is read last, and moves nothing. */}
            {invoices.length === 0 && collecting}
          </>
        )}
      </Stack>
      {atBank && (
        <PayAtBank
          invoice={atBank.invoice.id}
          installment={atBank.invoice.installments.length > 1 ? atBank.id : undefined}
          amount={atBank.open}
          currency={atBank.invoice.currency}
          onClose={() => setAtBank(null)}
        />
      )}
      {asking !== null && <PayOnline invoice={asking} onClose={() => setAsking(null)} />}
      {paying && (
        <PayOnline
          invoice={paying.invoice.id}
          installment={paying.invoice.installments.length > 1 ? paying.id : undefined}
          amount={paying.open}
          onClose={() => setPaying(null)}
        />
      )}
    </Page>
  )
}

/** What I owe, by when which part, and the one button that pays what is due first. */
function Owed({
  parts,
  inWallet,
  onPay,
  onBank,
}: {
  parts: readonly AccountPart[]
  inWallet: (currency: string) => number
  onPay: (part: AccountPart) => void
  onBank: (part: AccountPart) => void
}) {
  const t = useT('transactions')
  const whatFor = useWhatFor()
  const { busy, send } = useChange(...AFTER)
  const [soonest] = parts
  // What is being checked may be paid already: it is not asked for once more.
  const first = parts.find((one) => one.slip === null)
  if (!soonest)
    return (
      <Card>
        <div className={css.owed}>
          <Status is="done" label={t('owes_nothing')} />
          <p className={css.text}>{t('owes_nothing_text')}</p>
        </div>
      </Card>
    )
  const { currency } = (first ?? soonest).invoice
  const sums = new Map<string, number>()
  for (const one of parts) sums.set(one.invoice.currency, (sums.get(one.invoice.currency) ?? 0) + one.open)
  const fromWallet = first ? Math.min(inWallet(currency), first.open) : 0
  const payFromWallet = (part: AccountPart) =>
    act({
      ask: {
        title: t('wallet_pay_title', { amount: formatMoney(fromWallet, currency) }),
        consequence: t('wallet_pay_text', { number: part.invoice.number, what: whatFor(part.invoice) }),
        action: t('wallet_pay'),
      },
      go: () => send(calls.payFromWallet, { params: { id: part.invoice.id }, body: { amount: fromWallet } }),
      done: () => t('wallet_paid', { amount: formatMoney(fromWallet, currency) }),
    })
  return (
    <Card>
      <Stack>
        <div className={css.owed}>
          <span className={shared.dim}>{t('you_owe')}</span>
          {[...sums].map(([of, sum]) => (
            <b key={of}>
              <bdi>{formatMoney(sum, of)}</bdi>
            </b>
          ))}
        </div>
        <ul className={css.lines}>
          {parts.slice(0, SHOWN).map((one) => (
            <li key={one.id}>
              <span>
                {one.slip !== null ? (
                  <Status is="waits" label={t('slip_own_checked')} />
                ) : one.overdue ? (
                  <Status is="failed" label={t('overdue_since', { date: formatDate(one.due_date) })} />
                ) : (
                  t(one.invoice.in_plan ? 'due_by_plan' : 'due_by', { date: formatDate(one.due_date) })
                )}
                <small>
                  {whatFor(one.invoice)}
                  {one.slip !== null && (
                    <>
                      {' · '}
                      <Code>{one.slip}</Code>
                    </>
                  )}
                </small>
              </span>
              <bdi className={css.figure}>{formatMoney(one.open, one.invoice.currency)}</bdi>
            </li>
          ))}
        </ul>
        {parts.length > SHOWN && <p className={css.text}>{t('parts_more', { count: parts.length - SHOWN })}</p>}
        {soonest.overdue && (
          <p className={css.held} role="status">
            {t('held')}
          </p>
        )}
        {!first && <p className={css.text}>{t('slip_own_checked_text')}</p>}
        {first && (
          <div className={`${shared.buttons} ${css.wideButtons}`}>
            <Button size="lg" onClick={() => onPay(first)}>
              {t('pay_amount', { amount: formatMoney(first.open, currency) })}
            </Button>
            <Button
              size="lg"
              variant="default"
              leftSection={<IconBuildingBank size={18} aria-hidden />}
              onClick={() => onBank(first)}
            >
              {t('pay_at_bank')}
            </Button>
            {fromWallet > 0 && (
              <Button
                size="lg"
                variant="default"
                loading={busy}
                leftSection={<IconWallet size={18} aria-hidden />}
                onClick={() => void payFromWallet(first)}
              >
                {t('wallet_pay_amount', { amount: formatMoney(fromWallet, currency) })}
              </Button>
            )}
          </div>
        )}
      </Stack>
    </Card>
  )
}

/** Money that goes back to me and is not paid out yet, each with where it stands; nothing where none is. */
function OwnRefunds({ of }: { of: readonly AwaitedRefund[] }) {
  const t = useT('transactions')
  const say = useLabel()
  if (!of.length) return null
  return (
    <Card title={t('refunds_own')}>
      <ul className={css.lines}>
        {of.map((one) => {
          const state = REFUND_STATES.find(({ value }) => value === one.status)!
          return (
            <li key={one.id}>
              <span>
                <Status is={one.status === 'asked' ? 'waits' : 'done'} label={say(state.label)} />
                <small>
                  {t(
                    one.status === 'asked'
                      ? 'refund_own_asked'
                      : one.way === 'cash'
                        ? 'refund_own_at_desk'
                        : 'refund_own_by_bank',
                  )}{' '}
                  <Code>{one.number}</Code>
                </small>
              </span>
              <bdi className={css.figure}>{formatMoney(one.amount, one.currency)}</bdi>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
