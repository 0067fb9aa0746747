import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Queryable } from '#db/connect.ts'
import type { Config } from '../base/config.ts'
import type { Services } from '../base/context.ts'
import { secretOf } from '../base/secrets.ts'

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/**
 * Encrypts secrets that must be read again, so that a copy of the table is useless. The key is the university's own,
 * in its database, combined with the installation's `SECRETS_KEY` if that is set: then even a copy of the database is
 * not enough.
 */
export interface Seal {
  /** `about`: whose it is. What was sealed about one is not opened as another's. */
  seal(plain: Uint8Array, about: string): Buffer
  /** @throws {Error} when it was sealed about something else, or with another key */
  open(sealed: Uint8Array, about: string): Buffer
  /** A digest that only this university can make, for what need not be read again. */
  digest(text: string): Buffer
  /** The same, and after it that of the key before, while `SECRETS_KEY_BEFORE` tells it: by which what is kept is found. */
  digests(text: string): Buffer[]
  /** Whether something was sealed with the key before, and is to be sealed anew. */
  isOfBefore(sealed: Uint8Array, about: string): boolean
}

/** Where the own key is asked for: a pool, or within a unit of work its connection. */
type From = Pick<Services, 'config'> & { readonly pool: Queryable }
type Keys = { readonly pool: Queryable; readonly config: Pick<Config, 'secretsKey' | 'secretsKeyBefore'> }

const seals = new WeakMap<Queryable, Map<string, Promise<Seal>>>()
/** The seal for one purpose. Its key is read once, outside any unit of work, and cached by the process. */
export function sealOf(services: From, purpose: string): Promise<Seal> {
  const known = seals.get(services.pool) ?? new Map<string, Promise<Seal>>()
  seals.set(services.pool, known)
  const found = known.get(purpose) ?? makeSeal(services, purpose)
  known.set(purpose, found)
  found.catch(() => known.delete(purpose))
  return found
}

/** The seal of one purpose with another key of the installation; empty: without one. */
export const sealWith = ({ pool }: Pick<From, 'pool'>, secretsKey: string, purpose: string): Promise<Seal> =>
  makeSeal({ pool, config: { secretsKey, secretsKeyBefore: null } }, purpose)

async function makeSeal({ pool, config }: Keys, purpose: string): Promise<Seal> {
  const own = await secretOf({ pool }, purpose)
  const now = keysOf(own, config.secretsKey ?? '', purpose)
  const { secretsKeyBefore } = config
  const before = secretsKeyBefore === null ? null : keysOf(own, secretsKeyBefore, purpose)
  const open = (key: Buffer, sealed: Uint8Array, about: string): Buffer => {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE))
      .setAAD(Buffer.from(about))
      .setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()])
  }
  const opens = (key: Buffer, sealed: Uint8Array, about: string): boolean => {
    try {
      return open(key, sealed, about) !== null
    } catch {
      return false
    }
  }
  const digest = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  return {
    seal(plain, about) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, now.cipher, nonce).setAAD(Buffer.from(about))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open: (sealed, about) =>
      open(before && opens(before.cipher, sealed, about) ? before.cipher : now.cipher, sealed, about),
    digest: (text) => digest(now.digest, text),
    digests: (text) => [now, ...(before ? [before] : [])].map((keys) => digest(keys.digest, text)),
    isOfBefore: (sealed, about) => before !== null && opens(before.cipher, sealed, about),
  }
}

const keysOf = (own: Buffer, installation: string, purpose: string) => {
  const key = (use: string) => Buffer.from(hkdfSync('sha256', own, installation, `${purpose} ${use}`, 32))
  return { cipher: key('seal'), digest: key('digest') }
}
