/** Documents of applications: at once, or in parts that go on after a break. Whoever has the key sends them, while the application can be written in. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { firstRow } from '#db/rows.ts'
import type { Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled, type Upload } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { uploadsInParts, type WaitingUpload } from '#kit/server/files/parts.ts'
import { addressLimit, attempt, networkOf } from '#kit/server/identity/attempts.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { FileError, checkFile } from '#kit/server/storage/index.ts'
import { DOCUMENT_KINDS, DOCUMENT_PART_BYTES, MOST_DOCUMENT_BYTES, applyCalls as calls } from './apply.contract.ts'
import { openWithKey, refuseClosed, withKey } from './key.server.ts'
import { documentsAsked, openApplication, showApplication } from './read.server.ts'

/** Files of one application in an hour: a form has few documents, and each can be sent again. */
const MOST_UPLOADS = 60
/** Parts of one application in an hour; those of an address are of a lecture hall. */
const MOST_PARTS = 2000
const MOST_PARTS_OF_ADDRESS = 20_000

const uploads = uploadsInParts<WaitingUpload>({
  table: 'application_uploads',
  parts: 'application_upload_parts',
  columns: 'id, name, size::float8 as size, received::float8 as received',
  part: DOCUMENT_PART_BYTES,
  codes: {
    order: 'application_part_order',
    size: 'application_part_size',
    over: 'application_upload_over',
    open: 'application_upload_open',
  },
})
const toldUpload = ({ id, size, received }: WaitingUpload) => ({ id, size, received, part: DOCUMENT_PART_BYTES })

/** Whose it is: nobody goes on with the upload of another application, or as another document. */
const ownedBy = (applicant_id: number, kind: number) =>
  sql`applicant_id = ${applicant_id} and document_kind_id = ${kind} and touched_at > now() - interval '1 day'`

const countFile = (ctx: Ctx, id: number) =>
  attempt(ctx.pool, [
    { key: `application files ${id}`, free: MOST_UPLOADS, longest: 3600 },
    addressLimit('application files', ctx.ip),
  ])
const countPart = (ctx: Ctx, id: number) =>
  attempt(ctx.pool, [
    { key: `application parts ${id}`, free: MOST_PARTS, longest: 3600 },
    { key: `application parts address ${networkOf(ctx.ip)}`, free: MOST_PARTS_OF_ADDRESS, longest: 60 },
  ])

/** @throws {Refusal} 422 where the admission does not ask for such a document */
async function refuseNotAsked(tx: Tx, id: number, wanted: number): Promise<void> {
  const asked = await documentsAsked(tx, id)
  if (!asked.some(({ kind }) => kind.id === wanted)) throw refuse(422, 'application_document_not_asked', {}, 'kind')
}
async function keepDocument(program: Ctx, tx: Tx, id: number, kind: number, file: Upload): Promise<void> {
  const kept = await program.services.files.save(program, file, tx)
  await sql`insert into applicant_documents (applicant_id, document_kind_id, file_id) values (${id}, ${kind}, ${kept.id})
    on conflict (applicant_id, document_kind_id) do update set file_id = excluded.file_id, created_at = now()`.execute(
    tx,
  )
}

const upload = handle(calls.upload, async (ctx, { params, file }) => {
  if (!file) throw refuse(422, 'file_missing', {}, 'file')
  await countFile(ctx, params.id)
  return withKey(ctx, params, async (opened, program, tx) => {
    refuseClosed(opened)
    await refuseNotAsked(tx, opened.id, params.kind)
    await keepDocument(program, tx, opened.id, params.kind, file)
    return { data: await showApplication(program, tx, opened) }
  })
})

const removeDocument = handle(calls.removeDocument, (ctx, { params }) =>
  withKey(ctx, params, async (opened, program, tx) => {
    refuseClosed(opened)
    await sql`delete from applicant_documents where applicant_id = ${opened.id} and document_kind_id = ${params.kind}`.execute(
      tx,
    )
    return { data: await showApplication(program, tx, opened) }
  }),
)

interface Who {
  readonly id: number
  readonly key: string
  readonly kind: number
}
const needed = <T>(value: T | undefined, field: string): T => {
  if (value === undefined) throw refuse(422, 'required', {}, field)
  return value
}

/** The same file again goes on where it stopped; another one takes the place of what was on its way. */
async function beginUpload(
  ctx: Ctx,
  who: Who,
  { name, size, digest }: { name: string; size: number; digest: string },
): Promise<WaitingUpload> {
  if (size < 1) throw refuse(422, 'too_small', { min: 1 }, 'size')
  await countFile(ctx, who.id)
  return withKey(ctx, who, async (opened, _program, tx) => {
    refuseClosed(opened)
    await refuseNotAsked(tx, opened.id, who.kind)
    const { rows } = await sql<WaitingUpload>`update application_uploads set touched_at = now()
      where ${ownedBy(opened.id, who.kind)} and done_at is null and digest = ${digest} and size = ${size}
      returning id, name, size::float8 as size, received::float8 as received`.execute(tx)
    if (rows[0]) return rows[0]
    await sql`update application_uploads set done_at = now()
      where applicant_id = ${opened.id} and document_kind_id = ${who.kind} and done_at is null`.execute(tx)
    const { rows: begun } =
      await sql<WaitingUpload>`insert into application_uploads (applicant_id, document_kind_id, name, size, digest)
      values (${opened.id}, ${who.kind}, ${name}, ${size}, ${digest})
      returning id, name, size::float8 as size, received::float8 as received`.execute(tx)
    return firstRow(begun)
  })
}

async function addPart(ctx: Ctx, who: Who, key: string, offset: number, file: Upload): Promise<WaitingUpload> {
  await countPart(ctx, who.id)
  const { opened, program } = await openWithKey(ctx, who)
  refuseClosed(opened)
  // The application may be sent in, or its key end, while the part is stored.
  const still = async (tx: Tx) => refuseClosed(await openApplication(tx, who.id, who.key, true))
  return uploads.add(program, { key, owner: ownedBy(opened.id, who.kind), offset, still }, file)
}

/** What came, as one file, looked into as any other. @throws {Refusal} 422 when it is not what was sent, or not a document */
async function fileOf(ctx: Ctx, waiting: WaitingUpload): Promise<Upload> {
  const content = await uploads.withWhole(ctx, waiting, async (stream) => Buffer.concat(await Array.fromAsync(stream)))
  const { rows } = await sql<{
    digest: string
  }>`select digest from application_uploads where id = ${waiting.id}::uuid`.execute(ctx.db)
  if (createHash('sha256').update(content).digest('hex') !== firstRow(rows).digest)
    throw refuse(422, 'application_upload_wrong', {}, 'file')
  const kind = await checkFile(content, waiting.name, DOCUMENT_KINDS, { maxBytes: MOST_DOCUMENT_BYTES })
  return { name: waiting.name, content, ...kind }
}

async function finishUpload(ctx: Ctx, who: Who, key: string) {
  const { opened, program } = await openWithKey(ctx, who)
  refuseClosed(opened)
  const owner = ownedBy(opened.id, who.kind)
  const waiting = await uploads.find(ctx.db, key, owner)
  // What cannot be removed now is removed within the hour.
  const cleared = () => uploads.clear(program, key).catch(() => {})
  let file: Upload
  try {
    file = await fileOf(program, waiting)
  } catch (error) {
    // It would be refused again: whoever sends it anew begins anew.
    if (error instanceof FileError || (error instanceof Refusal && error.status === 422)) {
      await uploads.end(program, key, owner).catch(() => {})
      await cleared()
    }
    throw error
  }
  const application = await withKey(ctx, who, async (now, acting, tx) => {
    refuseClosed(now)
    await refuseNotAsked(tx, now.id, who.kind)
    await uploads.end(acting, key, owner)
    await keepDocument(acting, tx, now.id, who.kind, file)
    return showApplication(acting, tx, now)
  })
  await cleared()
  return application
}

const uploadParts = handle(calls.uploadParts, async (ctx, { params, body, file }) => {
  if (params.step === 'begin') {
    const given = {
      name: needed(body.name, 'name'),
      size: needed(body.size, 'size'),
      digest: needed(body.digest, 'digest'),
    }
    return { data: { upload: toldUpload(await beginUpload(ctx, params, given)), application: null } }
  }
  const key = needed(body.upload, 'upload')
  if (params.step === 'finish') return { data: { upload: null, application: await finishUpload(ctx, params, key) } }
  if (!file) throw refuse(422, 'file_missing', {}, 'file')
  const added = await addPart(ctx, params, key, needed(body.offset, 'offset'), file)
  return { data: { upload: toldUpload(added), application: null } }
})

/** Uploads that are over, or that nobody went on with for a day, leave nothing behind. */
export const sweepApplicationUploads = defineJob({
  name: 'application_uploads',
  cron: '17 * * * *',
  retries: 3,
  async run(ctx) {
    const { rows } = await sql<{ id: string }>`select id from application_uploads
      where done_at < now() - interval '1 hour' or touched_at < now() - interval '1 day' limit 1000`.execute(ctx.db)
    for (const { id } of rows) await uploads.clear(ctx, id)
  },
})

export const applicationUploadHandlers: readonly Handled[] = [upload, uploadParts, removeDocument]
