import { Suspense, useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import type { Language } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { part } from '#kit/web/later.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { REPORT_RIGHTS } from '../figures/rights.contract.ts'
import { overviewCalls } from './overview.contract.ts'
import type { Faculties } from './overview.contract.ts'
import { REGISTERED_STATES, REQUEST_STATES, weekOf } from './overview.rules.ts'
import { useLists } from './lists.web.ts'
import css from './overview.module.css'
import { type T, To, OverviewTiles, Bones } from './tiles.web.tsx'
import { Windows, Waits } from './waits.web.tsx'
import { Control, DailyActivity, Results, MoneyByMonth } from './charts.web.tsx'

const Pinned = part(async () => (await import('../own/pins.web.tsx')).default)
/** The reader's time zone: where days begin. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
/** How often figures are asked again while the screen is open, milliseconds. */
const AGAIN = 120_000
const FRESH = { staleTime: 30_000, refetchInterval: AGAIN, placeholderData: keepPreviousData } as const

/** What the university looks like this morning: for registrar, dean, president and head of control, each within reach. */
export default function Overview() {
  const t = useT('reports')
  const lang = useLanguage()
  const { can } = useMe()
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
        <OverviewTiles t={t} data={data} />
        {can(...REPORT_RIGHTS) && (
          <Suspense>
            <Pinned />
          </Suspense>
        )}
        <Cards even least={400}>
          <Windows t={t} lang={lang} data={data} now={now} />
          <Waits t={t} data={data} />
        </Cards>
        <Cards even least={400}>
          <Control t={t} lang={lang} data={faculty.data?.data} term={data?.control_term ?? null} />
          <DailyActivity t={t} lang={lang} data={activities.data?.data} />
        </Cards>
        <Cards even least={400}>
          <Results t={t} lang={lang} data={faculty.data?.data} />
          <Parts t={t} lang={lang} data={faculty.data?.data} term={term?.id ?? null} />
        </Cards>
        <MoneyByMonth t={t} lang={lang} data={payment.data?.data} />
        {[faculty, activities, payment].map(
          (one, i) => one.error && !one.data && <Failed key={i} error={one.error} retry={() => void one.refetch()} />,
        )}
      </Stack>
    </Page>
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
