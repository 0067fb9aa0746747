/** `npm run serve`: the server of a production installation. Run as many as you like on one database. */
import { ConfigError, readConfig } from '#kit/server/config.ts'
import { createLog } from '#kit/server/log.ts'
import { AREA_SERVERS } from './areas.server.ts'
import { DIST, databasesOf, openUniversity, prepareDatabase, stopOnSignals } from './assemble.ts'

try {
  const config = readConfig(process.env)
  const { databaseUrl } = config
  if (!databaseUrl) {
    throw new ConfigError(
      'DATABASE_URL is needed: postgresql://user:password@host/database. (npm start brings a database of its own.)',
    )
  }
  const log = createLog(config)
  await prepareDatabase(databasesOf(config), log)
  const university = await openUniversity({ config: { ...config, databaseUrl }, log, areas: AREA_SERVERS, dist: DIST })
  stopOnSignals(() => university.stop(), log)
  try {
    log.info({ address: await university.listen() }, 'ready')
  } catch (error) {
    await university.stop()
    throw error
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
