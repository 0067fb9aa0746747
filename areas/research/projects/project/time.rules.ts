/** Where something lies on a line of time, in percent of it. */
export interface OnLine {
  readonly from: number
  readonly width: number
}
const days = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000

/** Places of a span within another, cut at its ends. */
export function placeOn(line: { readonly start: string; readonly end: string }, start: string, end: string): OnLine {
  const whole = days(line.end) - days(line.start) + 1
  const from = Math.max(0, Math.min(1, (days(start) - days(line.start)) / whole))
  const until = Math.max(from, Math.min(1, (days(end) - days(line.start) + 1) / whole))
  return { from: Math.round(from * 1000) / 10, width: Math.round((until - from) * 1000) / 10 }
}
/** Where a day lies, in percent; null: it is outside. */
export const dayOn = (line: { readonly start: string; readonly end: string }, day: string): number | null =>
  day < line.start || day > line.end ? null : placeOn(line, day, day).from
