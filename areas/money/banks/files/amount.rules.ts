/** Amounts and days as banks write them. */
import { fold } from '#kit/contract/fold.ts'

/** Arabic and Persian digits as Latin ones, with the marks between them. */
export const latinDigits = (text: string): string =>
  text
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('\u066B', '.')
    .replaceAll('\u066C', ',')

export type DecimalMark = '.' | ','
export type DateOrder = 'dmy' | 'mdy' | 'ymd'

/** Codes of currencies as ISO 4217 lists them. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
/** Signs and words for currencies, without dots and spaces, folded; where one stands for several, the likeliest first. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'BRL', 'CLP', 'COP'],
  us$: ['USD'],
  '€': ['EUR'],
  '£': ['GBP', 'EGP', 'SYP', 'LBP', 'SDG'],
  'e£': ['EGP'],
  '£e': ['EGP'],
  r$: ['BRL'],
  '¥': ['JPY', 'CNY'],
  '₺': ['TRY'],
  '₹': ['INR'],
  '₽': ['RUB'],
  '₪': ['ILS'],
  '₩': ['KRW'],
  '₦': ['NGN'],
  '₫': ['VND'],
  '₱': ['PHP'],
  '₴': ['UAH'],
  '﷼': ['SAR', 'QAR', 'OMR', 'YER', 'IRR'],
  le: ['EGP'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  fr: ['CHF'],
  جم: ['EGP'],
  رس: ['SAR'],
  دا: ['AED', 'JOD'],
  دك: ['KWD'],
  دب: ['BHD'],
  رق: ['QAR'],
  رع: ['OMR'],
  رعم: ['OMR'],
  دت: ['TND'],
  دج: ['DZD'],
  دم: ['MAD'],
  دل: ['LYD'],
  لس: ['SYP'],
  لل: ['LBP'],
  جنيه: ['EGP', 'SDG'],
  جنيهمصري: ['EGP'],
  دولار: ['USD', 'CAD', 'AUD'],
  دولارامريكي: ['USD'],
  يورو: ['EUR'],
  ريالسعودي: ['SAR'],
  درهماماراتي: ['AED'],
  ديناركويتي: ['KWD'],
  egyptianpound: ['EGP'],
  egyptianpounds: ['EGP'],
  usdollar: ['USD'],
  usdollars: ['USD'],
  dollar: ['USD', 'CAD', 'AUD'],
  dollars: ['USD', 'CAD', 'AUD'],
  euro: ['EUR'],
  euros: ['EUR'],
  poundsterling: ['GBP'],
}

/** Which currencies a word or sign may mean, the likeliest first; null where it means none. */
export function currenciesOf(text: string): readonly string[] | null {
  const word = text.trim().replace(/[\s\u00A0\u202F.]/g, '')
  if (CODES.has(word.toUpperCase())) return [word.toUpperCase()]
  return SIGNS[fold(word)] ?? null
}

/** Words beside an amount that say to which side it belongs. */
const SIDES: Readonly<Record<string, 'in' | 'out'>> = { cr: 'in', dr: 'out', دائن: 'in', مدين: 'out' }

/** An amount as it is written. */
interface Written {
  /** Latin digits and the marks between them, a minus in front where one stood anywhere, or brackets. */
  readonly figure: string
  /** Which currencies the sign or word beside it may mean; null where none stands there. */
  readonly currencies: readonly string[] | null
  /** What `CR` or `DR` beside it says. */
  readonly side: 'in' | 'out' | null
}
/** Takes a text apart; null where something stands there that belongs to no amount. */
export function writtenAmount(text: string): Written | null {
  const plain = latinDigits(text).replace(/[\u2212\u2013]/g, '-')
  const found = /^([^\d]*)(\d(?:[\d.,'’_\s\u00A0\u202F]*\d)?)([^\d]*)$/u.exec(plain)
  if (!found) return null
  const [, before = '', digits = '', after = ''] = found
  let currencies: readonly string[] | null = null
  let side: Written['side'] = null
  for (const part of [before, after]) {
    const rest = part.replace(/[()+-]/g, ' ').trim()
    // A word alone, or several that are one name: "US Dollar"; "EGP CR" are two.
    for (const word of rest === '' ? [] : currenciesOf(rest) ? [rest] : rest.split(/[\s\u00A0\u202F]+/)) {
      const meant = currenciesOf(word)
      const says = SIDES[fold(word).replaceAll('.', '')]
      if (says && side === null) side = says
      else if (meant) {
        const both: readonly string[] = currencies === null ? meant : currencies.filter((one) => meant.includes(one))
        if (!both.length) return null
        currencies = both
      } else return null
    }
  }
  const signs = `${before}|${after}`
  const negative = signs.includes('-') || (before.includes('(') && after.includes(')'))
  return { figure: (negative ? '-' : '') + digits.replace(/[\s\u00A0\u202F'’_]/g, ''), currencies, side }
}
const bare = (text: string): string => writtenAmount(text)?.figure ?? ''

/** Which mark stands before the decimals in amounts of one column; null where none tells. */
export function decimalMarkOf(texts: readonly string[]): DecimalMark | null {
  let [point, comma] = [0, 0]
  for (const text of texts) {
    const value = bare(text).replace('-', '')
    const [lastPoint, lastComma] = [value.lastIndexOf('.'), value.lastIndexOf(',')]
    if (lastPoint >= 0 && lastComma >= 0) {
      if (lastPoint > lastComma) point += 3
      else comma += 3
    } else if (lastPoint >= 0 && /^\d+\.(?:\d{1,2}|\d{4,})$/.test(value)) point += 2
    else if (lastComma >= 0 && /^\d+,(?:\d{1,2}|\d{4,})$/.test(value)) comma += 2
    // Groups of three, several of them: the mark is not that of decimals.
    else if (/^\d{1,3}(?:,\d{3}){2,}$/.test(value)) point += 1
    else if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(value)) comma += 1
  }
  return point === comma ? null : point > comma ? '.' : ','
}

/**
 * An amount in whole minor units; null where it is none. `digits` is how many the currency has: more of them, but for noughts,
 * make it none.
 */
export function minorOfBank(text: string, digits: number, mark: DecimalMark = '.'): number | null {
  const value = bare(text)
  const groups = mark === '.' ? ',' : '.'
  const match = new RegExp(`^(-?)(\\d{1,3}(?:\\${groups}\\d{3})+|\\d{1,15})(?:\\${mark}(\\d*))?$`).exec(value)
  if (!match) return null
  const [, sign, whole = '', part = ''] = match
  if (/[1-9]/.test(part.slice(digits))) return null
  const minor = Number(whole.replaceAll(groups, '') + part.slice(0, digits).padEnd(digits, '0'))
  if (!Number.isSafeInteger(minor)) return null
  return sign && minor !== 0 ? -minor : minor
}

const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'jan january janvier januar jän janeiro يناير',
    'feb february février fév fevrier februar fevereiro fev فبراير',
    'mar march mars märz mär mrz março marco مارس',
    'apr april avril avr abril abr ابريل أبريل إبريل',
    'may mai maio مايو',
    'jun june juin juni junho يونيو يونيه',
    'jul july juillet juil juli julho يوليو يوليه',
    'aug august août aout agosto ago أغسطس اغسطس',
    'sep sept september septembre setembro set سبتمبر',
    'oct october octobre oktober okt outubro out أكتوبر اكتوبر',
    'nov november novembre novembro نوفمبر',
    'dec december décembre déc decembre dezember dez dezembro ديسمبر',
  ].flatMap((names, i) => names.split(' ').map((name) => [name, i + 1])),
)
/** The three numbers of a day as they stand, the name of a month as its number; null where it is no day. */
function partsOf(text: string): readonly [string, string, string] | null {
  const plain = latinDigits(text.trim())
    .replace(/[T ]\d{1,2}:\d{2}.*$/, '')
    .trim()
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(plain)
  if (compact) return [compact[1]!, compact[2]!, compact[3]!]
  // Some programs write the year of two digits after an apostrophe: 4/5'26.
  const parts = plain.split(/[\s./,'’-]+/).filter(Boolean)
  if (parts.length !== 3) return null
  const named = parts.map((part) => {
    const month = MONTHS[part.toLowerCase()]
    return month === undefined ? part : `m${month}`
  })
  return named.every((part) => /^(?:m\d{1,2}|\d{1,4})$/.test(part)) ? (named as [string, string, string]) : null
}

/** In which order the days of a column say day, month and year; null where none tells. `doubtful`: days fit two orders alike. */
export function dateOrderOf(texts: readonly string[]): { order: DateOrder; doubtful: boolean } | null {
  let [day, month, seen] = [0, 0, 0]
  for (const text of texts) {
    const parts = partsOf(text)
    if (!parts) continue
    seen++
    if (parts[0].length === 4) return { order: 'ymd', doubtful: false }
    if (parts[0].startsWith('m')) month += 1
    else if (parts[1].startsWith('m')) day += 1
    else if (Number(parts[0]) > 12) day += 1
    else if (Number(parts[1]) > 12) month += 1
  }
  if (!seen) return null
  return { order: month > day ? 'mdy' : 'dmy', doubtful: day === 0 && month === 0 }
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** `YYYY-MM-DD` of a day that there is; null of anything else. */
export function dayOfParts(year: number, month: number, day: number): string | null {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const most = month === 2 && leap ? 29 : DAYS[month - 1]
  if (most === undefined || day < 1 || day > most || year < 1990 || year > 2199) return null
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** A day as `YYYY-MM-DD`; null where it is none. Years of two digits are of this century. */
export function dayFrom(text: string, order: DateOrder): string | null {
  const parts = partsOf(text)
  if (!parts) return null
  const number = (part: string) => Number(part.replace('m', ''))
  const [a, b, c] = parts
  if (a.length === 4) return dayOfParts(number(a), number(b), number(c))
  const year = c.length === 4 ? number(c) : c.length === 2 ? 2000 + number(c) : Number.NaN
  const monthFirst = a.startsWith('m') || (order === 'mdy' && !b.startsWith('m'))
  return monthFirst ? dayOfParts(year, number(a), number(b)) : dayOfParts(year, number(b), number(a))
}
