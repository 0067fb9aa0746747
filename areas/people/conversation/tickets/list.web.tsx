import { IconChartBar } from '@tabler/icons-react'
import { useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { FILTERS, columnsOf } from './columns.web.tsx'
import { OPEN_TICKET_STATES, ticketCalls, ticketFields, ticketFlow, ticketSteps } from './ticket.contract.ts'
import type { TicketRow } from './ticket.contract.ts'

const COLUMNS = columnsOf(true)
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`
const VIEWS = [
  {
    key: 'waiting',
    label: ['Wait for us', 'بانتظارنا'] as const,
    query: view({ status: OPEN_TICKET_STATES }),
  },
  {
    key: 'late',
    label: ['Late', 'متأخرة'] as const,
    query: view({ status: ['open', 'reopened', 'in_progress', 'waiting'], late: true }),
  },
]

/** Tickets of the groups of which the reader is a member. */
export default function Tickets() {
  const t = useT('conversation')
  const steps = useSteps<never, never, TicketRow>(ticketFlow as never, ticketSteps as never, {
    name: (row) => row.number,
    refreshes: ['/tickets', '/my-tickets'],
  })
  return (
    <ListScreen<TicketRow & { [key: string]: unknown }>
      call={ticketCalls.listTickets}
      title={['Tickets', 'التذاكر']}
      columns={COLUMNS}
      filters={FILTERS}
      views={VIEWS}
      order={['created_at', 'desc']}
      rowName={(row) => row.number}
      rowHref={(row) => to('/tickets/:id', { id: row.id })}
      actions={steps.actions}
      bulk={steps.bulk}
      menu={[
        {
          key: 'statistics',
          label: t('statistics'),
          icon: <IconChartBar size={15} />,
          href: to('/tickets/statistics'),
        },
      ]}
      exports={{
        xlsx: ticketCalls.exportTickets,
        columns: Object.entries(ticketFields).map(([key, field]) => ({ key, label: field.label })),
      }}
      empty={{ title: t('none_handled'), text: t('none_handled_text') }}
    />
  )
}
