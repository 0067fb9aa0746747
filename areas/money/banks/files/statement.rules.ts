import { moneyText } from '#kit/contract/money.ts'

/** What a file of a bank says, whatever its format. Amounts are whole numbers of the minor unit. */

export type FileFormat = 'csv' | 'xlsx' | 'camt' | 'mt940' | 'ofx' | 'qif'

/** Something that is not as it should be; `line` is its place in the file, null where it is the file's. */
export interface FileProblem {
  readonly line: number | null
  readonly code: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** A movement of the account, or a part of one where the bank booked several together. */
export interface BankStatementLine {
  /** Which line of the text or sheet, or which entry of the statement, counted from 1. */
  readonly line: number
  /** Which part of an entry; 0 where it is one. */
  readonly part: number
  /** Which statement of the file, counted from 0. */
  readonly statement: number
  readonly booked_on: string | null
  readonly value_on: string | null
  readonly amount: number
  readonly currency: string | null
  readonly direction: 'in' | 'out'
  /** It takes back what was booked before. */
  readonly reversal: boolean
  /** The bank has not booked it yet. */
  readonly pending: boolean
  readonly reference: string | null
  readonly counterparty: string | null
  readonly iban: string | null
  readonly description: string | null
  /** What the bank calls the movement. */
  readonly bank_reference: string | null
  /** What the bank calls the entry of which it is a part, or which it is; null where the format has no such thing. */
  readonly entry_reference?: string | null
  /** Why it cannot be used as it stands. */
  readonly wrong: Omit<FileProblem, 'line'> | null
}

export interface Balance {
  /** Below nothing: overdrawn. */
  readonly amount: number
  readonly on: string | null
}
export interface BankStatement {
  /** IBAN or number of the account, as machines write it; null where the file does not say. */
  readonly account: string | null
  readonly currency: string | null
  readonly number: string | null
  readonly opening: Balance | null
  readonly closing: Balance | null
}

export interface ReadFile {
  readonly format: FileFormat
  readonly statements: readonly BankStatement[]
  readonly lines: readonly BankStatementLine[]
  /** Of the file or of a line, that stop nothing. */
  readonly notes: readonly FileProblem[]
}

/** Most lines that a file may have. */
export const MOST_LINES = 100_000
const LONGEST = 500

// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/g
/** Text of a bank as it is kept: on one line, without what is not seen, no longer than needed. Null where nothing is left. */
export const cleaned = (text: string | null | undefined, longest = LONGEST): string | null =>
  text ? [...text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()].slice(0, longest).join('') || null : null

/** An account number or IBAN as machines write it. */
export const machineAccount = (text: string | null | undefined): string | null =>
  cleaned(text, 60)
    ?.replace(/[\s./-]/g, '')
    .toUpperCase() || null

/** What a program for spreadsheets would run. */
export const isFormula = (text: string): boolean => /^\s*[=@]|^\s*[+-](?=[^\s]*[|!]|[^\d\s]*\()/.test(text)

/** The other balance where a bank says one: what was there before and what came and went is what is there now. */
export function balanceNotes(statements: readonly BankStatement[], lines: readonly BankStatementLine[]): FileProblem[] {
  const moved = statements.map(() => 0)
  // A movement that could not be read is told by itself; with it the balances say nothing.
  const unread = statements.map(() => false)
  for (const one of lines) {
    if (one.wrong) unread[one.statement] = true
    // Money of another currency is none of this balance, and nobody knows what it was changed into.
    else if (one.currency !== null && one.currency !== statements[one.statement]!.currency) unread[one.statement] = true
    else if (!one.pending) moved[one.statement]! += one.direction === 'in' ? one.amount : -one.amount
  }
  return statements.flatMap(({ opening, closing, number, currency }, i) => {
    if (!opening || !closing || unread[i]) return []
    const expected = opening.amount + (moved[i] ?? 0)
    if (expected === closing.amount) return []
    const text = (amount: number) => moneyText(amount, currency ?? '')
    const data = { number: number ?? String(i + 1), expected: text(expected), found: text(closing.amount) }
    return [{ line: null, code: 'file_balance', data }]
  })
}
