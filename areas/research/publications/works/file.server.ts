/** The file of a work: which version it is, under which licence, and who may read it. */
import { firstRow } from '#db/rows.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { publicationCalls as calls } from './publication.contract.ts'
import { holdPublication } from './reach.server.ts'

const putFile = handle(calls.putFile, (ctx, { params: { id }, body, file }) =>
  ctx.write(async (tx) => {
    await holdPublication(ctx, tx, id)
    if (body.remove) {
      await sql`update publications set file_id = null, file_stage = null, licence = null, file_readers = null where id = ${id}`.execute(
        tx,
      )
      return { data: { id } }
    }
    const { rows } = await sql<{
      file_id: number | null
      file_stage: string | null
      licence: string | null
      file_readers: string | null
    }>`
      select file_id, file_stage, licence, file_readers from publications where id = ${id}`.execute(tx)
    const now = firstRow(rows)
    const file_id = file ? (await ctx.services.files.save(ctx, file, tx)).id : now.file_id
    if (file_id === null) throw refuse(422, 'publication_file_none', undefined, 'file')
    // Whoever uploads and says nothing more keeps it to the members: what is published is a decision.
    await sql`update publications set file_id = ${file_id}, file_stage = ${body.stage ?? now.file_stage ?? 'accepted'},
      licence = ${body.licence ?? now.licence ?? 'reserved'}, file_readers = ${body.readers ?? now.file_readers ?? 'members'}
      where id = ${id}`.execute(tx)
    return { data: { id } }
  }),
)
export const publicationFileHandlers: readonly Handled[] = [putFile]
