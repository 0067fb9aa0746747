/**
 * OFX of versions 1 (SGML, where only groups are closed) and 2 (XML): statements of accounts and cards. What is read is flat, so
 * one reader of tags serves both. Dates are those that the bank wrote, whatever zone stands beside them.
 */
import { minorDigits } from '#kit/contract/money.ts'
import { dayOfParts, minorOfBank } from './amount.rules.ts'
import { tooManyLines } from './columns.rules.ts'
import { balanceNotes, cleaned, machineAccount, MOST_LINES } from './statement.rules.ts'
import type { Balance, BankStatement, BankStatementLine, FileProblem, ReadFile } from './statement.rules.ts'

const stop = (code: string, data: Readonly<Record<string, unknown>> = {}) =>
  Object.assign(new Error(code), { code, data })

/** Whether a text is one, by its header or its first group. */
export const isOfx = (text: string): boolean =>
  /^(?:\uFEFF|\s)*(?:OFXHEADER\s*:|<\?xml[^>]*\?>\s*<\?OFX\b|<\?OFX\b|<OFX>)/i.test(text.slice(0, 2000))

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const plain = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,7})|(\w{2,6}));/g, (whole, number: string | undefined, name: string | undefined) =>
      number !== undefined
        ? Number(number) <= 0x10ffff
          ? String.fromCodePoint(Number(number))
          : ''
        : (ENTITIES[name!.toLowerCase()] ?? whole),
    )
    .trim()
const dayOf = (text: string | undefined): string | null => {
  const parts = /^(\d{4})(\d{2})(\d{2})/.exec(text ?? '')
  return parts ? dayOfParts(Number(parts[1]), Number(parts[2]), Number(parts[3])) : null
}
const some = (text: string | undefined, longest?: number): string | null => cleaned(text, longest)
const code = (text: string | undefined): string | null =>
  text && /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : null
/** Some write a comma before the decimals, as people there do. */
const amountOf = (text: string, currency: string): number | null =>
  minorOfBank(text, minorDigits(currency), /,\d{1,3}$/.test(text) && !text.includes('.') ? ',' : '.')

/** Elements of one group by name, the first of each. */
type Group = Map<string, string>

/** @throws with a code of a refusal: `file_no_statement`, `file_ofx_broken`, too many lines, what the bank said instead */
export function readOfx(text: string): ReadFile {
  const statements: BankStatement[] = []
  const lines: BankStatementLine[] = []
  const notes: FileProblem[] = []
  const path: string[] = []
  let statement: { of: Group; balance: Group } | null = null
  let movement: Group | null = null
  let entries = 0
  let refused: string | null = null

  const closeMovement = (of: Group): void => {
    entries++
    if (lines.length >= MOST_LINES) throw tooManyLines()
    const account = code(statement?.of.get('CURDEF'))
    // CURRENCY says in what the amount is; ORIGCURRENCY what it was before the bank changed it.
    const currency = code(of.get('CURRENCY.CURSYM')) ?? account
    const amount = currency === null ? null : amountOf(of.get('TRNAMT') ?? '', currency)
    const booked_on = dayOf(of.get('DTPOSTED'))
    const reference = some(of.get('REFNUM'), 140) ?? some(of.get('CHECKNUM'), 140)
    const bank = some(of.get('FITID'), 140)
    const name = some(of.get('NAME'), 200) ?? some(of.get('PAYEE.NAME'), 200)
    const memo = some(of.get('MEMO'))
    lines.push({
      line: entries,
      part: 0,
      statement: statements.length,
      booked_on,
      value_on: dayOf(of.get('DTAVAIL')),
      amount: Math.abs(amount ?? 0),
      currency,
      direction: (amount ?? 0) < 0 ? 'out' : 'in',
      reversal: of.get('CORRECTACTION')?.toUpperCase() === 'DELETE',
      pending: false,
      reference,
      counterparty: name,
      iban: machineAccount(of.get('BANKACCTTO.ACCTID') ?? of.get('CCACCTTO.ACCTID')),
      description: memo,
      bank_reference: bank,
      wrong:
        amount === null
          ? { code: 'file_amount', data: { text: cleaned(of.get('TRNAMT'), 40) ?? '' } }
          : booked_on === null
            ? { code: 'file_day', data: { text: cleaned(of.get('DTPOSTED'), 40) ?? '' } }
            : null,
    })
  }
  const closeStatement = ({ of, balance }: NonNullable<typeof statement>): void => {
    const currency = code(of.get('CURDEF'))
    const text = balance.get('BALAMT')
    const amount = text === undefined || currency === null ? null : amountOf(text, currency)
    if (text !== undefined && amount === null) notes.push({ line: null, code: 'file_balance_unread' })
    const closing: Balance | null = amount === null ? null : { amount, on: dayOf(balance.get('DTASOF')) }
    statements.push({
      account: machineAccount(of.get('ACCTID')),
      currency,
      number: null,
      opening: null,
      closing,
    })
  }

  for (const [, end, name_, value = ''] of text.matchAll(/<(\/?)([A-Za-z][\w.]*)[^>]*>([^<]*)/g)) {
    const name = name_!.toUpperCase()
    if (end) {
      const at = path.lastIndexOf(name)
      // Elements of version 1 end where the next begins; what closes one of version 2 is found on the path.
      if (at >= 0) path.length = at
      if (name === 'STMTTRN' && movement) {
        closeMovement(movement)
        movement = null
      } else if ((name === 'STMTRS' || name === 'CCSTMTRS') && statement) {
        if (movement) throw stop('file_ofx_broken', { line: entries + 1 })
        closeStatement(statement)
        statement = null
      }
      continue
    }
    const content = plain(value)
    if (content === '') {
      path.push(name)
      if (path.length > 40) throw stop('file_ofx_broken', { line: entries + 1 })
      if (name === 'STMTRS' || name === 'CCSTMTRS') statement = { of: new Map(), balance: new Map() }
      else if (name === 'STMTTRN' && statement) {
        if (movement) throw stop('file_ofx_broken', { line: entries + 1 })
        movement = new Map()
      }
      continue
    }
    const group = path.at(-1) ?? ''
    if (movement) {
      const key = group === 'STMTTRN' ? name : `${group}.${name}`
      if (!movement.has(key)) movement.set(key, content)
    } else if (statement) {
      if (group === 'LEDGERBAL') statement.balance.set(name, content)
      else if (name === 'CURDEF' || (name === 'ACCTID' && (group === 'BANKACCTFROM' || group === 'CCACCTFROM')))
        statement.of.set(name, content)
    } else if (group === 'STATUS' && name === 'CODE' && content !== '0') refused ??= content
  }
  if (statement || movement) throw stop('file_ofx_broken', { line: entries + 1 })
  if (!statements.length) throw stop('file_no_statement', { found: refused ?? '' })
  return { format: 'ofx', statements, lines, notes: [...notes, ...balanceNotes(statements, lines)] }
}
