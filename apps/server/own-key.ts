import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#kit/server/base/config.ts'

const fileOf = (dataDir: string): string => path.join(dataDir, 'secrets.key')

/**
 * The key of a university on this machine, where none is set: a file beside its database, so that a copy of the database
 * alone opens nothing. Readable by its owner only.
 */
export function withOwnKey<C extends Config>(config: C): C {
  if (config.secretsKey || config.databaseUrl) return config
  const file = fileOf(config.dataDir)
  const kept = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
  return kept ? { ...config, secretsKey: kept, secretsKeyBefore: config.secretsKeyBefore ?? '' } : config
}

/** The same, made where there is none yet; what was sealed without it before goes on being opened, and is sealed anew. */
export function withNewKey<C extends Config>(config: C): C {
  if (config.secretsKey || config.databaseUrl) return config
  try {
    fs.writeFileSync(fileOf(config.dataDir), `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return withOwnKey(config)
}
