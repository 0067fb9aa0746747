import { IconBarcode, IconClipboardText, IconFlag, IconHistory, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import { useTermFilter } from '#areas/study/terms/terms/term-filter.web.tsx'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { formatAgo, formatNumber, nameOf, paperLanguageOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { StepHistoryDialog } from '#kit/web/workflow/index.ts'
import { Link, screenAt, to, useNavigate } from '#kit/web/router/index.ts'
import { ControlBadge, useControlSteps } from '../parts.web.tsx'
import { VerifyDialog } from '../signing/verify.web.tsx'
import { FinishDialog } from '../terms/finish.web.tsx'
import { termCalls } from '../terms/terms.contract.ts'
import { controlCalls, type ControlRow } from './control.contract.ts'
import { control, controlSteps } from './flow.contract.ts'
import css from '../grading.module.css'

type Row = ControlRow & AnyRow
const GRADES = '/offerings/grades/:id'
const BARCODES = '/control/offerings/barcode/:id'

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
/** The stages in the order in which an offering goes through them. */
const VIEWS = [
  view('Draft', 'With instructors', 'لدى أعضاء هيئة التدريس', { control_status: ['Draft'] }),
  view('Submitted', 'To review', 'للمراجعة', { control_status: ['Submitted'] }),
  view('Reviewed', 'To approve', 'للاعتماد', { control_status: ['Reviewed'] }),
  view('Approved', 'To publish', 'للإعلان', { control_status: ['Approved'] }),
  view('Published', 'Published', 'معلنة', { control_status: ['Published'] }),
]
/** Where offerings stand in the term that is looked at, and what waits for the reader in any term. */
function useStages(term: number | null) {
  const { data } = useCall(controlCalls.stages)
  const terms = data?.data ?? []
  const here = terms.find((one) => one.term.id === term)
  return {
    views: VIEWS.map((one) => ({
      ...one,
      count: data && (here?.stages.find((stage) => stage.control_status === one.key)?.count ?? 0),
    })),
    /** One line for each stage that waits, the term that is looked at first. */
    waiting: terms
      .toSorted((a, b) => Number(b.term.id === term) - Number(a.term.id === term))
      .flatMap(({ term: of, stages }) =>
        VIEWS.flatMap(({ key, label }) => {
          const count = stages.find((stage) => stage.control_status === key)?.waiting ?? 0
          return count ? [{ term: of, status: key, label, count }] : []
        }),
      ),
  }
}

/** What waits for the reader, in sentences that lead there: also in a term that is not looked at. */
function Waiting({ of }: { readonly of: ReturnType<typeof useStages>['waiting'] }) {
  const t = useT('grading')
  const kit = useT('kit')
  const say = useLabel()
  const lang = useLanguage()
  if (!of.length) return null
  return (
    <p className={css.waiting}>
      <span>{t('waits_for_you')}</span>
      {of.slice(0, WAITING).map(({ term, status, label, count }) => (
        <Link
          key={`${term.id} ${status}`}
          to={`/control/offerings?filters=${encodeURIComponent(JSON.stringify({ control_status: [status], term_id: term.id }))}`}
        >
          {t('waits_stage', { stage: say(label), term: nameOf(term, lang), count: formatNumber(count) })}
        </Link>
      ))}
      {of.length > WAITING && <span>{kit('and_more', { count: of.length - WAITING })}</span>}
    </p>
  )
}
/** Lines that are told; what is older is found by its term. */
const WAITING = 5

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

/** Offerings on their road through control: what waits for whom, each step alone or for many. */
export default function ControlOfferings() {
  const t = useT('grading')
  const lang = useLanguage()
  const me = useMe()
  const navigate = useNavigate()
  const steps = useControlSteps<Row>()
  const [term, setTerm] = useTermFilter()
  const lookup = useCall(controlCalls.reportLookup, {}, { staleTime: 60_000 })
  const shown = term ?? lookup.data?.data.current_term_id ?? null
  const { views, waiting } = useStages(shown)
  const [history, setHistory] = useState<Row | null>(null)
  const [finishing, setFinishing] = useState<Row | null>(null)
  const [verifying, setVerifying] = useState(false)
  const { send } = useChange()
  const grades = screenAt(GRADES)
  const barcodes = screenAt(BARCODES)
  const mayOpen = grades !== undefined && me.opens(grades)
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
    ...(barcodes && row.abilities.includes('barcodes')
      ? [
          {
            key: 'barcodes',
            label: t('barcodes'),
            icon: <IconBarcode size={15} aria-hidden />,
            href: to(BARCODES, { id: row.id }),
          },
        ]
      : []),
    ...steps.actions(row),
    ...(row.abilities.includes('finish')
      ? [
          {
            key: 'finish',
            label: t('step_finish'),
            icon: <IconFlag size={15} aria-hidden />,
            onSelect: () => setFinishing(row),
          },
        ]
      : []),
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
  return (
    <>
      <ListScreen<Row>
        call={controlCalls.list}
        title={['Control: offerings', 'الكنترول: المقررات']}
        columns={COLUMNS}
        filters={filters}
        views={views}
        order={['course', 'asc']}
        perPage={50}
        above={
          <div className={css.above}>
            <TermPicker value={shown} onChange={setTerm} />
            <Waiting of={waiting} />
          </div>
        }
        rowName={(row) => `${row.course.code} (${row.code}) ${nameOf(row.course, lang)}`}
        rowHref={(row) => (mayOpen ? to(GRADES, { id: row.id }) : null)}
        actions={actions}
        inlineWidth={120}
        inline={steps.next}
        bulk={steps.bulk}
        menu={[
          {
            key: 'results',
            label: t('results'),
            onSelect: () => void navigate(to('/control/results')),
          },
          ...(me.can('verify_grades')
            ? [{ key: 'verify', label: t('verify_grades'), onSelect: () => setVerifying(true) }]
            : []),
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
        <StepHistoryDialog
          flow={control}
          calls={controlSteps}
          id={history.id}
          title={`${history.course.code} ${nameOf(history.course, lang)}`}
          onClose={() => setHistory(null)}
        />
      )}
      {verifying && <VerifyDialog onClose={() => setVerifying(false)} />}
      {finishing && (
        <FinishDialog
          title={t('finish_offering', { course: nameOf(finishing.course) })}
          go={() => send(termCalls.finishOffering, { params: { id: finishing.id }, body: {} })}
          onClose={() => setFinishing(null)}
        />
      )}
    </>
  )
}
