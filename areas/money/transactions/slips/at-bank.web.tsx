import { Select } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Failed, Problems } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatDate, formatMoney, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { Link, to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { slip as flow, slipCalls as calls } from './slip.contract.ts'
import { SLIP_AFTER } from './upload.web.tsx'
import shared from '../../money.module.css'
import css from './slips.module.css'

/** A slip is issued for an invoice, or an instalment of it, into one of the accounts; then it is shown. */
export function PayAtBank({
  invoice,
  installment,
  amount,
  currency,
  onClose,
}: {
  invoice: number
  installment?: number | undefined
  amount: number
  currency: string
  onClose: () => void
}) {
  const t = useT('transactions')
  const lang = useLanguage()
  const navigate = useNavigate()
  const { data, error, refetch } = useCall(calls.accounts, { params: { id: invoice } })
  const { busy, problem, go, send } = useChange(...SLIP_AFTER)
  const [bank, setBank] = useState<number | null>(null)
  const accounts = data?.data
  const chosen = bank ?? accounts?.[0]?.id ?? null
  const issue = async () => {
    const done = await go(() =>
      send(calls.issue, { body: { invoice_id: invoice, installment_id: installment ?? null, bank_id: chosen } }),
    )
    if (done) void navigate(to('/payment-slip/:id', { id: done.answer.data.id }))
  }
  return (
    <Dialog opened onClose={onClose} title={t('pay_at_bank')} closeButtonProps={{ 'aria-label': t('close') }}>
      {error && !accounts ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !accounts ? (
        <Bone height={160} />
      ) : (
        <Stack>
          <p className={shared.text}>{t('pay_at_bank_text', { amount: formatMoney(amount, currency) })}</p>
          {accounts.length > 1 && (
            <Select
              label={t('slip_bank')}
              allowDeselect={false}
              data={accounts.map((account) => ({
                value: String(account.id),
                label: `${nameOf(account, lang)} · ${account.account_number}`,
              }))}
              value={String(chosen)}
              onChange={(value) => setBank(Number(value))}
            />
          )}
          {problem !== null && <Problems error={problem} />}
          <div className={css.buttons}>
            <Submit missing={[]} onCancel={onClose} loading={busy} onClick={() => void issue()}>
              {t('slip_issue')}
            </Submit>
          </div>
        </Stack>
      )}
    </Dialog>
  )
}

/** The own slips that are out, each with where it stands; nothing where none is. */
export function OwnSlips({ student }: { student: number }) {
  const t = useT('transactions')
  const { most, more } = useMost(10, MOST_OF_PAGE)
  const { data } = useCall(calls.list, {
    body: {
      perPage: most,
      order_by: 'number',
      order_direction: 'desc',
      filters: { student_id: [student], status: ['issued', 'uploaded', 'rejected'] },
    },
  })
  if (!data?.data.length) return null
  return (
    <Card title={t('slips_own')}>
      <ul className={css.own}>
        {data.data.map((one) => (
          <li key={one.id}>
            <span className={shared.two}>
              <Link to={to('/payment-slip/:id', { id: one.id })}>
                <Code>{one.number}</Code> · <bdi>{formatMoney(one.paid ?? one.amount, one.currency)}</bdi>
              </Link>
              <small>
                {one.status === 'rejected'
                  ? one.rejected_reason
                  : one.status === 'issued'
                    ? t('slip_pay_until', { date: formatDate(one.expires_on) })
                    : t('slip_waits_text')}
              </small>
            </span>
            <StateBadge flow={flow} state={one.status} />
          </li>
        ))}
      </ul>
      <MoreRows shown={data.data.length} total={data.meta.count} onMore={more} />
    </Card>
  )
}
