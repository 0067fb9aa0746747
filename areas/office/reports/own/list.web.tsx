import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatList, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useRowMenu } from '#kit/web/list/row-menu.tsx'
import { Link } from '#kit/web/router/index.ts'
import { WEEKDAYS } from '#kit/contract/week.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { DIMENSIONS } from '../figures/dimensions.contract.ts'
import { FIGURE_MEASURES } from '../figures/measures.contract.ts'
import { useOwnActions } from './actions.web.tsx'
import { SCHEDULE_ENDS, ownReportCalls, type OwnReport } from './own.contract.ts'
import css from './own.module.css'

/** The reports that somebody keeps, and those that others share. */
export default function OwnReports() {
  const t = useT('reports')
  const { data, error, refetch } = useCall(ownReportCalls.ownReports)
  const mine = data?.data.filter((one) => !one.by) ?? []
  const others = data?.data.filter((one) => one.by) ?? []
  return (
    <Page
      title={t('own_reports')}
      subtitle={t('own_reports_text')}
      action={
        <Button component={Link} to="/reports/own/new" leftSection={<IconPlus size={16} aria-hidden />}>
          {t('own_new')}
        </Button>
      }
      wide
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={320} />
      ) : (
        <Stack>
          {mine.length ? (
            <Reports title={t('own_mine')} rows={mine} />
          ) : (
            <Empty title={t('own_none')} text={t('own_none_text')} />
          )}
          {others.length > 0 && <Reports title={t('own_others')} rows={others} />}
        </Stack>
      )}
    </Page>
  )
}

function Reports({ title, rows }: { title: string; rows: readonly OwnReport[] }) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const { actions, dialogs } = useOwnActions()
  const { menu, menuButton } = useRowMenu<OwnReport>({ actions })
  const about = ({ asked }: OwnReport) =>
    t('own_by', {
      figures: formatList(
        asked.measures.map((key) => say(FIGURE_MEASURES[key].label)),
        lang,
      ),
      dimensions: formatList(
        [...asked.rows, ...asked.columns].map((key) => say(DIMENSIONS[key].label)),
        lang,
      ),
    })
  const from = (row: OwnReport) =>
    row.by ? (
      <bdi>{nameOf(row.by, lang)}</bdi>
    ) : (
      formatList(
        [...row.roles, ...row.people].map((one) => nameOf(one, lang)),
        lang,
      )
    )
  return (
    <Card title={title}>
      <Table
        label={title}
        rows={rows}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            label: t('own_name'),
            head: true,
            className: css.wide,
            cell: (row) => (
              <Link to={`/reports/own/${row.id}`}>
                <bdi>{row.name}</bdi>
              </Link>
            ),
          },
          {
            key: 'about',
            label: t('own_about'),
            className: css.wide,
            cell: (row) => (row.open ? about(row) : t('own_closed')),
          },
          { key: 'from', label: t(rows[0]?.by ? 'own_from' : 'own_with'), cell: from },
          { key: 'sent', label: t('own_sent'), cell: (row) => <Sent report={row} /> },
          { key: 'changed', label: t('own_changed'), cell: (row) => formatDate(row.updated_at, 'short', lang) },
          { key: 'menu', label: t('own_actions'), unseen: true, end: true, cell: (row) => menuButton(row) },
        ]}
      />
      {menu}
      {dialogs}
    </Card>
  )
}

/** When it is mailed, and what became of the last mail. */
function Sent({ report: { schedule } }: { report: OwnReport }) {
  const t = useT('reports')
  const say = useLabel()
  if (!schedule) return null
  if (schedule.ended)
    return <Status is="mail_ended" label={t('own_sent_ended', { why: say(SCHEDULE_ENDS[schedule.ended]) })} />
  const when = t('own_sent_on', {
    day: say(WEEKDAYS[schedule.weekday]!),
    time: `${String(schedule.hour).padStart(2, '0')}:00`,
  })
  const failed = schedule.last?.state === 'failed'
  return <Status is={failed ? 'mail_failed' : 'mail_runs'} label={failed ? t('own_sent_failed', { when }) : when} />
}
