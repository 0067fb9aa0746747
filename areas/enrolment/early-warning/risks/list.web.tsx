import { f } from '#kit/contract/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatNumber, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { earlyWarningArea } from '../early-warning.contract.ts'
import { RISK_KINDS } from '../rules/risk.rules.ts'
import { KIND_LABELS } from '../rules/risk-rule.contract.ts'
import { CONTACT_OUTCOMES, RISK_LEVELS, riskCalls, type RiskDetails, type RiskRow } from './risk.contract.ts'
import { Likely, Points, RiskLevel } from './parts.web.tsx'
import css from '../early-warning.module.css'

type Row = RiskRow & AnyRow

const filters = {
  risk: f.choice(['Attention', 'درجة الاهتمام'], RISK_LEVELS),
  code: f.choice(
    ['Why', 'الأسباب'],
    RISK_KINDS.map((kind) => ({ value: `risk_${kind}`, label: KIND_LABELS[kind] })),
  ),
  contacted: f.flag(['Spoken with since', 'تم التواصل منذ ظهورها']),
  outcome: f.choice(['What came of it', 'النتيجة'], CONTACT_OUTCOMES),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  program_id: f.lookup(['Program', 'البرنامج'], 'program'),
  level: f.choice(
    ['Level', 'المستوى'],
    [0, 1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, label: [String(value), String(value)] as const })),
  ),
  advisor_id: f.lookup(['Academic advisor', 'المرشد الأكاديمي'], 'instructor'),
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    label: ['Student', 'الطالب'],
    sort: 'code',
    width: 230,
    cell: (row) => (
      <span>
        <Name row={row} /> <Code className={css.dim}>{row.code}</Code>
      </span>
    ),
  },
  {
    key: 'risk',
    label: ['Attention', 'درجة الاهتمام'],
    sort: 'points',
    width: 150,
    least: 150,
    cell: (row) => <RiskLevel level={row.risk} />,
  },
  { key: 'why', label: ['Why', 'الأسباب'], width: 430, least: 380, cell: (row) => <Why row={row} /> },
  {
    key: 'points',
    label: ['Points', 'النقاط'],
    sort: true,
    width: 80,
    align: 'end',
    cell: (row) => <Points points={row.points} />,
  },
  {
    key: 'probability',
    label: ['Model', 'النموذج'],
    sort: true,
    width: 90,
    align: 'end',
    cell: (row) => <Likely probability={row.probability} />,
  },
  {
    key: 'contact',
    label: ['Last contact', 'آخر تواصل'],
    sort: true,
    width: 260,
    least: 250,
    cell: (row) => <LastContact row={row} />,
  },
  {
    key: 'since',
    label: ['Since', 'منذ'],
    sort: true,
    width: 110,
    priority: 20,
    cell: (row) => formatDate(dayOf(row.since)),
  },
  {
    key: 'program',
    label: ['Program', 'البرنامج'],
    width: 180,
    priority: 30,
    cell: (row) => <Name row={row.program} />,
  },
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
    width: 170,
    cell: (row) => <Name row={row.advisor} />,
  },
]

/** All reasons in one line; whoever points there reads them whole. */
function Why({ row }: { readonly row: Row }) {
  const text = row.reasons.map((one) => problemText(one)).join(' ')
  return (
    <span className={css.clip} title={text} dir="auto">
      {text}
    </span>
  )
}

function LastContact({ row }: { readonly row: Row }) {
  const say = useLabel()
  const outcome = CONTACT_OUTCOMES.find((one) => one.value === row.contact?.outcome)
  if (!row.contact || !outcome) return <span className={css.dim}>–</span>
  return (
    <span className={css.last}>
      <Status tone={outcome.tone} label={say(outcome.label)} />
      <span className={css.dim}>{formatDate(row.contact.on_date)}</span>
    </span>
  )
}

const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`
const VIEWS = [
  { key: 'first', label: ['Help first', 'أولوية للمساعدة'] as const, query: view({ risk: ['high'] }) },
  { key: 'unspoken', label: ['Nobody spoke with', 'لم يتواصل معهم أحد'] as const, query: view({ contacted: false }) },
  { key: 'open', label: ['To follow up', 'للمتابعة'] as const, query: view({ outcome: ['open'] }) },
]

/** Whose term stands out, within reach; who needs somebody most comes first. */
export default function EarlyWarningList() {
  const t = useT('early-warning')
  return (
    <ListScreen<Row>
      call={riskCalls.list}
      title={earlyWarningArea.label}
      columns={COLUMNS}
      filters={filters}
      order={['points', 'desc']}
      perPage={50}
      name="early-warning"
      rowHref={(row) => to('/early-warning/:id', { id: row.id })}
      exports={{ xlsx: riskCalls.export }}
      views={VIEWS}
      above={(details) => <Totals details={details as RiskDetails | undefined} />}
      empty={{ title: t('nobody'), text: t('nobody_text') }}
    />
  )
}

function Totals({ details }: { readonly details: RiskDetails | undefined }) {
  const t = useT('early-warning')
  const say = useLabel()
  if (details && !details.on)
    return (
      <Card>
        <Empty title={t('off')} text={t('off_text')} />
      </Card>
    )
  const figure = (value: number | undefined) => <Code>{value === undefined ? '–' : formatNumber(value)}</Code>
  return (
    <Card text={t('list_text')}>
      <Facts
        short
        items={[
          { label: say(RISK_LEVELS[0].label), value: figure(details?.high) },
          { label: say(RISK_LEVELS[1].label), value: figure(details?.watch) },
          { label: t('without_contact'), value: figure(details?.without_contact) },
          { label: t('counted_at'), value: details?.counted_at ? formatInstant(details.counted_at) : '–' },
        ]}
      />
    </Card>
  )
}
