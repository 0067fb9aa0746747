import type { Readable } from 'node:stream'
import { FolderStorage } from './folder.ts'
import { ObjectStorage } from './object.ts'

/** Bytes in memory, or a stream of them (a Node stream is one). */
export type Content = Uint8Array | AsyncIterable<Uint8Array>

/** Where a content is: its SHA-256 in lower-case hexadecimal, and its bytes. */
export interface Stored {
  hash: string
  size: number
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
  put(content: Content, options?: { maxBytes?: number }): Promise<Stored>
  /** Throws `FileError` `file_not_found`. */
  get(hash: string): Promise<Readable>
  has(hash: string): Promise<boolean>
  /** Removes a content; one that is not there is no error. */
  remove(hash: string): Promise<void>
  /** Throws when the store cannot be reached or written; for the readiness check. */
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
  if (url.protocol === 'file:') return new FolderStorage(url)
  if (/^s3(\+https?)?:$/.test(url.protocol)) return new ObjectStorage(url)
  throw new Error(`Storage address of an unknown kind: ${url.protocol}`)
}
