import { addDays, dayOf, weekPlace } from '#kit/contract/day.ts'
import { latinDigits } from './digits.ts'

const pad = (n: number) => String(n).padStart(2, '0')
/** Days of a month, 1 to 12. */
export const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

const valid = (y: number, m: number, d: number): string | null =>
  y >= 1000 && y <= 9999 && m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m) ? `${y}-${pad(m)}-${pad(d)}` : null

/**
 * A typed date as `YYYY-MM-DD`; null if the day does not exist. Accepts `2026-11-20`, `20/11/2026`, `20.11.2026`, `20
 * 11 26`, `20112026`, with Arabic digits as well. The day comes before the month in every language.
 */
export function parseDate(typed: string, today = new Date()): string | null {
  const s = latinDigits(typed).trim()
  const iso = /^(\d{4})[-/.\s](\d{1,2})[-/.\s](\d{1,2})$/.exec(s)
  if (iso) return valid(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const dmy = /^(\d{1,2})[-/.\s](\d{1,2})(?:[-/.\s](\d{2}|\d{4}))?$/.exec(s) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(s)
  if (!dmy) return null
  const year = dmy[3] === undefined ? today.getFullYear() : Number(dmy[3])
  // Two digits: the century that puts the date nearest, so that 98 is 1998 and 31 is 2031.
  const full = dmy[3]?.length === 2 ? (year > (today.getFullYear() % 100) + 20 ? 1900 + year : 2000 + year) : year
  return valid(full, Number(dmy[2]), Number(dmy[1]))
}

/** A time of day as typed (`9`, `930`, `9:30`, `09.30`), as `HH:MM`, or null. */
export function parseTime(typed: string): string | null {
  const s = latinDigits(typed).trim()
  const parts = /^(\d{1,2})(?:[:.h](\d{2})?)?$/.exec(s) ?? /^(\d{1,2})(\d{2})$/.exec(s)
  if (!parts) return null
  const [h, m] = [Number(parts[1]), Number(parts[2] ?? 0)]
  return h < 24 && m < 60 ? `${pad(h)}:${pad(m)}` : null
}

/** `20/11/2026`: the text in an input, which can be typed again. */
export const editDate = (iso: string, lang: string): string => {
  const [y, m, d] = iso.split('-')
  return lang === 'de' ? `${d}.${m}.${y}` : `${d}/${m}/${y}`
}
export const addMonths = (iso: string, months: number): string => {
  const [y = 0, m = 1, d = 1] = iso.split('-').map(Number)
  const index = y * 12 + (m - 1) + months
  const [year, month] = [Math.floor(index / 12), (index % 12) + 1]
  return `${year}-${pad(month)}-${pad(Math.min(d, daysIn(year, month)))}`
}
/** Today at the university. */
export const todayIso = (now = new Date()): string => dayOf(now)
/** The six weeks that show a month, Saturday first. */
export function monthDays(year: number, month: number): string[] {
  const first = `${year}-${pad(month)}-01`
  const start = addDays(first, -weekPlace(first))
  return Array.from({ length: 42 }, (_, i) => addDays(start, i))
}
