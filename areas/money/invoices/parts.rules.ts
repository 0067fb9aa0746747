/**
 * How somebody changes the instalments of an invoice. Together they stay what they are; no part takes another one in silence,
 * and nothing is moved into a part whose day is over or that is paid: it would be late at once. The server decides with these
 * rules, the screen shows with them what comes of a change before it is made.
 */
import type { Reason } from '#kit/contract/issues.ts'
import { moneyText } from '#kit/contract/money.ts'
import { checkDueDays, checkInstalments, settledOf, type Instalment } from './invoice.rules.ts'

export interface Part extends Instalment {
  readonly id: number
}
/** A part as it is from now on; one without an id is new. */
export type NextPart = Instalment & { readonly id?: number | undefined }
export interface PartsStanding {
  readonly parts: readonly Part[]
  /** Of the whole invoice: the earlier parts have it first. */
  readonly settled: number
  readonly currency: string
  readonly today: string
}
/** What comes of a change, or every reason why it is not made. */
export interface PartsChanged {
  readonly parts: readonly NextPart[]
  readonly reasons: readonly Reason[]
}

const total = (parts: readonly Instalment[]): number => parts.reduce((sum, one) => sum + one.amount, 0)
const refused = (of: PartsStanding, ...reasons: Reason[]): PartsChanged => ({ parts: of.parts, reasons })
/** What comes of it stands by the rules of all instalments, or it is refused with every reason. */
const judged = (of: PartsStanding, parts: readonly NextPart[]): PartsChanged => {
  const ordered = parts.toSorted((a, b) => (a.due_date < b.due_date ? -1 : a.due_date > b.due_date ? 1 : 0))
  // What was paid stays where it was paid: no part comes before one that is paid.
  const [before, after] = [settledOf(of.parts, of.settled), settledOf(ordered, of.settled)]
  const reasons = [
    ...checkInstalments(parts.length === of.parts.length ? parts : ordered, total(of.parts), of.parts.length),
    ...checkDueDays(of.parts, ordered, of),
    ...of.parts.flatMap((part, i): Reason[] => {
      const place = ordered.findIndex((one) => one.id === part.id)
      return part.amount > 0 && before[i]! >= part.amount && place >= 0 && after[place]! < part.amount
        ? [{ field: 'due_date', code: 'installment_before_paid', data: { day: part.due_date } }]
        : []
    }),
  ]
  return { parts: reasons.length ? of.parts : ordered, reasons }
}

const isPaid = (of: PartsStanding, at: number): boolean => {
  const { amount } = of.parts[at]!
  return amount > 0 && settledOf(of.parts, of.settled)[at]! >= amount
}
const paidReason = (of: PartsStanding, at: number): Reason => ({
  code: 'installment_paid',
  data: { day: of.parts[at]!.due_date },
})
/** Whether more may be asked for in a part: its day is still to come, and it is not paid. */
const takesMore = (of: PartsStanding, at: number): boolean => of.parts[at]!.due_date >= of.today && !isPaid(of, at)
/**
 * The part that takes what another one leaves: the next later one that may, and where there is none the nearest earlier one.
 * null: there is none.
 */
export function heirOf(of: PartsStanding, at: number): number | null {
  const places = of.parts.map((_, i) => i)
  const later = places.filter((i) => i > at && takesMore(of, i))
  const earlier = places.filter((i) => i < at && takesMore(of, i)).toReversed()
  return later[0] ?? earlier[0] ?? null
}
/** What a part gives at most: something of it stays, and what is paid of it too. */
const givesMost = (of: PartsStanding, at: number): number =>
  Math.max(0, of.parts[at]!.amount - Math.max(1, settledOf(of.parts, of.settled)[at]!))

/**
 * Changes the amount of a part, its day, or both. More of it comes from the next part (of the last one from the one before),
 * never all of it; what it leaves is the next later part's, or a part of its own that is due on `rest_due_date`.
 */
export function editPart(
  of: PartsStanding,
  at: number,
  wanted: {
    readonly amount?: number | undefined
    readonly due_date?: string | undefined
    readonly rest_due_date?: string | undefined
  },
): PartsChanged {
  const part = of.parts[at]!
  const amount = wanted.amount ?? part.amount
  const due_date = wanted.due_date ?? part.due_date
  const more = amount - part.amount
  if (more === 0 && due_date === part.due_date) return refused(of, { code: 'installment_same' })
  const moved = of.parts.map((one, i): NextPart => (i === at ? { ...one, due_date, amount } : one))
  if (more === 0) return judged(of, moved)
  const add = (i: number, by: number): readonly NextPart[] =>
    moved.map((one, place) => (place === i ? { ...one, amount: one.amount + by } : one))
  const said = (minor: number) => moneyText(minor, of.currency)
  if (isPaid(of, at)) return refused(of, { ...paidReason(of, at), field: 'amount' })
  if (more > 0) {
    if (due_date < of.today) return refused(of, { field: 'amount', code: 'installment_over', data: { day: due_date } })
    const giver = at < of.parts.length - 1 ? at + 1 : at - 1
    const most = part.amount + (giver < 0 ? 0 : givesMost(of, giver))
    return amount > most
      ? refused(of, { field: 'amount', code: 'installment_most', data: { most: said(most) } })
      : judged(of, add(giver, -more))
  }
  const least = Math.max(1, settledOf(of.parts, of.settled)[at]!)
  if (amount < least) return refused(of, { field: 'amount', code: 'installment_least', data: { least: said(least) } })
  if (wanted.rest_due_date !== undefined)
    return judged(of, [...moved, { amount: -more, due_date: wanted.rest_due_date }])
  const heir = heirOf(of, at)
  return heir === null
    ? refused(of, { field: 'rest_due_date', code: 'installment_rest', data: { rest: said(-more) } })
    : judged(of, add(heir, -more))
}

/** Splits a part off: of the last one that has so much open and keeps something. */
export function splitPart(of: PartsStanding, { amount, due_date }: Instalment): PartsChanged {
  const most = of.parts.map((_, i) => givesMost(of, i))
  const giver = most.findLastIndex((one) => one >= amount)
  return giver < 0
    ? refused(of, {
        field: 'amount',
        code: 'installment_most',
        data: { most: moneyText(Math.max(...most), of.currency) },
      })
    : judged(of, [
        ...of.parts.map((one, i) => (i === giver ? { ...one, amount: one.amount - amount } : one)),
        { amount, due_date },
      ])
}

/** Removes a part that is not paid: the next later one has its amount from then on. */
export function removePart(of: PartsStanding, at: number): PartsChanged {
  if (of.parts.length === 1) return refused(of, { code: 'installment_last' })
  if (isPaid(of, at)) return refused(of, paidReason(of, at))
  const heir = heirOf(of, at)
  if (heir === null) return refused(of, { code: 'installment_no_heir' })
  const { amount } = of.parts[at]!
  return judged(
    of,
    of.parts.map((one, i) => (i === heir ? { ...one, amount: one.amount + amount } : one)).filter((_, i) => i !== at),
  )
}
