import { keepPreviousData } from '@tanstack/react-query'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Problems } from '#kit/web/feedback/index.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { financialCalls } from './financial.contract.ts'
import { Filters, ReportView, fileActions, useAsked } from './parts.web.tsx'
import { feesTables } from './tables.rules.ts'

const FILTERS = ['year_id', 'other_year_id', 'faculty_id', 'program_id'] as const

/** What each program, level and nationality group is charged in a year, beside another year. */
export default function FeeSettingsReport() {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const { asked, set } = useAsked(FILTERS)
  const { problem, go } = useChange()
  const { data, error, refetch, isPlaceholderData } = useCall(
    financialCalls.fees,
    { body: asked },
    { placeholderData: keepPreviousData },
  )
  const { main, menu } = fileActions(
    t,
    lang,
    (paper, type) => void go(() => download(financialCalls.feesFile, { params: { lang: paper, type }, body: asked })),
  )
  const report = data?.data
  const tables = report && feesTables(report, lang, say)
  const [year, other] = [report?.year, report?.other]
  return (
    <Page
      title={t('fee_report')}
      subtitle={
        year
          ? other
            ? t('years_compared', { year: nameOf(year, lang), other: nameOf(other, lang) })
            : nameOf(year, lang)
          : '\u00A0'
      }
      action={<MainButton action={main} />}
      menu={<MenuItems actions={menu} />}
    >
      <Stack>
        <Filters
          filters={FILTERS}
          asked={asked}
          set={set}
          shown={{ ...(year && { year_id: year.id }), ...(other && { other_year_id: other.id }), ...asked }}
        />
        {problem !== null && <Problems error={problem} />}
        {error && !report && <Failed error={error} retry={() => void refetch()} />}
        {!report && !error && <Bone height={420} />}
        <Stack busy={isPlaceholderData}>
          {tables?.map((table) => (
            <ReportView
              key={table.currency}
              title={t('prices_in', { currency: table.currency ?? '' })}
              table={table}
              empty={t('no_prices')}
            />
          ))}
          {tables?.length === 0 && <ReportView title={t('fee_report')} table={undefined} empty={t('no_prices')} />}
        </Stack>
      </Stack>
    </Page>
  )
}
