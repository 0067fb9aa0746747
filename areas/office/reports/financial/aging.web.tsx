import { SegmentedControl } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Failed } from '#kit/web/feedback/index.ts'
import { formatMoney, formatMoneyShort, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { AGES } from '../finance/dashboard.rules.ts'
import { useLists } from '../overview/lists.web.ts'
import { AGING_GROUPS, financialCalls, type AgingAsked, type AgingRow } from './financial.contract.ts'
import type { ReportCurrency } from './financial.rules.ts'
import { ReportView } from './parts.web.tsx'
import { AGE_WORDS, agedName, agingTables } from './tables.rules.ts'

const TONES = { not_due: 'done', d1_30: 'waiting', d31_60: 'active', d61_90: 'draft', over_90: 'refused' } as const

/** What is owed by how late it is, told apart by faculty, program or level; every figure leads to its invoices. */
export function Aging({
  by,
  asked,
  currency,
  onBy,
}: {
  by: AgingAsked['by']
  asked: Readonly<Record<string, never>>
  currency: ReportCurrency
  onBy: (by: string) => void
}) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const list = useLists()
  const { data, error, refetch, isPlaceholderData } = useCall(
    financialCalls.aging,
    { body: { by, ...asked } },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const report = data?.data
  const table = report && agingTables(report, by, lang, say).find((one) => one.currency === currency)
  const { year_id, term_id, faculty_id } = asked as Record<string, number | undefined>
  const lists = (row: AgingRow | null, column: string) => {
    if (!report || column === 'students' || (row && (by === 'level' ? row.level === null : !row.of))) return null
    const days = report.days.find((one) => one.age === column)
    return list('/payments', {
      currency: [currency],
      state: ['unpaid', 'partially_paid'],
      ...(year_id && { year_id: [year_id] }),
      ...(term_id && { term_id: [term_id] }),
      ...(faculty_id && { faculty_id: [faculty_id] }),
      ...(row && by === 'faculty' && { faculty_id: [row.of!.id] }),
      ...(row && by === 'program' && { program_id: [row.of!.id] }),
      ...(row && by === 'level' && { level: { from: row.level, to: row.level } }),
      ...(column === 'not_due' && { not_due: { from: 1 } }),
      ...(column === 'overdue' && { overdue: true }),
      ...(days &&
        column !== 'not_due' && {
          overdue: true,
          due_date: { ...(days.from && { from: days.from }), ...(days.to && { to: days.to }) },
        }),
    })
  }
  return (
    <Stack busy={isPlaceholderData}>
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          size="xs"
          aria-label={t('told_apart_by')}
          value={by}
          onChange={onBy}
          data={AGING_GROUPS.map((group) => ({ value: group.value, label: say(group.label) }))}
        />
      </div>
      {!report ? (
        <Bone height={420} />
      ) : (
        <>
          {table && (
            <Chart
              kind="bar"
              horizontal
              stacked
              title={t('by_age')}
              text={t('by_age_text')}
              data={table.rows.map((row, at) => ({
                name: agedName(row, by, lang, say),
                at,
                ...Object.fromEntries(row.ages.map((one) => [one.age, one.amount])),
              }))}
              series={AGES.map(({ age }) => ({ key: age, label: AGE_WORDS[age], tone: TONES[age] }))}
              format={(minor) => formatMoney(minor, currency, lang)}
              short={(minor) => formatMoneyShort(minor, currency, lang)}
              height={Math.max(140, table.rows.length * 38 + 60)}
              pointLabel={AGING_GROUPS.find((group) => group.value === by)!.label}
              href={(point, series) => lists(table.rows[Number(point.at)] ?? null, series)}
            />
          )}
          <ReportView title={t('figures_in', { currency })} table={table} href={lists} empty={t('nothing_owed')} />
        </>
      )}
    </Stack>
  )
}
