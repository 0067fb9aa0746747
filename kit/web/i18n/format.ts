import { dayOf, isElsewhere, zoneOfUniversity } from '#kit/contract/day.ts'
import { fold } from '#kit/contract/fold.ts'
import { minorDigits, moneyIn } from '#kit/contract/money.ts'
import { language, localeOf } from './language.ts'
import type { Language } from './language.ts'

const kept = new Map<
  string,
  Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat | Intl.ListFormat | Intl.Collator
>()
const once = <
  T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat | Intl.ListFormat | Intl.Collator,
>(
  kind: string,
  options: object,
  l: Language,
  make: (locale: string) => T,
): T => {
  const key = `${kind} ${l} ${JSON.stringify(options)}`
  const had = kept.get(key)
  if (had) return had as T
  const made = make(localeOf(l))
  kept.set(key, made)
  return made
}

/** `1,284`; `places` fixes the digits after the point. Decimals that travel as text are taken as they are. */
export function formatNumber(
  value: number | string | null | undefined,
  places?: number,
  l: Language = language(),
): string {
  if (value === null || value === undefined || value === '') return ''
  const options: Intl.NumberFormatOptions =
    places === undefined
      ? { maximumFractionDigits: 4 }
      : { minimumFractionDigits: places, maximumFractionDigits: places }
  return once('number', options, l, (locale) => new Intl.NumberFormat(locale, options)).format(Number(value))
}
/** A figure of an axis: 1250000 -> 1.3M. An Arabic word keeps its place after the number, also in a drawing that runs from the left. */
export const formatShort = (value: number, l: Language = language()): string => {
  const options: Intl.NumberFormatOptions = { notation: 'compact', maximumFractionDigits: 1 }
  const text = once('number', options, l, (locale) => new Intl.NumberFormat(locale, options)).format(value)
  return /\p{Script=Arabic}/u.test(text) ? `\u2067${text}\u2069` : text
}
/** A part of one, as percent: 0.25 -> 25%. */
export const formatPercent = (part: number, places = 0, l: Language = language()): string => {
  const options: Intl.NumberFormatOptions = {
    style: 'percent',
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }
  return once('number', options, l, (locale) => new Intl.NumberFormat(locale, options)).format(part)
}
/** Integer minor units and an ISO currency: 125050, EGP -> `EGP 1,250.50`. */
export const formatMoney = (minor: number | null | undefined, currency: string, l: Language = language()): string =>
  minor === null || minor === undefined ? '' : moneyIn(minor, currency, localeOf(l))

/** An amount of a table whose title says the currency of all of it: with its minor digits, without the currency. */
export function formatAmount(minor: number, currency: string, l: Language = language()): string {
  const digits = minorDigits(currency)
  return formatNumber(minor / 10 ** digits, digits, l)
}

/** An amount of an axis or a figure from afar, without currency. */
export const formatMoneyShort = (minor: number, currency: string, l: Language = language()): string =>
  formatShort(minor / 10 ** minorDigits(currency), l)

const dateFormat = (options: Intl.DateTimeFormatOptions, l: Language) =>
  once('date', options, l, (locale) => new Intl.DateTimeFormat(locale, options))

/** `YYYY-MM-DD` -> `5 Nov 2026`; `column`: `Thu 5 Nov`, above a column of a day. A day has no zone, so it is never shifted; an instant is the day it falls on at the university. */
export function formatDate(
  date: string | null | undefined,
  style: 'short' | 'long' | 'weekday' | 'column' = 'short',
  l: Language = language(),
): string {
  if (!date) return ''
  const [year, month, day] = (date.length > 10 ? dayOf(date) : date).split('-').map(Number)
  if (!year || !month || !day) return date
  const options: Intl.DateTimeFormatOptions = {
    timeZone: 'UTC',
    day: 'numeric',
    month: style === 'short' || style === 'column' ? 'short' : 'long',
    ...(style === 'column' ? { weekday: 'short' } : { year: 'numeric' }),
    ...(style === 'weekday' ? { weekday: 'long' } : {}),
  }
  return dateFormat(options, l).format(Date.UTC(year, month - 1, day))
}
/** An ISO instant by the university's clock: `5 Nov 2026, 14:05`, with the zone beside it for who sits in another one. */
export function formatInstant(instant: string | null | undefined, l: Language = language()): string {
  if (!instant) return ''
  const options: Intl.DateTimeFormatOptions = {
    timeZone: zoneOfUniversity(),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(isElsewhere(instant) && { timeZoneName: 'short' }),
  }
  return dateFormat(options, l).format(new Date(instant))
}
/** `14:05` or `14:05:00` -> `14:05`. Timetables use 24 hours in every language. */
export const formatTime = (time: string | null | undefined): string => time?.slice(0, 5) ?? ''
/** `07:30–09:00`, always with the earlier first: show it inside `<Code>` or `<bdi dir="ltr">`. */
export const formatTimeRange = (from: string, until: string): string => `${formatTime(from)}–${formatTime(until)}`

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
/** How long ago or until: `3 minutes ago`. */
export function formatAgo(instant: string, now?: number, l: Language = language()): string {
  const seconds = (new Date(instant).getTime() - (now ?? Date.now())) / 1000
  const format = once('ago', {}, l, (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  return format.format(0, 'minute')
}
/** `a, b and c` in the reader's language. */
export const formatList = (items: readonly string[], l: Language = language()): string =>
  once('list', {}, l, (locale) => new Intl.ListFormat(locale, { type: 'conjunction' })).format(items)
/** Size of a file: `2.4 MB`. */
/** What something is, after what it is called: `Faculty: Medicine`. French sets a space before the colon, which never breaks. */
export const withHeading = (heading: string, text: string, l: Language = language()): string =>
  `${heading}${l === 'fr' ? '\u00A0' : ''}: ${text}`

export function formatBytes(bytes: number, l: Language = language()): string {
  const [unit, size] =
    bytes >= 1_073_741_824
      ? (['gigabyte', 1_073_741_824] as const)
      : bytes >= 1_048_576
        ? (['megabyte', 1_048_576] as const)
        : bytes >= 1024
          ? (['kilobyte', 1024] as const)
          : (['byte', 1] as const)
  const options: Intl.NumberFormatOptions = {
    style: 'unit',
    unit,
    // `6 bytes`: its short form has no plural.
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: bytes >= 1_048_576 ? 1 : 0,
  }
  return once('number', options, l, (locale) => new Intl.NumberFormat(locale, options)).format(bytes / size)
}
/** Names of the seven days beginning with `first` (0 Sunday … 6 Saturday). */
export const weekdays = (style: 'short' | 'long' = 'short', first = 6, l: Language = language()): string[] =>
  Array.from({ length: 7 }, (_, i) =>
    dateFormat({ weekday: style, timeZone: 'UTC' }, l).format(Date.UTC(2023, 0, 1 + ((first + i) % 7))),
  )
/** Order of names as readers of the language expect it. */
export const compareText = (a: string, b: string, l: Language = language()): number =>
  once('order', {}, l, (locale) => new Intl.Collator(locale, { numeric: true })).compare(a, b)

const DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g
export { fold }

/** Arabic-Indic and Persian digits typed by a person, as Latin ones. */
export const latinDigits = (text: string): string => text.replace(DIGITS, (d) => String(d.charCodeAt(0) & 0xf))

/** A record that carries both names. */
export interface Named {
  readonly name?: string | null
  readonly name_local?: string | null
  readonly code?: string | null
}
/**
 * Names of what the program itself brings (kinds of windows, roles) in German, French and Portuguese, by their English and
 * Arabic ones: they are translated as long as nobody has renamed them.
 */
const brought = new Map<Language, ReadonlyMap<string, string>>()
export const noteNames = (l: Language, names: Readonly<Record<string, string>> = {}): void => {
  brought.set(l, new Map([...(brought.get(l) ?? []), ...Object.entries(names)]))
}

/** The name in the reader's language, the other where it is missing. */
export const nameOf = (row: Named | null | undefined, l: Language = language()): string =>
  (l === 'ar'
    ? row?.name_local || row?.name
    : brought.get(l)?.get(`${row?.name} / ${row?.name_local}`) || row?.name || row?.name_local) ||
  row?.code ||
  ''
/** The other name, when there is one and it differs. */
export function otherNameOf(row: Named | null | undefined, l: Language = language()): string | null {
  const other = l === 'ar' ? row?.name : row?.name_local
  return other && other !== nameOf(row, l) ? other : null
}
/** Two letters for somebody without a photo: of the first two words of the name. */
export const initialsOf = (name: string): string => {
  const letters = name
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0])
  // Arabic letters would join into a word that is none: a narrow space that does not break keeps them apart.
  return letters.join(letters.some((letter) => /\p{Script=Arabic}/u.test(letter!)) ? '\u200C\u202F' : '')
}
/** Shortens a text to `length` characters with an ellipsis (the documents' defaults are 15 and 18). */
export const shorten = (text: string, length = 18): string => {
  const letters = [...text]
  return letters.length <= length ? text : `${letters.slice(0, length).join('')}…`
}

/** A decimal kept as text (`2.50`) with the mark of the reader's language: `2,50` in German, French and Portuguese. */
export const decimalAsWritten = (text: string, l: Language = language()): string =>
  text.replace('.', formatNumber(0.5, 1, l).charAt(1))
