import { ActionIcon } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Failed } from '#kit/web/feedback/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { isWorkedOut, useKeptFigures, WorkedOut } from '../figures/kept.web.tsx'
import { FIGURE_MEASURES, measureOf } from '../figures/measures.contract.ts'
import { formatsOf } from '../figures/screen.web.tsx'
import { FEW_TEXT } from '../figures/tables.rules.ts'
import { ownReportCalls, type OwnReport } from './own.contract.ts'
import { OwnChart } from './seen.web.tsx'
import css from './own.module.css'

/** Reports that the reader has put here, each as a number or a small chart. */
export default function PinnedReports() {
  const t = useT('reports')
  const { data } = useCall(ownReportCalls.ownReports, undefined, { staleTime: 30_000 })
  const pinned = data?.data.filter((one) => one.pinned) ?? []
  if (!pinned.length) return null
  return (
    <section className={css.pins} aria-label={t('own_pins')}>
      {pinned.map((report) => (
        <Pinned key={report.id} report={report} />
      ))}
    </section>
  )
}

function Pinned({ report }: { report: OwnReport }) {
  const t = useT('reports')
  const say = useLabel()
  const { refetchInterval } = useKeptFigures('/own-reports/figures')
  const { data, error, refetch } = useCall(
    ownReportCalls.ownFigures,
    { body: report.asked },
    { staleTime: 60_000, refetchInterval },
  )
  const to = `/reports/own/${report.id}`
  const title = (
    <Link to={to}>
      <bdi>{report.name}</bdi>
    </Link>
  )
  if (error && !data)
    return (
      <Card title={title}>
        {isWorkedOut(error) ? <WorkedOut /> : <Failed error={error} retry={() => void refetch()} />}
      </Card>
    )
  const seen = data?.data
  if (!seen) return <Bone height={report.pinned === 'chart' ? 260 : 110} />
  const [key] = seen.measures
  if (report.pinned === 'chart')
    return (
      <div className={css.pin}>
        <OwnChart
          // The first figure of the first rows: what there is room for.
          seen={{ ...seen, measures: seen.measures.slice(0, 1), rows: seen.rows.slice(0, 6) }}
          title={report.name}
          tools={
            <ActionIcon component={Link} to={to} size={30} aria-label={t('own_open', { name: report.name })}>
              <IconArrowUpRight size={16} aria-hidden className={css.flip} />
            </ActionIcon>
          }
        />
      </div>
    )
  const [value] = seen.total.now.values
  return (
    <Card title={title} text={say(FIGURE_MEASURES[key!].label)}>
      <div className={css.big}>
        <Code>{value === 'few' ? FEW_TEXT : value == null ? '–' : formatsOf(measureOf(key!).unit).format(value)}</Code>
      </div>
    </Card>
  )
}
