import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Ctx, Upload } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import type { PutContent } from '#kit/server/files/files.ts'
import { FileError } from '#kit/server/storage/index.ts'
import { FILE_KINDS, freeName, isJunk, tidyEntryName } from '../archive.rules.ts'
import { lastPlace, newIds, takenNames, targetFolder } from '../entries.server.ts'
import { endUpload, wholeUpload } from '../upload/parts.server.ts'
import type { Waiting } from '../upload/parts.server.ts'
import { firstBytesOf, lookInto } from '../upload/store.server.ts'
import type { ArchivedContent } from '../upload/store.server.ts'
import { entryBytes, readZipDirectory } from './zip-in.server.ts'
import type { PlacedEntry } from './zip-in.server.ts'
import { planZip } from './zip.rules.ts'
import type { ZipPlan } from './zip.rules.ts'

/** Reasons that are told; the rest of a wrong ZIP is not looked into. */
const MOST_REASONS = 50

/** Works with a ZIP as a file on the disk, which is gone afterwards: it is read from its end, and is never in memory. */
async function onDisk<T>(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const name = path.join(tmpdir(), `ems-zip-${randomUUID()}`)
  const file = await open(name, 'wx+', 0o600)
  try {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) await file.writeFile(chunk)
    return await work(file)
  } finally {
    await file.close()
    await unlink(name)
  }
}

/** The contents of a ZIP, in the store. All are looked into before the first is kept. */
async function storeContents(
  put: PutContent,
  file: FileHandle,
  { files }: ZipPlan<PlacedEntry>,
): Promise<ArchivedContent[]> {
  const reasons: Reason[] = []
  const known: ArchivedContent[] = []
  for (const { path: route, entry } of files) {
    try {
      known.push(
        await lookInto(await firstBytesOf(entryBytes(file, entry)), route.at(-1)!, { hash: '', size: entry.size }),
      )
    } catch (error) {
      reasons.push(...reasonsOf(error, route))
    }
    if (reasons.length >= MOST_REASONS) break
  }
  if (reasons.length) throw new Refusal(422, reasons)
  const out: ArchivedContent[] = []
  for (const [i, { entry }] of files.entries()) out.push({ ...known[i]!, ...(await put(entryBytes(file, entry))) })
  return out
}
/** A refusal of one file in the words of the ZIP. */
function reasonsOf(error: unknown, route: readonly string[]): Reason[] {
  const name = route.join('/')
  if (error instanceof FileError)
    return [{ field: 'file', code: 'archive_zip_content', data: { name, accepted: FILE_KINDS.join(', ') } }]
  if (error instanceof Refusal) return error.reasons.map((reason) => ({ ...reason, data: { ...reason.data, name } }))
  throw error
}

/** Unpacks a ZIP into a new folder: all of it or nothing. */
export const importZipOf = async (ctx: Ctx, parent: number, given: Upload | Waiting) =>
  onDisk('content' in given ? given.content : await wholeUpload(ctx, given), (file) =>
    ctx.services.files.storing(ctx, (put) => unpack(ctx, put, parent, given, file)),
  )

async function unpack(ctx: Ctx, put: PutContent, parent: number, given: Upload | Waiting, file: FileHandle) {
  const entries = await readZipDirectory(file)
  const { plan, reasons } = planZip(entries)
  if (reasons.length)
    throw new Refusal(422, reasons.slice(0, MOST_REASONS), { more: Math.max(0, reasons.length - MOST_REASONS) })
  const contents = await storeContents(put, file, plan)
  return ctx.write(async (tx) => {
    const around = await targetFolder(ctx, tx, parent)
    if (!('content' in given)) await endUpload(ctx, given.id)
    const title = tidyEntryName(given.name.replace(/\.zip$/i, '')) || 'ZIP'
    const name = freeName(title, await takenNames(tx, around))
    const by = ctx.actor?.user_id ?? null
    const ids = await newIds(tx, 1 + plan.folders.length + plan.files.length)
    const top = ids[0]!
    const { rows: last } = await sql<{ place: number }>`select ${lastPlace(parent)} as place`.execute(tx)
    const row = (
      id: number,
      parent_id: number,
      kind: string,
      called: string,
      position: number,
      file_id: number | null,
    ) => ({
      id,
      parent_id,
      kind,
      name: called,
      position,
      inherits: true,
      file_id,
      created_by: by,
      updated_by: by,
    })
    const at = new Map([['', top]])
    const folders = plan.folders.map((route, i) => {
      const id = ids[i + 1]!
      at.set(route.join('/'), id)
      return row(id, at.get(route.slice(0, -1).join('/'))!, 'folder', route.at(-1)!, i, null)
    })
    const noted = await insertRows<number>(
      tx,
      'files',
      contents.map(({ hash, name: called, ext, mime, size }) => ({
        hash,
        name: called,
        ext,
        mime,
        size,
        created_by: null,
      })),
      { returning: 'id' },
    )
    const files = plan.files.map(({ path: route }, i) =>
      row(
        ids[1 + plan.folders.length + i]!,
        at.get(route.slice(0, -1).join('/'))!,
        'file',
        contents[i]!.name,
        plan.folders.length + i,
        noted[i]!,
      ),
    )
    await insertRows(tx, 'archive_entries', [
      row(top, parent, 'folder', name, last[0]!.place, null),
      ...folders,
      ...files,
    ])
    await sql`insert into archive_versions (entry_id, number, file_id, created_by)
        select id, 1, file_id, ${by} from archive_entries where id = any(${files.map(({ id }) => id)}::int[])`.execute(
      tx,
    )
    return {
      id: top,
      name,
      files: files.length,
      folders: folders.length,
      left_out: entries.filter((entry) => isJunk(entry.name)).length,
    }
  })
}
