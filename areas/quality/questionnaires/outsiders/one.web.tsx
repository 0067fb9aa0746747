import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { LANGUAGE_NAMES, LANGUAGES, useT } from '#kit/web/i18n/index.ts'
import { outsiderCalls, type OutsiderRow } from './outsider.contract.ts'

const languages = LANGUAGES.map((value) => ({ value, label: asLabel(LANGUAGE_NAMES[value]) }))
/** In which language a mail is written. */
export const languageField = (text: string) => f.choice(asLabel(text), languages, { required: true })

/** One person outside: added to a list, or corrected. */
export function OutsiderForm({
  of,
  list,
  onClose,
}: {
  of?: ResponseOf<typeof outsiderCalls.list>['data'][number]
  /** The questionnaire whose list grows; absent: somebody is corrected. */
  list?: number
  onClose: () => void
}) {
  const t = useT('questionnaires')
  const { send } = useChange('/questionnaires')
  return (
    <Form
      bar="dialog"
      onCancel={onClose}
      fields={{
        name: f.text(asLabel(t('name')), { required: true, max: 200 }),
        organisation: f.text(asLabel(t('outsider_organisation')), { max: 200 }),
        email: f.email(asLabel(t('outsider_email')), { required: true }),
        language: languageField(t('outsider_language')),
      }}
      values={of ?? { language: 'ar' }}
      onSave={async (values) => {
        const row = values as unknown as OutsiderRow
        if (of) return void (await send(outsiderCalls.change, { params: { id: of.id }, body: row }))
        const { data } = await send(outsiderCalls.add, { params: { id: list ?? 0 }, body: { rows: [row] } })
        notify.done(data.added ? t('outsiders_added', { count: 1 }) : t('outsider_known'))
      }}
      onSaved={onClose}
    />
  )
}

export function OutsiderDialog({
  of,
  onClose,
}: {
  of: ResponseOf<typeof outsiderCalls.list>['data'][number]
  onClose: () => void
}) {
  const t = useT('questionnaires')
  return (
    <Modal opened onClose={onClose} title={t('outsider_edit', { name: of.name })}>
      <OutsiderForm of={of} onClose={onClose} />
    </Modal>
  )
}
