/** What sponsors take over of an invoice, how what they paid is spread, and what goes back. Integers of the minor unit. */
import { shareOfAmount, WHOLE } from '#areas/money/fees/pricing.rules.ts'
import type { Instalment } from '#areas/money/invoices/invoice.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** What of an invoice is charged for one item, less scholarships; fines are none. */
export interface ChargedItem {
  /** The fee item; null: a line that was typed. */
  readonly item_id: number | null
  /** What kind of item it is: the account that it is booked to. */
  readonly type: string
  readonly amount: number
}
/** What a sponsor agreed to pay, and what is known of it. */
export interface ShareTerms {
  readonly id: number
  /** In hundredths of a percent; null: an amount. */
  readonly percent: number | null
  readonly amount: number | null
  /** Nothing chosen: of all items. */
  readonly types: readonly string[]
  readonly item_ids: readonly number[]
  readonly invoice_cap: number | null
  readonly year_cap: number | null
  /** What it takes over in other invoices of the year. */
  readonly used: number
  /** The sponsor withdrew and pays so much of this invoice, whatever changes. */
  readonly kept: number | null
}

/** What is charged for items together with what is added to it or taken off it: what is of one item is one. */
export function itemsWith(items: readonly ChargedItem[], more: readonly ChargedItem[]): ChargedItem[] {
  const out = [...items]
  for (const one of more) {
    const at = out.findIndex((item) =>
      one.item_id === null ? item.item_id === null && item.type === one.type : item.item_id === one.item_id,
    )
    if (at < 0) out.push(one)
    else out[at] = { ...out[at]!, amount: out[at]!.amount + one.amount }
  }
  return out
}

const covers = (terms: ShareTerms, item: ChargedItem): boolean =>
  (!terms.types.length && !terms.item_ids.length) ||
  terms.types.includes(item.type) ||
  (item.item_id !== null && terms.item_ids.includes(item.item_id))

/**
 * What each sponsorship takes over of an invoice, by its id. Those that a sponsor had paid before it withdrew come first, then the
 * older ones; each takes a percentage of an item as it is charged, of what is left of it. Together they never take over more than
 * the invoice charges.
 */
export function sharesOf(items: readonly ChargedItem[], of: readonly ShareTerms[]): Map<number, number> {
  const left = items.map((item) => Math.max(0, item.amount))
  // A line that takes off more than its item charges takes from the whole.
  let limit = Math.max(
    0,
    items.reduce((sum, item) => sum + item.amount, 0),
  )
  const out = new Map<number, number>()
  const order = of.toSorted((a, b) => Number(a.kept === null) - Number(b.kept === null) || a.id - b.id)
  for (const terms of order) {
    const wanted = items.map((item, i) =>
      !covers(terms, item)
        ? 0
        : terms.kept === null && terms.percent !== null
          ? Math.min(left[i]!, shareOfAmount(Math.max(0, item.amount), terms.percent, WHOLE))
          : left[i]!,
    )
    let rest = Math.min(
      limit,
      wanted.reduce((sum, one) => sum + one, 0),
      ...(terms.kept === null
        ? [
            terms.amount ?? Infinity,
            terms.invoice_cap ?? Infinity,
            terms.year_cap === null ? Infinity : Math.max(0, terms.year_cap - terms.used),
          ]
        : [terms.kept]),
    )
    out.set(terms.id, rest)
    limit -= rest
    for (const [i, part] of wanted.entries()) {
      const taken = Math.min(part, rest)
      left[i]! -= taken
      rest -= taken
    }
  }
  return out
}

/** A line of a sponsor's invoice: what of it is charged for one student. */
export interface SponsoredLine {
  readonly share_id: number
  readonly amount: number
  /** The sponsor withdrew: what is charged of it had been paid. */
  readonly closed: boolean
}
export type Spread = 'oldest' | 'share'
/**
 * What of each line is paid, when so much of the invoice is: what was closed first, it had been paid; then line after line, or each
 * by its share. It always adds up to what was paid, or to what is charged.
 */
export function paidOfLines(lines: readonly SponsoredLine[], settled: number, spread: Spread): Map<number, number> {
  const out = new Map<number, number>()
  let left = settled
  const pay = (line: SponsoredLine, amount: number): void => {
    const part = Math.max(0, Math.min(amount, left))
    left -= part
    out.set(line.share_id, (out.get(line.share_id) ?? 0) + part)
  }
  for (const line of lines) if (line.closed) pay(line, line.amount)
  const open = lines.filter((line) => !line.closed)
  if (spread === 'oldest') {
    for (const line of open) pay(line, line.amount)
    return out
  }
  const whole = open.reduce((sum, line) => sum + line.amount, 0)
  const all = Math.min(left, whole)
  if (all <= 0) {
    for (const line of open) pay(line, 0)
    return out
  }
  // Each the whole units of its share; what is over goes to those with the largest rest, earlier ones first.
  const parts = open.map((line, i) => {
    const exact = BigInt(line.amount) * BigInt(all)
    return { line, i, part: Number(exact / BigInt(whole)), rest: Number(exact % BigInt(whole)) }
  })
  let over = all - parts.reduce((sum, one) => sum + one.part, 0)
  const more = new Set<number>()
  for (const one of parts.toSorted((a, b) => b.rest - a.rest || a.i - b.i)) {
    if (over <= 0) break
    if (one.part >= one.line.amount) continue
    more.add(one.i)
    over--
  }
  for (const { line, i, part } of parts) pay(line, part + (more.has(i) ? 1 : 0))
  return out
}

const MOST_PARTS = 3
/**
 * The instalments of an invoice to which a sponsor gives back so much: a part of its own, due on `day`; with one that is due on that
 * day; where there are as many parts as there may be, with the next later one, or the two earliest become one on the later of their
 * days. Nothing becomes due earlier than it was, and what goes back never before `day`.
 */
export function partsWithBack<T extends Instalment>(
  parts: readonly T[],
  amount: number,
  day: string,
  most = MOST_PARTS,
): (Instalment & { readonly id?: number | undefined })[] {
  type Part = Instalment & { readonly id?: number | undefined }
  const all: readonly Part[] = parts.filter((part) => part.amount > 0)
  const same = all.findIndex((part) => part.due_date === day)
  const later = all.findIndex((part) => part.due_date > day)
  const add = (at: number): Part[] =>
    all.map((part, i) => (i === at ? { ...part, amount: part.amount + amount } : part))
  if (same >= 0) return add(same)
  if (all.length < most) {
    const at = later < 0 ? all.length : later
    return [...all.slice(0, at), { amount, due_date: day }, ...all.slice(at)]
  }
  if (later >= 0) return add(later)
  const [first, second, ...rest] = all
  return [{ ...second!, amount: first!.amount + second!.amount }, ...rest, { amount, due_date: day }]
}

/** Whether what a sponsor took over of a term goes back to the student when it withdraws from a day on: of a term that is over it owes. */
export const goesBack = (term: { readonly end_date: string } | null, day: string): boolean =>
  term === null || term.end_date >= day

/** Why a sponsor does not withdraw so. */
export const checkWithdrawal = (
  { day, due_on }: { readonly day: string; readonly due_on: string },
  { today, running }: { readonly today: string; readonly running: number },
): Reason[] => [
  ...(day > today ? [{ field: 'day', code: 'withdrawal_day_ahead', data: { today } }] : []),
  ...(due_on < today ? [{ field: 'due_on', code: 'withdrawal_due_over', data: { today } }] : []),
  ...(running === 0 ? [{ code: 'withdrawal_of_nobody' }] : []),
]

/** Why a sponsorship does not begin. */
export const checkBeginning = (of: {
  readonly sponsor_active: boolean
  readonly studying: boolean
  readonly status: string
}): Reason[] => [
  ...(of.status === 'offered' ? [] : [{ code: 'sponsorship_not_offered' }]),
  ...(of.sponsor_active ? [] : [{ code: 'sponsor_not_active' }]),
  ...(of.studying ? [] : [{ code: 'sponsorship_not_studying' }]),
]
