/** What may be asked for as a plan, what comes of it for the invoices that it covers, and when it is kept or broken. Pure. */
import { addDays, addMonths } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { moneyText } from '#kit/contract/money.ts'
import { settledOf, type Instalment } from '#areas/money/invoices/invoice.rules.ts'

/** A plan has so many parts at most, whatever the university allows and whoever decides. */
export const MOST_PARTS = 12
/** The last part is due within so many months. */
const MOST_MONTHS = 24
const UNIT = 100

/** Limits of the university for what is asked; whoever decides may decide otherwise. */
export interface PlanLimits {
  readonly most_parts: number
  /** The first part is due within so many days. */
  readonly first_days: number
}

/** Equal parts, a month apart, in whole units of the currency: the last one has what is left over. */
export function spreadPlan(open: number, parts: number, first_day: string): Instalment[] {
  const each = Math.floor(open / parts / UNIT) * UNIT
  return Array.from({ length: parts }, (_, i) => ({
    amount: i < parts - 1 ? each : open - each * (parts - 1),
    due_date: addMonths(first_day, i),
  }))
}

export interface AskedPlan {
  readonly parts: number
  readonly first_day: string
  readonly today: string
  readonly limits: PlanLimits
  /** What is open of what it is for and in no plan yet. */
  readonly open: number
  readonly reversed: boolean
  /** Another plan of it waits to be decided. */
  readonly asked: boolean
  /** The invoice, or everything that is owed, is in a plan that runs. */
  readonly running: boolean
}
/** Every reason why a plan is not asked for. */
export function checkAsked({ parts, first_day, today, limits, open, reversed, asked, running }: AskedPlan): Reason[] {
  const last = addDays(today, limits.first_days)
  return [
    ...(asked ? [{ code: 'plan_asked' }] : []),
    ...(running ? [{ code: 'plan_running' }] : []),
    ...(!running && (reversed || open <= 0) ? [{ code: 'plan_nothing_open' }] : []),
    ...(parts > limits.most_parts
      ? [{ field: 'parts', code: 'plan_most_parts', data: { most: limits.most_parts } }]
      : []),
    // Of a few units no part would be left without any.
    ...(!running && open > 0 && parts > 1 && Math.floor(open / parts / UNIT) === 0
      ? [{ field: 'parts', code: 'plan_parts_small' }]
      : []),
    ...(first_day < today ? [{ field: 'first_day', code: 'plan_day_over', data: { day: first_day, today } }] : []),
    ...(first_day > last ? [{ field: 'first_day', code: 'plan_first_far', data: { day: last } }] : []),
  ]
}

/** Every reason why these parts are not agreed on; they are numbered as they stand. */
export function checkParts(
  parts: readonly Instalment[],
  { open, currency, today }: { readonly open: number; readonly currency: string; readonly today: string },
): Reason[] {
  if (open <= 0) return [{ code: 'plan_nothing_open' }]
  const last = addMonths(today, MOST_MONTHS)
  const sum = parts.reduce((all, one) => all + one.amount, 0)
  return [
    ...(parts.length < 1 || parts.length > MOST_PARTS
      ? [{ field: 'parts', code: 'plan_most_parts', data: { most: MOST_PARTS } }]
      : []),
    ...(sum === open
      ? []
      : [
          {
            field: 'parts',
            code: 'plan_sum',
            data: { open: moneyText(open, currency), sum: moneyText(sum, currency) },
          },
        ]),
    ...parts.flatMap((one, i): Reason[] => [
      ...(one.amount > 0 ? [] : [{ field: `parts.${i}.amount`, code: 'plan_part_nothing' }]),
      ...(one.due_date < today
        ? [{ field: `parts.${i}.due_date`, code: 'plan_day_over', data: { day: one.due_date, today } }]
        : []),
      ...(i > 0 && one.due_date <= parts[i - 1]!.due_date
        ? [{ field: `parts.${i}.due_date`, code: 'plan_days_order' }]
        : []),
      ...(one.due_date > last ? [{ field: `parts.${i}.due_date`, code: 'plan_last_far', data: { day: last } }] : []),
    ]),
  ]
}

/**
 * The parts of a plan as instalments of the invoices that it covers, in the order in which money that comes settles them: what is
 * paid by the day of a part is then what the invoices ask for by that day.
 */
export function sliceParts(
  invoices: readonly { readonly id: number; readonly open: number }[],
  parts: readonly Instalment[],
): Map<number, Instalment[]> {
  const slices = new Map<number, Instalment[]>()
  const left = parts.map((one) => ({ ...one }))
  for (const { id, open } of invoices.toSorted((a, b) => a.id - b.id)) {
    const own: Instalment[] = []
    let wanted = open
    for (const part of left) {
      const amount = Math.min(part.amount, wanted)
      if (amount <= 0) continue
      part.amount -= amount
      wanted -= amount
      own.push({ amount, due_date: part.due_date })
    }
    slices.set(id, own)
  }
  return slices
}

interface Standing {
  readonly parts: readonly (Instalment & { readonly id: number })[]
  /** Of the whole invoice: the earlier parts have it first. */
  readonly settled: number
}
/**
 * The instalments of an invoice from now on: what is paid already and was due before stays as it is, and what was paid of the rest
 * stands in the first of the new ones.
 */
export function newParts(
  { parts, settled }: Standing,
  slices: readonly Instalment[],
): (Instalment & { readonly id?: number })[] {
  const [first, ...others] = slices
  if (!first) return [...parts]
  const paid = settledOf(parts, settled)
  const stays = parts.findIndex((one, i) => one.amount === 0 || paid[i]! < one.amount || one.due_date >= first.due_date)
  const kept = stays < 0 ? parts : parts.slice(0, stays)
  const before = kept.reduce((sum, one) => sum + one.amount, 0)
  return [...kept, { ...first, amount: first.amount + settled - before }, ...others]
}

export interface CoveredInvoice {
  readonly parts: readonly Instalment[]
  readonly settled: number
  /** Money for it is on its way: a slip that is being checked, a payment at a provider. */
  readonly under_way: boolean
}
/** Since when the oldest part of an invoice waits that is not paid; null: all are. */
export const oldestOpen = ({ parts, settled }: Pick<CoveredInvoice, 'parts' | 'settled'>): string | null => {
  const paid = settledOf(parts, settled)
  return parts.find((one, i) => paid[i]! < one.amount)?.due_date ?? null
}
/**
 * What becomes of a plan by itself: kept once nothing of what it covers is owed; broken when a part was not paid so many days after
 * its day, but not while money for it is on its way. null: it goes on.
 */
export function planOutcome(
  invoices: readonly CoveredInvoice[],
  { today, grace }: { readonly today: string; readonly grace: number },
): 'kept' | 'broken' | null {
  const open = invoices.flatMap((one) => {
    const since = oldestOpen(one)
    return since === null ? [] : [{ since, under_way: one.under_way }]
  })
  if (!open.length) return 'kept'
  return open.some((one) => addDays(one.since, grace) < today && !one.under_way) ? 'broken' : null
}

/** The parts of a plan as they stand with the invoices that it covers, by day; what was paid before it began is none of them. */
export function standingParts(
  invoices: readonly (Pick<CoveredInvoice, 'parts' | 'settled'> & { readonly before: readonly Instalment[] })[],
): (Instalment & { readonly paid: number })[] {
  const days = new Map<string, { amount: number; paid: number }>()
  for (const { parts, settled, before } of invoices) {
    const paid = settledOf(parts, settled)
    const begins = parts.findIndex(
      (one, i) => one.amount !== before[i]?.amount || one.due_date !== before[i].due_date || paid[i]! < one.amount,
    )
    for (const [i, one] of parts.entries()) {
      if (begins >= 0 && i < begins) continue
      const day = days.get(one.due_date) ?? { amount: 0, paid: 0 }
      days.set(one.due_date, { amount: day.amount + one.amount, paid: day.paid + paid[i]! })
    }
  }
  return [...days]
    .map(([due_date, one]) => ({ due_date, ...one }))
    .toSorted((a, b) => (a.due_date < b.due_date ? -1 : 1))
}
