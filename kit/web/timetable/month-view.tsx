/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the roles of the date grid pattern on a grid whose bars cross its cells */
import { useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent } from 'react'
import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Code } from '../feedback/index.ts'
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { addMonths, monthDays, todayIso } from '../fields/dates.ts'
import { hijriText } from '../fields/hijri.ts'
import { directionOf, formatDate, formatList, localeOf, useLanguage, useT, weekdays } from '../i18n/index.ts'
import { useSearchParams } from '../router/index.ts'
import { EventLine } from './event.tsx'
import type { EventFrameProps } from './event.tsx'
import type { TimetableEvent } from './layout.ts'
import { meetingsOn, openingDay, placeSpans, spansAfter, spansOn } from './month.ts'
import type { MonthOf, MonthSpan } from './month.ts'
import css from './month.module.css'

/** Lines of a day, and how many of them bars take at most. */
const LINES = 4
const BARS = 2
const DAY = /^\d{4}-\d\d-\d\d$/

export interface MonthProps {
  readonly title: string
  readonly events: readonly TimetableEvent[]
  /** null: on its way. */
  readonly of: MonthOf | null
  readonly onOpen?: EventFrameProps['onOpen']
}

/**
 * A month of days with what happens on them, six weeks from Saturday on whatever the month, so that nothing moves; beside
 * it, on phones below, the chosen day in full. Arrows go by days and weeks in the direction of the page, Page keys by
 * months. The chosen day stands in the address.
 */
export function Month({ title, events: present, of: known, onOpen }: MonthProps) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  const [query, setQuery] = useSearchParams()
  const today = todayIso()
  const of = known ?? { from: today, to: today, spans: [] }
  const events = known?.earlier?.length ? [...present, ...known.earlier] : present
  const asked = query.get('day')
  const [picked, setPicked] = useState<string | null>(asked && DAY.test(asked) ? asked : null)
  const day = picked ?? openingDay(today, of)
  const grid = useRef<HTMLDivElement>(null)
  const [year = 0, month = 1] = day.split('-').map(Number)
  const days = monthDays(year, month)
  const pick = (next: string, focus = false) => {
    setPicked(next)
    setQuery(
      (before) => {
        const all = new URLSearchParams(before)
        all.set('day', next)
        return all
      },
      { replace: true, preventScrollReset: true },
    )
    if (focus) requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const on = directionOf(lang) === 'rtl' ? -1 : 1
    const next = {
      ArrowRight: () => addDays(day, on),
      ArrowLeft: () => addDays(day, -on),
      ArrowDown: () => addDays(day, 7),
      ArrowUp: () => addDays(day, -7),
      Home: () => addDays(day, -weekPlace(day)),
      End: () => addDays(day, 6 - weekPlace(day)),
      PageDown: () => addMonths(day, event.shiftKey ? 12 : 1),
      PageUp: () => addMonths(day, event.shiftKey ? -12 : -1),
    }[event.key]
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    pick(next(), true)
  }
  const other = hijriText(day, lang)
  const long = weekdays('long', 6, lang)
  const short = weekdays('short', 6, lang)
  return (
    <div className={css.month}>
      <section className={css.sheet}>
        <div className={css.head}>
          <ActionIcon variant="default" aria-label={t('previous_month')} onClick={() => pick(addMonths(day, -1))}>
            <IconChevronLeft size={16} className="pointing" />
          </ActionIcon>
          <ActionIcon variant="default" aria-label={t('next_month')} onClick={() => pick(addMonths(day, 1))}>
            <IconChevronRight size={16} className="pointing" />
          </ActionIcon>
          <h2 aria-live="polite">
            {new Intl.DateTimeFormat(localeOf(lang), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
              Date.UTC(year, month - 1, 1),
            )}
            {other && <small className={css.hijri}>{other}</small>}
          </h2>
          <Button variant="default" size="compact-sm" disabled={day === today} onClick={() => pick(today)}>
            {t('go_to_today')}
          </Button>
        </div>
        <div className={css.grid} role="grid" aria-label={title} ref={grid} tabIndex={-1} onKeyDown={onKeyDown}>
          <div className={css.names} role="row">
            {long.map((name, i) => (
              <span key={name} role="columnheader" aria-label={name}>
                <span className={css.long}>{name}</span>
                <span className={css.short} aria-hidden="true">
                  {short[i]}
                </span>
              </span>
            ))}
          </div>
          {Array.from({ length: 6 }, (_, i) => {
            const week = days.slice(i * 7, i * 7 + 7)
            const placed = placeSpans(week, of.spans)
            const bars = placed.filter((p) => p.lane < BARS)
            const lanes = Math.max(0, ...bars.map((p) => p.lane + 1))
            return (
              <div key={week[0]} className={css.week} role="row" style={{ '--lanes': lanes } as CSSProperties}>
                {week.map((date, column) => (
                  <Cell
                    key={date}
                    date={date}
                    meetings={meetingsOn(date, events, of)}
                    spans={spansOn(date, of.spans)}
                    covered={
                      placed.filter((p) => p.lane >= BARS && p.column <= column && column < p.column + p.length).length
                    }
                    room={LINES - lanes}
                    outside={Number(date.slice(5, 7)) !== month}
                    today={date === today}
                    picked={date === day}
                    onPick={() => pick(date)}
                  />
                ))}
                {bars.map(({ span, column, length, lane, begins, ends }) => (
                  <span
                    key={span.id}
                    className={css.bar}
                    aria-hidden="true"
                    data-begins={begins || undefined}
                    data-ends={ends || undefined}
                    data-tone={span.tone}
                    style={{ gridColumn: `${column + 1} / span ${length}`, '--lane': lane } as CSSProperties}
                  >
                    <bdi>{span.title}</bdi>
                  </span>
                ))}
              </div>
            )
          })}
        </div>
      </section>
      <Agenda date={day} today={day === today} events={events} of={of} onOpen={onOpen} onPick={pick} />
    </div>
  )
}

interface CellProps {
  readonly date: string
  readonly meetings: readonly TimetableEvent[]
  readonly spans: readonly MonthSpan[]
  /** Spans for whose bars the week has no room. */
  readonly covered: number
  /** Lines below the bars. */
  readonly room: number
  readonly outside: boolean
  readonly today: boolean
  readonly picked: boolean
  readonly onPick: () => void
}

function Cell({ date, meetings, spans, covered, room, outside, today, picked, onPick }: CellProps) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  // What does not fit is counted in the last line.
  const all = meetings.length + covered
  const fit = all <= room ? meetings.length : Math.min(meetings.length, room - 1)
  return (
    <button
      type="button"
      role="gridcell"
      className={css.cell}
      tabIndex={picked ? 0 : -1}
      aria-selected={picked}
      aria-current={today ? 'date' : undefined}
      data-outside={outside || undefined}
      data-today={today || undefined}
      onClick={onPick}
    >
      <span className="sr">
        {formatList(
          [
            formatDate(date, 'weekday', lang),
            ...(meetings.length ? [t('month_meetings', { count: meetings.length })] : []),
            ...spans.map((span) => span.title),
          ],
          lang,
        )}
      </span>
      <span className={css.number} aria-hidden="true">
        {Number(date.slice(8))}
      </span>
      <span className={css.lines} aria-hidden="true">
        {meetings.slice(0, fit).map((e) => (
          <span key={e.id} className={css.chip} data-kind={e.type}>
            <Code>{e.from}</Code> <bdi>{e.title}</bdi>
          </span>
        ))}
        {all > fit && (
          <span className={css.more}>
            <Code>+{all - fit}</Code>
          </span>
        )}
      </span>
      <span className={css.dots} aria-hidden="true">
        {meetings.slice(0, 4).map((e) => (
          <i key={e.id} data-kind={e.type} />
        ))}
      </span>
    </button>
  )
}

/** Everything of one day; where that is nothing, what comes next. */
function Agenda({
  date,
  today,
  events,
  of,
  onOpen,
  onPick,
}: Pick<MonthProps, 'events' | 'onOpen'> & {
  readonly of: MonthOf
  readonly date: string
  readonly today: boolean
  readonly onPick: (day: string) => void
}) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  const meetings = meetingsOn(date, events, of)
  const spans = spansOn(date, of.spans)
  return (
    <section className={css.agenda} aria-live="polite">
      <h3 data-today={today || undefined}>
        {formatDate(date, 'weekday', lang)}
        {today && ` · ${t('today')}`}
      </h3>
      {spans.length > 0 && (
        <ul>
          {spans.map((span) => (
            <li key={span.id} className={css.span} data-tone={span.tone}>
              <bdi>{span.title}</bdi>
              <small>
                {span.from === date && span.opens
                  ? t('month_opens', { time: span.opens })
                  : span.to === date && span.closes
                    ? t('month_closes', { time: span.closes })
                    : span.from === span.to
                      ? ''
                      : t('month_until', { date: formatDate(span.to, 'short', lang) })}
              </small>
            </li>
          ))}
        </ul>
      )}
      {meetings.length > 0 && (
        <ul>
          {meetings.map((e) => (
            <li key={e.id}>
              <EventLine event={e} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
      {!meetings.length && !spans.length && (
        <>
          <p>{t('month_nothing')}</p>
          <Next spans={spansAfter(date, of.spans)} onPick={onPick} />
        </>
      )}
    </section>
  )
}

/** What begins in the days to come: a press goes there. */
function Next({ spans, onPick }: { readonly spans: readonly MonthSpan[]; readonly onPick: (day: string) => void }) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  if (spans.length === 0) return null
  return (
    <>
      <h4>{t('month_next')}</h4>
      <ul>
        {spans.map((span) => (
          <li key={span.id}>
            <button type="button" className={css.next} data-tone={span.tone} onClick={() => onPick(span.from)}>
              <bdi>{span.title}</bdi>
              <small>{formatDate(span.from, 'short', lang)}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
