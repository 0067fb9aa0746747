/** ISO 4217: currencies whose minor unit is not a hundredth. Browsers and servers do not agree on all of them by themselves. */
const DIGITS: Readonly<Record<string, number>> = Object.fromEntries([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3]),
])
/** How many digits after the point an amount of a currency has: amounts are whole numbers of the last of them. */
export const minorDigits = (currency: string): number => DIGITS[currency] ?? 2
/** An amount as plain text, with a point: for reasons, whose places are filled with text. */
export const moneyText = (minor: number, currency: string): string => {
  const digits = minorDigits(currency)
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  return `${minor < 0 ? '-' : ''}${digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text} ${currency}`.trim()
}
