/** PINs of supervisors: sealed by the phone of an intern, opened and compared here. */
import { createDecipheriv, createECDH, createHash, type ECDH } from 'node:crypto'
import type { Ctx } from '#kit/server/base/context.ts'
import { attempt, personLimit } from '#kit/server/identity/attempts.ts'
import { verifyPassword } from '#kit/server/identity/passwords.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { sql } from 'kysely'

const CURVE = 'prime256v1'
const POINT = 65
const NONCE = 12
const TAG = 16

/** The key of the university for this purpose: made of its own secret, and stored nowhere else. */
async function keyOf(ctx: Ctx): Promise<ECDH> {
  const seal = await sealOf(ctx.services, 'logbook')
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(seal.digest('phones'))
  return ecdh
}
/** What the phone seals with. */
export const pinKey = async (ctx: Ctx): Promise<string> => (await keyOf(ctx)).getPublicKey('base64url')

/** The PIN that a phone sealed for an entry; null: it was sealed for another one, or is none. */
export async function openPin(ctx: Ctx, sealed: string, uuid: string): Promise<string | null> {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    const point = bytes.subarray(0, POINT)
    const secret = (await keyOf(ctx)).computeSecret(point)
    const key = createHash('sha256').update(secret).update(point).digest()
    const end = bytes.length - TAG
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(POINT, POINT + NONCE))
      .setAAD(Buffer.from(uuid))
      .setAuthTag(bytes.subarray(end))
    const pin = Buffer.concat([decipher.update(bytes.subarray(POINT + NONCE, end)), decipher.final()]).toString()
    return /^\d{6}$/.test(pin) ? pin : null
  } catch {
    return null
  }
}

/**
 * Whether a PIN is the instructor's; attempts of one intern at one supervisor's are few, and those of all together are slowed.
 *
 * @throws {Refusal} 429
 */
export async function isPinOf(ctx: Ctx, instructor_id: number, pin: string | null): Promise<boolean> {
  const right = await attempt(ctx.pool, [
    personLimit(`logbook pin ${instructor_id}`, ctx.actor?.user_id ?? 0),
    { key: `logbook pin of ${instructor_id}`, free: 20, longest: 300 },
  ])
  const { rows } = await sql<{
    pin_hash: string
  }>`select p.pin_hash from logbook_pins p join instructors i on i.id = p.instructor_id
    join users u on u.id = i.user_id where p.instructor_id = ${instructor_id} and i.removed_at is null and u.removed_at is null
      and u.blocked_at is null`.execute(ctx.db)
  const same = await verifyPassword(rows[0]?.pin_hash, pin ?? '')
  if (same) await right()
  return same
}
