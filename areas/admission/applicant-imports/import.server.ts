/** Handing in a sheet of a ministry, naming its columns, and beginning the work of checking and saving. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { checkApplicantsJob, countOutcomes } from './check.server.ts'
import { fileOf, isUtf8, sheetHead } from './files/read.server.ts'
import { applicantImportCalls as calls } from './import.contract.ts'
import { divide, requireOpen, saveApplicantsJob } from './save.server.ts'
import { importRows, lastImports, mistakesSheet, requireMine, showImport } from './show.server.ts'
import { checkSheetColumns, type ColumnField, type SheetColumns } from './sheet.rules.ts'

const upload = handle(calls.upload, async (ctx, { body: { admission_id }, file }) => {
  if (!file) throw refuse(422, 'file_missing', undefined, 'file')
  const { size, ...of } = fileOf(file)
  const { headings, first } = await sheetHead(ctx, of)
  return ctx.write(async (tx) => {
    await requireOpen(tx, admission_id)
    await requireReached(ctx, tx, admission_id)
    const { rows } = await sql<{
      id: number
    }>`insert into applicant_imports (admission_id, file_name, file_hash, file_size, format, encoding,
        headings, first, created_by)
      values (${admission_id}, ${file.name.slice(-255)}, ${of.hash}, ${size}, ${of.format}, ${of.encoding}, ${JSON.stringify(headings)}::jsonb,
        ${JSON.stringify(first)}::jsonb, ${ctx.actor?.user_id ?? null}) returning id`.execute(tx)
    return { data: await showImport(ctx, tx, firstRow(rows).id) }
  })
})

/** Whoever imports for a part of the university has a program of the admission there. @throws {Refusal} 404 */
async function requireReached(ctx: Ctx, tx: Tx, admission_id: number): Promise<void> {
  const { rows } = await sql`select from admission_programs x join programs p on p.id = x.program_id
    where x.admission_id = ${admission_id} and x.removed_at is null and ${scopeCondition(ctx, 'import_applicant', {
      faculty: sql`p.faculty_id`,
      department: sql`p.department_id`,
      bylaw: sql`p.bylaw_id`,
      program: sql`p.id`,
    })} limit 1`.execute(tx)
  if (!rows.length && !reachesAll(ctx, 'import_applicant')) throw refuse(404, 'not_found', {}, 'admission_id')
}

/** The import, held, while nothing works on it. @throws {Refusal} 404, 409 */
async function hold(ctx: Ctx, tx: Tx, id: number) {
  // Held first: what the one before has begun is read by a statement of its own.
  await sql`select from applicant_imports where id = ${id} for no key update`.execute(tx)
  const found = await requireMine(ctx, tx, id)
  if (found.under_way)
    throw refuse(409, found.stage === 'saving' ? 'applicant_import_saving' : 'applicant_import_checking')
  if (found.stage === 'saved') throw refuse(409, 'applicant_import_saved')
  const { rows } = await sql<{
    admission_id: number
    type: number
    hash: string
    format: 'csv' | 'xlsx'
    headings: string[]
  }>`select i.admission_id, d.applicant_type as type, i.file_hash as hash, i.format, i.headings
    from applicant_imports i join admissions d on d.id = i.admission_id where i.id = ${id}`.execute(tx)
  return { ...found, ...firstRow(rows) }
}

const encoding = handle(calls.encoding, async (ctx, { params: { id }, body }) =>
  ctx.write(async (tx) => {
    const of = await hold(ctx, tx, id)
    if (of.format === 'xlsx') throw refuse(409, 'applicant_file_no_encoding')
    if (body.encoding !== 'utf-8' && (await isUtf8(ctx, of.hash)))
      throw refuse(422, 'applicant_file_is_utf8', {}, 'encoding')
    const { headings, first } = await sheetHead(ctx, { ...of, encoding: body.encoding })
    await sql`update applicant_imports set encoding = ${body.encoding}, headings = ${JSON.stringify(headings)}::jsonb,
      first = ${JSON.stringify(first)}::jsonb, stage = 'read', columns = null, counts = '{}', token = null where id = ${id}`.execute(
      tx,
    )
    await sql`delete from applicant_import_rows where import_id = ${id}`.execute(tx)
    await sql`delete from applicant_import_portions where import_id = ${id}`.execute(tx)
    return { data: await showImport(ctx, tx, id) }
  }),
)

/** Keeps columns by their headings under a name; one of this name is replaced. */
async function keepMapping(
  ctx: Ctx,
  tx: Tx,
  name: string,
  type: number,
  columns: SheetColumns,
  headings: readonly string[],
) {
  const byHeading = Object.fromEntries(
    Object.entries(columns as Readonly<Record<string, number>>).map(([field, at]) => [field, headings[at] ?? '']),
  )
  await sql`insert into applicant_mappings (name, applicant_type, columns, created_by)
    values (${name}, ${type}, ${JSON.stringify(byHeading)}::jsonb, ${ctx.actor?.user_id ?? null})
    on conflict (applicant_type, fold_text(name)) where removed_at is null do update set columns = excluded.columns, name = excluded.name
    where (applicant_mappings.columns, applicant_mappings.name) is distinct from (excluded.columns, excluded.name)`.execute(
    tx,
  )
}

const check = handle(calls.check, (ctx, { params: { id }, body: { columns: said, mapping_id, keep_as } }) =>
  ctx.write(async (tx) => {
    const of = await hold(ctx, tx, id)
    await requireOpen(tx, of.admission_id)
    const columns = said as Partial<Record<ColumnField, number>>
    const reasons = checkSheetColumns(columns, of.headings)
    const subjects = Object.keys(columns).flatMap((field) =>
      field.startsWith('subject_') ? [Number(field.slice(8))] : [],
    )
    const { rows: known } = await sql<{
      id: number
    }>`select id from certificate_subjects where id = any(${subjects}::int[]) and removed_at is null`.execute(tx)
    for (const subject of subjects)
      if (!known.some((one) => one.id === subject)) reasons.push({ field: `subject_${subject}`, code: 'not_found' })
    if (reasons.length) throw new Refusal(422, reasons)
    if (mapping_id != null) {
      const { rows } =
        await sql`select from applicant_mappings where id = ${mapping_id} and removed_at is null and applicant_type = ${of.type} for share`.execute(
          tx,
        )
      if (!rows.length) throw refuse(409, 'applicant_mapping_gone')
    }
    if (keep_as != null) await keepMapping(ctx, tx, keep_as, of.type, columns, of.headings)
    const token = randomUUID()
    const job_id = await ctx.services.jobs.send(
      tx,
      checkApplicantsJob,
      { id, token },
      { actor: ctx.actor, lang: ctx.lang },
    )
    await sql`update applicant_imports set columns = ${JSON.stringify(columns)}::jsonb, stage = 'read', counts = '{}', token = ${token}, job_id = ${job_id}
      where id = ${id}`.execute(tx)
    return { job_id }
  }),
)

const save = handle(calls.save, (ctx, { params: { id }, body }) =>
  ctx.write(async (tx) => {
    const of = await hold(ctx, tx, id)
    if (of.stage !== 'checked') throw refuse(409, 'applicant_import_unchecked')
    await requireOpen(tx, of.admission_id)
    const counts = await countOutcomes(tx, id)
    if (counts.new !== body.new || counts.changed !== body.changed)
      throw refuse(409, 'applicant_import_differs', { new: counts.new, changed: counts.changed })
    await divide(tx, id)
    const token = randomUUID()
    const rows = counts.new + counts.changed
    const job_id = await ctx.services.jobs.send(
      tx,
      saveApplicantsJob,
      { id, token, rows },
      { actor: ctx.actor, lang: ctx.lang },
    )
    await sql`update applicant_imports set stage = 'saving', token = ${token}, job_id = ${job_id} where id = ${id}`.execute(
      tx,
    )
    return { job_id }
  }),
)

const discard = handle(calls.discard, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    await hold(ctx, tx, id)
    const { rows } = await sql`select from applicant_import_portions where import_id = ${id} and done limit 1`.execute(
      tx,
    )
    if (rows.length) throw refuse(409, 'applicant_import_partly')
    await sql`delete from applicant_imports where id = ${id}`.execute(tx)
    return { data: null }
  }),
)

const forget = handle(calls.forget, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    // Names are of the whole university: whoever sees a part of it forgets only what that person has kept.
    const mine = reachesAll(ctx, 'import_applicant') ? sql`true` : sql`created_by = ${ctx.actor?.user_id ?? null}`
    const { rows } =
      await sql`update applicant_mappings set removed_at = now() where id = ${id} and removed_at is null and ${mine} returning id`.execute(
        tx,
      )
    if (!rows.length) throw refuse(409, 'applicant_mapping_gone')
    return { data: null }
  }),
)

/** Rows hold what ministries say of people: they are kept only while somebody looks at them. */
export const sweepApplicantImports = defineJob({
  name: 'applicant-imports-sweep',
  cron: '35 1 * * *',
  async run(ctx) {
    await ctx.write(async (tx) => {
      await sql`delete from applicant_import_rows r using applicant_imports i where i.id = r.import_id
        and (i.updated_at < now() - interval '30 days' or (i.stage = 'saved' and r.outcome in ('new', 'changed', 'same')
          and i.saved_at < now() - interval '7 days'))`.execute(tx)
      await sql`update applicant_imports i set first = '[]' where first <> '[]' and updated_at < now() - interval '30 days'`.execute(
        tx,
      )
    })
  },
})

export const applicantImportHandlers: readonly Handled[] = [
  upload,
  handle(calls.list, async (ctx) => ({ data: await lastImports(ctx) })),
  handle(calls.show, async (ctx, { params: { id } }) => ({ data: await showImport(ctx, ctx.db, id) })),
  encoding,
  check,
  handle(calls.rows, (ctx, { params: { id }, body }) => importRows(ctx, id, body)),
  handle(calls.mistakes, (ctx, { params: { id } }) => mistakesSheet(ctx, id)),
  save,
  discard,
  forget,
]
