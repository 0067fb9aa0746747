/** MT940 of SWIFT: statements as fields of text, with or without the envelope of the network. */
import { minorDigits } from '#kit/contract/money.ts'
import { dayOfParts, minorOfBank } from './amount.rules.ts'
import { balanceNotes, cleaned, machineAccount, MOST_LINES } from './statement.rules.ts'
import type { Balance, FileProblem, ReadFile, BankStatement, BankStatementLine } from './statement.rules.ts'
import { tooManyLines } from './columns.rules.ts'

/** Whether a text is one, by its first field. */
export const isMt940 = (text: string): boolean =>
  /^(?:\uFEFF|\s)*(?:\{1:[^}]*\}|:20:)/.test(text) && /^:6[01][FM]?:/m.test(text)

interface Field {
  readonly tag: string
  readonly line: number
  /** Lines of its value; what follows belongs to it until the next field. */
  readonly value: string[]
}
function fieldsOf(text: string): Field[] {
  const out: Field[] = []
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    const start = /^(?:\{[^}]*\})*(?:\{4:)?:(\d\d[A-Z]?):(.*)$/.exec(line)
    if (start) out.push({ tag: start[1]!, line: i + 1, value: [start[2]!] })
    else if (!/^-\}?\s*$|^\{|^\s*$/.test(line)) out.at(-1)?.value.push(line)
  }
  return out
}

const year = (two: string): number => 2000 + Number(two)
const dayFrom = (text: string): string | null =>
  dayOfParts(year(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4, 6)))
/** The day of an entry has no year: that which brings it nearest to the value day. */
function entryDay(monthDay: string, value: string): string | null {
  const near = Number(value.slice(0, 4))
  const days = [near, near - 1, near + 1].flatMap(
    (y) => dayOfParts(y, Number(monthDay.slice(0, 2)), Number(monthDay.slice(2))) ?? [],
  )
  const apart = (day: string) => Math.abs(Date.parse(day) - Date.parse(value))
  return days.toSorted((a, b) => apart(a) - apart(b))[0] ?? null
}

const money = (text: string, currency: string): number | null =>
  /^\d{1,15}(?:,\d*)?$/.test(text) ? minorOfBank(text, minorDigits(currency), ',') : null
function balanceOf(value: string): (Balance & { currency: string }) | null {
  const match = /^([CD])(\d{6})([A-Z]{3})([\d,]+)/.exec(value)
  if (!match) return null
  const amount = money(match[4]!, match[3]!)
  return amount === null
    ? null
    : { amount: match[1] === 'D' ? -amount : amount, on: dayFrom(match[2]!), currency: match[3]! }
}

interface Told {
  reference: string | null
  counterparty: string | null
  iban: string | null
  description: string | null
}
const NONE = /^(?:NONREF|NOTPROVIDED|KREF\+?NONREF|)$/i
const some = (text: string | null | undefined, longest?: number): string | null => {
  const found = cleaned(text, longest)
  return found === null || NONE.test(found.replace(/\s/g, '')) ? null : found
}
/** Parts within a remittance text: `EREF+…SVWZ+…`. */
function sepa(text: string): Record<string, string> {
  const out: Record<string, string> = {}
  const marks = [...text.matchAll(/(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC)\+/g)]
  for (const [i, mark] of marks.entries())
    out[mark[1]!] = text.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? text.length).trim()
  return out
}

/** What the bank tells of a movement: in numbered parts, in parts between slashes, or as free text. */
export function toldBy(value: readonly string[]): Told {
  const joined = value.join('')
  if (/^\d{3}\?/.test(joined) || /^\?\d\d/.test(joined)) {
    const parts: Record<string, string> = {}
    for (const [, tag, text] of joined.matchAll(/\?(\d\d)([^?]*)/g)) parts[tag!] = (parts[tag!] ?? '') + text!
    const between = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => parts[String(from + i).padStart(2, '0')] ?? '').join('')
    const remittance = between(20, 29) + between(60, 63)
    const named = sepa(remittance)
    return {
      reference: some(named.EREF, 140) ?? some(named.KREF, 140),
      counterparty: some(between(32, 33), 200),
      iban: machineAccount(named.IBAN ?? parts['31']),
      description: some(named.SVWZ ?? remittance) ?? some(parts['00']),
    }
  }
  if (/^\/[A-Z]{3,4}\//.test(joined)) {
    const parts: Record<string, string> = {}
    const marks = [
      ...joined.matchAll(
        /\/(TRTP|IBAN|BIC|NAME|REMI|EREF|ORDP|BENM|CSID|MARF|PURP|ULTD|ULTC|ISDT|TR|ADDR|RTRN|ACCW|SVCL)\//g,
      ),
    ]
    for (const [i, mark] of marks.entries())
      parts[mark[1]!] ??= joined.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? joined.length)
    return {
      reference: some(parts.EREF, 140),
      counterparty: some(parts.NAME, 200),
      iban: machineAccount(parts.IBAN ?? parts.ACCW?.split(',')[0]),
      description: some(parts.REMI?.replace(/^(?:USTD|STRD)\/\//, '')) ?? some(joined),
    }
  }
  const named = sepa(joined)
  return {
    reference: some(named.EREF, 140) ?? some(named.KREF, 140),
    counterparty: null,
    iban: machineAccount(named.IBAN),
    description: some(named.SVWZ) ?? some(value.join(' ')),
  }
}

/** A statement while it is read. */
interface Page {
  account: string | null
  number: string | null
  opening: (Balance & { currency: string }) | null
  closing: Balance | null
}

/** Reads all statements of a text. Pages of one statement, with balances carried over, are one. */
export function readMt940(text: string): ReadFile {
  const statements: BankStatement[] = []
  const lines: BankStatementLine[] = []
  const notes: FileProblem[] = []
  let open: Page | null = null
  /** The page before, where it goes on. */
  let carried = false
  let waiting: (Omit<BankStatementLine, keyof Told> & { own: string | null; supplement: string | null }) | null = null

  const push = (told: Told | null) => {
    if (!waiting) return
    const { own, supplement, ...line } = waiting
    waiting = null
    if (lines.length >= MOST_LINES) throw tooManyLines()
    lines.push({
      ...line,
      reference: told?.reference ?? own,
      counterparty: told?.counterparty ?? null,
      iban: told?.iban ?? null,
      description: told?.description ?? supplement,
    })
  }
  const close = () => {
    push(null)
    if (!open) return
    const { account, number, opening, closing } = open
    statements.push({
      account,
      currency: opening?.currency ?? null,
      number,
      opening: opening && { amount: opening.amount, on: opening.on },
      closing,
    })
    open = null
  }

  for (const { tag, line, value } of fieldsOf(text)) {
    const first = value[0]!.trim()
    if (tag === '20') {
      push(null)
      if (!carried) close()
      open ??= { account: null, number: null, opening: null, closing: null }
      continue
    }
    if (!open) continue
    const one: Page = open
    if (tag === '25' || tag === '25P')
      one.account = machineAccount(
        first
          .split('/')
          .at(-1)!
          .replace(/(?<=\d) ?[A-Z]{3}$/, ''),
      )
    else if (tag === '28C' || tag === '28') one.number ??= cleaned(first, 40)
    else if (tag === '60F' || tag === '60M') {
      const found = balanceOf(first)
      if (!found) notes.push({ line, code: 'file_balance_unread' })
      if (tag === '60F') {
        // Another statement begins where a page of the last should have gone on.
        if (carried) close()
        open ??= { account: one.account, number: one.number, opening: null, closing: null }
        open.opening = found
      } else one.opening ??= found
      carried = false
    } else if (tag === '61') {
      push(null)
      waiting = movement(value, line, one.opening?.currency ?? null, statements.length)
    } else if (tag === '86') {
      // After the closing balance it speaks of the statement, not of a movement.
      if (waiting) push(toldBy(value))
    } else if (tag === '62F' || tag === '62M') {
      push(null)
      const found = balanceOf(first)
      if (!found) notes.push({ line, code: 'file_balance_unread' })
      if (tag === '62F') one.closing = found && { amount: found.amount, on: found.on }
      carried = tag === '62M'
    }
  }
  close()
  if (!statements.length) throw Object.assign(new Error('none'), { code: 'file_no_statement', data: { found: '' } })
  return { format: 'mt940', statements, lines, notes: [...notes, ...balanceNotes(statements, lines)] }
}

const MOVEMENT =
  /^(\d{6})(\d{4})?(R?[CD]|E[CD])([A-Z])?(\d{1,15}(?:,\d*)?)([NFS][A-Z0-9]{3})([^/]*(?:\/(?!\/)[^/]*)*)(?:\/\/(.*))?$/

function movement(value: readonly string[], line: number, currency: string | null, statement: number) {
  const match = MOVEMENT.exec(value[0]!.trim())
  const base = { line, part: 0, statement, currency, pending: false }
  const supplement = some(value.slice(1).join(' '))
  const empty = {
    booked_on: null,
    value_on: null,
    amount: 0,
    direction: 'in' as const,
    reversal: false,
    bank_reference: null,
    own: null,
    supplement,
  }
  if (!match)
    return { ...base, ...empty, wrong: { code: 'file_movement', data: { text: cleaned(value[0], 80) ?? '' } } }
  const [, valued = '', entered, mark = '', , text = '', , own, theirs] = match
  const value_on = dayFrom(valued)
  const amount = currency === null ? null : money(text, currency)
  const booked_on = entered && value_on ? entryDay(entered, value_on) : value_on
  const wrong =
    value_on === null || booked_on === null
      ? { code: 'file_day', data: { text: `${valued}${entered ?? ''}` } }
      : amount === null
        ? { code: 'file_amount', data: { text } }
        : null
  // A reversal of a credit takes money away; E is expected, not booked.
  const reversal = mark.startsWith('R')
  const credit = mark.endsWith('C') !== reversal
  return {
    ...base,
    booked_on,
    value_on,
    amount: amount ?? 0,
    direction: credit ? ('in' as const) : ('out' as const),
    reversal,
    pending: mark.startsWith('E'),
    bank_reference: some(theirs, 140),
    own: some(own, 140),
    supplement,
    wrong,
  }
}
