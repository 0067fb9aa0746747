/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex --
   the keyboard reaches what scrolls */
import { useMemo } from 'react'
import { meetingType } from '#kit/contract/week.ts'
import { Code } from '../feedback/index.ts'
import { formatTimeRange, useLabel, useLanguage, useT, weekdays } from '../i18n/index.ts'
import { EventFrame, EventLine } from './event.tsx'
import { hoursOf, minutes, placeDay } from './layout.ts'
import type { TimetableEvent } from './layout.ts'
import { useNow } from './now.ts'
import css from './timetable.module.css'

/** Rows of the grid per hour: five minutes each. */
const STEP = 5

interface WeekProps {
  readonly title: string
  /** Of the whole week: they say how long its days are. */
  readonly events: readonly TimetableEvent[] | undefined
  /** Those whose kinds the reader looks at. */
  readonly shown: readonly TimetableEvent[]
  readonly days: readonly number[]
  readonly onOpen: ((event: TimetableEvent) => void) | undefined
  readonly noNow: boolean | undefined
  /** Least width of a day in px. */
  readonly dayWidth: number
}

/** Days as somebody looks at them who stands in one of them: today first, then those that follow, then those before. */
const fromToday = (days: readonly number[], today: number): number[] => [
  ...days.filter((day) => day >= today),
  ...days.filter((day) => day < today),
]

/** By days, one under the other: from today on, what goes on now marked. */
export function ListOfDays({ shown, days, onOpen, noNow }: Pick<WeekProps, 'shown' | 'days' | 'onOpen' | 'noNow'>) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  const now = useNow()
  const names = useMemo(() => weekdays('long', 6, lang), [lang])
  const stateOf = (e: TimetableEvent): 'now' | 'over' | undefined =>
    noNow || e.day !== now.day
      ? undefined
      : minutes(e.to) <= now.minute
        ? 'over'
        : minutes(e.from) <= now.minute
          ? 'now'
          : undefined
  return (
    <div className={css.list}>
      {(noNow ? days : fromToday(days, now.day))
        .filter((day) => shown.some((e) => e.day === day))
        .map((day) => (
          <section key={day} className={css.listDay}>
            <h2 data-today={(!noNow && day === now.day) || undefined}>
              {names[day]}
              {!noNow && day === now.day && ` · ${t('today')}`}
            </h2>
            <ul>
              {shown
                .filter((e) => e.day === day)
                .sort((a, b) => minutes(a.from) - minutes(b.from))
                .map((e) => (
                  <li key={e.id} data-now={stateOf(e)}>
                    <EventLine event={e} onOpen={onOpen} />
                  </li>
                ))}
            </ul>
          </section>
        ))}
    </div>
  )
}

/** Days across, time down. */
export function Week({ title, events, shown, days, onOpen, noNow, dayWidth }: WeekProps) {
  const say = useLabel()
  const lang = useLanguage()
  const now = useNow()
  const names = useMemo(() => weekdays('long', 6, lang), [lang])
  const shortNames = useMemo(() => weekdays('short', 6, lang), [lang])
  const hours = hoursOf(events ?? [])
  const slots = ((hours.to - hours.from) * 60) / STEP
  // A day where much overlaps is wider, so that its words stay whole.
  const placed = useMemo(
    () => new Map(days.map((day) => [day, placeDay(shown.filter((e) => e.day === day))])),
    [shown, days],
  )
  const lanes = days.map((day) => Math.max(1, ...placed.get(day)!.map((p) => p.lanes)))
  const least = lanes.map((n) => Math.max(dayWidth, n * dayWidth * 0.8))
  const share = lanes.map((n) => `${1 + (n - 1) * 0.6}fr`)
  const frame = {
    '--slots': slots,
    '--columns': share.map((fr, i) => `minmax(${least[i]}px, ${fr})`).join(' '),
    '--print-columns': share.map((fr) => `minmax(0, ${fr})`).join(' '),
    '--least': `${58 + least.reduce((n, w) => n + w, 0)}px`,
  } as React.CSSProperties
  const rowOf = (minute: number) => Math.round((minute - hours.from * 60) / STEP) + 2
  const within = now.minute >= hours.from * 60 && now.minute <= hours.to * 60
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label={title}>
      <div className={css.week} style={frame} aria-busy={!events}>
        <div className={css.corner} style={{ gridColumn: 1 }} />
        {days.map((day, i) => (
          <div
            key={day}
            className={css.day}
            style={{ gridColumn: i + 2 }}
            data-today={(!noNow && day === now.day) || undefined}
          >
            <span className={css.dayLong}>{names[day]}</span>
            <span className={css.dayShort} aria-hidden="true">
              {shortNames[day]}
            </span>
          </div>
        ))}
        {Array.from({ length: (hours.to - hours.from) * 2 }, (_, i) => {
          const minute = hours.from * 60 + i * 30
          return (
            <Lines
              key={minute}
              row={rowOf(minute)}
              label={i % 2 === 0 && i > 0 ? `${String(minute / 60).padStart(2, '0')}:00` : null}
              half={i % 2 === 1}
            />
          )
        })}
        {days.map((day, i) => (
          <div
            key={day}
            className={css.column}
            style={{ gridColumn: i + 2 }}
            data-today={(!noNow && day === now.day) || undefined}
          />
        ))}
        {days.flatMap((day, i) =>
          placed.get(day)!.map(({ event: e, lane, lanes, span }) => (
            <EventFrame
              key={e.id}
              event={e}
              className={css.event}
              onOpen={onOpen}
              style={{
                gridColumn: i + 2,
                gridRow: `${rowOf(minutes(e.from))} / ${rowOf(minutes(e.to))}`,
                marginInlineStart: `calc(${(lane / lanes) * 100}% + 2px)`,
                width: `calc(${(span / lanes) * 100}% - 4px)`,
              }}
            >
              <span className="sr">{names[e.day]}</span>
              <span className={css.eventHead}>
                <span>{say(meetingType(e.type))}</span>
                <Code>{formatTimeRange(e.from, e.to)}</Code>
              </span>
              <span className={css.title}>
                <bdi>{e.title}</bdi>
              </span>
              {e.lines?.map((line) => (
                <span key={line} className={css.lineText}>
                  <bdi>{line}</bdi>
                </span>
              ))}
            </EventFrame>
          )),
        )}
        {!noNow && within && days.includes(now.day) && (
          <div
            className={css.now}
            style={{ gridColumn: days.indexOf(now.day) + 2, gridRow: rowOf(now.minute) }}
            aria-hidden="true"
          />
        )}
      </div>
    </div>
  )
}

const Lines = ({ row, label, half }: { row: number; label: string | null; half: boolean }) => (
  <>
    {label && (
      <div className={css.hour} style={{ gridRow: row }}>
        <Code>{label}</Code>
      </div>
    )}
    <div className={css.line} data-half={half || undefined} style={{ gridRow: row }} />
  </>
)
