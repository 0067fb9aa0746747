import { Name, Code, Status } from '#kit/web/feedback/index.ts'
import { formatNumber } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { f } from '#kit/contract/index.ts'
import css from '../desk/desk.module.css'
import type { AdviseeRow } from './advising.contract.ts'

export type Advisee = AdviseeRow & AnyRow

const number = (value: number) => (value ? <Code>{formatNumber(value)}</Code> : <span className={css.dim}>–</span>)

/** Columns of students as advising sees them. */
export const adviseeColumns = (withAdvisor: boolean): Column<Advisee>[] => [
  {
    key: 'name',
    label: ['Student', 'الطالب'],
    sort: 'code',
    width: 260,
    cell: (row) => (
      <span className={css.cellName}>
        <Name row={row} />
        <small>
          <Code>{row.code}</Code>
        </small>
      </span>
    ),
  },
  {
    key: 'waiting',
    label: ['Waiting requests', 'طلبات منتظرة'],
    sort: true,
    width: 150,
    cell: (row, show) =>
      row.waiting ? (
        <Status is="waits" label={formatNumber(row.waiting, undefined, show.lang)} />
      ) : (
        <span className={css.dim}>–</span>
      ),
  },
  { key: 'program', label: ['Program', 'البرنامج'], width: 190, cell: (row) => <Name row={row.program} /> },
  {
    key: 'level',
    label: ['Level', 'المستوى'],
    sort: true,
    width: 90,
    align: 'end',
    cell: (row) => <Code>{formatNumber(row.level)}</Code>,
  },
  {
    key: 'gpa',
    label: ['GPA', 'المعدل التراكمي'],
    sort: true,
    width: 100,
    align: 'end',
    cell: (row) => <Code>{formatNumber(row.gpa, 2) || '–'}</Code>,
  },
  {
    key: 'passed_hours',
    label: ['Passed hours', 'الساعات المجتازة'],
    sort: true,
    width: 120,
    align: 'end',
    cell: (row) => <Code>{formatNumber(row.passed_hours)}</Code>,
  },
  {
    key: 'hours',
    label: ['Hours this term', 'ساعات الفصل'],
    width: 120,
    align: 'end',
    cell: (row) => number(row.hours),
  },
  {
    key: 'warnings',
    label: ['Warnings', 'الإنذارات'],
    sort: true,
    width: 100,
    align: 'end',
    cell: (row) =>
      row.warnings ? (
        <Code className={css.warn}>{formatNumber(row.warnings)}</Code>
      ) : (
        <span className={css.dim}>–</span>
      ),
  },
  {
    key: 'holds',
    label: ['Holds', 'موانع'],
    width: 90,
    align: 'end',
    cell: (row) =>
      row.holds ? <Code className={css.warn}>{formatNumber(row.holds)}</Code> : <span className={css.dim}>–</span>,
  },
  ...(withAdvisor
    ? [
        {
          key: 'advisor',
          label: ['Academic advisor', 'المرشد الأكاديمي'] as const,
          width: 190,
          cell: (row: Advisee) => <Name row={row.advisor} />,
        },
      ]
    : []),
]

/** Filters of students as advising sees them. */
export const adviseeFilters = {
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  program_id: f.lookup(['Program', 'البرنامج'], 'program'),
  level: f.choice(
    ['Level', 'المستوى'],
    [0, 1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, label: [String(value), String(value)] as const })),
  ),
  advisor_id: f.lookup(['Academic advisor', 'المرشد الأكاديمي'], 'instructor'),
  without_advisor: f.flag(['Without advisor', 'بلا مرشد']),
  waiting: f.flag(['With waiting requests', 'لهم طلبات منتظرة']),
  warned: f.flag(['With warnings', 'عليهم إنذارات']),
}

const view = (key: string, label: readonly [string, string], value: object) => ({
  key,
  label,
  query: `filters=${encodeURIComponent(JSON.stringify(value))}`,
})
export const ADVISEE_VIEWS = [
  view('waiting', ['Waiting requests', 'طلبات منتظرة'], { waiting: true }),
  view('warned', ['With warnings', 'عليهم إنذارات'], { warned: true }),
]
export const WITHOUT_VIEW = view('without', ['Without advisor', 'بلا مرشد'], { without_advisor: true })
