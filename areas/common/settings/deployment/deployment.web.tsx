import { Button } from '@mantine/core'
import type { ResponseOf } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { formatBytes, formatDate, formatInstant, formatNumber, label, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { MOST_FAILED, deploymentCalls } from './deployment.contract.ts'
import css from './deployment.module.css'

/** Milliseconds after which what is shown is asked again. */
const EVERY = 15_000

function Facts({ of }: { of: readonly (readonly [string, React.ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How the installation is: version, processes, jobs, what it works with, room; and what can be tried. */
export default function DeploymentScreen() {
  const t = useT('settings')
  const { send, busy, problem, go } = useChange('/deployment')
  const { data, error, refetch } = useCall(deploymentCalls.deployment, {}, { refetchInterval: EVERY })
  const found = data?.data
  const tryMail = () =>
    go(async () => {
      const sent = await send(deploymentCalls.tryMail, {})
      notify.done(t('deployment_mail_sent', { address: sent.data.sent_to }))
    })
  if (error && !found)
    return (
      <Page title={t('deployment')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  return (
    <Page
      title={t('deployment')}
      subtitle={found ? t('deployment_as_of', { at: formatInstant(found.now) }) : '\u00A0'}
      action={
        <Button variant="default" loading={busy} onClick={() => void tryMail()}>
          {t('deployment_try_mail')}
        </Button>
      }
    >
      {problem !== null && <Problems error={problem} />}
      {!found ? (
        <Coming />
      ) : (
        <Stack>
          <Installation of={found} />
          <FailedJobs of={found} />
          <Queues of={found} />
        </Stack>
      )}
    </Page>
  )
}

type Deployment = ResponseOf<typeof deploymentCalls.deployment>['data']

/** Version and processes, the database, and whether what it works with answers. */
function Installation({ of: found }: { of: Deployment }) {
  const t = useT('settings')
  return (
    <Cards>
      <Card title={t('deployment_program')}>
        <Facts
          of={[
            [t('deployment_version'), <Code key="v">{found.version}</Code>],
            ['Node.js', <Code key="n">{found.node}</Code>],
            ['PostgreSQL', <Code key="p">{found.database.version}</Code>],
            [t('deployment_started'), formatInstant(found.started_at)],
            [
              t('deployment_credentials_key'),
              t(found.credentials_key ? 'deployment_credentials_key_set' : 'deployment_credentials_key_own'),
            ],
            [
              t('deployment_processes'),
              <span key="c">
                {formatNumber(found.processes.length)}
                {found.processes.map((processe) => (
                  <small key={processe.since}>{formatInstant(processe.since)}</small>
                ))}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card title={t('deployment_database')}>
        <Facts
          of={[
            [t('deployment_size'), formatBytes(found.database.bytes)],
            [
              t('deployment_connections'),
              `${formatNumber(found.database.connections)} / ${formatNumber(found.database.most_connections)}`,
            ],
            [
              t('deployment_migrations'),
              <span key="m">
                {formatNumber(found.migrations.ran)} <Code>{found.migrations.last}</Code>
              </span>,
            ],
            [
              t('deployment_pending'),
              found.migrations.pending.length ? (
                <Status key="f" is="failed" label={found.migrations.pending.join(', ')} />
              ) : (
                t('deployment_none')
              ),
            ],
            [
              t('deployment_backup'),
              found.backup
                ? `${formatInstant(found.backup.at)} · ${formatBytes(found.backup.bytes)}`
                : t('deployment_no_backup'),
            ],
            [
              t('deployment_papers'),
              found.papers
                ? t(found.papers.made ? 'deployment_papers_made' : 'deployment_papers_given', {
                    until: formatDate(found.papers.until),
                  })
                : t('deployment_none'),
            ],
          ]}
        />
      </Card>
      <Card title={t('deployment_reached')}>
        <Facts
          of={[
            ...found.checks.map(
              (check) =>
                [
                  t(`deployment_check_${check.name}`),
                  <span key={check.name}>
                    <Status
                      is={check.state === 'ok' ? 'ready' : check.state === 'failed' ? 'failed' : 'closed'}
                      label={t(`deployment_${check.state}`)}
                    />
                    {check.fault ? (
                      <Code>{check.fault}</Code>
                    ) : (
                      check.ms !== null && <small>{formatNumber(check.ms)} ms</small>
                    )}
                  </span>,
                ] as const,
            ),
            [t('deployment_mails_waiting'), formatNumber(found.mails_waiting)],
            [
              t('deployment_disk'),
              found.disk
                ? t('deployment_free', {
                    free: formatBytes(found.disk.free),
                    total: formatBytes(found.disk.total),
                  })
                : t('deployment_elsewhere'),
            ],
          ]}
        />
      </Card>
    </Cards>
  )
}

/** Jobs that failed, each to be tried once more. */
function FailedJobs({ of: found }: { of: Deployment }) {
  const t = useT('settings')
  const lang = useLanguage()
  const { send } = useChange('/deployment')
  const retry = (row: { readonly job: string; readonly name: string }) =>
    send(deploymentCalls.retryJob, { params: { id: row.job } })
      .then(() => notify.done(t('deployment_retried', { name: row.name })))
      .catch((failed: unknown) => notify.error(failed))
  return (
    <Card title={t('deployment_failed_jobs')}>
      <DataTable
        caption={t('deployment_failed_jobs')}
        rows={found.failed.map((row, i) => ({ ...row, id: i, job: row.id }))}
        expected={3}
        empty={<Empty title={t('deployment_no_failed')} />}
        rowName={(row) => row.name}
        actions={(row) =>
          row.can_retry ? [{ key: 'retry', label: t('deployment_retry'), onSelect: () => void retry(row) }] : []
        }
        columns={[
          { key: 'name', label: ['Job', 'المهمة'], width: 200, cell: (row) => <Code>{row.name}</Code> },
          { key: 'at', label: ['When', 'الوقت'], width: 180, cell: (row) => formatInstant(row.at) },
          {
            key: 'error',
            label: ['Why', 'السبب'],
            width: 420,
            cell: (row) => row.error && <bdi>{label([row.error.en, row.error.ar], lang)}</bdi>,
          },
        ]}
      />
      <OnlyFirst rows={found.failed.length} most={MOST_FAILED} />
    </Card>
  )
}

/** How many jobs wait, run, were done. */
function Queues({ of: found }: { of: Deployment }) {
  const t = useT('settings')
  return (
    <Card title={t('deployment_queues')}>
      <DataTable
        caption={t('deployment_queues')}
        rows={found.queues.map((row, i) => ({ ...row, id: i }))}
        expected={5}
        empty={<Empty title={t('deployment_no_jobs')} />}
        rowName={(row) => row.name}
        columns={[
          { key: 'name', label: ['Job', 'المهمة'], width: 220, cell: (row) => <Code>{row.name}</Code> },
          {
            key: 'waiting',
            label: ['Waiting', 'في الانتظار'],
            width: 110,
            cell: (row) => formatNumber(row.waiting),
          },
          {
            key: 'running',
            label: ['Running', 'قيد التنفيذ'],
            width: 110,
            cell: (row) => formatNumber(row.running),
          },
          {
            key: 'done_today',
            label: ['Done in 24 hours', 'أُنجزت خلال 24 ساعة'],
            width: 150,
            cell: (row) => formatNumber(row.done_today),
          },
          {
            key: 'failed_today',
            label: ['Failed in 24 hours', 'فشلت خلال 24 ساعة'],
            width: 150,
            cell: (row) => formatNumber(row.failed_today),
          },
          {
            key: 'oldest',
            label: ['Waits since', 'ينتظر منذ'],
            width: 180,
            cell: (row) => (row.oldest ? formatInstant(row.oldest) : '–'),
          },
        ]}
      />
    </Card>
  )
}
