import { IconGripVertical } from '@tabler/icons-react'
import { meetingType } from '#kit/contract/week.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { BoardAnswer } from './board.contract.ts'
import { boardCss } from '#kit/web/timetable/board.tsx'
import type { useDrag } from '#kit/web/timetable/drag.ts'
import css from './board.module.css'

interface CardProps {
  readonly meeting: BoardAnswer['meetings'][number]
  readonly board: BoardAnswer
  /** Whose week it is: what stands above it is not repeated on each meeting. */
  readonly by: 'location' | 'instructor' | 'course'
  readonly picked: boolean
  readonly moved: boolean
  readonly clash: boolean
  readonly lifted: boolean
  readonly handle: ReturnType<ReturnType<typeof useDrag>['handle']>
  readonly onPick: () => void
}

/** A meeting on the board: what it is, where, with whom. */
export function MeetingCard({ meeting, board, by, picked, moved, clash, lifted, handle, onPick }: CardProps) {
  const t = useT('scheduling')
  const say = useLabel()
  const lang = useLanguage()
  const room = board.rooms.find((one) => one.id === meeting.location_id)
  const people = meeting.instructors.flatMap((id) => board.instructors.find((instructor) => instructor.id === id) ?? [])
  return (
    <button
      type="button"
      className={`${boardCss.card} ${css.card}`}
      data-kind={meeting.type}
      data-meeting={meeting.id}
      data-movable={meeting.movable || undefined}
      data-moved={moved || undefined}
      data-clash={clash || undefined}
      data-lifted={lifted || undefined}
      aria-current={picked}
      aria-pressed={meeting.movable ? lifted : undefined}
      title={meeting.movable ? undefined : t('board_fixed')}
      onClick={onPick}
      {...handle}
    >
      {meeting.movable && (
        <span className={boardCss.grip} data-grip aria-hidden="true">
          <IconGripVertical size={14} />
        </span>
      )}
      <span className={css.words}>
        {by === 'course' ? null : (
          <strong>
            <bdi>{nameOf(meeting.course, lang)}</bdi>
          </strong>
        )}
        <span>
          <bdi>{meeting.name}</bdi> · {say(meetingType(meeting.type))}
        </span>
        {room && (by !== 'location' || moved) && (
          <small>
            <bdi>{nameOf(room, lang)}</bdi>
          </small>
        )}
        {(by === 'instructor' && people.length === 1 ? [] : people).map((person) => (
          <small key={person.id}>
            <bdi>{nameOf(person, lang)}</bdi>
          </small>
        ))}
      </span>
    </button>
  )
}
