import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import type { Label, Language } from '#kit/contract/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { formatDate, formatMoney, formatMoneyShort, formatNumber, nameOf } from '#kit/web/i18n/index.ts'
import { Cards } from '#kit/web/shell/card.tsx'
import type { Activities, OverviewCounts, Faculties, Payments } from './overview.contract.ts'
import { useLists } from './lists.web.ts'
import css from './overview.module.css'
import { BLANK, type T, To } from './tiles.web.tsx'

// --- Charts ---------------------------------------------------------------------------------------------------------

/** In the order of the road. */
const CONTROL_SERIES = CONTROL_STATUSES.map(({ value, label, tone }) => ({ key: value, label, tone }))
const FACULTY: Label = ['Faculty', 'الكلية']

/** How far the marks of the control term are, faculty by faculty. */
export function Control({
  t,
  lang,
  data,
  term,
}: {
  t: T
  lang: Language
  data: Faculties | undefined
  term: OverviewCounts['control_term']
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
export function DailyActivity({ t, lang, data }: { t: T; lang: Language; data: Activities | undefined }) {
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
export function Results({ t, lang, data }: { t: T; lang: Language; data: Faculties | undefined }) {
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
export function MoneyByMonth({ t, lang, data }: { t: T; lang: Language; data: Payments | undefined }) {
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
