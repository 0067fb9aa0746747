import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { FileError } from '#kit/server/storage/index.ts'
import { entriesBelow, findEntries, findEntry } from '../entries.server.ts'
import { checkZipLink } from '../tree/list.server.ts'
import { contentCalls } from './content.contract.ts'
import { MAX_ZIP, itemsOf, zipStream } from './zip-out.server.ts'

/** A content of the store, or in words that it is gone. @throws {Refusal} 409 `archive_content_gone` */
export const contentOf = (ctx: Ctx, hash: string) =>
  ctx.services.storage.get(hash).catch((error: unknown) => {
    throw error instanceof FileError ? refuse(409, 'archive_content_gone') : error
  })

/** The ZIP of what lies in a folder, or of some of it, as far as the reader sees it. */
async function zipOf(
  ctx: Ctx,
  id: number,
  nothing: 'archive_nothing' | 'archive_nothing_to_export',
  ids?: readonly number[],
): Promise<FileResult> {
  const folder = await findEntry(ctx, ctx.db, id, { kind: 'folder' })
  if (ids)
    for (const entry of await findEntries(ctx, ctx.db, ids)) if (entry.parent_id !== id) throw refuse(404, 'not_found')
  const below = await entriesBelow(ctx, ctx.db, ids ?? [id])
  // The folder itself is the ZIP.
  const entries = ids ? below : below.slice(1).map((entry) => ({ ...entry, route: entry.route.slice(1) }))
  if (!entries.some(({ kind }) => kind !== 'folder')) throw refuse(409, nothing)
  const bytes = entries.reduce((sum, { size }) => sum + (size ?? 0), 0)
  if (bytes > MAX_ZIP) throw refuse(409, 'archive_zip_out_large', { max: MAX_ZIP / 1_000_000 })
  // A store that is away is told before anything is sent.
  await ctx.services.storage.ready().catch((error: unknown) => {
    if ((error as { full?: boolean }).full !== true) throw error
  })
  return {
    name: `${folder.name}.zip`,
    type: 'zip',
    content: zipStream(itemsOf(ctx.services.db, ctx.services.storage, entries)),
  }
}

/** What comes out of the archive. Everything is sent to be kept, nothing to be shown by the browser as a page of ours. */
export const contentHandlers = [
  handle(contentCalls.downloadArchive, async (ctx, { params: { id }, query: { version } }) => {
    const entry = await findEntry(ctx, ctx.db, id, { kind: 'file', removed: true })
    const { rows } = await sql<{ hash: string; ext: FileResult['type'] }>`select f.hash, f.ext
      from archive_versions v join files f on f.id = v.file_id
      where v.entry_id = ${id} and ${version === undefined ? sql`true` : sql`v.number = ${version}`}
      order by v.number desc limit 1`.execute(ctx.db)
    const found = rows[0]
    if (!found) throw refuse(404, 'not_found')
    return { name: entry.name, type: found.ext, content: await contentOf(ctx, found.hash) }
  }),
  handle(contentCalls.zipArchive, async (ctx, { params: { id }, query: { token } }) => {
    await checkZipLink(ctx, id, token)
    return zipOf(ctx, id, 'archive_nothing_to_export')
  }),
  handle(contentCalls.downloadFiles, (ctx, { params: { id }, body: { ids } }) =>
    zipOf(ctx, id, 'archive_nothing', ids),
  ),
]
