/**
 * `npm run reseal`: after SECRETS_KEY was set or changed, with SECRETS_KEY_BEFORE naming the key before (`none` where there
 * was none): keys of authenticator apps are sealed with the new one, and the chain of grade sheets goes on from it.
 */
import { createDb, createPool } from '#db/connect.ts'
import { ConfigError, readConfig } from '#kit/server/base/config.ts'
import { reseal } from '../reseal.ts'

try {
  const config = readConfig(process.env)
  if (!config.databaseUrl || !config.secretsKey)
    throw new ConfigError('usage: DATABASE_URL=… SECRETS_KEY=… SECRETS_KEY_BEFORE=… npm run reseal')
  const pool = createPool(config.databaseUrl, { max: 2 })
  const db = createDb(pool)
  try {
    const { factors, papers, ballots, refusals, chain } = await reseal({ db, pool }, config)
    console.log(
      `${factors} keys of authenticator apps, ${papers} of papers, ${ballots} of questionnaires and ${refusals} refusals of mails sealed anew; ${chain ? 'the chain of grade sheets goes on from the new key' : 'the chain of grade sheets needed nothing'}.`,
    )
    console.log('Recovery codes of before work while SECRETS_KEY_BEFORE is set for the servers.')
  } finally {
    await db.destroy()
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 2
}
