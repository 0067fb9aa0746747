import { Modal } from '@mantine/core'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { f } from '#kit/contract/field.ts'
import { download } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { journalCalls } from './journal.contract.ts'
import shared from '../../money.module.css'

const FORMATS = [
  { value: 'xlsx', label: ['Excel sheet', 'ملف Excel'] },
  { value: 'csv', label: ['CSV', 'CSV'] },
  { value: 'erpnext', label: ['CSV for ERPNext', 'CSV لنظام ERPNext'] },
  { value: 'odoo', label: ['CSV for Odoo', 'CSV لنظام Odoo'] },
] as const
const FIELDS = {
  from: f.date(['From', 'من'], { required: true }),
  until: f.date(['Until', 'إلى'], { required: true }),
  currency_id: f.lookup(['Currency', 'العملة'], 'currency', { required: true }),
  format: f.choice(['Format', 'الصيغة'], FORMATS, { required: true }),
  company: f.text(['Company in ERPNext', 'الشركة في ERPNext'], { max: 140 }),
  journal: f.text(['Code of the journal in Odoo', 'رمز دفتر اليومية في Odoo'], { max: 40 }),
}

/** Asks which days and for whom, and saves the journal for the general ledger. */
export function JournalDialog({ onClose }: { onClose: () => void }) {
  const t = useT('ledger')
  const lang = useLanguage()
  const first = `${dayOf().slice(0, 8)}01`
  return (
    <Modal opened onClose={onClose} title={t('journal')}>
      <Stack>
        <p className={shared.text}>{t('journal_text')}</p>
        <Form
          fields={FIELDS}
          values={{
            from: `${addDays(first, -1).slice(0, 8)}01`,
            until: addDays(first, -1),
            format: 'xlsx',
          }}
          visible={{
            company: ({ format }) => format === 'erpnext',
            journal: ({ format }) => format === 'odoo',
          }}
          bar="dialog"
          always
          submit={t('journal_save')}
          onCancel={onClose}
          onSave={(values) =>
            download(journalCalls.file, {
              body: {
                from: values.from as string,
                until: values.until as string,
                currency_id: values.currency_id as number,
                format: values.format as (typeof FORMATS)[number]['value'],
                lang: lang === 'ar' ? 'ar' : 'en',
                company: (values.company as string | null) || null,
                journal: (values.journal as string | null) || null,
              },
            })
          }
          onSaved={() => {
            notify.done(t('journal_saved'))
            onClose()
          }}
        />
      </Stack>
    </Modal>
  )
}
