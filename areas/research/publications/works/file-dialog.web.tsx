import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { publicationCalls as calls, type PublicationParts } from './publication.contract.ts'
import { FILE_READERS, FILE_STAGES, LICENCES } from './words.contract.ts'

const FIELDS = {
  stage: f.choice(['Version of the file', 'نسخة الملف'], FILE_STAGES, { required: true }),
  licence: f.choice(['Licence', 'الرخصة'], LICENCES, { required: true }),
  readers: f.choice(['Who may read the file', 'من يطلع على الملف'], FILE_READERS, { required: true }),
}
/** What the file of a work is, and who may read it. */
export function FileDialog({
  id,
  file,
  onClose,
}: {
  readonly id: number
  readonly file: NonNullable<PublicationParts['file']>
  readonly onClose: () => void
}) {
  const t = useT('publications')
  const { send } = useChange('/publications')
  return (
    <Modal opened onClose={onClose} title={t('file_rights')}>
      <Form
        fields={FIELDS}
        values={{ stage: file.stage, licence: file.licence, readers: file.readers }}
        bar="dialog"
        always
        submit={t('save')}
        onCancel={onClose}
        onSave={(body) => send(calls.putFile, { params: { id }, body: body })}
        onSaved={onClose}
      />
    </Modal>
  )
}
