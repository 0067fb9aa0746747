const pad = (n: number): string => String(n).padStart(2, '0')

/** Name of the zone in which instants are told; undefined: that of the machine. */
let zone: string | undefined
let clock: Intl.DateTimeFormat | undefined

/**
 * From here on instants are told in this zone (`Africa/Cairo`), wherever the reader or the server sits. The browser calls it with
 * the zone of the university, the server whenever it reads how the university works. A name that is no zone changes nothing; null is the zone of the machine again.
 */
export function setZone(name: string | null): void {
  if (name === null) zone = clock = undefined
  if (!name || name === zone) return
  try {
    clock = new Intl.DateTimeFormat('en-CA', {
      timeZone: name,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    zone = name
  } catch {
    // The zone before stays: a browser may be older than a zone.
  }
}
/** The zone that was set, for formats of the reader's language; undefined: that of the machine. */
export const zoneOfUniversity = (): string | undefined => zone

/** What calendar and clock show at an instant: `2026-11-05`, `14:05`, and seconds since the minute began. */
function shownAt(at: Date): { day: string; time: string; seconds: number } {
  if (!clock) {
    return {
      day: `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`,
      time: `${pad(at.getHours())}:${pad(at.getMinutes())}`,
      seconds: at.getSeconds(),
    }
  }
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of clock.formatToParts(at)) part[type] = value
  return {
    day: `${part.year}-${part.month}-${part.day}`,
    time: `${part.hour}:${part.minute}`,
    seconds: Number(part.second),
  }
}
const dateOf = (instant: string | Date): Date => (typeof instant === 'string' ? new Date(instant) : instant)

/**
 * The day on which an instant falls at the university, as `YYYY-MM-DD`. The only way from an instant to a day: its text is
 * UTC, and cutting it gives the day before or after.
 */
export const dayOf = (instant: string | Date = new Date()): string => shownAt(dateOf(instant)).day

/** What the clock of the university shows at an instant, as `HH:MM`. */
export const timeOf = (instant: string | Date = new Date()): string => shownAt(dateOf(instant)).time

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/
/** Whether a text is an instant as it travels: `2026-11-05T14:05:00Z`. */
export const isInstant = (text: string): boolean => INSTANT.test(text) && !Number.isNaN(Date.parse(text))

/** How far the university's clock is ahead of UTC at an instant, in milliseconds. */
function aheadAt(instant: number): number {
  const { day, time, seconds } = shownAt(new Date(instant))
  return Date.parse(`${day}T${time}:00Z`) + seconds * 1000 - Math.floor(instant / 1000) * 1000
}

/** Whether the clock on the reader's wall shows another time than the university's at an instant. */
export function isElsewhere(instant: string | Date): boolean {
  const at = dateOf(instant)
  return zone !== undefined && aheadAt(at.getTime()) !== -at.getTimezoneOffset() * 60_000
}

/**
 * The instant at which the clock of the university shows a time of a day. Of an hour that is skipped in spring the instant
 * after; of one that comes twice in autumn the first.
 *
 * @param time `HH:MM`
 */
export function instantAt(day: string, time: string): Date {
  const shown = Date.parse(`${day}T${time}:00Z`)
  const [before, after] = [shown - aheadAt(shown - 86_400_000), shown - aheadAt(shown + 86_400_000)]
  // Around a change of the clock only one of both shows what was asked for; in the skipped hour none does.
  return new Date(shown - aheadAt(before) === before ? before : shown - aheadAt(after) === after ? after : before)
}

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The day so many days after `day` (before, when negative); days are those of the calendar, whatever the zone. */
export function addDays(day: string, days: number): string {
  const at = utc(day)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** The same day of the month so many months later; in a shorter month its last day. */
export function addMonths(day: string, months: number): string {
  const at = utc(day)
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1, 0))
  last.setUTCDate(Math.min(at.getUTCDate(), last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** Days from one day to another: zero for the same day, negative if `until` comes first. */
export const daysBetween = (from: string, until: string): number =>
  Math.round((utc(until).getTime() - utc(from).getTime()) / 86_400_000)

/** Place of a day in a week that begins on Saturday: 0 to 6, as days of the week are numbered everywhere. */
export const weekPlace = (day: string): number => (utc(day).getUTCDay() + 1) % 7
