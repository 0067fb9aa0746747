import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { asLabel } from '../form/as-label.ts'
import { Field, Form } from '../form/form.tsx'
import { useT } from '../i18n/index.ts'

/** Names the present view of a list. A name that exists is replaced. */
export default function SaveViewDialog({
  taken,
  onSave,
  onClose,
}: {
  taken: readonly string[]
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}) {
  const t = useT('kit-screens')
  return (
    <Modal opened closeButtonProps={{ 'aria-label': t('close') }} onClose={onClose} title={t('save_view')} size="sm">
      <Form
        fields={({ name }) => ({
          name: f.text(asLabel(t('view_name')), {
            required: true,
            max: 40,
            help: asLabel(taken.includes(String(name)) ? t('view_replaces') : t('view_help')),
          }),
        })}
        bar="dialog"
        always
        onCancel={onClose}
        onSave={({ name }) => onSave(String(name))}
      >
        <Field name="name" autoFocus />
      </Form>
    </Modal>
  )
}
