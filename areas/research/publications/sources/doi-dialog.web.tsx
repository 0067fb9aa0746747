import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { syncCalls } from './sync.contract.ts'

const FIELDS = {
  doi: f.text(['DOI', 'DOI'], { required: true, max: 300, help: ['Like 10.1000/182.', 'مثل 10.1000/182.'] }),
}
/** Fetches one work by its DOI, and opens it. */
export function ByDoi({ user_id, onClose }: { readonly user_id?: number | undefined; readonly onClose: () => void }) {
  const t = useT('publications')
  const navigate = useNavigate()
  const { send } = useChange('/publications')
  return (
    <Modal opened onClose={onClose} title={t('by_doi')}>
      <Form
        fields={FIELDS}
        values={{ doi: null }}
        bar="dialog"
        always
        submit={t('fetch')}
        onCancel={onClose}
        onSave={({ doi }) =>
          send(syncCalls.sync, { body: { doi: String(doi), ...(user_id !== undefined && { user_id }) } })
        }
        onSaved={({ data }) => {
          notify.done(t(data.added ? 'doi_added' : 'doi_known'))
          onClose()
          void navigate(to('/my_researches/publications/show/:id', { id: data.publication_id ?? 0 }))
        }}
      />
    </Modal>
  )
}
