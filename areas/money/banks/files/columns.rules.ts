/** Statements as tables: what each column is, and what its rows say. For CSV and sheets alike. */
import { fold } from '#kit/contract/fold.ts'
import { minorDigits, moneyText } from '#kit/contract/money.ts'
import { currenciesOf, dateOrderOf, dayFrom, decimalMarkOf, minorOfBank, writtenAmount } from './amount.rules.ts'
import type { DateOrder, DecimalMark } from './amount.rules.ts'
import { readHead } from './head.rules.ts'
import { cleaned, isFormula, machineAccount, MOST_LINES } from './statement.rules.ts'
import type { Balance, FileProblem, BankStatement, BankStatementLine } from './statement.rules.ts'

/** What a column can be. */
export const COLUMN_ROLES = [
  'booked_on',
  'value_on',
  'amount',
  'credit',
  'debit',
  'direction',
  'currency',
  'reference',
  'bank_reference',
  'counterparty',
  'iban',
  'description',
  'balance',
] as const
export type ColumnRole = (typeof COLUMN_ROLES)[number]

/** How the statements of a bank are written, as it is remembered: columns by their headings. */
export interface TableFormat {
  readonly columns: Readonly<Partial<Record<ColumnRole, string>>>
  readonly decimal: DecimalMark
  readonly dates: DateOrder
}
export interface TableCell {
  readonly text: string
  readonly formula?: boolean | undefined
  /** A number of a sheet: its text has a point before the decimals, however the texts beside it are written. */
  readonly numeric?: boolean | undefined
}
export type TableRow = readonly TableCell[]

/** Words of headings in English, Arabic, German, French and Portuguese, folded; the first role that fits takes a column. */
const WORDS: Readonly<Record<ColumnRole, string>> = {
  value_on:
    'value date|val date|تاريخ الحق|تاريخ القيمه|تاريخ الاستحقاق|valuta|wertstellung|valutadatum|date de valeur|date valeur|data valor|data-valor|data de valor',
  booked_on:
    'booking date|posting date|transaction date|trans date|post date|entry date|date|تاريخ العمليه|تاريخ الحركه|تاريخ القيد|تاريخ المعامله|التاريخ|تاريخ|buchungstag|buchungsdatum|buchung|datum|date operation|date d operation|date comptable|data movimento|data mov|data do movimento|data lancamento|data',
  debit:
    'debit amount|withdrawal|withdrawals|paid out|money out|debit|مدين|سحب|مسحوبات|soll|belastung|lastschrift|ausgang|retrait|debito|saida|levantamento',
  credit:
    'credit amount|deposit|deposits|paid in|money in|credit|دائن|ايداع|ايداعات|haben|gutschrift|eingang|versement|credito|entrada|deposito',
  direction:
    'd c|dc|cr dr|dr cr|credit debit|debit credit|type|sign|indicator|نوع الحركه|مدين دائن|soll haben|s h|soll/haben|sens|tipo|sinal',
  balance: 'running balance|balance|الرصيد|رصيد|saldo|kontostand|solde',
  amount: 'transaction amount|amount|المبلغ|مبلغ|القيمه|betrag|umsatz|montant|valor|importancia|montante|quantia',
  currency: 'currency|ccy|curr|العمله|عمله|wahrung|devise|monnaie|moeda|divisa',
  bank_reference:
    'bank reference|transaction id|transaction number|trans id|trans no|رقم العمليه|رقم الحركه|مرجع البنك|transaktionsnummer|reference banque|numero d operation|id transacao|numero do movimento',
  reference:
    'payment reference|customer reference|end to end|end-to-end|endtoend|reference number|reference|ref|رقم المرجع|المرجع|مرجع|رقم مرجعي|kundenreferenz|referenz|verwendungszweck nummer|reference client|referencia',
  iban: 'iban|counterparty account|partner account|bank account|account of payer|حساب المودع|الحساب المقابل|ايبان|kontonummer iban|gegenkonto|compte contrepartie|compte tiers|conta ordenante|conta contraparte',
  counterparty:
    'counterparty|payer name|partner name|payer|name|sender|remitter|beneficiary|اسم المودع|المودع|اسم العميل|الاسم|اسم المرسل|المرسل|auftraggeber|zahlungspflichtiger|empfanger|beguenstigter|zahlungsbeteiligter|nom du tiers|tiers|nom|donneur d ordre|ordenante|nome|contraparte',
  description:
    'description|details|narrative|narration|label|particulars|remittance information|memo|text|البيان|بيان|الوصف|وصف|التفاصيل|شرح|verwendungszweck|buchungstext|libelle|motif|communication|descricao|descritivo|historico',
}
/** Words of a heading, without what is written differently. */
const plain = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const HEADINGS = (Object.entries(WORDS) as [ColumnRole, string][]).map(
  ([role, words]) => [role, new Set(words.split('|').map(plain))] as const,
)

/** What columns with these headings probably are: exact words before words that stand within. Each role once. */
export function proposeColumns(headings: readonly string[]): Partial<Record<ColumnRole, number>> {
  const out: Partial<Record<ColumnRole, number>> = {}
  const taken = new Set<number>()
  const folded = headings.map(plain)
  for (const fits of [
    (words: ReadonlySet<string>, heading: string) => words.has(heading),
    (words: ReadonlySet<string>, heading: string) =>
      [...words].some((word) => word.length > 3 && ` ${heading} `.includes(` ${word} `)),
  ])
    for (const [role, words] of HEADINGS) {
      if (out[role] !== undefined) continue
      const at = folded.findIndex((heading, i) => heading !== '' && !taken.has(i) && fits(words, heading))
      if (at < 0) continue
      out[role] = at
      taken.add(at)
    }
  return out
}

/** Which columns the file needs to be read, and lacks. */
export const lackingColumns = (found: Partial<Record<ColumnRole, unknown>>): ColumnRole[] => [
  ...(found.booked_on === undefined && found.value_on === undefined ? (['booked_on'] as const) : []),
  ...(found.amount === undefined && found.credit === undefined ? (['amount'] as const) : []),
]

/** The row of headings: the one that says most of what columns are, among the first; above it stands what banks write there. */
export function headingRow(rows: readonly TableRow[]): number | null {
  let best: { row: number; score: number } | null = null
  for (let row = 0; row < Math.min(rows.length, 60); row++) {
    const found = proposeColumns(rows[row]!.map((cell) => cell.text))
    const score = Object.keys(found).length
    if (score >= 2 && !lackingColumns(found).length && score > (best?.score ?? 0)) best = { row, score }
  }
  return best?.row ?? null
}

export interface TableReading {
  readonly statement: BankStatement
  readonly lines: readonly BankStatementLine[]
  readonly notes: readonly FileProblem[]
  /** How it was read: remembered with the bank. */
  readonly format: TableFormat
  readonly headings: readonly string[]
}
export interface TableUnread {
  /** Which columns nobody has said yet; with the first rows, so that somebody can. */
  readonly lacking: readonly ColumnRole[]
  readonly headings: readonly string[]
  readonly proposed: Partial<Record<ColumnRole, string>>
}

const IN = new Set(
  ['c', 'cr', 'crdt', 'credit', 'h', 'haben', 'in', 'دائن', 'ايداع', 'credito', 'entrada', 'versement']
    .map(plain)
    .concat('+'),
)
const OUT = new Set(
  ['d', 'dr', 'dbit', 'debit', 's', 'soll', 'out', 'مدين', 'سحب', 'debito', 'saida', 'retrait'].map(plain).concat('-'),
)
const sideOf = (text: string): 'in' | 'out' | null => {
  const word = plain(text) || text.trim()
  return IN.has(word) ? 'in' : OUT.has(word) ? 'out' : null
}

/**
 * Reads a table. `remembered`: how this bank's were read before, where its headings are there again. `said`: what a person said
 * of the columns, by heading; it goes before everything.
 */
export function readTable(
  rows: readonly TableRow[],
  {
    currency,
    remembered,
    said,
    places,
  }: {
    currency: string
    remembered?: TableFormat | null
    said?: Partial<TableFormat> | null
    /** Where in the file each row stands, counted from 1; else rows are its lines. */
    places?: readonly number[] | undefined
  },
): TableReading | TableUnread {
  /** The row where all these headings stand; -1: none. */
  const rowOf = (columns: TableFormat['columns'] | undefined): number => {
    const names = Object.values(columns ?? {})
    if (!names.length) return -1
    if (names.every((name) => numbered(name) !== null))
      return bareTable(rows) && names.every((name) => numbered(name)! < widthOf(rows)) ? NO_HEADINGS : -1
    return rows.slice(0, 60).findIndex((row) => names.every((name) => row.some((cell) => cell.text === name)))
  }
  const remembers = rowOf(remembered?.columns)
  const says = rowOf(said?.columns)
  // Files of one bank may be written in several ways: what is said of this one is not mixed with another's.
  const [known, found] = says !== -1 ? [said!.columns!, says] : [remembered?.columns ?? {}, remembers]
  const heading = found === -1 ? headingRow(rows) : found
  const at = heading ?? (bareTable(rows) ? NO_HEADINGS : widest(rows))
  const none = at === NO_HEADINGS
  const headings = none
    ? Array.from({ length: widthOf(rows) }, (_, i) => `#${i + 1}`)
    : (rows[at] ?? []).map((cell) => cell.text)
  const body = none ? rows : rows.slice(at + 1)
  const named = found !== -1 ? Object.entries(known).map(([role, name]) => [role, headings.indexOf(name)] as const) : []
  // What nobody has said is proposed, of columns that are nothing else.
  const taken = new Set(named.map(([, column]) => column))
  const columns: Partial<Record<ColumnRole, number>> = {
    ...proposeColumns(headings.map((heading, i) => (taken.has(i) ? '' : heading))),
    ...Object.fromEntries(named),
  }
  const lacking = lackingColumns(columns)
  const byHeading = Object.fromEntries(Object.entries(columns).map(([role, i]) => [role, headings[i]!]))
  // Of a table without headings a person says what its columns are; what they look like is proposed.
  if (lacking.length)
    return {
      lacking,
      headings,
      proposed: none
        ? Object.fromEntries(Object.entries(looksLike(rows)).map(([role, i]) => [role, headings[i]!]))
        : byHeading,
    }

  const texts = (...roles: ColumnRole[]): string[] =>
    roles.flatMap((role) => {
      const i = columns[role]
      return i === undefined ? [] : body.flatMap((row) => (row[i]?.text && !row[i].numeric ? [row[i].text] : []))
    })
  const marked = decimalMarkOf(texts('amount', 'credit', 'debit', 'balance'))
  const decimal = said?.decimal ?? (remembers !== -1 ? remembered?.decimal : undefined) ?? marked ?? '.'
  const ordered = dateOrderOf(texts('booked_on', 'value_on'))
  const rememberedOrder = remembers !== -1 ? remembered?.dates : undefined
  const dates =
    said?.dates ??
    (ordered?.doubtful ? (rememberedOrder ?? ordered.order) : (ordered?.order ?? rememberedOrder)) ??
    'dmy'
  const notes: FileProblem[] = []
  if (ordered?.doubtful && ordered.order !== 'ymd' && !said?.dates && !rememberedOrder)
    notes.push({ line: null, code: 'file_dates_doubtful', data: { order: dates } })

  const head = readHead(none ? [] : rows.slice(0, at), { decimal, digitsOf: (code) => minorDigits(code ?? currency) })
  const own = head.currency ?? currency
  const others: TableRow[] = []
  const lines: BankStatementLine[] = []
  const balances: { line: number; balance: number; moved: number }[] = []
  for (const [i, row] of body.entries()) {
    if (row.every((cell) => cell.text.trim() === '' && !cell.formula)) continue
    const at_ = none ? i : at + 1 + i
    const number = places?.[at_] ?? at_ + 1
    const { line, balance, skipped } = readRow(row, number, columns, { currency: own, decimal, dates })
    if (!line) {
      others.push(row)
      const told = readHead([row], { decimal, digitsOf: () => minorDigits(own) })
      if (skipped && told.opening === null && told.closing === null)
        notes.push({ line: number, code: 'file_line_skipped' })
      continue
    }
    if (lines.length >= MOST_LINES) throw tooManyLines()
    lines.push(line)
    if (balance !== null && !line.wrong)
      balances.push({ line: number, balance, moved: line.direction === 'in' ? line.amount : -line.amount })
  }
  const whole = balances.length > 0 && balances.length === lines.length
  const run = whole ? running(balances, own) : { notes: [], opening: null, closing: null }
  // What the bank says in words goes before what follows from the balance of each line.
  const foot = readHead(others, { decimal, digitsOf: () => minorDigits(own) })
  const opening = head.opening ?? foot.opening
  const closing = foot.closing ?? head.closing
  return {
    statement: {
      account: head.account,
      currency: own,
      number: null,
      opening: opening === null ? run.opening : { amount: opening, on: null },
      closing: closing === null ? run.closing : { amount: closing, on: null },
    },
    lines,
    notes: [...notes, ...run.notes],
    format: { columns: byHeading, decimal, dates },
    headings,
  }
}

/** What stops reading a file that has too many lines. */
export const tooManyLines = () =>
  Object.assign(new Error('too many lines'), { code: 'file_too_long', data: { most: MOST_LINES } })

/** Stands for the row of headings where a table has none. */
const NO_HEADINGS = -2
/** The column that a name like `#3` stands for, counted from 0; null of any other. */
const numbered = (name: string): number | null => {
  const found = /^#([1-9]\d?)$/.exec(name)
  return found ? Number(found[1]) - 1 : null
}
const widthOf = (rows: readonly TableRow[]): number => Math.max(0, ...rows.slice(0, 100).map((row) => row.length))
const isDay = (cell: TableCell): boolean =>
  (['dmy', 'mdy'] as const).some((order) => /\d/.test(cell.text) && dayFrom(cell.text, order) !== null)
/** What columns of a table without headings look like: the first of days, the only one of amounts that are no whole numbers of a code. */
function looksLike(rows: readonly TableRow[]): Partial<Record<ColumnRole, number>> {
  const some = rows.filter((row) => row.some((cell) => cell.text !== '')).slice(0, 50)
  const columns = (is: (cell: TableCell) => boolean): number[] =>
    Array.from({ length: widthOf(rows) }, (_, i) => i).filter((i) => {
      const filled = some.flatMap((row) => (row[i]?.text ? [row[i]] : []))
      return filled.length > some.length / 2 && filled.every(is)
    })
  const [booked_on] = columns(isDay)
  const [amount, another] = columns(
    (cell) => !isDay(cell) && /\d[.,]\d{2,3}\D*$/.test(cell.text) && writtenAmount(cell.text) !== null,
  )
  return {
    ...(booked_on !== undefined && { booked_on }),
    ...(amount !== undefined && another === undefined && { amount }),
  }
}
/** Whether a table begins at once: its first filled row holds a day and an amount, as lines do and headings do not. */
function bareTable(rows: readonly TableRow[]): boolean {
  const first = rows.find((row) => row.some((cell) => cell.text !== ''))
  return (
    first !== undefined && first.some(isDay) && first.some((cell) => !isDay(cell) && writtenAmount(cell.text) !== null)
  )
}

const widest = (rows: readonly TableRow[]): number => {
  let best = 0
  const filled = (row: TableRow) => row.filter((cell) => cell.text).length
  for (let i = 1; i < Math.min(rows.length, 20); i++) if (filled(rows[i]!) > filled(rows[best]!)) best = i
  return best
}

interface Ways {
  readonly currency: string
  readonly decimal: DecimalMark
  readonly dates: DateOrder
}
function readRow(
  row: TableRow,
  line: number,
  columns: Partial<Record<ColumnRole, number>>,
  { currency, decimal, dates }: Ways,
): { line: BankStatementLine | null; balance: number | null; skipped?: true } {
  const cell = (role: ColumnRole): TableCell | undefined =>
    columns[role] === undefined ? undefined : row[columns[role]]
  const text = (role: ColumnRole): string => cell(role)?.text.trim() ?? ''
  let wrong: BankStatementLine['wrong'] = null
  const fail = (code: string, data: Readonly<Record<string, unknown>> = {}) => {
    wrong ??= { code, data }
  }
  for (const [role, at] of Object.entries(columns)) {
    const one = row[at]
    const figure = ['amount', 'credit', 'debit', 'balance', 'booked_on', 'value_on'].includes(role)
    if (one && (one.formula || (isFormula(one.text) && !figure)))
      fail('file_formula', { text: cleaned(one.text, 60) ?? '', column: at + 1 })
  }
  // The currency that the line names, in a column of its own or beside its amount: that of the account where it may be.
  const named = text('currency')
  let meant = named === '' ? null : currenciesOf(named)
  if (named !== '' && meant === null) fail('file_currency', { text: cleaned(named, 40) ?? '' })
  for (const role of ['amount', 'credit', 'debit'] as const) {
    const beside = writtenAmount(text(role))?.currencies ?? null
    if (beside === null) continue
    const known: readonly string[] | null = meant
    const both = known === null ? beside : known.filter((one) => beside.includes(one))
    if (!both.length) fail('file_currencies', { text: cleaned(text(role), 40) ?? '', currency: known![0] })
    else meant = both
  }
  const money = meant === null || meant.includes(currency) ? currency : meant[0]!
  const digits = minorDigits(money)
  const day = (role: ColumnRole): string | null => {
    const given = text(role)
    // Words in its place are no day that was mistyped: a sum, a carried balance.
    if (!/\d/.test(given)) return null
    const found = dayFrom(given, dates)
    if (!found) fail('file_day', { text: cleaned(given, 40) ?? '' })
    return found
  }
  const value_on = day('value_on')
  const booked_on = day('booked_on') ?? value_on
  const money_ = (role: ColumnRole): number | null => {
    const given = text(role)
    // Where credit and debit stand apart, dashes stand for nothing.
    if (!given || /^[-–\u2014]+$/.test(given)) return null
    const found = minorOfBank(given, digits, cell(role)?.numeric ? '.' : decimal)
    if (found === null) fail('file_amount', { text: cleaned(given, 40) ?? '' })
    return found
  }
  let [amount, direction]: [number | null, 'in' | 'out'] = [null, 'in']
  const credit = money_('credit')
  const debit = money_('debit')
  if (columns.amount !== undefined) {
    amount = money_('amount')
    const side =
      (columns.direction === undefined ? null : sideOf(text('direction'))) ??
      writtenAmount(text('amount'))?.side ??
      null
    if (amount !== null) direction = side ?? (amount < 0 ? 'out' : 'in')
  } else if (credit && debit && booked_on) fail('file_both_sides')
  else if (credit) [amount, direction] = [credit, credit < 0 ? 'out' : 'in']
  else if (debit) [amount, direction] = [debit, 'out']
  // A line without a day or an amount is no movement: a sum, a carried balance, a page number. With one of both it is told.
  if (!wrong && amount === 0) return { line: null, balance: null }
  if (!wrong && (!booked_on || amount === null)) {
    const nothing = amount === null && (!booked_on || text('balance') !== '')
    return { line: null, balance: null, ...(!nothing && { skipped: true as const }) }
  }
  const balance = text('balance') ? balanceOf(cell('balance')!, digits, decimal) : null
  return {
    balance,
    line: {
      line,
      part: 0,
      statement: 0,
      booked_on,
      value_on,
      amount: Math.abs(amount ?? 0),
      currency: money,
      direction,
      reversal: false,
      pending: false,
      reference: cleaned(text('reference'), 140),
      counterparty: cleaned(text('counterparty'), 200),
      iban: machineAccount(text('iban')),
      description: cleaned(text('description')),
      bank_reference: cleaned(text('bank_reference'), 140),
      wrong,
    },
  }
}

/** A balance in minor units; one that is marked as owed lies below nothing. */
function balanceOf(cell: TableCell, digits: number, decimal: DecimalMark): number | null {
  const found = minorOfBank(cell.text, digits, cell.numeric ? '.' : decimal)
  return found !== null && writtenAmount(cell.text)?.side === 'out' ? -Math.abs(found) : found
}

/** Follows the running balance, from the oldest line to the newest or the other way round. */
function running(
  rows: readonly { line: number; balance: number; moved: number }[],
  currency: string,
): {
  notes: FileProblem[]
  opening: Balance | null
  closing: Balance | null
} {
  const broken = (list: typeof rows) =>
    list.filter((row, i) => i > 0 && list[i - 1]!.balance + row.moved !== row.balance)
  const down = rows.toReversed()
  const [forward, backward] = [broken(rows), broken(down)]
  const list = backward.length < forward.length ? down : rows
  const faults = list === down ? backward : forward
  return {
    notes: faults.slice(0, 20).map(({ line, balance }) => ({
      line,
      code: 'file_balance_line',
      data: { balance: moneyText(balance, currency) },
    })),
    opening: { amount: list[0]!.balance - list[0]!.moved, on: null },
    closing: { amount: list.at(-1)!.balance, on: null },
  }
}
