import { PAYER, PayerName, payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { dayOf } from '#kit/contract/day.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { to } from '#kit/web/router/index.ts'
import { saveReceipt } from './receipt.web.tsx'
import { transactionCalls as calls, transactionFields as F, type TransactionRow } from './transaction.contract.ts'

type Row = TransactionRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'number',
    label: F.number.label,
    sort: true,
    width: 150,
    cell: (row) => <Code>{row.receipt ?? row.number}</Code>,
  },
  {
    key: 'student_id',
    label: PAYER,
    sort: true,
    width: 230,
    cell: (row) => <PayerName of={row} />,
  },
  { key: 'purpose', label: F.purpose.label, field: F.purpose, sort: true, width: 150 },
  { key: 'way', label: F.way.label, field: F.way, sort: true, width: 140 },
  moneyColumn({ key: 'amount', label: F.amount.label, sort: true }),
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 140 },
  { key: 'booked_on', label: F.booked_on.label, field: F.booked_on, sort: true, width: 120 },
]
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

/** What came from payers and what went back to them. */
export default function Transactions() {
  const t = useT('transactions')
  const lang = useLanguage()
  const [day] = useState(() => dayOf())
  const receipt = (row: Row): RowAction | null =>
    row.receipt && row.status !== 'cancelled'
      ? {
          key: 'receipt',
          label: t('receipt'),
          icon: <IconReceipt size={16} aria-hidden />,
          onSelect: () => void saveReceipt(row.id, lang),
        }
      : null
  return (
    <ListScreen<Row>
      call={calls.list}
      title={['Transactions', 'المعاملات المالية']}
      columns={COLUMNS}
      filters={{
        way: F.way,
        purpose: F.purpose,
        status: F.status,
        currency: F.currency,
        booked_on: F.booked_on,
        faculty_id: F.faculty_id,
        student_id: F.student_id,
      }}
      views={[
        { key: 'today', label: ['Today', 'اليوم'], query: view({ booked_on: { from: day, to: day } }) },
        {
          key: 'refunds',
          label: ['Refunds', 'المبالغ المردودة'],
          query: view({ purpose: ['refund', 'cash_back', 'direct_cash_back'] }),
        },
        { key: 'pending', label: ['Pending', 'قيد الانتظار'], query: view({ status: ['new', 'pending'] }) },
      ]}
      order={['number', 'desc']}
      rowName={(row) => `${row.receipt ?? row.number}${payerCalled(row, lang, ' · ')}`}
      rowHref={(row) => to('/transaction/:id', { id: row.id })}
      actions={(row) => [receipt(row)].filter((one) => one !== null)}
      {...(may('export_transaction') && { exports: { xlsx: calls.export } })}
      empty={{ title: t('no_transactions'), text: t('no_transactions_text') }}
    />
  )
}
