import { SegmentedControl } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PAYMENT_WAYS } from '#areas/money/transactions/moves/transaction.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Code, Failed } from '#kit/web/feedback/index.ts'
import {
  formatDate,
  formatMoney,
  formatMoneyShort,
  formatPercent,
  nameOf,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { Bone, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { CurrencyChoice, Filters, useAsked } from '../financial/parts.web.tsx'
import { AGE_WORDS } from '../financial/tables.rules.ts'
import { useLists } from '../overview/lists.web.ts'
import { financeCalls, type FinanceDashboard } from './dashboard.contract.ts'
import { spanFor, spansOf } from './dashboard.rules.ts'
import css from '../financial/financial.module.css'

const FILTERS = ['year_id', 'term_id', 'faculty_id'] as const
const FRESH = { staleTime: 30_000, refetchInterval: 120_000, placeholderData: keepPreviousData } as const
/** Ways in which money comes; what a wallet pays came when it was charged. */
const MOVED = PAYMENT_WAYS.filter((one) => one.value !== 'wallet' && one.value !== 'deposit')

/** Collected, due and overdue as it stands now; every figure leads to its rows. */
export default function FinanceDashboard() {
  const t = useT('reports')
  const lang = useLanguage()
  const leadsOf = useLeads()
  const { asked, set, address } = useAsked(FILTERS)
  const currency = address.get('currency') === 'USD' ? 'USD' : 'EGP'
  const every = address.get('years') === 'all'
  const { data, error, refetch, isPlaceholderData } = useCall(
    financeCalls.dashboard,
    { body: { currency, ...asked, ...(every && { year_id: null }) } },
    FRESH,
  )
  const seen = data?.data
  if (error && !seen)
    return (
      <Page title={t('finance')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  const leads = leadsOf(seen, currency, asked)
  return (
    <Page
      title={t('finance')}
      subtitle={
        seen
          ? [
              seen.term ? nameOf(seen.term, lang) : seen.year ? nameOf(seen.year, lang) : t('all_years'),
              t('as_it_stands', { day: formatDate(new Date().toISOString(), 'long', lang) }),
            ].join(' · ')
          : '\u00A0'
      }
      action={<CurrencyChoice value={currency} onChange={(next) => set({ currency: next === 'EGP' ? null : next })} />}
    >
      <Stack busy={isPlaceholderData}>
        <Filters
          filters={FILTERS}
          asked={asked}
          shown={{ ...(seen?.year && { year_id: seen.year.id }), ...asked }}
          set={(changes) =>
            set({ ...changes, years: changes.year_id === null || (every && !changes.year_id) ? 'all' : null })
          }
        >
          <SegmentedControl
            size="sm"
            aria-label={t('which_years')}
            value={every ? 'all' : asked.year_id ? 'one' : 'current'}
            onChange={(next) =>
              set({ years: next === 'all' ? 'all' : null, year_id: null, ...(next === 'all' && { term_id: null }) })
            }
            data={[
              { value: 'current', label: t('current_year') },
              { value: 'all', label: t('all_years') },
              ...(asked.year_id ? [{ value: 'one', label: t('chosen_year') }] : []),
            ]}
          />
        </Filters>
        {!seen ? (
          <>
            <Bone height={104} />
            <Bone height={320} />
            <Bone height={320} />
          </>
        ) : (
          <>
            <Figures seen={seen} leads={leads} />
            <ByAgeAndWay seen={seen} leads={leads} />
            <Time seen={seen} leads={leads} />
            <ByFaculty seen={seen} leads={leads} />
          </>
        )}
      </Stack>
    </Page>
  )
}

/** How figures are written, and where they lead: to the rows that they count. */
function useLeads() {
  const lang = useLanguage()
  const list = useLists()
  return (seen: FinanceDashboard | undefined, currency: 'EGP' | 'USD', asked: object) => {
    const money = (minor: number) => formatMoney(minor, currency, lang)
    const short = (minor: number) => formatMoneyShort(minor, currency, lang)
    const { term_id, faculty_id } = asked as Record<string, number | undefined>
    const invoices = (more: Record<string, unknown> = {}) =>
      list('/payments', {
        currency: [currency],
        ...(seen?.year && { year_id: [seen.year.id] }),
        ...(term_id && { term_id: [term_id] }),
        ...(faculty_id && { faculty_id: [faculty_id] }),
        ...more,
      })
    const came = (more: Record<string, unknown> = {}) =>
      list('/transactions', {
        status: ['paid'],
        currency: [currency],
        way: MOVED.map((one) => one.value),
        booked_on: { from: seen?.from, to: seen?.to },
        ...(faculty_id && { faculty_id: [faculty_id] }),
        ...more,
      })
    return { currency, faculty_id, money, short, invoices, came, list }
  }
}
type Leads = ReturnType<ReturnType<typeof useLeads>>

/** What was charged, collected, is due and overdue, beside the year before. */
function Figures({ seen, leads }: { seen: FinanceDashboard; leads: Leads }) {
  const t = useT('reports')
  const lang = useLanguage()
  const { currency, faculty_id, money, invoices, came, list } = leads
  const sums = seen.sums
  const before = seen.before
  const past = (amount: number | undefined) =>
    before && amount !== undefined ? t('year_before', { year: nameOf(before.year, lang), amount: money(amount) }) : null
  return (
    <section className={css.figures} aria-label={t('figures')}>
      <Tile label={t('charged')} href={invoices()} value={money(sums.charged)}>
        {past(before?.charged) ?? t('invoices_n', { count: sums.invoices })}
      </Tile>
      <Tile label={t('collected')} href={invoices()} value={money(sums.settled)}>
        {past(before?.settled) ??
          t('of_charged', { share: sums.charged ? formatPercent(sums.settled / sums.charged) : '–' })}
      </Tile>
      <Tile
        label={t('due')}
        href={invoices({ state: ['unpaid', 'partially_paid'] })}
        value={money(sums.not_due + sums.overdue)}
      >
        {past(before ? before.not_due + before.overdue : undefined) ??
          t('of_charged', {
            share: sums.charged ? formatPercent((sums.not_due + sums.overdue) / sums.charged) : '–',
          })}
      </Tile>
      <Tile label={t('overdue')} late={sums.overdue > 0} href={invoices({ overdue: true })} value={money(sums.overdue)}>
        {t('invoices_n', { count: sums.overdue_invoices })}
      </Tile>
      <Tile label={t('received_net')} href={came()} value={money(seen.received)}>
        {past(before?.received) ?? t('moves_n', { count: seen.received_count })}
      </Tile>
      <Tile
        label={t('in_wallets')}
        href={list('/credits', {
          currency: [currency],
          wallet: { from: 1 },
          ...(faculty_id && { faculty_id: [faculty_id] }),
        })}
        value={money(seen.wallets)}
      >
        {t('wallets_n', { count: seen.wallet_count })}
      </Tile>
    </section>
  )
}

/** How late what is due is, and by which way money came. */
function ByAgeAndWay({ seen, leads: { money, short, invoices, came } }: { seen: FinanceDashboard; leads: Leads }) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  return (
    <Cards even least={400}>
      <Chart
        kind="bar"
        horizontal
        title={t('by_age')}
        text={t('by_age_text')}
        data={seen.ages.map((one) => ({ name: say(AGE_WORDS[one.age]), age: one.age, amount: one.amount }))}
        series={[{ key: 'amount', label: ['Still to pay', 'المتبقي'] }]}
        format={money}
        short={short}
        height={220}
        pointLabel={['Age', 'العمر']}
        href={(point) => {
          const age = seen.ages.find((one) => one.age === point.age)
          if (!age) return null
          return age.age === 'not_due'
            ? invoices({ not_due: { from: 1 } })
            : invoices({
                overdue: true,
                due_date: { ...(age.from && { from: age.from }), ...(age.to && { to: age.to }) },
              })
        }}
      />
      <Chart
        kind="bar"
        horizontal
        title={t('by_way')}
        text={t('by_way_text', {
          from: formatDate(seen.from, 'short', lang),
          to: formatDate(seen.to, 'short', lang),
        })}
        data={seen.ways.map((one) => ({
          name: say(PAYMENT_WAYS.find((way) => way.value === one.way)!.label),
          way: one.way,
          amount: one.amount,
        }))}
        series={[{ key: 'amount', label: ['Received', 'المقبوض'], tone: 'done' }]}
        format={money}
        short={short}
        height={220}
        pointLabel={['Way of payment', 'طريقة الدفع']}
        href={(point) => came({ way: [point.way] })}
      />
    </Cards>
  )
}

/** What faculties charged, and what became of it. */
function ByFaculty({ seen, leads: { money, short, invoices } }: { seen: FinanceDashboard; leads: Leads }) {
  const t = useT('reports')
  const lang = useLanguage()
  return (
    <Chart
      kind="bar"
      stacked
      horizontal
      title={t('by_faculty')}
      text={t('by_faculty_text')}
      data={seen.faculties.map((one) => ({
        name: one.faculty ? nameOf(one.faculty, lang) : t('no_faculty'),
        id: one.faculty?.id ?? null,
        settled: one.settled,
        not_due: one.not_due,
        overdue: one.overdue,
      }))}
      series={[
        { key: 'settled', label: ['Collected', 'المحصّل'], tone: 'done' },
        { key: 'not_due', label: AGE_WORDS.not_due, tone: 'waiting' },
        { key: 'overdue', label: ['Overdue', 'المتأخر'], tone: 'refused' },
      ]}
      format={money}
      short={short}
      height={Math.max(140, seen.faculties.length * 44 + 40)}
      pointLabel={['Faculty', 'الكلية']}
      href={(point, series) =>
        typeof point.id !== 'number'
          ? null
          : invoices({
              faculty_id: [point.id],
              ...(series === 'overdue' && { overdue: true }),
              ...(series === 'not_due' && { not_due: { from: 1 } }),
            })
      }
    />
  )
}

function Tile({
  label,
  value,
  href,
  late = false,
  children,
}: {
  label: string
  value: string
  href: string | null
  late?: boolean
  children?: ReactNode
}) {
  const figure = <Code {...(late && { 'data-tone': 'late' })}>{value}</Code>
  return (
    <div className={css.tile}>
      <div className={css.tileLabel}>{label}</div>
      <div className={css.tileValue}>
        {href ? (
          <Link className={css.link} to={href}>
            {figure}
          </Link>
        ) : (
          figure
        )}
      </div>
      <div className={css.tileText}>{children}</div>
    </div>
  )
}

/** What came by day or week. */
function Time({ seen, leads: { money, short, came } }: { seen: FinanceDashboard; leads: Leads }) {
  const t = useT('reports')
  const lang = useLanguage()
  const [chosen, setChosen] = useState<'day' | 'week' | null>(null)
  const by = chosen ?? spanFor(seen.days)
  const spans = spansOf(seen.days, by, seen.from, seen.to)
  const day = (iso: string) =>
    new Intl.DateTimeFormat(lang === 'ar' ? 'ar-EG-u-nu-latn' : lang, {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
    }).format(Date.parse(iso))
  // A drawing has no direction of its own: words of two days read as the page does.
  const isolated = (words: string) => (lang === 'ar' ? `\u2067${words}\u2069` : words)
  const used = MOVED.filter((way) => seen.days.some((row) => row.way === way.value))
  // Where more went back than came, bars on each other would hide it: one bar then tells what remained.
  const mixed = spans.some((span) => Object.values(span.amounts).some((amount) => amount < 0))
  const total = (span: (typeof spans)[number]) => Object.values(span.amounts).reduce((sum, one) => sum + one, 0)
  return (
    <Chart
      kind="bar"
      stacked={!mixed}
      title={t(by === 'day' ? 'by_day' : 'by_week')}
      text={t('time_text')}
      tools={
        <SegmentedControl
          size="xs"
          aria-label={t('steps_by')}
          value={by}
          onChange={(next) => setChosen(next)}
          data={[
            { value: 'day', label: t('days') },
            { value: 'week', label: t('weeks') },
          ]}
        />
      }
      data={spans.map((span) => ({
        name: isolated(by === 'day' || span.from === span.to ? day(span.from) : `${day(span.from)} – ${day(span.to)}`),
        from: span.from,
        to: span.to,
        ...(mixed
          ? { net: total(span) }
          : Object.fromEntries(used.map((way) => [way.value, span.amounts[way.value] ?? 0]))),
      }))}
      series={
        mixed ? [{ key: 'net', label: ['Net', 'الصافي'] }] : used.map((way) => ({ key: way.value, label: way.label }))
      }
      format={money}
      short={short}
      height={240}
      pointLabel={['Days', 'الأيام']}
      href={(point, way) =>
        came({ booked_on: { from: point.from, to: point.to }, ...(way !== 'net' && { way: [way] }) })
      }
    />
  )
}
