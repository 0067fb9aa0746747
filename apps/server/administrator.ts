import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { hashPassword } from '#kit/server/identity/passwords.ts'

/**
 * Gives a university without any administrator its first one, who holds every right and signs in with a password made
 * here. Does nothing when there is one.
 *
 * @returns the account, to be shown once; null when an administrator is there already
 */
export async function firstAdministrator(db: Db, email: string): Promise<{ email: string; password: string } | null> {
  const password = randomBytes(12).toString('base64url')
  const password_hash = await hashPassword(password)
  return await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('first administrator')), set_config('ems.actor', ${JSON.stringify({ reason: 'first administrator' })}, true)`.execute(
      tx,
    )
    const { rows } = await sql`insert into users (type, email, password_hash, name, name_local, is_super_admin, is_root)
      select 2, ${email}, ${password_hash}, 'Administrator', 'مدير النظام', true, true
      where not exists (select from users where is_root and removed_at is null) returning id`.execute(tx)
    return rows.length ? { email, password } : null
  })
}
