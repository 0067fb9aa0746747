/** What may be done with an invoice, and how its instalments follow. Integers of the minor unit. */
import type { Reason } from '#kit/contract/issues.ts'
import { moneyText } from '#kit/contract/money.ts'

const MOST_INSTALMENTS = 3

/** Accounts of the ledger that lines are booked to. */
export const LINE_ACCOUNTS = [
  'tuition',
  'hours',
  'summer',
  'certificates',
  'services',
  'exams',
  'fines',
  'other_income',
  'admission',
  'scholarships',
  'sponsored',
  'deposit',
] as const
export type LineAccount = (typeof LINE_ACCOUNTS)[number]

/** A line: what is charged (positive) or taken off (negative), and how it was computed. */
export interface DraftLine {
  readonly account: LineAccount
  readonly item: string
  readonly name: string
  readonly name_local: string
  readonly rule?: Readonly<Record<string, unknown>>
  /** In hundredths. */
  readonly quantity?: number
  readonly unit_amount: number
  readonly amount: number
  readonly registration_id?: number | null
  readonly grant_id?: number | null
  /** Of what a sponsor takes over: its share, and the payer that the sponsor is. */
  readonly share_id?: number | null
  readonly payer_id?: number | null
}

export type InvoiceState = 'unpaid' | 'partially_paid' | 'paid' | 'reversed'
export interface InvoiceFacts {
  readonly charged: number
  readonly settled: number
  readonly reversed: boolean
}
/** Where an invoice stands; what charges nothing is paid. */
export const invoiceState = ({ charged, settled, reversed }: InvoiceFacts): InvoiceState =>
  reversed ? 'reversed' : settled >= charged ? 'paid' : settled > 0 ? 'partially_paid' : 'unpaid'

export interface Instalment {
  readonly amount: number
  readonly due_date: string
}
const sum = (parts: readonly { readonly amount: number }[]): number => parts.reduce((all, one) => all + one.amount, 0)

/** What of each instalment is settled: the earlier ones first. */
export function settledOf(parts: readonly { readonly amount: number }[], settled: number): number[] {
  let left = settled
  return parts.map(({ amount }) => {
    const part = Math.min(amount, left)
    left -= part
    return part
  })
}

/**
 * The instalments of an invoice that charges so much more, or less: more is added to the last one, less is taken from the last
 * one and, when nothing is left of it, from those before. Instalments of nothing go, but one.
 */
export function changeInstalments<T extends Instalment>(parts: readonly T[], by: number): T[] {
  if (by >= 0) return parts.map((one, i) => (i === parts.length - 1 ? { ...one, amount: one.amount + by } : one))
  let left = -by
  const changed = parts
    .toReversed()
    .map((one) => {
      const part = Math.min(left, one.amount)
      left -= part
      return { ...one, amount: one.amount - part }
    })
    .toReversed()
  const kept = changed.filter((one) => one.amount > 0)
  return kept.length ? kept : changed.slice(0, 1)
}

/** Why instalments do not stand together; `total` is what the invoice charges. A plan to pay may have left `most` of them. */
export function checkInstalments(parts: readonly Instalment[], total: number, most = MOST_INSTALMENTS): Reason[] {
  return [
    ...(parts.length < 1 || parts.length > Math.max(most, MOST_INSTALMENTS)
      ? [{ code: 'installments_count', data: { most: Math.max(most, MOST_INSTALMENTS) } }]
      : []),
    ...(sum(parts) === total ? [] : [{ code: 'installments_differ' }]),
    ...parts.flatMap((one, i): Reason[] => [
      ...(one.amount > 0 || total === 0 ? [] : [{ field: `installments.${i}.amount`, code: 'installment_nothing' }]),
      ...(i > 0 && one.due_date <= parts[i - 1]!.due_date
        ? [{ field: `installments.${i}.due_date`, code: 'installments_order' }]
        : []),
    ]),
  ]
}

/**
 * Why days cannot move so: to one that is over, or of an instalment that is paid. What is late by then was never due, and a fine
 * of years would follow. `settled`: of the invoice as it stands.
 */
export function checkDueDays(
  before: readonly (Instalment & { readonly id: number })[],
  after: readonly (Instalment & { readonly id?: number | undefined })[],
  { settled, today }: { readonly settled: number; readonly today: string },
): Reason[] {
  const paid = settledOf(before, settled)
  return after.flatMap((one, i): Reason[] => {
    const place = one.id === undefined ? -1 : before.findIndex((was) => was.id === one.id)
    const was = before[place]
    if (was?.due_date === one.due_date) return []
    const field = `installments.${i}.due_date`
    return [
      ...(was && was.amount > 0 && paid[place]! >= was.amount
        ? [{ field, code: 'installment_day_of_paid', data: { day: was.due_date } }]
        : []),
      ...(one.due_date < today ? [{ field, code: 'installment_day_over', data: { day: one.due_date, today } }] : []),
    ]
  })
}

/** A correction of an invoice: lines that it charges more (or less) than before. */
export interface NoteFacts extends InvoiceFacts {
  readonly currency: string
  readonly change: number
}
/** Every reason why a note is not written. */
export function checkNote({ charged, currency, reversed, change }: NoteFacts): Reason[] {
  return [
    ...(reversed ? [{ code: 'invoice_is_reversed' }] : []),
    ...(change === 0 ? [{ code: 'note_nothing' }] : []),
    ...(charged + change < 0 ? [{ code: 'note_too_much', data: { charged: moneyText(charged, currency) } }] : []),
  ]
}
/** Why an invoice is not reversed. `deposit`: what it charges as one, and what of that is still held. */
export const checkReverse = ({
  reversed,
  deposit = { charged: 0, held: 0 },
}: InvoiceFacts & { readonly deposit?: { readonly charged: number; readonly held: number } }): Reason[] => [
  ...(reversed ? [{ code: 'invoice_is_reversed' }] : []),
  ...(!reversed && deposit.charged > deposit.held ? [{ code: 'invoice_deposit_back' }] : []),
]
