/**
 * What a request costs before it is decided. The kit knows no money: whoever charges hears what is asked here, and says by
 * `feeSettled` what was paid. A fee is a code of the university's prices; where it has no price, the request costs nothing.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Label } from '#kit/contract/index.ts'
import { wayFrom } from '#kit/contract/workflow.ts'
import type { Ctx } from '../base/context.ts'
import { asRefusal } from '../base/errors.ts'
import { asks } from '../base/hears.ts'
import { notify } from '../mail/notifications.ts'
import { asSystem } from '../unit/request.ts'
import { servedWorkflows } from './workflow.ts'

/** A record with a fee: its workflow, and its id. */
export interface Feed {
  readonly workflow: string
  readonly id: number
}
/** What was charged: its number, the sum as people read it, and where it is paid. */
export interface Fee {
  readonly number: string
  readonly sum: string
  readonly link: string
}
/** A price that whoever asks has set, in minor units: for who pays in Egyptian pounds, and for everybody else. */
export interface Price {
  readonly local: number
  readonly usd: number
  readonly name: Label
}
/** Who pays: a student, or who works here by the account. */
export type FeePayer =
  | { readonly student_id: number; readonly staff_id?: never }
  | { readonly staff_id: number; readonly student_id?: never }
interface ChargingOf extends Feed {
  /** Code of what it costs: of the university's prices, unless `price` says it. */
  readonly fee: string
  readonly price?: Price
  /** What kind of invoice a price of its own makes, as whoever charges calls it. */
  readonly type?: string
  /** What is charged for. */
  readonly what: Label
  /** How many of it; one unless told. */
  readonly quantity?: number
  /** Whoever asks tells who pays: nobody else does. */
  readonly told?: boolean
}
type Charging = ChargingOf & FeePayer

/**
 * Charges for a request; null: there is nothing to pay.
 *
 * @throws {Refusal} every reason why the price cannot be determined
 */
export const chargeFee = asks<[ctx: Ctx, tx: Tx, charging: Charging], Fee | null>('request.fee', () => null)

/** What a student would pay for something of the year's prices, in minor units; null: nothing, or no price is known. Writes nothing. */
export const quoteFee = asks<
  [db: Db | Tx, of: { readonly fee: string; readonly student_id: number }],
  { readonly amount: number; readonly currency: string } | null
>('request.fee_quote', () => null)

/** What was charged for a request is taken back: what was paid of it stays the payer's. */
export const takeBackFee = asks<[ctx: Ctx, tx: Tx, feed: Feed, reason: string], void>('request.fee_back', () => {})

/**
 * Charges for something, and tells who pays what is to be paid and where. Whoever serves a record that costs something calls
 * it in the unit of work that writes the record.
 *
 * @returns the number of what was charged; null: nothing is to be paid
 */
export async function askFee(
  ctx: Ctx,
  tx: Tx,
  charging: Charging & {
    /** Whose texts say what it is. */
    readonly area: string
    readonly user_id: number | null
    /** The student's record, where the notice concerns one. */
    readonly concerns?: boolean
  },
): Promise<string | null> {
  const { area, user_id, concerns = true, ...of } = charging
  const due = await chargeFee(ctx, tx, { ...of, told: true })
  if (!due) return null
  await notify(tx, [user_id], {
    key: 'kit.notice_fee',
    data: { what: of.what[0], what_local: of.what[1], area, sum: due.sum, number: due.number },
    link: due.link,
    ...(concerns && of.student_id !== undefined && { records: [of.student_id] }),
  })
  return due.number
}

/** The actions and the state of requests that cost something (`kit/contract/request.ts`). */
export const FEE = { due: 'fee_due', waive: 'waive_fee', charge: 'charge_fee' } as const

/**
 * Reports that the fee of a request is paid, or no longer paid: the request goes on to whoever decides, or, if nobody
 * has taken a step yet, back to waiting for its fee. The charging area calls it in its own unit of work, without a
 * lock on a payer.
 *
 * @returns whether the request moved
 */
export async function feeSettled(ctx: Ctx, tx: Tx, { workflow, id }: Feed, paid: boolean): Promise<boolean> {
  const served = servedWorkflows().find(({ flow }) => flow.name === workflow)
  if (!served) return false
  const { rows } = await sql<{
    state: string
  }>`select ${sql.raw(served.reads)} as state from ${sql.table(served.table)} t
    where t.id = ${id} and t.removed_at is null for update of t`.execute(tx)
  const action = paid ? FEE.waive : FEE.charge
  const reason = paid ? 'The fee is settled' : 'The payment was cancelled'
  if (!rows[0] || !wayFrom(served.flow, rows[0].state, action)) return false
  try {
    await ctx.attempt(() => served.take(asSystem(ctx.services, reason, ctx.lang), id, action, { reason }))
  } catch (error) {
    // Its own rule keeps it where it stands: what is paid in the end does not wait for that.
    if (asRefusal(error)?.status === 409) return false
    throw error
  }
  return true
}
