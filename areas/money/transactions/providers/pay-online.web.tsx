import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Failed, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { PayNumber, WaysToPay } from '#kit/web/pay/pay.tsx'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { payCalls } from './providers.contract.ts'
import type { OnlinePayment } from './providers.contract.ts'
import css from './providers.module.css'

/** What is asked again when a payment moves. */
const AFTER = ['/student-payments', '/payments', '/ledger', '/transactions', '/students', '/users/work'] as const

const OPEN: ReadonlySet<string> = new Set(['new', 'pending'])

/** State of a payment by a provider. */
export function PaymentState({ status }: { status: OnlinePayment['status'] }) {
  const t = useT('transactions')
  const open = OPEN.has(status)
  const is = open ? 'waits' : status === 'paid' ? 'done' : status === 'expired' ? 'expired' : 'failed'
  return <Status is={is} label={t(`online_${status === 'new' ? 'pending' : status}`)} />
}

/**
 * Pays an invoice, or an instalment of it, by a provider: the ways that the university offers, the number or the page that one
 * pays by, and whether it has arrived. Nothing is shown where no provider is offered and none is under way.
 */
export function PayOnline({
  invoice,
  installment,
  amount,
  onClose,
}: {
  invoice: number
  installment?: number | undefined
  /** What is paid, where it is not all that is open. */
  amount?: number | undefined
  onClose: () => void
}) {
  const t = useT('transactions')
  const k = useT('kit')
  const { data, error, refetch } = useCall(payCalls.payable, { params: { id: invoice } })
  const [chosen, setChosen] = useState<OnlinePayment | null>(null)
  useEvent('account', () => void refetch())
  const found = data?.data
  const shown = chosen && (found?.under_way.find(({ id }) => id === chosen.id) ?? chosen)
  return (
    <Dialog opened onClose={onClose} title={t('pay_online')} closeButtonProps={{ 'aria-label': t('close') }}>
      {error && !found ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !found ? (
        <Bone height={160} />
      ) : shown ? (
        <Number of={shown} />
      ) : (
        <Stack>
          {found.ways.length === 0 && (
            <p className={css.text}>{t(found.open > 0 ? 'online_not_offered' : 'online_nothing_open')}</p>
          )}
          {found.open > 0 && (
            <dl className={css.facts}>
              <dt>{t('amount')}</dt>
              <dd>
                <bdi>{formatMoney(amount ?? found.open, found.currency)}</bdi>
              </dd>
            </dl>
          )}
          <WaysToPay<'card' | 'mobile', OnlinePayment>
            ways={found.ways}
            underWay={[]}
            refreshes={AFTER}
            begun={setChosen}
            pay={async (send, way) =>
              (
                await send(payCalls.payOnline, {
                  params: { id: invoice },
                  body: { way, installment_id: installment ?? null },
                })
              ).data
            }
          />
          <div className={css.buttons}>
            <Button variant="default" onClick={onClose}>
              {k('cancel')}
            </Button>
          </div>
        </Stack>
      )}
    </Dialog>
  )
}

/** The number one pays by, and whether it has arrived. */
function Number({ of }: { of: OnlinePayment }) {
  return (
    <Stack>
      {of.pay_number && of.status !== 'paid' && <PayNumber number={of.pay_number} />}
      <PaymentFacts of={of} />
    </Stack>
  )
}

/** Amount, state and until when; asks the provider again on demand. */
export function PaymentFacts({ of }: { of: OnlinePayment }) {
  const t = useT('transactions')
  const { busy, problem, go, send } = useChange(...AFTER)
  const open = OPEN.has(of.status)
  const check = () =>
    go(async () => {
      const { data } = await send(payCalls.checkPayment, { params: { id: of.invoice_id! } })
      if (!data.answered) return notify.info(t('online_no_answer'))
      // Asked again, and nothing has moved: that is said, too.
      if (data.payments.some((one) => one.id === of.id && OPEN.has(one.status)))
        notify.info(t('online_not_yet', { at: formatInstant(new Date().toISOString()) }))
    })
  return (
    <>
      <dl className={css.facts}>
        <dt>{t('amount')}</dt>
        <dd>
          <bdi>{formatMoney(of.amount, of.currency)}</bdi>
        </dd>
        <dt>{t('status')}</dt>
        <dd>
          <PaymentState status={of.status} />
        </dd>
        <dt>{t('number')}</dt>
        <dd>
          <Code>{of.number}</Code>
        </dd>
        {open && of.expires_at && (
          <>
            <dt>{t('pay_until')}</dt>
            <dd>{formatInstant(of.expires_at)}</dd>
          </>
        )}
      </dl>
      {problem !== null && <Problems error={problem} />}
      {open && of.invoice_id !== null && (
        <div className={css.buttons}>
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => void check()}
          >
            {t('online_check')}
          </Button>
        </div>
      )}
    </>
  )
}
