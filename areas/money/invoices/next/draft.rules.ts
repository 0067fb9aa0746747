/** What the next invoice of a student is, from prices and days; and by what note an issued one follows what changed since. */
import { dueDatesFor, fineFor, MOST_INSTALMENTS, splitInstalments } from '#areas/money/fees/instalments.rules.ts'
import {
  applyGrants,
  priceLines,
  WHOLE,
  type FeeLine,
  type FeeType,
  type GrantFacts,
  type PayerFacts,
  type Stacking,
} from '#areas/money/fees/pricing.rules.ts'
import type { YearSettings } from '#areas/money/fees/settings/settings.rules.ts'
import { addDays } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { DraftLine, Instalment } from '../invoice.rules.ts'

/** Days that somebody has for an instalment whose day had passed when the invoice was issued. */
export const LEAST_DAYS = 7

export interface InvoiceDraft {
  readonly type: FeeType
  readonly currency: string
  readonly lines: readonly DraftLine[]
  readonly installments: readonly Instalment[]
  readonly gross: number
  readonly amount: number
}

/** By what a line is known again when it is computed anew. */
const keyOf = (line: FeeLine): string =>
  `item:${line.item.id}:${line.charged}${line.charged === 10_000 ? '' : `:${line.registration_ids.join(',')}`}${line.apart ? `:row${line.rule}` : ''}`

/** Lines of an invoice: each price with what it was applied to, then what scholarships take off it. */
export const draftLines = (lines: readonly FeeLine[]): DraftLine[] =>
  lines.flatMap((line): DraftLine[] => [
    {
      account: line.item.deposit ? 'deposit' : line.type,
      item: line.item.code,
      name: line.item.name,
      name_local: line.item.name_local,
      rule: {
        key: keyOf(line),
        price_id: line.rule,
        item_id: line.item.id,
        per: line.per,
        charged: line.charged,
        registration_ids: line.registration_ids,
        words: line.words,
      },
      quantity: line.quantity,
      unit_amount: line.unit_amount,
      amount: line.gross,
      registration_id: line.registration_ids.length === 1 ? line.registration_ids[0]! : null,
    },
    ...line.grants.map((one): DraftLine => ({
      account: 'scholarships',
      item: 'scholarship',
      name: one.scholarship.name,
      name_local: one.scholarship.name_local,
      rule: { key: `grant:${one.grant_id}:${keyOf(line)}`, item_id: line.item.id },
      unit_amount: -one.amount,
      amount: -one.amount,
      grant_id: one.grant_id,
    })),
  ])

/** What an invoice with these lines is for: a summer term, hours, or else tuition. */
export const typeOf = (types: readonly FeeType[]): FeeType =>
  types.includes('summer') ? 'summer' : types.includes('hours') ? 'hours' : 'tuition'

/** Instalments by the days of the settings. Days that have passed become one, some days from today. */
export function draftInstalments(
  total: number,
  days: readonly { readonly due_on: string; readonly share: number }[],
  today: string,
): Instalment[] {
  const least = addDays(today, LEAST_DAYS)
  const first = days.filter((one) => one.due_on <= least).reduce((sum, one) => sum + one.share, 0)
  const wanted = [...(first > 0 ? [{ due_on: least, share: first }] : []), ...days.filter((one) => one.due_on > least)]
  // A single day that lies nearer than that is kept where it has not passed.
  const near = days.find((one) => one.due_on >= today && one.due_on <= least)
  if (near && first > 0) wanted[0] = { ...wanted[0]!, due_on: near.due_on }
  const amounts = splitInstalments(total, { shares: wanted.map((one) => one.share) })
  const parts = wanted.map((one, i) => ({ amount: amounts[i]!, due_date: one.due_on })).filter((one) => one.amount > 0)
  return parts.length ? parts : [{ amount: 0, due_date: wanted[0]!.due_on }]
}

/**
 * Instalments of lines of several types: a type that has days of its own is due by those, the others by the days of what the
 * invoice is for. What is due on one day is one instalment; what would be one too many falls to the last day, never to an earlier.
 */
export function byDays(
  lines: readonly Pick<FeeLine, 'type' | 'amount'>[],
  daysOf: (type: FeeType) => readonly { readonly due_on: string; readonly share: number }[],
  { usual, today }: { readonly usual: FeeType; readonly today: string },
): Instalment[] {
  const sums = new Map<FeeType, number>()
  for (const { type, amount } of lines) {
    const own = daysOf(type).length ? type : usual
    sums.set(own, (sums.get(own) ?? 0) + amount)
  }
  const due = new Map<string, number>()
  for (const [type, sum] of sums)
    for (const { due_date, amount } of draftInstalments(sum, daysOf(type), today))
      due.set(due_date, (due.get(due_date) ?? 0) + amount)
  const parts = [...due]
    .map(([due_date, amount]) => ({ due_date, amount }))
    .toSorted((a, b) => (a.due_date < b.due_date ? -1 : 1))
  const some = parts.filter(({ amount }) => amount > 0)
  if (!some.length) return parts.slice(0, 1)
  const over = some.slice(MOST_INSTALMENTS - 1)
  return some.length <= MOST_INSTALMENTS
    ? some
    : [
        ...some.slice(0, MOST_INSTALMENTS - 1),
        { due_date: over.at(-1)!.due_date, amount: over.reduce((all, one) => all + one.amount, 0) },
      ]
}

/** The next invoice of a student, or every reason why there is none. */
export function draftNext(
  facts: PayerFacts,
  settings: YearSettings,
  today: string,
): { readonly draft: InvoiceDraft | null; readonly reasons: readonly Reason[] } {
  const priced = priceLines(facts, settings)
  if (priced.reasons.length) return { draft: null, reasons: priced.reasons }
  if (priced.currency === null || !priced.lines.length)
    return { draft: null, reasons: [{ code: 'invoice_nothing_due' }] }
  const type = typeOf(priced.lines.map((line) => line.type))
  const days = dueDatesFor(type, facts, settings.due_dates)
  if (!days.length) return { draft: null, reasons: [{ code: 'invoice_no_due_date', data: { type } }] }
  return {
    draft: {
      type,
      currency: priced.currency,
      lines: draftLines(priced.lines),
      installments: byDays(priced.lines, (of) => (of === type ? days : dueDatesFor(of, facts, settings.due_dates)), {
        usual: type,
        today,
      }),
      gross: priced.gross,
      amount: priced.amount,
    },
    reasons: [],
  }
}

/** What lines charge, by what they are known by. */
export type ByKey = ReadonlyMap<string, DraftLine>
const byKey = (lines: readonly DraftLine[]): ByKey => {
  const of = new Map<string, DraftLine>()
  for (const line of lines) {
    const key = line.rule?.key as string
    const before = of.get(key)
    of.set(key, before ? { ...line, amount: before.amount + line.amount } : line)
  }
  return of
}

/**
 * The lines of a note that brings an invoice from what it charges by prices to what it would charge now. What somebody corrected
 * by hand is not among them and stays.
 */
export function noteLines(stands: ByKey, wanted: readonly DraftLine[]): DraftLine[] {
  const now = byKey(wanted)
  return [...new Set([...stands.keys(), ...now.keys()])].flatMap((key): DraftLine[] => {
    const amount = (now.get(key)?.amount ?? 0) - (stands.get(key)?.amount ?? 0)
    if (amount === 0) return []
    const line = now.get(key) ?? stands.get(key)!
    return [{ ...line, rule: { ...line.rule, key }, quantity: 100, unit_amount: amount, amount }]
  })
}

/**
 * What a scholarship that is not granted yet takes off lines as they are priced: the lines of its note, and every reason why it
 * takes off nothing. What it leaves to those after it is among them.
 */
export function scholarshipLines(
  lines: readonly FeeLine[],
  grants: readonly GrantFacts[],
  offered: GrantFacts,
  stacking: Stacking,
): { readonly lines: DraftLine[]; readonly reasons: readonly Reason[] } {
  const none = (code: string, data?: Reason['data']) => ({ lines: [], reasons: [{ code, ...(data && { data }) }] })
  const meant = lines.filter(
    (line) =>
      !line.item.deposit &&
      offered.types.includes(line.type) &&
      (!offered.item_ids.length || offered.item_ids.includes(line.item.id)),
  )
  if (!meant.length) return none('scholarship_not_for_invoice')
  if (offered.amount !== null && meant.every((line) => line.currency !== offered.currency))
    return none('scholarship_currency', { currency: offered.currency })
  const off = (cap: number) => {
    const note = noteLines(
      byKey(draftLines(lines)),
      draftLines(applyGrants(lines, [...grants, offered], { ...stacking, grant_cap: cap })),
    )
    return { note, change: note.reduce((sum, line) => sum + line.amount, 0) }
  }
  const { note, change } = off(stacking.grant_cap)
  if (change < 0) return { lines: note, reasons: [] }
  return off(WHOLE).change < 0
    ? none('scholarship_capped', { cap: stacking.grant_cap / 100 })
    : none('scholarship_takes_nothing')
}

/** The fine that is still to be charged for an instalment: what is due by the rule less what was charged for it. */
export const fineDue = (
  rule: Parameters<typeof fineFor>[0],
  { overdue, days_late, fined }: { overdue: number; days_late: number; fined: number },
): number => Math.max(0, fineFor(rule, overdue, days_late) - fined)
