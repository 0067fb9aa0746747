import { PAYER, PayerName, payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { IconArrowBackUp, IconCash, IconCheck, IconCloudQuestion, IconX } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name, act, notify } from '#kit/web/feedback/index.ts'
import { fieldValue } from '#kit/web/fields/cells.tsx'
import { useShow } from '#kit/web/list/cell.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { formatInstant, formatMoney, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { refundCalls as calls, refundFields as F, type RefundRow } from './refund.contract.ts'
import css from '../providers/providers.module.css'

type Row = RefundRow & AnyRow

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'number',
    label: F.number.label,
    sort: true,
    width: 110,
    priority: 6,
    cell: (row) => <Code>{row.number}</Code>,
  },
  {
    key: 'student_id',
    label: PAYER,
    sort: true,
    width: 200,
    least: 150,
    priority: 1,
    cell: (row) => <PayerName of={row} />,
  },
  moneyColumn({ key: 'amount', label: F.amount.label, sort: true, priority: 2 }),
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 140, least: 135, priority: 3 },
  { key: 'kind', label: F.kind.label, field: F.kind, width: 140, priority: 8 },
  { key: 'way', label: F.way.label, field: F.way, width: 120, priority: 9 },
  {
    key: 'payment',
    label: ['Payment', 'الدفعة'],
    width: 120,
    priority: 10,
    cell: (row) =>
      row.payment ? (
        <Link to={to('/transaction/:id', { id: row.payment.id })}>
          <Code>{row.payment.number}</Code>
        </Link>
      ) : (
        '–'
      ),
  },
  {
    key: 'reason',
    label: F.reason.label,
    width: 300,
    priority: 5,
    cell: (row) => (
      <span className={css.two}>
        <span className={css.line} dir="auto">
          {row.reason}
        </span>
        {row.decision_reason && (
          <small className={css.line} dir="auto">
            {row.decision_reason}
          </small>
        )}
      </span>
    ),
  },
  {
    key: 'created_at',
    label: ['Asked by', 'مقدم الطلب'],
    sort: true,
    width: 190,
    // The instant below the name is never cut.
    least: 165,
    priority: 7,
    cell: (row) => (
      <span className={css.two}>
        <Name row={row.asked_by} />
        <small>{formatInstant(row.created_at)}</small>
      </span>
    ),
  },
  {
    key: 'transaction',
    label: ['Paid out by', 'صُرف بموجب'],
    width: 120,
    priority: 11,
    cell: (row) =>
      row.transaction ? (
        <Link to={to('/transaction/:id', { id: row.transaction.id })}>
          <Code>{row.transaction.number}</Code>
        </Link>
      ) : (
        '–'
      ),
  },
]
const view = (key: string, label: readonly [string, string], status: string[]) => ({
  key,
  label,
  query: `filters=${encodeURIComponent(JSON.stringify({ status }))}`,
})
const VIEWS = [
  view('waiting', ['To decide', 'تنتظر القرار'], ['asked']),
  view('approved', ['To pay out', 'تنتظر الصرف'], ['approved']),
]
const AFTER = ['/payments', '/transactions', '/credits', '/cashier/shift', '/students', '/users/work'] as const

/** What goes back once another person has approved it: decided on one by one, and paid out. */
export default function Refunds() {
  const t = useT('transactions')
  const lang = useLanguage()
  const { send } = useChange(...AFTER)
  const { can } = useMe()
  const [shown, setShown] = useState<Row | null>(null)
  const whose = (row: Row) => ({
    amount: formatMoney(row.amount, row.currency),
    name: payerCalled(row, lang) || row.number,
  })
  const reject = async (row: Row) => {
    const reason = await askReason({
      title: t('refund_reject_title', whose(row)),
      text: t('refund_reject_text'),
      action: t('refund_reject'),
      danger: true,
      go: (given) => send(calls.reject, { params: { id: row.id }, body: { reason: given, version: row.version } }),
    })
    if (reason) notify.done(t('refund_rejected', whose(row)))
  }
  const step = (row: Row, what: 'approve' | 'pay_out' | 'withdraw') =>
    act({
      ask: {
        title: t(`refund_${what}_title`, whose(row)),
        consequence: t(
          what === 'pay_out'
            ? row.way === 'cash'
              ? 'refund_pay_out_cash'
              : 'refund_pay_out_bank'
            : `refund_${what}_text`,
        ),
        action: t(`refund_${what}`),
      },
      go: () =>
        send(what === 'approve' ? calls.approve : what === 'pay_out' ? calls.payOut : calls.withdraw, {
          params: { id: row.id },
          body: { version: row.version },
        }),
      done: () => t(`refund_${what}_done`, whose(row)),
    })
  const actions = (row: Row): RowAction[] => [
    ...(row.abilities.includes('approve')
      ? [
          {
            key: 'approve',
            label: t('refund_approve'),
            icon: <IconCheck size={16} aria-hidden />,
            onSelect: () => void step(row, 'approve'),
          },
        ]
      : []),
    ...(row.abilities.includes('reject')
      ? [
          {
            key: 'reject',
            label: t('refund_reject'),
            icon: <IconX size={16} aria-hidden />,
            onSelect: () => void reject(row),
          },
        ]
      : []),
    ...(row.abilities.includes('pay_out')
      ? [
          {
            key: 'pay_out',
            label: t('refund_pay_out'),
            icon: <IconCash size={16} aria-hidden />,
            onSelect: () => void step(row, 'pay_out'),
          },
        ]
      : []),
    ...(row.abilities.includes('withdraw')
      ? [
          {
            key: 'withdraw',
            label: t('refund_withdraw'),
            icon: <IconArrowBackUp size={16} aria-hidden />,
            onSelect: () => void step(row, 'withdraw'),
          },
        ]
      : []),
  ]
  return (
    <>
      <ListScreen<Row>
        call={calls.refunds}
        onOpen={(row) => setShown(row)}
        title={['Refunds', 'الاستردادات']}
        columns={COLUMNS}
        filters={{ status: F.status, kind: F.kind, way: F.way, currency: F.currency }}
        views={VIEWS}
        order={['number', 'desc']}
        rowName={(row) => row.number}
        actions={actions}
        inlineWidth={130}
        inline={(row) => {
          const [next] = actions(row)
          return next && next.key !== 'withdraw'
            ? { ...next, short: t(next.key === 'approve' ? 'refund_approve_short' : 'refund_pay_out_short') }
            : null
        }}
        menu={
          can('decide_provider_event')
            ? [
                {
                  key: 'unanswered',
                  label: t('refunds_unanswered'),
                  icon: <IconCloudQuestion size={16} aria-hidden />,
                  href: to('/payments/refunds/unanswered'),
                },
              ]
            : []
        }
        empty={{ title: t('refunds_empty'), text: t('refunds_empty_text') }}
      />
      {shown && <Opened row={shown} actions={actions(shown)} onClose={() => setShown(null)} />}
    </>
  )
}

/** One refund with everything that is known of it: why it was asked for and decided as it was, in full. */
function Opened({ row, actions, onClose }: { row: Row; actions: readonly RowAction[]; onClose: () => void }) {
  const t = useT('transactions')
  const say = useLabel()
  const show = useShow()
  const whole = (text: string) => (
    <span dir="auto" className={css.reason}>
      {text}
    </span>
  )
  return (
    <Dialog
      opened
      onClose={onClose}
      title={<Code>{row.number}</Code>}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Facts
          items={[
            ...((row.student ?? row.payer)
              ? [
                  {
                    label: say(PAYER),
                    value: <PayerName of={row} />,
                  },
                ]
              : []),
            { label: say(F.amount.label), value: <bdi>{formatMoney(row.amount, row.currency)}</bdi> },
            { label: say(F.status.label), value: fieldValue(F.status, 'status', row, show) },
            { label: say(F.kind.label), value: fieldValue(F.kind, 'kind', row, show) },
            { label: say(F.way.label), value: fieldValue(F.way, 'way', row, show) },
            { label: say(F.created_at.label), value: formatInstant(row.created_at) },
            { label: say(['Asked by', 'مقدم الطلب']), value: <Name row={row.asked_by} /> },
            { label: say(F.reason.label), value: whole(row.reason), wide: true },
            ...(row.decided_by
              ? [
                  {
                    label: t('refund_decided_by'),
                    value: (
                      <>
                        <Name row={row.decided_by} /> {formatInstant(row.decided_at)}
                      </>
                    ),
                  },
                ]
              : []),
            ...(row.decision_reason
              ? [{ label: t('refund_decided_why'), value: whole(row.decision_reason), wide: true }]
              : []),
            ...[
              [say(['Payment', 'الدفعة']), row.payment] as const,
              [say(['Paid out by', 'صُرف بموجب']), row.transaction] as const,
            ].flatMap(([label, of]) =>
              of
                ? [
                    {
                      label,
                      value: (
                        <Link to={to('/transaction/:id', { id: of.id })}>
                          <Code>{of.number}</Code>
                        </Link>
                      ),
                    },
                  ]
                : [],
            ),
          ]}
        />
        {actions.length > 0 && (
          <div className={css.acts}>
            {actions.map((one) => (
              <Button
                key={one.key}
                variant={one.key === 'approve' || one.key === 'pay_out' ? 'filled' : 'default'}
                leftSection={one.icon}
                onClick={() => {
                  onClose()
                  one.onSelect?.()
                }}
              >
                {one.label}
              </Button>
            ))}
          </div>
        )}
      </Stack>
    </Dialog>
  )
}
