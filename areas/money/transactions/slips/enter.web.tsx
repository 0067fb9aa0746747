import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatMoney, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { slipCalls as calls, slipFields as F } from './slip.contract.ts'
import { SLIP_AFTER } from './upload.web.tsx'
import shared from '../../money.module.css'

interface Entered {
  readonly student_id: number
  readonly bank_id: number
  readonly amount: number
  readonly currency: 'EGP' | 'USD'
  readonly paid_on: string
  readonly bank_reference: string
}

/** Money that stands on the bank's account is entered by hand: for whom, where, when, and what the bank calls it. */
export function EnterPayment({ onClose }: { onClose: () => void }) {
  const t = useT('transactions')
  const { send } = useChange(...SLIP_AFTER)
  return (
    <Dialog opened onClose={onClose} title={t('enter_payment')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <p className={shared.text}>{t('enter_payment_text')}</p>
        <Form
          fields={{
            student_id: { ...F.student_id, required: true },
            bank_id: { ...F.bank_id, required: true },
            amount: f.money(asLabel(t('amount')), { required: true }),
            currency: f.choice(
              F.currency.label,
              (['EGP', 'USD'] as const).map((value) => ({ value, label: asLabel(value) })),
              { required: true },
            ),
            paid_on: f.date(asLabel(t('entered_on')), { required: true }),
            bank_reference: f.text(asLabel(t('slip_reference')), {
              required: true,
              min: 3,
              max: 60,
              help: asLabel(t('entered_reference_text')),
            }),
          }}
          values={{ currency: 'EGP' }}
          bar="dialog"
          always
          submit={t('enter_payment')}
          onCancel={onClose}
          onSave={async (values) => {
            const body = values as unknown as Entered
            const { data } = await send(calls.put, { body })
            return { ...body, number: data.number }
          }}
          onSaved={({ amount, currency, number }) => {
            notify.done(t('entered_done', { amount: formatMoney(amount, currency), number }))
            onClose()
          }}
        />
      </Stack>
    </Dialog>
  )
}
