import { Button } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { download, useChange } from '#kit/web/api/index.ts'
import { Problems, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { PaymentUnderWay, WaysToPay, isUnderWay } from '#kit/web/pay/pay.tsx'
import { graduateCalls as calls, type GraduateShown } from './ask.contract.ts'
import css from './graduates.module.css'

/** What is asked again when a payment moves. */
const AFTER = ['/certificates/graduate'] as const

interface Props {
  readonly of: GraduateShown
  readonly fee: NonNullable<GraduateShown['fee']>
  readonly secret: string
}

/** What is to be paid, and the ways to pay it. */
export function GraduateFee({ of, fee, secret }: Props) {
  const t = useT('certificates')
  const at = { id: of.id, key: secret }
  const under = fee.under_way.filter(isUnderWay)
  const { go, busy, problem } = useChange()
  // The last that was tried, while nothing else is under way.
  const isRefused = fee.open > 0 && !under.length && fee.under_way[0]?.status === 'failed'
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
      {problem !== null && <Problems error={problem} />}
      {fee.receipts.map((one) => (
        <div key={one.id} className={css.head}>
          <span>{t('grad_paid_on', { day: formatDate(one.on) })}</span>
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconReceipt size={18} aria-hidden />}
            onClick={() => void go(() => download(calls.receipt, { params: { ...at, transaction: one.id } }))}
          >
            {t('grad_receipt', { number: one.number })}
          </Button>
        </div>
      ))}
      {isRefused && (
        <p className={css.refused} role="status">
          {t('grad_pay_refused')}
        </p>
      )}
      {fee.open > 0 && (
        <>
          {under.map((one) => (
            <PaymentUnderWay
              key={one.id}
              payment={one}
              refreshes={AFTER}
              check={async (send) =>
                (await send(calls.check, { params: { ...at, transaction: one.id }, body: {} })).data
              }
            />
          ))}
          <WaysToPay
            ways={fee.ways}
            underWay={under}
            refreshes={AFTER}
            wayBack="certificate"
            pay={async (send, way) => (await send(calls.pay, { params: at, body: { way } })).data.payment}
          />
          <p className={css.dim}>{t('grad_pay_desk', { number: fee.number })}</p>
        </>
      )}
    </section>
  )
}
