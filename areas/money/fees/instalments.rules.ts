/** Instalments, days by which they are due, and fines. Integers of the minor unit; sums are always exact. */
import type { Reason } from '#kit/contract/issues.ts'
import { shareOfAmount, type Currency, type FeeType, type TermKind } from './pricing.rules.ts'

export const MOST_INSTALMENTS = 3

/** By shares (of their sum), or by the amounts somebody typed: the last one is always what remains. */
export type Split = { readonly shares: readonly number[] } | { readonly amounts: readonly number[] }

/**
 * Splits a total into instalments whose sum is the total. Of shares, what is due after each instalment is rounded half up, so
 * that no instalment is off by more than one minor unit. Of amounts, each is capped at what is left of the total, and the
 * last is what remains: two instalments follow from the first alone.
 */
export function splitInstalments(total: number, split: Split): number[] {
  const given = 'shares' in split ? split.shares : split.amounts
  if (!given.length || given.length > MOST_INSTALMENTS) throw new RangeError(`1 to ${MOST_INSTALMENTS} instalments`)
  const last = given.length - 1
  let before = 0
  if ('amounts' in split)
    return given.map((amount, i) => {
      const part = i === last ? total - before : Math.min(Math.max(0, amount), total - before)
      before += part
      return part
    })
  const all = given.reduce((sum, share) => sum + share, 0)
  if (all <= 0) throw new RangeError('Instalments have a share')
  let until = 0
  return given.map((share, i) => {
    until += share
    const due = i === last ? total : shareOfAmount(total, until, all)
    const part = due - before
    before = due
    return part
  })
}

/** A day by which an instalment is due. The most telling set wins: by the kind of term, then the faculty, then the level. */
export interface DueDate {
  readonly id: number
  readonly type: FeeType
  readonly instalment: number
  readonly due_on: string
  /** Per mille of the total. */
  readonly share: number
  readonly term_kind: TermKind | null
  readonly faculty_id: number | null
  readonly level: number | null
}
type DueFor = Pick<DueDate, 'term_kind' | 'faculty_id' | 'level'>
const DUE_CRITERIA = ['term_kind', 'faculty_id', 'level'] as const
const dueKey = (row: DueFor & { readonly type: FeeType }): string =>
  [row.type, ...DUE_CRITERIA.map((name) => row[name] ?? '')].join('|')
const telling = (row: DueFor): number =>
  DUE_CRITERIA.reduce((sum, name, i) => sum + (row[name] === null ? 0 : 2 ** (DUE_CRITERIA.length - 1 - i)), 0)

/** The instalments of a type for a payer, first to last; none where no day is set. */
export function dueDatesFor(type: FeeType, payer: DueFor, rows: readonly DueDate[]): DueDate[] {
  const sets = Map.groupBy(
    rows.filter(
      (row) => row.type === type && DUE_CRITERIA.every((name) => row[name] === null || row[name] === payer[name]),
    ),
    dueKey,
  )
  const [best = []] = [...sets.values()].toSorted((a, b) => telling(b[0]!) - telling(a[0]!))
  return best.toSorted((a, b) => a.instalment - b.instalment)
}

/** Why days do not stand together: each set has instalments 1 to n, later ones due later, and shares that make the whole. */
export function checkDueDates(rows: readonly Omit<DueDate, 'id'>[]): Reason[] {
  const reasons: Reason[] = []
  for (const set of Map.groupBy(rows, dueKey).values()) {
    const ordered = set.toSorted((a, b) => a.instalment - b.instalment)
    const field = `due_dates.${rows.indexOf(ordered[0]!)}`
    const data = { type: ordered[0]!.type }
    if (ordered.some((row, i) => row.instalment !== i + 1)) reasons.push({ field, code: 'fee_instalments_order', data })
    if (ordered.some((row, i) => i > 0 && row.due_on <= ordered[i - 1]!.due_on))
      reasons.push({ field, code: 'fee_due_order', data })
    const sum = ordered.reduce((all, row) => all + row.share, 0)
    if (sum !== 1000) reasons.push({ field, code: 'fee_shares_whole', data: { ...data, sum: sum / 10 } })
  }
  return reasons
}

/** From so many days late: a fixed amount, or so many per mille of what is overdue. */
export interface FineStep {
  readonly from_days: number
  readonly amount: number | null
  readonly per_mille: number | null
}
export interface FineRule {
  readonly type: FeeType
  readonly currency: Currency
  readonly steps: readonly FineStep[]
  /** Never more than this; null: no such limit. */
  readonly cap: number | null
}

/**
 * The fine for being late: that of the last step reached, at most the cap, and never more than what is overdue. It is the whole
 * fine of that day: who charges it takes off what was charged before.
 */
export function fineFor(rule: Pick<FineRule, 'steps' | 'cap'>, overdue: number, days_late: number): number {
  if (overdue <= 0) return 0
  const [step] = rule.steps.filter((one) => one.from_days <= days_late).toSorted((a, b) => b.from_days - a.from_days)
  if (!step) return 0
  const fine = step.amount ?? shareOfAmount(overdue, step.per_mille ?? 0, 1000)
  return Math.min(fine, rule.cap ?? fine, overdue)
}

/** Why steps do not stand together: each from another day on, with an amount or a share, and never less for being later. */
export function checkFine(rule: Omit<FineRule, 'type'>, at = 'steps'): Reason[] {
  const reasons: Reason[] = []
  rule.steps.forEach((step, i) => {
    if ((step.amount === null) === (step.per_mille === null))
      reasons.push({ field: `${at}.${i}.amount`, code: 'fee_fine_one_of' })
    if (rule.steps.findIndex((one) => one.from_days === step.from_days) < i)
      reasons.push({ field: `${at}.${i}.from_days`, code: 'fee_fine_days_twice', data: { days: step.from_days } })
  })
  const ordered = rule.steps.toSorted((a, b) => a.from_days - b.from_days)
  for (const [i, step] of ordered.entries()) {
    const before = ordered[i - 1]
    if (!before) continue
    const falls =
      (step.amount !== null && before.amount !== null && step.amount < before.amount) ||
      (step.per_mille !== null && before.per_mille !== null && step.per_mille < before.per_mille)
    if (falls)
      reasons.push({
        field: `${at}.${rule.steps.indexOf(step)}`,
        code: 'fee_fine_falls',
        data: { days: step.from_days },
      })
  }
  return reasons
}
