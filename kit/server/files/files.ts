import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { query } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Actor, Ctx, FileResult, Upload } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { secretOf } from '../base/secrets.ts'
import type { Content, Storage, Stored } from '../storage/index.ts'

/** A kept file, as rows and answers show it. */
export interface KeptFile {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly mime: string
}

/** Puts a content into the store. */
export type PutContent = (content: Content) => Promise<Stored>

/** Files of the university: contents in the storage, names and rights in the database. */
export interface Files {
  /**
   * Work that puts contents into the store and makes records of them, in a transaction of its own. What no record names
   * when it ends, well or not, leaves the store again; what a killed process leaves behind is swept.
   */
  storing<T>(ctx: Pick<Ctx, 'inUnit'>, work: (put: PutContent) => Promise<T>): Promise<T>
  /** Keeps a content for some days without a record. */
  lend(content: Content, days: number): Promise<Stored>
  /** Keeps contents that are in the store for some days from now on, whatever becomes of the records that name them. */
  hold(tx: Db, hashes: readonly string[], days: number): Promise<void>
  /** Lets contents go whose time is over and which no record names, all or some; how many left the store. */
  sweep(hashes?: readonly string[]): Promise<number>
  /** Notes a content that was put into the store, for the program's own records: nobody opens it as the own. */
  note(tx: Db, stored: Stored & Pick<Upload, 'name' | 'ext' | 'mime'>): Promise<KeptFile>
  /** Keeps what the program made: whoever had it made does not open it as the own. */
  keep(tx: Db, made: Pick<Upload, 'content' | 'name' | 'ext' | 'mime'>): Promise<KeptFile>
  /** Keeps an uploaded file; equal contents are stored once. */
  save(ctx: Ctx, upload: Upload, tx?: Db): Promise<KeptFile>
  /**
   * Address from which one reader may fetch a file for the rest of the day. A call that shows a record gives it for the
   * record's files: whoever may see the record may open them. `everybody`: for logos and the like, without signing in.
   */
  link(file: { id: number; name: string }, reader: Pick<Actor, 'user_id'> | 'everybody'): string
  /** The file of such an address, or one of the reader's own; not of whom somebody is logged in as. @throws {Refusal} 404 */
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

/** For so long a content stands in the store without a record while something is made of it. */
const HELD = '1 day'
/** Contents that one sweep lets go. */
const SWEPT_AT_ONCE = 5000

/** Contents come into the store and leave it: the one place that knows what is still needed. */
function contentsOf(pool: pg.Pool, storage: Storage) {
  const held = async (hash: string, time: string): Promise<string> =>
    (await query<{ id: string }>(pool, 'content_hold', 'select hold_content($1, $2::interval) as id', [hash, time]))[0]!
      .id

  /** Ends the time of a content, and lets it go where nothing else needs it; false while it has to stay. */
  async function letGo(hash: string, ids: readonly string[]): Promise<boolean> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('delete from held_contents where id = any($1::bigint[])', [ids])
      const { rows } = await client.query<{ goes: boolean; named: boolean }>(
        'select content_may_go($1) as goes, content_named($1) as named',
        [hash],
      )
      if (firstRow(rows).goes) await storage.remove(hash)
      // While a backup reads, or somebody else makes something of it, the note stays for the next sweep.
      await client.query(firstRow(rows).goes || firstRow(rows).named ? 'commit' : 'rollback')
      return firstRow(rows).goes
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    } finally {
      client.release()
    }
  }
  const named = (ids: readonly string[]) =>
    query<{ id: string }>(
      pool,
      'contents_named',
      'delete from held_contents where id = any($1::bigint[]) and content_named(hash) returning id',
      [ids],
    )

  return {
    async storing<T>(ctx: Pick<Ctx, 'inUnit'>, work: (put: PutContent) => Promise<T>): Promise<T> {
      // A record that is not certain yet would be none.
      if (ctx.inUnit) throw new Error('contents are stored around a unit of work, not within one')
      const notes = new Map<string, string>()
      const coming = async ({ hash }: Stored): Promise<void> => void notes.set(await held(hash, HELD), hash)
      try {
        return await work((content) => storage.put(content, { coming }))
      } finally {
        // What cannot be done now is done by the sweep.
        const done = notes.size ? await named([...notes.keys()]).catch(() => null) : []
        for (const { id } of done ?? []) notes.delete(id)
        if (done) for (const [id, hash] of notes) await letGo(hash, [id]).catch(() => {})
      }
    },
    lend: (content: Content, days: number) =>
      storage.put(content, { coming: async ({ hash }) => void (await held(hash, `${days} days`)) }),
    async hold(tx: Db, hashes: readonly string[], days: number): Promise<void> {
      await sql`select hold_content(hash, make_interval(days => ${days})) from unnest(${[...new Set(hashes)].toSorted()}::text[]) as hash`.execute(
        tx,
      )
    },
    /** Puts a content into the store within a transaction that makes its record. */
    putWithin: (tx: Db, content: Content) =>
      storage.put(content, {
        async coming({ hash }) {
          await sql`select pg_advisory_xact_lock_shared(hashtextextended(${hash}, 72402))`.execute(tx)
          // Not waited for: the transaction has a connection, and another one may not be free. Should nothing become of the
          // transaction, the sweep finds the note.
          void held(hash, HELD).catch(() => {})
        },
      }),
    async sweep(hashes?: readonly string[]): Promise<number> {
      const due = '(until <= now() and ($1::text[] is null or hash = any($1)))'
      await pool.query(`delete from held_contents where ${due} and content_named(hash)`, [hashes])
      const { rows } = await pool.query<{ hash: string; ids: string[] }>(
        `select hash, array_agg(id::text) as ids from held_contents where ${due} group by hash limit ${SWEPT_AT_ONCE}`,
        [hashes],
      )
      let gone = 0
      for (const { hash, ids } of rows) if (await letGo(hash, ids)) gone++
      return gone
    },
  }
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
  heard(firstRow(rows).now)
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
  const contents = contentsOf(pool, storage)
  return {
    ...contents,
    note: (tx, stored) => insert(tx, stored, null),
    keep: async (tx, made) => insert(tx, { ...made, ...(await contents.putWithin(tx, made.content)) }, null),
    save(ctx, upload, tx) {
      // The audit trail knows who handed it in.
      const keep = (db: Db, stored: Stored) => insert(db, { ...upload, ...stored }, ctx.actor?.user_id ?? null)
      const within = tx ?? (ctx.inUnit ? ctx.db : undefined)
      return within
        ? contents.putWithin(within, upload.content).then((stored) => keep(within, stored))
        : contents.storing(ctx, async (put) => {
            const stored = await put(upload.content)
            return ctx.write((own) => keep(own, stored))
          })
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
        (reader !== undefined && file.created_by === reader && ctx.actor?.impersonator_id === null)
      if (!may) throw refuse(404, 'not_found')
      return content(file)
    },
    read: async (id) => content(await find(id)),
  }
}
