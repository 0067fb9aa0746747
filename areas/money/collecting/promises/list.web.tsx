import { IconBan } from '@tabler/icons-react'
import { useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatMoney, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { askReason } from '#kit/web/workflow/index.ts'
import { PROMISE_AFTER } from './dialog.web.tsx'
import { promiseCalls, promiseFields as F, type PromiseRow } from './promise.contract.ts'
import { PromiseState } from './words.web.tsx'
import shared from '../../money.module.css'

type Row = PromiseRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  { key: 'promised_on', label: F.promised_on.label, field: F.promised_on, sort: true, width: 140 },
  {
    key: 'student_id',
    label: F.student_id.label,
    sort: true,
    width: 230,
    cell: (row) => (
      <span className={shared.two}>
        <Name row={row.student} />
        <small>
          <Code>{row.student.code}</Code>
        </small>
      </span>
    ),
  },
  {
    key: 'invoice_id',
    label: F.invoice_id.label,
    sort: true,
    width: 180,
    cell: (row) => row.invoice && <Code>{row.invoice.number}</Code>,
  },
  moneyColumn({ key: 'amount', label: F.amount.label, sort: true }),
  moneyColumn({ key: 'came', label: ['Came since', 'ما سُدد منه'] }),
  { key: 'state', label: F.state.label, sort: true, width: 140, cell: (row) => <PromiseState of={row} /> },
  {
    key: 'note',
    label: ['Note', 'ملاحظة'],
    width: 220,
    cell: (row) => <span dir="auto">{row.ended_reason ?? row.note ?? '–'}</span>,
  },
  { key: 'noted_by', label: ['Noted by', 'من سجّل'], width: 170, cell: (row) => <Name row={row.noted_by} /> },
  { key: 'noted_on', label: F.noted_on.label, field: F.noted_on, sort: true, width: 140 },
]
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

/** Takes a promise back that stands, with the reason. */
export function useWithdraw(): (row: PromiseRow) => Promise<void> {
  const t = useT('collecting')
  const lang = useLanguage()
  const { send } = useChange(...PROMISE_AFTER)
  return async (row) => {
    await askReason({
      title: t('withdraw_promise'),
      text: `${nameOf(row.student, lang)} · ${formatMoney(row.amount, row.currency)}`,
      action: t('withdraw'),
      danger: true,
      go: (reason) => send(promiseCalls.withdraw, { params: { id: row.id }, body: { reason, version: row.version } }),
    })
  }
}

/** What was promised, by when, and what became of it. */
export default function Promises() {
  const t = useT('collecting')
  const lang = useLanguage()
  const withdraw = useWithdraw()
  return (
    <ListScreen<Row>
      call={promiseCalls.list}
      title={['Promises to pay', 'وعود السداد']}
      columns={COLUMNS}
      filters={{
        state: F.state,
        promised_on: F.promised_on,
        noted_on: F.noted_on,
        currency: F.currency,
        faculty_id: F.faculty_id,
        student_id: F.student_id,
        invoice_id: F.invoice_id,
      }}
      views={[
        { key: 'standing', label: ['Promised', 'موعود'], query: view({ state: ['standing'] }) },
        { key: 'broken', label: ['Broken', 'لم يُوفَ به'], query: view({ state: ['broken'] }) },
      ]}
      order={['promised_on', 'desc']}
      rowName={(row) => `${nameOf(row.student, lang)} · ${formatMoney(row.amount, row.currency)}`}
      rowHref={(row) =>
        row.invoice ? to('/payments/:id', { id: row.invoice.id }) : to('/credit/:id', { id: row.student.id })
      }
      actions={(row) =>
        row.abilities.includes('withdraw')
          ? [
              {
                key: 'withdraw',
                label: t('withdraw_promise'),
                icon: <IconBan size={16} aria-hidden />,
                tone: 'refused',
                onSelect: () => void withdraw(row),
              },
            ]
          : []
      }
      {...(may('export_reminder') && { exports: { xlsx: promiseCalls.export } })}
      empty={{ title: t('no_promises'), text: t('no_promises_text') }}
    />
  )
}
