import { buffer } from 'node:stream/consumers'
import { openStorage } from '#kit/server/storage/index.ts'

/** A folder; `s3+https://KEY:SECRET@host/bucket` opens an S3-compatible store in the same way. */
const storage = openStorage('file:///var/lib/university/files')

/** Stores a content under its hash, and reads it back by that hash. Equal contents are stored once. */
export async function storedAndRead(content: Buffer): Promise<Buffer> {
  const { hash } = await storage.put(content, { maxBytes: 10_000_000 })
  return buffer(await storage.get(hash))
}
