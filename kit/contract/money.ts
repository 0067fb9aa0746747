/** ISO 4217: currencies whose minor unit is not a hundredth. Browsers and servers do not agree on all of them by themselves. */
const DIGITS: Readonly<Record<string, number>> = Object.fromEntries([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3]),
])
/** How many digits after the point an amount of a currency has: amounts are whole numbers of the last of them. */
export const minorDigits = (currency: string): number => DIGITS[currency] ?? 2
/** An amount as plain text, with a point: for reasons and notices, whose places are filled with text (`amountIn` reads it). */
export const moneyText = (minor: number, currency: string): string => {
  const digits = minorDigits(currency)
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  return `${minor < 0 ? '-' : ''}${digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text} ${currency}`.trim()
}

const AMOUNT = /^(-?\d{1,13}(?:\.(\d{2,3}))?) ([A-Z]{3})$/
/**
 * An amount that travels as text (`moneyText`): in a sentence it is written as people write it. null: it is none, as `204 LAB`,
 * which has not the decimals of its currency, is a room.
 */
export function amountIn(text: string): { minor: number; currency: string } | null {
  const [, amount, decimals = '', currency] = AMOUNT.exec(text) ?? []
  return currency && decimals.length === minorDigits(currency)
    ? { minor: Math.round(Number(amount) * 10 ** minorDigits(currency)), currency }
    : null
}

const formats = new Map<string, Intl.NumberFormat>()
/** Integer minor units and an ISO currency as people of a locale write them: 125050, EGP -> `EGP 1,250.50`. */
export function moneyIn(minor: number, currency: string, locale: string): string {
  const digits = minorDigits(currency)
  const arabic = locale.startsWith('ar')
  const key = `${locale} ${currency}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: arabic ? 'symbol' : 'code',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  formats.set(key, format)
  // Marks of direction that come with a sign would put the currency on the other side of it than without one.
  const text =
    arabic && minor < 0
      ? format.format(-minor / 10 ** digits).replace(/[\d.,]*\d/, (figures) => `\u2066-${figures}\u2069`)
      : format.format(minor / 10 ** digits)
  // Among Arabic letters the `$` of `US$` would stand before its letters.
  // An abbreviation ends with a dot, which would be the second one where a sentence ends: Arabic leaves the last one out.
  return arabic ? text.replace(/[A-Z]+\$/, '\u2066$&\u2069').replace(/(?<=\p{L})\.(?=\u200f?$)/u, '') : text
}
