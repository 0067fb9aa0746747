import { PAYER, PayerName, payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { IconFileInvoice, IconUsersPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { may } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { useLanguage, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { invoiceCalls, invoiceFields as F, type InvoiceRow } from './invoice.contract.ts'

const NextDialog = partDialog(async () => (await import('../next/dialog.web.tsx')).default)
const ExtraDialog = partDialog(async () => (await import('./extra.web.tsx')).default)

type Row = InvoiceRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  { key: 'number', label: F.number.label, sort: true, width: 160, cell: (row) => <Code>{row.number}</Code> },
  {
    key: 'student_id',
    label: PAYER,
    sort: true,
    width: 230,
    cell: (row) => <PayerName of={row} />,
  },
  { key: 'type', label: F.type.label, field: F.type, sort: true, width: 130 },
  {
    key: 'term_id',
    label: F.term_id.label,
    sort: true,
    width: 130,
    cell: (row) => (row.term ? <Name row={row.term} /> : row.year ? <Name row={row.year} /> : null),
  },
  moneyColumn({ key: 'charged', label: F.charged.label, sort: true }),
  moneyColumn({ key: 'open', label: F.open.label, sort: true }),
  moneyColumn({
    key: 'overdue_amount',
    label: F.overdue_amount.label,
    sort: true,
    amount: (row) => row.overdue_amount || null,
  }),
  { key: 'state', label: F.state.label, field: F.state, sort: true, width: 150 },
  { key: 'due_date', label: F.due_date.label, field: F.due_date, sort: true, width: 120 },
  { key: 'issued_on', label: F.issued_on.label, field: F.issued_on, sort: true, width: 120 },
]
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

/** Invoices: what was asked for, what is open of it, and since when. */
export default function Invoices() {
  const t = useT('invoices')
  const lang = useLanguage()
  const [adding, setAdding] = useState<'next' | 'extra' | null>(null)
  const issues = may('issue_invoice')
  return (
    <>
      <ListScreen<Row>
        call={invoiceCalls.list}
        title={['Invoices', 'الفواتير']}
        columns={COLUMNS}
        filters={{
          state: F.state,
          overdue: F.overdue,
          type: F.type,
          term_id: F.term_id,
          year_id: F.year_id,
          faculty_id: F.faculty_id,
          program_id: F.program_id,
          currency: F.currency,
          student_id: F.student_id,
          due_date: F.due_date,
          issued_on: F.issued_on,
          not_due: F.not_due,
          overdue_amount: F.overdue_amount,
          level: F.level,
        }}
        views={[
          { key: 'open', label: ['Not fully paid', 'المستحقة'], query: view({ state: ['unpaid', 'partially_paid'] }) },
          { key: 'overdue', label: ['Overdue', 'المتأخرة'], query: view({ overdue: true }) },
          { key: 'paid', label: ['Paid', 'المدفوعة'], query: view({ state: ['paid'] }) },
        ]}
        order={['issued_on', 'desc']}
        rowName={(row) => `${row.number}${payerCalled(row, lang, ' · ')}`}
        rowHref={(row) => to('/payments/:id', { id: row.id })}
        {...(may('export_payment') && { exports: { xlsx: invoiceCalls.exportExcel, pdf: invoiceCalls.exportPdf } })}
        main={
          issues
            ? {
                key: 'next',
                label: t('issue_next'),
                icon: <IconUsersPlus size={16} aria-hidden />,
                onSelect: () => setAdding('next'),
              }
            : null
        }
        menu={
          issues
            ? [
                {
                  key: 'extra',
                  label: t('issue_extra'),
                  icon: <IconFileInvoice size={16} aria-hidden />,
                  onSelect: () => setAdding('extra'),
                },
              ]
            : []
        }
        empty={{ title: t('none'), text: t('none_text') }}
      />
      {adding === 'next' && <NextDialog onClose={() => setAdding(null)} />}
      {adding === 'extra' && <ExtraDialog onClose={() => setAdding(null)} />}
    </>
  )
}
