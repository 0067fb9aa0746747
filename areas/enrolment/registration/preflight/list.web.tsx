import { f } from '#kit/contract/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { Card, Cards } from '#kit/web/shell/card.tsx'
import { preflightCalls, type PreflightRow, type PreflightTotals } from './preflight.contract.ts'
import { NOTE_LABELS, preflightLabel } from './words.contract.ts'
import { RULE_LABELS } from '#areas/common/academics/registration-words.contract.ts'
import css from './preflight.module.css'

type Row = PreflightRow & AnyRow

const BLOCKS = [
  'stage_closed',
  'hold_payment',
  'hold_survey',
  'hold_blocked',
  'hold_documents',
  'not_studying',
] as const
const filters = {
  code: f.choice(
    ['What stands against it', 'ما يمنع التسجيل'],
    [
      ...BLOCKS.map((value) => ({ value: value as string, label: RULE_LABELS[value] })),
      ...Object.entries(NOTE_LABELS).map(([value, label]) => ({ value, label })),
    ],
  ),
  blocked: f.flag(['Blocked', 'ممنوعون من التسجيل']),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  program_id: f.lookup(['Program', 'البرنامج'], 'program'),
  level: f.choice(
    ['Level', 'المستوى'],
    [0, 1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, label: [String(value), String(value)] as const })),
  ),
  advisor_id: f.lookup(['Academic advisor', 'المرشد الأكاديمي'], 'instructor'),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    label: ['Student', 'الطالب'],
    sort: 'code',
    width: 250,
    cell: (row) => (
      <span>
        <Name row={row} /> <Code className={css.dim}>{row.code}</Code>
      </span>
    ),
  },
  {
    key: 'codes',
    label: ['What stands against it', 'ما يمنع التسجيل'],
    sort: 'blocked',
    width: 330,
    cell: (row) => <Codes row={row} />,
  },
  {
    key: 'since',
    label: ['Since', 'منذ'],
    width: 120,
    cell: (row) => (row.since ? formatDate(dayOf(row.since)) : <span className={css.dim}>–</span>),
  },
  { key: 'program', label: ['Program', 'البرنامج'], width: 190, cell: (row) => <Name row={row.program} /> },
  {
    key: 'level',
    label: ['Level', 'المستوى'],
    sort: true,
    width: 80,
    align: 'end',
    cell: (row) => <Code>{formatNumber(row.level)}</Code>,
  },
  {
    key: 'advisor',
    label: ['Academic advisor', 'المرشد الأكاديمي'],
    width: 180,
    cell: (row) => <Name row={row.advisor} />,
  },
]

/** So many stand in a row, the others as a number. */
const SHOWN = 2

function Codes({ row }: { row: Row }) {
  const say = useLabel()
  const t = useT('registration')
  const hidden = row.codes.slice(SHOWN)
  if (!row.codes.length) return <Status is="ready" label={t('preflight_nothing')} />
  return (
    <span className={css.codes}>
      {row.codes.slice(0, SHOWN).map((code) => (
        <Status
          key={code}
          is={code.startsWith('preflight_') && code !== 'preflight_full' ? 'limited' : 'blocked'}
          label={say(preflightLabel(code))}
        />
      ))}
      {hidden.length > 0 && (
        <span className={css.more} title={hidden.map((code) => say(preflightLabel(code))).join(', ')}>
          +{formatNumber(hidden.length)}
        </span>
      )}
    </span>
  )
}

const withFilters = (value: object) => `filters=${encodeURIComponent(JSON.stringify(value))}`
const VIEWS = [
  { key: 'blocked', label: ['Blocked', 'ممنوعون من التسجيل'] as const, query: withFilters({ blocked: true }) },
  {
    key: 'no_advisor',
    label: ['No academic advisor', 'بلا مرشد أكاديمي'] as const,
    query: withFilters({ code: ['preflight_no_advisor'] }),
  },
]

/** Who of the students somebody reaches will be refused when the window opens, and by what. */
export default function PreflightList() {
  const t = useT('registration')
  return (
    <ListScreen<Row>
      call={preflightCalls.list}
      title={['Before registration', 'قبل التسجيل']}
      columns={COLUMNS}
      filters={filters}
      order={['blocked', 'desc']}
      perPage={50}
      name="registration-preflight"
      rowHref={(row) => to('/registration_preflight/:id', { id: row.id })}
      exports={{ xlsx: preflightCalls.export }}
      views={VIEWS}
      above={(details) => <Totals totals={details as PreflightTotals | undefined} />}
      empty={{ title: t('no_students'), text: t('no_students_text') }}
    />
  )
}

/** How many are blocked, and by what; a bar leads to those. */
function Totals({ totals }: { totals: PreflightTotals | undefined }) {
  const t = useT('registration')
  const say = useLabel()
  const lang = useLanguage()
  const by = totals?.by.map(({ code, count }) => ({ name: say(preflightLabel(code)), count, code }))
  return (
    <Cards>
      <Card>
        <Facts
          items={[
            { label: t('term'), value: totals?.term ? nameOf(totals.term, lang) : '–' },
            { label: t('students'), value: <Code>{totals ? formatNumber(totals.students) : '–'}</Code> },
            {
              label: t('preflight_blocked_word'),
              value: (
                <Code>
                  {totals
                    ? `${formatNumber(totals.blocked)} (${formatPercent(totals.students ? totals.blocked / totals.students : 0)})`
                    : '–'}
                </Code>
              ),
            },
          ]}
        />
      </Card>
      <Chart
        kind="bar"
        horizontal
        height={Math.max(180, 60 + (by?.length ?? 0) * 30)}
        title={t('preflight_by')}
        data={by}
        series={[{ key: 'count', label: ['Students', 'الطلاب'] }]}
        pointLabel={['What stands against it', 'ما يمنع التسجيل']}
        href={(point) => `${to('/registration_preflight')}?${withFilters({ code: [String(point.code)] })}`}
      />
    </Cards>
  )
}
