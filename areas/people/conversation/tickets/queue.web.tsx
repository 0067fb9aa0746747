import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Name, useShortcut } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatAgo, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useNavigate } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import css from '../conversation.module.css'
import { Late } from './columns.web.tsx'
import { OPEN_TICKET_STATES, ticketCalls, ticketFlow } from './ticket.contract.ts'

const FIRST = 50
const LABEL = ['Wait for us', 'بانتظارنا'] as const

/** The tickets that wait for the reader's groups, longest first, and how one goes through them from one that is open. */
export function useQueue(id: number, shown: boolean) {
  const t = useT('conversation')
  const navigate = useNavigate()
  const { most, more } = useMost(FIRST, MOST_OF_PAGE)
  const { data } = useCall(
    ticketCalls.listTickets,
    {
      body: {
        page: 1,
        perPage: most,
        order_by: 'created_at',
        order_direction: 'asc',
        filters: { status: [...OPEN_TICKET_STATES] },
      },
    },
    { enabled: shown, placeholderData: keepPreviousData, refetchInterval: 60_000 },
  )
  const rows = data?.data
  const at = rows?.findIndex((row) => row.id === id) ?? -1
  /** Who came from elsewhere begins with the first. */
  const beside = (by: number) => (at < 0 ? rows?.[0] : rows?.[at + by])
  const go = (by: number) => {
    const next = beside(by)
    if (next && next.id !== id) void navigate(to('/tickets/:id', { id: next.id }))
  }
  useShortcut('j', () => go(1), shown && rows?.length ? t('next_ticket') : null)
  useShortcut('k', () => go(-1), shown && rows?.length ? t('previous_ticket') : null)
  return {
    rows,
    /** Beneath the list: how many more there are, and the way to them. */
    others: data && <MoreRows shown={data.data.length} total={data.meta.count} onMore={more} />,
    /** What was decided leaves the list: the one after it opens, else the one before. */
    leave: () => {
      const next = at < 0 ? undefined : (rows?.[at + 1] ?? rows?.[at - 1])
      if (next) void navigate(to('/tickets/:id', { id: next.id }))
    },
  }
}

/** The list at the start side of a ticket. */
export function Queue({ id, rows, others }: { id: number } & Pick<ReturnType<typeof useQueue>, 'rows' | 'others'>) {
  const say = useLabel()
  const list = useRef<HTMLUListElement>(null)
  const there = rows?.some((row) => row.id === id)
  // The one that is open is in sight, however far down it stands.
  useEffect(() => {
    if (there) list.current?.querySelector(`[data-id="${id}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, there])
  if (!rows) return <Bone height={320} />
  return (
    <nav className={css.queue} aria-label={say(LABEL)}>
      <h2>{say(LABEL)}</h2>
      <ul ref={list}>
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to={to('/tickets/:id', { id: row.id })}
              data-id={row.id}
              aria-current={row.id === id ? 'page' : undefined}
            >
              <span>
                <Name row={row.asker} />
                <small>{formatAgo(row.created_at)}</small>
              </span>
              <bdi>{row.subject}</bdi>
              <span>
                <StateBadge flow={ticketFlow} state={row.status} />
                {row.late ? <Late /> : null}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {others}
    </nav>
  )
}
