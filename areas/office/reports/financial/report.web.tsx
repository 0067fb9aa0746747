import { keepPreviousData } from '@tanstack/react-query'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Failed, Problems } from '#kit/web/feedback/index.ts'
import { formatMoney, formatMoneyShort, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { useLists } from '../overview/lists.web.ts'
import { financialCalls, type LevelSumRow, type ProgramRow } from './financial.contract.ts'
import {
  CURRENCY_PREFIX,
  STANDING_WORDS,
  standingsIn,
  type FinancialFigures,
  type ReportCurrency,
} from './financial.rules.ts'
import { CurrencyChoice, Filters, ReportView, fileActions, useAsked } from './parts.web.tsx'
import { levelsTables, programsTables, type ReportTable } from './tables.rules.ts'

const FILTERS = ['year_id', 'term_id', 'faculty_id', 'program_id', 'as_of'] as const
const KEEP = [...FILTERS, 'currency', 'level']

/** Who paid what of what was charged: by program, by level, and of graduates. */
export default function FinancialReport() {
  const t = useT('reports')
  const lang = useLanguage()
  const { asked, set, address } = useAsked(FILTERS)
  const { problem, go } = useChange()
  const tab = address.get('tab')
  const currency: ReportCurrency = address.get('currency') === 'USD' ? 'USD' : 'EGP'
  const file =
    tab === 'levels'
      ? financialCalls.levelsFile
      : tab === 'graduates'
        ? financialCalls.graduatesFile
        : financialCalls.programsFile
  const { main, menu } = fileActions(
    t,
    lang,
    (paper, type) => void go(() => download(file, { params: { lang: paper, type }, body: asked })),
  )
  return (
    <Page
      title={t('financial_report')}
      subtitle={t('financial_report_text')}
      action={<MainButton action={main} />}
      menu={<MenuItems actions={menu} />}
    >
      <Stack>
        <Filters filters={FILTERS} asked={asked} set={set}>
          <CurrencyChoice value={currency} onChange={(next) => set({ currency: next === 'EGP' ? null : next })} />
        </Filters>
        {problem !== null && <Problems error={problem} />}
        <ScreenTabs
          keep={KEEP}
          tabs={[
            {
              key: 'programs',
              label: t('by_program'),
              content: () => <Report of="programs" {...{ asked, currency }} />,
            },
            { key: 'levels', label: t('by_level'), content: () => <Report of="levels" {...{ asked, currency }} /> },
            {
              key: 'graduates',
              label: t('of_graduates'),
              content: () => <Report of="graduates" {...{ asked, currency }} />,
            },
          ]}
        />
      </Stack>
    </Page>
  )
}

type Row = FinancialFigures & { program?: ProgramRow['program']; level?: number | null }

function Report({
  of,
  asked,
  currency,
}: {
  of: 'programs' | 'levels' | 'graduates'
  asked: Readonly<Record<string, never>>
  currency: ReportCurrency
}) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const list = useLists()
  const { data, error, refetch, isPlaceholderData } = useCall(
    financialCalls[of],
    { body: asked },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const report = data?.data
  if (!report) return <Bone height={420} />
  const rows = report.rows as readonly Row[]
  const tables: readonly ReportTable<Row>[] = (
    of === 'levels'
      ? levelsTables(report as { rows: LevelSumRow[]; total: FinancialFigures }, lang, say)
      : programsTables(report as { rows: ProgramRow[]; total: FinancialFigures }, lang, of === 'graduates', say)
  ) as never
  const table = tables.find((one) => one.currency === currency)
  const p = CURRENCY_PREFIX[currency]
  // As of another day the lists show other amounts than the report.
  const filters = (row: Row | null): Record<string, unknown> | null => {
    const { as_of, year_id, term_id, faculty_id, program_id } = asked as Record<string, number | undefined>
    if (as_of) return null
    const program = row?.program ? row.program.id : program_id
    if (row && of !== 'levels' && !row.program) return null
    if (row && of === 'levels' && row.level == null) return null
    return {
      currency: [currency],
      ...(year_id && { year_id: [year_id] }),
      ...(term_id && { term_id: [term_id] }),
      ...(faculty_id && { faculty_id: [faculty_id] }),
      ...(program && { program_id: [program] }),
      ...(row && of === 'levels' && { level: row.level }),
    }
  }
  const href = (row: Row | null, column: string): string | null => {
    const where = filters(row)
    if (!where || of === 'graduates' || !column.startsWith(p) || column.includes('students')) return null
    const what = column.slice(p.length + 1)
    if (what === 'unpaid') return list('/payments', { ...where, state: ['unpaid', 'partially_paid'] })
    return what === 'total' || what === 'paid' ? list('/payments', where) : null
  }
  const points = rows
    .filter((row) => row[`${p}_total`] > 0)
    .toSorted((a, b) => (of === 'levels' ? 0 : b[`${p}_total`] - a[`${p}_total`]))
    .map((row) => ({
      name:
        of === 'levels'
          ? row.level == null
            ? t('without_level')
            : t('level_n', { level: row.level })
          : row.program
            ? nameOf(row.program, lang)
            : t('without_program'),
      paid: row[`${p}_paid`],
      unpaid: row[`${p}_unpaid`],
    }))
  const standings = standingsIn(report.total, currency)
  return (
    <Stack busy={isPlaceholderData}>
      {points.length > 0 && (
        <Chart
          kind="bar"
          stacked
          horizontal
          title={t('paid_and_unpaid')}
          text={standings.map((standing) => say(STANDING_WORDS[standing])).join(lang === 'ar' ? '، ' : ', ')}
          data={points}
          series={[
            { key: 'paid', label: ['Paid', 'المدفوع'], tone: 'done' },
            { key: 'unpaid', label: ['Unpaid', 'غير المدفوع'], tone: 'waiting' },
          ]}
          format={(minor) => formatMoney(minor, currency, lang)}
          short={(minor) => formatMoneyShort(minor, currency, lang)}
          height={Math.max(140, points.length * 34 + 40)}
          pointLabel={of === 'levels' ? ['Level', 'المستوى'] : ['Program', 'البرنامج']}
        />
      )}
      <ReportView title={t('figures_in', { currency })} table={table} href={href} empty={t('nothing_charged')} />
    </Stack>
  )
}
