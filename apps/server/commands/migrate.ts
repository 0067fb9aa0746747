/**
 * `npm run migrate`: brings the database to the newest migration as its owner (DATABASE_MIGRATE_URL) and gives the role
 * of the program (DATABASE_URL) what it needs, so that no server process has to know the owner. Before each upgrade.
 */
import { ConfigError, readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { databasesOf, prepareDatabase } from '../assemble.ts'

try {
  const config = readConfig(process.env)
  if (!config.databaseUrl) throw new ConfigError('usage: DATABASE_MIGRATE_URL=… DATABASE_URL=… npm run migrate')
  await prepareDatabase(databasesOf(config), createLog(config))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
