import { weekPlace } from '#kit/contract/day.ts'
import { minutes } from './layout.ts'
import type { Tone } from '#kit/contract/field.ts'
import type { TimetableEvent } from './layout.ts'

/** Something that lasts for days: a window of the term. Days are `YYYY-MM-DD`, the last one belongs to it. */
export interface MonthSpan {
  readonly id: string | number
  readonly from: string
  readonly to: string
  readonly title: string
  /** When it opens on its first day and closes on its last, `HH:MM`. */
  readonly opens?: string
  readonly closes?: string
  /** Its colour; absent: grey. */
  readonly tone?: Tone
}
/** What a month shows of a weekly timetable: the days on which it takes place, and what lasts for days. */
export interface MonthOf {
  readonly from: string
  readonly to: string
  readonly spans: readonly MonthSpan[]
  /** Meetings at places where they no longer are, on the days on which they were. */
  readonly earlier?: readonly TimetableEvent[]
}

/** A span as far as it lies in one week: columns and lane from 0. */
export interface PlacedSpan {
  readonly span: MonthSpan
  readonly column: number
  readonly length: number
  readonly lane: number
  /** It begins, it ends in this week. */
  readonly begins: boolean
  readonly ends: boolean
}

/** The meetings of a day, in order: those of its weekday while they take place, and on no day that is excepted. */
export const meetingsOn = <E extends TimetableEvent>(
  date: string,
  events: readonly E[],
  { from, to }: Pick<MonthOf, 'from' | 'to'>,
): E[] =>
  date < from || date > to
    ? []
    : events
        .filter((e) => e.day === weekPlace(date) && isHeld(date, e))
        .toSorted((a, b) => minutes(a.from) - minutes(b.from) || String(a.id).localeCompare(String(b.id)))

const isHeld = (date: string, { held }: TimetableEvent): boolean =>
  !held || (held.from <= date && date <= held.to && !held.except.includes(date))

/** What lasts on a day. */
export const spansOn = (date: string, spans: readonly MonthSpan[]): MonthSpan[] =>
  spans.filter((s) => s.from <= date && date <= s.to)

/** How many of what comes next are told on a day of which there is nothing to tell. */
const NEXT = 3
/** What begins after a day, the soonest first. */
export const spansAfter = (date: string, spans: readonly MonthSpan[]): MonthSpan[] =>
  spans
    .filter((s) => s.from > date)
    .toSorted((a, b) => a.from.localeCompare(b.from))
    .slice(0, NEXT)

/** Places what lasts for days in a week, so that no two lie on each other: the one that began earlier stands higher. */
export function placeSpans(week: readonly string[], spans: readonly MonthSpan[]): PlacedSpan[] {
  const [first, last] = [week[0]!, week.at(-1)!]
  const lanes: number[] = []
  return spans
    .filter((s) => s.from <= last && s.to >= first)
    .toSorted((a, b) => a.from.localeCompare(b.from) || b.to.localeCompare(a.to))
    .map((span) => {
      const begins = span.from >= first
      const ends = span.to <= last
      const column = begins ? week.indexOf(span.from) : 0
      const end = ends ? week.indexOf(span.to) : week.length - 1
      const free = lanes.findIndex((until) => until < column)
      const lane = free < 0 ? lanes.length : free
      lanes[lane] = end
      return { span, column, length: end - column + 1, lane, begins, ends }
    })
}

/** The day a month opens with: today while anything takes place, else the first day of the timetable. */
export function openingDay(today: string, { from, to, spans }: MonthOf): string {
  const first = spans.reduce((least, s) => (s.from < least ? s.from : least), from)
  const last = spans.reduce((most, s) => (s.to > most ? s.to : most), to)
  return first <= today && today <= last ? today : from
}
