/** Whose a line of a bank is: told by numbers that it names, guessed by amount and name. */
import { fold } from '#kit/contract/fold.ts'

interface Reason {
  readonly code: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** What is looked at before a file is saved. */
export interface SaveFacts {
  /** Lines that cannot be read and that nobody has left out. */
  readonly wrong: number
  /** Lines that would be booked. */
  readonly fresh: number
  /** Lines that count among what the bank said. */
  readonly counted: number
}
/** Why a file cannot be saved. Empty: it can. */
export const saveProblems = ({ wrong, counted }: SaveFacts): Reason[] => [
  ...(wrong > 0 ? [{ code: 'batch_wrong_lines', data: { count: wrong } }] : []),
  ...(counted === 0 ? [{ code: 'batch_nothing_new' }] : []),
]

export interface LineTexts {
  readonly reference: string | null
  readonly counterparty: string | null
  readonly description: string | null
  readonly bank_reference: string | null
}

/** A number without what is written between its parts: `INV-2026-000123` and `inv 2026 000123` are one. */
export const numberKey = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

/** Most keys of one line: a line that names more names nothing. */
const MOST_KEYS = 40
/** What may be a number of ours in the texts of a line: words, and words that stand beside each other, with a digit in them. */
export function numberKeys({ reference, description, bank_reference }: LineTexts): string[] {
  const out = new Set<string>()
  for (const text of [reference, description, bank_reference]) {
    if (!text) continue
    const words = fold(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
    for (let from = 0; from < words.length; from++) {
      let joined = ''
      for (let to = from; to < Math.min(words.length, from + 4); to++) {
        joined += words[to]!
        if (joined.length > 24) break
        if (joined.length >= 4 && /\d/.test(joined)) out.add(joined)
      }
    }
  }
  // What the bank calls it may have more parts than our numbers.
  const whole = [reference, bank_reference]
    .map((text) => numberKey(text ?? ''))
    .filter((key) => /\d/.test(key) && key.length >= 4 && key.length <= 40)
  return [...new Set([...whole, ...out])].slice(0, MOST_KEYS)
}

/** Something of ours that a line names. */
export type NamedByLine =
  | {
      readonly kind: 'invoice'
      readonly payer_id: number
      readonly invoice_id: number
      readonly currency: string
      readonly open: number
    }
  | {
      readonly kind: 'slip'
      readonly payer_id: number
      readonly transaction_id: number
      readonly currency: string
      readonly amount: number
      readonly status: string
      /** Somebody says that the bank calls it so: of this account. Nobody has seen it before the bank itself said it. */
      readonly claimed_at?: number
      /** A line that counts has told of it already: what names it again is money that came once more. */
      readonly told?: boolean
    }
  | { readonly kind: 'student'; readonly payer_id: number }

export interface Proposal {
  readonly payer_id: number
  readonly invoice_id: number | null
  readonly why: 'name' | 'iban' | 'invoice' | 'student' | 'slip'
}
/** Transactions whose money is still awaited. */
const OPEN: readonly string[] = ['new', 'pending', 'expired', 'failed']
type Decision =
  | {
      readonly state: 'matched'
      readonly by: 'invoice' | 'student' | 'slip'
      readonly payer_id: number
      readonly invoice_id: number | null
      readonly transaction_id: number | null
    }
  | { readonly state: 'not_booked'; readonly why: Reason; readonly transaction_id: number }
  | { readonly state: 'proposed'; readonly proposals: readonly Proposal[] }
  | { readonly state: 'unmatched'; readonly proposals: readonly [] }

/**
 * Whose money it is. A transaction that waits for it, an invoice or the code of a student say so, where all that a line names
 * is of one payer. What is of two payers, or worth another amount than the transaction, is for a person to say.
 */
export function decideMatch(amount: number, currency: string, named: readonly NamedByLine[]): Decision {
  const slips = named.filter((one) => one.kind === 'slip' && one.currency === currency) as Extract<
    NamedByLine,
    { kind: 'slip' }
  >[]
  const invoices = named.filter((one) => one.kind === 'invoice' && one.currency === currency) as Extract<
    NamedByLine,
    { kind: 'invoice' }
  >[]
  const students = named.filter((one) => one.kind === 'student')
  const more = (one: (typeof slips)[number]) => one.told === true && one.status === 'paid'
  // What the bank calls so was booked already, for whomever.
  const booked = slips.find(
    (one) => one.claimed_at !== undefined && one.status === 'paid' && one.amount === amount && !more(one),
  )
  if (booked) return { state: 'not_booked', why: { code: 'batch_paid_already' }, transaction_id: booked.transaction_id }
  const proposals: Proposal[] = [
    ...invoices.map((one) => ({ payer_id: one.payer_id, invoice_id: one.invoice_id, why: 'invoice' as const })),
    ...[...slips.filter((one) => one.claimed_at === undefined || more(one)), ...students].map((one) => ({
      payer_id: one.payer_id,
      invoice_id: null,
      why: 'student' as const,
    })),
  ]
  // Who says alone that it is the own is believed by a person, not by the program.
  const claims = slips.filter(
    (one) => one.claimed_at !== undefined && one.amount === amount && OPEN.includes(one.status),
  )
  proposals.unshift(...claims.map((claim) => ({ payer_id: claim.payer_id, invoice_id: null, why: 'slip' as const })))
  const payers = [...new Set(proposals.map((proposal) => proposal.payer_id))]
  if (payers.length !== 1)
    return proposals.length
      ? { state: 'proposed', proposals: proposals.slice(0, 5) }
      : { state: 'unmatched', proposals: [] }
  const payer_id = payers[0]!
  const [slip] = slips
    .filter((one) => one.amount === amount && !(more(one) && one.claimed_at !== undefined))
    .toSorted(
      (a, b) =>
        Number(more(a)) - Number(more(b)) || Number(a.claimed_at !== undefined) - Number(b.claimed_at !== undefined),
    )
  // Paid at the bank twice: the second payment is the payer's as well.
  if (slip && more(slip)) return { state: 'matched', by: 'slip', payer_id, invoice_id: null, transaction_id: null }
  // Somebody took the slip already: the bank only says that it came.
  if (slip?.status === 'paid')
    return { state: 'not_booked', why: { code: 'batch_paid_already' }, transaction_id: slip.transaction_id }
  if (
    slip &&
    OPEN.includes(slip.status) &&
    (slip.claimed_at === undefined || proposals.some((one) => one.why !== 'slip'))
  )
    return { state: 'matched', by: 'slip', payer_id, invoice_id: null, transaction_id: slip.transaction_id }
  // One invoice is settled first; of several the earliest.
  const [invoice, another] = [...new Set(invoices.map((one) => one.invoice_id))]
  if (invoice !== undefined)
    return {
      state: 'matched',
      by: 'invoice',
      payer_id,
      invoice_id: another === undefined ? invoice : null,
      transaction_id: null,
    }
  if (students.length) return { state: 'matched', by: 'student', payer_id, invoice_id: null, transaction_id: null }
  return { state: 'proposed', proposals: proposals.slice(0, 5) }
}

/** Words of a name, without titles and single letters. */
export const nameWords = (text: string | null): string[] => [
  ...new Set(
    fold(text ?? '')
      .split(/[^\p{L}]+/u)
      .filter((word) => word.length > 1 && !TITLES.has(word)),
  ),
]
const TITLES = new Set(
  'mr mrs ms dr eng prof bank transfer payment fees from to for the of السيد السيده د م مهندس دكتور من الى رسوم تحويل'.split(
    ' ',
  ),
)

export interface OpenDebt {
  readonly payer_id: number
  readonly invoice_id: number
  /** What of it may be paid: all that is open, and each part that is due. */
  readonly amounts: readonly number[]
  /** Words of the payer's names. */
  readonly words: readonly string[]
}
/** Of one amount and word, so many at most are looked at: a word that more have tells nothing. */
const COMMON = 400

/**
 * Who may have paid, by amount and name: of all who owe exactly so much, those with two words of the name at least, and most of
 * the shorter one. A guess, for a person to accept.
 */
export function guesser(debts: readonly OpenDebt[]): (amount: number, names: readonly string[]) => Proposal[] {
  const byWord = new Map<string, number[]>()
  for (const [i, debt] of debts.entries())
    for (const amount of debt.amounts)
      for (const word of debt.words) {
        const key = `${amount} ${word}`
        const list = byWord.get(key)
        if (list) list.push(i)
        else byWord.set(key, [i])
      }
  return (amount, names) => {
    const lists = names
      .map((word) => byWord.get(`${amount} ${word}`) ?? [])
      .filter((list) => list.length > 0 && list.length <= COMMON)
    const shared = new Map<number, number>()
    for (const list of lists) for (const i of list) shared.set(i, (shared.get(i) ?? 0) + 1)
    return [...shared]
      .filter(([i, n]) => n >= 2 && n / Math.min(names.length, debts[i]!.words.length) >= 0.5)
      .toSorted((a, b) => b[1] - a[1] || debts[a[0]]!.invoice_id - debts[b[0]]!.invoice_id)
      .slice(0, 3)
      .map(([i]) => ({ payer_id: debts[i]!.payer_id, invoice_id: debts[i]!.invoice_id, why: 'name' as const }))
  }
}

/** By what a line is known again: the day, the amount, and how it is named. */
export function lineKey(line: {
  readonly booked_on: string | null
  readonly amount: number
  readonly currency: string | null
  readonly direction: 'in' | 'out'
  readonly reference: string | null
  readonly bank_reference: string | null
  readonly counterparty: string | null
  readonly description: string | null
}): string {
  const named = numberKey(line.bank_reference ?? '') + numberKey(line.reference ?? '')
  return [
    line.booked_on ?? '',
    line.direction,
    line.currency ?? '',
    line.amount,
    named || numberKey(`${line.counterparty ?? ''} ${line.description ?? ''}`).slice(0, 120),
  ].join('|')
}
