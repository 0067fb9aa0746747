/** Course files: begun for a term, filled by who teaches, counted and listed. */
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { findEntry } from '#areas/office/archive/entries.server.ts'
import { inLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { EXPORT_LIMIT, tableFile } from '#kit/server/resource/transfer.ts'
import { rowsOf } from '#kit/server/resource/served.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { standingOf, checkedCourseFile } from './check.server.ts'
import { courseFile, courseFileCalls as calls, courseFileFlow, type CourseFileCounts } from './course-file.contract.ts'
import { checkDocument, OPEN_STATES } from './course-file.rules.ts'
import { courseFileResource as served, courseFiles } from './flow.server.ts'
import { courseFileReach, findCourseFile, holdToFill } from './reach.server.ts'

/** Those of a term that are missing are begun, and the others that nobody has handed in are due on the same day. */
const open = handle(calls.open, (ctx, { body: { term_id, faculty_id, due_on } }) =>
  ctx.write(async (tx) => {
    const { rows: terms } = await sql`select from terms where id = ${term_id} and removed_at is null for share`.execute(
      tx,
    )
    if (!terms.length) throw refuse(422, 'reference_missing', undefined, 'term_id')
    const among = sql`o.term_id = ${term_id} and o.removed_at is null and o.linked_offering_id is null
      and (${faculty_id ?? null}::int is null or o.faculty_id = ${faculty_id ?? null}::int)
      and ${scopeCondition(ctx, 'add_courseFile', offeringReach(ctx, 'o'))}`
    const { rows: added } = await sql<{ id: number }>`
      insert into course_files (offering_id, due_on) select o.id, ${due_on}::date from offerings o where ${among} order by o.id
      on conflict (offering_id) where removed_at is null do nothing returning id`.execute(tx)
    const { rows: changed } = await sql`
      update course_files t set due_on = ${due_on}::date, reminded_on = null, told_on = null from offerings o
      where o.id = t.offering_id and t.status = 'draft' and t.removed_at is null and t.due_on is distinct from ${due_on}::date and ${among}
      returning t.id`.execute(tx)
    for (const { id } of added) await courseFiles.begin(ctx, tx, id, 'draft')
    return { data: { added: added.length, changed: changed.length } }
  }),
)

const count = handle(calls.count, async (ctx, { query: { term_id } }) => {
  const of = (state: string) => sql.raw(`count(*) filter (where t.status = '${state}')::int as ${state}`)
  const { rows } = await sql<CourseFileCounts>`
    select ${refOrNull('f')} as faculty, ${sql.join(courseFileFlow.states.map(({ value }) => of(value)))},
      count(*) filter (where t.status = any(${[...OPEN_STATES]}) and t.due_on < university_today())::int as late
    from course_files t join offerings o on o.id = t.offering_id left join faculties f on f.id = o.faculty_id
    where t.removed_at is null and (${term_id ?? null}::int is null or o.term_id = ${term_id ?? null}::int)
      and ${scopeCondition(ctx, 'access_courseFile', courseFileReach(ctx))}
    group by f.id order by f.name, f.id`.execute(ctx.db)
  return { data: rows }
})

const sheet = handle(calls.sheet, async (ctx, { params: { lang }, query: { term_id } }) => {
  const rows = await rowsOf(
    ctx,
    served,
    { search: '', filters: term_id ? { term_id } : {}, sort: [], perPage: 25, page: 1 } as never,
    EXPORT_LIMIT + 1,
    undefined,
    'export_courseFile',
  )
  const named = (value: unknown) => {
    const of = value as { name: string; name_local: string; code?: string } | null
    return of ? (lang === 'ar' ? of.name_local : of.name) : ''
  }
  const state = (value: unknown) => courseFileFlow.states.find((one) => one.value === value)?.label
  const label = (name: keyof typeof courseFile.fields) => inLanguage(courseFile.fields[name].label, lang)
  return tableFile(
    ctx,
    {
      title: inLanguage(courseFile.many, lang),
      name: 'Coursefiles.xlsx',
      lang,
      columns: [
        { header: label('offering_id'), type: 'text', text: (row) => named(row.offering) },
        { header: label('term_id'), type: 'text', text: (row) => named(row.term) },
        { header: label('faculty_id'), type: 'text', text: (row) => named(row.faculty) },
        {
          header: label('instructors'),
          type: 'text',
          text: (row) => (row.instructors as unknown[]).map(named).join(lang === 'ar' ? '، ' : ', '),
        },
        { header: label('documents'), type: 'number', text: (row) => String(row.documents) },
        { header: label('comments'), type: 'number', text: (row) => String(row.comments) },
        { header: label('due_on'), type: 'date', text: (row) => String(row.due_on ?? '') },
        { header: label('status'), type: 'text', text: (row) => inLanguage(state(row.status) ?? ['', ''], lang) },
      ],
      rows,
    },
    'xlsx',
  )
})

interface Handed {
  readonly part_id: number
  readonly names_hidden: boolean
  readonly entry_id?: number
  readonly hash: string
}
/** Why a file is not taken, as the parts stand. @throws {Refusal} 422 with every reason */
async function judge(tx: Tx, id: number, of: Handed): Promise<void> {
  const parts = (await standingOf(tx, [id])).get(id)?.parts ?? []
  const { rows } = await sql<{
    twice: boolean
  }>`select exists (select from course_file_documents d join files f on f.id = d.file_id
    where d.course_file_id = ${id} and d.part_id = ${of.part_id} and d.removed_at is null and f.hash = ${of.hash}) as twice`.execute(
    tx,
  )
  const reasons = checkDocument(
    parts.find((one) => one.id === of.part_id),
    { names_hidden: of.names_hidden, twice: firstRow(rows).twice },
  )
  if (reasons.length) throw new Refusal(422, reasons)
}
async function keep(ctx: Ctx, tx: Tx, id: number, file_id: number, of: Handed) {
  const { rows } = await sql<{ id: number }>`
    insert into course_file_documents (course_file_id, part_id, file_id, entry_id, names_hidden, created_by)
    values (${id}, ${of.part_id}, ${file_id}, ${of.entry_id ?? null}::int, ${of.names_hidden}, ${ctx.actor?.user_id ?? null}::int)
    returning id`.execute(tx)
  await touch(tx, id)
  return { data: firstRow(rows) }
}
/** Who saw it before sees that it is another one now. */
const touch = (tx: Tx, id: number) => sql`update course_files set updated_at = now() where id = ${id}`.execute(tx)

const addDocument = handle(calls.addDocument, (ctx, { params: { id }, body, file }) =>
  ctx.write(async (tx) => {
    await holdToFill(ctx, tx, id)
    const kept = await ctx.services.files.save(ctx, file!, tx)
    const { rows } = await sql<{ hash: string }>`select hash from files where id = ${kept.id}`.execute(tx)
    const of = { part_id: body.part_id, names_hidden: body.names_hidden === 'true', ...firstRow(rows) }
    await judge(tx, id, of)
    return keep(ctx, tx, id, kept.id, of)
  }),
)
/** A file of the archive is taken as it is now: what becomes of it there changes nothing here, and is told. */
const takeFromArchive = handle(calls.takeFromArchive, (ctx, { params: { id }, body }) =>
  ctx.write(async (tx) => {
    await holdToFill(ctx, tx, id)
    const entry = await findEntry(ctx, tx, body.entry_id, { kind: 'file' })
    const { rows } = await sql<{
      id: number
      hash: string
    }>`select id, hash from files where id = ${entry.file_id}`.execute(tx)
    const file = firstRow(rows)
    const of = { ...body, names_hidden: body.names_hidden ?? false, hash: file.hash }
    await judge(tx, id, of)
    return keep(ctx, tx, id, file.id, of)
  }),
)
const removeDocument = handle(calls.removeDocument, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ of: number }>`select course_file_id as of from course_file_documents
      where id = ${id} and removed_at is null`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    await holdToFill(ctx, tx, rows[0].of)
    const { rows: gone } =
      await sql`update course_file_documents set removed_at = now(), removed_by = ${ctx.actor?.user_id ?? null}::int
      where id = ${id} and removed_at is null returning id`.execute(tx)
    if (!gone.length) throw refuse(404, 'not_found')
    await touch(tx, rows[0].of)
    return { data: { id } }
  }),
)

export const courseFileHandlers: readonly Handled[] = [
  ...served.handlers,
  ...courseFiles.handlers,
  open,
  count,
  sheet,
  handle(calls.check, async (ctx, { params: { id } }) => {
    await findCourseFile(ctx, ctx.db, id)
    return { data: await checkedCourseFile(ctx, id) }
  }),
  addDocument,
  takeFromArchive,
  removeDocument,
  handle(calls.undoFrom, async (ctx, { params: { id, quality }, body: { version } }) => {
    const { status } = await findCourseFile(ctx, ctx.db, id, [
      'access_courseFile',
      'fill_courseFile',
      'accept_courseFile',
      'approve_courseFile',
    ])
    // Somebody went on meanwhile: that step is not the one that is meant.
    if (status !== quality) throw refuse(409, 'course_file_went_on')
    const moved = await courseFiles.take(ctx, id, 'undo', { version })
    return { data: { id, version: moved.version, status: moved.to } }
  }),
]
