import { createHash } from 'node:crypto'
import { addDays } from '#kit/contract/day.ts'

/** Something that happens, by the clock of the calendar's time zone. */
export interface CalendarEvent {
  /** Known by it for ever: the same event written again replaces the earlier one. */
  readonly uid: string
  /** `YYYY-MM-DDTHH:MM`, or a whole day: `YYYY-MM-DD`; then the end is the last day. */
  readonly start: string
  readonly end: string
  readonly summary: string
  readonly location?: string | null
  readonly description?: string | null
  /** Again every week until this day, included; but not on the days excepted. */
  readonly weekly?: { readonly until: string; readonly except?: readonly string[] }
  /** Stands for the occurrence of the event with the same `uid` that would begin then. */
  readonly instead?: string
  /** How often it was changed. */
  readonly sequence?: number
  /** It leaves the time free: a deadline, a holiday. */
  readonly free?: boolean
  /** It does not take place: calendars that hold it strike it out. */
  readonly cancelled?: boolean
}

export interface CalendarRequest {
  readonly name: string
  /** Name in the time zone database: `Africa/Cairo`. */
  readonly zone: string
  readonly events: readonly CalendarEvent[]
  /** When it was last changed. */
  readonly stamp: Date
}

/** A text as a property holds it. */
const escape = (text: string): string =>
  text
    .replace(/\\/g, '\\\\')
    .replace(/;/g, '\\;')
    .replace(/,/g, '\\,')
    .replace(/\r\n|\r|\n/g, '\\n')

/** No line is longer than 75 bytes, and no letter is cut. */
function fold(line: string): string {
  const lines: string[] = []
  let part = ''
  let bytes = 0
  for (const letter of line) {
    const size = Buffer.byteLength(letter)
    if (bytes + size > 75) {
      lines.push(part)
      part = ' '
      bytes = 1
    }
    part += letter
    bytes += size
  }
  return [...lines, part].join('\r\n')
}

const two = (n: number): string => String(Math.abs(n)).padStart(2, '0')
const utc = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')
const local = (at: string): string => `${at.replace(/[-:]/g, '')}00`

const clocks = new Map<string, Intl.DateTimeFormat>()
const clockOf = (zone: string): Intl.DateTimeFormat => {
  let clock = clocks.get(zone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    clocks.set(zone, clock)
  }
  return clock
}
/** Minutes by which a zone is ahead of UTC at a moment. */
function offsetAt(zone: string, at: number): number {
  const parts = clockOf(zone).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)!.value)
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'))
  return Math.round((shown - Math.floor(at / 60_000) * 60_000) / 60_000)
}
/** The moment of a local time; one that a change of the clock skips is the hour after it. */
function momentOf(zone: string, at: string): number {
  const shown = Date.parse(`${at}:00Z`)
  const guess = shown - offsetAt(zone, shown) * 60_000
  return shown - offsetAt(zone, guess) * 60_000
}
const offsetText = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}${two(minutes % 60)}`

/** Zones that were written lately: looking up when a clock changes is the most work of a calendar. */
const zones = new Map<string, readonly string[]>()
/** How a zone's clock is set from a moment to another: each change by itself, as the calendar needs no others. */
function timeZone(zone: string, from: number, until: number): readonly string[] {
  const key = `${zone} ${from} ${until}`
  let known = zones.get(key)
  if (!known) {
    if (zones.size >= 200) zones.delete(zones.keys().next().value!)
    zones.set(key, (known = clockChanges(zone, from, until)))
  }
  return known
}
function clockChanges(zone: string, from: number, until: number): string[] {
  const DAY = 86_400_000
  const lines = ['BEGIN:VTIMEZONE', `TZID:${zone}`]
  const change = (at: number, before: number, after: number) =>
    lines.push(
      `BEGIN:${after > before ? 'DAYLIGHT' : 'STANDARD'}`,
      `DTSTART:${utc(new Date(at + before * 60_000)).slice(0, -1)}`,
      `TZOFFSETFROM:${offsetText(before)}`,
      `TZOFFSETTO:${offsetText(after)}`,
      `END:${after > before ? 'DAYLIGHT' : 'STANDARD'}`,
    )
  const first = from - DAY
  let known = offsetAt(zone, first)
  change(first, known, known)
  for (let day = first; day <= until + DAY; day += DAY) {
    if (offsetAt(zone, day + DAY) === known) continue
    let [low, high] = [day, day + DAY]
    while (high - low > 60_000) {
      const middle = Math.floor((low + high) / 120_000) * 60_000
      if (offsetAt(zone, middle) === known) low = middle
      else high = middle
    }
    const next = offsetAt(zone, high)
    change(high, known, next)
    known = next
  }
  return [...lines, 'END:VTIMEZONE']
}

const isWholeDay = ({ start }: CalendarEvent): boolean => start.length === 10

/** A calendar as other programs read it (iCalendar, RFC 5545). The same request gives the same bytes. */
export function writeCalendar({ name, zone, events, stamp }: CalendarRequest): Uint8Array {
  const timed = events.filter((event) => !isWholeDay(event))
  const starts = timed.map(({ start, instead }) => (instead && instead < start ? instead : start)).toSorted()
  const ends = timed.map(({ end, weekly }) => (weekly ? `${weekly.until}T23:59` : end)).toSorted()
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//University EMS//Timetable//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escape(name)}`,
    `X-WR-TIMEZONE:${zone}`,
    ...(timed.length ? timeZone(zone, momentOf(zone, starts[0]!), momentOf(zone, ends.at(-1)!)) : []),
    ...events.flatMap((event) => {
      const { uid, start, end, summary, location, description, weekly, instead, sequence, free, cancelled } = event
      return [
        'BEGIN:VEVENT',
        `UID:${escape(uid)}`,
        `DTSTAMP:${utc(stamp)}`,
        ...(sequence === undefined ? [] : [`SEQUENCE:${sequence}`]),
        ...(instead ? [`RECURRENCE-ID;TZID=${zone}:${local(instead)}`] : []),
        ...(isWholeDay(event)
          ? [
              `DTSTART;VALUE=DATE:${start.replaceAll('-', '')}`,
              // The end is the day after.
              `DTEND;VALUE=DATE:${addDays(end, 1).replaceAll('-', '')}`,
            ]
          : [`DTSTART;TZID=${zone}:${local(start)}`, `DTEND;TZID=${zone}:${local(end)}`]),
        ...(weekly
          ? [
              `RRULE:FREQ=WEEKLY;UNTIL=${utc(new Date(momentOf(zone, `${weekly.until}T23:59`)))}`,
              ...(weekly.except ?? []).map((day) => `EXDATE;TZID=${zone}:${local(`${day}${start.slice(10)}`)}`),
            ]
          : []),
        `SUMMARY:${escape(summary)}`,
        ...(location ? [`LOCATION:${escape(location)}`] : []),
        ...(description ? [`DESCRIPTION:${escape(description)}`] : []),
        ...(free ? ['TRANSP:TRANSPARENT'] : []),
        ...(cancelled ? ['STATUS:CANCELLED'] : []),
        'END:VEVENT',
      ]
    }),
    'END:VCALENDAR',
  ]
  return Buffer.from(`${lines.map(fold).join('\r\n')}\r\n`)
}

/** By which a program that has a calendar learns that it is still the same. */
export const etagOf = (content: Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
