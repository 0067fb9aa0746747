import { Select, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { notify, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatMoney, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { transactionCalls as calls } from './transaction.contract.ts'
import css from '../transactions.module.css'

type Currency = 'EGP' | 'USD'
type Booked = ResponseOf<typeof calls.chargeCredit>['data']

/** Cash goes into a wallet, or is paid out of it; the drawer of whoever does it is open. */
export function WalletDialog({
  what,
  student,
  wallets,
  onClose,
  onDone,
}: {
  what: 'charge' | 'cash_back'
  student: Named & { readonly id: number }
  wallets: readonly { readonly currency: string; readonly wallet: number }[]
  onClose: () => void
  onDone: (booked: Booked, text: string) => void
}) {
  const t = useT('transactions')
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/cashier/shift', '/payments', '/transactions', '/credits', '/students')
  const out = what === 'cash_back'
  const offered: readonly Currency[] = out
    ? (['EGP', 'USD'] as const).filter((one) => wallets.some((w) => w.currency === one && w.wallet > 0))
    : ['EGP', 'USD']
  const [currency, setCurrency] = useState<Currency>(offered[0] ?? 'EGP')
  const held = wallets.find((one) => one.currency === currency)?.wallet ?? 0
  const [amount, setAmount] = useState<number | null>(out ? held : null)
  const [reason, setReason] = useState('')
  const attempt = useRef({ of: '', key: '' })
  const ready = amount !== null && amount > 0 && (!out || reason.trim().length >= 3)
  const save = async () => {
    if (!ready || busy) return
    const told = formatMoney(amount, currency)
    // The same once more is the same press: a line that broke does not book twice.
    const what = JSON.stringify([amount, currency, reason.trim()])
    if (attempt.current.of !== what) attempt.current = { of: what, key: crypto.randomUUID() }
    const { key } = attempt.current
    if (out) {
      const paid = await go(() =>
        send(calls.cashBack, { params: { id: student.id }, body: { amount, currency, reason: reason.trim(), key } }),
      )
      if (!paid) return
      const { id, number, receipt } = paid.answer.data
      if (id !== null) return onDone({ id, number, receipt }, t('wallet_paid_out', { amount: told }))
      notify.done(t('refund_asked', { amount: told, number }))
      return onClose()
    }
    const charged = await go(() => send(calls.chargeCredit, { body: { id: student.id, amount, currency, key } }))
    if (charged) onDone(charged.answer.data, t('wallet_charged', { amount: told }))
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(out ? 'pay_out' : 'charge_wallet')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void save()
        }}
      >
        <Stack>
          <p className={css.text}>
            <bdi>{nameOf(student, lang)}</bdi> · {t('in_wallet', { amount: formatMoney(held, currency) })}
          </p>
          <MoneyInput
            key={currency}
            label={t('amount')}
            currency={currency}
            defaultValue={amount}
            onChange={setAmount}
            autoFocus
          />
          {offered.length > 1 && (
            <Select
              label={t('currency')}
              data={[...offered]}
              allowDeselect={false}
              value={currency}
              onChange={(value) => {
                if (!value) return
                setCurrency(value)
                if (out) setAmount(wallets.find((one) => one.currency === value)?.wallet ?? null)
              }}
            />
          )}
          {out && (
            <TextInput
              label={t('reason')}
              required
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              attributes={{ input: { dir: 'auto' } }}
            />
          )}
          {problem !== null && <Problems error={problem} />}
          <div className={css.buttons}>
            <Submit
              onCancel={onClose}
              type="submit"
              loading={busy}
              missing={[
                (amount === null || amount <= 0) && t('amount'),
                out && reason.trim().length < 3 && t('reason'),
              ]}
            >
              {t(out ? 'pay_out' : 'charge_wallet')}
            </Submit>
          </div>
        </Stack>
      </form>
    </Dialog>
  )
}
