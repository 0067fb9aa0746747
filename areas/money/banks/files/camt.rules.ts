/**
 * camt.053 of ISO 20022, versions 02 to 13, with its report of a day that goes on (camt.052) and its notification of single
 * movements (camt.054): a statement as elements arrive, so that nothing but what is wanted is kept of a file of fifty megabytes.
 * Names are without prefix.
 */
import { minorDigits } from '#kit/contract/money.ts'
import { minorOfBank } from './amount.rules.ts'
import { balanceNotes, cleaned, machineAccount, MOST_LINES } from './statement.rules.ts'
import type { Balance, FileProblem, ReadFile, BankStatement, BankStatementLine } from './statement.rules.ts'
import { tooManyLines } from './columns.rules.ts'

/** What stops reading; the code is a refusal of the area. */
const stop = (code: string, data: Readonly<Record<string, unknown>> = {}) =>
  Object.assign(new Error(code), { code, data })

interface Money {
  readonly amount: number | null
  readonly currency: string
  readonly text: string
}
/** A part of an entry while it is read. */
interface Part {
  money?: Money
  transferred?: Money
  side?: string
  end_to_end?: string
  instruction?: string
  bank_reference?: string
  structured: string[]
  text: string[]
  more: string[]
  debtor?: string
  creditor?: string
  debtor_account?: string
  creditor_account?: string
}
interface Entry {
  money?: Money
  side?: string
  reversal: boolean
  status: string
  booked_on?: string
  value_on?: string
  reference?: string
  bank_reference?: string
  more: string[]
  parts: Part[]
}
interface OpenStatement {
  account: string | null
  currency: string | null
  number: string | null
  balances: { kind: string; amount: number; on: string | null }[]
}

const dayOf = (text: string): string | null => /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? null
const NONE = new Set(['NOTPROVIDED', 'NOTAVAILABLE', 'NONREF', 'NONE', 'N/A'])
const said = (text: string | undefined): string | null => {
  const found = cleaned(text, 140)
  return found && !NONE.has(found.toUpperCase().replace(/\s/g, '')) ? found : null
}

/** Other messages of the family, as people call them: told by name when one of them comes instead. */
const OTHERS: Readonly<Record<string, string>> = {
  CstmrCdtTrfInitn: 'pain.001',
  CstmrDrctDbtInitn: 'pain.008',
}

/** What of the family is read: the message with the element of an account, and its number. */
const MESSAGES: Readonly<Record<string, { readonly of: string; readonly number: string }>> = {
  BkToCstmrStmt: { of: 'Stmt', number: '053' },
  BkToCstmrAcctRpt: { of: 'Rpt', number: '052' },
  BkToCstmrDbtCdtNtfctn: { of: 'Ntfctn', number: '054' },
}

/** What reads one file: told of each element with its attribute `Ccy` and, when it ends, of its text. */
export function camtReader() {
  const path: string[] = []
  const statements: BankStatement[] = []
  const lines: BankStatementLine[] = []
  const notes: FileProblem[] = []
  let open: OpenStatement | null = null
  let balance: { kind: string; money?: Money; side: string; on: string | null } | null = null
  let entry: Entry | null = null
  let part: Part | null = null
  let ccy = ''
  let entries = 0
  let message: (typeof MESSAGES)[string] | null = null

  const moneyOf = (text: string): Money => ({
    currency: ccy,
    text,
    // Amounts have a point; nothing but digits stands before it.
    amount: /^\d{1,15}(?:\.\d{0,5})?$/.test(text) ? minorOfBank(text, minorDigits(ccy), '.') : null,
  })
  const endsWith = (...names: string[]) =>
    path.length >= names.length && names.every((name, i) => path[path.length - names.length + i] === name)

  function closeEntry(one: Entry): void {
    entries++
    const side = one.side === 'CRDT' ? 'in' : one.side === 'DBIT' ? 'out' : null
    const base = {
      line: entries,
      statement: statements.length,
      booked_on: one.booked_on ?? one.value_on ?? null,
      value_on: one.value_on ?? null,
      reversal: one.reversal,
      pending: one.status !== 'BOOK',
    }
    const total = one.money
    const wrong: BankStatementLine['wrong'] =
      total === undefined || total.amount === null
        ? { code: 'file_amount', data: { text: cleaned(total?.text, 40) ?? '' } }
        : side === null
          ? { code: 'file_side' }
          : base.booked_on === null && !base.pending
            ? { code: 'file_day', data: { text: '' } }
            : null
    const whole = (parts: readonly Part[], index: number, money: Money | undefined, direction: 'in' | 'out') => {
      if (lines.length >= MOST_LINES) throw tooManyLines()
      const texts = (of: (one: Part) => readonly (string | undefined)[]): string | null =>
        cleaned([...new Set(parts.flatMap(of).filter(Boolean))].join(' '))
      const first = (of: (one: Part) => string | undefined): string | null =>
        parts.map((one) => said(of(one))).find((text) => text !== null) ?? null
      const theirs = direction === 'in' ? 'debtor' : 'creditor'
      const end_to_end = first((p) => p.end_to_end)
      const structured = [...new Set(parts.flatMap((p) => p.structured.map(said)).filter(Boolean))].join(' ')
      const reference = cleaned(structured, 140) ?? end_to_end ?? first((p) => p.instruction) ?? said(one.reference)
      lines.push({
        ...base,
        part: index,
        amount: money?.amount ?? 0,
        currency: money?.currency || open?.currency || null,
        direction,
        reference,
        counterparty: cleaned(
          first((p) => p[theirs]),
          200,
        ),
        iban: machineAccount(parts.find((p) => p[`${theirs}_account`])?.[`${theirs}_account`]),
        description:
          texts((p) => [...p.text, ...(end_to_end && end_to_end !== reference ? [end_to_end] : []), ...p.more]) ??
          cleaned(one.more.join(' ')),
        bank_reference: first((p) => p.bank_reference) ?? said(one.bank_reference),
        entry_reference: said(one.bank_reference),
        wrong,
      })
    }
    const { parts } = one
    if (wrong || parts.length < 2) return whole(parts, 0, total, side ?? 'in')
    // Several payments booked together: each by itself, where what they are worth is what was booked.
    const worth = parts.map((p) => {
      const money = [p.money, p.transferred].find((m) => m?.currency === total?.currency && m?.amount !== null)
      const direction = p.side === 'CRDT' ? 'in' : p.side === 'DBIT' ? 'out' : (side as 'in' | 'out')
      return money && { money, direction, signed: direction === side ? money.amount! : -money.amount! }
    })
    const sum = worth.reduce((all, w) => all + (w?.signed ?? 0), 0)
    if (worth.some((w) => !w) || sum !== total!.amount) {
      notes.push({ line: entries, code: 'file_parts_differ', data: { parts: parts.length } })
      return whole(parts, 0, total, side as 'in' | 'out')
    }
    for (const [i, w] of worth.entries()) whole([parts[i]!], i + 1, w!.money, w!.direction)
  }

  return {
    open(name: string, currency: string | undefined, namespace: string | undefined): void {
      path.push(name)
      ccy = currency ?? ''
      if (path.length === 1) {
        if (name !== 'Document') throw stop('file_no_statement', { found: cleaned(name, 40) ?? '' })
        const version = /:camt\.(\d{3})\.\d{3}\.(\d\d)$/.exec(namespace ?? '')
        if (
          version &&
          (!Object.values(MESSAGES).some(({ number }) => number === version[1]) ||
            Number(version[2]) < 2 ||
            Number(version[2]) > 13)
        )
          throw stop('file_other_message', { found: `camt.${version[1]}.001.${version[2]}` })
      } else if (path.length === 2) {
        message = MESSAGES[name] ?? null
        if (!message) throw stop('file_other_message', { found: OTHERS[name] ?? cleaned(name, 40) ?? '' })
      } else if (path.length === 3 && name === message?.of) {
        open = { account: null, currency: null, number: null, balances: [] }
      } else if (path.length === 4 && open) {
        if (name === 'Bal') balance = { kind: '', side: '', on: null }
        else if (name === 'Ntry') entry = { reversal: false, status: '', more: [], parts: [] }
      } else if (entry && name === 'TxDtls' && endsWith('Ntry', 'NtryDtls', 'TxDtls')) {
        part = { structured: [], text: [], more: [] }
      }
    },
    close(raw: string): void {
      const text = raw.trim()
      if (part) {
        const p = part
        // Parts of a part, from Document/BkToCstmrStmt/Stmt/Ntry/NtryDtls/TxDtls on.
        const at = path.slice(6).join('/')
        if (at === '') {
          entry!.parts.push(p)
          part = null
        } else if (at === 'Refs/EndToEndId') p.end_to_end = text
        else if (at === 'Refs/InstrId') p.instruction = text
        else if (at === 'Refs/AcctSvcrRef' || (at === 'Refs/TxId' && !p.bank_reference)) p.bank_reference = text
        else if (at === 'Amt') p.money = moneyOf(text)
        else if (at === 'AmtDtls/TxAmt/Amt') p.transferred = moneyOf(text)
        else if (at === 'CdtDbtInd') p.side = text
        else if (at === 'RmtInf/Ustrd') p.text.push(text)
        else if (at === 'RmtInf/Strd/CdtrRefInf/Ref' || at === 'RmtInf/Strd/RfrdDocInf/Nb') p.structured.push(text)
        else if (at === 'RmtInf/Strd/AddtlRmtInf' || at === 'AddtlTxInf') p.more.push(text)
        else if (/^RltdPties\/(?:Ultmt)?Dbtr\/(?:Pty\/)?Nm$/.test(at)) p.debtor ??= text
        else if (/^RltdPties\/(?:Ultmt)?Cdtr\/(?:Pty\/)?Nm$/.test(at)) p.creditor ??= text
        else if (/^RltdPties\/DbtrAcct\/Id\/(?:IBAN|Othr\/Id)$/.test(at)) p.debtor_account = text
        else if (/^RltdPties\/CdtrAcct\/Id\/(?:IBAN|Othr\/Id)$/.test(at)) p.creditor_account = text
      } else if (entry) {
        const e = entry
        const at = path.slice(4).join('/')
        if (at === '') {
          closeEntry(e)
          entry = null
        } else if (at === 'Amt') e.money = moneyOf(text)
        else if (at === 'CdtDbtInd') e.side = text
        else if (at === 'RvslInd') e.reversal = text === 'true' || text === '1'
        else if ((at === 'Sts' && text) || at === 'Sts/Cd') e.status = text
        else if (at === 'BookgDt/Dt' || at === 'BookgDt/DtTm') e.booked_on = dayOf(text) ?? ''
        else if (at === 'ValDt/Dt' || at === 'ValDt/DtTm') e.value_on = dayOf(text) ?? ''
        else if (at === 'NtryRef') e.reference = text
        else if (at === 'AcctSvcrRef') e.bank_reference = text
        else if (at === 'AddtlNtryInf') e.more.push(text)
        if (e.booked_on === '') delete e.booked_on
        if (e.value_on === '') delete e.value_on
      } else if (balance) {
        const at = path.slice(4).join('/')
        if (at === '') {
          const { kind, money, side, on } = balance
          if (money && money.amount !== null)
            open!.balances.push({ kind, amount: side === 'DBIT' ? -money.amount : money.amount, on })
          balance = null
        } else if (at === 'Tp/CdOrPrtry/Cd' || at === 'Tp/CdOrPrtry/Prtry') balance.kind = text
        else if (at === 'Amt') balance.money = moneyOf(text)
        else if (at === 'CdtDbtInd') balance.side = text
        else if (at === 'Dt/Dt' || at === 'Dt/DtTm') balance.on = dayOf(text)
      } else if (open) {
        const o = open
        const at = path.slice(3).join('/')
        if (at === '') {
          const find = (...kinds: string[]): Balance | null =>
            kinds.map((kind) => o.balances.find((b) => b.kind === kind)).find((b) => b !== undefined) ?? null
          const { account, currency, number } = o
          const asked = (b: Balance | null) => b && { amount: b.amount, on: b.on }
          const money = currency ?? lines.findLast((l) => l.statement === statements.length)?.currency ?? null
          statements.push({
            account,
            currency: money,
            number,
            opening: asked(find('OPBD', 'PRCD')),
            closing: asked(find('CLBD')),
          })
          open = null
        } else if (at === 'Acct/Id/IBAN' || at === 'Acct/Id/Othr/Id') o.account = machineAccount(text)
        else if (at === 'Acct/Ccy') o.currency = text
        else if (at === 'Id') o.number = cleaned(text, 40)
      }
      path.pop()
    },
    /** What the file says. @throws where it has no statement */
    end(): ReadFile {
      if (!statements.length) throw stop('file_no_statement', { found: '' })
      return { format: 'camt', statements, lines, notes: [...notes, ...balanceNotes(statements, lines)] }
    },
  }
}
