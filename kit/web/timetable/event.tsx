/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex --
   the keyboard reaches every meeting, linked or not */
import type { CSSProperties, ReactNode } from 'react'
import { meetingType } from '#kit/contract/week.ts'
import { Code } from '../feedback/index.ts'
import { formatList, formatTimeRange, useLabel, useLanguage, weekdays } from '../i18n/index.ts'
import { Link } from '../router/index.ts'
import type { TimetableEvent } from './layout.ts'
import css from './timetable.module.css'

export interface EventFrameProps {
  readonly event: TimetableEvent
  readonly className: string | undefined
  readonly style?: CSSProperties
  /** Instead of following the meeting's `href`. */
  readonly onOpen?: ((event: TimetableEvent) => void) | undefined
  readonly children: ReactNode
}

/** What stands around a meeting: a button, a link, or, where it leads nowhere, something the keyboard still reads. */
export function EventFrame({ event: e, className, style, onOpen, children }: EventFrameProps) {
  const say = useLabel()
  const lang = useLanguage()
  const shared = { className, style, 'data-kind': e.type }
  if (onOpen) {
    return (
      <button type="button" {...shared} onClick={() => onOpen(e)}>
        {children}
      </button>
    )
  }
  if (e.href) {
    return (
      <Link to={e.href} {...shared}>
        {children}
      </Link>
    )
  }
  const said = formatList(
    [
      say(meetingType(e.type)),
      e.title,
      weekdays('long', 6, lang)[e.day]!,
      formatTimeRange(e.from, e.to),
      ...(e.lines ?? []),
    ],
    lang,
  )
  return (
    <div role="group" aria-label={said} tabIndex={0} {...shared}>
      {children}
    </div>
  )
}

/** A meeting as a line of a list. */
export function EventLine({ event: e, onOpen }: Pick<EventFrameProps, 'event' | 'onOpen'>) {
  const say = useLabel()
  return (
    <EventFrame event={e} className={css.item} onOpen={onOpen}>
      <span className={css.times}>
        <Code>{e.from}</Code>
        <small>
          <Code>{e.to}</Code>
        </small>
      </span>
      <span>
        <bdi className={css.title}>{e.title}</bdi>
        {e.lines?.map((line) => (
          <span key={line} className={css.lineText} style={{ display: 'block' }}>
            <bdi>{line}</bdi>
          </span>
        ))}
      </span>
      <span className={css.kindWord}>{say(meetingType(e.type))}</span>
    </EventFrame>
  )
}
