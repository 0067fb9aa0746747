/**
 * Days of the Hijri calendar. Umm al-Qura is reckoned in advance (`Intl`); a country that follows the sighting of the moon
 * begins a month a day earlier or later, which a table of corrections says. Pure.
 */
import { addDays, daysBetween } from './day.ts'

/** A day of the Hijri calendar; months count from 1, Muharram. */
export interface HijriDay {
  readonly year: number
  readonly month: number
  readonly day: number
}
/** A month that began on another day than Umm al-Qura says. */
export interface HijriCorrection {
  readonly year: number
  readonly month: number
  readonly first_day: string
}

/** Years that Umm al-Qura is reckoned for; beyond them it says nothing. */
export const HIJRI_YEARS = { first: 1301, last: 1599 } as const
const reckoned = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})
const numberOf = (parts: readonly Intl.DateTimeFormatPart[], type: string): number =>
  Number.parseInt(parts.find((part) => part.type === type)?.value ?? '', 10)

/** The day as Umm al-Qura says. */
export function ummAlQura(day: string): HijriDay {
  const parts = reckoned.formatToParts(new Date(`${day}T00:00:00Z`))
  return { year: numberOf(parts, 'year'), month: numberOf(parts, 'month'), day: numberOf(parts, 'day') }
}

/** Months counted through the years, so that one follows the other. */
const placeOf = ({ year, month }: { year: number; month: number }): number => year * 12 + month - 1
const monthAt = (place: number): { year: number; month: number } => ({
  year: Math.floor(place / 12),
  month: (place % 12) + 1,
})

/** The first day of a month as Umm al-Qura says. */
function reckonedStart(place: number): string {
  // A month has 29.53 days; from a day within a month of it, days lead to its first.
  const { year, month } = monthAt(place)
  const sinceEpoch = (year - 1) * 12 + month - 1
  let day = addDays('0622-07-19', Math.round(sinceEpoch * 29.530_588))
  for (let tries = 0; tries < 8; tries++) {
    const at = ummAlQura(day)
    const first = addDays(day, 1 - at.day)
    const away = place - placeOf(at)
    if (away === 0) return first
    day = addDays(first, away > 0 ? 31 : -1)
  }
  return day
}

/** The first day of a month, as corrected. */
export function hijriMonthStart(
  of: { readonly year: number; readonly month: number },
  corrections: readonly HijriCorrection[] = [],
): string {
  return (
    corrections.find(({ year, month }) => year === of.year && month === of.month)?.first_day ??
    reckonedStart(placeOf(of))
  )
}

/** The Hijri day on which a day falls. */
export function hijri(day: string, corrections: readonly HijriCorrection[] = []): HijriDay {
  const base = ummAlQura(day)
  if (!corrections.length) return base
  // A corrected month begins a day or two away: the day lies in the reckoned month or beside it.
  const middle = placeOf(base)
  for (const place of [middle + 1, middle, middle - 1]) {
    const start = hijriMonthStart(monthAt(place), corrections)
    if (start <= day) return { ...monthAt(place), day: daysBetween(start, day) + 1 }
  }
  return base
}

/** The day on which a Hijri day falls; null where the month has no such day. */
export function fromHijri(of: HijriDay, corrections: readonly HijriCorrection[] = []): string | null {
  if (of.month < 1 || of.month > 12 || of.day < 1 || of.day > 30) return null
  if (of.year < HIJRI_YEARS.first || of.year > HIJRI_YEARS.last) return null
  const day = addDays(hijriMonthStart(of, corrections), of.day - 1)
  const back = hijri(day, corrections)
  return back.year === of.year && back.month === of.month && back.day === of.day ? day : null
}

/** What is wrong with a table of corrections: months of other than 29 or 30 days, and what is too far from the reckoning. */
export function correctionProblem(
  of: HijriCorrection,
  others: readonly HijriCorrection[],
): { code: 'hijri_far'; data: { day: string } } | { code: 'hijri_length'; data: { days: number } } | null {
  const place = placeOf(of)
  const day = reckonedStart(place)
  if (Math.abs(daysBetween(day, of.first_day)) > 2) return { code: 'hijri_far', data: { day } }
  const all = [...others.filter((other) => placeOf(other) !== place), of]
  for (const [from, until] of [
    [place - 1, place],
    [place, place + 1],
  ] as const) {
    const days = daysBetween(hijriMonthStart(monthAt(from), all), hijriMonthStart(monthAt(until), all))
    if (days < 29 || days > 30) return { code: 'hijri_length', data: { days } }
  }
  return null
}

const names = new Map<string, Intl.DateTimeFormat>()
/** `12 Jumada II 1448` or `12 جمادى الآخرة 1448 هـ`, with Latin digits as everywhere. */
export function formatHijri({ year, month, day }: HijriDay, locale: string): string {
  let format = names.get(locale)
  if (!format) {
    format = new Intl.DateTimeFormat(`${locale.split('-u-')[0]}-u-ca-islamic-umalqura-nu-latn`, {
      timeZone: 'UTC',
      month: 'long',
    })
    names.set(locale, format)
  }
  // The month's name is that of any day in its middle.
  const middle = addDays(reckonedStart(placeOf({ year, month })), 14)
  const name = format.formatToParts(new Date(`${middle}T00:00:00Z`)).find((part) => part.type === 'month')?.value ?? ''
  return `${day} ${name} ${year}${locale.startsWith('ar') ? ' هـ' : ' AH'}`
}
