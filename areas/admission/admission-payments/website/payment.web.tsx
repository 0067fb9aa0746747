import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { download, useCall } from '#kit/web/api/index.ts'
import { Failed, Status, act } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { PaymentUnderWay, WaysToPay, isUnderWay } from '#kit/web/pay/pay.tsx'
import { Bone } from '#kit/web/shell/card.tsx'
import { ADMISSION_FEES } from '#areas/admission/admissions/words.contract.ts'
import { applicantPaymentCalls as calls, type ApplicantAccount, type ApplicantFeeStanding } from './payment.contract.ts'
import css from '../admission-payments.module.css'

/** Milliseconds after which it is asked again while a payment is open. */
const EVERY = 10_000
/** What is asked again when a payment moves. */
const AFTER = ['/admission'] as const

interface Props {
  readonly id: number
  readonly secret: string
  readonly onPaid: () => void
}

/** What an application costs, what of it is paid, and the ways to pay the rest. */
export function ApplicationPayment({ id, secret, onPaid }: Props) {
  const t = useT('admission-payments')
  const { data, error, refetch } = useCall(
    calls.account,
    { body: { id, key: secret } },
    {
      refetchInterval: (query) =>
        query.state.data?.data.fees.some((one) => one.under_way.some(isUnderWay)) ? EVERY : false,
    },
  )
  const account = data?.data
  const settled = account?.fees.filter((one) => one.state === 'paid').length
  const before = useRef(settled)
  // What was paid meanwhile opens the way in the form.
  useEffect(() => {
    if (settled !== undefined && before.current !== undefined && settled > before.current) onPaid()
    before.current = settled
  }, [settled, onPaid])
  if (error && !account) return <Failed error={error} retry={() => void refetch()} />
  if (!account) return <Bone height={220} />
  const printable = account.fees.some((one) => one.invoice && one.open > 0)
  return (
    <div className={css.fees}>
      {account.fees.length === 0 && <p className={css.text}>{t('nothing_to_pay')}</p>}
      {account.fees.map((one) => (
        <Fee key={`${one.fee} ${one.attempt}`} of={one} id={id} secret={secret} />
      ))}
      {account.wallets.map((one) => (
        <p key={one.currency} className={css.text}>
          {t('held_for_you', { amount: formatMoney(one.amount, one.currency) })}
        </p>
      ))}
      {printable && <Instructions id={id} account={account} />}
    </div>
  )
}

/** One fee: what it is, how it stands, and how it is paid. */
function Fee({ of, id, secret }: { of: ApplicantFeeStanding; id: number; secret: string }) {
  const t = useT('admission-payments')
  const say = useLabel()
  const name = say(ADMISSION_FEES.find(({ value }) => value === of.fee)!.label)
  const under = of.under_way.filter(isUnderWay)
  return (
    <section className={css.fee} aria-label={name}>
      <div className={css.head}>
        <strong>
          {name}
          {of.attempt > 1 && ` · ${t('attempt', { n: formatNumber(of.attempt) })}`}
        </strong>
        <bdi className={css.amount}>{formatMoney(of.amount, of.currency)}</bdi>
      </div>
      <div className={css.head}>
        <Status
          is={of.state === 'paid' ? 'done' : of.state === 'later' ? 'expired' : 'waits'}
          label={t(`fee_${of.state}`)}
        />
        {of.open > 0 && of.invoice?.due_date && (
          <span className={css.text}>{t('due_by', { day: formatDate(of.invoice.due_date) })}</span>
        )}
      </div>
      {of.state === 'part' && (
        <p className={css.text}>{t('still_open', { amount: formatMoney(of.open, of.currency) })}</p>
      )}
      {of.paid.map((one) => (
        <p key={one.number} className={css.text}>
          {t('paid_on', {
            amount: formatMoney(one.amount, of.currency),
            day: one.on ? formatDate(one.on) : '',
            // A number is not broken at its hyphen.
            number: one.number.replaceAll('-', '\u2011'),
          })}
        </p>
      ))}
      {under.map((one) => (
        <PaymentUnderWay
          key={one.id}
          payment={one}
          refreshes={AFTER}
          check={async (send) =>
            (await send(calls.check, { params: { transaction: one.id }, body: { id, key: secret } })).data
          }
        />
      ))}
      {of.payable && (
        <WaysToPay
          ways={of.invoice ? of.ways : [...of.ways, 'cash' as const]}
          underWay={under}
          refreshes={AFTER}
          wayBack={`application ${id}`}
          pay={async (send, way) =>
            (await send(calls.create, { body: { id, key: secret, way, fee: of.fee } })).data.payment
          }
        />
      )}
    </section>
  )
}

/** The paper for whoever pays at the cashier or by a bank. */
function Instructions({ id, account }: { id: number; account: ApplicantAccount }) {
  const t = useT('admission-payments')
  return (
    <div className={css.ways}>
      <Button
        variant="default"
        leftSection={<IconFileTypePdf size={18} aria-hidden />}
        onClick={() =>
          void act({
            go: () => download(calls.paper, { params: { id }, query: { ticket: account.ticket } }),
            done: () => null,
          })
        }
      >
        {t('instructions')}
      </Button>
    </div>
  )
}
