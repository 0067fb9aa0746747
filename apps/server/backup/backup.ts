import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { copyOut } from '#db/copy.ts'
import type { Storage } from '#kit/server/storage/index.ts'
import { FORMAT, MANIFEST, SEQUENCES, TABLES, fileEntry, tableEntry } from './archive.ts'
import type { Manifest } from './archive.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

/** Bytes of rows that are gathered before they are written as one entry. */
const PART = 8_000_000

/** Writes entries to a compressed archive, and remembers their checksums. */
class Writer {
  readonly entries: Record<string, string> = {}
  private readonly zip = createGzip({ level: 6 })
  private readonly done: Promise<void>
  constructor(file: string) {
    const out = createWriteStream(file, { flags: 'wx', mode: 0o600 })
    this.done = finished(this.zip.pipe(out))
    this.done.catch(() => {})
    out.on('error', (error) => this.zip.destroy(error))
  }
  private async write(chunk: Uint8Array): Promise<void> {
    if (chunk.length && !this.zip.write(chunk))
      await Promise.race([new Promise((resolve) => this.zip.once('drain', resolve)), this.done])
  }
  async entry(name: string, size: number, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<string> {
    const digest = createHash('sha256')
    let written = 0
    await this.write(tarHeader(name, size))
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      digest.update(chunk)
      written += chunk.length
      await this.write(chunk)
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes, not ${size}`)
    await this.write(tarPadding(size))
    return (this.entries[name] = digest.digest('hex'))
  }
  async end(): Promise<void> {
    this.zip.end(TAR_END)
    await this.done
  }
}

/**
 * Writes the whole university into one archive while people work: everything the database holds at one moment, and the
 * stored files it names, each checked against its hash. The archive appears under its name only when it is whole.
 *
 * @throws {Error} when a file is missing or damaged, or the archive cannot be written
 */
export async function backup(
  { databaseUrl, storage, version }: { databaseUrl: string; storage: Storage; version: string },
  file: string,
  onStep: (text: string) => void = () => {},
): Promise<Manifest> {
  const draft = `${file}.part`
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'university-ems backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    await rm(draft, { force: true })
    const writer = new Writer(draft)
    // Nothing leaves the file store until this connection ends: what the moment names is there.
    await client.query('select pg_advisory_lock(72402)')
    // One moment for all tables, however long this takes.
    await client.query('begin transaction isolation level repeatable read read only')
    await client.query(`set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local statement_timeout = 0;
      set local intervalstyle = iso_8601; set local extra_float_digits = 3`)
    const ask = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> =>
      (await client.query<Row>(text)).rows
    const [{ at }] = (await ask<{ at: string }>(`select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`)) as [
      { at: string },
    ]
    const tables: Manifest['tables'] = []
    for (const { name, columns, key } of await ask<{ name: string; columns: string[]; key: string[] }>(TABLES)) {
      const listed = (names: readonly string[]) => names.map((one) => pg.escapeIdentifier(one)).join(', ')
      // The same rows make the same file, wherever they lie in the table.
      const order = key.length ? ` order by ${listed(key)}` : ''
      const { output, rows } = copyOut(client, `copy (select ${listed(columns)} from ${name}${order}) to stdout`)
      await writeParts(writer, name, output)
      tables.push({ name, columns, rows: await rows })
    }
    onStep(`${tables.reduce((total, t) => total + t.rows, 0)} rows of ${tables.length} tables`)
    const sequences: Manifest['sequences'] = []
    for (const { name } of await ask<{ name: string }>(SEQUENCES)) {
      // Not part of the snapshot: never behind it, which is what counts.
      const [row] = await ask<{ last: string; called: boolean }>(
        `select last_value::text as last, is_called as called from ${name}`,
      )
      sequences.push({ name, ...row! })
    }
    const migrations = (await ask<{ name: string }>('select name from kysely_migration order by name')).map(
      (m) => m.name,
    )
    const files = await ask<{ hash: string; size: number }>('select distinct hash, size::int as size from files')
    await client.query('commit')

    for (const { hash, size } of files) {
      const kept = await writer.entry(fileEntry(hash), size, await storage.get(hash))
      if (kept !== hash) throw new Error(`The stored file ${hash} is damaged.`)
    }
    const bytes = files.reduce((total, f) => total + f.size, 0)
    onStep(`${files.length} stored files`)
    const { entries } = writer
    const manifest: Manifest = {
      format: FORMAT,
      version,
      at,
      migrations,
      tables,
      sequences,
      files: { count: files.length, bytes },
      entries: { ...entries },
    }
    const text = Buffer.from(JSON.stringify(manifest))
    await writer.entry(MANIFEST, text.length, text)
    await writer.end()
    await flush(draft)
    await rename(draft, file)
    await flush(path.dirname(path.resolve(file)))
    // That it was made is shown with the state of the installation; a role that may only read makes it all the same.
    await client
      .query('insert into backups (bytes) values ($1)', [(await stat(file)).size])
      .catch((error: Error) => onStep(`The database does not note this backup: ${error.message}`))
    return manifest
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Rows in entries of some megabytes, because an entry tells its size before its content. */
async function writeParts(writer: Writer, name: string, rows: Readable): Promise<void> {
  let gathered: Buffer[] = []
  let size = 0
  let part = 0
  const put = async (): Promise<void> => {
    if (!size) return
    await writer.entry(tableEntry(name, part++), size, Buffer.concat(gathered))
    gathered = []
    size = 0
  }
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    gathered.push(chunk)
    size += chunk.length
    if (size >= PART) await put()
  }
  await put()
}

/** Makes what was written survive a power cut. */
async function flush(place: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(place, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
