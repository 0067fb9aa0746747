/** Who does not want to be written to again says so by a link of its own, which works for ever and tells no address. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { secretOf } from '#kit/server/base/secrets.ts'
import type { Queryable } from '#db/connect.ts'

/** As `questionnaires_refused` makes it. */
const digestOf = (email: string): Buffer => createHash('sha256').update(email.trim().toLowerCase()).digest()
const sealOf = async (pool: Queryable, digest: Buffer): Promise<Buffer> =>
  createHmac('sha256', await secretOf({ pool }, 'questionnaire_refusals'))
    .update(digest)
    .digest()

/** What stands in the link of a mail to this address. */
export async function refusalOf(pool: Queryable, email: string): Promise<string> {
  const digest = digestOf(email)
  return `${digest.toString('base64url')}.${(await sealOf(pool, digest)).toString('base64url')}`
}

/** The digest of the address that a link is about; null: nobody was sent such a link. */
export async function refusedBy(pool: Queryable, stop: string): Promise<Buffer | null> {
  const [digest, given] = stop.split('.').map((part) => Buffer.from(part, 'base64url'))
  if (digest?.length !== 32 || !given) return null
  const right = await sealOf(pool, digest)
  return given.length === right.length && timingSafeEqual(given, right) ? digest : null
}
