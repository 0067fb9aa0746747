/** Files of references: read whole, every entry there or named with its line and why. Large ones in a job. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { handle, type Ctx, type Handled, type Upload } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { defineJob, type Progress } from '#kit/server/jobs/jobs.ts'
import { PoolError } from '#kit/server/workers/pool.ts'
import { sql } from 'kysely'
import { keepWorks, keptFor } from './keep.server.ts'
import { readReferences } from './read.server.ts'
import {
  LINES_ON_PAGE,
  referenceCalls as calls,
  type ReferenceImport,
  type ReferenceLine,
} from './references.contract.ts'
import { decodeText } from './decode.server.ts'
import { formatOf, type ReadEntry } from './work.rules.ts'

/** Entries that a call takes itself; more are a job's. */
const AT_ONCE = 200
/** Bytes of a file that a call reads itself. */
const READ_AT_ONCE = 300_000
/** Works kept in one go: between them the job tells how far it is. */
const BATCH = 1000

const COLUMNS = sql.raw('id, name, format, entries, added, known, wrong, created_at, finished_at')

type Lines = Omit<ReferenceLine, 'notes'> & { readonly notes: readonly Reason[] }
/** Keeps what was read, batch by batch in one transaction; gives the lines of the whole file. */
async function keepEntries(
  ctx: Ctx,
  tx: Tx,
  entries: readonly ReadEntry[],
  origin: ReferenceImport['format'],
  progress?: Progress,
): Promise<Lines[]> {
  const person = await keptFor(tx, ctx.actor!.user_id)
  const lines: Lines[] = []
  const seen = new Map<number, number>()
  for (let from = 0; from < entries.length; from += BATCH) {
    const batch = entries.slice(from, from + BATCH)
    const works = batch.flatMap((entry) => (entry.work ? [{ work: entry.work }] : []))
    const kept = await keepWorks(ctx, tx, works, { for: person, origin })
    let at = 0
    for (const entry of batch) {
      const { line, key, work, beside } = entry
      const told = { line, key: key.slice(0, 200) || '–', title: work ? (work.title ?? work.title_local) : null }
      if (!work) {
        lines.push({ ...told, outcome: beside ? 'read' : 'wrong', notes: entry.notes, publication_id: null })
        continue
      }
      const one = kept[at++]!
      const notes = [...entry.notes]
      const before = seen.get(one.id)
      if (before !== undefined) notes.push({ code: 'reference_repeats', data: { line: before } })
      else if (!one.added) notes.push({ code: 'reference_known' })
      if (!one.mine) notes.push({ code: 'reference_not_among_members' })
      if (before === undefined) seen.set(one.id, line)
      lines.push({ ...told, outcome: one.added ? 'added' : 'known', notes, publication_id: one.id })
    }
    await progress?.(5 + (90 * Math.min(entries.length, from + BATCH)) / entries.length)
  }
  return lines
}

async function storeLines(tx: Tx, id: number, lines: readonly Lines[]): Promise<ReferenceImport> {
  for (let from = 0; from < lines.length; from += 5000)
    await sql`insert into publication_import_lines (import_id, line, key, title, outcome, notes, publication_id)
      select ${id}, x.line, x.key, x.title, x.outcome, x.notes, x.publication_id
      from jsonb_to_recordset(${JSON.stringify(lines.slice(from, from + 5000))}::jsonb)
        x (line int, key text, title text, outcome text, notes jsonb, publication_id int)`.execute(tx)
  const { rows } = await sql<ReferenceImport>`
    update publication_imports i set finished_at = now(), entries = c.entries, added = c.added, known = c.known, wrong = c.wrong
    from (select count(*) filter (where outcome <> 'read')::int as entries, count(*) filter (where outcome = 'added')::int as added,
        count(*) filter (where outcome = 'known')::int as known, count(*) filter (where outcome = 'wrong')::int as wrong
      from publication_import_lines where import_id = ${id}) c
    where i.id = ${id} returning i.id, i.name, i.format, i.entries, i.added, i.known, i.wrong, i.created_at, i.finished_at`.execute(
    tx,
  )
  return firstRow(rows)
}

export const importReferencesJob = defineJob<{ id: number; file: number }, ReferenceImport>({
  name: 'publications-import',
  async run(ctx, { id, file }, progress) {
    const { content } = await ctx.services.files.read(file)
    const bytes = content instanceof Readable ? await buffer(content) : content
    const { format, entries } = await readReferences(bytes)
    await progress(5)
    return ctx.write(async (tx) => {
      // Begun again after its process died: what is finished stays as it is.
      const { rows } = await sql<ReferenceImport>`
        select ${COLUMNS} from publication_imports where id = ${id} for update`.execute(tx)
      const begun = firstRow(rows)
      if (begun.finished_at !== null) return begun
      return storeLines(tx, id, await keepEntries(ctx, tx, entries, format!, progress))
    })
  },
})

async function beginImport(ctx: Ctx, tx: Tx, file: Upload, format: ReferenceImport['format'], count: number) {
  const { rows } = await sql<ReferenceImport>`
    insert into publication_imports (name, format, entries, created_by)
    values (${file.name.slice(0, 200)}, ${format}, ${count}, ${ctx.actor!.user_id})
    returning id, name, format, entries, added, known, wrong, created_at, finished_at`.execute(tx)
  return firstRow(rows)
}
async function beginJob(ctx: Ctx, tx: Tx, file: Upload, format: ReferenceImport['format'], count: number) {
  const begun = await beginImport(ctx, tx, file, format, count)
  const kept = await ctx.services.files.save(ctx, file, tx)
  const job = await ctx.services.jobs.send(
    tx,
    importReferencesJob,
    { id: begun.id, file: kept.id },
    { actor: ctx.actor },
  )
  return { import: begun, job }
}

const importReferences = handle(calls.importReferences, async (ctx, { file }) => {
  const { content } = file!
  const format0 = formatOf(decodeText(content).text)
  if (format0 === null) throw refuse(422, 'reference_format_unknown', undefined, 'file')
  // A large one is not read while its sender waits.
  if (content.byteLength > READ_AT_ONCE)
    return ctx.write(async (tx) => ({ data: await beginJob(ctx, tx, file!, format0, 0) }))
  const read = await readReferences(content).catch((error: unknown) => {
    throw error instanceof PoolError ? refuse(422, 'reference_file_too_heavy', undefined, 'file') : error
  })
  const { entries } = read
  const format = format0
  if (entries.length === 0) throw refuse(422, 'reference_file_empty', undefined, 'file')
  const count = entries.filter((one) => !one.beside).length
  return ctx.write(async (tx) => {
    if (entries.length > AT_ONCE) return { data: await beginJob(ctx, tx, file!, format, count) }
    const begun = await beginImport(ctx, tx, file!, format, count)
    return { data: { import: await storeLines(tx, begun.id, await keepEntries(ctx, tx, entries, format)), job: null } }
  })
})

const imports = handle(calls.imports, async (ctx) => {
  const { rows } = await sql<ReferenceImport>`
    select ${COLUMNS} from publication_imports where created_by = ${ctx.actor!.user_id} order by id desc limit 50`.execute(
    ctx.db,
  )
  return { data: rows }
})

const importLines = handle(calls.importLines, async (ctx, { params: { id }, query: { outcome, page = 1 } }) => {
  const { rows } = await sql<ReferenceImport>`
    select ${COLUMNS} from publication_imports where id = ${id} and created_by = ${ctx.actor!.user_id}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const among =
    outcome === undefined ? sql`true` : outcome === 'noted' ? sql`l.notes <> '[]'` : sql`l.outcome = ${outcome}`
  const { rows: lines } = await sql<Lines & { count: number }>`
    select l.line, l.key, l.title, l.outcome, l.notes, l.publication_id, count(*) over ()::int as count
    from publication_import_lines l where l.import_id = ${id} and ${among} order by l.line, l.id
    limit ${LINES_ON_PAGE} offset ${(page - 1) * LINES_ON_PAGE}`.execute(ctx.db)
  return {
    data: {
      import: rows[0],
      count: lines[0]?.count ?? 0,
      lines: lines.map(({ count: _count, notes, ...line }) => ({ ...line, notes: notes.map((one) => toProblem(one)) })),
    },
  }
})

export const referenceImportHandlers: readonly Handled[] = [importReferences, imports, importLines]
