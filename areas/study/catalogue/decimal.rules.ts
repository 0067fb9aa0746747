/**
 * Exact decimals for marks, percentages, points, GPAs and credit hours.
 *
 * Inside the rules every such quantity is a whole number of hundredths (12.5 is 1250), so that no sum or comparison
 * passes through a binary fraction. On the wire and in the database it is a decimal with at most two places.
 */

/** A decimal with two places as a whole number: 3.25 is 325. */
export type Hundredths = number

const shape = /^(-?)(\d{1,9})(?:\.(\d{1,2}))?$/

/** Reads a decimal with at most two places; null where the text is no such decimal. */
export function parseHundredths(text: string): Hundredths | null {
  const match = shape.exec(text.trim())
  if (match === null) return null
  const value = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] === '-' && value !== 0 ? -value : value
}

/** Writes hundredths as a decimal with exactly two places: 325 is '3.25'. */
export function printHundredths(value: Hundredths): string {
  const size = Math.abs(value)
  const rest = size % 100
  return `${value < 0 ? '-' : ''}${(size - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`
}

/** Writes hundredths without needless zeros, for texts people read: 300 is '3', 350 is '3.5'. */
export function trimHundredths(value: Hundredths): string {
  return printHundredths(value).replace(/\.?0+$/, '')
}

/** A number that came as JSON, in hundredths: 1.1 is 110, though 1.1 * 100 is not. */
export const toHundredths = (value: number): Hundredths => Math.round(value * 100)

/** Hundredths as the number that JSON carries: 110 is 1.1, the nearest there is. */
export const fromHundredths = (value: Hundredths): number => value / 100

/** The exact sum of numbers with at most two places: 0.1 and 0.2 are 0.3. */
export const sumDecimals = (values: Iterable<number>): number => {
  let sum = 0
  for (const value of values) sum += toHundredths(value)
  return fromHundredths(sum)
}

/** numerator / denominator to the nearest whole number, halves away from zero. Exact for safe integers below 2^52. */
export function divideRounded(numerator: number, denominator: number): number {
  const size = 2 * Math.abs(numerator) + Math.abs(denominator)
  const step = 2 * Math.abs(denominator)
  const quotient = (size - (size % step)) / step
  return quotient !== 0 && numerator < 0 !== denominator < 0 ? -quotient : quotient
}

/** Rounds hundredths to 0, 1 or 2 places, halves away from zero; the answer is again in hundredths. */
export function roundPlaces(value: Hundredths, places: 0 | 1 | 2): Hundredths {
  const unit = places === 0 ? 100 : places === 1 ? 10 : 1
  return divideRounded(value, unit) * unit
}
