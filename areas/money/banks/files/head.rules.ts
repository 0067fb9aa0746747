/** What stands above and below the lines of a table: whose account it is, its currency, its balances. */
import { fold } from '#kit/contract/fold.ts'
import { currenciesOf, latinDigits, minorOfBank, writtenAmount } from './amount.rules.ts'
import type { DecimalMark } from './amount.rules.ts'
import type { TableRow } from './columns.rules.ts'
import { machineAccount } from './statement.rules.ts'

/** Words in five languages, folded. */
const words = (text: string): ReadonlySet<string> => new Set(text.split('|'))
const ACCOUNT = words(
  'account number|account no|account|acct no|acct|a c no|a c|statement of account|رقم الحساب|الحساب|حساب رقم|konto|kontonummer|konto nr|kontonr|numero de compte|n de compte|no de compte|compte|conta|numero da conta|numero de conta|n da conta|no da conta|nib',
)
const IBAN = words('iban|iban no|iban number|ايبان|رقم الايبان|الايبان|رقم الحساب الدولي|رقم الحساب المصرفي الدولي')
const CURRENCY = words(
  'currency|account currency|ccy|العمله|عمله|عمله الحساب|wahrung|kontowahrung|devise|monnaie|moeda|divisa',
)
const OPENING = words(
  'opening balance|balance brought forward|brought forward|balance b f|b f|start balance|starting balance|previous balance|الرصيد الافتتاحي|رصيد افتتاحي|رصيد اول المده|الرصيد السابق|رصيد سابق|رصيد مرحل|anfangssaldo|alter saldo|alter kontostand|saldovortrag|solde initial|solde precedent|ancien solde|solde d ouverture|saldo inicial|saldo anterior|saldo de abertura',
)
const CLOSING = words(
  'closing balance|end balance|ending balance|balance carried forward|carried forward|balance c f|c f|الرصيد الختامي|رصيد ختامي|رصيد اخر المده|الرصيد النهائي|رصيد اقفال|endsaldo|neuer saldo|neuer kontostand|schlusssaldo|solde final|nouveau solde|solde de cloture|saldo final|novo saldo|saldo de fecho',
)
const plain = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What a table says of itself beside its lines. Amounts in minor units of the currency. */
export interface TableHead {
  readonly account: string | null
  readonly currency: string | null
  readonly opening: number | null
  readonly closing: number | null
}

/** An account as machines write it, of a text that shows it whole; null where digits are hidden or too few. */
function accountOf(text: string): string | null {
  const shown = latinDigits(text)
  if (/[*•]|x{3}/i.test(shown)) return null
  const [found] = /(?:[A-Z]{2}\d{2}[\dA-Z .-]{8,40}|\d[\d ./-]{3,40})/i.exec(shown) ?? []
  // What follows an IBAN within the cell, as the name of a currency, is none of it.
  const account = machineAccount(found?.replace(/(?<=\d)\s+[A-Z]{3}\s*$/i, ''))
  return account && account.replace(/\D/g, '').length >= 4 ? account : null
}

/**
 * Reads rows that are no lines: each cell is a word with what it stands for after a colon, or in the next cell that is filled.
 * @param minor an amount of the table in minor units, null where a text is none
 */
export function readHead(
  rows: readonly TableRow[],
  { decimal, digitsOf }: { decimal: DecimalMark; digitsOf: (currency: string | null) => number },
): TableHead {
  let account: string | null = null
  let iban: string | null = null
  let currency: string | null = null
  let opening: { text: string; mark: DecimalMark } | undefined
  let closing: typeof opening
  for (const row of rows)
    for (const [i, cell] of row.entries()) {
      if (cell.formula) continue
      const colon = /[:：]/.exec(cell.text)
      const label = plain(colon ? cell.text.slice(0, colon.index) : cell.text)
      if (label === '') continue
      const within = colon ? cell.text.slice(colon.index + 1).trim() : ''
      const next = row.slice(i + 1).filter((one) => one.text.trim() !== '')
      const value = within || (next[0]?.text ?? '')
      if (IBAN.has(label)) iban ??= accountOf(value)
      else if (ACCOUNT.has(label)) {
        account ??= accountOf(value)
        currency ??= /\b([A-Z]{3})\s*$/.exec(value.trim())?.[1] ?? null
      } else if (CURRENCY.has(label))
        currency ??= currenciesOf(value)?.[0] ?? currenciesOf(value.split(/\s/)[0]!)?.[0] ?? null
      else if (OPENING.has(label) || CLOSING.has(label)) {
        // The balance of such a row stands last, after columns of what came and went.
        const found = within
          ? { text: within, numeric: false }
          : next.findLast((one) => writtenAmount(one.text) !== null)
        if (!found) continue
        const written = { text: found.text, mark: found.numeric ? ('.' as const) : decimal }
        if (OPENING.has(label)) opening ??= written
        else closing = written
      }
    }
  if (currency !== null && currenciesOf(currency) === null) currency = null
  const digits = digitsOf(currency)
  const amount = (one: { text: string; mark: DecimalMark } | undefined): number | null => {
    if (!one) return null
    const found = minorOfBank(one.text, digits, one.mark)
    return found !== null && writtenAmount(one.text)?.side === 'out' ? -Math.abs(found) : found
  }
  return { account: iban ?? account, currency, opening: amount(opening), closing: amount(closing) }
}
