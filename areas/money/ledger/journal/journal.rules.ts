/**
 * The journal for a general ledger: of each day and currency one entry, whose lines are the sums of an account. Who keeps the
 * general ledger wants totals and no payers; those stand here.
 */
export interface JournalLine {
  /** `YYYY-MM-DD`, the day on which it is booked. */
  readonly day: string
  /** What the account is called in the general ledger. */
  readonly account: string
  /** What it is called here. */
  readonly name: string
  /** In minor units; one of the two may be nothing. */
  readonly debit: number
  readonly credit: number
}
export interface Journal {
  readonly currency: string
  readonly minor_digits: number
  readonly from: string
  readonly until: string
  /** By day, debits before credits. */
  readonly lines: readonly JournalLine[]
  /** Of ERPNext: for which company; of Odoo: into which journal. Left out where nothing is told. */
  readonly company?: string | undefined
  readonly journal?: string | undefined
}
export const JOURNAL_FORMATS = ['xlsx', 'csv', 'erpnext', 'odoo'] as const
export type JournalFormat = (typeof JOURNAL_FORMATS)[number]

/** An amount with a point and all its digits, whatever the language: `1234.50`. Exact, because it divides no fraction. */
export function plainDecimal(minor: number, digits: number): string {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return minor < 0 ? `-${whole}` : whole
}

/** What one day's entry is called, in every format: the same file loaded twice is seen by it. */
export const journalReference = (day: string, currency: string): string => `UEMS-${day.replaceAll('-', '')}-${currency}`

/**
 * Both sides of a line: an account that was debited and credited on a day has two lines, since the totals of both sides are
 * what an auditor compares.
 */
const sides = (line: JournalLine): { readonly debit: number; readonly credit: number }[] => [
  ...(line.debit ? [{ debit: line.debit, credit: 0 }] : []),
  ...(line.credit ? [{ debit: 0, credit: line.credit }] : []),
]

/** Rows of a file, with its headings first. What is told once of an entry stands in its first row only. */
export function journalRows(of: Journal, format: Exclude<JournalFormat, 'xlsx'>): string[][] {
  const put = (minor: number): string => (minor === 0 ? '' : plainDecimal(minor, of.minor_digits))
  const rows: string[][] = [HEADINGS[format](of)]
  let before: string | null = null
  for (const line of of.lines)
    for (const side of sides(line)) {
      const first = line.day !== before
      before = line.day
      rows.push(ROW[format](of, line, put(side.debit), put(side.credit), first))
    }
  return rows
}

const HEADINGS: Record<Exclude<JournalFormat, 'xlsx'>, (of: Journal) => string[]> = {
  csv: () => ['date', 'reference', 'account', 'name', 'debit', 'credit', 'currency'],
  // The labels of the fields of its journal entry, as its own export of a template writes them.
  erpnext: (of) => [
    'Entry Type',
    ...(of.company === undefined ? [] : ['Company']),
    'Posting Date',
    'Reference Number',
    'Reference Date',
    'User Remark',
    'Account (Accounting Entries)',
    'Debit (Accounting Entries)',
    'Credit (Accounting Entries)',
    'User Remark (Accounting Entries)',
  ],
  // Names of fields, which its import reads whatever the language; accounts and journals are found by their code.
  odoo: (of) => [
    'ref',
    'date',
    ...(of.journal === undefined ? [] : ['journal_id']),
    'line_ids/account_id',
    'line_ids/name',
    'line_ids/debit',
    'line_ids/credit',
  ],
}
type Row = (of: Journal, line: JournalLine, debit: string, credit: string, first: boolean) => string[]
const ROW: Record<Exclude<JournalFormat, 'xlsx'>, Row> = {
  csv: (of, line, debit, credit) => [
    line.day,
    journalReference(line.day, of.currency),
    line.account,
    line.name,
    debit,
    credit,
    of.currency,
  ],
  erpnext: (of, line, debit, credit, first) => [
    first ? 'Journal Entry' : '',
    ...(of.company === undefined ? [] : [first ? of.company : '']),
    first ? line.day : '',
    first ? journalReference(line.day, of.currency) : '',
    first ? line.day : '',
    first ? `University EMS ${line.day}` : '',
    line.account,
    debit,
    credit,
    line.name,
  ],
  odoo: (of, line, debit, credit, first) => [
    first ? journalReference(line.day, of.currency) : '',
    first ? line.day : '',
    ...(of.journal === undefined ? [] : [first ? of.journal : '']),
    line.account,
    line.name,
    debit || '0',
    credit || '0',
  ],
}

/**
 * A CSV as RFC 4180 has it. A text that a spreadsheet would take for a formula is written as text.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n'
const csvCell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
