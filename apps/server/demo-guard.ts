import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { ConfigError } from '#kit/server/base/config.ts'
import { isLocal } from '#kit/server/base/web-address.ts'
import type { Config } from '#kit/server/base/config.ts'

/** The account that every demo university has. */
const DEMO_ACCOUNT = 'root@canopus.example.edu'

const isReachable = ({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean =>
  !isLocal(host) || !isLocal(new URL(publicUrl).hostname)

/**
 * Everybody knows the password of the demo accounts: they are there for this machine alone, unless somebody says otherwise.
 *
 * @throws {ConfigError} when others would reach a database that holds them
 */
export async function refuseDemoForOthers(db: Db, config: Config): Promise<void> {
  if (config.allowDemo || !isReachable(config)) return
  const { rows } = await sql`select from users where email = ${DEMO_ACCOUNT} and blocked_at is null`.execute(db)
  if (rows.length)
    throw new ConfigError(
      `This database holds the demo university: the password of its accounts is published, and HOST or PUBLIC_URL let others reach it. Leave both at localhost, or say ALLOW_DEMO=1.`,
    )
}

/**
 * Whether the demo university is loaded: into an empty database of our own.
 *
 * @throws {ConfigError} when the empty database is somebody's, or others would reach the accounts
 */
export async function loadsDemo(db: Db, config: Config, own: boolean): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`
    select not exists (select from students) and not exists (select from users) as empty`.execute(db)
  if (!rows[0]?.empty) {
    await refuseDemoForOthers(db, config)
    return false
  }
  if (!own && !config.allowDemo)
    throw new ConfigError(
      'DATABASE_URL names an empty database, and "npm start" would load the demo university into it, with accounts whose password is published. "npm run serve" runs a real university there; ALLOW_DEMO=1 loads the demo all the same; without DATABASE_URL the demo has a database of its own.',
    )
  if (isReachable(config) && !config.allowDemo)
    throw new ConfigError(
      'The password of the demo accounts is published, and HOST or PUBLIC_URL let others reach them. Leave both at localhost, or say ALLOW_DEMO=1.',
    )
  return true
}
