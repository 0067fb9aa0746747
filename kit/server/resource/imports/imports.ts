/** Import of a sheet: read, compared with what is there, mended in place, and saved as one operation. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import type { ImportLinesQuery, ImportMend } from '#kit/contract/index.ts'
import type { Ctx } from '../../base/context.ts'
import { refuse } from '../../base/errors.ts'
import { writeOperation } from '../../unit/operations.ts'
import type { Line, Preview, SheetError, SheetFacts, ShownLine } from './line.ts'
import { keyOf } from './sheet.ts'
import type { SheetLine } from './sheet.ts'

export type { Line, SheetError, SheetFacts, SheetLine }

/** How long a preview may wait to be saved. */
const PREVIEW_LIFE = '4 hours'
const MOST_ERRORS = 500
/**
 * What a sheet is imported into. Reading it, keeping its preview, mending and saving are the same for all; a resource is
 * one (`resourceImport`), a sheet that is handed in about one record (`kit/server/handing-in`) another.
 */
export interface ImportTarget<Written = void> {
  /** Under which name its previews are kept. */
  readonly name: string
  /** The operation that an import is, registered by `registerOperation`. */
  readonly kind: string
  /** The field by which a row is known again; null: every row is new. */
  readonly knownBy: string | null
  /** Facts of the operation beside the name of the file. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Says of each line that is not left out what it would do (`state`, `values`, `changes`), or what is wrong with it. */
  check(ctx: Ctx, tx: Tx, facts: SheetFacts, lines: readonly Line[]): Promise<void>
  /** What is wrong with the head of the sheet, given how many lines make a record. */
  headErrors(ctx: Ctx, facts: SheetFacts, creates: number): readonly SheetError[]
  /** The number of changed records, where they are so many that it has to be typed; null: it has not. */
  confirm(tx: Tx, changed: number): Promise<number | null>
  /** Writes lines that were checked. @throws {Refusal} with `rows.N…` as fields */
  write(ctx: Ctx, tx: Tx, lines: readonly Line[], facts: SheetFacts): Promise<Written>
}

/** Keeps a sheet that was read and says what saving it would do, and everything that is wrong with it. */
export async function previewImport(
  ctx: Ctx,
  target: ImportTarget<unknown>,
  { facts, lines: read }: { facts: SheetFacts; lines: readonly SheetLine[] },
): Promise<Preview> {
  return ctx.write(
    async (tx) => {
      const lines = read.map((line): Line => ({
        ...line,
        key: keyOf(target.knownBy, facts, line.cells),
        state: 'wrong',
        record_id: null,
        version: null,
        values: {},
        changes: [],
        meanwhile: [],
        taken: [],
        errors: [],
        notes: [],
      }))
      await target.check(ctx, tx, facts, lines)
      const { rows } = await sql<{ id: string }>`
        with old as (delete from import_previews where created_at < now() - ${PREVIEW_LIFE}::interval)
        insert into import_previews (resource, payload, created_by)
        values (${target.name}, ${JSON.stringify(facts)}::jsonb, ${ctx.actor?.user_id ?? null}) returning id`.execute(
        tx,
      )
      const { id: import_id } = rows[0] as { id: string }
      await insertRows(
        tx,
        'import_rows',
        lines.map((line) => ({ import_id, ...line })),
      )
      return summary(ctx, tx, target, import_id, facts, { state: 'notable', page: 1, perPage: 50 })
    },
    { reason: `preview of an import: ${target.name}` },
  )
}

/** A preview of one's own. @throws {Refusal} 409 when it is saved, too old, or somebody else's */
async function readFacts(
  ctx: Ctx,
  tx: Tx,
  target: ImportTarget<unknown>,
  import_id: string,
  lock = sql``,
): Promise<SheetFacts> {
  const { rows } = await sql<{ payload: SheetFacts }>`select payload from import_previews
    where id = ${import_id} and resource = ${target.name} and created_by is not distinct from ${ctx.actor?.user_id ?? null}
      and created_at > now() - ${PREVIEW_LIFE}::interval ${lock}`.execute(tx)
  const facts = rows[0]?.payload
  if (!facts) throw refuse(409, 'import_gone')
  return facts
}

/** Rows of a preview. */
export async function importLines(
  ctx: Ctx,
  target: ImportTarget<unknown>,
  import_id: string,
  query: ImportLinesQuery,
): Promise<Preview> {
  const db = ctx.db as unknown as Tx
  return summary(ctx, db, target, import_id, await readFacts(ctx, db, target, import_id), query)
}

/** Corrects rows of a preview and checks them again, with those that had or now have the same code. */
export async function mendImport(
  ctx: Ctx,
  target: ImportTarget<unknown>,
  import_id: string,
  mend: ImportMend,
): Promise<Preview> {
  return ctx.write(
    async (tx) => {
      const facts = await readFacts(ctx, tx, target, import_id, sql`for update`)
      const named = [...mend.cells, ...mend.out, ...mend.take].map((one) => one.row).concat(mend.check)
      const lines = new Map(
        (await readStored(tx, import_id, sql`row = any(${named}::int[])`)).map((line) => [line.row, line]),
      )
      const keys = new Set([...lines.values()].map((line) => line.key))
      const at = (row: number): Line => {
        const line = lines.get(row)
        if (!line) throw refuse(404, 'not_found')
        return line
      }
      for (const { row, field, text } of mend.cells) {
        const line = at(row)
        if (!facts.columns.some((column) => column.field === field && !column.fixed))
          throw refuse(422, 'unknown_field', { field }, 'cells')
        if (text.trim()) line.cells = { ...line.cells, [field]: { type: 'text', text: text.trim() } }
        else delete line.cells[field]
        line.key = keyOf(target.knownBy, facts, line.cells)
        keys.add(line.key)
      }
      for (const { row, out } of mend.out) at(row).state = out ? 'out' : 'wrong'
      for (const { row, field, take } of mend.take) {
        const line = at(row)
        line.taken = [...line.taken.filter((name) => name !== field), ...(take ? [field] : [])]
      }
      const others = await readStored(
        tx,
        import_id,
        sql`key = any(${[...keys].filter((key) => key !== null)}) and row <> all(${named}::int[])`,
      )
      const checked = [...lines.values(), ...others]
      await target.check(ctx, tx, facts, checked)
      await sql`update import_rows r set cells = n.cells, key = n.key, state = n.state, record_id = n.record_id, version = n.version,
          values = n.values, changes = n.changes, meanwhile = n.meanwhile, taken = n.taken, errors = n.errors,
          notes = n.notes
        from jsonb_populate_recordset(null::import_rows, ${JSON.stringify(checked)}::jsonb) n
        where r.import_id = ${import_id} and r.row = n.row`.execute(tx)
      return summary(
        ctx,
        tx,
        target,
        import_id,
        facts,
        checked.map((line) => line.row),
      )
    },
    { reason: `preview of an import: ${target.name}` },
  )
}

const readStored = async (tx: Tx, import_id: string, where: RawBuilder<unknown>): Promise<Line[]> => {
  const { rows } =
    await sql<Line>`select row, cells, key, state, record_id, version, exported, values, changes, meanwhile, taken, errors, notes
    from import_rows where import_id = ${import_id} and ${where} order by row`.execute(tx)
  return rows
}

async function summary(
  ctx: Ctx,
  tx: Tx,
  target: ImportTarget<unknown>,
  import_id: string,
  facts: SheetFacts,
  which: ImportLinesQuery | readonly number[],
): Promise<Preview> {
  const { rows: counted } = await sql<Record<keyof Preview['counts'] | 'rows' | 'creates', number>>`select
      count(*)::int as rows, count(*) filter (where record_id is null and state <> 'out')::int as creates,
      count(*) filter (where state = 'created')::int as created, count(*) filter (where state = 'changed')::int as changed,
      count(*) filter (where state = 'same')::int as same, count(*) filter (where state = 'wrong')::int as wrong,
      count(*) filter (where state = 'out')::int as out, count(*) filter (where meanwhile <> '[]' and state <> 'out')::int as meanwhile
    from import_rows where import_id = ${import_id}`.execute(tx)
  const { rows, creates, ...counts } = counted[0]!
  const { rows: wrong } = counts.wrong
    ? await sql<{ row: number; errors: ShownLine['errors'] }>`select row, errors from import_rows
        where import_id = ${import_id} and state = 'wrong' order by row limit ${MOST_ERRORS}`.execute(tx)
    : { rows: [] }
  const errors: SheetError[] = [
    ...facts.errors,
    ...target.headErrors(ctx, facts, creates),
    ...wrong.flatMap(({ row, errors: told }) => told.map(({ field: _field, ...error }) => ({ row, ...error }))),
  ]
  const state = 'state' in which ? which.state : null
  const where =
    state === null
      ? sql`row = any(${which}::int[])`
      : state === 'all'
        ? sql`true`
        : state === 'notable'
          ? sql`(state <> 'same' or meanwhile <> '[]')`
          : state === 'meanwhile'
            ? sql`meanwhile <> '[]' and state <> 'out'`
            : sql`state = ${state}`
  const page = 'state' in which ? sql`limit ${which.perPage} offset ${(which.page - 1) * which.perPage}` : sql``
  // What is wrong comes first: it is to be mended before anything can be saved.
  const { rows: lines } = await sql<
    Omit<Line, 'key' | 'version' | 'exported' | 'values'> & { count: number }
  >`select row, cells, state, record_id, changes, meanwhile, taken, errors, notes,
      count(*) over ()::int as count
    from import_rows where import_id = ${import_id} and ${where}
    order by ${state === 'notable' ? sql`state = 'wrong' desc,` : sql``} row ${page}`.execute(tx)
  return {
    import_id,
    rows,
    creates,
    updates: rows - counts.out - creates,
    counts,
    columns: facts.columns,
    ignored: facts.ignored,
    confirm: await target.confirm(tx, counts.changed),
    errors: errors.slice(0, MOST_ERRORS),
    lines: lines.map(({ row, cells, state: does, record_id: id, changes, meanwhile, taken, errors: told, notes }) => ({
      row,
      state: does,
      id,
      cells: Object.fromEntries(Object.entries(cells).map(([field, cell]) => [field, cell.text])),
      changes,
      meanwhile: meanwhile.map((one) => ({ ...one, taken: taken.includes(one.field) })),
      errors: told,
      notes,
    })),
    count: lines[0]?.count ?? 0,
  }
}

/**
 * Saves a previewed sheet as one operation that can be undone: all rows that do something or, when one has become
 * impossible or was changed by somebody since, none. Rows that change nothing are not written.
 */
export async function saveImport<Written>(
  ctx: Ctx,
  target: ImportTarget<Written>,
  import_id: string,
  confirm?: number,
): Promise<{ created: number; updated: number; operation_id: number | null; written: Written }> {
  // The name of the file is part of the operation, which begins with the transaction.
  const { file } = await readFacts(ctx, ctx.db as unknown as Tx, target, import_id)
  const { result, operation_id } = await writeOperation(
    ctx,
    { kind: target.kind, facts: { ...target.facts, file }, reason: `import: ${target.kind.replace('import/', '')}` },
    async (tx) => {
      const facts = await readFacts(ctx, tx, target, import_id, sql`for update`)
      const lines = await readStored(tx, import_id, sql`state in ('created', 'changed', 'wrong')`)
      const creates = lines.filter((line) => line.record_id === null).length
      if (
        facts.errors.length ||
        lines.some((line) => line.state === 'wrong') ||
        target.headErrors(ctx, facts, creates).length
      )
        throw refuse(422, 'import_has_errors')
      const updated = lines.filter((line) => line.state === 'changed').length
      const asked = await target.confirm(tx, updated)
      if (asked !== null && confirm !== asked) throw refuse(409, 'import_confirm', { count: asked })
      const written = await target.write(ctx, tx, lines, facts)
      await sql`delete from import_previews where id = ${import_id}`.execute(tx)
      const counts = { created: lines.length - updated, updated }
      return { result: { ...counts, written }, counts }
    },
  )
  return { ...result, operation_id }
}
