import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { INPUTS } from '#kit/web/fields/inputs.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatMoney, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { slipCalls as calls, slipFields as F } from './slip.contract.ts'
import { SLIP_AFTER } from './upload.web.tsx'
import css from './slips.module.css'

const Lookup = INPUTS.lookup

/** Money that stands on the bank's account is entered by hand: for whom, where, when, and what the bank calls it. */
export function EnterPayment({ onClose }: { onClose: () => void }) {
  const t = useT('transactions')
  const say = useLabel()
  const { busy, problem, go, send } = useChange(...SLIP_AFTER)
  const [student, setStudent] = useState<number | null>(null)
  const [bank, setBank] = useState<number | null>(null)
  const [currency, setCurrency] = useState<'EGP' | 'USD'>('EGP')
  const [amount, setAmount] = useState<number | null>(null)
  const [paidOn, setPaidOn] = useState<string | null>(null)
  const [reference, setReference] = useState('')
  const ready =
    student !== null &&
    bank !== null &&
    amount !== null &&
    amount > 0 &&
    paidOn !== null &&
    reference.trim().length >= 3
  const save = async () => {
    if (!ready || busy) return
    const done = await go(() =>
      send(calls.put, {
        body: {
          student_id: student,
          bank_id: bank,
          currency,
          amount,
          paid_on: paidOn,
          bank_reference: reference.trim(),
        },
      }),
    )
    if (!done) return
    notify.done(t('entered_done', { amount: formatMoney(amount, currency), number: done.answer.data.number }))
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('enter_payment')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          <p className={css.text}>{t('enter_payment_text')}</p>
          <Lookup
            name="student_id"
            field={F.student_id}
            label={say(F.student_id.label)}
            defaultValue={null}
            onChange={(value) => setStudent(value as number | null)}
          />
          <Lookup
            name="bank_id"
            field={F.bank_id}
            label={say(F.bank_id.label)}
            defaultValue={null}
            onChange={(value) => setBank(value as number | null)}
          />
          <div className={css.pair}>
            <MoneyInput
              key={currency}
              label={t('amount')}
              currency={currency}
              defaultValue={amount}
              onChange={setAmount}
            />
            <Select
              label={say(F.currency.label)}
              data={['EGP', 'USD']}
              allowDeselect={false}
              value={currency}
              onChange={(value) => setCurrency(value as 'EGP')}
            />
          </div>
          <DateInput
            name="paid_on"
            label={t('entered_on')}
            defaultValue={null}
            onChange={(value) => setPaidOn(value as string | null)}
          />
          <TextInput
            label={t('slip_reference')}
            description={t('entered_reference_text')}
            maxLength={60}
            dir="ltr"
            autoComplete="off"
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
          {problem !== null && <Problems error={problem} />}
          <div className={css.buttons}>
            <Submit
              onCancel={onClose}
              type="submit"
              loading={busy}
              missing={[
                student === null && say(F.student_id.label),
                bank === null && say(F.bank_id.label),
                (amount === null || amount <= 0) && t('amount'),
                paidOn === null && t('entered_on'),
                reference.trim().length < 3 && t('slip_reference'),
              ]}
            >
              {t('enter_payment')}
            </Submit>
          </div>
        </Stack>
      </form>
    </Dialog>
  )
}
