import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type { Ctx, Upload } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { uploadsInParts } from '#kit/server/files/parts.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { registerSweep } from '#kit/server/jobs/retention.ts'
import { PART_BYTES, PART_CODES, nameReasons, partsOfPath, tidyEntryName } from '../archive.rules.ts'
import { findEntry } from '../entries.server.ts'

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

const COLUMNS = 'id, parent_id, name, path, size::float8 as size, received::float8 as received'
const uploads = uploadsInParts<Waiting>({
  table: 'archive_uploads',
  parts: 'archive_upload_parts',
  columns: COLUMNS,
  part: PART_BYTES,
  codes: { ...PART_CODES, over: 'archive_upload_over', open: 'archive_upload_open' },
})
const ownedBy = (ctx: Ctx) => sql`user_id = ${ctx.actor?.user_id ?? 0}`

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
      values (${ctx.actor?.user_id ?? null}, ${given.parent_id}, ${name}, ${given.path}, ${given.size}) returning ${sql.raw(COLUMNS)}`.execute(
      tx,
    )
    return firstRow(rows)
  })
}

/** One's own upload that is not over. @throws {Refusal} 409 `archive_upload_over` */
export const uploadOf = (ctx: Ctx, key: string): Promise<Waiting> => uploads.find(ctx.db, key, ownedBy(ctx))

/** Takes the part that follows what is here. */
export const addPart = (ctx: Ctx, key: string, offset: number, file: Upload): Promise<Waiting> =>
  uploads.add(ctx, { key, owner: ownedBy(ctx), offset }, file)

/** Everything of an upload as one stream. @throws {Refusal} 409 `archive_upload_open` while something is missing */
export const wholeUpload = uploads.whole

/** Makes one content of the parts. */
export const joinParts = uploads.join

/** Ends an upload; its parts go once that is certain. To be called inside the unit of work that uses it. @throws {Refusal} when it is over */
export const endUpload = (ctx: Ctx, key: string): Promise<void> => uploads.end(ctx, key, ownedBy(ctx))

/** Removes what an upload that is over left in the store. */
export const clearUpload = uploads.clear

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
