import { IconPlus } from '@tabler/icons-react'
import { useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { FILTERS, columnsOf } from './columns.web.tsx'
import { ticketCalls } from './ticket.contract.ts'
import type { TicketRow } from './ticket.contract.ts'

const COLUMNS = columnsOf(false)
const { status, type, created_at } = FILTERS

/** Tickets that the reader opened. */
export default function MyTickets() {
  const t = useT('conversation')
  return (
    <ListScreen<TicketRow & { [key: string]: unknown }>
      call={ticketCalls.myTickets}
      title={['My tickets', 'تذاكري']}
      columns={COLUMNS}
      filters={{ status, type, created_at }}
      order={['created_at', 'desc']}
      rowName={(row) => row.number}
      rowHref={(row) => to('/my-tickets/:id', { id: row.id })}
      main={{
        key: 'add',
        label: t('open_ticket'),
        icon: <IconPlus size={16} aria-hidden />,
        href: to('/my-tickets/add'),
      }}
      empty={{ title: t('none_asked'), text: t('none_asked_text') }}
    />
  )
}
