import { Button } from '@mantine/core'
import { IconBuildingStore, IconCash, IconCopy, IconCreditCard, IconReceipt, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useChange } from '../api/index.ts'
import { PublicPage } from '../app/pages/public.tsx'
import { Problems, notify } from '../feedback/index.ts'
import { formatInstant, useT } from '../i18n/index.ts'
import { Link } from '../router/index.ts'
import { keepWayBack } from '../way-back.ts'
import css from './pay.module.css'

type Send = ReturnType<typeof useChange>['send']

/** A payment by a provider, as far as whoever pays has to know of it. */
export interface Payment {
  readonly id: number
  readonly status: string
  readonly way: string
  /** The number that one pays by at a shop; null: by card. */
  readonly pay_number: string | null
  /** The provider's own page. */
  readonly link: string | null
  readonly expires_at: string | null
}

/** Neither paid nor over. */
export const isUnderWay = ({ status }: Pick<Payment, 'status'>): boolean => status === 'new' || status === 'pending'

interface Asking {
  /** What is fetched again after a change, as of `useChange`. */
  readonly refreshes: readonly string[]
}

/**
 * The ways by which something is paid. Who chooses the card is led to the provider's page.
 *
 * @param ways those that are offered; nothing is shown for others
 * @param underWay what was begun before: no second number is asked for
 * @param pay begins a payment
 * @param wayBack name under which this page is remembered for whoever comes back (`CameBack`)
 * @param begun hears of a payment whose number is to be shown
 */
export function WaysToPay<Way extends 'card' | 'mobile' | 'cash', P extends Payment>({
  ways,
  underWay,
  pay,
  wayBack,
  begun,
  refreshes,
}: Asking & {
  ways: readonly Way[]
  underWay: readonly Payment[]
  pay: (send: Send, way: Way) => Promise<P | null | undefined>
  wayBack?: string
  begun?: (payment: P) => void
}) {
  const t = useT('kit-pay')
  const { busy, problem, go, send } = useChange(...refreshes)
  const number = underWay.some((one) => one.way === 'mobile' && isUnderWay(one))
  const offered = ways.filter((way) => way !== 'mobile' || !number)
  const begin = async (way: Way) => {
    const payment = (await go(() => pay(send, way)))?.answer
    if (!payment) return
    if (payment.link && payment.status !== 'paid') {
      if (wayBack) keepWayBack(wayBack)
      window.location.assign(payment.link)
    } else begun?.(payment)
  }
  if (!offered.length) return null
  const order = ['mobile', 'card', 'cash'].flatMap((way) => offered.filter((one) => one === way))
  return (
    <>
      <div className={css.ways}>
        {order.map((way, i) => (
          <Button
            key={way}
            size="md"
            variant={i === 0 && way !== 'cash' ? 'filled' : 'default'}
            loading={busy}
            leftSection={WAY_ICON[way]}
            onClick={() => void begin(way)}
          >
            {t(`pay_${way}`)}
          </Button>
        ))}
      </div>
      {problem !== null && <Problems error={problem} />}
    </>
  )
}
const WAY_ICON = {
  mobile: <IconBuildingStore size={18} aria-hidden />,
  card: <IconCreditCard size={18} aria-hidden />,
  cash: <IconCash size={18} aria-hidden />,
}

/** The number that one pays by, large, to be named or copied. */
export function PayNumber({ number }: { number: string }) {
  const t = useT('kit-pay')
  return (
    <>
      <p className={css.text}>{t('number_text')}</p>
      <p className={css.number}>
        <bdi dir="ltr">{number}</bdi>
      </p>
      <div className={css.ways}>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void navigator.clipboard.writeText(number).then(() => notify.done(t('number_copied')))}
        >
          {t('number_copy')}
        </Button>
      </div>
    </>
  )
}

/**
 * A payment that has begun: the number that it is paid by, and whether it has arrived.
 *
 * @param check asks the provider now; `answered` false: it does not answer
 */
export function PaymentUnderWay({
  payment,
  check,
  refreshes,
}: Asking & {
  payment: Payment
  check: (send: Send) => Promise<{ answered: boolean; payment: { status: string } }>
}) {
  const t = useT('kit-pay')
  const { busy, problem, go, send } = useChange(...refreshes)
  const ask = () =>
    go(async () => {
      const { answered, payment: now } = await check(send)
      if (!answered) notify.info(t('no_answer'))
      else if (now.status === 'paid') notify.done(t('arrived'))
      else notify.info(t('not_arrived'))
    })
  return (
    <div className={css.under}>
      {payment.pay_number ? <PayNumber number={payment.pay_number} /> : <p className={css.text}>{t('card_begun')}</p>}
      {payment.expires_at && <p className={css.text}>{t('good_until', { at: formatInstant(payment.expires_at) })}</p>}
      <div className={css.ways}>
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void ask()}
        >
          {t('check')}
        </Button>
      </div>
      {problem !== null && <Problems error={problem} />}
    </div>
  )
}

/**
 * Where a browser without an account comes back to from the provider's page.
 *
 * @param back the page that was left, or null where this browser does not know it: then `otherwise` is shown
 */
export function CameBack({
  title,
  text,
  back,
  label,
  otherwise,
}: {
  title: string
  text: string
  back: string | null
  label: string
  otherwise: ReactNode
}) {
  return (
    <PublicPage as="pages" title={title}>
      <div className={css.page}>
        <IconReceipt size={56} className={css.sign} aria-hidden />
        <h1>{title}</h1>
        <p className={css.text}>{text}</p>
        {back ? (
          <Button component={Link} size="md" to={back}>
            {label}
          </Button>
        ) : (
          otherwise
        )}
      </div>
    </PublicPage>
  )
}
