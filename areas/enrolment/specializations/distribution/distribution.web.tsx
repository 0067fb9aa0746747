import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { download, useCall } from '#kit/web/api/index.ts'
import { may, useMe } from '#kit/web/auth/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name, Status, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatDate, formatInstant, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { screenAt, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import { WINDOW_STATES, specializationFlow, specializationSteps } from '../windows/window.contract.ts'
import { distributionCalls, type Distribution, type DistributionResult } from './distribution.contract.ts'
import { Ladder } from './ladder.web.tsx'
import css from '../specializations.module.css'

/** A window: before it is distributed seats against wishes, afterwards cut-offs, who moved, and the ladder of one student. */
export default function DistributionScreen() {
  const t = useT('specializations')
  const say = useLabel()
  const lang = useLanguage()
  const me = useMe()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(distributionCalls.distribution, { params: { id } })
  const shown = data?.data
  const steps = useSteps(specializationFlow, specializationSteps, {
    name: (row: Distribution) => nameOf(row.bylaw, lang),
    refreshes: ['/specialization-time', '/specialization', '/students'],
  })
  if (error && !shown) {
    return (
      <Page title={t('distribution')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  const state = WINDOW_STATES.find((windowState) => windowState.value === shown?.state)
  const actions = shown ? steps.actions(shown) : []
  const next = shown ? steps.next(shown) : null
  const main =
    actions.find((one) => one.key === 'confirm' && !one.disabled) ??
    next ??
    actions.find((one) => !one.disabled) ??
    null
  const edit = screenAt('/specializations_time/edit/:id')
  const generals = new Map(shown?.seats.map((seat) => [seat.general.id, seat.general]))
  const exports = [...generals.values()].map((general) => ({
    key: `export ${general.id}`,
    label: t('export_of', { program: nameOf(general, lang) }),
    icon: <IconDownload size={15} aria-hidden />,
    onSelect: () =>
      void withOverlay(
        download(distributionCalls.export, {
          params: { bylawId: shown!.bylaw.id, programId: general.id },
          query: { start_date: shown!.start_date, end_date: shown!.end_date },
          body: {},
        }),
      ).catch(notify.error),
  }))
  const rest = [
    ...(me.can('export_specializationTime') && shown?.with_wishes ? exports : []),
    ...actions.filter((one) => one.key !== main?.key),
    ...(edit && may(edit.permission) && shown?.state !== 'confirmed'
      ? [{ key: 'edit', label: t('edit_window'), href: to('/specializations_time/edit/:id', { id }) }]
      : []),
  ]
  return (
    <Page
      title={shown ? t('distribution_of', { bylaw: nameOf(shown.bylaw, lang) }) : t('distribution')}
      subtitle={
        shown ? (
          <Dotted>
            <span>
              {t('from_to', {
                from: formatDate(shown.start_date, 'long', lang),
                to: formatDate(shown.end_date, 'long', lang),
              })}
            </span>
            {state && <Status tone={state.tone} label={say(state.label)} />}
          </Dotted>
        ) : (
          '\u00A0'
        )
      }
      facts={[
        { label: t('seats'), value: <Code>{shown ? formatNumber(shown.capacity) : '–'}</Code> },
        { label: t('taking_part'), value: <Code>{shown ? formatNumber(shown.taking_part) : '–'}</Code> },
        { label: t('with_wishes'), value: <Code>{shown ? formatNumber(shown.with_wishes) : '–'}</Code> },
        ...(shown?.run ? [{ label: t('placed'), value: <Code>{formatNumber(shown.run.placed)}</Code> }] : []),
      ]}
      action={main && <MainButton action={main} />}
      menu={rest.length ? <MenuItems actions={rest} /> : undefined}
    >
      {steps.underway}
      {!shown ? (
        <Bone height={420} />
      ) : (
        <ScreenTabs
          tabs={[
            { key: 'seats', label: t('tab_seats'), content: () => <Seats of={shown} /> },
            ...(shown.run
              ? [
                  { key: 'students', label: t('tab_students'), content: () => <Students of={shown} /> },
                  { key: 'ladder', label: t('tab_ladder'), content: () => <One of={shown} /> },
                ]
              : []),
            {
              key: 'steps',
              label: t('tab_steps'),
              content: () => <StepHistory flow={specializationFlow} calls={specializationSteps} id={id} />,
            },
          ]}
        />
      )}
    </Page>
  )
}

function Seats({ of }: { of: Distribution }) {
  const t = useT('specializations')
  const lang = useLanguage()
  if (!of.seats.length) return <Empty title={t('no_seats')} text={t('no_seats_text')} />
  const run = of.run
  return (
    <Stack>
      {run && (
        <p className={css.dim}>
          {t('run_line', { number: formatNumber(run.number), at: formatInstant(run.made_at, lang) })}
          {run.made_by && (
            <>
              {' · '}
              <bdi>{nameOf(run.made_by, lang)}</bdi>
            </>
          )}
          {of.moved !== null && ` · ${t('moved_line', { count: of.moved })}`}
        </p>
      )}
      <Chart
        kind="bar"
        title={t(run ? 'chart_given' : 'chart_wishes')}
        text={of.state === 'confirmed' ? undefined : t(run ? 'chart_given_text' : 'chart_wishes_text')}
        pointLabel={['Specialisation', 'تخصص']}
        data={of.seats.map((seat) => ({
          name: nameOf(seat.specialization, lang),
          capacity: seat.capacity,
          first: seat.first,
          wanted: seat.wanted,
          given: seat.given,
        }))}
        series={[
          { key: 'capacity', label: ['Places', 'الأماكن'] },
          { key: 'first', label: ['First wishes', 'رغبة أولى'] },
          ...(run
            ? [{ key: 'given', label: ['Students placed', 'من خُصص لهم'] as const }]
            : [{ key: 'wanted', label: ['All wishes', 'كل الرغبات'] as const }]),
        ]}
      />
      <Card title={t('conditions_title')}>
        <Table
          label={t('conditions_title')}
          className={css.table}
          rows={of.seats}
          rowKey={(seat) => seat.specialization.id}
          columns={[
            { key: 'program', label: t('program'), cell: (seat) => <Name row={seat.specialization} /> },
            {
              key: 'conditions',
              label: t('conditions'),
              cell: (seat) => (
                <span className={css.dim}>
                  <Conditions of={seat} />
                </span>
              ),
            },
            {
              key: 'seats',
              label: t('seats'),
              figure: true,
              cell: (seat) => <Code>{formatNumber(seat.capacity)}</Code>,
            },
            {
              key: 'first',
              label: t('first_wishes'),
              figure: true,
              cell: (seat) => <Code>{formatNumber(seat.first)}</Code>,
            },
            run && {
              key: 'given',
              label: t('given'),
              figure: true,
              cell: (seat) => (
                <>
                  <Code>{formatNumber(seat.given)}</Code>
                  <Before now={seat.given} before={seat.given_before} />
                </>
              ),
            },
            run && {
              key: 'cut_off',
              label: t('cut_off'),
              figure: true,
              cell: (seat) => (
                <>
                  {seat.cut_off ? <Code>{seat.cut_off.gpa ?? '–'}</Code> : t('places_left')}
                  <Before now={seat.cut_off?.gpa ?? null} before={seat.cut_off_before?.gpa ?? null} />
                </>
              ),
            },
          ]}
        />
      </Card>
    </Stack>
  )
}

/** What it was in the distribution before, where that differs. */
function Before({ now, before }: { now: number | string | null; before: number | string | null }) {
  const t = useT('specializations')
  if (before === null || before === now) return null
  return <div className={css.dim}>{t('before', { value: String(before) })}</div>
}

/** What a program asks for, in a line. */
export function Conditions({
  of,
}: {
  of: Pick<Distribution['seats'][number], 'min_gpa' | 'min_passed_hours' | 'courses'>
}) {
  const t = useT('specializations')
  const all = [
    ...(of.min_gpa ? [t('asks_gpa', { gpa: of.min_gpa })] : []),
    ...(of.min_passed_hours ? [t('asks_hours', { hours: of.min_passed_hours })] : []),
    ...of.courses.map(({ course, min_letter }) =>
      min_letter ? t('asks_course_grade', { course, letter: min_letter }) : t('asks_course', { course }),
    ),
  ]
  return <>{all.length ? all.join(' · ') : t('asks_nothing')}</>
}

type Row = DistributionResult & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'rank',
    label: ['Rank', 'الترتيب'],
    sort: true,
    align: 'end',
    width: 80,
    cell: (row) => <Code>{formatNumber(row.rank)}</Code>,
  },
  {
    key: 'code',
    label: ['Student', 'الطالب'],
    sort: true,
    width: 250,
    cell: (row) => (
      <span className={css.words}>
        <Name row={row} />
        <small className={css.dim}>
          <Code>{row.code}</Code>
        </small>
      </span>
    ),
  },
  {
    key: 'gpa',
    label: ['GPA', 'المعدل التراكمي'],
    align: 'end',
    width: 90,
    cell: (row) => <Code>{row.gpa ?? '–'}</Code>,
  },
  {
    key: 'passed_hours',
    label: ['Passed hours', 'الساعات المجتازة'],
    align: 'end',
    width: 110,
    cell: (row) => <Code>{row.passed_hours}</Code>,
  },
  {
    key: 'given',
    label: ['Program given', 'البرنامج المخصص'],
    width: 220,
    cell: (row) => (row.given ? <Name row={row.given} /> : '–'),
  },
  {
    key: 'preference',
    label: ['Which wish', 'ترتيب الرغبة'],
    sort: true,
    align: 'end',
    width: 110,
    cell: (row) => (
      <Code>{row.preference === null ? '–' : `${formatNumber(row.preference)} / ${formatNumber(row.wishes)}`}</Code>
    ),
  },
  {
    key: 'before',
    label: ['Before', 'في التوزيع السابق'],
    width: 200,
    cell: (row) => (row.moved ? row.before ? <Name row={row.before} /> : '–' : ''),
  },
]

function Students({ of }: { of: Distribution }) {
  const t = useT('specializations')
  return (
    <ListScreen<Row>
      page={false}
      call={distributionCalls.results}
      params={{ id: of.id }}
      name="specialization-results"
      title={['Students of the distribution', 'طلاب التوزيع']}
      columns={COLUMNS}
      order={['rank', 'asc']}
      filters={{
        specialization_id: f.lookup(['Program given', 'البرنامج المخصص'], 'specialization'),
        placed: f.flag(['Given a program', 'خُصص لهم برنامج']),
        moved: f.flag(['Moved since the distribution before', 'تغير عن التوزيع السابق']),
      }}
      rowHref={(row) => to('/students/specializations/:student_id', { student_id: row.id })}
      empty={{ title: t('students_empty') }}
    />
  )
}

function One({ of }: { of: Distribution }) {
  const t = useT('specializations')
  const lang = useLanguage()
  const [student, setStudent] = useState<number | null>(null)
  const { data, error } = useCall(
    distributionCalls.ladder,
    { params: { id: of.id, studentId: student ?? 0 } },
    { enabled: student !== null, retry: false },
  )
  return (
    <Card title={t('tab_ladder')} text={t('ladder_text')}>
      <LookupInput resource="student" label={t('student')} defaultValue={null} onChange={setStudent} />
      {student !== null && error && <p className={css.note}>{t('not_in_run')}</p>}
      {data && student !== null && !error && (
        <>
          <h3>
            <bdi>{nameOf(data.data.student, lang)}</bdi>
          </h3>
          <Ladder ladder={data.data} />
        </>
      )}
    </Card>
  )
}
