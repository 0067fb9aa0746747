import { Select } from '@mantine/core'
import { useCall } from '#kit/web/api/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { meetingBoardCalls } from './board.contract.ts'
import type { BoardAnswer } from './board.contract.ts'
import { OVERRIDABLE } from './move.rules.ts'
import type { Clash, MeetingMove, MovedBoard } from './move.rules.ts'
import { boardCss as css } from '#kit/web/timetable/board.tsx'

/** A clash in the reader's words. */
export function useClashText(board: BoardAnswer | undefined): (clash: Clash) => string {
  const t = useT('scheduling')
  const lang = useLanguage()
  const inLanguage = (data: Clash['data']) => ({
    ...data,
    ...(lang === 'ar' && { room: data.room_local ?? '', instructor: data.instructor_local ?? '' }),
  })
  return (clash) => {
    const other = board?.meetings.find((meeting) => meeting.id === clash.with)
    const by = other ? `${other.name} ${nameOf(other.course, lang)}` : String(clash.data.by ?? '')
    return t(`clash_${clash.code.slice(5)}` as 'clash_room_taken', { ...inLanguage(clash.data), by })
  }
}

interface SideProps {
  readonly board: BoardAnswer | undefined
  readonly meeting: BoardAnswer['meetings'][number] | undefined
  /** Above which cell it is held. */
  readonly where: string | null
  readonly clashes: readonly Clash[]
  readonly rooms: MovedBoard | null
  readonly onRoom: (move: MeetingMove) => void
  readonly moves: readonly MeetingMove[]
}

/** The meeting that is looked at or held: what stands against it, with whom, and in which room it could be. */
export function MeetingSide({ board, meeting, where, clashes, rooms, onRoom, moves }: SideProps) {
  const t = useT('scheduling')
  const lang = useLanguage()
  const text = useClashText(board)
  const own = moves.find((move) => move.id === meeting?.id)
  const people = clashes.some((clash) => clash.code === 'move_students_busy')
  // Who it is, is asked for only once it is put down.
  const { data: who } = useCall(
    meetingBoardCalls.previewMoves,
    { body: { moves: [...moves] } },
    { enabled: people && where === null && own !== undefined, staleTime: 0 },
  )
  if (!meeting)
    return (
      <aside className={css.side} aria-label={t('board_side')}>
        <p>{t('board_help')}</p>
      </aside>
    )
  const { id, day, slot_id } = meeting
  const fitting = board?.rooms.map((room) => {
    const found = day === null || slot_id === null || !rooms ? [] : rooms.at({ id, day, slot_id, location_id: room.id })
    const free = !found.some((clash) => clash.code === 'move_room_taken' || clash.code === 'move_room_small')
    return { room, free }
  })
  const names = who?.data.filter((one) => one.id === id).flatMap((one) => one.who) ?? []
  return (
    <aside className={css.side} aria-label={t('board_side')}>
      <h2>
        <bdi>
          {meeting.name} {nameOf(meeting.course, lang)}
        </bdi>
      </h2>
      <p>{where ?? t('board_taken', { count: meeting.taken })}</p>
      {clashes.length > 0 ? (
        <ul className={css.told}>
          {clashes.map((clash) => (
            <li
              key={`${clash.code}/${clash.with}`}
              data-tone={(OVERRIDABLE as readonly string[]).includes(clash.code) ? 'waiting' : 'refused'}
            >
              {text(clash)}
            </li>
          ))}
        </ul>
      ) : (
        where !== null && <p>{t('board_free')}</p>
      )}
      {names.length > 0 && (
        <p>
          <bdi>{names.map((one) => `${one.code ?? ''} ${nameOf(one, lang)}`).join(', ')}</bdi>
        </p>
      )}
      {meeting.movable && where === null && day !== null && slot_id !== null && (
        <Select
          label={t('location')}
          searchable
          clearable
          value={meeting.location_id === null ? null : String(meeting.location_id)}
          data={fitting?.map(({ room, free }) => ({
            value: String(room.id),
            label: `${nameOf(room, lang)} · ${room.capacity}`,
            disabled: !free,
          }))}
          onChange={(next) => onRoom({ id, day, slot_id, location_id: next === null ? null : Number(next) })}
        />
      )}
      {!meeting.movable && <p>{t('board_fixed')}</p>}
    </aside>
  )
}
