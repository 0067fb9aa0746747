import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'

/** Answers a request in the store's place: true when it did. */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

/** An S3-compatible server with a bucket, on a folder of its own. It checks signatures. */
export interface S3 {
  /** For `STORAGE_URL`. */
  readonly url: string
  /** What goes wrong from now on; null: nothing any more. */
  fail(fault: Fault | null): void
  /** Hashes of the contents it holds. */
  contents(): Promise<string[]>
  close(): Promise<void>
}

export async function openS3(): Promise<S3> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ems-s3-'))
  const store = new S3rver({ directory, silent: true, configureBuckets: [{ name: 'files' }] })
  await store.configureBuckets()
  const answer = store.callback()
  let fault: Fault | null = null
  const server = createServer((request, response) => {
    if (!fault?.(request, response)) void answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files/kept?region=us-east-1`,
    fail(next) {
      fault = next
    },
    contents: async () =>
      (await readdir(directory, { recursive: true }))
        .flatMap((name) => /([0-9a-f]{64})\._S3rver_object$/.exec(name)?.[1] ?? [])
        .toSorted(),
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
/** A refusal in the words of the protocol. */
export const refusing =
  (status: number, code: string, method = 'PUT'): Fault =>
  (request, response) => {
    if (request.method !== method) return false
    request.resume()
    request.on('end', () =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`),
    )
    return true
  }
/** The line breaks after so many bytes of what is sent. */
export const breaking =
  (bytes: number): Fault =>
  (request) => {
    if (request.method !== 'PUT') return false
    let sent = 0
    request.on('data', (chunk: Buffer) => {
      if ((sent += chunk.length) >= bytes) request.destroy()
    })
    return true
  }
