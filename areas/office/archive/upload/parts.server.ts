import { firstRow } from '#db/rows.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, Upload } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { PutContent } from '#kit/server/files/files.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { registerSweep } from '#kit/server/jobs/retention.ts'
import { FileError } from '#kit/server/storage/index.ts'
import type { Storage, Stored } from '#kit/server/storage/index.ts'
import { PART_BYTES, nameReasons, partReasons, partsOfPath, tidyEntryName } from '../archive.rules.ts'
import { findEntry } from '../entries.server.ts'

/**
 * An upload in parts. Each part is a content of its own in the store until the file is whole, so any process takes the
 * next one, and a break costs one part at most. Random bytes before each keep it from being the content of anything else.
 */
const SALT_BYTES = 16

export interface Waiting {
  readonly id: string
  readonly parent_id: number
  readonly name: string
  readonly path: string
  readonly size: number
  readonly received: number
}
export const toldUpload = ({ id, name, size, received }: Waiting) => ({
  key: id,
  name,
  size,
  received,
  part: PART_BYTES,
})

const COLUMNS = sql.raw('id, parent_id, name, path, size::float8 as size, received::float8 as received')

/** Where a file goes and how large it is, before the first part. */
export async function beginUpload(
  ctx: Ctx,
  given: { parent_id: number; path: string; name: string; size: number },
): Promise<Waiting> {
  const name = tidyEntryName(given.name)
  const reasons = [...nameReasons(name), ...partsOfPath(given.path).reasons]
  if (given.size < 1) reasons.push({ field: 'size', code: 'too_small', data: { min: 1 } })
  if (reasons.length) throw new Refusal(422, reasons)
  await findEntry(ctx, ctx.db, given.parent_id, { edit: true, kind: 'folder' })
  // Said before a file is sent for an hour.
  await ctx.services.storage.ready()
  return ctx.write(async (tx) => {
    const { rows } = await sql<Waiting>`insert into archive_uploads (user_id, parent_id, name, path, size)
      values (${ctx.actor?.user_id ?? null}, ${given.parent_id}, ${name}, ${given.path}, ${given.size}) returning ${COLUMNS}`.execute(
      tx,
    )
    return firstRow(rows)
  })
}

/** One's own upload that is not over. @throws {Refusal} 409 `archive_upload_over` */
export async function uploadOf(ctx: Ctx, key: string): Promise<Waiting> {
  const { rows } = await sql<Waiting>`select ${COLUMNS} from archive_uploads
    where id = ${key}::uuid and user_id = ${ctx.actor?.user_id ?? 0} and done_at is null`.execute(ctx.db)
  if (!rows[0]) throw refuse(409, 'archive_upload_over')
  return rows[0]
}

async function* salted(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield randomBytes(SALT_BYTES)
  yield content
}

/** Takes the part that follows what is here. Of two that come at once one is taken; the other hears where to go on. */
export async function addPart(ctx: Ctx, key: string, offset: number, { content }: Upload): Promise<Waiting> {
  const before = await uploadOf(ctx, key)
  const judge = (upload: Waiting): void => {
    const reasons = partReasons({ offset, bytes: content.byteLength }, upload)
    if (reasons.length) throw new Refusal(409, reasons)
  }
  judge(before)
  return ctx.services.files.storing(ctx, async (put) => {
    const { hash } = await put(salted(content))
    return ctx.write(async (tx) => {
      const { rows } = await sql<Waiting>`select ${COLUMNS} from archive_uploads
        where id = ${key}::uuid and done_at is null for update`.execute(tx)
      if (!rows[0]) throw refuse(409, 'archive_upload_over')
      judge(rows[0])
      await sql`insert into archive_upload_parts (upload_id, position, size, hash)
        values (${key}::uuid, ${offset}, ${content.byteLength}, ${hash})`.execute(tx)
      const { rows: after } = await sql<Waiting>`update archive_uploads
        set received = received + ${content.byteLength}, touched_at = now() where id = ${key}::uuid returning ${COLUMNS}`.execute(
        tx,
      )
      return after[0]!
    })
  })
}

const partsOf = async (ctx: Pick<Ctx, 'db'>, key: string): Promise<{ hash: string }[]> =>
  (
    await sql<{
      hash: string
    }>`select hash from archive_upload_parts where upload_id = ${key}::uuid order by position`.execute(ctx.db)
  ).rows

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

/** Everything of an upload as one stream. @throws {Refusal} 409 `archive_upload_open` while something is missing */
export async function wholeUpload(ctx: Ctx, upload: Waiting): Promise<AsyncGenerator<Uint8Array>> {
  if (upload.received < upload.size)
    throw refuse(409, 'archive_upload_open', { received: upload.received, size: upload.size })
  return joined(ctx.services.storage, await partsOf(ctx, upload.id))
}

/** Makes one content of the parts. */
export async function joinParts(ctx: Ctx, put: PutContent, upload: Waiting): Promise<Stored> {
  const stream = await wholeUpload(ctx, upload)
  try {
    return await put(stream)
  } catch (error) {
    // A part that the store lost: nothing can be made of the rest.
    if (error instanceof FileError && error.code === 'file_not_found') throw refuse(409, 'archive_upload_over')
    throw error
  }
}

/** Ends an upload; its parts go once that is certain. To be called inside the unit of work that uses it. @throws {Refusal} when it is over */
export async function endUpload(ctx: Ctx, key: string): Promise<void> {
  await ctx.write(async (tx) => {
    const { rows } = await sql`update archive_uploads set done_at = now()
      where id = ${key}::uuid and user_id = ${ctx.actor?.user_id ?? 0} and done_at is null returning id`.execute(tx)
    if (!rows.length) throw refuse(409, 'archive_upload_over')
  })
}

/** Removes what an upload that is over left in the store. */
export async function clearUpload(ctx: Ctx, key: string): Promise<void> {
  const parts = await partsOf(ctx, key)
  await ctx.write((tx) => sql`delete from archive_uploads where id = ${key}::uuid`.execute(tx))
  await ctx.services.files.sweep(parts.map(({ hash }) => hash))
}

/** Uploads that are done, or that nobody went on with for a week, leave nothing behind. */
export const sweepUploads = defineJob({
  name: 'archive_uploads',
  cron: '41 * * * *',
  retries: 3,
  async run(ctx) {
    const { rows } = await sql<{ id: string }>`select id from archive_uploads
      where done_at < now() - interval '1 hour' limit 1000`.execute(ctx.db)
    for (const { id } of rows) await clearUpload(ctx, id)
  },
})

/** Those that nobody went on with are over after some days. */
registerSweep('uploads', {
  async due(ctx, days) {
    const { rows } = await sql<{
      count: number
      oldest: string | null
    }>`select count(*)::int as count, min(touched_at) as oldest
      from archive_uploads where touched_at < now() - make_interval(days => ${days}::int) and not is_held(user_id)`.execute(
      ctx.db,
    )
    return firstRow(rows)
  },
  async erase(ctx, days) {
    const { rows } = await sql<{ id: string }>`select id from archive_uploads
      where touched_at < now() - make_interval(days => ${days}::int) and not is_held(user_id) limit 1000`.execute(
      ctx.db,
    )
    for (const { id } of rows) await clearUpload(ctx, id)
    return rows.length
  },
})
