import { Button } from '@mantine/core'
import { IconDownload, IconTableExport } from '@tabler/icons-react'
import { useState } from 'react'
import { download, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Problems } from '#kit/web/feedback/index.ts'
import { formatInstant, formatNumber, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { OpenCell, ReportAddress } from './asked.web.ts'
import { figuresCalls, type MadeSheet } from './figures.contract.ts'
import type { ReportLink } from './reports.contract.ts'

/** All rows as one sheet, however many: made by a job that goes on when this is left. */
export function RowsSheet({ link, address, cell }: { link: ReportLink; address: ReportAddress; cell: OpenCell }) {
  const t = useT('reports')
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/jobs')
  const [job, setJob] = useState<string | null>(null)
  const [made, setMade] = useState<MadeSheet | null>(null)
  const { page: _page, ...which } = cell
  const begin = async () => {
    setMade(null)
    const answer = await go(() =>
      send(figuresCalls.rowsSheet, {
        params: { link },
        body: { ...address.asked, ...which, lang: lang === 'ar' ? 'ar' : 'en' },
      }),
    )
    if (answer) setJob(answer.answer.job_id)
  }
  if (job !== null && made === null)
    return <ProgressJob id={job} label={t('rows_sheet_working')} onDone={(result) => setMade(result as MadeSheet)} />
  return (
    <>
      {problem !== null && <Problems error={problem} />}
      {made && job !== null ? (
        <span role="status">
          {t('rows_sheet_ready', { count: formatNumber(made.rows) })}{' '}
          {t('rows_sheet_until', { at: formatInstant(made.at, lang), until: formatInstant(made.until, lang) })}{' '}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={busy}
            onClick={() => void go(() => download(figuresCalls.rowsSheetFile, { params: { job_id: job } }))}
          >
            {t('rows_sheet_get', { name: made.name })}
          </Button>
        </span>
      ) : (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconTableExport size={16} aria-hidden />}
          loading={busy}
          onClick={() => void begin()}
        >
          {t('rows_sheet')}
        </Button>
      )}
    </>
  )
}
