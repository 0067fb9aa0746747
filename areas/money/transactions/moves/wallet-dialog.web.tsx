import { useEffect, useRef } from 'react'
import { f } from '#kit/contract/field.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { notify } from '#kit/web/feedback/index.ts'
import type { FieldInput } from '#kit/web/fields/inputs.tsx'
import { moneyIn } from '#kit/web/fields/money-input.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form, useFormSet, useFormValue } from '#kit/web/form/form.tsx'
import { formatMoney, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import type { WalletWhose } from '../desk/who.web.ts'
import { transactionCalls as calls } from './transaction.contract.ts'
import css from '../transactions.module.css'

const CURRENCIES = ['EGP', 'USD'] as const
type Currency = (typeof CURRENCIES)[number]
/** The amount, with the currency that is chosen beside it. */
const AMOUNT: Readonly<Record<string, FieldInput>> = {
  amount: function AmountOfChosen(props) {
    const Input = moneyIn(String(useFormValue('currency')))
    return <Input {...props} />
  },
}
type Booked = ResponseOf<typeof calls.chargeCredit>['data']

/** Cash goes into a wallet, or is paid out of it; the drawer of whoever does it is open. */
export function WalletDialog({
  what,
  person,
  whose,
  wallets,
  onClose,
  onDone,
}: {
  what: 'charge' | 'cash_back'
  person: Named
  whose: WalletWhose
  wallets: readonly { readonly currency: string; readonly wallet: number }[]
  onClose: () => void
  onDone: (booked: Booked, text: string) => void
}) {
  const t = useT('transactions')
  const tk = useT('kit')
  const { send } = useChange('/cashier/shift', '/payments', '/transactions', '/credits', '/students')
  const out = what === 'cash_back'
  const heldIn = (currency: unknown) => wallets.find((one) => one.currency === currency)?.wallet ?? 0
  const offered: readonly Currency[] = out ? CURRENCIES.filter((one) => heldIn(one) > 0) : CURRENCIES
  const first = offered[0] ?? 'EGP'
  const attempt = useRef({ of: '', key: '' })
  const save = async (values: Readonly<Record<string, unknown>>) => {
    const { amount, currency = first, reason } = values as { amount: number; currency?: Currency; reason?: string }
    const told = formatMoney(amount, currency)
    // The same once more is the same press: a line that broke does not book twice.
    const same = JSON.stringify([amount, currency, reason])
    if (attempt.current.of !== same) attempt.current = { of: same, key: crypto.randomUUID() }
    const { key } = attempt.current
    if (!out) {
      const { data } = await ('student_id' in whose
        ? send(calls.chargeCredit, { body: { id: whose.student_id, amount, currency, key } })
        : send(calls.chargePayer, { body: { ...whose, amount, currency, key } }))
      return () => onDone(data, t('wallet_charged', { amount: told }))
    }
    const back = { amount, currency, reason: reason ?? '', key }
    const { data } = await ('student_id' in whose
      ? send(calls.cashBack, { params: { id: whose.student_id }, body: back })
      : send(calls.cashBackPayer, { body: { ...whose, ...back } }))
    const { id, number, receipt } = data
    if (id !== null) return () => onDone({ id, number, receipt }, t('wallet_paid_out', { amount: told }))
    return () => {
      notify.done(t('refund_asked', { amount: told, number }))
      onClose()
    }
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(out ? 'pay_out' : 'charge_wallet')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Form
        fields={{
          amount: f.money(asLabel(t('amount')), { required: true }),
          ...(offered.length > 1 && {
            currency: f.choice(
              asLabel(t('currency')),
              offered.map((value) => ({ value, label: asLabel(value) })),
              { required: true },
            ),
          }),
          ...(out && { reason: f.text(asLabel(t('reason')), { required: true, min: 3, max: 500 }) }),
        }}
        values={{ amount: out ? heldIn(first) : null, currency: first }}
        inputs={AMOUNT}
        check={({ amount }) => (amount === 0 ? [{ name: 'amount', text: tk('fill_in') }] : [])}
        bar="dialog"
        always
        submit={t(out ? 'pay_out' : 'charge_wallet')}
        onCancel={onClose}
        onSave={save}
        onSaved={(next) => next()}
      >
        <Held person={person} heldIn={heldIn} fills={out} />
        <Field name="amount" wide autoFocus />
        {offered.length > 1 && <Field name="currency" wide />}
        {out && <Field name="reason" wide />}
      </Form>
    </Dialog>
  )
}

/** What is in the wallet of the currency chosen; where it is paid out, that is the amount to begin with. */
function Held({ person, heldIn, fills }: { person: Named; heldIn: (currency: unknown) => number; fills: boolean }) {
  const t = useT('transactions')
  const lang = useLanguage()
  const currency = String(useFormValue('currency'))
  const put = useFormSet()
  const before = useRef(currency)
  useEffect(() => {
    if (before.current === currency) return
    before.current = currency
    if (fills) put({ amount: heldIn(currency) })
  })
  return (
    <p className={css.text}>
      <bdi>{nameOf(person, lang)}</bdi> · {t('in_wallet', { amount: formatMoney(heldIn(currency), currency) })}
    </p>
  )
}
