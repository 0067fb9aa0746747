import { Button, Modal } from '@mantine/core'
import { IconArrowBackUp, IconFlag, IconRefreshDot, IconSchool } from '@tabler/icons-react'
import { useState } from 'react'
import { useTermFilter } from '#areas/study/terms/terms/term-filter.web.tsx'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import { f } from '#kit/contract/index.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name, Status, alert, notify, withOverlay } from '#kit/web/feedback/index.ts'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to, useSearchParams } from '#kit/web/router/index.ts'
import { Table } from '#kit/web/table/table.tsx'
import { controlCalls } from '../control/control.contract.ts'
import { StandingBadge } from '../parts.web.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { STANDINGS } from '#areas/common/academics/grading-words.contract.ts'
import { Figure, FinishDialog } from './finish.web.tsx'
import { termCalls, type ControlStudent } from './terms.contract.ts'
import css from '../grading.module.css'

type Row = ControlStudent & AnyRow
const filters = {
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  program_id: f.lookup(['Program', 'البرنامج'], 'program'),
  bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw'),
  level: f.integer(['Level', 'المستوى'], { max: 7 }),
  finished: f.flag(['Finished', 'منتهٍ']),
  revised: f.flag(['Being revised', 'قيد المراجعة']),
  waiting: f.flag(['Waits for results', 'ينتظر نتائج']),
  standing: f.choice(['Standing', 'الموقف الأكاديمي'], STANDINGS),
  may_graduate: f.flag(['May graduate', 'مستوفٍ للتخرج']),
  graduation_outdated: f.flag(['Graduation to be computed again', 'يلزم إعادة احتساب التخرج']),
}
const view = (key: string, en: string, ar: string, value: Record<string, unknown>) => ({
  key,
  label: [en, ar] as const,
  query: `filters=${encodeURIComponent(JSON.stringify(value))}`,
})
const VIEWS = [
  view('open', 'Not finished', 'غير منتهية', { finished: false }),
  view('revised', 'Being revised', 'قيد المراجعة', { revised: true }),
  view('waiting', 'Waiting for results', 'بانتظار نتائج', { waiting: true }),
  view('warned', 'Under warning', 'منذرون', { standing: ['warned', 'dismissed'] }),
  view('graduates', 'May graduate', 'مستوفون للتخرج', { may_graduate: true }),
  view('outdated', 'Graduation to be computed again', 'يلزم إعادة احتساب التخرج', { graduation_outdated: true }),
]

/** How many courses of the student still wait for control. */
function Waiting({ row }: { row: Row }) {
  const t = useT('grading')
  const waiting = row.below_approved + row.without_result
  if (row.untyped) return <span className={css.warn}>{t('bylaw_untyped')}</span>
  return waiting ? (
    <span className={css.warn}>{t('courses_waiting', { count: waiting, of: row.courses })}</span>
  ) : (
    <span className={css.dim}>{t('courses_ready', { count: row.courses })}</span>
  )
}
function Finished({ finished, revised }: { finished: boolean; revised: boolean }) {
  const t = useT('grading')
  if (revised) return <Status is="revised" label={t('is_revised')} />
  return <Status is={finished ? 'finished' : 'unfinished'} label={t(finished ? 'is_finished' : 'is_open')} />
}
function MayGraduate({ yes, outdated }: { yes: boolean | null; outdated: boolean }) {
  const t = useT('grading')
  if (outdated) return <Status is="outdated" label={t('graduation_outdated')} />
  return yes ? <Status is="met" label={t('may_graduate')} /> : <span className={css.dim}>–</span>
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'code',
    label: ['Student', 'الطالب'],
    sort: true,
    width: 260,
    cell: (row) => (
      <span className={css.course}>
        <Name row={row} />
        <small>
          <Code>{row.code}</Code>
        </small>
      </span>
    ),
  },
  { key: 'program', label: ['Program', 'البرنامج'], sort: true, width: 200, cell: (row) => <Name row={row.program} /> },
  {
    key: 'level',
    label: ['Level', 'المستوى'],
    sort: true,
    align: 'end',
    width: 80,
    cell: (row) => <Code>{formatNumber(row.level)}</Code>,
  },
  {
    key: 'hours',
    label: ['Hours', 'الساعات'],
    sort: true,
    align: 'end',
    width: 80,
    cell: (row) => <Code>{formatNumber(row.hours)}</Code>,
  },
  {
    key: 'below_approved',
    label: ['Waits for', 'ينتظر'],
    sort: true,
    width: 150,
    cell: (row) => <Waiting row={row} />,
  },
  {
    key: 'finished',
    label: ['Term', 'الفصل'],
    width: 130,
    least: 124,
    cell: (row) => <Finished finished={row.finished} revised={row.revised} />,
  },
  {
    key: 'gpa',
    label: ['Term GPA', 'معدل الفصل'],
    sort: true,
    align: 'end',
    width: 100,
    cell: (row) => <Figure value={row.gpa} places={2} />,
  },
  {
    key: 'cumulative_gpa',
    label: ['CGPA', 'المعدل التراكمي'],
    sort: true,
    align: 'end',
    width: 110,
    cell: (row) => <Figure value={row.cumulative_gpa} places={2} />,
  },
  {
    key: 'standing',
    label: ['Standing', 'الموقف الأكاديمي'],
    width: 150,
    cell: (row) => <StandingBadge standing={row.standing} />,
  },
  {
    key: 'warnings',
    label: ['Warnings', 'الإنذارات'],
    sort: true,
    align: 'end',
    width: 90,
    hidden: true,
    cell: (row) => <Figure value={row.warnings} />,
  },
  {
    key: 'may_graduate',
    label: ['Graduation', 'التخرج'],
    width: 150,
    cell: (row) => <MayGraduate yes={row.may_graduate} outdated={row.graduation_outdated} />,
  },
  { key: 'faculty', label: ['Faculty', 'الكلية'], hidden: true, cell: (row) => <Name row={row.faculty} /> },
]

/** Students of a term in control: whose term is finished, who waits for what, and finishing itself. */
export default function ControlStudents() {
  const t = useT('grading')
  const { send } = useChange('/control', '/students')
  const me = useMe()
  const [query] = useSearchParams()
  const [asked, setTerm, rest] = useTermFilter()
  const lookup = useCall(controlCalls.reportLookup, {}, { staleTime: 60_000 })
  const term = asked ?? lookup.data?.data.current_term_id ?? null
  const [finishing, setFinishing] = useState<{ ids?: number[]; outdated?: true } | null>(null)
  const [differences, setDifferences] = useState<ResponseOf<typeof termCalls.recompute> | null>(null)
  const may = me.can('finish_term')
  const selection = selectionOf(term, rest, query.get('search') ?? '')
  const recompute = () =>
    void withOverlay(send(termCalls.recompute, { body: selection() }), t('recomputing'))
      .then((answer) =>
        answer.differences.length
          ? setDifferences(answer)
          : alert({ title: t('recomputed'), text: t('no_differences', { count: answer.checked }) }),
      )
      .catch((error: unknown) => notify.error(error))
  const { unfinish, told } = useUnfinish(selection)
  return (
    <>
      <ListScreen<Row>
        call={termCalls.students}
        title={['Control: students', 'الكنترول: الطلاب']}
        columns={COLUMNS}
        filters={filters}
        views={VIEWS}
        order={['code', 'asc']}
        perPage={50}
        beside={<TermPicker value={term} onChange={setTerm} />}
        rowHref={(row) => to('/control/students/:student_id/:term_id', { student_id: row.id, term_id: row.term_id })}
        actions={(row) =>
          row.abilities.includes('finish')
            ? [
                {
                  key: 'finish',
                  label: t('finish'),
                  icon: <IconFlag size={15} aria-hidden />,
                  onSelect: () => setFinishing({ ids: [row.id] }),
                },
                ...(row.abilities.includes('unfinish')
                  ? [
                      {
                        key: 'unfinish',
                        label: t('unfinish'),
                        icon: <IconArrowBackUp size={15} aria-hidden />,
                        onSelect: () => void unfinish([row.id]).then(told),
                      },
                    ]
                  : []),
              ]
            : []
        }
        bulk={
          may
            ? [
                {
                  key: 'finish',
                  label: t('finish'),
                  asks: true,
                  run: (ids) => {
                    setFinishing({ ids: [...ids] })
                    return Promise.resolve({ done: [], failed: [] })
                  },
                },
                { key: 'unfinish', label: t('unfinish'), asks: true, run: unfinish },
              ]
            : undefined
        }
        main={
          may
            ? {
                key: 'finish',
                label: t('finish_term'),
                icon: <IconFlag size={16} aria-hidden />,
                onSelect: () => setFinishing({}),
              }
            : null
        }
        menu={
          may
            ? [
                {
                  key: 'recompute',
                  label: t('recompute'),
                  icon: <IconRefreshDot size={15} aria-hidden />,
                  onSelect: recompute,
                },
                {
                  key: 'outdated',
                  label: t('graduation_again'),
                  icon: <IconSchool size={15} aria-hidden />,
                  onSelect: () => setFinishing({ outdated: true }),
                },
              ]
            : []
        }
        empty={{ title: t('students_empty'), text: t('students_empty_text') }}
      />
      {finishing && (
        <FinishDialog
          title={
            finishing.outdated
              ? t('graduation_again')
              : finishing.ids
                ? t('finish_students', { count: finishing.ids.length })
                : t('finish_term')
          }
          text={
            finishing.outdated
              ? t('graduation_again_text')
              : finishing.ids
                ? undefined
                : t(Object.keys(rest).length || query.get('search') ? 'finish_filtered_text' : 'finish_all_text')
          }
          whom={selection(finishing.ids, finishing.outdated)}
          waiting={
            finishing.ids || finishing.outdated
              ? undefined
              : `${to('/control/students')}?filters=${encodeURIComponent(JSON.stringify({ ...rest, waiting: true, ...(term !== null && { term_id: term }) }))}`
          }
          go={() => send(termCalls.finish, { body: selection(finishing.ids, finishing.outdated) })}
          onClose={() => setFinishing(null)}
        />
      )}
      {differences && <Differences answer={differences} onClose={() => setDifferences(null)} />}
    </>
  )
}

/** Students as a call takes them: by name, or by what the list shows. */
const selectionOf =
  (term: number | null, rest: ReturnType<typeof useTermFilter>[2], search: string) =>
  (ids?: readonly number[], outdated = false) => ({
    term_id: term,
    filters: ids ? {} : outdated ? { ...rest, graduation_outdated: true } : rest,
    search: ids ? '' : search,
    ...(ids && { ids: [...ids] }),
  })
type Selection = ReturnType<ReturnType<typeof selectionOf>>

/** Takes finished terms back, with a reason. */
function useUnfinish(selection: (ids?: readonly number[]) => Selection) {
  const t = useT('grading')
  const { send } = useChange('/control', '/students')
  const unfinish = async (ids: readonly number[], whom?: Concerned) => {
    const reason = await askReason({
      title: whom ? t('unfinish_students', { count: ids.length }) : t('unfinish'),
      text: t('unfinish_text'),
      action: t('unfinish'),
      danger: true,
      whom,
      heavy: true,
    })
    if (reason === null) return { done: [], failed: [] }
    const answer = await send(termCalls.unfinish, { body: { ...selection(ids), reason } })
    return answer
  }
  const told = ({ done, failed }: Awaited<ReturnType<typeof unfinish>>) => {
    if (failed[0]) void alert({ title: t('unfinish'), text: problemText(failed[0].errors[0]!) })
    else if (done.length) notify.done(t('done_unfinish', { count: done.length }))
  }
  return { unfinish, told }
}

const FIELD_KEYS = [
  'registered_hours',
  'attempted_hours',
  'passed_hours',
  'term_points',
  'gpa',
  'cumulative_hours',
  'cumulative_passed_hours',
  'cumulative_points',
  'cumulative_gpa',
  'level',
  'warned',
  'warnings',
  'standing',
  'graduation',
  'term_id',
] as const
type FieldKey = (typeof FIELD_KEYS)[number]

/** What computing again would change, figure by figure. */
function Differences({ answer, onClose }: { answer: ResponseOf<typeof termCalls.recompute>; onClose: () => void }) {
  const t = useT('grading')
  const lang = useLanguage()
  const shown = (value: unknown): string =>
    value === null || value === undefined ? '–' : typeof value === 'object' ? '…' : String(value)
  return (
    <Modal opened onClose={onClose} title={t('differences')} size="xl" closeButtonProps={{ 'aria-label': t('close') }}>
      <p className={css.text}>{t('differences_text', { count: answer.differences.length + answer.more })}</p>
      <Table
        label={t('differences')}
        className={css.table}
        height={420}
        rows={answer.differences}
        rowKey={(_one, i) => i}
        columns={[
          {
            key: 'student',
            label: t('student'),
            cell: (one) => (
              <>
                <Code>{one.student.code}</Code> <bdi>{nameOf(one.student, lang)}</bdi>
              </>
            ),
          },
          { key: 'term', label: t('term'), cell: (one) => <bdi>{nameOf(one.term, lang)}</bdi> },
          {
            key: 'figure',
            label: t('figure'),
            cell: (one) =>
              (FIELD_KEYS as readonly string[]).includes(one.field) ? t(`field_${one.field as FieldKey}`) : one.field,
          },
          { key: 'stored', label: t('stored'), figure: true, cell: (one) => <Code>{shown(one.stored)}</Code> },
          { key: 'computed', label: t('computed'), figure: true, cell: (one) => <Code>{shown(one.computed)}</Code> },
        ]}
      />
      <div className={css.buttons}>
        <Button onClick={onClose}>{t('close')}</Button>
      </div>
    </Modal>
  )
}
