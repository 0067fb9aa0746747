import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini } from 's3mini'
import { FileError } from './check.ts'
import { assertHash, spool } from './spool.ts'
import type { Content, PutOptions, Storage, Stored } from './storage.ts'

/** Milliseconds for the beginning of an answer; sending a content takes as long as a slow line needs. */
const ANSWER_MS = 60_000
const SLOWEST_BYTES_PER_MS = 100
/** What a store answers that has too much to do. */
const BUSY = new Set([429, 500, 502, 503])
const PAUSES = [100, 400]

/**
 * Fetches with a limit to the wait for the answer, not to its length: a large file is read for as long as it takes. What a
 * busy store puts off is asked again.
 */
const patientFetch: typeof fetch = async (address, init) => {
  const size = init?.body instanceof Blob ? init.body.size : 0
  for (let attempt = 0; ; attempt++) {
    const control = new AbortController()
    const timer = setTimeout(
      () => control.abort(new Error('the store does not answer')),
      ANSWER_MS + size / SLOWEST_BYTES_PER_MS,
    )
    try {
      // As a stream it is read as fast as it is sent; a file as it is would be held in memory whole.
      const body = init?.body instanceof Blob ? { body: init.body.stream(), duplex: 'half' } : {}
      const answer = await fetch(address, { ...init, ...body, signal: control.signal })
      const pause = PAUSES[attempt]
      if (!BUSY.has(answer.status) || pause === undefined) return answer
      await answer.body?.cancel()
      await sleep(pause)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Contents as objects of an S3-compatible store, addressed path-style. */
export class ObjectStorage implements Storage {
  private readonly store: S3mini
  private readonly prefix: string

  constructor(url: URL) {
    const region = url.searchParams.get('region') ?? (url.protocol === 's3:' ? 'us-east-1' : 'auto')
    const [bucket, ...path] =
      url.protocol === 's3:'
        ? [url.hostname, ...url.pathname.split('/').filter(Boolean)]
        : url.pathname.split('/').filter(Boolean)
    if (!bucket) throw new Error('The storage address names no bucket')
    const base =
      url.protocol === 's3:' ? `https://s3.${region}.amazonaws.com` : `${url.protocol.slice('s3+'.length)}//${url.host}`
    const accessKeyId = decodeURIComponent(url.username) || process.env['AWS_ACCESS_KEY_ID']
    const secretAccessKey = decodeURIComponent(url.password) || process.env['AWS_SECRET_ACCESS_KEY']
    if (!accessKeyId || !secretAccessKey) throw new Error('The storage address holds no key, nor does the environment')
    this.prefix = path.map((part) => `${part}/`).join('')
    this.store = new S3mini({
      endpoint: `${base}/${bucket}`,
      region,
      accessKeyId,
      secretAccessKey,
      fetch: patientFetch,
    })
  }

  async put(content: Content, options: PutOptions = {}): Promise<Stored> {
    // The key is known only after the last byte, so the content waits on the disk, never in memory.
    const path = join(tmpdir(), `ems-${randomUUID()}`)
    const stored = await spool(content, path, options.maxBytes)
    try {
      await options.coming?.(stored)
      if (!(await this.has(stored.hash))) {
        await this.store.putObject(
          this.key(stored.hash),
          await openAsBlob(path),
          'application/octet-stream',
          undefined,
          // The store refuses the upload when it arrived damaged.
          { 'x-amz-checksum-sha256': Buffer.from(stored.hash, 'hex').toString('base64') },
          stored.size,
        )
      }
    } finally {
      await unlink(path)
    }
    return stored
  }

  async get(hash: string): Promise<Readable> {
    assertHash(hash)
    const response = await this.store.getObjectResponse(this.key(hash))
    if (!response) throw new FileError('file_not_found', { hash })
    return response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([])
  }

  async has(hash: string): Promise<boolean> {
    assertHash(hash)
    return (await this.store.objectExists(this.key(hash))) === true
  }

  async remove(hash: string): Promise<void> {
    assertHash(hash)
    await this.store.deleteObject(this.key(hash))
  }

  async ready(): Promise<void> {
    if (!(await this.store.bucketExists())) throw new Error(`No bucket ${this.store.bucketName}`)
  }

  private key(hash: string): string {
    return `${this.prefix}${hash.slice(0, 2)}/${hash}`
  }
}
