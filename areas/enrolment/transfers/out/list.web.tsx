import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '@mantine/core'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, confirm, Name, notify } from '#kit/web/feedback/index.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Facts } from '#kit/web/detail/parts.tsx'
import { to } from '#kit/web/router/index.ts'
import { StateBadge, StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import css from '../transfers.module.css'
import { outCalls, outFields, outFlow, outSteps } from './out.contract.ts'
import type { OutRow } from './out.contract.ts'

const F = outFields
type Row = OutRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'student_id',
    label: F.student_id.label,
    sort: true,
    width: 230,
    cell: (row) => (
      <span className={css.name}>
        <Name row={row.student} />
        <small>
          <Code>{row.student.code}</Code>
        </small>
      </span>
    ),
    exports: ['student_id'],
  },
  {
    key: 'program_id',
    label: F.program_id.label,
    sort: true,
    width: 200,
    cell: (row) => <Name row={row.program} />,
    exports: ['program_id'],
  },
  {
    key: 'destination',
    label: F.destination.label,
    sort: true,
    width: 220,
    cell: (row) => <bdi>{row.destination}</bdi>,
    heads: true,
  },
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 160 },
  { key: 'created_at', label: F.created_at.label, field: F.created_at, sort: true },
]
const VIEWS = [
  {
    key: 'waiting',
    label: ['Waiting', 'قيد البت'] as const,
    query: `filters=${encodeURIComponent(JSON.stringify({ status: ['requested'] }))}`,
  },
]

/** Who wants to leave the university: to decide for staff, the own one for a student. */
export default function TransfersOut() {
  const t = useT('transfers')
  const say = useLabel()
  const me = useMe()
  const lang = useLanguage()
  const { send } = useChange('/transfer', '/students', '/users/work')
  const [shown, setShown] = useState<Row | null>(null)
  const steps = useSteps<never, never, Row>(outFlow as never, outSteps as never, {
    name: (row) => nameOf(row.student, lang),
    refreshes: ['/transfer', '/students', '/users/work'],
  })
  // It cannot be taken back: the name is typed before.
  const approve = async (row: Row) => {
    const { label, consequence } = outFlow.actions.approve
    const done = await confirm({
      title: t('approve_out_question', { name: nameOf(row.student, lang) }),
      consequence: say(consequence!),
      action: say(label),
      danger: true,
      typeName: row.student.code ?? nameOf(row.student, lang),
      go: () => send(outSteps.steps.approve, { params: { id: row.id }, body: { version: row.version } }),
    })
    if (done) notify.done(t('approved_out'))
  }
  const actions = (row: Row): RowAction[] =>
    steps
      .actions(row)
      .map((one) => (one.key === 'approve' && one.onSelect ? { ...one, onSelect: () => void approve(row) } : one))
  return (
    <>
      <ListScreen<Row>
        call={outCalls.listOut}
        title={['Transfers out', 'التحويلات إلى خارج الجامعة']}
        columns={COLUMNS}
        filters={{ status: F.status, program_id: F.program_id, term_id: F.term_id }}
        views={VIEWS}
        order={['created_at', 'desc']}
        rowName={(row) => nameOf(row.student, lang)}
        onOpen={setShown}
        actions={actions}
        main={
          me.can('ask_transfer')
            ? {
                key: 'add',
                label: t('ask_out'),
                icon: <IconPlus size={16} aria-hidden />,
                href: to('/transfer/out/add'),
              }
            : null
        }
        exports={{
          xlsx: outCalls.exportOut,
          columns: Object.entries(F).map(([key, field]) => ({ key, label: field.label })),
        }}
        empty={{ title: t('none_out'), text: t('none_out_text') }}
      />
      {shown && (
        <Dialog
          opened
          onClose={() => setShown(null)}
          title={nameOf(shown.student, lang)}
          size="lg"
          closeButtonProps={{ 'aria-label': t('close') }}
        >
          <div className={css.form}>
            <Facts
              items={[
                { label: say(F.status.label), value: <StateBadge flow={outFlow} state={shown.status} /> },
                { label: say(F.destination.label), value: <bdi>{shown.destination}</bdi> },
                { label: t('program'), value: <Name row={shown.program} /> },
                { label: t('why'), value: <bdi>{shown.why}</bdi>, wide: true },
                ...(shown.decided_reason
                  ? [{ label: t('reason'), value: <bdi>{shown.decided_reason}</bdi>, wide: true }]
                  : []),
              ]}
            />
            <StepHistory flow={outFlow as never} calls={outSteps} id={shown.id} />
            <div className={css.bar}>
              {actions(shown).map((one) => (
                <Button
                  key={one.key}
                  size="xs"
                  variant="default"
                  disabled={!one.onSelect}
                  title={typeof one.disabled === 'string' ? one.disabled : undefined}
                  onClick={() => {
                    setShown(null)
                    one.onSelect?.()
                  }}
                >
                  {one.label}
                </Button>
              ))}
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
