import { meetingType, type MeetingType as Type } from '#kit/contract/week.ts'
import { useLabel } from '../i18n/index.ts'
import css from './timetable.module.css'

/** The word of a kind of meeting in the colour it has in every timetable, with its section. */
export function MeetingType({ type, section }: { type: Type; section?: string | null }) {
  const say = useLabel()
  return (
    <span className={`${css.inks} ${css.kindWord}`} data-kind={type}>
      {say(meetingType(type))}
      {section && (
        <>
          {' '}
          <bdi>{section}</bdi>
        </>
      )}
    </span>
  )
}
