import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { FileError } from './check.ts'
import { FolderStorage } from './folder.ts'
import { ObjectStorage } from './object.ts'

/** Bytes in memory, or a stream of them (a Node stream is one). */
export type Content = Uint8Array | AsyncIterable<Uint8Array>

/** Where a content is: its SHA-256 in lower-case hexadecimal, and its bytes. */
export interface Stored {
  hash: string
  size: number
}

/** The store does not do what it is there for: it is away, full, or closed to us. No fault of who asked. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** No room is left. */
  readonly full: boolean
  constructor(cause: unknown) {
    super(`The file store: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    const { code, status, serviceCode } = (cause ?? {}) as { code?: unknown; status?: unknown; serviceCode?: unknown }
    this.full =
      code === 'ENOSPC' ||
      code === 'EDQUOT' ||
      status === 507 ||
      // How stores call it that answer with another status.
      /StorageFull|InsufficientStorage|QuotaExceeded|EntityTooLarge/.test(String(serviceCode))
  }
}

export interface PutOptions {
  readonly maxBytes?: number
  /** Told what the content is before it can be found in the store; when this fails, it is not kept. */
  readonly coming?: (stored: Stored) => Promise<void>
}

/**
 * Where files are kept. A file is found by the SHA-256 of its content, so the same content is kept once, is never
 * changed, and cannot be reached by a name. Names, owners and rights are the database's.
 */
export interface Storage {
  /**
   * Keeps a content; once this returns it survives a crash. Content already kept is not written again.
   * Throws `FileError` `file_too_large` past `maxBytes`, leaving nothing behind.
   */
  put(content: Content, options?: PutOptions): Promise<Stored>
  /** Throws `FileError` `file_not_found`. */
  get(hash: string): Promise<Readable>
  has(hash: string): Promise<boolean>
  /** Removes a content; one that is not there is no error. */
  remove(hash: string): Promise<void>
  /** Throws when the store cannot be reached or has no room; cheap, for the readiness check. */
  ready(): Promise<void>
}

/**
 * Opens the store of an address:
 * - `file:///var/lib/ems/files`: a folder, made when missing.
 * - `s3+https://KEY:SECRET@host:9000/bucket/prefix?region=auto` (or `s3+http`): an S3-compatible store.
 * - `s3://KEY:SECRET@bucket/prefix?region=eu-central-1`: Amazon's.
 *
 * Without a key in the address, `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` are used.
 */
export function openStorage(address: string): Storage {
  const url = new URL(address)
  if (url.protocol === 'file:') return faultsTold(new FolderStorage(url))
  if (/^s3(\+https?)?:$/.test(url.protocol)) return faultsTold(new ObjectStorage(url))
  throw new Error(`Storage address of an unknown kind: ${url.protocol}`)
}

/** The store whose own failures are {@link StoreError}, so that nobody takes them for another's. */
function faultsTold(store: Storage): Storage {
  const told = async <T>(work: Promise<T>, sourceFailed?: (error: unknown) => boolean): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw error instanceof FileError || sourceFailed?.(error) ? error : new StoreError(error)
    }
  }
  return {
    put(content, options) {
      let failed: unknown
      const failing = (error: unknown) => (failed = error)
      const source = content instanceof Uint8Array ? content : watched(content, failing)
      const coming = async (stored: Stored) => {
        await options?.coming?.(stored).catch((error: unknown) => {
          failing(error)
          throw error
        })
      }
      return told(store.put(source, { ...options, coming }), (error) => error === failed)
    },
    get: (hash) => told(store.get(hash)),
    has: (hash) => told(store.has(hash)),
    remove: (hash) => told(store.remove(hash)),
    ready: () => told(store.ready()),
  }
}

/** A stream that tells of its own failure, such as an upload that is broken off. */
async function* watched(content: AsyncIterable<Uint8Array>, failed: (error: unknown) => void) {
  try {
    yield* content
  } catch (error) {
    failed(error)
    throw error
  }
}

/** Writes, reads and removes a small content. @throws {StoreError} when the store cannot be used */
export async function tryStorage(storage: Storage): Promise<void> {
  await storage.ready()
  const content = randomBytes(64)
  const { hash } = await storage.put(content)
  try {
    if (!content.equals(await buffer(await storage.get(hash))))
      throw new StoreError(new Error('what was written is read back changed'))
  } finally {
    await storage.remove(hash)
  }
}
