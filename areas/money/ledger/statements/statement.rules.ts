/** What a line of a statement says: what happened, then what tells it from others. */
import type { Label } from '#kit/contract/index.ts'
import { ENTRY_KINDS } from '../words.contract.ts'
import type { LedgerStatementLine, StatementPart } from './statement.contract.ts'

const PAID: Readonly<Record<NonNullable<LedgerStatementLine['way']>, Label>> = {
  cash: ['Paid in cash', 'سداد نقدي'],
  slip: ['Paid by bank transfer', 'سداد بتحويل بنكي'],
  bank: ['Paid at the bank', 'سداد بالبنك'],
  card: ['Paid by card', 'سداد بالبطاقة'],
  mobile: ['Paid by reference number', 'سداد برقم مرجعي'],
  wallet: ['Paid from the wallet', 'سداد من المحفظة'],
  deposit: ['Deposit given back', 'رد التأمين'],
}
/** Words of lines that are more than the name of their kind. */
export const LINE_WORDS = {
  ...PAID,
  into_wallet: ['Moved to the wallet', 'تحويل إلى المحفظة'],
  charged_wallet: ['Wallet charged', 'شحن المحفظة'],
  refunded: ['Refunded', 'رد مبلغ مدفوع'],
  cash_back: ['Paid out of the wallet', 'صرف من المحفظة'],
  reversed: ['Reversed', 'إلغاء قيد'],
} as const satisfies Record<string, Label>

type Told = Pick<LedgerStatementLine, 'kind' | 'of_kind' | 'way' | 'owed' | 'wallet'>

/** What happened. Of a reversal, what was reversed comes after. */
export function statementHeadOf(line: Told): readonly Label[] {
  const { kind, of_kind, way } = line
  switch (kind) {
    case 'reversal':
      return [
        LINE_WORDS.reversed,
        ...(of_kind === null
          ? []
          : statementHeadOf({ kind: of_kind, of_kind: null, way, owed: -line.owed, wallet: -line.wallet })),
      ]
    case 'payment':
    case 'batch':
      return [way === null ? kindLabel(kind) : LINE_WORDS[way]]
    case 'wallet':
      return [line.wallet > 0 ? LINE_WORDS.into_wallet : LINE_WORDS.wallet]
    case 'charge':
      return [LINE_WORDS.charged_wallet]
    case 'refund':
      return [LINE_WORDS.refunded]
    case 'cash_back':
      return [LINE_WORDS.cash_back]
    default:
      return [kindLabel(kind)]
  }
}
const kindLabel = (kind: LedgerStatementLine['kind']): Label => ENTRY_KINDS.find((one) => one.value === kind)!.label

/** Numbers that stand in a line, without those that say the same. */
export const numbersOf = (
  line: Pick<LedgerStatementLine, 'invoices' | 'note' | 'receipt' | 'transaction'>,
): string[] => [
  ...(line.note === null ? [] : [line.note]),
  ...line.invoices.map((invoice) => invoice.number),
  ...(line.receipt === null ? (line.transaction === null ? [] : [line.transaction]) : [line.receipt]),
]

/** A line before the balance is known. */
export type Stood = Omit<LedgerStatementLine, 'balance'>

/**
 * A part of a statement: lines with the balance after each. The balance is what is owed less what the wallet holds: below
 * nothing the university owes the payer.
 */
export function runningPart(
  {
    currency,
    minor_digits,
    opening,
    deposit = 0,
  }: { currency: string; minor_digits: number; opening: { owed: number; wallet: number }; deposit?: number },
  lines: readonly Stood[],
): StatementPart {
  let { owed, wallet } = opening
  const told = lines.map((line): LedgerStatementLine => {
    owed += line.owed
    wallet += line.wallet
    return { ...line, balance: owed - wallet }
  })
  const net = lines.map((line) => line.owed - line.wallet)
  return {
    currency,
    minor_digits,
    opening: opening.owed - opening.wallet,
    lines: told,
    charged: net.reduce((sum, one) => sum + Math.max(one, 0), 0),
    settled: net.reduce((sum, one) => sum + Math.max(-one, 0), 0),
    owed,
    wallet,
    balance: owed - wallet,
    deposit,
  }
}

/** Minor units as a number with its places: `-1250.50`. */
export function plainAmount(minor: number, digits: number): string {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const sign = minor < 0 ? '-' : ''
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
/** The same as people read it: `1,250.50`. */
export const shownAmount = (minor: number, digits: number): string =>
  plainAmount(minor, digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')
