import { Modal } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import { rankedJournalCalls, rankedJournal } from './journal.contract.ts'

const FIELDS = {
  year: f.integer(['Year of the list', 'سنة القائمة'], { required: true, min: 1900, max: 2200, year: true }),
  file: {
    ...f.file(['Published list (CSV or Excel)', 'القائمة المنشورة (CSV أو Excel)'], {
      required: true,
      accept: ['csv', 'xlsx'],
    }),
    schema: z.unknown(),
  },
}
function ImportList({ onClose }: { readonly onClose: () => void }) {
  const t = useT('publications')
  const { send } = useChange('/ranked-journals', '/publications')
  return (
    <Modal opened onClose={onClose} title={t('import_journals')}>
      <Form
        fields={FIELDS}
        values={{ year: new Date().getFullYear() - 1, file: null }}
        bar="dialog"
        always
        submit={t('import')}
        onCancel={onClose}
        onSave={({ year, file }) =>
          send(rankedJournalCalls.importJournals, {
            body: { year: Number(year) },
            file: file as File,
          })
        }
        onSaved={({ data }) => {
          notify.done(
            t('journals_imported', {
              added: formatNumber(data.added),
              changed: formatNumber(data.changed),
              wrong: formatNumber(data.wrong.length),
            }),
          )
          onClose()
        }}
      />
    </Modal>
  )
}

export default resourceWeb(rankedJournal, {
  list: {
    useParts: () => {
      const t = useT('publications')
      const me = useMe()
      const [open, setOpen] = useState(false)
      return {
        menu: me.can('import_rankedJournal')
          ? [
              {
                key: 'list',
                label: t('import_journals'),
                icon: <IconFileImport size={15} aria-hidden />,
                onSelect: () => setOpen(true),
              },
            ]
          : [],
        dialogs: open && <ImportList onClose={() => setOpen(false)} />,
      }
    },
    rowName: (row) => row.title ?? '',
  },
  detail: { title: (row) => ({ name: row.title ?? '', name_local: row.title ?? '' }) },
})
