import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { PutContent } from '#kit/server/files/files.ts'
import { countUpload } from '#kit/server/files/uploads.ts'
import { contentOf } from '../content/content.server.ts'
import { findEntry, lockArchive, targetFolder } from '../entries.server.ts'
import { ROOT } from '../entry.contract.ts'
import { importZipOf } from '../import/import.server.ts'
import { addPart, beginUpload, clearUpload, endUpload, joinParts, toldUpload, uploadOf } from './parts.server.ts'
import type { Waiting } from './parts.server.ts'
import { addFile, addVersion, folderAt, firstBytesOf, lookInto, nothingSent } from './store.server.ts'
import type { ArchivedContent } from './store.server.ts'
import { uploadCalls } from './upload.contract.ts'

/** The content of an upload in parts, whole and looked into. */
async function contentOfParts(ctx: Ctx, put: PutContent, upload: Waiting, name: string): Promise<ArchivedContent> {
  const stored = await joinParts(ctx, put, upload)
  return lookInto(await firstBytesOf(await contentOf(ctx, stored.hash)), name, stored)
}
/** What is left of an upload that is over goes; where that fails now, the hourly sweep does it. */
const cleared = (ctx: Ctx, key: string): Promise<void> => clearUpload(ctx, key).catch(() => {})
/** Gives an upload up whose content is refused: it would be refused again. */
async function orGiveUp<T>(ctx: Ctx, key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { status?: number }).status === 422) {
      await endUpload(ctx, key).catch(() => {})
      await cleared(ctx, key)
    }
    throw error
  }
}
const needed = <T>(value: T | undefined, field: string): T => {
  if (value === undefined) throw refuse(422, 'required', {}, field)
  return value
}

/** How files come in. */
export const uploadHandlers = [
  handle(uploadCalls.uploadArchive, async (ctx, { body: { parent_id, path, taken }, file }) => {
    if (!file) throw nothingSent()
    await findEntry(ctx, ctx.db, parent_id, { edit: true, kind: 'folder' })
    return ctx.services.files.storing(ctx, async (put) => {
      const content = await lookInto(file.content, file.name, () => put(file.content))
      return {
        data: await ctx.write(async (tx) =>
          addFile(ctx, tx, await folderAt(ctx, tx, await targetFolder(ctx, tx, parent_id), path), content, taken),
        ),
      }
    })
  }),

  handle(uploadCalls.uploadParts, async (ctx, { params: { suffix }, body, file }) => {
    const told = (upload: Waiting) => ({ data: { upload: toldUpload(upload), entry: null } })
    if (file && suffix !== 'part') throw refuse(422, 'archive_part_only', {}, 'file')
    if (suffix === 'begin') {
      // The file counts here; its parts count by their bytes.
      if (ctx.actor) await countUpload(ctx.services, ctx.actor, { headers: {} })
      const { parent_id = ROOT, path = '', name, size } = body
      return told(await beginUpload(ctx, { parent_id, path, name: needed(name, 'name'), size: needed(size, 'size') }))
    }
    const key = needed(body.key, 'key')
    if (suffix === 'state') return told(await uploadOf(ctx, key))
    if (suffix === 'part') {
      if (!file) throw nothingSent()
      return told(await addPart(ctx, key, needed(body.offset, 'offset'), file))
    }
    const upload = await uploadOf(ctx, key)
    if (suffix === 'cancel') {
      await endUpload(ctx, key)
      await cleared(ctx, key)
      return { data: { upload: null, entry: null } }
    }
    await findEntry(ctx, ctx.db, upload.parent_id, { edit: true, kind: 'folder' })
    const entry = await ctx.services.files.storing(ctx, async (put) => {
      const content = await orGiveUp(ctx, key, () => contentOfParts(ctx, put, upload, upload.name))
      return ctx.write(async (tx) => {
        const folder = await folderAt(ctx, tx, await targetFolder(ctx, tx, upload.parent_id), upload.path)
        await endUpload(ctx, key)
        return addFile(ctx, tx, folder, content, body.taken)
      })
    })
    await cleared(ctx, key)
    return { data: { upload: null, entry } }
  }),

  handle(uploadCalls.newVersion, async (ctx, { params: { id }, body: { number, key }, file }) => {
    const entry = await findEntry(ctx, ctx.db, id, { edit: true, kind: 'file' })
    const upload = key === undefined ? null : await uploadOf(ctx, key)
    if (!file && !upload && number === undefined) throw nothingSent()
    const version = await ctx.services.files.storing(ctx, async (put) => {
      const content = file
        ? await lookInto(file.content, entry.name, () => put(file.content))
        : upload && (await orGiveUp(ctx, upload.id, () => contentOfParts(ctx, put, upload, entry.name)))
      return ctx.write(async (tx) => {
        await lockArchive(tx)
        await findEntry(ctx, tx, id, { edit: true, kind: 'file' })
        if (upload) await endUpload(ctx, upload.id)
        if (content) return addVersion(ctx, tx, id, (await ctx.services.files.note(tx, content)).id)
        const { rows } = await sql<{ file_id: number }>`select file_id from archive_versions
          where entry_id = ${id} and number = ${number}`.execute(tx)
        if (!rows[0]) throw refuse(404, 'not_found')
        return addVersion(ctx, tx, id, rows[0].file_id)
      })
    })
    if (upload) await cleared(ctx, upload.id)
    return { data: { id, name: entry.name, version } }
  }),

  handle(uploadCalls.importZip, async (ctx, { body: { parent_id, key }, file }) => {
    await findEntry(ctx, ctx.db, parent_id, { edit: true, kind: 'folder' })
    const upload = key === undefined ? null : await uploadOf(ctx, key)
    if (!file && !upload) throw nothingSent()
    const work = () => importZipOf(ctx, parent_id, file ?? upload!)
    const data = upload ? await orGiveUp(ctx, upload.id, work) : await work()
    if (upload) await cleared(ctx, upload.id)
    return { data }
  }),
]
