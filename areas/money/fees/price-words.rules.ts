/** How a line was computed, in words: in English and Arabic. */
import type { Currency, FeeItem, FeeLine, GrantApplied, Per, PriceRow } from './pricing.rules.ts'

const grouped = (amount: number): string => {
  const [whole = '', cents = ''] = (amount / 100).toFixed(2).split('.')
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}
const hundredths = (n: number): string => (n % 100 === 0 ? String(n / 100) : (n / 100).toFixed(2).replace(/0$/, ''))

const UNIT: Readonly<Record<Per, readonly [en: string, ens: string, ar: string]>> = {
  year: ['year', 'years', 'عام'],
  term: ['term', 'terms', 'فصل دراسي'],
  hour: ['credit hour', 'credit hours', 'ساعة معتمدة'],
  course: ['course', 'courses', 'مقرر'],
  copy: ['copy', 'copies', 'نسخة'],
  request: ['request', 'requests', 'طلب'],
}
const POUND: Readonly<Record<Currency, string>> = { EGP: 'ج.م', USD: 'دولار' }

/** What was counted at which price, before scholarships. */
export interface Share {
  readonly quantity: number
  readonly charged: number
  readonly codes: readonly string[]
  readonly registration_ids: readonly number[]
  /** Of these courses alone. */
  readonly of?: readonly string[]
  /** Hours that a flat price is for, in hundredths, and what they cost. */
  readonly flat?: { readonly hours: number; readonly amount: number }
}
export function priceWords(
  item: FeeItem,
  row: PriceRow,
  share: Share,
  grants: readonly GrantApplied[],
): FeeLine['words'] {
  const many = share.quantity === 100 ? 0 : 1
  const money = grouped(row.amount)
  const part = share.charged === 10_000 ? '' : hundredths(share.charged)
  const withdrawn = share.codes.join(', ')
  const only = share.of?.join(', ') ?? ''
  if (share.flat) {
    const band = row.flat!
    const [hours, from, to] = [share.flat.hours, band.from, band.to].map(hundredths)
    const [sum, flat] = [share.flat.amount, band.amount].map(grouped)
    return {
      en: `${item.name}: ${[`${hours} credit hours, ${from} to ${to} cost ${flat} ${row.currency}, each other ${money} ${row.currency}: ${sum} ${row.currency}`, ...grants.map((grant) => `− ${grouped(grant.amount)} ${row.currency} ${grant.scholarship.name}`)].join(', ')}`,
      ar: `${item.name_local}: ${[`${hours} ساعة معتمدة، من ${from} إلى ${to} بمبلغ ${flat} ${POUND[row.currency]} وكل ساعة غيرها ${money} ${POUND[row.currency]}: ${sum} ${POUND[row.currency]}`, ...grants.map((grant) => `− ${grouped(grant.amount)} ${POUND[row.currency]} ${grant.scholarship.name_local}`)].join('، ')}`,
    }
  }
  const en = [
    `${hundredths(share.quantity)} ${UNIT[row.per][many]} × ${money} ${row.currency}`,
    part && `of which ${part}% for ${withdrawn}`,
    !part && only && `for ${only}`,
    ...grants.map((grant) => `− ${grouped(grant.amount)} ${row.currency} ${grant.scholarship.name}`),
  ]
  const ar = [
    `${hundredths(share.quantity)} ${UNIT[row.per][2]} × ${money} ${POUND[row.currency]}`,
    part && `يُحتسب منها ${part}% عن ${withdrawn}`,
    !part && only && `عن ${only}`,
    ...grants.map((grant) => `− ${grouped(grant.amount)} ${POUND[row.currency]} ${grant.scholarship.name_local}`),
  ]
  return {
    en: `${item.name}: ${en.filter(Boolean).join(', ')}`,
    ar: `${item.name_local}: ${ar.filter(Boolean).join('، ')}`,
  }
}
