import { IconArrowBackUp, IconCheck, IconClipboardText, IconFlag, IconHistory, IconPrinter } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { f } from '#kit/contract/index.ts'
import { CONTROL_STATUSES } from '#areas/offerings/words.contract.ts'
import { TermPicker } from '#areas/terms/terms/term-picker.web.tsx'
import { download, refresh, send, useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name, confirm, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { formatAgo, formatNumber, nameOf, paperLanguageOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { BulkAction } from '#kit/web/list/bulk.tsx'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import type { RowAction } from '#kit/web/list/data-table.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { screenAt, to, useNavigate, useSearchParams } from '#kit/web/router/index.ts'
import type { ControlAction, ControlStatus } from '../control.rules.ts'
import { ControlBadge, HistoryDialog, useStepLabel } from '../parts.web.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { FinishDialog } from '../terms/finish.web.tsx'
import { termCalls } from '../terms/terms.contract.ts'
import { BULK_ACTIONS, controlCalls, type ControlRow } from './control.contract.ts'
import css from '../grading.module.css'

type Row = ControlRow & AnyRow
const GRADES = '/offerings/grades/:id'

const filters = {
  control_status: f.choice(['Status', 'الحالة'], CONTROL_STATUSES),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  department_id: f.lookup(['Department', 'القسم'], 'department'),
  course_id: f.lookup(['Course', 'المقرر'], 'course'),
  instructor_id: f.lookup(['Instructor', 'عضو هيئة التدريس'], 'instructor'),
  missing: f.flag(['Marks are missing', 'تنقصها درجات']),
}
const view = (key: string, en: string, ar: string, value: Record<string, unknown>) => ({
  key,
  label: [en, ar] as const,
  query: `filters=${encodeURIComponent(JSON.stringify(value))}`,
})
const VIEWS = [
  view('draft', 'With instructors', 'لدى أعضاء هيئة التدريس', { control_status: ['Draft'] }),
  view('submitted', 'To review', 'للمراجعة', { control_status: ['Submitted'] }),
  view('reviewed', 'To approve', 'للاعتماد', { control_status: ['Reviewed'] }),
  view('approved', 'To publish', 'للإعلان', { control_status: ['Approved'] }),
]
const calls = {
  submit: controlCalls.submit,
  review: controlCalls.review,
  approve: controlCalls.approve,
  publish: controlCalls.publish,
  freeze: controlCalls.freeze,
} as const
const FROM: Record<keyof typeof calls, ControlStatus> = {
  submit: 'Draft',
  review: 'Submitted',
  approve: 'Reviewed',
  publish: 'Approved',
  freeze: 'Published',
}

/** A scheme is news only where its maxima do not sum to 100 with one final exam. */
function SchemeWarning() {
  const t = useT('grading')
  return <span className={css.warn}> · {t('scheme_incomplete')}</span>
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'course',
    label: ['Course', 'المقرر'],
    sort: true,
    width: 250,
    cell: (row) => (
      <span className={css.course}>
        <Name row={row.course} />
        <small>
          <Code>
            {row.course.code} ({row.code})
          </Code>
          {!row.scheme_sound && <SchemeWarning />}
        </small>
      </span>
    ),
  },
  {
    key: 'control_status',
    label: ['Status', 'الحالة'],
    sort: true,
    width: 130,
    cell: (row) => <ControlBadge status={row.control_status} />,
  },
  {
    key: 'students',
    label: ['Students', 'الطلاب'],
    sort: true,
    align: 'end',
    width: 90,
    cell: (row) => <Code>{formatNumber(row.students)}</Code>,
  },
  {
    key: 'missing_marks',
    label: ['Without result', 'بلا نتيجة'],
    sort: true,
    align: 'end',
    width: 110,
    cell: (row) =>
      row.missing_marks ? (
        <Code className={css.warn}>{formatNumber(row.missing_marks)}</Code>
      ) : (
        <span className={css.dim}>–</span>
      ),
  },
  {
    key: 'instructors',
    label: ['Taught by', 'القائم بالتدريس'],
    width: 180,
    cell: (row) =>
      row.instructors[0] ? (
        <>
          <Name row={row.instructors[0]} />
          {row.instructors.length > 1 && (
            <small className={css.dim}>
              {' '}
              <Code>+{formatNumber(row.instructors.length - 1)}</Code>
            </small>
          )}
        </>
      ) : (
        <span className={css.dim}>–</span>
      ),
  },
  { key: 'faculty', label: ['Faculty', 'الكلية'], width: 160, cell: (row) => <Name row={row.faculty} empty="–" /> },
  {
    key: 'department',
    label: ['Department', 'القسم'],
    hidden: true,
    cell: (row) => <Name row={row.department} empty="–" />,
  },
  {
    key: 'since',
    label: ['Since', 'منذ'],
    sort: true,
    width: 120,
    cell: (row) =>
      row.since ? <span className={css.dim}>{formatAgo(row.since)}</span> : <span className={css.dim}>–</span>,
  },
]

/** The filter on the term in the address, which the list has in its own control. */
export function useTermFilter(): [number | null, (id: number) => void, Record<string, unknown>] {
  const [query, setQuery] = useSearchParams()
  const chosen = useMemo((): Record<string, unknown> => {
    try {
      return JSON.parse(query.get('filters') ?? '{}') as Record<string, unknown>
    } catch {
      return {}
    }
  }, [query])
  const set = (id: number) => {
    const q = new URLSearchParams(query)
    q.set('filters', JSON.stringify({ ...chosen, term_id: id }))
    q.delete('page')
    setQuery(q)
  }
  return [typeof chosen.term_id === 'number' ? chosen.term_id : null, set, chosen]
}

/** Offerings on their road through control: what waits for whom, each step alone or for many. */
export default function ControlOfferings() {
  const t = useT('grading')
  const lang = useLanguage()
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const stepLabel = useStepLabel()
  const [term, setTerm] = useTermFilter()
  const lookup = useCall(controlCalls.reportLookup, {}, { staleTime: 60_000 })
  const [history, setHistory] = useState<Row | null>(null)
  const [finishing, setFinishing] = useState<Row | null>(null)
  const grades = screenAt(GRADES)
  const mayOpen = grades !== undefined && me.may(grades.permission)
  const done = async (text: string) => {
    await refresh(client, '/control', '/offerings')
    notify.done(text)
  }
  const take = async (row: Row, action: ControlAction) => {
    const label = stepLabel(row.control_status, action)
    const course = `${row.course.code} (${row.code})`
    const body = { version: row.version }
    if (action === 'finish') return setFinishing(row)
    if (action === 'undo') {
      const reason = await askReason({
        title: t('ask_undo', { course }),
        text: t('undo_text'),
        action: label,
        go: (text) => send(controlCalls.undo, { params: { id: row.id }, body: { ...body, reason: text } }),
      })
      if (reason !== null) await done(t('done_undo', { course }))
      return
    }
    const yes = await confirm({
      title: t(`ask_${action}`, { course }),
      consequence: t(`step_${action}_text`),
      action: label,
      go: () => send(calls[action], { params: { id: row.id }, body }),
    })
    if (yes) await done(t(`done_${action}`, { course }))
  }
  const icons: Partial<Record<ControlAction, RowAction['icon']>> = {
    undo: <IconArrowBackUp size={15} className="pointing" aria-hidden />,
    finish: <IconFlag size={15} aria-hidden />,
  }
  const steps = (row: Row) =>
    row.abilities.filter((one) => one in calls || one === 'undo' || one === 'finish') as ControlAction[]
  const actions = (row: Row): RowAction[] => [
    ...(mayOpen
      ? [
          {
            key: 'open',
            label: t('open_marks'),
            icon: <IconClipboardText size={15} aria-hidden />,
            href: to(GRADES, { id: row.id }),
          },
        ]
      : []),
    ...steps(row).map((action) => ({
      key: action,
      label: stepLabel(row.control_status, action),
      icon: icons[action] ?? <IconCheck size={15} aria-hidden />,
      onSelect: () => void take(row, action),
    })),
    {
      key: 'pdf',
      label: t('print'),
      icon: <IconPrinter size={15} aria-hidden />,
      onSelect: () =>
        void withOverlay(download(controlCalls.gradesPdf, { params: { id: row.id, lang: paperLanguageOf() } })).catch(
          (error: unknown) => notify.error(error),
        ),
    },
    {
      key: 'history',
      label: t('history'),
      icon: <IconHistory size={15} aria-hidden />,
      onSelect: () => setHistory(row),
    },
  ]
  const bulk: BulkAction[] = BULK_ACTIONS.flatMap((action): BulkAction[] => {
    const key = action === 'undo' ? (['undo_control', 'unfreeze_control'] as const) : ([`${action}_control`] as const)
    if (!me.can(...key)) return []
    const label = action === 'undo' ? t('step_undo') : stepLabel(FROM[action], action)
    return [
      {
        key: action,
        label,
        applies: (row) => (row as Row).abilities.includes(action),
        ...(action === 'undo'
          ? {
              run: async (ids) => {
                const reason = await askReason({
                  title: t('bulk_undo', { count: ids.length }),
                  text: t('undo_text'),
                  action: label,
                })
                return reason === null
                  ? { done: [], failed: [] }
                  : send(controlCalls.bulk, { params: { action }, body: { ids: [...ids], reason } })
              },
            }
          : {
              confirm: (count) => ({
                title: t('bulk_question', { step: label, count }),
                consequence: t(`step_${action}_text`),
                action: label,
              }),
              run: (ids) => send(controlCalls.bulk, { params: { action }, body: { ids: [...ids] } }),
            }),
      },
    ]
  })
  return (
    <>
      <ListScreen<Row>
        call={controlCalls.list}
        title={['Control: offerings', 'الكنترول: المقررات']}
        columns={COLUMNS}
        filters={filters}
        views={VIEWS}
        order={['course', 'asc']}
        perPage={50}
        above={<TermPicker value={term ?? lookup.data?.data.current_term_id ?? null} onChange={setTerm} />}
        rowName={(row) => `${row.course.code} (${row.code}) ${nameOf(row.course, lang)}`}
        rowHref={(row) => (mayOpen ? to(GRADES, { id: row.id }) : null)}
        actions={actions}
        inline={(row) => {
          const action = steps(row).find((one) => one in calls)
          return action
            ? { key: action, label: stepLabel(row.control_status, action), onSelect: () => void take(row, action) }
            : null
        }}
        bulk={bulk}
        menu={[
          {
            key: 'results',
            label: t('results'),
            onSelect: () => void navigate(to('/control/results')),
          },
          {
            key: 'template',
            label: t('migrated_template'),
            onSelect: () =>
              void withOverlay(
                download(controlCalls.migratedTemplate, {
                  body: { ...(term !== null && { term_id: term }), lang: paperLanguageOf() },
                }),
              ).catch((error: unknown) => notify.error(error)),
          },
        ]}
        empty={{ title: t('offerings_empty'), text: t('offerings_empty_text') }}
      />
      {history && (
        <HistoryDialog
          id={history.id}
          title={`${history.course.code} ${nameOf(history.course, lang)}`}
          onClose={() => setHistory(null)}
        />
      )}
      {finishing && (
        <FinishDialog
          title={t('finish_offering', { course: finishing.course.code ?? '' })}
          go={() => send(termCalls.finishOffering, { params: { id: finishing.id }, body: {} })}
          onClose={() => setFinishing(null)}
        />
      )}
    </>
  )
}
