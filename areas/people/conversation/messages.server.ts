import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'

/** What somebody says, as calls take it. */
export interface SaidMessage {
  readonly body: string
  readonly file_ids: readonly number[]
  readonly key: string
}

/** A file as it is stored beside a message. */
export interface StoredFile {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly mime: string
}

/** SQL: the files of the message `m`, out of the table that joins them. */
export const filesOfMessage = (joining: 'ticket_files' | 'chat_files'): string =>
  `coalesce((select json_agg(json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'mime', f.mime) order by f.id)
    from ${joining} j join files f on f.id = j.file_id where j.message_id = m.id), '[]')`

/** Files with an address for this reader. */
export const linked = (ctx: Ctx, files: readonly StoredFile[]) =>
  files.map((file) => ({ ...file, url: ctx.services.files.link(file, ctx.actor!) }))

/**
 * Puts uploaded files beside a message: those of who writes it, each once and none too large.
 *
 * @throws {Refusal} 422 for files of others, files that are beside a message already, and those over the limit
 */
export async function attachFiles(
  ctx: Ctx,
  tx: Tx,
  joining: 'ticket_files' | 'chat_files',
  message_id: number,
  file_ids: readonly number[],
  largest: number,
): Promise<void> {
  const ids = [...new Set(file_ids)]
  if (!ids.length) return
  const { rows } = await sql<{ name: string; size: number }>`select f.name, f.size from files f
    where f.id = any(${ids}::int[]) and f.created_by = ${ctx.actor!.user_id}
      and not exists (select from ${sql.table(joining)} j where j.file_id = f.id)`.execute(tx)
  if (rows.length < ids.length) throw refuse(422, 'reference_missing', undefined, 'file_ids')
  const large = rows.find((file) => file.size > largest)
  if (large) throw refuse(422, 'message_file_too_large', { name: large.name, max: largest / 1_000_000 }, 'file_ids')
  await sql`insert into ${sql.table(joining)} (file_id, message_id) select unnest(${ids}::int[]), ${message_id}::int`.execute(
    tx,
  )
}
