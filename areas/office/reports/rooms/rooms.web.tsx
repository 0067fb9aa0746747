import { SegmentedControl, Select } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { REST_DAYS } from '#areas/study/offerings/slots/slots.rules.ts'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import { WEEKDAYS } from '#kit/contract/week.ts'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { HeatMap } from '#kit/web/charts/heat-map.tsx'
import { Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { useMost } from '#kit/web/feedback/more-rows.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { fileActions } from '../financial/parts.web.tsx'
import { FreedRooms } from './freed.web.tsx'
import { GroupTable } from './groups.web.tsx'
import { ROOM_TYPES, roomUseCalls, type RoomUse } from './rooms.contract.ts'
import { clockOf, daysShown, hoursOf, mapCell, minutesThere } from './rooms.rules.ts'
import { useRoomUse, type RoomUseAddress } from './use-room-use.web.ts'
import bar from '../financial/financial.module.css'
import css from './rooms.module.css'

/** Rooms, hours and seats that are used, against those that are there: “Tuesdays at ten” is an address. */
export default function UseOfRooms() {
  const t = useT('reports')
  const lang = useLanguage()
  const address = useRoomUse()
  const { most, more } = useMost()
  const { asked, by, share, seats } = address
  const { data, error, refetch, isPlaceholderData } = useCall(
    roomUseCalls.read,
    { body: { ...asked, most } },
    { placeholderData: keepPreviousData },
  )
  const use = data?.data
  const { problem, go } = useChange()
  const { main, menu } = fileActions(
    t,
    lang,
    (paper, type) =>
      void go(() =>
        download(roomUseCalls.file, { params: { lang: paper, type }, body: { ...asked, by, share, seats } }),
      ),
  )
  return (
    <Page
      title={t('room_use')}
      subtitle={use?.term ? nameOf(use.term) : '\u00A0'}
      action={<MainButton action={main} />}
      menu={<MenuItems actions={menu} />}
      wide
    >
      <Stack busy={isPlaceholderData}>
        {problem !== null && <Problems error={problem} />}
        <RoomFilters address={address} use={use} />
        {error && !use ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !use ? (
          <Bone height={520} />
        ) : use.rooms === 0 ? (
          <Empty title={t('room_none')} text={t('room_none_text')} />
        ) : (
          <>
            <Answer {...{ use, address }} />
            <Map {...{ use, address }} />
            <GroupTable {...{ use, address }} />
            <FreedRooms {...{ use, address, more }} />
            <p className={css.note}>{t('room_note')}</p>
          </>
        )}
      </Stack>
    </Page>
  )
}

function RoomFilters({ address, use }: { address: RoomUseAddress; use: RoomUse | undefined }) {
  const t = useT('reports')
  const say = useLabel()
  const { asked, set } = address
  const days = (use ? daysShown(use, REST_DAYS) : []).concat(asked.day ?? [])
  const hours = (use ? hoursOf(use) : []).concat(asked.hour ?? [])
  const once = (list: readonly number[]) => [...new Set(list)].toSorted((a, b) => a - b)
  return (
    <section className={bar.bar} aria-label={t('filters')}>
      <TermPicker
        size="sm"
        current
        label={t('filter_term')}
        value={asked.term_id ?? null}
        onChange={(id) => set({ term: id })}
      />
      <Select
        label={t('room_day')}
        placeholder={t('filter_any')}
        data={once(days).map((day) => ({ value: String(day), label: say(WEEKDAYS[day]!) }))}
        value={asked.day === undefined ? null : String(asked.day)}
        clearable
        onChange={(value) => set({ day: value })}
      />
      <Select
        label={t('room_hour')}
        placeholder={t('filter_any')}
        data={once(hours).map((hour) => ({ value: String(hour), label: clockOf(hour) }))}
        value={asked.hour === undefined ? null : String(asked.hour)}
        clearable
        onChange={(value) => set({ hour: value })}
      />
      <LookupInput
        key={`building ${asked.building_id ?? ''}`}
        resource="building"
        label={t('room_building')}
        placeholder={t('filter_any')}
        defaultValue={asked.building_id ?? null}
        onChange={(value) => set({ building: value })}
      />
      <LookupInput
        key={`faculty ${asked.faculty_id ?? ''}`}
        resource="faculty"
        label={t('filter_faculty')}
        placeholder={t('filter_any')}
        defaultValue={asked.faculty_id ?? null}
        onChange={(value) => set({ faculty: value })}
      />
      <Select
        label={t('room_type')}
        placeholder={t('filter_any')}
        data={ROOM_TYPES.map((one) => ({ value: one.value, label: say(one.label) }))}
        value={asked.location_type ?? null}
        clearable
        onChange={(value) => set({ type: value })}
      />
    </section>
  )
}

/** What was asked, in figures: of the chosen day and hour, or of the week. */
function Answer({ use, address: { asked } }: { use: RoomUse; address: RoomUseAddress }) {
  const t = useT('reports')
  const say = useLabel()
  const { day, hour } = asked
  const minutes = minutesThere(use, asked, REST_DAYS)
  const cells = use.cells.filter(
    (cell) => (day === undefined || cell.day === day) && (hour === undefined || cell.hour === hour),
  )
  const sum = (key: 'minutes' | 'seat_minutes') => cells.reduce((all, cell) => all + cell[key], 0)
  const share = (used: number, there: number) => (there ? formatPercent(Math.min(1, used / there), 0) : '–')
  const when = [
    day === undefined ? t('room_week') : say(WEEKDAYS[day]!),
    ...(hour === undefined ? [] : [`${clockOf(hour)}–${clockOf(hour + 1)}`]),
  ].join(' · ')
  const one = day !== undefined && hour !== undefined ? mapCell(use, day, hour) : null
  const tiles = [
    {
      label: t('room_share'),
      value: share(sum('minutes'), minutes * use.rooms),
      text: one
        ? t('room_rooms_of', { used: formatNumber(one.rooms), all: formatNumber(use.rooms) })
        : t('room_rooms_n', { n: formatNumber(use.rooms) }),
    },
    {
      label: t('room_seat_share'),
      value: share(sum('seat_minutes'), minutes * use.seats),
      text: one
        ? t('room_seats_of', { used: formatNumber(one.taken), all: formatNumber(use.seats) })
        : t('room_seats_n', { n: formatNumber(use.seats) }),
    },
  ]
  return (
    <section aria-label={t('room_answer')} aria-live="polite">
      <h2 className={css.when}>{when}</h2>
      <div className={bar.figures}>
        {tiles.map((tile) => (
          <div key={tile.label} className={bar.tile}>
            <span className={bar.tileLabel}>{tile.label}</span>
            <span className={bar.tileValue}>
              <bdi>{tile.value}</bdi>
            </span>
            <span className={bar.tileText}>{tile.text}</span>
          </div>
        ))}
      </div>
    </section>
  )
}

function Map({ use, address: { asked, seats, at, set } }: { use: RoomUse; address: RoomUseAddress }) {
  const t = useT('reports')
  const say = useLabel()
  const days = daysShown(use, REST_DAYS)
  const hours = hoursOf(use)
  return (
    <Card
      title={t('room_map')}
      text={t('room_map_text')}
      aside={
        <SegmentedControl
          className="no-print"
          size="xs"
          aria-label={t('room_show')}
          value={seats ? 'seats' : 'rooms'}
          onChange={(value) => set({ show: value === 'seats' ? 'seats' : null })}
          data={[
            { value: 'rooms', label: t('room_show_rooms') },
            { value: 'seats', label: t('room_show_seats') },
          ]}
        />
      }
    >
      <HeatMap
        label={t('room_map')}
        corner={t('room_hour')}
        columns={days.map((day) => ({ key: day, label: say(WEEKDAYS[day]!) }))}
        rows={hours.map((hour) => ({ key: hour, label: clockOf(hour) }))}
        cell={(row, column) => {
          const [hour, day] = [hours[row]!, days[column]!]
          const cell = mapCell(use, day, hour)
          const share = seats ? cell.seat_share : cell.room_share
          const chosen = asked.day === day && asked.hour === hour
          return {
            share: share === null ? null : share / 100,
            text: share === null ? '–' : formatPercent(share / 100, 0),
            chosen,
            to: at(chosen ? { day: null, hour: null } : { day, hour }),
            said: t('room_cell', {
              day: say(WEEKDAYS[day]!),
              hour: clockOf(hour),
              rooms: formatNumber(cell.rooms),
              all: formatNumber(use.rooms),
              taken: formatNumber(cell.taken),
              seats: formatNumber(use.seats),
            }),
          }
        }}
      />
    </Card>
  )
}
