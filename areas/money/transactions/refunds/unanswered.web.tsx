import { PAYER, PayerName } from '#areas/money/ledger/payer.web.tsx'
import { IconCheck, IconX } from '@tabler/icons-react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Code, notify } from '#kit/web/feedback/index.ts'
import { askReason } from '#kit/web/workflow/index.ts'
import { formatInstant, formatMoney, formatNumber, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { refundCalls as calls, refundFields as F, type UnansweredRefund } from './refund.contract.ts'
import { providerName } from '../moves/words.web.tsx'
import css from '../providers/providers.module.css'

type Row = UnansweredRefund & AnyRow
const PROVIDER = f.choice(
  ['Provider', 'مزود الدفع'],
  [
    { value: 'fawry', label: ['FawryPay', 'فوري'], tone: 'draft' },
    { value: 'paymob', label: ['Paymob', 'باي موب'], tone: 'draft' },
  ],
)
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'number',
    label: F.number.label,
    width: 120,
    priority: 5,
    cell: (row) => (
      <Link to={to('/transaction/:id', { id: row.transaction_id })}>
        <Code>{row.number}</Code>
      </Link>
    ),
  },
  {
    key: 'student',
    label: PAYER,
    width: 200,
    least: 150,
    priority: 1,
    cell: (row) => <PayerName of={row} />,
  },
  moneyColumn({ key: 'amount', label: F.amount.label, sort: true, priority: 2 }),
  {
    key: 'provider',
    label: PROVIDER.label,
    width: 100,
    priority: 6,
    cell: (row) => <bdi>{providerName(row.provider)}</bdi>,
  },
  {
    key: 'since',
    label: ['Asked on', 'تاريخ الطلب'],
    sort: true,
    width: 160,
    priority: 3,
    cell: (row) => formatInstant(row.since),
  },
  {
    key: 'next_at',
    label: ['Asked again', 'السؤال التالي'],
    width: 160,
    priority: 4,
    cell: (row) => (
      <span className={css.two}>
        {row.next_at ? formatInstant(row.next_at) : '–'}
        <small>{`× ${formatNumber(row.tries)}`}</small>
      </span>
    ),
  },
  {
    key: 'error',
    label: ['What came back', 'ما ورد من المزود'],
    width: 260,
    priority: 7,
    cell: (row) => (row.error ? <bdi>{row.error}</bdi> : '–'),
  },
]

/** Refunds that providers have not answered: asked again by the clock, and settled by who looked there. */
export default function UnansweredRefunds() {
  const t = useT('transactions')
  const { send } = useChange('/payments', '/transactions', '/users/work')
  const settle = async (row: Row, happened: boolean) => {
    const amount = formatMoney(row.amount, row.currency)
    const reason = await askReason({
      title: t(happened ? 'unanswered_yes' : 'unanswered_no'),
      text: t(happened ? 'unanswered_yes_text' : 'unanswered_no_text', { amount }),
      action: t(happened ? 'unanswered_yes' : 'unanswered_no'),
      danger: !happened,
      go: (given) =>
        send(calls.settleUnanswered, {
          params: { id: row.id },
          body: { happened, reason: given, version: row.version },
        }),
    })
    if (reason) notify.done(t('unanswered_settled', { number: row.number }))
  }
  const actions = (row: Row): RowAction[] => [
    {
      key: 'yes',
      label: t('unanswered_yes'),
      icon: <IconCheck size={16} aria-hidden />,
      onSelect: () => void settle(row, true),
    },
    {
      key: 'no',
      label: t('unanswered_no'),
      icon: <IconX size={16} aria-hidden />,
      tone: 'refused',
      onSelect: () => void settle(row, false),
    },
  ]
  return (
    <ListScreen<Row>
      call={calls.unanswered}
      title={['Refunds without an answer', 'استردادات بلا رد']}
      columns={COLUMNS}
      order={['since', 'asc']}
      rowName={(row) => row.number}
      actions={actions}
      empty={{ title: t('unanswered_empty'), text: t('unanswered_empty_text') }}
    />
  )
}
