import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { query } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import type { Actor, Ctx, FileResult, Upload } from './context.ts'
import { refuse } from './errors.ts'
import { secretOf } from './secrets.ts'
import type { Storage, Stored } from './storage/index.ts'

/** A kept file, as rows and answers show it. */
export interface KeptFile {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly mime: string
}

/** Files of the university: contents in the storage, names and rights in the database. */
export interface Files {
  /**
   * Notes a content that stands in the storage already, for the program's own records: nobody opens it as the own. Whoever
   * joins a content from parts has it there before there is a record.
   */
  note(tx: Db, stored: Stored & Pick<Upload, 'name' | 'ext' | 'mime'>): Promise<KeptFile>
  /** Keeps an uploaded file; equal contents are stored once. */
  save(ctx: Ctx, upload: Upload, tx?: Db): Promise<KeptFile>
  /**
   * Address from which one reader may fetch a file for the rest of the day. A call that shows a record gives it for the
   * record's files: whoever may see the record may open them. `everybody`: for logos and the like, without signing in.
   */
  link(file: { id: number; name: string }, reader: Pick<Actor, 'user_id'> | 'everybody'): string
  /** The file of such an address, or one of the reader's own. @throws {Refusal} 404 */
  open(ctx: Ctx, id: number, token: string | undefined): Promise<FileResult>
  /** Content of a kept file, for the program's own use. @throws {Refusal} 404 */
  read(id: number): Promise<FileResult>
}

const HALF_DAY = 12 * 3_600_000
/** Characters that no file system or header should meet. */
const UNSAFE = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069/\\:*?"<>|]/g

/** A name under which a file can be saved anywhere: without folders, control and direction characters. */
export function safeFileName(name: string): string {
  const clean = name
    .normalize('NFC')
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const dot = clean.lastIndexOf('.')
  const ending = dot > 0 ? clean.slice(dot).slice(0, 10) : ''
  return `${[...(dot > 0 ? clean.slice(0, dot) : clean)].slice(0, 120).join('').trim() || 'file'}${ending}`
}

/** Opens the files. The key that signs addresses is made once per university and kept in the database. */
export async function createFiles({ pool, storage }: { pool: pg.Pool; storage: Storage }): Promise<Files> {
  // The database's clock, which is the same for all processes: how far it is from the one that nobody sets.
  let ahead = 0
  const heard = (now: number): number => {
    ahead = now - performance.now()
    return now
  }
  const { rows } = await pool.query<{ now: number }>(`select (extract(epoch from now()) * 1000)::float8 as now`)
  heard(rows[0]!.now)
  const key = await secretOf({ pool }, 'file_links')

  const sign = (id: number, reader: number, until: number): string =>
    createHmac('sha256', key).update(`${id} ${reader} ${until}`).digest('base64url')
  /** The end of the half day after the next: an address stays the same for a while, so that browsers can keep the file. */
  const end = (): number => (Math.floor((performance.now() + ahead) / HALF_DAY) + 2) * HALF_DAY

  function allowed(id: number, reader: number, token: string, now: number): boolean {
    const [until = '', signature = ''] = token.split('.')
    const at = parseInt(until, 36) * HALF_DAY
    if (!(at > now)) return false
    const given = Buffer.from(signature)
    const right = Buffer.from(sign(id, reader, at))
    return given.length === right.length && timingSafeEqual(given, right)
  }

  interface Found extends KeptFile {
    hash: string
    ext: FileResult['type']
    created_by: number | null
    /** Milliseconds of the database's clock. */
    now: number
  }
  const find = async (id: number): Promise<Found> => {
    const [file] = await query<Found & pg.QueryResultRow>(
      pool,
      'file_find',
      'select id, hash, name, ext, mime, size, created_by, (extract(epoch from now()) * 1000)::float8 as now from files where id = $1',
      [id],
    )
    if (!file) throw refuse(404, 'not_found')
    return file
  }
  const content = async (file: Found): Promise<FileResult> => ({
    name: file.name,
    type: file.ext,
    content: await storage.get(file.hash),
  })

  const insert = async (
    db: Db,
    { hash, size, name, ext, mime }: Stored & Pick<Upload, 'name' | 'ext' | 'mime'>,
    by: number | null,
  ): Promise<KeptFile> => {
    const { rows: saved } = await sql<KeptFile>`
      insert into files (hash, name, ext, mime, size, created_by)
      values (${hash}, ${safeFileName(name)}, ${ext}, ${mime}, ${size}, ${by})
      returning id, name, size, mime`.execute(db)
    return saved[0]!
  }
  return {
    note: (tx, stored) => insert(tx, stored, null),
    async save(ctx, upload, tx) {
      const stored = { ...upload, ...(await storage.put(upload.content)) }
      const keep = (db: Db) => insert(db, stored, ctx.actor?.user_id ?? null)
      // The audit trail knows who handed it in.
      return tx ? keep(tx) : ctx.write(keep)
    },
    link(file, reader) {
      const until = end()
      const who = reader === 'everybody' ? 0 : reader.user_id
      return `/api/files/${file.id}/${encodeURIComponent(file.name)}?token=${(until / HALF_DAY).toString(36)}.${sign(file.id, who, until)}`
    },
    async open(ctx, id, token) {
      const file = await find(id)
      const reader = ctx.actor?.user_id
      const now = heard(file.now)
      const may =
        (token !== undefined &&
          (allowed(id, 0, token, now) || (reader !== undefined && allowed(id, reader, token, now)))) ||
        (reader !== undefined && file.created_by === reader)
      if (!may) throw refuse(404, 'not_found')
      return content(file)
    },
    read: async (id) => content(await find(id)),
  }
}
