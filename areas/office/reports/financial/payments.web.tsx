import { SegmentedControl } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Failed, Problems } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, formatMoneyShort, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { spanFor, spansOf } from '../finance/dashboard.rules.ts'
import { useLists } from '../overview/lists.web.ts'
import { Aging } from './aging.web.tsx'
import {
  AGING_GROUPS,
  PAYMENT_GROUPS,
  financialCalls,
  type InvoicesRow,
  type PaymentRow,
} from './financial.contract.ts'
import type { ReportCurrency } from './financial.rules.ts'
import { CurrencyChoice, Filters, ReportView, fileActions, useAsked } from './parts.web.tsx'
import { groupName, invoicesTables, paymentsTables } from './tables.rules.ts'

const MONEY = ['from', 'to', 'faculty_id'] as const
const OWED = ['year_id', 'term_id', 'faculty_id'] as const
const AGED = ['year_id', 'term_id', 'faculty_id'] as const
const ALL = ['from', 'to', 'year_id', 'term_id', 'faculty_id'] as const
type Asked = Readonly<Record<string, never>>
const only = (asked: Asked, names: readonly string[]): Asked =>
  Object.fromEntries(Object.entries(asked).filter(([name]) => names.includes(name)))

/** What was received and paid back, by what tells it apart; and what invoices are for. */
export default function PaymentsReports() {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const { asked, set, address } = useAsked(ALL)
  const { problem, go } = useChange()
  const invoices = address.get('tab') === 'invoices'
  const by = PAYMENT_GROUPS.find((group) => group.value === address.get('by'))?.value ?? 'way'
  const currency: ReportCurrency = address.get('currency') === 'USD' ? 'USD' : 'EGP'
  const aging = address.get('tab') === 'aging'
  const apart = AGING_GROUPS.find((group) => group.value === address.get('apart'))?.value ?? 'faculty'
  const filters = aging ? AGED : invoices ? OWED : MONEY
  const { main, menu } = fileActions(
    t,
    lang,
    (paper, type) =>
      void go(() =>
        aging
          ? download(financialCalls.agingFile, {
              params: { lang: paper, type },
              body: { by: apart, ...only(asked, AGED) },
            })
          : invoices
            ? download(financialCalls.invoicesFile, { params: { lang: paper, type }, body: only(asked, OWED) })
            : download(financialCalls.paymentsFile, {
                params: { lang: paper, type },
                body: { by, ...only(asked, MONEY) },
              }),
      ),
  )
  return (
    <Page
      title={t('payment_reports')}
      subtitle={t('payment_reports_text')}
      action={<MainButton action={main} />}
      menu={<MenuItems actions={menu} />}
    >
      <Stack>
        <Filters filters={filters} asked={asked} set={set}>
          <CurrencyChoice value={currency} onChange={(next) => set({ currency: next === 'EGP' ? null : next })} />
        </Filters>
        {problem !== null && <Problems error={problem} />}
        <ScreenTabs
          keep={[...ALL, 'currency', 'by', 'apart']}
          tabs={[
            {
              key: 'received',
              label: t('received'),
              content: () => (
                <Stack>
                  <div style={{ overflowX: 'auto' }}>
                    <SegmentedControl
                      size="xs"
                      aria-label={t('told_apart_by')}
                      value={by}
                      onChange={(next) => set({ by: next })}
                      data={PAYMENT_GROUPS.map((group) => ({ value: group.value, label: say(group.label) }))}
                    />
                  </div>
                  <Received by={by} asked={only(asked, MONEY)} currency={currency} />
                </Stack>
              ),
            },
            {
              key: 'invoices',
              label: t('invoices_by_faculty'),
              content: () => <Invoices asked={only(asked, OWED)} currency={currency} />,
            },
            {
              key: 'aging',
              label: t('aging'),
              content: () => (
                <Aging by={apart} asked={only(asked, AGED)} currency={currency} onBy={(next) => set({ apart: next })} />
              ),
            },
          ]}
        />
      </Stack>
    </Page>
  )
}

function Received({
  by,
  asked,
  currency,
}: {
  by: (typeof PAYMENT_GROUPS)[number]['value']
  asked: Asked
  currency: ReportCurrency
}) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const list = useLists()
  const { data, error, refetch, isPlaceholderData } = useCall(
    financialCalls.payments,
    { body: { by, ...asked } },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const report = data?.data
  if (!report || isPlaceholderData) return <Bone height={420} />
  const table = paymentsTables(report, by, lang, say).find((one) => one.currency === currency)
  const where = (row: PaymentRow | null): Record<string, unknown> | null => {
    const faculty = (asked as Record<string, number>).faculty_id
    const base = {
      status: ['paid'],
      currency: [currency],
      way: ['cash', 'slip', 'bank', 'card', 'mobile'],
      booked_on: { from: report.from, to: report.to },
      ...(faculty && { faculty_id: [faculty] }),
    }
    if (row === null) return base
    if (by === 'way') return { ...base, way: [row.key] }
    if (by === 'day') return { ...base, booked_on: { from: row.key, to: row.key } }
    return by === 'faculty' && row.of ? { ...base, faculty_id: [row.of.id] } : null
  }
  const href = (row: PaymentRow | null, column: string) => {
    const filters = column === 'net' ? where(row) : null
    return filters && list('/transactions', filters)
  }
  const day = (iso: string) =>
    new Intl.DateTimeFormat(lang === 'ar' ? 'ar-EG-u-nu-latn' : lang, {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
    }).format(Date.parse(iso))
  // Days stand without gaps; a long time is told by weeks.
  const days = (table?.rows ?? []).flatMap((row) => (row.key ? [{ day: row.key, way: 'net', amount: row.net }] : []))
  const span = spanFor(days)
  return (
    <Stack>
      {table && (
        <Chart
          kind="bar"
          horizontal={by !== 'day'}
          title={t('net_received')}
          text={t('between_days', {
            from: formatDate(report.from, 'short', lang),
            to: formatDate(report.to, 'short', lang),
          })}
          data={
            by === 'day'
              ? spansOf(days, span, report.from, report.to).map((one) => ({
                  name: one.from === one.to ? day(one.from) : `${day(one.from)} – ${day(one.to)}`,
                  net: one.amounts.net ?? 0,
                }))
              : table.rows.map((row) => ({ name: groupName(row, by, lang, say), net: row.net }))
          }
          series={[{ key: 'net', label: ['Net', 'الصافي'] }]}
          format={(minor) => formatMoney(minor, currency, lang)}
          short={(minor) => formatMoneyShort(minor, currency, lang)}
          height={by === 'day' ? 240 : Math.max(120, table.rows.length * 38 + 40)}
          pointLabel={PAYMENT_GROUPS.find((group) => group.value === by)!.label}
        />
      )}
      <ReportView title={t('figures_in', { currency })} table={table} href={href} empty={t('nothing_received')} />
    </Stack>
  )
}

function Invoices({ asked, currency }: { asked: Asked; currency: ReportCurrency }) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const list = useLists()
  const { data, error, refetch, isPlaceholderData } = useCall(
    financialCalls.invoices,
    { body: asked },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const report = data?.data
  if (!report) return <Bone height={420} />
  const table = invoicesTables(report, lang, say).find((one) => one.currency === currency)
  const { year_id, term_id, faculty_id } = asked as Record<string, number | undefined>
  const href = (row: InvoicesRow | null, column: string) =>
    row && !row.faculty
      ? null
      : list('/payments', {
          currency: [currency],
          ...(year_id && { year_id: [year_id] }),
          ...(term_id && { term_id: [term_id] }),
          ...(faculty_id && { faculty_id: [faculty_id] }),
          ...(row && { faculty_id: [row.faculty!.id], type: [row.type] }),
          state: column === 'open' ? ['unpaid', 'partially_paid'] : ['unpaid', 'partially_paid', 'paid'],
        })
  const faculties = [...Map.groupBy(table?.rows ?? [], (row) => row.faculty?.id ?? 0).values()].map((rows) => ({
    name: rows[0]!.faculty ? nameOf(rows[0]!.faculty, lang) : t('no_faculty'),
    settled: rows.reduce((sum, row) => sum + row.settled, 0),
    open: rows.reduce((sum, row) => sum + row.open, 0),
  }))
  return (
    <Stack busy={isPlaceholderData}>
      {table && (
        <Chart
          kind="bar"
          horizontal
          stacked
          title={t('invoices_by_faculty')}
          data={faculties}
          series={[
            { key: 'settled', label: ['Paid', 'المدفوع'], tone: 'done' },
            { key: 'open', label: ['Still to pay', 'المتبقي'], tone: 'waiting' },
          ]}
          format={(minor) => formatMoney(minor, currency, lang)}
          short={(minor) => formatMoneyShort(minor, currency, lang)}
          height={Math.max(120, faculties.length * 38 + 40)}
          pointLabel={['Faculty', 'الكلية']}
        />
      )}
      <ReportView title={t('figures_in', { currency })} table={table} href={href} empty={t('nothing_charged')} />
    </Stack>
  )
}
