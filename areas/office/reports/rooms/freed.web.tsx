import { NumberInput } from '@mantine/core'
import { REST_DAYS } from '#areas/study/offerings/slots/slots.rules.ts'
import { meetingType, WEEKDAYS } from '#kit/contract/week.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { percent } from './groups.web.tsx'
import type { RoomUse } from './rooms.contract.ts'
import { clockOf, groupShares, idleHours, minutesThere, roomsUnder } from './rooms.rules.ts'
import type { RoomUseAddress } from './use-room-use.web.ts'
import css from './rooms.module.css'

/** What could be freed: rooms that are little used, meetings in rooms too large, hours nobody uses. */
export function FreedRooms(of: { use: RoomUse; address: RoomUseAddress; more: (() => void) | undefined }) {
  return (
    <>
      <LittleUsed {...of} />
      <TooLarge {...of} />
      <Idle {...of} />
    </>
  )
}

function LittleUsed({ use, address: { asked, share, set } }: { use: RoomUse; address: RoomUseAddress }) {
  const t = useT('reports')
  const { most, more } = useMost(20)
  const minutes = minutesThere(use, asked, REST_DAYS)
  const rows = roomsUnder(use, minutes, share)
  return (
    <Card
      title={t('room_little')}
      text={t('room_little_text', { n: formatNumber(rows.length), share: percent(share) })}
      aside={
        <NumberInput
          className={`${css.limit} no-print`}
          size="xs"
          label={t('room_under')}
          suffix=" %"
          min={1}
          max={100}
          allowDecimal={false}
          clampBehavior="strict"
          value={share}
          onChange={(value) => typeof value === 'number' && value >= 1 && set({ share: value })}
        />
      }
    >
      <Table
        label={t('room_little')}
        className={css.table}
        rows={rows.slice(0, most)}
        rowKey={(row) => row.of!.id}
        empty={t('room_little_none')}
        columns={[
          {
            key: 'room',
            label: t('room_room'),
            head: true,
            cell: ({ of }) => <Link to={to('/location/schedule/:id', { id: of!.id })}>{nameOf(of)}</Link>,
          },
          { key: 'seats', label: t('room_seats'), figure: true, cell: (row) => formatNumber(row.seats) },
          { key: 'meetings', label: t('room_meetings'), figure: true, cell: (row) => formatNumber(row.meetings) },
          {
            key: 'time',
            label: t('room_share'),
            figure: true,
            cell: (row) => percent(groupShares(row, minutes).room_share),
          },
        ]}
      />
      <MoreRows shown={Math.min(most, rows.length)} total={rows.length} onMore={more} />
    </Card>
  )
}

function TooLarge({
  use,
  address: { times, set },
  more,
}: {
  use: RoomUse
  address: RoomUseAddress
  more: (() => void) | undefined
}) {
  const t = useT('reports')
  const say = useLabel()
  const { may } = useMe()
  const { wide } = use
  return (
    <Card
      title={t('room_wide')}
      text={t('room_wide_text', { n: formatNumber(wide.count), times: formatNumber(times) })}
      aside={
        <NumberInput
          className={`${css.limit} no-print`}
          size="xs"
          label={t('room_times')}
          prefix="× "
          min={2}
          max={50}
          allowDecimal={false}
          clampBehavior="strict"
          value={times}
          onChange={(value) => typeof value === 'number' && value >= 2 && set({ times: value })}
        />
      }
    >
      <Table
        label={t('room_wide')}
        className={css.table}
        rows={wide.rows}
        rowKey={(row) => row.id}
        empty={t('room_wide_none')}
        columns={[
          {
            key: 'course',
            label: t('room_meeting'),
            head: true,
            cell: (row) => {
              const words = [row.course.code, say(meetingType(row.type)), t('room_group', { number: row.group })]
              const text = words.filter(Boolean).join(' · ')
              return may('access_offering') ? (
                <Link to={to('/offering/:id', { id: row.offering_id })}>{text}</Link>
              ) : (
                <Link to={to('/offerings/schedule/:id', { id: row.offering_id })}>{text}</Link>
              )
            },
          },
          {
            key: 'when',
            label: t('room_when'),
            cell: (row) => (
              <>
                {say(WEEKDAYS[row.day]!)} <bdi>{`${row.from}–${row.to}`}</bdi>
              </>
            ),
          },
          {
            key: 'room',
            label: t('room_room'),
            cell: ({ room }) => <Link to={to('/location/schedule/:id', { id: room.id })}>{nameOf(room)}</Link>,
          },
          { key: 'seats', label: t('room_seats'), figure: true, cell: (row) => formatNumber(row.capacity) },
          { key: 'taken', label: t('room_students'), figure: true, cell: (row) => formatNumber(row.taken) },
        ]}
      />
      <MoreRows shown={wide.rows.length} total={wide.count} onMore={more} />
    </Card>
  )
}

function Idle({ use, address: { at } }: { use: RoomUse; address: RoomUseAddress }) {
  const t = useT('reports')
  const say = useLabel()
  const spans = idleHours(use, REST_DAYS)
  return (
    <Card title={t('room_idle')} text={t(spans.length ? 'room_idle_text' : 'room_idle_none')}>
      {spans.length > 0 && (
        <ul className={css.idle}>
          {spans.map(({ day, from, to: until }) => (
            <li key={`${day} ${from}`}>
              <Link to={at({ day, hour: from })}>
                {say(WEEKDAYS[day]!)} <bdi>{`${clockOf(from)}–${clockOf(until)}`}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
