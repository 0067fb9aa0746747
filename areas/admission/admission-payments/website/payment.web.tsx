import { Button } from '@mantine/core'
import {
  IconBuildingStore,
  IconCash,
  IconCopy,
  IconCreditCard,
  IconFileTypePdf,
  IconRefresh,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Problems, Status, act, notify } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatMoney, formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { keepWayBack } from '#kit/web/way-back.ts'
import { ADMISSION_FEES } from '#areas/admission/admissions/words.contract.ts'
import {
  applicantPaymentCalls as calls,
  type ApplicantAccount,
  type ApplicantPayment,
  type ApplicantFeeStanding,
} from './payment.contract.ts'
import css from '../admission-payments.module.css'

/** Milliseconds after which it is asked again while a payment is open. */
const EVERY = 10_000
const isOpen = ({ status }: ApplicantPayment) => status === 'new' || status === 'pending'

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
        query.state.data?.data.fees.some((one) => one.under_way.some(isOpen)) ? EVERY : false,
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
  const under = of.under_way.filter(isOpen)
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
        <UnderWay key={one.id} of={one} id={id} secret={secret} />
      ))}
      {of.payable && <Ways of={of} id={id} secret={secret} />}
    </section>
  )
}

/** The ways by which a fee is paid. */
function Ways({ of, id, secret }: { of: ApplicantFeeStanding; id: number; secret: string }) {
  const t = useT('admission-payments')
  const { busy, problem, go, send } = useChange('/admission')
  const number = of.under_way.some((one) => one.way === 'mobile' && isOpen(one))
  const pay = async (way: 'card' | 'mobile' | 'cash') => {
    const done = await go(() => send(calls.create, { body: { id, key: secret, way, fee: of.fee } }))
    const payment = done?.answer.data.payment
    // The provider's own page, where the number of the card is typed.
    if (payment?.link && payment.status !== 'paid') {
      keepWayBack(`application ${id}`)
      window.location.assign(payment.link)
    }
  }
  return (
    <>
      <div className={css.ways}>
        {of.ways.includes('mobile') && !number && (
          <Button
            size="md"
            loading={busy}
            leftSection={<IconBuildingStore size={18} aria-hidden />}
            onClick={() => void pay('mobile')}
          >
            {t('pay_by_number')}
          </Button>
        )}
        {of.ways.includes('card') && (
          <Button
            size="md"
            variant={number || !of.ways.includes('mobile') ? 'filled' : 'default'}
            loading={busy}
            leftSection={<IconCreditCard size={18} aria-hidden />}
            onClick={() => void pay('card')}
          >
            {t('pay_by_card')}
          </Button>
        )}
        {!of.invoice && (
          <Button
            size="md"
            variant="default"
            loading={busy}
            leftSection={<IconCash size={18} aria-hidden />}
            onClick={() => void pay('cash')}
          >
            {t('pay_at_desk')}
          </Button>
        )}
      </div>
      {problem !== null && <Problems error={problem} />}
    </>
  )
}

/** A payment that has begun: the number that it is paid by, and whether it has arrived. */
function UnderWay({ of, id, secret }: { of: ApplicantPayment; id: number; secret: string }) {
  const t = useT('admission-payments')
  const { busy, problem, go, send } = useChange('/admission')
  const check = () =>
    go(async () => {
      const { data } = await send(calls.check, { params: { transaction: of.id }, body: { id, key: secret } })
      if (!data.answered) notify.info(t('no_answer'))
      else if (data.payment.status === 'paid') notify.done(t('arrived'))
      else notify.info(t('not_arrived'))
    })
  return (
    <div className={css.under}>
      {of.pay_number ? (
        <>
          <p className={css.text}>{t('number_text')}</p>
          <p className={css.number}>
            <bdi dir="ltr">{of.pay_number}</bdi>
          </p>
        </>
      ) : (
        <p className={css.text}>{t('card_under_way')}</p>
      )}
      {of.expires_at && <p className={css.text}>{t('good_until', { at: formatInstant(of.expires_at) })}</p>}
      <div className={css.ways}>
        {of.pay_number && (
          <Button
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() =>
              void navigator.clipboard.writeText(of.pay_number ?? '').then(() => notify.done(t('number_copied')))
            }
          >
            {t('number_copy')}
          </Button>
        )}
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void check()}
        >
          {t('check')}
        </Button>
      </div>
      {problem !== null && <Problems error={problem} />}
    </div>
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
