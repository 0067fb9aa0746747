import { Menu } from '@mantine/core'
import { IconFileTypePdf, IconFileTypeXls, IconFileZip } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Empty, Failed, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent, nameOf, paperLanguageOf, useT } from '#kit/web/i18n/index.ts'
import { useParams, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Comments } from './comments.web.tsx'
import { resultFileCalls } from './export.contract.ts'
import { ResultFigures } from './figures.web.tsx'
import { resultCalls } from './results.contract.ts'
import { ResultSets } from './sets.web.tsx'

/** Results: of everything within reach, or of one offering or instructor. */
export default function QuestionnaireStatistics() {
  const t = useT('questionnaires')
  const id = Number(useParams().id)
  const [search] = useSearchParams()
  const set = Number(search.get('set')) || undefined
  const { data, error, refetch } = useCall(
    resultCalls.stats,
    { params: { id }, body: set === undefined ? {} : { set_id: set } },
    { placeholderData: keepPreviousData },
  )
  const of = data?.data
  const files = useResultFiles(id, set)
  const about = of ? [of.course, of.instructor].flatMap((one) => (one ? [nameOf(one)] : [])).join(' · ') : ''
  return (
    <Page
      title={of?.type}
      subtitle={of ? about || t(of.pooled ? 'small_together' : 'all_together') : '\u00A0'}
      {...(of?.withheld !== 'results_small' && {
        facts: [
          { label: t('asked'), value: of ? formatNumber(of.asked) : '–' },
          { label: t('answered'), value: of ? formatNumber(of.answered) : '–' },
          { label: t('rate'), value: of?.asked ? formatPercent(of.answered / of.asked) : '–' },
        ],
      })}
      menu={of?.withheld === null ? files.menu : undefined}
    >
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={420} />
      ) : (
        <Stack>
          {files.working}
          {of.withheld === null ? <ResultFigures of={of} /> : <Empty title={t('no_results')} text={t(of.withheld)} />}
          {of.withheld === null && <Comments id={id} set={set} questions={of.questions} />}
          <ResultSets id={id} chosen={set} />
        </Stack>
      )}
    </Page>
  )
}

/** Results as a sheet, as a report, and the reports of all in one file. */
function useResultFiles(id: number, set: number | undefined) {
  const t = useT('questionnaires')
  const lang = paperLanguageOf()
  const { go, send } = useChange()
  const [job, setJob] = useState<string | null>(null)
  const params = { id }
  const body = { lang, ...(set !== undefined && { set_id: set }) }
  const fetched = (file: Promise<unknown>) => void withOverlay(file).catch((refusal: unknown) => notify.error(refusal))
  const makeAll = async () => {
    const begun = await go(() => send(resultFileCalls.reports, { params, body: { lang } }))
    if (begun) setJob(begun.answer.job_id)
  }
  return {
    working: job !== null && (
      <ProgressJob
        id={job}
        label={t('all_reports')}
        onDone={(result) => {
          setJob(null)
          window.location.assign((result as { url: string }).url)
        }}
      />
    ),
    menu: [
      <Menu.Item
        key="pdf"
        leftSection={<IconFileTypePdf size={15} aria-hidden />}
        onClick={() => fetched(download(resultFileCalls.report, { params, body }))}
      >
        {t('report_pdf')}
      </Menu.Item>,
      <Menu.Item
        key="xlsx"
        leftSection={<IconFileTypeXls size={15} aria-hidden />}
        onClick={() => fetched(download(resultFileCalls.sheet, { params, body }))}
      >
        {t('report_sheet')}
      </Menu.Item>,
      ...(set === undefined
        ? [
            <Menu.Item key="all" leftSection={<IconFileZip size={15} aria-hidden />} onClick={() => void makeAll()}>
              {t('all_reports')}
            </Menu.Item>,
          ]
        : []),
    ],
  }
}
