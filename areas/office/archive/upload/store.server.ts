import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { checkFile } from '#kit/server/storage/index.ts'
import type { Stored } from '#kit/server/storage/index.ts'
import {
  FILE_KINDS,
  MAX_FILE,
  freeName,
  keyOfName,
  nameOfKind,
  nameReasons,
  partsOfPath,
  tidyEntryName,
} from '../archive.rules.ts'
import { findEntry, lastPlace, takenNames } from '../entries.server.ts'
import type { ArchiveEntry } from '../entries.server.ts'

/** A content that stands in the store, looked into: what it is, and how it may be called. */
export interface ArchivedContent extends Stored {
  readonly name: string
  readonly ext: string
  readonly mime: string
}
/** Bytes at the beginning of a file by which its kind is told: documents of Office name theirs late. */
export const HEAD_BYTES = 1_000_000

/**
 * What a content is, by the content; the name must not say otherwise.
 * @param stored where it stands, or how it is put there when nothing speaks against it
 * @throws {Refusal} 422
 */
export async function lookInto(
  head: Uint8Array,
  name: string,
  stored: Stored | (() => Promise<Stored>),
): Promise<ArchivedContent> {
  const tidy = tidyEntryName(name)
  const reasons = nameReasons(tidy, 'file')
  if (reasons.length) throw new Refusal(422, reasons)
  const size = typeof stored === 'function' ? head.byteLength : stored.size
  const { ext, mime } = await checkFile(head, tidy, FILE_KINDS, { size, maxBytes: MAX_FILE })
  const named = nameOfKind(tidy, ext)
  if ('reason' in named) throw new Refusal(422, [named.reason])
  return { ...(typeof stored === 'function' ? await stored() : stored), name: named.name, ext, mime }
}

/** The first bytes of a stream. */
export async function firstBytesOf(stream: AsyncIterable<Uint8Array>, bytes = HEAD_BYTES): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length >= bytes) break
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}

/** Folders below a folder, made where they are missing; the innermost. The lock is taken. */
export async function folderAt(ctx: Ctx, tx: Tx, from: ArchiveEntry, path: string): Promise<ArchiveEntry> {
  const { parts, reasons } = partsOfPath(path)
  if (reasons.length) throw new Refusal(422, reasons)
  let folder = from
  for (const name of parts) {
    const { rows } = await sql<{ id: number; kind: string }>`select id, kind from archive_entries
      where parent_id = ${folder.id} and realm_id = ${folder.realm_id} and name_key = ${keyOfName(name)} and removed_at is null`.execute(
      tx,
    )
    const [found] = rows
    const id = found?.id ?? (await addEntry(ctx, tx, folder.id, { kind: 'folder', name })).id
    folder = await findEntry(ctx, tx, id, { edit: true, kind: 'folder' })
  }
  return folder
}

interface New {
  readonly kind: 'folder' | 'file'
  readonly name: string
  readonly file_id?: number
}
async function addEntry(
  ctx: Ctx,
  tx: Tx,
  parent: number,
  { kind, name, file_id }: New,
): Promise<{ id: number; version: number }> {
  const by = ctx.actor?.user_id ?? null
  const { rows } = await sql<{ id: number; version: number }>`
    insert into archive_entries (parent_id, kind, name, file_id, position, created_by, updated_by)
    values (${parent}, ${kind}, ${name}, ${file_id ?? null}, ${lastPlace(parent)}, ${by}, ${by})
    returning id, version`.execute(tx)
  return firstRow(rows)
}

/** Makes a file entry the holder of a content: its next version. */
export async function addVersion(ctx: Ctx, tx: Tx, id: number, file_id: number): Promise<number> {
  await sql`insert into archive_versions (entry_id, number, file_id, created_by)
    select ${id}, coalesce(max(number), 0) + 1, ${file_id}, ${ctx.actor?.user_id ?? null} from archive_versions where entry_id = ${id}`.execute(
    tx,
  )
  const { rows } = await sql<{ version: number }>`update archive_entries
    set file_id = ${file_id}, updated_by = ${ctx.actor?.user_id ?? null} where id = ${id} returning version`.execute(tx)
  return firstRow(rows).version
}

/** Puts a content into a folder. The lock is taken. @throws {Refusal} 422 where its name is taken and nothing else is wanted */
export async function addFile(
  ctx: Ctx,
  tx: Tx,
  folder: ArchiveEntry,
  content: ArchivedContent,
  taken: 'refuse' | 'version' | 'rename',
): Promise<{ id: number; name: string; version: number }> {
  const file = await ctx.services.files.note(tx, content)
  if (taken === 'version') {
    const { rows } = await sql<{ id: number; name: string }>`select id, name from archive_entries
      where parent_id = ${folder.id} and realm_id = ${folder.realm_id} and name_key = ${keyOfName(content.name)}
        and kind = 'file' and removed_at is null`.execute(tx)
    if (rows[0]) return { ...rows[0], version: await addVersion(ctx, tx, rows[0].id, file.id) }
  }
  const name = taken === 'rename' ? freeName(content.name, await takenNames(tx, folder)) : content.name
  const { id } = await addEntry(ctx, tx, folder.id, { kind: 'file', name, file_id: file.id })
  return { id, name, version: await addVersion(ctx, tx, id, file.id) }
}

/** The form of a new entry in answers. */
export const nothingSent = (): Refusal => refuse(422, 'file_missing', {}, 'file')
