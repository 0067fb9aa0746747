/** Percentages in hundredths. */
type Hundredths = number

/** Digits as a person types them in Arabic. */
const latin = (text: string): string =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) & 0xf)).replace('٫', '.')
const DECIMAL = /^\d{1,4}(?:\.\d{1,2})?$/

/** A number with at most two decimals in hundredths; null: it is none. */
export function hundredthsOf(text: string): Hundredths | null {
  const read = latin(text.trim()).replace(/\s*[%٪]$/, '')
  if (!DECIMAL.test(read)) return null
  const [whole = '0', part = ''] = read.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** A mark out of a total in percent, rounded half up. */
export const percentOfMark = (mark: Hundredths, total: Hundredths): Hundredths =>
  Math.floor((2 * mark * 10_000 + total) / (2 * total))

export const printedPercent = (value: Hundredths): string => (value / 100).toFixed(2)
