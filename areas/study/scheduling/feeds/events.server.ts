/** What somebody's calendar of a term holds, as calendars of other programs read it. */
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import type { CalendarEvent } from '#kit/server/calendar/ical.ts'
import { examWords, type ShownExam } from '../timetables/exams.contract.ts'

type Times = Readonly<{ from: string; to: string }>
interface Named {
  readonly name: string
  readonly name_local?: string | null | undefined
}
/** A weekly meeting with the places at which it is held, one after the other. */
export interface CalendarMeeting {
  readonly id: number
  readonly version: number
  readonly places: readonly {
    readonly current: boolean
    readonly day: number
    readonly from: string
    readonly to: string
    readonly except: readonly string[]
    readonly regular_time: Times
    readonly ramadan_time: Times
    readonly location: Named | null
    /** The cancelled day that is made up here, on this one day. */
    readonly instead_of?: string | null | undefined
  }[]
}
/** Something of some days: an entry of the university's calendar, a stage of the term. */
export interface CalendarSpan extends Named {
  readonly id: number
  readonly kind: 'day' | 'stage' | 'exams'
  readonly from: string
  readonly to: string
  readonly start_time: string | null
  readonly end_time: string | null
}
/** What comes every week by itself: office hours. */
export interface CalendarHour {
  readonly id: number
  readonly version: number
  readonly day: number
  readonly from: string
  readonly to: string
  readonly start_time: string
  readonly end_time: string
  readonly except: readonly string[]
}
export interface Ramadan {
  /** Ramadan times apply. */
  readonly on: boolean
  /** The days of Ramadan as the calendar of the university has them; none: on all days while they apply. */
  readonly days: readonly { readonly from: string; readonly to: string }[]
}

/** The first day from `start` on that is this day of the week (0 Saturday). */
export const firstDay = (start: string, day: number): string => addDays(start, (day - weekPlace(start) + 7) % 7)

/** The days on which something weekly takes place. */
export function weeklyDays(day: number, from: string, to: string, except: readonly string[]): string[] {
  const out: string[] = []
  for (let on = firstDay(from, day); on <= to; on = addDays(on, 7)) if (!except.includes(on)) out.push(on)
  return out
}

/** Whether a meeting has that day at a place, cancelled or not. */
const holds = (place: CalendarMeeting['places'][number], day: string): boolean =>
  place.from <= day && day <= place.to && weekPlace(day) === place.day

/** Which of the two times a meeting has on a day. */
export const isRamadanTime = ({ on, days }: Ramadan, day: string): boolean =>
  on && (days.length === 0 || days.some(({ from, to }) => from <= day && day <= to))

/**
 * A weekly meeting as events. At each of its places it is one series, whose exceptions are the days without lectures. A
 * series is at the time of most of its days; on days of the other season occurrences of it stand elsewhere by themselves.
 * Known by the same `uid` for ever: a place where it no longer is has one of its own. A day that is made up on another is
 * that occurrence of its series, held elsewhere.
 */
export function meetingEvents(
  meeting: CalendarMeeting,
  ramadan: Ramadan,
  host: string,
  words: Pick<CalendarEvent, 'summary' | 'description'> & { readonly at: (location: Named | null) => string | null },
): CalendarEvent[] {
  const made = new Map(meeting.places.flatMap((one) => (one.instead_of ? [[one.instead_of, one] as const] : [])))
  return meeting.places.flatMap((place) => {
    if (place.instead_of && meeting.places.some((one) => !one.instead_of && holds(one, place.instead_of!))) return []
    const except = place.except.filter((day) => !made.has(day))
    const days = weeklyDays(place.day, place.from, place.to, except)
    if (!days.length) return []
    const inRamadan = days.filter((day) => isRamadanTime(ramadan, day))
    const mostly = inRamadan.length * 2 > days.length ? place.ramadan_time : place.regular_time
    const timesOn = (day: string) => (inRamadan.includes(day) ? place.ramadan_time : place.regular_time)
    const shared = {
      uid: `meeting-${meeting.id}${place.current ? '' : `-${place.from}`}@${host}`,
      sequence: meeting.version,
      summary: words.summary,
      description: words.description ?? null,
      location: words.at(place.location),
    }
    const [first] = days as [string]
    const last = days.at(-1)!
    return [
      {
        ...shared,
        start: `${first}T${mostly.from}`,
        end: `${first}T${mostly.to}`,
        weekly: { until: last, except: except.filter((day) => first < day && day < last) },
      },
      ...days.flatMap((day) => {
        const other = place.instead_of ? undefined : made.get(day)
        if (!other) return []
        const times = isRamadanTime(ramadan, other.from) ? other.ramadan_time : other.regular_time
        return [
          {
            ...shared,
            location: words.at(other.location),
            instead: `${day}T${mostly.from}`,
            start: `${other.from}T${times.from}`,
            end: `${other.from}T${times.to}`,
          },
        ]
      }),
      ...days
        .filter((day) => place.instead_of || !made.has(day))
        .filter((day) => timesOn(day).from !== mostly.from || timesOn(day).to !== mostly.to)
        .map((day) => ({
          ...shared,
          instead: `${day}T${mostly.from}`,
          start: `${day}T${timesOn(day).from}`,
          end: `${day}T${timesOn(day).to}`,
        })),
    ]
  })
}

/** Days and deadlines: they leave the time free. */
export const spanEvent = (span: CalendarSpan, host: string, summary: string): CalendarEvent => ({
  uid: `${span.kind}-${span.id}@${host}`,
  start: span.start_time ? `${span.from}T${span.start_time}` : span.from,
  end: span.end_time ? `${span.to}T${span.end_time}` : span.to,
  summary,
  free: true,
})

/** Office hours. */
export function hourEvents(
  hour: CalendarHour,
  host: string,
  words: Pick<CalendarEvent, 'summary' | 'location'>,
): CalendarEvent[] {
  const days = weeklyDays(hour.day, hour.from, hour.to, hour.except)
  const [first] = days
  if (!first) return []
  const last = days.at(-1)!
  return [
    {
      uid: `hour-${hour.id}@${host}`,
      sequence: hour.version,
      start: `${first}T${hour.start_time}`,
      end: `${first}T${hour.end_time}`,
      weekly: { until: last, except: hour.except.filter((day) => first < day && day < last) },
      ...words,
    },
  ]
}

/** An exam: known by the same `uid` wherever it moves, so that calendars move it, and strike it out while it is planned anew. */
export function examEvent(exam: ShownExam, host: string, lang: PaperLanguage): CalendarEvent {
  const seat = exam.seat === null ? [] : [inLanguage([`Seat ${exam.seat}`, `مقعد ${exam.seat}`], lang)]
  const places = exam.halls.map((hall) => nameIn(hall, lang))
  return {
    uid: `exam-${exam.id}-${exam.as}@${host}`,
    sequence: exam.version,
    start: `${exam.on_date}T${exam.from}`,
    end: `${exam.on_date}T${exam.to}`,
    summary: `${nameIn(exam.course, lang)} · ${inLanguage(examWords(exam), lang)}`,
    location: exam.cancelled ? null : [...places, ...seat].join(' · ') || null,
    description: exam.course.code ?? null,
    // Who teaches the course is elsewhere then.
    free: exam.as === 'teaches',
    cancelled: exam.cancelled,
  }
}
