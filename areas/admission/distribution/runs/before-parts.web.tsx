import { NativeSelect } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { admission } from '#areas/admission/admissions/admissions/admission.contract.ts'
import { applicantDeskCalls } from '#areas/admission/applicants/applicant/desk.contract.ts'
import type { ApplicantType } from '#areas/admission/admissions/words.contract.ts'
import { resourceCalls } from '#kit/contract/resource.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatInstant, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton } from '#kit/web/list/main-button.tsx'
import { Link, to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { distributionRunCalls, distributionFlow, distributionRun } from './run.contract.ts'
import css from './run.module.css'

const admissions = resourceCalls(admission)
const runs = resourceCalls(distributionRun)

/** Before a distribution: seats against first wishes, who waits, and the runs so far. */
export function Before({ types }: { types: readonly ApplicantType[] }) {
  const t = useT('distribution')
  const lang = useLanguage()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<number | null>(null)
  const { data, error, refetch } = useCall(admissions.list, {
    body: { perPage: 50, filters: { applicant_type: [...types] }, order_by: 'closes_at', order_direction: 'desc' },
  })
  const list = data?.data ?? []
  // What has closed is distributed; what is still open comes after it.
  const first = list.find(({ state }) => state === 'closed') ?? list[0]
  const shown = list.find(({ id }) => id === chosen) ?? first
  const { job, start, problem, busy } = useDistributing(shown?.id)
  return (
    <Page
      title={t('distribution')}
      subtitle={t('distribution_text')}
      action={
        shown && may('distribute_applicants') ? (
          <MainButton
            action={{
              key: 'distribute',
              label: t('distribute'),
              icon: <IconArrowsSplit2 size={16} aria-hidden />,
              onSelect: () => void start(),
              ...((busy || job) && { disabled: t('distributing') }),
            }}
          />
        ) : undefined
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={420} />
      ) : !shown ? (
        <Empty title={t('no_admission')} text={t('no_admission_text')} />
      ) : (
        <Stack>
          {list.length > 1 && (
            <NativeSelect
              label={t('admission')}
              className={css.select}
              value={shown.id}
              onChange={(event) => setChosen(Number(event.currentTarget.value))}
              data={list.map((one) => ({
                value: String(one.id),
                label: nameOf({ name: one.name ?? '', name_local: one.name_local ?? '' }, lang),
              }))}
            />
          )}
          {problem !== null && <Problems error={problem} />}
          {job && (
            <Suspense fallback={<Bone height={60} />}>
              <ProgressJob
                id={job}
                label={t('distributing')}
                onDone={(result) => void navigate(to('/distribution-runs/:id', { id: (result as { id: number }).id }))}
              />
            </Suspense>
          )}
          <SeatsAndWishes id={shown.id} />
          <Runs id={shown.id} />
        </Stack>
      )}
    </Page>
  )
}

/** Starts a preview, and knows its job. */
function useDistributing(id: number | undefined) {
  const { busy, problem, go, send } = useChange('/distribution-runs')
  const [job, setJob] = useState<string | null>(null)
  const start = () =>
    go(async () => {
      if (id !== undefined)
        setJob((await send(distributionRunCalls.distribute, { body: { admission_id: id } })).data.job_id)
    })
  return { job, start, problem, busy }
}

function SeatsAndWishes({ id }: { id: number }) {
  const t = useT('distribution')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(applicantDeskCalls.report, { body: { admission_id: id } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const shown = data?.data
  const waiting = shown?.by_status.find(({ status }) => status === 'DISTRIBUATION_REQUIRED')?.count ?? 0
  return (
    <Chart
      kind="bar"
      horizontal
      title={t('seats_and_wishes')}
      text={shown ? t('waiting_line', { n: formatNumber(waiting) }) : ' '}
      pointLabel={['Program', 'البرنامج']}
      height={Math.max(240, (shown?.by_program.length ?? 8) * 34)}
      data={shown?.by_program.map(({ program, capacity, first, all }) => ({
        name: nameOf(program, lang),
        capacity,
        first,
        all,
      }))}
      series={[
        { key: 'capacity', label: ['Seats', 'الأماكن'] },
        { key: 'first', label: ['First wishes', 'رغبة أولى'] },
        { key: 'all', label: ['All wishes', 'كل الرغبات'] },
      ]}
    />
  )
}

function Runs({ id }: { id: number }) {
  const t = useT('distribution')
  const say = useLabel()
  const lang = useLanguage()
  const { most, more } = useMost(20, MOST_OF_PAGE)
  const { data, error, refetch } = useCall(runs.list, {
    body: { perPage: most, filters: { admission_id: [id] }, order_by: 'created_at', order_direction: 'desc' },
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Card title={t('runs')}>
      {!data ? (
        <Bone height={160} />
      ) : data.data.length === 0 ? (
        <Empty title={t('no_runs')} text={t('no_runs_text')} />
      ) : (
        <>
          <Table
            label={t('runs')}
            rows={data.data}
            rowKey={(run) => run.id}
            columns={[
              {
                key: 'code',
                label: say(distributionRun.fields.code.label),
                head: true,
                cell: (run) => (
                  <Link to={to('/distribution-runs/:id', { id: run.id })}>
                    <Code>{run.code}</Code>
                  </Link>
                ),
              },
              {
                key: 'made',
                label: say(distributionRun.fields.created_at.label),
                cell: (run) => (run.created_at ? formatInstant(run.created_at, lang) : '–'),
              },
              {
                key: 'status',
                label: say(distributionRun.fields.status.label),
                cell: (run) => {
                  const state = distributionFlow.states.find(({ value }) => value === run.status)
                  return state && <Status tone={state.tone} label={say(state.label)} />
                },
              },
              {
                key: 'round',
                label: say(distributionRun.fields.round.label),
                figure: true,
                cell: (run) => formatNumber(run.round ?? 1),
              },
              {
                key: 'applicants',
                label: say(distributionRun.fields.applicants.label),
                figure: true,
                cell: (run) => formatNumber(run.applicants ?? 0),
              },
              {
                key: 'assigned',
                label: say(distributionRun.fields.assigned.label),
                figure: true,
                cell: (run) => formatNumber(run.assigned ?? 0),
              },
            ]}
          />
          <MoreRows shown={data.data.length} total={data.meta.count} onMore={more} />
        </>
      )}
    </Card>
  )
}
