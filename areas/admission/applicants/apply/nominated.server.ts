/** Applications that a ministry's sheet has begun: taken up by whoever was nominated, with an address that is verified. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { latinDigits } from '#kit/server/sheets/index.ts'

/** Numbers are not guessed: an address and a network try few. @returns what to call when it was right */
export const limitNominations = (ctx: Ctx, email: string) =>
  attempt(ctx.pool, [
    { key: `nomination ${createHash('sha256').update(email).digest('base64url')}`, free: 8, longest: 3600 },
    addressLimit('nomination', ctx.ip),
  ])

interface TakenUp {
  readonly admission_id: number
  readonly email: string
  readonly language: string
  /** Of the key that opens it from now on. */
  readonly hash: Buffer | Uint8Array
  readonly number: string
  readonly identity: string
}

/**
 * Gives the application of a nomination to an address. Whoever knows number and id alone has verified some address, and sees nothing
 * of what the ministry said; the address that the ministry has shows it.
 *
 * @throws {Refusal} 422 `nomination_unknown`, also where somebody else has taken it up; 409 `nomination_begun`
 */
export async function takeUpNomination(tx: Tx, of: TakenUp): Promise<number> {
  const identity = latinDigits(of.identity).replace(/\s/g, '').toUpperCase()
  const { rows } = await sql<{ id: number; email: string | null }>`select t.id, t.email
    from applicant_nominations n join applicants t on t.id = n.applicant_id
    where n.admission_id = ${of.admission_id} and t.admission_id = n.admission_id and n.ministry_number = ${latinDigits(of.number)}
      and (t.national_id = ${identity} or upper(t.passport_number) = ${identity}) and t.removed_at is null and t.status <> 'CANCELLED'
    for no key update of t`.execute(tx)
  const [found] = rows
  if (!found || (found.email !== null && found.email !== of.email))
    throw refuse(422, 'nomination_unknown', {}, 'nomination')
  const { rows: begun } =
    await sql`select from applicants where admission_id = ${of.admission_id} and email = ${of.email}
    and id <> ${found.id} and removed_at is null and status <> 'CANCELLED' limit 1`.execute(tx)
  if (begun.length) throw refuse(409, 'nomination_begun')
  await sql`update applicants set email = ${of.email}, key_hash = ${of.hash}, language = ${of.language} where id = ${found.id}`.execute(
    tx,
  )
  await sql`update applicant_nominations set taken_up_at = coalesce(taken_up_at, now()), shown = (email is not distinct from ${of.email})
    where applicant_id = ${found.id}`.execute(tx)
  return found.id
}
