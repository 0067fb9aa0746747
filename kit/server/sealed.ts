import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Queryable } from '#db/connect.ts'
import type { Services } from './context.ts'
import { secretOf } from './secrets.ts'

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/**
 * What has to be kept and read again, but not by who holds a copy of the table. The key is the university's own, in its
 * database, together with `SECRETS_KEY` of the installation where that is set: then a copy of the database is not enough.
 */
export interface Seal {
  /** `about`: whose it is. What was sealed about one is not opened as another's. */
  seal(plain: Uint8Array, about: string): Buffer
  /** @throws {Error} when it was sealed about something else, or with another key */
  open(sealed: Uint8Array, about: string): Buffer
  /** A digest that only this university can make, for what need not be read again. */
  digest(text: string): Buffer
}

/** Where the own key is asked for: a pool, or within a unit of work its connection. */
type From = Pick<Services, 'config'> & { readonly pool: Queryable }

const seals = new WeakMap<Queryable, Map<string, Promise<Seal>>>()
/** The seal of one purpose. Its key is asked for once, outside of any unit of work: a process keeps it. */
export function sealOf(services: From, purpose: string): Promise<Seal> {
  const known = seals.get(services.pool) ?? new Map<string, Promise<Seal>>()
  seals.set(services.pool, known)
  const found = known.get(purpose) ?? makeSeal(services, purpose)
  known.set(purpose, found)
  found.catch(() => known.delete(purpose))
  return found
}

async function makeSeal({ pool, config }: From, purpose: string): Promise<Seal> {
  const own = await secretOf({ pool }, purpose)
  const key = (use: string) => Buffer.from(hkdfSync('sha256', own, config.secretsKey ?? '', `${purpose} ${use}`, 32))
  const [cipherKey, digestKey] = [key('seal'), key('digest')]
  return {
    seal(plain, about) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(Buffer.from(about))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed, about) {
      const decipher = createDecipheriv(CIPHER, cipherKey, sealed.subarray(0, NONCE))
        .setAAD(Buffer.from(about))
        .setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()])
    },
    digest: (text) => createHmac('sha256', digestKey).update(text).digest(),
  }
}
