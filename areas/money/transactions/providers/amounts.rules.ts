/** Amounts as providers write them (decimal text) and as we keep them (whole minor units); no floating point between. */

/** Minor units of a decimal text; null when it is no amount, or finer than the currency. */
export function minorOfProvider(text: string, digits = 2): number | null {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (whole === undefined || /[1-9]/.test(fraction.slice(digits))) return null
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return Number.isSafeInteger(minor) ? minor : null
}

/** `58055` as `580.55`. */
export function decimalOf(minor: number, digits = 2): string {
  const text = String(minor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
