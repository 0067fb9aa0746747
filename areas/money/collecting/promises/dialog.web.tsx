import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatDate, formatMoney, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { promiseCalls, promiseFields as F } from './promise.contract.ts'
import shared from '../../money.module.css'

export const PROMISE_AFTER = ['/promises', '/reminders', '/payments'] as const
type Currency = (typeof CURRENCY_CHOICES)[number]['value']

/** Notes what somebody promised: of an invoice, or of all that a student owes in a currency. */
export default function PromiseDialog({
  of,
  onClose,
}: {
  of:
    | { readonly invoice: { id: number; number: string; currency: string; open: number } }
    | { readonly student: number }
  onClose: () => void
}) {
  const t = useT('collecting')
  const say = useLabel()
  const { busy, problem, go, send } = useChange(...PROMISE_AFTER)
  const invoice = 'invoice' in of ? of.invoice : null
  const [currency, setCurrency] = useState<Currency>((invoice?.currency ?? 'EGP') as Currency)
  const [amount, setAmount] = useState<number | null>(invoice?.open ?? null)
  const [day, setDay] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const save = async () => {
    const done = await go(() =>
      send(promiseCalls.note, {
        body: {
          ...('invoice' in of ? { invoice_id: of.invoice.id } : { student_id: of.student, currency }),
          amount: amount!,
          promised_on: day!,
          ...(note.trim() && { note: note.trim() }),
        },
      }),
    )
    if (!done) return
    notify.done(t('promise_noted', { amount: formatMoney(amount, currency), day: formatDate(day) }))
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('note_promise')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <p className={shared.text}>{t(invoice ? 'promise_text' : 'promise_person_text')}</p>
        {!invoice && (
          <Select
            label={say(F.currency.label)}
            data={CURRENCY_CHOICES.map(({ value, label }) => ({ value, label: say(label) }))}
            value={currency}
            allowDeselect={false}
            onChange={(value) => setCurrency(value as Currency)}
          />
        )}
        <MoneyInput label={t('amount')} currency={currency} defaultValue={amount} onChange={setAmount} autoFocus />
        <DateInput
          name="promised_on"
          label={say(F.promised_on.label)}
          defaultValue={day}
          onChange={(value) => setDay(value as string | null)}
        />
        <TextInput
          label={<Optional label={t('promise_note')} />}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={shared.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[!amount && t('amount'), !day && say(F.promised_on.label)]}
            onClick={() => void save()}
          >
            {t('save_promise')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
