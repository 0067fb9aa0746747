/**
 * `npm run restore -- FILE`: brings a backup back into an empty database (DATABASE_URL with DATABASE_MIGRATE_URL, or
 * without them an empty DATA_DIR) and into the file store of STORAGE_URL. All or nothing.
 */
import { startEmbedded } from '#db/embedded.ts'
import { FolderInUse } from '#db/embedded-lock.ts'
import { ConfigError, readConfig } from '#kit/server/base/config.ts'
import { openStorage } from '#kit/server/storage/index.ts'
import { databasesOf } from '../assemble.ts'
import { RestoreRefused, restore } from '../backup/restore.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const [file] = process.argv.slice(2)

try {
  if (!file) throw new ConfigError('usage: npm run restore -- FILE')
  const config = readConfig(process.env)
  const embedded = config.databaseUrl ? undefined : await startEmbedded({ folder: config.dataDir })
  try {
    const told = await restore(databasesOf(config, embedded), openStorage(config.storageUrl), file, say)
    say(`Restored as of ${told.at}. Everybody signs in anew.`)
  } finally {
    await embedded?.stop()
  }
} catch (error) {
  const known = [RestoreRefused, FolderInUse, ConfigError].some((kind) => error instanceof kind)
  console.error(known ? (error as Error).message : error)
  process.exitCode = 1
}
