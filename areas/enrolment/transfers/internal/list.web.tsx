import { IconPlus } from '@tabler/icons-react'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatList, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import css from '../transfers.module.css'
import { internalCalls, internalFields, internalFlow, internalSteps } from './internal.contract.ts'
import type { InternalDetail, InternalRow } from './internal.contract.ts'

const F = internalFields
type Row = InternalRow & AnyRow
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
    key: 'from_program_id',
    label: F.from_program_id.label,
    sort: true,
    width: 200,
    cell: (row) => <Name row={row.from_program} />,
    exports: ['from_program_id'],
  },
  {
    key: 'program_id',
    label: F.program_id.label,
    sort: true,
    width: 200,
    cell: (row) => <Name row={row.program} />,
    heads: true,
    exports: ['program_id'],
  },
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 250 },
  { key: 'term_id', label: F.term_id.label, width: 130, cell: (row) => <Name row={row.term} />, exports: ['term_id'] },
  { key: 'created_at', label: F.created_at.label, field: F.created_at, sort: true },
]
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`
const VIEWS = [
  { key: 'waiting', label: ['Waiting', 'قيد البت'] as const, query: view({ status: ['added', 'agreed'] }) },
  { key: 'executed', label: ['Executed', 'منفَّذة'] as const, query: view({ status: ['executed'] }) },
]

/** What executing changes for this student: what counts and what does not, what is rejected, what goes on. */
function Execution({ of }: { readonly of: Row & Partial<Pick<InternalDetail, 'equivalences' | 'executing'>> }) {
  const t = useT('transfers')
  const say = useLabel()
  const lang = useLanguage()
  const lines = of.equivalences ?? []
  const lost = lines.filter((one) => one.course === null && one.joined_to === null)
  const named = (one: Named & { readonly code?: string | null }) =>
    [one.code, nameOf(one, lang)].filter(Boolean).join(' ')
  const names = (list: readonly (Named & { readonly code?: string | null })[]) => formatList(list.map(named), lang)
  const { executing } = of
  if (!executing) return <p>{say(internalFlow.actions.execute.consequence!)}</p>
  const { requests, running, advisor } = executing
  const elsewhere = running.filter((one) => !one.counts)
  return (
    <ul className={css.groups}>
      <li>
        {t('execute_figures', {
          from: nameOf(of.from_program, lang),
          to: nameOf(of.program, lang),
          count: lines.length - lost.length,
          passed: formatNumber(lines.length),
        })}
        {lost.length > 0 && <small>{t('execute_lost', { courses: names(lost.map((one) => one.source)) })}</small>}
      </li>
      {requests.length > 0 && <li>{t('execute_requests', { count: requests.length, courses: names(requests) })}</li>}
      {running.length > 0 && (
        <li>
          {t('execute_running', { count: running.length })}
          {elsewhere.length > 0 && <small>{t('execute_elsewhere', { courses: names(elsewhere) })}</small>}
        </li>
      )}
      {advisor && <li>{t('execute_advisor', { name: nameOf(advisor, lang) })}</li>}
      <li>{t('execute_record')}</li>
    </ul>
  )
}

/** Steps of internal transfers, in the words of every screen. */
export function useInternalSteps() {
  const lang = useLanguage()
  return useSteps<never, never, Row>(internalFlow as never, internalSteps as never, {
    name: (row) => nameOf(row.student, lang),
    refreshes: ['/transfer', '/students', '/users/work'],
    texts: {
      consequence: (action, [row]) => (String(action) === 'execute' && row ? <Execution of={row} /> : undefined),
    },
  })
}

/** Internal transfers: those of the faculty for staff, the own ones for a student. */
export default function InternalTransfers() {
  const t = useT('transfers')
  const me = useMe()
  const lang = useLanguage()
  const steps = useInternalSteps()
  const staff = me.can('agree_transfer', 'execute_transfer')
  return (
    <ListScreen<Row>
      call={internalCalls.internalTransfers}
      title={['Internal transfers', 'التحويلات الداخلية']}
      columns={COLUMNS}
      filters={{ status: F.status, program_id: F.program_id, from_program_id: F.from_program_id, term_id: F.term_id }}
      views={VIEWS}
      order={['created_at', 'desc']}
      rowName={(row) => nameOf(row.student, lang)}
      rowHref={(row) =>
        to('/students/:student_id/transfer/:transfer_id', { student_id: row.student.id, transfer_id: row.id })
      }
      actions={steps.actions}
      bulk={staff ? steps.bulk : []}
      main={
        me.can('ask_transfer')
          ? {
              key: 'add',
              label: t('ask'),
              icon: <IconPlus size={16} aria-hidden />,
              href: to('/transfer/internal/add'),
            }
          : null
      }
      exports={{
        xlsx: internalCalls.exportInternal,
        columns: Object.entries(F).map(([key, field]) => ({ key, label: field.label })),
      }}
      empty={{ title: t('none'), text: t(staff ? 'none_text' : 'none_own_text') }}
    />
  )
}
