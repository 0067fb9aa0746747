import { Button } from '@mantine/core'
import { IconBed } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, act } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatInstant, formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { BED_PRIORITIES, stayFields } from '../stays/stay.contract.ts'
import { STAY_PATHS } from '../stays/use-steps.web.ts'
import { Days, Guest } from '../stays/words.web.tsx'
import css from '../hotels.module.css'
import { waitingCalls } from './waiting.contract.ts'

/** Those who wait for a bed, in the order in which beds are given, with the bed that each would be given now. */
export function WaitingTab() {
  const t = useT('hotels')
  const say = useLabel()
  const { most, more } = useMost()
  const { data, error, refetch } = useCall(
    waitingCalls.waitingList,
    { query: { most } },
    { placeholderData: keepPreviousData },
  )
  const { send } = useChange(...STAY_PATHS)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  if (!data.data.length) return <Empty title={t('nobody_waits')} text={t('nobody_waits_text')} />
  const places = data.data.filter((row) => row.bed !== null).length
  const give = () =>
    void act({
      ask: {
        title: t('give_question'),
        consequence: t('give_consequence'),
        action: t('give'),
      },
      go: () => send(waitingCalls.giveWaiting, { body: {} }),
      done: ({ data: { given, waiting } }) => t('given', { count: given, waiting }),
    })
  return (
    <>
      <div className={css.tools}>
        <span className="grow">{t('order_text')}</span>
        <Button leftSection={<IconBed size={16} aria-hidden />} onClick={give} disabled={!places}>
          {t('give')}
        </Button>
      </div>
      <Table
        label={t('waiting')}
        rows={data.data}
        rowKey={(row) => row.id}
        columns={[
          { key: 'place', label: t('place'), figure: true, cell: (row) => formatNumber(row.place) },
          {
            key: 'who',
            label: t('guest'),
            head: true,
            cell: (row) => (
              <Link to={to('/reservation/:id', { id: row.id })}>
                <Guest row={{ ...row, group: null }} />
              </Link>
            ),
          },
          { key: 'days', label: t('days'), cell: (row) => <Days from={row.from_day} until={row.until_day} /> },
          {
            key: 'priority',
            label: say(stayFields.priority.label),
            cell: (row) => {
              const known = BED_PRIORITIES.find((one) => one.value === row.priority)
              return known ? say(known.label) : row.priority
            },
          },
          {
            key: 'distance',
            label: t('distance'),
            figure: true,
            cell: (row) => (row.distance_km === null ? '–' : formatNumber(row.distance_km)),
          },
          { key: 'asked', label: say(stayFields.asked_at.label), cell: (row) => formatInstant(row.asked_at) },
          {
            key: 'bed',
            label: t('bed_now'),
            cell: (row) => (row.bed === null ? <span className={css.dim}>{t('no_bed')}</span> : <Code>{row.bed}</Code>),
          },
        ]}
      />
      <MoreRows shown={data.data.length} total={data.total} onMore={more} />
    </>
  )
}
