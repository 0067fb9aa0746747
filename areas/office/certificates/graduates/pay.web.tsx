import { Button } from '@mantine/core'
import { IconBuildingStore, IconCopy, IconCreditCard, IconRefresh } from '@tabler/icons-react'
import { useChange } from '#kit/web/api/index.ts'
import { Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { keepWayBack } from '#kit/web/way-back.ts'
import { graduateCalls as calls, type GraduatePayment, type GraduateShown } from './ask.contract.ts'
import css from './graduates.module.css'

const isOpen = ({ status }: GraduatePayment) => status === 'new' || status === 'pending'
interface Props {
  readonly of: GraduateShown
  readonly fee: NonNullable<GraduateShown['fee']>
  readonly secret: string
}

/** What is to be paid, and the ways to pay it. */
export function GraduateFee(props: Props) {
  const { fee } = props
  const t = useT('certificates')
  const under = fee.under_way.filter(isOpen)
  return (
    <section className={css.card}>
      <div className={css.head}>
        <h2>{t('fee')}</h2>
        <strong>
          <bdi>{formatMoney(fee.amount, fee.currency)}</bdi>
        </strong>
      </div>
      <div className={css.head}>
        <Status is={fee.open > 0 ? 'waits' : 'done'} label={t(fee.open > 0 ? 'unpaid' : 'paid')} />
        <span className={css.dim}>
          {t('grad_invoice')} <bdi>{fee.number}</bdi>
          {fee.open > 0 && fee.due_date && ` · ${t('grad_due_by', { day: formatDate(fee.due_date) })}`}
        </span>
      </div>
      {fee.open > 0 && (
        <>
          {under.map((one) => (
            <UnderWay key={one.id} payment={one} {...props} />
          ))}
          <Ways {...props} />
          <p className={css.dim}>{t('grad_pay_desk', { number: fee.number })}</p>
        </>
      )}
    </section>
  )
}

/** The ways by which it is paid from here. */
function Ways({ of, fee, secret }: Props) {
  const t = useT('certificates')
  const { busy, problem, go, send } = useChange('/certificates/graduate')
  const number = fee.under_way.some((one) => one.way === 'mobile' && isOpen(one))
  const pay = async (way: 'card' | 'mobile') => {
    const done = await go(() => send(calls.pay, { params: { id: of.id, key: secret }, body: { way } }))
    const payment = done?.answer.data.payment
    // The provider's own page, where the number of the card is typed.
    if (payment?.link && payment.status !== 'paid') {
      keepWayBack('certificate')
      window.location.assign(payment.link)
    }
  }
  return (
    <>
      <div className={css.ways}>
        {fee.ways.includes('mobile') && !number && (
          <Button
            size="md"
            loading={busy}
            leftSection={<IconBuildingStore size={18} aria-hidden />}
            onClick={() => void pay('mobile')}
          >
            {t('grad_pay_number')}
          </Button>
        )}
        {fee.ways.includes('card') && (
          <Button
            size="md"
            variant={number || !fee.ways.includes('mobile') ? 'filled' : 'default'}
            loading={busy}
            leftSection={<IconCreditCard size={18} aria-hidden />}
            onClick={() => void pay('card')}
          >
            {t('grad_pay_card')}
          </Button>
        )}
      </div>
      {problem !== null && <Problems error={problem} />}
    </>
  )
}

/** A payment that has begun: the number that it is paid by, and whether it has arrived. */
function UnderWay({ payment, of, secret }: Props & { payment: GraduatePayment }) {
  const t = useT('certificates')
  const { busy, problem, go, send } = useChange('/certificates/graduate')
  const check = () =>
    go(async () => {
      const { data } = await send(calls.check, {
        params: { id: of.id, key: secret, transaction: payment.id },
        body: {},
      })
      if (!data.answered) notify.info(t('grad_no_answer'))
      else if (data.payment.status === 'paid') notify.done(t('grad_arrived'))
      else notify.info(t('grad_not_arrived'))
    })
  const { pay_number } = payment
  return (
    <>
      <p className={css.dim}>{t(pay_number ? 'grad_number_text' : 'grad_card_text')}</p>
      {pay_number && (
        <p className={css.number}>
          <bdi dir="ltr">{pay_number}</bdi>
        </p>
      )}
      {payment.expires_at && (
        <p className={css.dim}>{t('grad_good_until', { at: formatInstant(payment.expires_at) })}</p>
      )}
      <div className={css.ways}>
        {pay_number && (
          <Button
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() =>
              void navigator.clipboard.writeText(pay_number).then(() => notify.done(t('grad_number_copied')))
            }
          >
            {t('grad_number_copy')}
          </Button>
        )}
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void check()}
        >
          {t('grad_check')}
        </Button>
      </div>
      {problem !== null && <Problems error={problem} />}
    </>
  )
}
