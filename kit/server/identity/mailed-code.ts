/** Codes that prove whose an address is, where nobody has an account: sent by mail, typed here. */
import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { secretOf } from '../base/secrets.ts'

const MINUTES = 10
/** How often a code may be typed wrong. */
const TRIES = 5
/** Minutes for which a verified address may be used. */
const TICKET_MINUTES = 60

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const addressHash = (email: string): Buffer => hashOf(`intake\n${email}`)
const codeHash = (email: string, code: string): Buffer => hashOf(`${email}\n${code}`)

/**
 * A new code for an address; the one before is over. Made by the job that sends the mail, so that it stands nowhere else; who
 * lets the job be done counts first how often (`attempt`).
 */
export async function newMailedCode(ctx: Pick<Ctx, 'pool'>, email: string): Promise<{ code: string; minutes: number }> {
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  await ctx.pool.query(
    `insert into intake_codes (address_hash, code_hash, expires_at) values ($1, $2, now() + make_interval(mins => $3))
     on conflict (address_hash) do update set code_hash = excluded.code_hash, tries = 0, sent_at = now(), expires_at = excluded.expires_at`,
    [addressHash(email), codeHash(email, code), MINUTES],
  )
  return { code, minutes: MINUTES }
}

/**
 * Takes a code that somebody typed: right once.
 *
 * @throws {Refusal} 403 `mailed_code_wrong`; 403 `mailed_code_over`: too old, used, or typed wrong too often. Both say nothing of
 *   whether a code was ever sent
 */
export async function takeMailedCode(ctx: Pick<Ctx, 'pool'>, email: string, code: string): Promise<void> {
  const { rows } = await ctx.pool.query<{ code_hash: Buffer; tries: number }>(
    `update intake_codes set tries = tries + 1 where address_hash = $1 and expires_at > now() and tries < $2
     returning code_hash, tries`,
    [addressHash(email), TRIES],
  )
  const [waits] = rows
  if (!waits) throw refuse(403, 'mailed_code_over')
  if (!timingSafeEqual(waits.code_hash, codeHash(email, code))) throw refuse(403, 'mailed_code_wrong')
  const { rowCount } = await ctx.pool.query('delete from intake_codes where address_hash = $1 and code_hash = $2', [
    addressHash(email),
    waits.code_hash,
  ])
  if (!rowCount) throw refuse(403, 'mailed_code_over')
}

/** What says that an address was verified, to whoever typed its code: for an hour, in this university. */
export async function ticketOf(ctx: Pick<Ctx, 'pool'>, email: string): Promise<string> {
  const text = Buffer.from(JSON.stringify([email, Math.floor(Date.now() / 1000) + TICKET_MINUTES * 60])).toString(
    'base64url',
  )
  return `${text}.${createHmac('sha256', await secretOf(ctx, 'address ticket'))
    .update(text)
    .digest('base64url')}`
}

/** The address of such a ticket. @throws {Refusal} 403 `mailed_code_over` */
export async function addressOfTicket(ctx: Pick<Ctx, 'pool'>, ticket: string): Promise<string> {
  const [text = '', signature = ''] = ticket.split('.')
  const right = createHmac('sha256', await secretOf(ctx, 'address ticket'))
    .update(text)
    .digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw refuse(403, 'mailed_code_over')
  const [email, until] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, number]
  if (until * 1000 < Date.now()) throw refuse(403, 'mailed_code_over')
  return email
}
