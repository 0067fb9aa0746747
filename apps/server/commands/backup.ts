/**
 * `npm run backup -- [FILE]`: the whole university, database and stored files, as one archive; of DATABASE_URL or,
 * without it, of the database of `npm start` in DATA_DIR. People go on working meanwhile.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { startEmbedded } from '#db/embedded.ts'
import { FolderInUse, runningEmbedded } from '#db/embedded-lock.ts'
import { ConfigError, readConfig } from '#kit/server/base/config.ts'
import { openStorage } from '#kit/server/storage/index.ts'
import { backup } from '../backup/backup.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const stamp = new Date().toISOString().slice(0, 16).replace('T', '-').replace(':', '')
const file = path.resolve(process.argv[2] ?? `university-${stamp}.tar.gz`)

try {
  const config = readConfig(process.env)
  const running = config.databaseUrl ? undefined : runningEmbedded(config.dataDir)
  const embedded = config.databaseUrl || running ? undefined : await startEmbedded({ folder: config.dataDir })
  try {
    const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
      version: string
    }
    const databaseUrl = config.databaseUrl ?? running ?? (embedded?.url as string)
    const told = await backup({ databaseUrl, storage: openStorage(config.storageUrl), version }, file, say)
    say(`${file} holds the university as it was at ${told.at}.`)
  } finally {
    await embedded?.stop()
  }
} catch (error) {
  console.error(error instanceof FolderInUse || error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
