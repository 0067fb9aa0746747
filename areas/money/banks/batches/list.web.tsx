import { IconFileImport } from '@tabler/icons-react'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { StateBadge, useSteps } from '#kit/web/workflow/index.ts'
import { batch, batchCalls, batchFields as F, batchSteps } from './batch.contract.ts'
import type { BatchRow } from './batch.contract.ts'
import { LineAmount, REFRESHES } from './lines.web.tsx'
import css from './batches.module.css'

type Row = BatchRow & AnyRow
const known = (row: Row) => row.sums.matched
const open = (row: Row) => ({
  lines: row.sums.proposed.lines + row.sums.unmatched.lines,
  amount: row.sums.proposed.amount + row.sums.unmatched.amount,
})
const sum = (row: Row, { lines, amount }: { lines: number; amount: number }) => (
  <span className={`${css.two} ${css.twoEnd}`}>
    <bdi>{formatNumber(lines)}</bdi>
    <small>
      <LineAmount minor={amount} currency={row.currency} />
    </small>
  </span>
)
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'number',
    label: ['Number', 'الرقم'],
    sort: true,
    width: 200,
    priority: 9,
    cell: (row) => (
      <span className={css.two}>
        <Code>{row.number}</Code>
        <small className={css.clip}>
          <bdi>{row.file_name}</bdi>
        </small>
      </span>
    ),
  },
  { key: 'bank_id', label: F.bank_id.label, width: 190, priority: 6, cell: (row) => <Name row={row.bank} /> },
  {
    key: 'days',
    label: ['Days', 'الأيام'],
    width: 190,
    priority: 4,
    cell: (row) =>
      row.from ? (row.from === row.to ? formatDate(row.from) : `${formatDate(row.from)} – ${formatDate(row.to)}`) : '–',
  },
  {
    key: 'known',
    label: ['Known', 'معروف'],
    width: 145,
    least: 128,
    align: 'end',
    priority: 5,
    cell: (row) => sum(row, known(row)),
  },
  {
    key: 'open',
    label: ['Unknown', 'غير معروف'],
    width: 145,
    least: 128,
    align: 'end',
    priority: 5,
    cell: (row) => sum(row, open(row)),
  },
  {
    key: 'status',
    label: F.status.label,
    width: 190,
    least: 165,
    priority: 8,
    cell: (row) => <StateBadge flow={batch} state={row.status} />,
  },
]
const VIEWS = [
  {
    key: 'waiting',
    label: ['Not saved', 'غير محفوظ'] as const,
    query: `filters=${encodeURIComponent(JSON.stringify({ status: ['previewed', 'columns', 'failed', 'reading'] }))}`,
  },
]

/** Files of banks: what was read of each, and whether it is saved. */
export default function BatchesScreen() {
  const t = useT('banks')
  const me = useMe()
  const steps = useSteps<never, never, Row>(batch as never, batchSteps as never, {
    name: (row) => row.number,
    refreshes: REFRESHES,
  })
  return (
    <>
      {steps.underway}
      <ListScreen<Row>
        call={batchCalls.list}
        title={['Bank files', 'الملفات البنكية']}
        columns={COLUMNS}
        filters={{ status: F.status, bank_id: F.bank_id }}
        views={VIEWS}
        order={['number', 'desc']}
        rowName={(row) => row.number}
        rowHref={(row) => to('/payments/batch/:id', { id: row.id })}
        actions={steps.actions}
        main={
          me.can('import_batch')
            ? {
                key: 'import',
                label: t('import_file'),
                icon: <IconFileImport size={16} aria-hidden />,
                href: to('/payments/imported_payments'),
              }
            : null
        }
        empty={{ title: t('no_batches'), text: t('no_batches_text') }}
      />
    </>
  )
}
