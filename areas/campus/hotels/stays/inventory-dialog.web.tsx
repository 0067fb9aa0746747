import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { moneyIn } from '#kit/web/fields/money-input.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { stayCalls, type StayDetail } from './stay.contract.ts'
import { STAY_PATHS } from './use-steps.web.ts'

const POUNDS = moneyIn('EGP')

/** What is in the room when the guest leaves: what is broken or missing is charged, the rest of the deposit is given back. */
export default function InventoryDialog({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const t = useT('hotels')
  const lang = useLanguage()
  const { send } = useChange(...STAY_PATHS)
  const item = (id: number) => `item_${id}`
  const fields = {
    ...Object.fromEntries(
      stay.items.map((one) => [item(one.id), f.money(asLabel(nameOf(one, lang)), { help: asLabel(t('charge_help')) })]),
    ),
    other: f.text(asLabel(t('other_damage')), {}),
    amount: f.money(asLabel(t('other_amount')), {}),
  }
  const damagesOf = (typed: Readonly<Record<string, unknown>>) => [
    ...stay.items.flatMap((one) => {
      const amount = Number(typed[item(one.id)] ?? 0)
      return amount > 0 ? [{ item_id: one.id, amount }] : []
    }),
    ...(Number(typed.amount ?? 0) > 0
      ? [{ name: String(typed.other ?? '').trim(), amount: Number(typed.amount) }]
      : []),
  ]
  return (
    <Dialog opened onClose={onClose} title={t('inventory')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Form
        fields={fields}
        inputs={Object.fromEntries([...stay.items.map((one) => [item(one.id), POUNDS]), ['amount', POUNDS]])}
        missing={(typed) => [
          !damagesOf(typed).length && t('no_damage'),
          Number(typed.amount ?? 0) > 0 && !String(typed.other ?? '').trim() && t('other_damage'),
        ]}
        bar="dialog"
        always
        danger
        submit={t('charge_and_out')}
        onCancel={onClose}
        onSave={(typed) =>
          send(stayCalls.checkOutWith, {
            params: { id: stay.id },
            body: { damages: damagesOf(typed), version: stay.version },
          })
        }
        onSaved={onClose}
      >
        {Object.keys(fields).map((name) => (
          <Field key={name} name={name} wide />
        ))}
      </Form>
    </Dialog>
  )
}
