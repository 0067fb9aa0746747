import { randomBytes } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { firstRow } from '#db/rows.ts'
import type { Tx } from '#db/connect.ts'
import { reasonsOfPart, type PartCodes } from '#kit/contract/parts.ts'
import type { Ctx, Upload } from '../base/context.ts'
import { Refusal, refuse } from '../base/errors.ts'
import { FileError } from '../storage/index.ts'
import type { Storage, Stored } from '../storage/index.ts'
import type { PutContent } from './files.ts'

/**
 * Uploads in parts. Each part is a content of its own in the store until the file is whole, so any process takes the
 * next one, and a break costs one part at most. Random bytes before each keep it from being the content of anything else.
 */
const SALT_BYTES = 16

/** An upload that is not over, in bytes. */
export interface WaitingUpload {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly received: number
}

export interface UploadsInParts {
  /**
   * Its table: `id uuid`, `name`, `size`, `received`, `touched_at`, `done_at`, and what the area keeps besides. Its parts
   * are in another one: `upload_id`, `position`, `size`, `hash`, with the trigger `forget_content`; `content_named` names it.
   */
  readonly table: string
  readonly parts: string
  /** Columns of a waiting upload. */
  readonly columns: string
  /** Bytes of a part at most. */
  readonly part: number
  /** What is said: it is over, something is missing (`received`, `size`), a part does not fit. */
  readonly codes: PartCodes & { readonly over: string; readonly open: string }
}

async function* salted(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield randomBytes(SALT_BYTES)
  yield content
}

/** The parts one after the other, as one stream. */
async function* joined(storage: Storage, parts: readonly { hash: string }[]): AsyncGenerator<Uint8Array> {
  for (const { hash } of parts) {
    let salt = SALT_BYTES
    for await (const chunk of (await storage.get(hash)) as AsyncIterable<Uint8Array>) {
      const rest = chunk.subarray(Math.min(salt, chunk.byteLength))
      salt -= chunk.byteLength - rest.byteLength
      if (rest.byteLength) yield rest
    }
  }
}

/** How an area takes uploads in parts. `owner` is always the condition of who may go on with one: `user_id = …`. */
export function uploadsInParts<Row extends WaitingUpload>({ table, parts, columns, part, codes }: UploadsInParts) {
  const COLUMNS = sql.raw(columns)
  const TABLE = sql.raw(table)
  const PARTS = sql.raw(parts)
  const over = (): Refusal => refuse(409, codes.over)

  /** An upload that is not over. @throws {Refusal} 409 */
  const find = async (db: Pick<Ctx, 'db'>['db'] | Tx, key: string, owner: RawBuilder<unknown>): Promise<Row> => {
    const { rows } = await sql<Row>`select ${COLUMNS} from ${TABLE}
      where id = ${key}::uuid and ${owner} and done_at is null`.execute(db)
    if (!rows[0]) throw over()
    return rows[0]
  }

  const partsOf = async (ctx: Pick<Ctx, 'db'>, key: string): Promise<{ hash: string }[]> =>
    (
      await sql<{ hash: string }>`select hash from ${PARTS} where upload_id = ${key}::uuid order by position`.execute(
        ctx.db,
      )
    ).rows

  /** Everything of an upload as one stream. @throws {Refusal} 409 while something is missing */
  const whole = async (ctx: Ctx, upload: Row): Promise<AsyncGenerator<Uint8Array>> => {
    if (upload.received < upload.size) throw refuse(409, codes.open, { received: upload.received, size: upload.size })
    return joined(ctx.services.storage, await partsOf(ctx, upload.id))
  }
  /** Work on the whole of an upload. A part that the store lost ends it: nothing can be made of the rest. */
  const withWhole = async <T>(
    ctx: Ctx,
    upload: Row,
    work: (content: AsyncGenerator<Uint8Array>) => Promise<T>,
  ): Promise<T> => {
    try {
      return await work(await whole(ctx, upload))
    } catch (error) {
      if (error instanceof FileError && error.code === 'file_not_found') throw over()
      throw error
    }
  }

  return {
    find,
    whole,
    withWhole,
    /**
     * Takes the part that follows what is here. Of two that come at once one is taken; the other hears where to go on.
     *
     * @param still is asked again in the transaction that takes it
     */
    async add(
      ctx: Ctx,
      {
        key,
        owner,
        offset,
        still,
      }: {
        key: string
        owner: RawBuilder<unknown>
        offset: number
        still?: (tx: Tx) => Promise<unknown>
      },
      { content }: Upload,
    ): Promise<Row> {
      const judge = (upload: Row): void => {
        const reasons = reasonsOfPart({ offset, bytes: content.byteLength }, upload, part, codes)
        if (reasons.length) throw new Refusal(409, reasons)
      }
      judge(await find(ctx.db, key, owner))
      return ctx.services.files.storing(ctx, async (put) => {
        const { hash } = await put(salted(content))
        return ctx.write(async (tx) => {
          await still?.(tx)
          const { rows } = await sql<Row>`select ${COLUMNS} from ${TABLE}
            where id = ${key}::uuid and ${owner} and done_at is null for update`.execute(tx)
          if (!rows[0]) throw over()
          judge(rows[0])
          await sql`insert into ${PARTS} (upload_id, position, size, hash)
            values (${key}::uuid, ${offset}, ${content.byteLength}, ${hash})`.execute(tx)
          const { rows: after } = await sql<Row>`update ${TABLE}
            set received = received + ${content.byteLength}, touched_at = now() where id = ${key}::uuid returning ${COLUMNS}`.execute(
            tx,
          )
          return firstRow(after)
        })
      })
    },
    /** Makes one content of the parts. */
    join: (ctx: Ctx, put: PutContent, upload: Row): Promise<Stored> => withWhole(ctx, upload, put),
    /** Ends an upload; its parts go once that is certain. To be called inside the unit of work that uses it. @throws {Refusal} when it is over */
    end: (ctx: Ctx, key: string, owner: RawBuilder<unknown>): Promise<void> =>
      ctx.write(async (tx) => {
        const { rows } = await sql`update ${TABLE} set done_at = now()
          where id = ${key}::uuid and ${owner} and done_at is null returning id`.execute(tx)
        if (!rows.length) throw over()
      }),
    /** Removes what an upload that is over left in the store. */
    async clear(ctx: Ctx, key: string): Promise<void> {
      const gone = await partsOf(ctx, key)
      await ctx.write((tx) => sql`delete from ${TABLE} where id = ${key}::uuid`.execute(tx))
      await ctx.services.files.sweep(gone.map(({ hash }) => hash))
    },
  }
}
