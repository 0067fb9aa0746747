import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import type { Problem } from '#kit/web/api/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { problemText, useT } from '#kit/web/i18n/index.ts'
import type { Override } from '../registration.rules.ts'
import type { RefusalCode } from '../registration-refusals.rules.ts'
import css from './desk.module.css'

/** Asks why rules are set aside for one registration; the reason is kept with each of them. */
export function OverrideDialog({
  error,
  codes,
  onClose,
  onOverride,
}: {
  error: unknown
  codes: readonly RefusalCode[]
  onClose: () => void
  onOverride: (overrides: Override[]) => void
}) {
  const t = useT('registration')
  return (
    <Modal opened onClose={onClose} title={t('override_title')}>
      <p className={css.dialogText}>{t('override_text')}</p>
      <ul className={css.plainList}>
        {((error as { errors: Problem[] }).errors ?? []).map((one, i) => (
          <li key={i} dir="auto">
            {problemText(one)}
          </li>
        ))}
      </ul>
      <Form
        fields={{ reason: f.text(asLabel(t('reason')), { required: true, max: 500 }) }}
        bar="dialog"
        always
        submit={t('override')}
        onCancel={onClose}
        onSave={({ reason }) => Promise.resolve(String(reason))}
        onSaved={(reason) => {
          onClose()
          onOverride(codes.map((code) => ({ code, reason })))
        }}
      >
        <Field name="reason" wide autoFocus />
      </Form>
    </Modal>
  )
}
