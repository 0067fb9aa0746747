import { Button } from '@mantine/core'
import { IconBan, IconCalendarEvent } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act, Empty, Failed, Name, notify, Status } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatDate, formatInstant, formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { MenuItems } from '#kit/web/list/main-button.tsx'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { OrganisationQuestion } from '../organisations/question.web.tsx'
import { AFTER_TRAINING } from '../students-trainings/after.web.ts'
import { studentTrainingFlow } from '../students-trainings/student-training.contract.ts'
import { trainingOverviewCalls as calls, type TrainingAsker, type TrainingOverview } from './overview.contract.ts'
import css from '../trainings.module.css'

/** One training: places by week, the question to its organisation, and its students. */
export default function TrainingOverviewScreen() {
  const t = useT('trainings')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.overview, { params: { id } })
  const of = data?.data
  return (
    <Page
      title={of ? nameOf(of) : t('weeks_and_students')}
      subtitle={
        of
          ? `${nameOf(of.organisation)} · ${t('from_until', { from: formatDate(of.starts_on), until: formatDate(of.ends_on) })}`
          : '\u00A0'
      }
      menu={of && <OverviewMenu of={of} />}
    >
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={320} />
      ) : (
        <Stack>
          {of.called_off && <CalledOff of={of} />}
          <Weeks of={of} />
          <Question of={of} />
          <Askers id={id} />
        </Stack>
      )}
    </Page>
  )
}

function OverviewMenu({ of }: { of: TrainingOverview }) {
  const t = useT('trainings')
  const navigate = useNavigate()
  const { send } = useChange(...AFTER_TRAINING)
  const callOff = async () => {
    let ended = 0
    const reason = await askReason({
      title: t('call_off_title', { name: nameOf(of) }),
      text: t('call_off_text'),
      action: t('call_off'),
      danger: true,
      go: async (given) => {
        ended = (await send(calls.callOff, { params: { id: of.id }, body: { reason: given } })).data.ended
      },
    })
    if (reason !== null) notify.done(t('called_off_done', { count: ended }))
  }
  return (
    <MenuItems
      actions={[
        ...(of.has_interview
          ? [
              {
                key: 'interviews',
                label: t('interviews'),
                icon: <IconCalendarEvent size={15} aria-hidden />,
                onSelect: () => void navigate(to('/trainings/interviews/:id', { id: of.id })),
              },
            ]
          : []),
        ...(of.called_off
          ? []
          : [
              {
                key: 'call_off',
                label: t('call_off'),
                icon: <IconBan size={15} aria-hidden />,
                onSelect: () => void callOff(),
              },
            ]),
      ]}
    />
  )
}

function CalledOff({ of }: { of: TrainingOverview }) {
  const t = useT('trainings')
  const { send } = useChange(...AFTER_TRAINING)
  const { at, reason } = of.called_off!
  return (
    <Card
      title={t('called_off')}
      text={formatInstant(at)}
      aside={
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            void act({
              ask: { title: t('offer_again_question'), consequence: t('offer_again_text'), action: t('offer_again') },
              go: () => send(calls.offerAgain, { params: { id: of.id } }),
              done: () => t('offered_again'),
            })
          }
        >
          {t('offer_again')}
        </Button>
      }
    >
      <p className={css.text} dir="auto">
        {reason}
      </p>
    </Card>
  )
}

function Weeks({ of }: { of: TrainingOverview }) {
  const t = useT('trainings')
  return (
    <Card title={t('by_week')}>
      <Table
        label={t('by_week')}
        rows={of.weeks}
        rowKey={(row) => row.week}
        columns={[
          { key: 'week', label: t('week_label'), head: true, cell: (row) => formatNumber(row.week) },
          {
            key: 'days',
            label: t('days'),
            cell: (row) => t('from_until', { from: formatDate(row.starts_on), until: formatDate(row.ends_on) }),
          },
          { key: 'places', label: t('places'), figure: true, cell: (row) => formatNumber(row.places) },
          { key: 'taken', label: t('taken'), figure: true, cell: (row) => formatNumber(row.taken) },
          {
            key: 'free',
            label: t('free'),
            figure: true,
            cell: (row) => formatNumber(Math.max(0, row.places - row.taken)),
          },
        ]}
      />
    </Card>
  )
}

/** The question to the organisation of a training. */
function Question({ of }: { of: TrainingOverview }) {
  const { send } = useChange(...AFTER_TRAINING)
  return (
    <OrganisationQuestion
      of={of}
      name={nameOf(of.organisation)}
      ask={() => send(calls.askOrganisation, { params: { id: of.id } })}
      end={() => send(calls.endAsk, { params: { id: of.id } })}
    />
  )
}

function Askers({ id }: { id: number }) {
  const t = useT('trainings')
  const me = useMe()
  const { most, more } = useMost()
  const { send } = useChange(...AFTER_TRAINING)
  const { data, error, refetch } = useCall(
    calls.askers,
    { params: { id }, query: { most } },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={200} />
  const answered = data.data.filter((one) => one.status === 'requested' && one.advice !== null)
  const takeOver = () =>
    act({
      ask: {
        title: t('take_over_all'),
        consequence: t('take_over_all_text', {
          yes: answered.filter(({ advice }) => advice!.says).length,
          no: answered.filter(({ advice }) => !advice!.says).length,
        }),
        action: t('take_over'),
      },
      go: async () =>
        (await send(calls.takeOver, { params: { id }, body: { ids: answered.map((one) => one.id) } })).data,
      done: ({ done, failed }) => {
        if (!failed.length) return t('taken_over')
        notify.failed(failed)
        return done.length ? t('taken_over') : null
      },
    })
  return (
    <Card
      title={t('students')}
      aside={
        answered.length > 0 &&
        me.can('decide_studentTraining') && (
          <Button size="compact-sm" variant="default" onClick={() => void takeOver()}>
            {t('take_over_all')}
          </Button>
        )
      }
    >
      {data.data.length === 0 ? (
        <Empty title={t('no_students')} text={t('no_students_text')} />
      ) : (
        <Table label={t('students')} rows={data.data} rowKey={(row) => row.id} columns={columns(t)} />
      )}
      <MoreRows shown={data.data.length} total={data.total} onMore={more} />
    </Card>
  )
}

const columns = (t: ReturnType<typeof useT<'trainings'>>) => [
  {
    key: 'student',
    label: t('student'),
    head: true,
    cell: (row: TrainingAsker) => (
      <Link to={`/students-trainings?view=all&id=${row.id}`}>
        <Name row={row.student} />
      </Link>
    ),
  },
  {
    key: 'wish',
    label: t('wish'),
    figure: true,
    cell: (row: TrainingAsker) => (row.wish === null ? '–' : formatNumber(row.wish)),
  },
  {
    key: 'weeks',
    label: t('weeks'),
    cell: (row: TrainingAsker) =>
      row.from_week === null
        ? t('all_weeks')
        : t('weeks_from', { from: formatNumber(row.from_week), until: formatNumber(row.until_week ?? row.from_week) }),
  },
  {
    key: 'status',
    label: t('status'),
    cell: (row: TrainingAsker) => <StateBadge flow={studentTrainingFlow as never} state={row.status} />,
  },
  {
    key: 'advice',
    label: t('advice'),
    cell: (row: TrainingAsker) =>
      row.advice ? (
        <>
          <Status is={row.advice.says ? 'met' : 'unmet'} label={t(row.advice.says ? 'says_yes' : 'says_no')} />
          {row.advice.reason && <small dir="auto"> {row.advice.reason}</small>}
        </>
      ) : (
        '–'
      ),
  },
  {
    key: 'score',
    label: t('score'),
    figure: true,
    cell: (row: TrainingAsker) => (row.score === null ? '–' : formatNumber(row.score)),
  },
]
