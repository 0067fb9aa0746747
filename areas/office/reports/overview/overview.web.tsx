import { SegmentedControl } from '@mantine/core'
import { IconChevronRight, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import { STUDENT_STATUSES } from '#areas/records/students/student/student.contract.ts'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import type { Label, Language } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Code, Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import {
  formatAgo,
  formatDate,
  formatInstant,
  formatList,
  formatMoney,
  formatMoneyShort,
  formatNumber,
  formatPercent,
  nameOf,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Link, useSearchParams } from '#kit/web/router/index.ts'
import { Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { overviewCalls } from './overview.contract.ts'
import type { Activities, Counts, Faculties, Payments } from './overview.contract.ts'
import { REGISTERED_STATES, REQUEST_STATES, daysLeft, joinWindows, progressOf, weekOf } from './overview.rules.ts'
import { useLists } from './lists.web.ts'
import css from './overview.module.css'

/** The reader's time zone: where days begin. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Holds the place of a line that comes with the figures. */
const BLANK = '\u00a0'

type T = ReturnType<typeof useT<'reports'>>
/** How often figures are asked again while the screen is open, milliseconds. */
const AGAIN = 120_000
const FRESH = { staleTime: 30_000, refetchInterval: AGAIN, placeholderData: keepPreviousData } as const

/** What the university looks like this morning: for registrar, dean, president and head of control, each within reach. */
export default function Overview() {
  const t = useT('reports')
  const lang = useLanguage()
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('term')) || null
  const input = { query: asked ? { term_id: String(asked) } : {} }
  const counts = useCall(overviewCalls.counts, input as never, FRESH)
  const faculty = useCall(overviewCalls.faculty, input as never, FRESH)
  const activities = useCall(overviewCalls.activities, { query: { ...input.query, zone: ZONE } } as never, FRESH)
  const payment = useCall(overviewCalls.payment, input as never, FRESH)
  const data = counts.data?.data
  const term = data?.term
  // As late as the figures: a screen left open over night does not say yesterday.
  const [opened] = useState(() => Date.now())
  const now = Math.max(opened, counts.dataUpdatedAt)
  const choose = (id: number | null) => {
    const next = new URLSearchParams(query)
    if (id === null) next.delete('term')
    else next.set('term', String(id))
    setQuery(next, { replace: true })
  }
  if (counts.error && !data)
    return (
      <Page title={t('overview')}>
        <Failed error={counts.error} retry={() => void counts.refetch()} />
      </Page>
    )
  const week = term && weekOf(term, now)
  return (
    <Page
      title={t('overview')}
      subtitle={
        <span className={css.subtitle}>
          <span>{formatDate(new Date(now).toISOString(), 'weekday', lang)}</span>
          {term && (
            <span>
              <Name row={term} />
              {week && ` · ${t('week_of', { week: formatNumber(week.week), weeks: formatNumber(week.weeks) })}`}
            </span>
          )}
          {data && !term && <span className={css.warn}>{t('no_term')}</span>}
        </span>
      }
      action={<TermPicker size="sm" current value={asked} onChange={choose} />}
    >
      <Stack busy={counts.isPlaceholderData}>
        <Figures t={t} data={data} />
        <Cards even least={400}>
          <Windows t={t} lang={lang} data={data} now={now} />
          <Waits t={t} data={data} />
        </Cards>
        <Cards even least={400}>
          <Control t={t} lang={lang} data={faculty.data?.data} term={data?.control_term ?? null} />
          <Days t={t} lang={lang} data={activities.data?.data} />
        </Cards>
        <Cards even least={400}>
          <Results t={t} lang={lang} data={faculty.data?.data} />
          <Parts t={t} lang={lang} data={faculty.data?.data} term={term?.id ?? null} />
        </Cards>
        <Money t={t} lang={lang} data={payment.data?.data} />
        {[faculty, activities, payment].map(
          (one, i) => one.error && !one.data && <Failed key={i} error={one.error} retry={() => void one.refetch()} />,
        )}
      </Stack>
    </Page>
  )
}

/** A figure that leads to its list, where the reader has it. */
function To({
  href,
  className,
  children,
}: {
  href: string | null
  className?: string | undefined
  children: ReactNode
}) {
  return href ? (
    <Link className={className ? `${css.to} ${className}` : css.to} to={href}>
      {children}
    </Link>
  ) : (
    <span className={className}>{children}</span>
  )
}

// --- Figures --------------------------------------------------------------------------------------------------------

function Tile({
  label,
  value,
  href,
  children,
}: {
  label: string
  value: ReactNode
  href?: string | null
  children?: ReactNode
}) {
  return (
    <div className={css.tile}>
      <div className={css.tileLabel}>{label}</div>
      <div className={css.tileValue}>
        {value === undefined ? <span className={css.boneText} /> : <To href={href ?? null}>{value}</To>}
      </div>
      <div className={css.tileText}>{value === undefined ? <span className={css.boneLine} /> : children}</div>
    </div>
  )
}
const figure = (value: number | undefined) => (value === undefined ? undefined : <Code>{formatNumber(value)}</Code>)

function Figures({ t, data }: { t: T; data: Counts | undefined }) {
  const say = useLabel()
  const { can } = useMe()
  const list = useLists()
  const { students, registrations, offerings } = data ?? {}
  const term_id = data?.term?.id
  const others = STUDENT_STATUSES.filter((s) => s.value !== 'studying' && students?.statuses[s.value])
  const share = (part: number, whole: number) => (whole ? formatPercent(part / whole) : '–')
  return (
    <section className={css.figures} aria-label={t('figures')}>
      {can('access_students') && (
        <Tile
          label={t('studying')}
          value={figure(students?.statuses.studying)}
          href={list('/students', { status: ['studying'] })}
        >
          {others.map((s) => (
            <To key={s.value} href={list('/students', { status: [s.value] })} className={css.small}>
              {say(s.label)} <Code>{formatNumber(students?.statuses[s.value])}</Code>
            </To>
          ))}
        </Tile>
      )}
      {can('access_students') && (
        <Tile
          label={t('warned')}
          value={figure(students?.warned)}
          href={list('/students', { status: ['studying'], warnings: { from: 1 } })}
        >
          {students && t('of_students', { share: share(students.warned, students.statuses.studying) })}
        </Tile>
      )}
      {can('access_registration') && (
        <Tile
          label={t('registered_students')}
          value={figure(registrations?.students)}
          href={list('/registrations', { term_id: [term_id], state: REGISTERED_STATES })}
        >
          {registrations && students
            ? t('of_students', { share: share(registrations.students, students.statuses.studying) })
            : null}
        </Tile>
      )}
      {can('access_registration') && (
        <Tile
          label={t('registrations')}
          value={figure(registrations?.total)}
          href={list('/registrations', { term_id: [term_id], state: REGISTERED_STATES })}
        >
          {registrations &&
            t('per_student', {
              count: registrations.students ? formatNumber(registrations.total / registrations.students, 1) : '–',
            })}
        </Tile>
      )}
      {can('access_offering') && (
        <Tile label={t('offerings')} value={figure(offerings?.total)} href={list('/offerings', { term_id })}>
          {offerings && (
            <To href={list('/offerings', { term_id, is_open: true })} className={css.small}>
              {t('open_offerings', { count: offerings.open })}
            </To>
          )}
        </Tile>
      )}
      {can('access_offering') && (
        <Tile
          label={t('seats_taken')}
          value={
            offerings && (
              <Code>
                {formatNumber(offerings.taken)}
                <small> / {formatNumber(offerings.seats)}</small>
              </Code>
            )
          }
          href={list('/offerings', { term_id, seats: ['free'] })}
        >
          {offerings && (
            <span className={css.meter} role="img" aria-label={share(offerings.taken, offerings.seats)}>
              <span style={{ inlineSize: `${offerings.seats ? (offerings.taken / offerings.seats) * 100 : 0}%` }} />
            </span>
          )}
        </Tile>
      )}
    </section>
  )
}

// --- Windows --------------------------------------------------------------------------------------------------------

const SHOWN = 6

const Bones = ({ rows }: { rows: number }) => (
  <ul className={css.rows} aria-hidden>
    {Array.from({ length: rows }, (_, i) => (
      <li key={i} className={css.row}>
        <span className={css.boneLine} />
      </li>
    ))}
  </ul>
)

/** What is open now and for how long, what opens within two weeks. */
function Windows({ t, lang, data, now }: { t: T; lang: Language; data: Counts | undefined; now: number }) {
  const list = useLists()
  const windows = data && joinWindows(data.windows)
  const all = list('/management/stages', { term_id: [data?.term?.id] })
  return (
    <Card
      title={t('windows')}
      aside={
        all && (
          <Link className={css.more} to={all}>
            {t('all_windows')}
          </Link>
        )
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- who has no mouse scrolls it by the arrow keys */}
      <section className={css.tall} tabIndex={0} aria-label={t('windows')}>
        {!windows ? (
          <Bones rows={SHOWN} />
        ) : windows.length ? (
          <ul className={css.rows}>
            {windows.map((w) => {
              const open = Date.parse(w.starts_at) <= now
              const days = daysLeft(open ? w.ends_at : w.starts_at, now)
              const whom = w.groups.length
                ? formatList(
                    w.groups.map((g) => nameOf(g, lang)),
                    lang,
                  )
                : t('all_students')
              return (
                <li key={w.ids[0]}>
                  <To
                    href={list('/management/stages', { term_id: [w.term.id], stage_code_id: [w.stage_code.id] })}
                    className={css.row}
                  >
                    <span className={css.window}>
                      <b>
                        <Name row={w.stage_code} />
                      </b>
                      <small>
                        {w.term.id !== data.term?.id && (
                          <>
                            <Name row={w.term} />
                            {' · '}
                          </>
                        )}
                        <bdi>{whom}</bdi>
                      </small>
                    </span>
                    <span
                      className={css.until}
                      title={`${formatInstant(w.starts_at, lang)} – ${formatInstant(w.ends_at, lang)}`}
                    >
                      <span data-soon={(open && days <= 3) || undefined} data-later={!open || undefined}>
                        {t(open ? (days ? 'closes_in' : 'closes_today') : days ? 'opens_in' : 'opens_today', {
                          count: days,
                        })}
                      </span>
                      <span className={css.meter} data-later={!open || undefined} aria-hidden>
                        <span style={{ inlineSize: `${progressOf(w, now) * 100}%` }} />
                      </span>
                    </span>
                  </To>
                </li>
              )
            })}
          </ul>
        ) : (
          <Empty title={t('no_windows')} text={t('no_windows_text')} />
        )}
      </section>
    </Card>
  )
}

// --- What waits for somebody ----------------------------------------------------------------------------------------

interface Wait {
  readonly key: string
  readonly label: string
  readonly count: number | undefined
  readonly text?: ReactNode
  readonly href: string | null
}

function Waits({ t, data }: { t: T; data: Counts | undefined }) {
  const say = useLabel()
  const { can } = useMe()
  const list = useLists()
  const { students, registrations, offerings, control } = data ?? {}
  const term_id = data?.term?.id
  const control_id = data?.control_term?.id
  const requests = registrations?.requests
  const steps = (['Submitted', 'Reviewed', 'Approved'] as const).map((status) => ({
    status,
    count: control?.[status] ?? 0,
    label: say(CONTROL_STATUSES.find((c) => c.value === status)!.label),
  }))
  const rows: Wait[] = [
    ...(can('access_registration')
      ? [
          {
            key: 'requests',
            label: t('requests_waiting'),
            count: requests?.total,
            text: requests?.oldest && t('oldest', { when: formatAgo(requests.oldest) }),
            href: list('/registrations', { term_id: [term_id], state: REQUEST_STATES }),
          },
        ]
      : []),
    ...(can('access_offering')
      ? [
          {
            key: 'wait_lists',
            label: t('wait_lists'),
            count: offerings?.waiting,
            text: offerings?.waited_for ? t('in_offerings', { count: offerings.waited_for }) : null,
            href: list('/offerings', { term_id, seats: ['waiting'] }),
          },
          {
            key: 'full',
            label: t('full'),
            count: offerings?.full,
            href: list('/offerings', { term_id, seats: ['full'] }),
          },
          {
            key: 'unplaced',
            label: t('unplaced'),
            count: offerings?.unplaced,
            href: list('/offerings', { term_id, seats: ['unplaced'] }),
          },
        ]
      : []),
    ...(can('access_control', 'access_offering')
      ? [
          {
            key: 'control',
            label: t('in_control'),
            count: control ? steps.reduce((sum, s) => sum + s.count, 0) : control === null ? 0 : undefined,
            text: formatList(steps.filter((s) => s.count).map((s) => `${s.label} ${formatNumber(s.count)}`)),
            href: list.control({ term_id: control_id, control_status: ['Submitted', 'Reviewed', 'Approved'] }),
          },
        ]
      : []),
    ...(can('access_students')
      ? [
          {
            key: 'advisors',
            label: t('without_advisor'),
            count: students?.without_advisor,
            href: list('/advised_students', { without_advisor: true }),
          },
        ]
      : []),
  ]
  return (
    <Card title={t('waits')}>
      <div className={css.tall}>
        <ul className={css.rows}>
          {rows.map((row) => (
            <li key={row.key}>
              <To href={row.count ? row.href : null} className={css.row}>
                <span className={css.window}>
                  <b data-none={row.count === 0 || undefined}>{row.label}</b>
                  <small>{row.count ? row.text : null}</small>
                </span>
                {row.count === undefined ? (
                  <span className={css.boneText} />
                ) : row.count === 0 ? (
                  <IconCircleCheck className={css.none} size={18} aria-label={t('nothing_waits')} />
                ) : (
                  <span className={css.number}>
                    <Code>{formatNumber(row.count)}</Code>
                    {row.href && <IconChevronRight className="pointing" size={16} aria-hidden />}
                  </span>
                )}
              </To>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

// --- Charts ---------------------------------------------------------------------------------------------------------

/** In the order of the road. */
const CONTROL_SERIES = CONTROL_STATUSES.map(({ value, label, tone }) => ({ key: value, label, tone }))
const FACULTY: Label = ['Faculty', 'الكلية']

/** How far the marks of the control term are, faculty by faculty. */
function Control({
  t,
  lang,
  data,
  term,
}: {
  t: T
  lang: Language
  data: Faculties | undefined
  term: Counts['control_term']
}) {
  const list = useLists()
  const rows = data?.faculties.filter((f) => f.control)
  const sums = (rows ?? []).reduce(
    (n, { control }) => ({
      all: n.all + Object.values(control!).reduce((a, b) => a + b, 0),
      done: n.done + control!.Published + control!.Frozen,
    }),
    { all: 0, done: 0 },
  )
  const points = rows?.map((f) => ({
    name: f.faculty ? nameOf(f.faculty, lang) : t('no_faculty'),
    id: f.faculty?.id ?? null,
    ...f.control!,
  }))
  return (
    <Chart
      kind="bar"
      stacked
      horizontal
      title={t('control')}
      text={
        term && rows
          ? t('control_text', { term: nameOf(term, lang), done: formatNumber(sums.done), all: formatNumber(sums.all) })
          : BLANK
      }
      data={points}
      series={CONTROL_SERIES}
      height={Math.max(220, (points?.length ?? 0) * 46 + 40)}
      pointLabel={FACULTY}
      href={(point, status) =>
        list.control({
          term_id: term?.id,
          control_status: [status],
          ...(typeof point.id === 'number' && { faculty_id: [point.id] }),
        })
      }
    />
  )
}

const MOVES = [
  { key: 'registered', label: ['New', 'جديدة'] },
  { key: 'accepted', label: ['Accepted', 'مقبولة'], tone: 'done' },
  { key: 'left', label: ['Left', 'حذف وانسحاب'], tone: 'refused' },
] as const
const STEPS = { key: 'control', label: ['Control steps', 'خطوات الكنترول'], tone: 'frozen' } as const

/** Registration day by day while it is open, and the rhythm of the year. */
function Days({ t, lang, data }: { t: T; lang: Language; data: Activities | undefined }) {
  const [by, setBy] = useState<'day' | 'month'>('day')
  const days = by === 'day'
  const short = (iso: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(lang === 'ar' ? 'ar-EG-u-nu-latn' : lang, { timeZone: 'UTC', ...options }).format(
      Date.parse(iso),
    )
  const rows = data && (days ? data.per_day : data.activities_per_month)
  const moved = (key: (typeof MOVES)[number]['key'] | 'control') =>
    key === 'registered' || rows?.some((row) => key in row && (row as unknown as Record<string, number>)[key])
  const { from, to } = data?.window ?? {}
  return (
    <Chart
      kind="bar"
      title={t(days ? 'per_day' : 'per_month')}
      text={
        days
          ? from && to
            ? t('per_day_text', { from: formatDate(from, 'short', lang), to: formatDate(to, 'short', lang) })
            : BLANK
          : t('per_month_text')
      }
      tools={
        <SegmentedControl
          size="xs"
          aria-label={t('steps_by')}
          value={by}
          onChange={(next) => setBy(next)}
          data={[
            { value: 'day', label: t('days') },
            { value: 'month', label: t('months') },
          ]}
        />
      }
      data={
        rows &&
        rows.map((row) => ({
          name:
            'day' in row
              ? short(row.day, { day: 'numeric', month: 'short' })
              : short(`${row.month}-01`, { month: 'short', year: '2-digit' }),
          registered: row.registered,
          accepted: row.accepted,
          left: row.left,
          control: 'control' in row ? row.control : 0,
        }))
      }
      series={[...MOVES, ...(days ? [] : [STEPS])].filter((one) => moved(one.key))}
      height={220}
      pointLabel={days ? ['Day', 'اليوم'] : ['Month', 'الشهر']}
    />
  )
}

/** GPAs of the last finished term. */
function Results({ t, lang, data }: { t: T; lang: Language; data: Faculties | undefined }) {
  const list = useLists()
  const results = data?.results
  return (
    <Chart
      kind="bar"
      title={t('gpas')}
      text={
        results
          ? t('gpas_text', {
              term: nameOf(results.term, lang),
              count: results.students,
              mean: results.mean ? formatNumber(results.mean, 2) : '–',
            })
          : data
            ? t('gpas_none')
            : BLANK
      }
      tools={
        results && results.warned > 0 ? (
          <To
            href={list('/control/students', { term_id: results.term.id, standing: ['warned', 'dismissed'] })}
            className={css.more}
          >
            {t('gpas_warned', { count: results.warned })}
          </To>
        ) : null
      }
      data={data && (results?.bands ?? []).map((b) => ({ name: `${b.from}–${b.to}`, count: b.students }))}
      series={[{ key: 'count', label: ['Students', 'الطلاب'] }]}
      height={220}
      pointLabel={['GPA', 'المعدل']}
    />
  )
}

// --- Payments -------------------------------------------------------------------------------------------------------

const PAID = [
  { key: 'paid', label: ['Paid', 'المدفوع'], tone: 'done' },
  { key: 'open', label: ['Still to pay', 'المتبقي'], tone: 'waiting' },
] as const

/** What faculties charged this year and what of it is paid; a chart for each currency that is used. */
function Money({ t, lang, data }: { t: T; lang: Language; data: Payments | undefined }) {
  const { can } = useMe()
  const list = useLists()
  if (!can('access_payment')) return null
  const parts = [
    { currency: 'EGP', rows: data?.payments_per_faculty },
    { currency: 'USD', rows: data?.payments_per_faculty_dollar },
  ].filter(({ currency, rows }) => (data ? rows?.length : currency === 'EGP'))
  if (data && !parts.length) return null
  return (
    <Cards even least={400}>
      {parts.map(({ currency, rows }) => (
        <Chart
          key={currency}
          kind="bar"
          stacked
          horizontal
          title={`${t('payments_parts')}, ${currency}`}
          text={data?.year ? t('payments_parts_text', { year: nameOf(data.year, lang) }) : BLANK}
          data={rows?.map((row) => ({
            name: row.faculty ? nameOf(row.faculty, lang) : t('no_faculty'),
            id: row.faculty?.id ?? null,
            paid: row.paid,
            open: row.open,
          }))}
          series={PAID}
          format={(minor) => formatMoney(minor, currency, lang)}
          short={(minor) => formatMoneyShort(minor, currency, lang)}
          height={Math.max(220, (rows?.length ?? 0) * 46 + 40)}
          pointLabel={FACULTY}
          href={(point, what) =>
            typeof point.id === 'number' && data?.year
              ? list('/payments', {
                  currency: [currency],
                  year_id: [data.year.id],
                  faculty_id: [point.id],
                  ...(what === 'open' && { state: ['unpaid', 'partially_paid'] }),
                })
              : null
          }
        />
      ))}
    </Cards>
  )
}

// --- Faculties and programs -----------------------------------------------------------------------------------------

/** A faculty, which leads, or one of its programs. */
type Line = Pick<Faculties['faculties'][number], 'studying' | 'registered' | 'requests'> & {
  readonly of: NonNullable<Faculties['faculties'][number]['faculty']>
  readonly leads: boolean
  readonly where: Readonly<Record<string, unknown>>
}

/** Students of every faculty and program, and how many of them have registered. */
function Parts({ t, lang, data, term }: { t: T; lang: Language; data: Faculties | undefined; term: number | null }) {
  const { can } = useMe()
  const list = useLists()
  const rows = data?.faculties.filter((f) => f.faculty && (f.studying || f.registered || f.programs.length))
  const [seesStudents, seesRegistrations] = [can('access_students'), can('access_registration')]
  const most = Math.max(1, ...(rows ?? []).flatMap((f) => f.programs.map((p) => p.studying ?? p.registered ?? 0)))
  const count = (value: number | null, href: string | null) =>
    value ? (
      <To href={href}>
        <Code>{formatNumber(value)}</Code>
      </To>
    ) : (
      <span className={css.dim}>–</span>
    )
  const lines = (rows ?? []).flatMap((f): Line[] => [
    { ...f, of: f.faculty!, leads: true, where: { faculty_id: [f.faculty!.id] } },
    ...f.programs.map((p) => ({ ...p, of: p.program, leads: false, where: { program_id: [p.program.id] } })),
  ])
  const share = (part: number) => ({ inlineSize: `${(part / most) * 100}%` })
  return (
    <Card title={t('parts')} text={t('parts_text')}>
      {data && !rows?.length ? (
        <Empty title={t('parts_empty')} />
      ) : !rows ? (
        <Bones rows={5} />
      ) : (
        <div className={css.scroll}>
          <Table
            label={t('parts')}
            className={css.table}
            height="var(--most)"
            sticky
            rows={lines}
            rowKey={({ of, leads }) => `${leads ? 'faculty' : 'program'} ${of.id}`}
            leads={({ leads }) => leads}
            rowGiven={({ leads }) => ({ 'data-faculty': leads || undefined })}
            columns={[
              {
                key: 'program',
                label: t('program'),
                head: true,
                cell: ({ of, leads }) => (leads ? <Name row={of} /> : <bdi>{nameOf(of, lang)}</bdi>),
              },
              seesStudents && {
                key: 'studying',
                label: t('studying_short'),
                figure: true,
                cell: ({ studying, where }) => count(studying, list('/students', { status: ['studying'], ...where })),
              },
              seesRegistrations && {
                key: 'registered',
                label: t('registered_short'),
                figure: true,
                cell: ({ registered, where }) =>
                  count(registered, list('/registrations', { term_id: [term], state: REGISTERED_STATES, ...where })),
              },
              seesRegistrations && {
                key: 'requests',
                label: t('requests_short'),
                figure: true,
                cell: ({ requests, where }) =>
                  count(requests, list('/registrations', { term_id: [term], state: REQUEST_STATES, ...where })),
              },
              {
                key: 'bar',
                className: css.barCell,
                given: () => ({ 'aria-hidden': true }),
                cell: ({ leads, studying, registered }) =>
                  !leads && (
                    <span className={css.pair}>
                      <span data-whole style={share(studying ?? registered ?? 0)} />
                      <span style={share(Math.min(registered ?? 0, studying ?? Infinity))} />
                    </span>
                  ),
              },
            ]}
          />
        </div>
      )}
    </Card>
  )
}
