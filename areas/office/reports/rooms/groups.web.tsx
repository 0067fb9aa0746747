import { SegmentedControl } from '@mantine/core'
import { REST_DAYS } from '#areas/study/offerings/slots/slots.rules.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, formatPercent, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { ROOM_GROUPS, type RoomUse, type RoomUseGroup } from './rooms.contract.ts'
import { groupShares, minutesThere } from './rooms.rules.ts'
import type { RoomUseAddress } from './use-room-use.web.ts'
import css from './rooms.module.css'

export const percent = (share: number | null): string => (share === null ? '–' : formatPercent(share / 100, 0))

/** Use by building, room or faculty, within the chosen day and hour. */
export function GroupTable({ use, address }: { use: RoomUse; address: RoomUseAddress }) {
  const t = useT('reports')
  const { asked, by, at, set } = address
  const { most, more } = useMost()
  const minutes = minutesThere(use, asked, REST_DAYS)
  const rows = use[by]
  const href = ({ of }: RoomUseGroup): string | null =>
    of === null
      ? null
      : by === 'room'
        ? to('/location/schedule/:id', { id: of.id })
        : at(by === 'building' ? { building: of.id, by: 'room' } : { faculty: of.id })
  return (
    <Card
      title={t(`room_by_${by}`)}
      text={t(by === 'faculty' ? 'room_by_faculty_text' : 'room_by_text')}
      aside={
        <SegmentedControl
          className="no-print"
          size="xs"
          aria-label={t('rows_by')}
          value={by}
          onChange={(value) => set({ by: value === 'building' ? null : value })}
          data={ROOM_GROUPS.map((value) => ({ value, label: t(`room_${value}`) }))}
        />
      }
    >
      <Table
        label={t(`room_by_${by}`)}
        className={css.table}
        rows={rows.slice(0, most)}
        rowKey={(row) => row.of?.id ?? 0}
        empty={t('nothing_matches')}
        columns={[
          {
            key: 'of',
            label: t(`room_${by}`),
            head: true,
            cell: (row) => {
              const name = row.of ? nameOf(row.of) : t('room_university')
              const link = href(row)
              return link ? <Link to={link}>{name}</Link> : name
            },
          },
          by === 'building' && {
            key: 'rooms',
            label: t('room_rooms'),
            figure: true,
            cell: (row) => formatNumber(row.rooms),
          },
          by !== 'faculty' && {
            key: 'seats',
            label: t('room_seats'),
            figure: true,
            cell: (row) => formatNumber(row.seats),
          },
          { key: 'meetings', label: t('room_meetings'), figure: true, cell: (row) => formatNumber(row.meetings) },
          {
            key: 'time',
            label: t('room_share'),
            figure: true,
            cell: (row) => percent(groupShares(row, minutes).room_share),
          },
          {
            key: 'taken',
            label: t('room_seat_share'),
            figure: true,
            cell: (row) => percent(groupShares(row, minutes).seat_share),
          },
        ]}
      />
      <MoreRows shown={Math.min(most, rows.length)} total={rows.length} onMore={more} />
    </Card>
  )
}
