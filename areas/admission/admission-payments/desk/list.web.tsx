import { may } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { to } from '#kit/web/router/index.ts'
import {
  admissionPaymentCalls as calls,
  admissionPaymentFields as F,
  type AdmissionPaymentRow,
} from './desk.contract.ts'
import shared from '#areas/money/money.module.css'

type Row = AdmissionPaymentRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'applicant',
    label: F.applicant.label,
    sort: true,
    width: 230,
    priority: 1,
    cell: (row) => (
      <span className={shared.two}>
        <Name row={row.applicant} />
        <small>
          <Code>{row.applicant.code}</Code>
        </small>
      </span>
    ),
  },
  { key: 'fee', label: F.fee.label, field: F.fee, sort: true, width: 150, priority: 4 },
  moneyColumn({ key: 'amount', label: F.amount.label, sort: true, priority: 2 }),
  moneyColumn({ key: 'settled', label: F.settled.label, sort: true, priority: 6 }),
  { key: 'state', label: F.state.label, field: F.state, sort: true, width: 170, least: 150, priority: 3 },
  { key: 'due_date', label: F.due_date.label, field: F.due_date, sort: true, width: 130, priority: 5 },
  {
    key: 'admission_id',
    label: F.admission_id.label,
    sort: true,
    width: 220,
    priority: 8,
    cell: (row) => <Name row={row.admission} />,
  },
  { key: 'issued_on', label: F.issued_on.label, field: F.issued_on, sort: true, width: 140, priority: 9 },
]
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

/** What applicants owe and paid. */
export default function AdmissionPayments() {
  const t = useT('admission-payments')
  const lang = useLanguage()
  return (
    <ListScreen<Row>
      call={calls.list}
      title={['Payments of applicants', 'مدفوعات المتقدمين']}
      columns={COLUMNS}
      filters={{
        state: F.state,
        fee: F.fee,
        admission_id: F.admission_id,
        currency: F.currency,
        due_date: F.due_date,
        issued_on: F.issued_on,
      }}
      views={[
        {
          key: 'open',
          label: ['Still to pay', 'المتبقي'],
          query: view({ state: ['unpaid', 'partially_paid', 'overdue'] }),
        },
        { key: 'paid', label: ['Paid', 'مدفوعة'], query: view({ state: ['paid'] }) },
        { key: 'unsettled', label: ['Payment cancelled', 'أُلغي سدادها'], query: view({ state: ['unsettled'] }) },
      ]}
      order={['issued_on', 'desc']}
      rowName={(row) => `${nameOf(row.applicant, lang)} · ${row.number}`}
      rowHref={(row) => to('/admission-payments/:id', { id: row.id })}
      {...(may('export_admission_payment') && { exports: { xlsx: calls.export } })}
      empty={{ title: t('no_payments'), text: t('no_payments_text') }}
    />
  )
}
