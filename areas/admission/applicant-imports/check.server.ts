/** Reads a whole file, judges its rows, and keeps them beside what saving them would do. */
import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob, type Progress } from '#kit/server/jobs/jobs.ts'
import { ministryRows, type SheetFile } from './files/read.server.ts'
import { OUTCOME_KEYS, type OutcomeCounts } from './import.contract.ts'
import { rowFacts, type ImportedAdmission } from './rows/facts.server.ts'
import { judgedRows, ROW_VALUES } from './rows/judge.server.ts'
import { readSheetRow } from './rows/row.rules.ts'
import type { SheetColumns } from './sheet.rules.ts'

/** Rows that are read and put into the database together. */
const TOGETHER = 2_000
/** Mistakes of a row that are kept. */
const MOST_ERRORS = 20
/** Characters of a cell that are kept. */
const KEPT_CELL = 500
/** Bytes of a row, to say how far the reading is. */
const READING = 70

export interface ImportRecord extends SheetFile {
  readonly id: number
  readonly size: number
  readonly columns: SheetColumns
  readonly headings: readonly string[]
  readonly admission: ImportedAdmission
}
/** The import of a job. @throws {Refusal} 409 where another job has taken its place, or it is over */
export async function importOf(tx: Tx, id: number, token: string, lock = sql``): Promise<ImportRecord> {
  const { rows } =
    await sql<ImportRecord>`select i.id, i.file_hash as hash, i.format, i.encoding, i.file_size::float8 as size, i.columns,
      i.headings, json_build_object('id', d.id, 'type', d.applicant_type, 'max_preferences', d.max_preferences) as admission
    from applicant_imports i join admissions d on d.id = i.admission_id
    where i.id = ${id} and i.token = ${token}::uuid and d.removed_at is null ${lock}`.execute(tx)
  if (!rows[0]) throw refuse(409, 'applicant_import_over')
  return rows[0]
}

/** Reads all rows and keeps them as they are. @returns how many */
async function stage(ctx: Ctx, tx: Tx, of: ImportRecord, progress: Progress): Promise<number> {
  const facts = await rowFacts(ctx, tx, of.admission, of.columns, of.headings.length)
  let batch: Record<string, unknown>[] = []
  let count = 0
  // The next rows are read while the database takes these.
  let writing: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    const rows = batch
    batch = []
    await writing
    await progress(Math.min(READING, (count * READING * 150) / (of.size + 1)))
    writing = insertRows(tx, 'applicant_import_rows', rows)
    writing.catch(() => {})
  }
  let head = true
  for await (const { row, cells, formulas } of ministryRows(ctx, of)) {
    if (head) {
      head = false
      continue
    }
    const read = readSheetRow(cells, facts, formulas)
    count++
    batch.push({
      import_id: of.id,
      row,
      outcome: read.errors.length ? 'wrong' : 'new',
      person: read.person,
      ministry_number: read.ministry_number?.slice(0, 40) ?? null,
      ministry_email: read.ministry_email,
      ...Object.fromEntries(ROW_VALUES.map((name) => [name, read.values[name] ?? null])),
      wishes: read.wishes,
      subjects: read.subjects,
      cells: cells
        .slice(0, of.headings.length)
        .map((cell) => (cell.length > KEPT_CELL ? cell.slice(0, KEPT_CELL) : cell)),
      errors: read.errors.length ? read.errors.slice(0, MOST_ERRORS) : null,
    })
    if (batch.length === TOGETHER) await flush()
  }
  await flush()
  await writing
  if (!count) throw refuse(422, 'sheet_empty', undefined, 'file')
  return count
}

/**
 * Judges all rows of a file. What there is of them is not known to the database before it is committed, so its plans are
 * those for many: a loop over what it takes for one row would last for hours.
 */
async function judgeAll(ctx: Ctx, tx: Tx, of: ImportRecord): Promise<void> {
  const all = sql`select * from applicant_import_rows where import_id = ${of.id}`
  await sql`set local enable_nestloop = off`.execute(tx)
  await sql`create temporary table judged on commit drop as select j.row, j.outcome, j.errors, j.applicant_id
    from (${judgedRows(ctx, all, of.admission, true)}) j where j.outcome <> j.seen or j.applicant_id is not null`.execute(
    tx,
  )
  await sql`analyze judged`.execute(tx)
  await sql`update applicant_import_rows o set outcome = j.outcome, errors = j.errors, applicant_id = j.applicant_id
    from judged j where o.import_id = ${of.id} and o.row = j.row`.execute(tx)
  await sql`set local enable_nestloop = on`.execute(tx)
}

/** Rows of an import by what saving them does. */
export async function countOutcomes(tx: Tx, id: number): Promise<OutcomeCounts> {
  const { rows } = await sql<{ outcome: keyof OutcomeCounts; n: number }>`select outcome, count(*)::int as n
    from applicant_import_rows where import_id = ${id} group by 1`.execute(tx)
  const counted = new Map(rows.map((row) => [row.outcome, row.n]))
  return Object.fromEntries(OUTCOME_KEYS.map((key) => [key, counted.get(key) ?? 0])) as unknown as OutcomeCounts
}

/** Checks a file again as a whole: what was found before is replaced, in one transaction. */
export const checkApplicantsJob = defineJob({
  name: 'applicant-import-check',
  retries: 2,
  run: (ctx, { id, token }: { id: number; token: string }, progress) =>
    ctx.write(
      async (tx) => {
        const of = await importOf(tx, id, token)
        await sql`delete from applicant_import_rows where import_id = ${id}`.execute(tx)
        await sql`delete from applicant_import_portions where import_id = ${id}`.execute(tx)
        const rows = await stage(ctx, tx, of, progress)
        await progress(READING + 5)
        // Nobody else checks it from here on; whose place was taken leaves nothing.
        await importOf(tx, id, token, sql`for no key update of i`)
        await judgeAll(ctx, tx, of)
        await progress(95)
        const counts = await countOutcomes(tx, id)
        await sql`update applicant_imports set stage = 'checked', token = null, counts = ${JSON.stringify(counts)}::jsonb
          where id = ${id}`.execute(tx)
        return { id, rows, counts }
      },
      { reason: `check of a sheet of applicants: ${id}` },
    ),
})
