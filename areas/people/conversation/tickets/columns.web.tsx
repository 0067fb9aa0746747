import { Code, Name, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import type { Column } from '#kit/web/list/columns.ts'
import { ticketFields } from './ticket.contract.ts'
import type { TicketRow } from './ticket.contract.ts'

const F = ticketFields
/** Filters of lists of tickets. */
export const FILTERS = {
  status: F.status,
  group_id: F.group_id,
  type: F.type,
  late: F.late,
  created_at: F.created_at,
  score: F.score,
}

/** Working hours that passed, as people say them. */
export function Hours({ minutes }: { minutes: number | null }) {
  const t = useT('conversation')
  return minutes === null ? <>–</> : <>{t('hours', { hours: formatNumber(minutes / 60, minutes < 600 ? 1 : 0) })}</>
}
/** Says that the group has not kept what it promises. */
export function Late() {
  const t = useT('conversation')
  return <Status is="late" label={t('late')} />
}

const NUMBER: Column<TicketRow> = {
  key: 'number',
  label: F.number.label,
  sort: true,
  width: 130,
  cell: (row) => <Code>{row.number}</Code>,
}
const SUBJECT: Column<TicketRow> = {
  key: 'subject',
  label: F.subject.label,
  width: 320,
  cell: (row) => <bdi>{row.subject}</bdi>,
}

/** Columns of a list of tickets; `asker`: with who asked. */
export const columnsOf = (asker: boolean): readonly Column<TicketRow>[] => [
  // Who asked knows what it was about, not its number.
  ...(asker ? [NUMBER, SUBJECT] : [SUBJECT, NUMBER]),
  ...(asker
    ? [
        {
          key: 'asker',
          label: ['Who asked', 'صاحب التذكرة'] as const,
          width: 190,
          cell: (row: TicketRow) => <Name row={row.asker} />,
        },
      ]
    : []),
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 200 },
  {
    key: 'group_id',
    label: F.group_id.label,
    sort: true,
    width: 170,
    cell: (row) => <Name row={row.group} />,
    exports: ['group_id'],
  },
  { key: 'type', label: F.type.label, field: F.type, width: 110 },
  { key: 'created_at', label: F.created_at.label, field: F.created_at, sort: true },
  ...(asker
    ? [
        {
          key: 'late',
          label: ['Answered after', 'مدة أول رد'] as const,
          width: 150,
          cell: (row: TicketRow) => (row.late ? <Late /> : <Hours minutes={row.response_minutes} />),
        },
      ]
    : []),
]
