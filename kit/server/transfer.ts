import { sql } from 'kysely'
import type { z } from 'zod'
import { fill, fold, inLanguage, inputSchema } from '#kit/contract/index.ts'
import type { ListQuery, PaperLanguage, Problem, Resource, importPreview } from '#kit/contract/index.ts'
import type { Access } from '#kit/contract/index.ts'
import type { Ctx, FileResult, Upload } from './context.ts'
import { renderListPdf } from './documents/index.ts'
import { Refusal, asRefusal, reasonsOfZod, refuse, toProblem } from './errors.ts'
import type { Reason } from './errors.ts'
import { columnsOf, quoted, serverField } from './fields.ts'
import type { Column } from './fields.ts'
import { writeOperation } from './operations.ts'
import { findByText } from './options.ts'
import { resourceNamed } from './registry.ts'
import { rowsOf } from './served.ts'
import type { Served, Values } from './served.ts'
import { readCsv, readSheet, writeSheet } from './sheets/index.ts'
import type { Cell, WriteColumn, WriteValue } from './sheets/index.ts'
import { universityHead } from './university.ts'

// --- Out ------------------------------------------------------------------------------------------------------------

/** Rows an export may hold, as the documents say. */
export const EXPORT_LIMIT = 5000

/** A column of an exported table. `text` is what a row shows there. */
export interface ExportColumn<Row> {
  readonly header: string
  readonly type: WriteColumn['type']
  readonly text: (row: Row) => WriteValue
}

/** Texts with `{places}` of the head of papers. */
const COUNT = ['Rows', 'عدد الصفوف'] as const
const PRINTED = ['Printed', 'تاريخ الطباعة'] as const

/** A table as XLSX or PDF in one language: what every export of the program is made by. */
export async function tableFile<Row>(
  ctx: Ctx,
  table: {
    title: string
    name: string
    lang: PaperLanguage
    columns: readonly ExportColumn<Row>[]
    rows: readonly Row[]
    facts?: { label: string; value: string }[]
  },
  type: 'xlsx' | 'pdf',
): Promise<FileResult> {
  const { title, name, lang, columns, rows } = table
  if (type === 'xlsx') {
    const content = await writeSheet({
      sheets: [
        {
          name: title,
          direction: lang === 'ar' ? 'rtl' : 'ltr',
          columns: columns.map((c, i) => ({ header: c.header, key: String(i), type: c.type })),
          rows: rows.map((row) => Object.fromEntries(columns.map((c, i) => [String(i), c.text(row)]))),
        },
      ],
    })
    return { name, type, content }
  }
  const content = await renderListPdf({
    title,
    lang,
    columns: columns.map((c) => ({ label: c.header, align: c.type === 'text' ? 'start' : 'center' })),
    rows: rows.map((row) => columns.map((c) => String(c.text(row) ?? ''))),
    facts: table.facts ?? [
      { label: inLanguage(COUNT, lang), value: String(rows.length) },
      { label: inLanguage(PRINTED, lang), value: new Date().toISOString().slice(0, 10) },
    ],
    university: await universityHead(ctx),
  })
  return { name, type, content }
}

/** The language of papers nearest to the reader's. */
export const paperLang = (ctx: Ctx): PaperLanguage => (ctx.lang === 'ar' ? 'ar' : 'en')

interface ExportQuery extends ListQuery {
  columns?: string[]
  ids?: number[]
  lang?: PaperLanguage
}

/** The export of a resource's list: the same filters, the chosen columns, at most 5000 rows. */
export async function exportList(
  ctx: Ctx,
  served: Served,
  columns: readonly Column[],
  query: ExportQuery,
  type: 'xlsx' | 'pdf',
): Promise<FileResult> {
  const { def } = served
  const lang = query.lang ?? paperLang(ctx)
  const offered = columns.filter(
    ({ field }) => !field.noExport && !field.detailOnly && serverField(field).sheet !== null,
  )
  const chosen = query.columns?.length
    ? query.columns.map((name) => {
        const column = offered.find((c) => c.name === name)
        if (!column) throw refuse(422, 'unknown_field', { field: name }, 'columns')
        return column
      })
    : type === 'pdf'
      ? def.list.columns.flatMap((name) => offered.filter((c) => c.name === name))
      : offered
  const rows = await rowsOf(ctx, served, query, EXPORT_LIMIT + 1, query.ids, def.permissions.export as Access)
  if (rows.length > EXPORT_LIMIT) throw refuse(422, 'export_limit')
  if (!rows.length) throw refuse(422, 'no_rows')
  return tableFile(
    ctx,
    {
      title: inLanguage(def.many, lang),
      name: def.exportName,
      lang,
      columns: chosen.map((c) => ({
        header: inLanguage(c.field.label, lang),
        type: serverField(c.field).sheet as WriteColumn['type'],
        text: (row: Values) => serverField(c.field).text(row, c, lang),
      })),
      rows,
    },
    type,
  )
}

// --- In -------------------------------------------------------------------------------------------------------------

/** Rows a sheet may bring at once. */
const IMPORT_LIMIT = 5000
/** How long a preview may wait to be saved. */
const PREVIEW_LIFE = '1 hour'
/** Rows shown in a preview, and errors told of one sheet: enough to see what is wrong. */
const SAMPLE = 20
const MOST_ERRORS = 500

const importable = (def: Resource): Column[] =>
  columnsOf(def.fields).filter(({ field }) => !field.readOnly && !field.noExport && serverField(field).read !== null)

/** An empty sheet with the headers of a resource, in the reader's language; notes say what belongs in a column. */
export async function importTemplate(ctx: Ctx, def: Resource): Promise<FileResult> {
  const lang = paperLang(ctx)
  const say = (en: string, ar: string): string => inLanguage([en, ar], lang)
  const columns = importable(def).map(({ name, field }): WriteColumn => {
    const target = field.to ? resourceNamed(field.to) : undefined
    const note = [
      field.required ? say('Must be filled.', 'يجب ملؤه.') : '',
      field.choices
        ? `${say('One of:', 'قيمة من:')} ${field.choices.map((c) => inLanguage(c.label, lang)).join(lang === 'ar' ? '، ' : ', ')}`
        : '',
      target ? fill(say('Code or name: {what}.', 'كود أو اسم: {what}.'), { what: inLanguage(target.one, lang) }) : '',
      field.help ? inLanguage(field.help, lang) : '',
    ].filter(Boolean)
    const { sheet } = serverField(field)
    return {
      header: inLanguage(field.label, lang),
      key: name,
      type: sheet ?? 'text',
      ...(note.length && { note: note.join('\n') }),
    }
  })
  const content = await writeSheet({
    sheets: [{ name: inLanguage(def.many, lang), direction: lang === 'ar' ? 'rtl' : 'ltr', columns, rows: [] }],
  })
  return { name: `${def.exportName} template`, type: 'xlsx', content }
}

/** A row of a sheet as it will be written. `row`: its line in the sheet, the header being 1. */
interface Line {
  row: number
  /** The record that its code names; absent: it will be new. */
  id?: number
  values: Values
}
interface Payload {
  lines: Line[]
  failed: boolean
}
type Preview = z.output<typeof importPreview>

/**
 * Reads a sheet and says everything that is wrong with it, cell by cell, without keeping anything: the rows are written
 * as they will be and rolled back, so that what passes here is what can be saved.
 */
export async function previewImport(ctx: Ctx, served: Served, file: Upload | null): Promise<Preview> {
  if (!file) throw refuse(422, 'file_missing')
  const { def } = served
  const lang = paperLang(ctx)
  const book =
    file.ext === 'csv'
      ? await readCsv(file.content, { maxRows: IMPORT_LIMIT + 1 })
      : await readSheet(file.content, { maxRows: IMPORT_LIMIT + 1 })
  const rows = book.sheets[0]?.rows ?? []
  if (rows.length < 2) throw refuse(422, 'sheet_empty', undefined, 'file')

  const errors: Preview['errors'] = []
  const header = (name: string): string => {
    const label = def.fields[name]?.label
    return label ? inLanguage(label, lang) : name
  }
  const note = (row: number, column: string | null, reason: Pick<Reason, 'code' | 'data'>) => {
    const { field: _field, ...told } = toProblem(reason)
    errors.push({ row, column, ...told })
  }

  // Which column of the sheet is which field?
  const known = importable(def)
  const places: { column: Column; at: number; header: string }[] = []
  for (const [at, cell] of (rows[0] as Cell[]).entries()) {
    if (!cell.text) continue
    const word = fold(cell.text.replace(/[*:]+$/, ''))
    const column = known.find(({ name, field }) => [name, ...field.label].some((label) => fold(label) === word))
    if (!column) note(1, cell.text, { code: 'sheet_column_unknown', data: { column: cell.text } })
    else if (places.some((p) => p.column === column))
      note(1, cell.text, { code: 'sheet_column_twice', data: { column: cell.text } })
    else places.push({ column, at, header: cell.text })
  }
  const byCode = 'code' in def.fields && places.some((p) => p.column.name === 'code')

  // Cells to values; what is looked up is asked for all rows at once.
  const lines: Line[] = []
  const broken = new Set<number>()
  const asked = new Map<string, Set<string>>()
  const waiting: { line: Line; column: Column; header: string; texts: readonly string[] }[] = []
  const seen = new Map<string, number>()
  for (const [i, cells] of rows.entries()) {
    if (i === 0 || cells.every((cell) => cell.type === 'empty')) continue
    const line: Line = { row: i + 1, values: {} }
    lines.push(line)
    for (const { column, at, header: title } of places) {
      const cell = cells[at]
      if (!cell || cell.type === 'empty') continue
      const read = cell.type === 'error' ? { code: 'wrong_type' } : serverField(column.field).read?.(cell, column)
      if (!read) continue
      if ('code' in read) {
        broken.add(line.row)
        note(line.row, title, read)
      } else if ('lookup' in read) {
        const to = column.field.to ?? ''
        const texts = asked.get(to) ?? new Set()
        for (const text of read.lookup) texts.add(text)
        asked.set(to, texts)
        waiting.push({ line, column, header: title, texts: read.lookup })
      } else line.values[column.name] = read.value
    }
    const key = byCode ? fold(String(line.values.code ?? '')) : fold(cells.map((cell) => cell.text).join('\u0000'))
    const first = seen.get(key)
    if (key && first !== undefined) {
      broken.add(line.row)
      note(line.row, byCode ? (places.find((p) => p.column.name === 'code')?.header ?? null) : null, {
        code: 'sheet_row_twice',
        data: { row: first },
      })
    } else if (key) seen.set(key, line.row)
  }
  if (!lines.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  for (const [to, texts] of asked) {
    const found = await findByText(ctx, to, [...texts])
    const what = resourceNamed(to)?.one
    for (const { line, column, header: title, texts: wanted } of waiting) {
      if (column.field.to !== to) continue
      const ids: number[] = []
      for (const text of wanted) {
        const one = found.get(text) ?? { code: 'lookup_not_found' }
        if ('id' in one) ids.push(one.id)
        else {
          broken.add(line.row)
          note(line.row, title, { code: one.code, data: { what: what?.[0] ?? to, what_local: what?.[1] ?? to } })
        }
      }
      line.values[column.name] = column.field.kind === 'lookups' ? ids : ids[0]
    }
  }

  // A code that is there means a change of that record.
  if (byCode) {
    const codes = lines.flatMap((line) => (typeof line.values.code === 'string' ? [line.values.code] : []))
    const { rows: stored } = await sql<{
      id: number
      code: string
    }>`select t.id, t.code from ${sql.raw(quoted(def.table))} t
      where t.code = any(${codes}) and ${served.scope(ctx, def.permissions.import as Access)}`.execute(ctx.db)
    const ids = new Map(stored.map((r) => [r.code, r.id]))
    for (const line of lines) {
      const id = ids.get(line.values.code as string)
      if (id !== undefined) line.id = id
    }
  }
  const [create, update] = [inputSchema(def, 'create'), inputSchema(def, 'update')]
  const missingColumns = known.filter(
    ({ name, field }) => field.required && field.kind !== 'flag' && !places.some((p) => p.column.name === name),
  )
  if (lines.some((line) => line.id === undefined)) {
    for (const { name, field } of missingColumns)
      note(1, header(name), {
        code: 'sheet_column_missing',
        data: { column: field.label[0], column_local: field.label[1] },
      })
  }
  for (const line of lines) {
    const fields = def.fields
    if (line.id !== undefined)
      for (const name of Object.keys(line.values)) if (fields[name]?.createOnly) delete line.values[name]
    const parsed = (line.id === undefined ? create : update).safeParse(line.values, { reportInput: true })
    if (parsed.success) {
      line.values = parsed.data as Values
      continue
    }
    const alreadyBroken = broken.has(line.row)
    broken.add(line.row)
    for (const reason of reasonsOfZod(parsed.error)) {
      const name = reason.field?.split('.')[0] ?? null
      // A cell that could not be read is told once, and a missing column once for all rows.
      if (
        alreadyBroken &&
        errors.some(
          (e) => e.row === line.row && e.column === (places.find((p) => p.column.name === name)?.header ?? null),
        )
      )
        continue
      if (reason.code === 'required' && missingColumns.some((c) => c.name === name)) continue
      note(
        line.row,
        places.find((p) => p.column.name === name)?.header ?? (name === null ? null : header(name)),
        reason,
      )
    }
  }

  // The rest only the database and the rules of the area know: try, and take everything back.
  const whole = lines.filter((line) => !broken.has(line.row))
  if (whole.length && !errors.some((e) => e.row === 1 && e.code === 'sheet_column_missing')) {
    await ctx
      .write(
        async (tx) => {
          for (const line of whole) {
            await sql`savepoint line`.execute(tx)
            try {
              await writeLine(ctx, served, tx, line)
              await sql`release savepoint line`.execute(tx)
            } catch (error) {
              const refusal = asRefusal(error)
              if (!refusal || refusal.status === 503) throw error
              await sql`rollback to savepoint line`.execute(tx)
              for (const reason of refusal.reasons) {
                note(
                  line.row,
                  places.find((p) => p.column.name === reason.field)?.header ??
                    (reason.field ? header(reason.field) : null),
                  reason,
                )
              }
            }
          }
          throw TAKEN_BACK
        },
        { reason: `preview of an import: ${def.name}` },
      )
      .catch((error: unknown) => {
        if (error !== TAKEN_BACK) throw error
      })
  }

  const sample = lines.slice(0, SAMPLE).map((line) => ({
    row: line.row,
    id: line.id ?? null,
    ...Object.fromEntries(places.map(({ column, at }) => [column.name, rows[line.row - 1]?.[at]?.text ?? ''])),
  }))
  const payload: Payload = { lines, failed: errors.length > 0 }
  const { rows: kept } = await ctx.pool.query<{ id: string }>(
    `with old as (delete from import_previews where created_at < now() - interval '${PREVIEW_LIFE}')
     insert into import_previews (resource, payload, created_by) values ($1, $2, $3) returning id`,
    [def.name, JSON.stringify(payload), ctx.actor?.user_id ?? null],
  )
  return {
    import_id: (kept[0] as { id: string }).id,
    rows: lines.length,
    creates: lines.filter((line) => line.id === undefined).length,
    updates: lines.filter((line) => line.id !== undefined).length,
    columns: places.map((p) => ({ field: p.column.name, header: p.header })),
    sample,
    errors: errors.toSorted((a, b) => a.row - b.row).slice(0, MOST_ERRORS),
  }
}
const TAKEN_BACK = Symbol('taken back')

const writeLine = (
  ctx: Ctx,
  { def, insert, update }: Served,
  tx: Parameters<Parameters<Ctx['write']>[0]>[0],
  line: Line,
): Promise<unknown> => {
  const access = def.permissions.import as Access
  return line.id === undefined ? insert(ctx, tx, line.values, access) : update(ctx, tx, line.id, line.values, access)
}

/** The name of the operation that an import of a resource is. */
export const importKind = (def: Resource): string => `import/${def.name}`

/** Stores a sheet that was previewed without errors: all rows or, when one has become impossible since, none. */
export async function saveImport(
  ctx: Ctx,
  served: Served,
  importId: string,
): Promise<{ created: number; updated: number; operation_id: number | null }> {
  const { result, operation_id } = await writeOperation(
    ctx,
    { kind: importKind(served.def), reason: `import: ${served.def.name}` },
    async (tx) => {
      const { rows } = await sql<{ payload: Payload }>`delete from import_previews
        where id = ${importId} and resource = ${served.def.name} and created_by is not distinct from ${ctx.actor?.user_id ?? null}
          and created_at > now() - ${PREVIEW_LIFE}::interval returning payload`.execute(tx)
      const payload = rows[0]?.payload
      if (!payload) throw refuse(409, 'import_gone')
      if (payload.failed) throw refuse(422, 'import_has_errors')
      const problems: Reason[] = []
      let created = 0
      for (const line of payload.lines) {
        try {
          await writeLine(ctx, served, tx, line)
          if (line.id === undefined) created++
        } catch (error) {
          const refusal = asRefusal(error)
          if (!refusal || refusal.status === 503) throw error
          problems.push(
            ...refusal.reasons.map((r) => ({ ...r, field: `rows.${line.row}${r.field ? `.${r.field}` : ''}` })),
          )
          throw new Refusal(422, problems, { cause: error })
        }
      }
      const counts = { created, updated: payload.lines.length - created }
      return { result: counts, counts }
    },
  )
  return { ...result, operation_id }
}

export type { Problem }
