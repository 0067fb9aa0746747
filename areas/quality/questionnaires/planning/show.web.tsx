import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act, Failed, Status } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatDate, formatNumber, formatPercent, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { ResponseOf } from '#kit/contract/call.ts'
import { Outsiders } from '../outsiders/list.web.tsx'
import { questionnaireCalls, QUESTIONNAIRE_STATES } from './questionnaire.contract.ts'

type Shown = ResponseOf<typeof questionnaireCalls.show>['data']

/** A questionnaire: how far it is, how many have answered, and who has not. */
export default function ShowQuestionnaire() {
  const t = useT('questionnaires')
  const say = useLabel()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(questionnaireCalls.show, { params: { id } })
  const of = data?.data
  const state = QUESTIONNAIRE_STATES.find(({ value }) => value === of?.status)
  return (
    <Page
      title={of?.type}
      subtitle={of ? t('days', { from: formatDate(of.opens_on), until: formatDate(of.closes_on) }) : '\u00A0'}
      facts={[
        { label: t('state'), value: of && state ? say(state.label) : '–' },
        { label: t('asked'), value: of ? formatNumber(of.asked) : '–' },
        { label: t('answered'), value: of ? formatNumber(of.answered) : '–' },
        { label: t('rate'), value: of?.asked ? formatPercent(of.answered / of.asked) : '–' },
      ]}
      action={of && <Actions of={of} />}
    >
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={320} />
      ) : (
        <Body of={of} />
      )}
    </Page>
  )
}

function Actions({ of }: { of: Shown }) {
  const t = useT('questionnaires')
  const { may } = useMe()
  const { send } = useChange('/questionnaires')
  const params = { id: of.id }
  if (of.status === 'closed' || !may('edit_questionnaire')) return null
  const toggle = () =>
    act({
      go: () => send(questionnaireCalls.toggle, { params }),
      done: () => t(of.status === 'open' ? 'now_paused' : 'now_open'),
    })
  const close = () =>
    act({
      ask: { title: t('close_ask'), consequence: t('close_text'), action: t('close'), danger: true },
      go: () => send(questionnaireCalls.close, { params }),
      done: () => t('now_closed'),
    })
  return (
    <>
      <Button onClick={() => void toggle()}>
        {t(of.status === 'open' ? 'pause' : of.status === 'paused' ? 'go_on' : 'open')}
      </Button>
      {of.status !== 'planned' && (
        <Button variant="default" onClick={() => void close()}>
          {t('close')}
        </Button>
      )}
    </>
  )
}

function Body({ of }: { of: Shown }) {
  const t = useT('questionnaires')
  const outside = of.kind === 'outsider'
  if (of.status === 'planned')
    return (
      <Stack>
        <Card title={t('not_open')}>{t('not_open_text')}</Card>
        {outside && <Outsiders id={of.id} />}
      </Stack>
    )
  if (of.counted_on !== null || of.status === 'closed')
    return (
      <Card title={t('results')} text={t('who_is_gone')}>
        <Button component={Link} to={to('/questionnaires/statistics/show/:id', { id: of.id })} variant="default">
          {t('see_results')}
        </Button>
      </Card>
    )
  return <Stack>{outside ? <Outsiders id={of.id} /> : <Participants id={of.id} />}</Stack>
}

function Participants({ id }: { id: number }) {
  const t = useT('questionnaires')
  const { most, more } = useMost()
  const { data, error, refetch } = useCall(
    questionnaireCalls.participants,
    { params: { id }, query: { most } },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={260} />
  return (
    <Card title={t('participants')} text={t('participants_text')}>
      <Table
        label={t('participants')}
        rows={data.data}
        rowKey={(row) => row.id}
        columns={[
          { key: 'name', label: t('name'), head: true, cell: (row) => nameOf(row) },
          {
            key: 'state',
            label: t('state'),
            cell: (row) => (
              <Status is={row.answered ? 'finished' : 'waits'} label={t(row.answered ? 'answered' : 'not_answered')} />
            ),
          },
        ]}
      />
      <MoreRows shown={data.data.length} total={data.total} onMore={more} />
    </Card>
  )
}
