/** `npm run serve`: the server of a production installation. Run as many as you like on one database. */
import { ConfigError, demandProduction, readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { AREA_SERVERS } from './areas.server.ts'
import { refuseDemoForOthers } from './demo-guard.ts'
import { DIST, databasesOf, openUniversity, prepareDatabase, stopOnSignals } from './assemble.ts'

try {
  const config = readConfig(process.env)
  demandProduction(config, process.env)
  const log = createLog(config)
  const databases = databasesOf(config)
  const databaseUrl = databases.program
  if (config.publicUrl.startsWith('http:'))
    log.warn({ publicUrl: config.publicUrl }, 'PUBLIC_URL is not https: passwords and marks travel in the open')
  if (!config.smtpUrl) log.warn({ folder: config.mailFolder }, 'Without SMTP_URL mails are only written into files')
  else if (!config.smtpTls && !config.smtpUrl.startsWith('smtps:')) log.warn('Mails may go out unencrypted')
  await prepareDatabase(databases, log, (db) => refuseDemoForOthers(db, config))
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
