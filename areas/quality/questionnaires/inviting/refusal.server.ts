/**
 * Who does not want to be written to again says so by a link of its own, which works for ever and tells no address. What is kept
 * of the address is a digest under the key of the installation, so that nobody who reads the database tries addresses against it
 * (docs/decisions/0057-asking-outsiders.md).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Db, Queryable, Tx } from '#db/connect.ts'
import { secretOf } from '#kit/server/base/secrets.ts'
import type { Ctx, Services } from '#kit/server/base/context.ts'
import { sealOf, type Seal } from '#kit/server/identity/sealed.ts'
import { sql } from 'kysely'

/** Purpose of the key under which digests of refused addresses are made. */
export const REFUSALS = 'questionnaire refusals'
const ABOUT = 'questionnaire refusal'
/** Addresses of one statement: their digests are worked out in a few milliseconds. */
const AT_ONCE = 2000

/** Stands in links and nowhere else: who may read it has the mail. */
const plainOf = (email: string): Buffer => createHash('sha256').update(email.trim().toLowerCase()).digest()
const linkSeal = async (pool: Queryable, plain: Buffer): Promise<Buffer> =>
  createHmac('sha256', await secretOf({ pool }, 'questionnaire_refusals'))
    .update(plain)
    .digest()

/** What stands in the link of a mail to this address. */
export async function refusalOf(pool: Queryable, email: string): Promise<string> {
  const plain = plainOf(email)
  return `${plain.toString('base64url')}.${(await linkSeal(pool, plain)).toString('base64url')}`
}

/** The plain digest of the address that a link is about; null: nobody was sent such a link. */
export async function refusedBy(pool: Queryable, stop: string): Promise<Buffer | null> {
  const [plain, given] = stop.split('.').map((part) => Buffer.from(part, 'base64url'))
  if (plain?.length !== 32 || !given) return null
  const right = await linkSeal(pool, plain)
  return given.length === right.length && timingSafeEqual(given, right) ? plain : null
}

const keyed = (seal: Seal, plain: Buffer): Buffer => seal.digest(plain.toString('hex'))
/** What may stand in the database of an address: under the key, that before it, and plain from before there was a key. */
const formsOf = (seal: Seal, plain: Buffer): Buffer[] => [...seal.digests(plain.toString('hex')), plain]

/** Those of the addresses that want no mails. */
export async function refusedAmong(
  services: Services,
  tx: Db | Tx,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  const seal = await sealOf(services, REFUSALS)
  const refused = new Set<string>()
  for (let at = 0; at < emails.length; at += AT_ONCE) {
    const some = emails.slice(at, at + AT_ONCE).map((email) => ({ email, forms: formsOf(seal, plainOf(email)) }))
    const { rows } = await sql<{ hash: string }>`select encode(email_hash, 'hex') as hash from questionnaire_refusals
      where email_hash = any(${some.flatMap(({ forms }) => forms)}::bytea[])`.execute(tx)
    const found = new Set(rows.map(({ hash }) => hash))
    for (const { email, forms } of some) if (forms.some((form) => found.has(form.toString('hex')))) refused.add(email)
  }
  return refused
}

/** The addresses of an open questionnaire that want no mails, as they are written there. */
export async function refusedOf(ctx: Ctx, tx: Tx, questionnaire: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select distinct g.email from questionnaire_linked(${questionnaire}) g
    where g.email is not null`.execute(tx)
  return [
    ...(await refusedAmong(
      ctx.services,
      tx,
      rows.map(({ email }) => email),
    )),
  ]
}

/** Keeps that an address wants no mails, or that it wants them again. */
export async function keepRefusal(ctx: Ctx, tx: Tx, plain: Buffer, refused: boolean): Promise<void> {
  const seal = await sealOf(ctx.services, REFUSALS)
  const mine = sql`email_hash = any(${formsOf(seal, plain)}::bytea[])`
  // Held first: what is worked anew under a key in this moment is seen by the next statement.
  await sql`select from questionnaire_refusals where ${mine} for update`.execute(tx)
  if (refused)
    await sql`insert into questionnaire_refusals (email_hash, sealed)
      values (${keyed(seal, plain)}, ${seal.seal(plain, ABOUT)}) on conflict do nothing`.execute(tx)
  else await sql`delete from questionnaire_refusals where ${mine}`.execute(tx)
}

/**
 * Brings refusals under the key: those from before there was one, and where `all` is said, those of the key before it. Each keeps
 * its day; doing it again changes nothing.
 *
 * @returns how many
 */
export async function keyRefusals(db: Db | Tx, seal: Seal, all = false): Promise<number> {
  const { rows } = await sql<{ email_hash: Buffer; sealed: Buffer | null }>`select email_hash, sealed
    from questionnaire_refusals ${all ? sql`` : sql`where sealed is null`}`.execute(db)
  let count = 0
  for (const { email_hash, sealed } of rows) {
    if (sealed && !seal.isOfBefore(sealed, ABOUT)) continue
    const plain = sealed ? seal.open(sealed, ABOUT) : email_hash
    // Who wants mails again at this moment took the row away: nothing is kept anew then.
    await sql`with old as (delete from questionnaire_refusals where email_hash = ${email_hash} returning day)
      insert into questionnaire_refusals (email_hash, sealed, day)
      select ${keyed(seal, plain)}, ${seal.seal(plain, ABOUT)}, day from old on conflict do nothing`.execute(db)
    count++
  }
  return count
}
