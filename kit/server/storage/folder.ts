import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { FileError } from './check.ts'
import { assertHash, spool } from './spool.ts'
import type { Content, PutOptions, Storage, Stored } from './storage.ts'

const abandonedMs = 24 * 60 * 60 * 1000
/** With fewer bytes than these the store is full. */
const leastRoom = 1_000_000

/**
 * Contents as files in a folder, `ab/cd/<hash>`. A file is written aside, flushed, then renamed, so that what is found
 * under a hash is whole even after a power cut. Several processes may share the folder.
 */
export class FolderStorage implements Storage {
  private readonly root: string
  private readonly aside: string
  private prepared: Promise<void> | undefined

  constructor(url: URL) {
    this.root = fileURLToPath(url)
    this.aside = join(this.root, 'incoming')
  }

  async put(content: Content, options: PutOptions = {}): Promise<Stored> {
    await this.prepare()
    const path = join(this.aside, randomUUID())
    const stored = await spool(content, path, options.maxBytes)
    const place = this.place(stored.hash)
    try {
      await options.coming?.(stored)
      if (await this.has(stored.hash)) {
        await unlink(path)
        return stored
      }
      await mkdir(dirname(place), { recursive: true })
      await rename(path, place)
    } catch (error) {
      await unlink(path).catch(() => {})
      throw error
    }
    for (const folder of [dirname(place), dirname(dirname(place)), this.root]) await flushFolder(folder)
    return stored
  }

  async get(hash: string): Promise<Readable> {
    assertHash(hash)
    try {
      const file = await open(this.place(hash), 'r')
      return createReadStream('', { fd: file })
    } catch (cause) {
      if (isMissing(cause)) throw new FileError('file_not_found', { hash }, { cause })
      throw cause
    }
  }

  async has(hash: string): Promise<boolean> {
    assertHash(hash)
    try {
      return (await stat(this.place(hash))).isFile()
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  async remove(hash: string): Promise<void> {
    assertHash(hash)
    await unlink(this.place(hash)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }

  async ready(): Promise<void> {
    await this.prepare()
    await access(this.aside, constants.W_OK)
    const { bavail, bsize } = await statfs(this.aside)
    if (bavail * bsize < leastRoom)
      throw Object.assign(new Error(`no room is left in ${this.root}`), { code: 'ENOSPC' })
  }

  private place(hash: string): string {
    return join(this.root, hash.slice(0, 2), hash.slice(2, 4), hash)
  }

  /** Makes the folder, and clears what a killed process left half written. */
  private prepare(): Promise<void> {
    this.prepared ??= (async () => {
      await mkdir(this.aside, { recursive: true })
      for (const name of await readdir(this.aside)) {
        const path = join(this.aside, name)
        const age = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now())
        if (age > abandonedMs) await unlink(path).catch(() => {})
      }
    })()
    this.prepared.catch(() => {
      this.prepared = undefined
    })
    return this.prepared
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Makes a rename survive a power cut. Windows cannot flush a folder and does not need to. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
