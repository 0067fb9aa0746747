import { Code, Name } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { entryFields as F } from '../words.contract.ts'
import { entryCalls, type EntryRow } from './entry.contract.ts'
import shared from '../../money.module.css'

type Row = EntryRow & AnyRow

/** Accounts of a side of an entry, each once. */
function Side({ row, debit }: { row: EntryRow; debit: boolean }) {
  const lang = useLanguage()
  const names = new Set(row.postings.filter((one) => one.amount > 0 === debit).map((one) => nameOf(one.account, lang)))
  return <bdi>{[...names].join(lang === 'ar' ? '، ' : ', ')}</bdi>
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'booked_on', label: F.booked_on.label, field: F.booked_on, sort: true, width: 120 },
  { key: 'id', label: ['Number', 'الرقم'], sort: true, width: 90, cell: (row) => <Code>{row.id}</Code> },
  { key: 'kind', label: F.kind.label, field: F.kind, width: 130 },
  { key: 'debits', label: ['Debits', 'المدين'], width: 200, cell: (row) => <Side row={row} debit /> },
  { key: 'credits', label: ['Credits', 'الدائن'], width: 200, cell: (row) => <Side row={row} debit={false} /> },
  {
    key: 'student',
    label: F.student_id.label,
    width: 190,
    cell: (row) => {
      const whose = row.postings.find((posting) => posting.student ?? posting.payer)
      const who = whose?.student ?? whose?.payer
      return who ? <Name row={who} /> : <span className={shared.dim}>–</span>
    },
  },
  {
    key: 'invoice',
    label: F.invoice.label,
    width: 150,
    cell: (row) => (
      <Code>{[...new Set(row.postings.flatMap((posting) => posting.invoice?.number ?? []))].join(' · ')}</Code>
    ),
  },
  moneyColumn({ key: 'amount', label: ['Amount', 'المبلغ'] }),
]

/** Entries of the ledger: where every figure of it leads. */
export default function Entries() {
  const t = useT('ledger')
  return (
    <ListScreen<Row>
      call={entryCalls.list}
      title={['Entries of the ledger', 'قيود دفتر الأستاذ']}
      columns={COLUMNS}
      filters={F}
      order={['booked_on', 'desc']}
      perPage={50}
      rowHref={(row) => to('/ledger/entries/:id', { id: row.id })}
      rowName={(row) => t('entry_number', { number: String(row.id) })}
      empty={{ title: t('no_entries'), text: t('no_entries_text') }}
    />
  )
}
