import { IconBan, IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Name, notify } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { askReason } from '#kit/web/workflow/index.ts'
import { planCalls, planFields as F, type PlanRow } from './plan.contract.ts'
import { PLAN_AFTER, PlanState, usePlanFor } from './words.web.tsx'
import shared from '../../money.module.css'
import css from '../collecting.module.css'

const Opened = partDialog(async () => (await import('./decide.web.tsx')).default)

type Row = PlanRow & AnyRow
function For({ row }: { row: Row }) {
  const planFor = usePlanFor()
  return row.invoice ? <Code>{row.invoice.number}</Code> : <>{planFor(row)}</>
}
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'student_id',
    label: F.student_id.label,
    sort: true,
    width: 220,
    priority: 1,
    cell: (row) => (
      <span className={shared.two}>
        <Name row={row.student} />
        <small>
          <Code>{row.student.code}</Code>
        </small>
      </span>
    ),
  },
  { key: 'invoice_id', label: ['Of', 'عن'], sort: true, width: 190, priority: 5, cell: (row) => <For row={row} /> },
  moneyColumn({
    key: 'open',
    label: ['Still to pay', 'المتبقي'],
    priority: 2,
    amount: (row) => (row.state === 'asked' || row.state === 'running' ? row.open : null),
  }),
  {
    key: 'parts_asked',
    label: F.parts_asked.label,
    sort: true,
    width: 90,
    priority: 7,
    cell: (row) => formatNumber(row.parts_asked),
  },
  { key: 'first_day', label: F.first_day.label, field: F.first_day, sort: true, width: 150, priority: 6 },
  {
    key: 'state',
    label: F.state.label,
    sort: true,
    width: 150,
    least: 135,
    priority: 3,
    cell: (row) => <PlanState of={row} />,
  },
  {
    key: 'next_day',
    label: ['Next part until', 'القسط التالي حتى'],
    width: 150,
    priority: 8,
    cell: (row) => (row.next_day ? formatDate(row.next_day) : '–'),
  },
  {
    key: 'why',
    label: F.why.label,
    width: 230,
    priority: 9,
    cell: (row) => (
      <span className={css.line} dir="auto">
        {row.reason ?? row.why}
      </span>
    ),
  },
  { key: 'asked_on', label: F.asked_on.label, field: F.asked_on, sort: true, width: 140, priority: 4 },
]
const view = (key: PlanRow['state'], label: readonly [string, string]) => ({
  key,
  label,
  query: `filters=${encodeURIComponent(JSON.stringify({ state: [key] }))}`,
})

/** Refuses a plan that waits, or ends one that runs, with the reason. */
export function usePlanReason(): (row: PlanRow, what: 'refuse' | 'end') => Promise<boolean> {
  const t = useT('collecting')
  const lang = useLanguage()
  const { send } = useChange(...PLAN_AFTER)
  return async (row, what) => {
    const reason = await askReason({
      title: t(what === 'refuse' ? 'plan_refuse' : 'plan_end'),
      text: `${nameOf(row.student, lang)} · ${formatMoney(row.open, row.currency)}. ${t(what === 'refuse' ? 'plan_refuse_text' : 'plan_end_text')}`,
      action: t(what === 'refuse' ? 'plan_refuse' : 'plan_end'),
      danger: true,
      go: (given) => send(planCalls[what], { params: { id: row.id }, body: { reason: given, version: row.version } }),
    })
    if (reason) notify.done(t(what === 'refuse' ? 'plan_refused_done' : 'plan_ended_done'))
    return Boolean(reason)
  }
}

/** Plans to pay in parts: those that wait are decided here, with the instalments before and after. */
export default function PaymentPlans() {
  const t = useT('collecting')
  const lang = useLanguage()
  const [shown, setShown] = useState<number | null>(null)
  const withReason = usePlanReason()
  const actions = (row: Row): RowAction[] => [
    ...(row.abilities.includes('accept')
      ? [
          {
            key: 'accept',
            label: t('plan_decide'),
            icon: <IconCheck size={16} aria-hidden />,
            onSelect: () => setShown(row.id),
          },
        ]
      : []),
    ...(row.abilities.includes('refuse')
      ? [
          {
            key: 'refuse',
            label: t('plan_refuse'),
            icon: <IconX size={16} aria-hidden />,
            tone: 'refused' as const,
            onSelect: () => void withReason(row, 'refuse'),
          },
        ]
      : []),
    ...(row.abilities.includes('end')
      ? [
          {
            key: 'end',
            label: t('plan_end'),
            icon: <IconBan size={16} aria-hidden />,
            tone: 'refused' as const,
            onSelect: () => void withReason(row, 'end'),
          },
        ]
      : []),
  ]
  return (
    <>
      <ListScreen<Row>
        call={planCalls.list}
        onOpen={(row) => setShown(row.id)}
        title={['Payment plans', 'خطط السداد']}
        columns={COLUMNS}
        filters={{
          state: F.state,
          first_day: F.first_day,
          asked_on: F.asked_on,
          currency: F.currency,
          faculty_id: F.faculty_id,
          student_id: F.student_id,
          invoice_id: F.invoice_id,
        }}
        views={[
          view('asked', ['To be decided', 'قيد القرار']),
          view('running', ['Running', 'سارية']),
          view('broken', ['Broken', 'لم يُوفَ به']),
        ]}
        order={['asked_on', 'desc']}
        rowName={(row) => `${nameOf(row.student, lang)} · ${formatMoney(row.open, row.currency)}`}
        actions={actions}
        inlineWidth={110}
        inline={(row) => {
          const [next] = actions(row)
          return next?.key === 'accept' ? { ...next, short: t('plan_decide_short') } : null
        }}
        {...(may('export_reminder') && { exports: { xlsx: planCalls.export } })}
        empty={{ title: t('no_plans'), text: t('no_plans_text') }}
      />
      {shown !== null && <Opened id={shown} onClose={() => setShown(null)} />}
    </>
  )
}
