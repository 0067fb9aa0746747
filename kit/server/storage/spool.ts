import { createHash } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { FileError } from './check.ts'
import type { Content, Stored } from './storage.ts'

export const hashPattern = /^[0-9a-f]{64}$/

/** Guards every path and key: only a hash names a content. */
export function assertHash(hash: string): void {
  if (!hashPattern.test(hash)) throw new FileError('file_not_found', { hash })
}

/** Writes a content to a new file, flushes it to disk, and returns its hash; on failure the file is removed. */
export async function spool(content: Content, path: string, maxBytes = Infinity): Promise<Stored> {
  const digest = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      size += chunk.byteLength
      if (size > maxBytes) throw new FileError('file_too_large', { limit: maxBytes })
      digest.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
    await file.close()
  } catch (error) {
    await file.close().catch(() => {})
    await unlink(path).catch(() => {})
    throw error
  }
  return { hash: digest.digest('hex'), size }
}
