import { useState } from 'react'
import { DatesBetween } from './dates.web.tsx'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Failed } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ticketCalls, ticketFlow } from './ticket.contract.ts'

/** Figures of the tickets that the reader answers. */
export default function TicketStatistics() {
  const t = useT('conversation')
  const say = useLabel()
  const lang = useLanguage()
  const [span, setSpan] = useState<{ from?: string; to?: string }>({})
  const { data, error, refetch } = useCall(ticketCalls.statistics, { body: span })
  const s = data?.data
  const hours = (minutes: number | null) => (minutes === null ? null : Math.round(minutes / 6) / 10)
  const groups = s?.groups.map((one) => ({
    name: nameOf(one.group, lang),
    count: one.count,
    open: one.open,
    response: hours(one.response),
    resolution: hours(one.resolution),
    response_in_time: one.response_in_time,
    resolution_in_time: one.resolution_in_time,
    score: one.score === null ? null : Number(one.score),
  }))
  const pointLabel = ['Ticket group', 'مجموعة التذاكر'] as const
  return (
    <Page title={t('statistics')} subtitle={t('statistics_text')}>
      <Stack>
        <DatesBetween value={span} onChange={setSpan} />
        {error && !s ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : (
          <Cards even>
            <Chart
              kind="line"
              title={t('by_day')}
              data={s?.days.map((one) => ({ ...one, name: formatDate(one.day, 'short', lang) }))}
              series={[
                { key: 'opened', label: ['Opened', 'فُتحت'] },
                { key: 'resolved', label: ['Resolved', 'محلولة'], tone: 'done' },
              ]}
              pointLabel={['Day', 'اليوم']}
            />
            <Chart
              kind="bar"
              horizontal
              title={t('by_status')}
              data={s?.statuses.map((one) => ({
                name: say(ticketFlow.states.find((state) => state.value === one.status)!.label),
                count: one.count,
              }))}
              series={[{ key: 'count', label: ['Tickets', 'التذاكر'] }]}
              pointLabel={['Status', 'الحالة']}
            />
            <Chart
              kind="bar"
              horizontal
              title={t('median_hours')}
              text={t('median_hours_text')}
              data={groups}
              series={[
                { key: 'response', label: ['First answer', 'أول رد'] },
                { key: 'resolution', label: ['Resolution', 'الحل'] },
              ]}
              pointLabel={pointLabel}
            />
            <Chart
              kind="bar"
              horizontal
              title={t('in_time')}
              range={[0, 100]}
              data={groups}
              series={[
                { key: 'response_in_time', label: ['First answer', 'أول رد'] },
                { key: 'resolution_in_time', label: ['Resolution', 'الحل'] },
              ]}
              pointLabel={pointLabel}
            />
            <Chart
              kind="bar"
              horizontal
              title={t('satisfaction')}
              range={[0, 5]}
              data={groups}
              series={[{ key: 'score', label: ['Satisfaction', 'مدى الرضا'] }]}
              pointLabel={pointLabel}
            />
          </Cards>
        )}
      </Stack>
    </Page>
  )
}
