import type { ReportColumn } from './financial.rules.ts'

/** Points of the letters of a table, and how many characters fit across the page in the largest of them. */
const LARGEST = 8
const SMALLEST = 5
const FIT = 165
const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length))
/** How wide a column is, in characters: a figure is never broken, a text between its words. */
export function widthOnPaper(kind: ReportColumn<never>['kind'], label: string, cells: readonly string[]): number {
  const words = longest([label, ...(kind === 'text' ? cells : [])].flatMap((text) => text.split(/\s+/)))
  const whole = longest(cells)
  return 2 + Math.max(words, kind === 'text' ? Math.min(whole, 20) : whole)
}
/** Points of the letters of a table, so that all its columns fit across the page. */
export const sizeOnPaper = (widths: readonly number[]): number =>
  Math.max(SMALLEST, Math.min(LARGEST, (LARGEST * FIT) / widths.reduce((sum, one) => sum + one, 0)))
