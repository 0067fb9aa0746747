/**
 * Proof of work for forms that anybody may open: who asks finds a number, and needs no foreign service, picture or account for
 * it. A person does not notice it; somebody who sends hundreds waits longer each time.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { MOST_BITS, leadingZeros, puzzleHash } from '#kit/contract/puzzle.ts'
import type { Ctx } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { secretOf } from '../base/secrets.ts'
import { attempt, networkOf } from './attempts.ts'

/** Minutes for which a puzzle is good. */
const MINUTES = 10
/** Zeros asked of the first in an hour from a network, and how many requests bring one more: each doubles the work. */
const FIRST_BITS = 13
const PER_BIT = 15

const keyOf = (ctx: Ctx): string => `puzzle ${networkOf(ctx.ip)}`
const signed = (secret: Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('base64url')

/** A puzzle for whoever asks; harder, the more were asked for from the same network within the hour. */
export async function makePuzzle(ctx: Ctx): Promise<{ challenge: string; bits: number }> {
  await attempt(ctx.pool, [{ key: keyOf(ctx), free: 5000, longest: 60 }])
  const { rows } = await ctx.pool.query<{ failures: number }>('select failures from login_attempts where key = $1', [
    keyOf(ctx),
  ])
  const bits = Math.min(MOST_BITS, FIRST_BITS + Math.floor(((rows[0]?.failures ?? 1) - 1) / PER_BIT))
  const text = `${bits}.${Math.floor(Date.now() / 1000) + MINUTES * 60}.${randomBytes(12).toString('base64url')}`
  return { challenge: `${text}.${signed(await secretOf(ctx, 'puzzle'), text)}`, bits }
}

/**
 * Takes the solution of a puzzle: it is good once, in whichever process.
 *
 * @throws {Refusal} 403 `puzzle_wrong`: not one of ours, too old, used already, or not solved. The browser asks for another one
 */
export async function takePuzzle(ctx: Ctx, challenge: string, nonce: string): Promise<void> {
  const [bits, until, random, signature] = challenge.split('.')
  const text = `${bits}.${until}.${random}`
  const right = Buffer.from(signed(await secretOf(ctx, 'puzzle'), text))
  const given = Buffer.from(signature ?? '')
  if (right.length !== given.length || !timingSafeEqual(right, given) || Number(until) * 1000 < Date.now())
    throw refuse(403, 'puzzle_wrong')
  const hash = Buffer.from(await puzzleHash(challenge, nonce))
  if (leadingZeros(hash) < Number(bits)) throw refuse(403, 'puzzle_wrong')
  const { rowCount } = await ctx.pool.query(
    `insert into intake_puzzles (hash, expires_at) values (sha256($1::bytea), to_timestamp($2)) on conflict do nothing`,
    [Buffer.from(challenge), Number(until)],
  )
  if (!rowCount) throw refuse(403, 'puzzle_wrong')
}
