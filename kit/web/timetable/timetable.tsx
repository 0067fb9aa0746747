/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex --
   the keyboard reaches what scrolls */
import { Suspense, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { ActionIcon, SegmentedControl, Switch, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCalendarMonth, IconCalendarWeek, IconList, IconPrinter } from '@tabler/icons-react'
import { MEETING_TYPES, meetingType, type MeetingType, type TimetableKind } from '#kit/contract/week.ts'
import { Code, Empty } from '../feedback/index.ts'
import { formatTimeRange, useLabel, useLanguage, useT, weekdays } from '../i18n/index.ts'
import { part } from '../later.ts'
import { createStoredStore } from '../store.ts'
import { EventFrame, EventLine } from './event.tsx'
import { daysOf, hoursOf, minutes, placeDay } from './layout.ts'
import type { TimetableEvent } from './layout.ts'
import type { MonthProps } from './month-view.tsx'
import type { MonthOf } from './month.ts'
import css from './timetable.module.css'

const Month = part<MonthProps>(async () => (await import('./month-view.tsx')).Month)
/** About as high as a month is, px. */
const MONTH_HEIGHT = 620

export type { TimetableEvent }

/** Rows of the grid per hour: five minutes each. */
const STEP = 5

export interface TimetableProps {
  /** Whose or what it is: stands on the print. */
  readonly title: string
  /** What the print says beside it: term, date. */
  readonly note?: string
  readonly events: readonly TimetableEvent[] | undefined
  /** The switch between regular and Ramadan times; absent: there is none. */
  readonly ramadan?: { readonly on: boolean; readonly onChange: (on: boolean) => void }
  /** Instead of following `href`. */
  readonly onOpen?: (event: TimetableEvent) => void
  readonly empty?: ReactNode
  /** Further controls at the end of the bar. */
  readonly tools?: ReactNode
  /** No line for the present time: weeks that are not this one. */
  readonly noNow?: boolean
  /** Offers its months as well: from which day to which the weeks come again, and what lasts for days; null: on its way. */
  readonly month?: MonthOf | null | undefined
  /** Least width of a day in px, below which the week scrolls: smaller where the week stands beside something. */
  readonly dayWidth?: number
}

/** Kinds of meetings that the reader does not look at. */
const hiddenKinds = createStoredStore<readonly MeetingType[]>('ems.timetable', [], (kept) =>
  MEETING_TYPES.map((one) => one.value).filter((kind) => Array.isArray(kept) && kept.includes(kind)),
)

const VIEWS = ['week', 'list', 'month'] as const
/** How the reader looks at timetables; null: by the width of the screen. */
const chosenView = createStoredStore<(typeof VIEWS)[number] | null>(
  'ems.timetable_view',
  null,
  (kept) => VIEWS.find((view) => view === kept) ?? null,
)

const readNow = () => {
  const now = new Date()
  return { day: (now.getDay() + 1) % 7, minute: now.getHours() * 60 + now.getMinutes() }
}
/** The present minute and day of the week (0 is Saturday), twice a minute. */
function useNow(): { day: number; minute: number } {
  const [now, setNow] = useState(readNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(readNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** A week: days across from Saturday, time down, mirrored in Arabic. On phones a list by days. See look.md "Timetable". */
export function Timetable({
  title,
  note,
  events,
  ramadan,
  onOpen,
  empty,
  tools,
  noNow,
  month,
  dayWidth = 118,
}: TimetableProps) {
  const t = useT('kit-screens')
  const say = useLabel()
  const lang = useLanguage()
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const chosen = chosenView.use()
  const view = chosen && (chosen !== 'month' || month !== undefined) ? chosen : phone ? 'list' : 'week'
  // Which kinds are hidden is kept in this browser, for every week.
  const hidden = hiddenKinds.use()
  const off = useMemo(() => new Set<TimetableKind>(hidden), [hidden])
  const now = useNow()
  const names = useMemo(() => weekdays('long', 6, lang), [lang])
  const shortNames = useMemo(() => weekdays('short', 6, lang), [lang])
  const all = events ?? []
  const kinds = MEETING_TYPES.map((one) => one.value).filter((kind) => all.some((e) => e.type === kind))
  const shown = useMemo(() => (events ?? []).filter((e) => !off.has(e.type)), [events, off])
  const days = useMemo(() => daysOf(events ?? []), [events])
  const hours = hoursOf(all)
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
  const toggle = (kind: MeetingType) => {
    hiddenKinds.set(off.has(kind) ? hidden.filter((one) => one !== kind) : [...hidden, kind])
  }
  return (
    <div className={`${css.inks} ${css.wrap}`}>
      <div className={`${css.bar} no-print`}>
        {kinds.length > 1 &&
          kinds.map((kind) => (
            <button
              key={kind}
              type="button"
              className={css.kind}
              data-kind={kind}
              aria-pressed={!off.has(kind)}
              onClick={() => toggle(kind)}
            >
              {say(meetingType(kind))}
            </button>
          ))}
        <span className={css.spring} />
        {ramadan && (
          <Switch
            label={t('ramadan_times')}
            checked={ramadan.on}
            onChange={(event) => ramadan.onChange(event.currentTarget.checked)}
          />
        )}
        {tools}
        <SegmentedControl
          size="xs"
          aria-label={t('view_as')}
          value={view}
          onChange={(next) => chosenView.set(next)}
          data={[
            {
              value: 'week',
              label: <ViewIcon label={t('view_week')} icon={<IconCalendarWeek size={16} aria-hidden />} />,
            },
            { value: 'list', label: <ViewIcon label={t('view_list')} icon={<IconList size={16} aria-hidden />} /> },
            ...(month !== undefined
              ? [
                  {
                    value: 'month' as const,
                    label: <ViewIcon label={t('view_month')} icon={<IconCalendarMonth size={16} aria-hidden />} />,
                  },
                ]
              : []),
          ]}
        />
        <Tooltip label={t('print')}>
          <ActionIcon variant="default" size={30} aria-label={t('print')} onClick={() => window.print()}>
            <IconPrinter size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <p className={css.printTitle}>
        <bdi>{title}</bdi>
        {note && (
          <small>
            <bdi>{note}</bdi>
          </small>
        )}
      </p>
      {view === 'month' && month !== undefined ? (
        <Suspense fallback={<div style={{ minBlockSize: MONTH_HEIGHT }} aria-busy="true" />}>
          <Month title={title} events={shown} of={month} onOpen={onOpen} />
        </Suspense>
      ) : events && !events.length ? (
        (empty ?? <Empty title={t('timetable_empty')} />)
      ) : view === 'list' ? (
        <div className={css.list}>
          {days
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
                      <li key={e.id}>
                        <EventLine event={e} onOpen={onOpen} />
                      </li>
                    ))}
                </ul>
              </section>
            ))}
        </div>
      ) : (
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
      )}
    </div>
  )
}
const ViewIcon = ({ label, icon }: { label: string; icon: ReactNode }) => (
  <span title={label} style={{ display: 'flex' }}>
    {icon}
    <span className="sr">{label}</span>
  </span>
)
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
