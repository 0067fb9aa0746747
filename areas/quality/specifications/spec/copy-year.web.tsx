import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { specificationCalls } from './specification.contract.ts'

const FIELDS = {
  from_year_id: f.lookup(['From the year', 'من العام'], 'year', { required: true }),
  year_id: f.lookup(['To the year', 'إلى العام'], 'year', { required: true }),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { help: ['Empty: all', 'فارغ: الكل'] }),
}

/** Begins the specifications of a year as copies of what was approved in another. */
export function CopyYearDialog({
  year,
  onClose,
}: {
  readonly year: { readonly id: number } | null
  readonly onClose: () => void
}) {
  const t = useT('specifications')
  const { send } = useChange('/specifications')
  return (
    <Modal opened onClose={onClose} title={t('copy_year')}>
      <Form
        fields={FIELDS}
        values={{ from_year_id: year?.id ?? null, year_id: null, faculty_id: null }}
        bar="dialog"
        always
        submit={t('copy_year')}
        onCancel={onClose}
        onSave={({ from_year_id, year_id, faculty_id }) =>
          send(specificationCalls.copyYear, {
            body: {
              from_year_id: Number(from_year_id),
              year_id: Number(year_id),
              ...(faculty_id != null && { faculty_id: Number(faculty_id) }),
            },
          })
        }
        onSaved={(answer) => {
          notify.done(t('year_copied', { count: answer.data.copied }))
          onClose()
        }}
      />
    </Modal>
  )
}
