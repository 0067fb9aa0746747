/** Checks lines of a sheet: what each would do to which record, and everything that is wrong with it. */
import { sql } from 'kysely'
import { inputSchema, knownBy } from '#kit/contract/index.ts'
import type { Access } from '#kit/contract/index.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '../../base/context.ts'
import { asRefusal, reasonsOfZod, toProblem } from '../../base/errors.ts'
import type { Reason } from '../../base/errors.ts'
import { columnsOf, sameValue, serverField } from '../../base/fields.ts'
import { quoted } from '../../base/field-filters.ts'
import type { Column } from '../../base/field-filters.ts'
import { rowsWhere } from '../list.ts'
import { findByText } from '../options.ts'
import { resourceNamed } from '../../base/registry.ts'
import type { Served, Values } from '../served.ts'
import type { Line, SheetFacts } from './line.ts'
import { changedSince } from './meanwhile.ts'
import { missingColumns } from './sheet.ts'

/** Lines tried together: one that fails is found by trying each of them by itself. */
const TOGETHER = 50

/** The shown rows of records, by id. */
async function shownRows(ctx: Ctx, tx: Tx, served: Served, ids: readonly number[]): Promise<Map<number, Values>> {
  if (!ids.length) return new Map()
  const source = served.source(ctx, { detail: true, access: served.def.permissions.import as Access })
  const rows = await rowsWhere<Values & { id: number }>(tx, source, sql`t.id = any(${[...ids]}::int[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Writes a line as it will be saved. */
export const writeLine = (
  ctx: Ctx,
  { def, insert, update }: Served,
  tx: Tx,
  line: Pick<Line, 'record_id' | 'version' | 'values'>,
) => {
  const access = def.permissions.import as Access
  return line.record_id === null
    ? insert(ctx, tx, line.values, access)
    : update(
        ctx,
        tx,
        line.record_id,
        { ...line.values, ...(line.version !== null && { version: line.version }) },
        access,
      )
}

/**
 * Checks lines again. Conditions that only the database and the rules of the area know are tried and rolled back, so
 * that lines that pass can be saved. Lines that were left out are skipped.
 */
export async function checkLines(
  ctx: Ctx,
  tx: Tx,
  served: Served,
  facts: SheetFacts,
  given: readonly Line[],
): Promise<void> {
  const { def } = served
  const access = def.permissions.import as Access
  const lang = ctx.lang === 'ar' ? 'ar' : 'en'
  const all = columnsOf(def.fields)
  const heads = new Map(facts.columns.map((column) => [column.field, column.header]))
  const columns = all.filter((column) => heads.has(column.name))
  const note = (line: Line, field: string | null, reason: Pick<Reason, 'code' | 'data'>) => {
    const { field: _field, ...told } = toProblem(reason)
    const label = field === null ? undefined : def.fields[field]?.label
    line.errors.push({
      field,
      column: field === null ? null : (heads.get(field) ?? label?.[lang === 'ar' ? 1 : 0] ?? field),
      ...told,
    })
  }
  for (const line of given)
    Object.assign(line, {
      record_id: null,
      version: null,
      values: {},
      changes: [],
      meanwhile: [],
      errors: [],
      notes: [],
    })
  const lines = given.filter((line) => line.state !== 'out').toSorted((a, b) => a.row - b.row)

  // One record, one line.
  const known = knownBy(def)
  const by = known !== null && heads.has(known) ? known : null
  const first = new Map<string, number>()
  for (const line of lines) {
    const earlier = line.key === null ? undefined : first.get(line.key)
    if (earlier !== undefined) note(line, by, { code: 'sheet_row_twice', data: { row: earlier } })
    else if (line.key !== null) first.set(line.key, line.row)
  }

  // A code that is there means a change of that record. What the list does not hold is not known by it either.
  const column = by === null ? undefined : columns.find((c) => c.name === by)
  if (by !== null && column) {
    const same = column.field.kind === 'email' ? (text: string) => text.toLowerCase() : (text: string) => text
    const textOf = (line: Line): string | null => {
      const read = line.cells[by] && serverField(column.field).read?.(line.cells[by], column)
      return read && 'value' in read && typeof read.value === 'string' ? same(read.value) : null
    }
    const wanted = lines.map(textOf).filter((text) => text !== null)
    const name = sql.raw(column.field.kind === 'email' ? `lower(t.${quoted(by)})` : `t.${quoted(by)}`)
    const within = [false, ...(def.softDelete ? [true] : [])].map((removed) => {
      const { where } = served.source(ctx, { access, removed })
      return where.length ? sql`(${sql.join(where, sql` and `)})` : sql`true`
    })
    const { rows } = await sql<{
      id: number
      text: string
    }>`select t.id, ${name} as text from ${sql.raw(quoted(def.table))} t
      where ${name} = any(${wanted}::text[]) and (${sql.join(within, sql` or `)})`.execute(tx)
    const ids = new Map(rows.map((row) => [row.text, row.id]))
    for (const line of lines) line.record_id = ids.get(textOf(line) ?? '') ?? null
  }
  const ids = lines.flatMap((line) => (line.record_id === null ? [] : [line.record_id]))
  const stored = new Map((await served.stored(tx, ids)).map((row) => [row.id, row]))
  const shown = await shownRows(ctx, tx, served, ids)
  const text = (row: Values | undefined, column: Column, paper: 'en' | 'ar' = lang): string | null => {
    const value = row && serverField(column.field).text(row, column, paper)
    return value === null || value === undefined || value === '' ? null : String(value)
  }

  // Cells to values; what is looked up is asked for all lines at once.
  const asked = new Map<string, Set<string>>()
  const waiting: { line: Line; column: Column; texts: readonly string[] }[] = []
  for (const line of lines) {
    const row = line.record_id === null ? undefined : shown.get(line.record_id)
    for (const column of columns) {
      const cell = line.cells[column.name]
      // Empty: as it is. The words of the record itself: no change, also where they could not be read.
      if (!cell || (row && [text(row, column, 'en'), text(row, column, 'ar')].includes(cell.text))) continue
      const read = cell.type === 'error' ? { code: 'wrong_type' } : serverField(column.field).read?.(cell, column)
      if (!read) continue
      if ('code' in read) note(line, column.name, read)
      else if ('lookup' in read) {
        const to = column.field.to ?? ''
        const texts = asked.get(to) ?? new Set()
        for (const one of read.lookup) texts.add(one)
        asked.set(to, texts)
        waiting.push({ line, column, texts: read.lookup })
      } else line.values[column.name] = read.value
    }
  }
  for (const [to, texts] of asked) {
    // Through the transaction: a second connection for each of many previews could leave none for any of them.
    const found = await findByText(Object.create(ctx, { db: { value: tx } }) as Ctx, to, [...texts])
    const what = resourceNamed(to)?.one
    for (const { line, column, texts: wanted } of waiting) {
      if (column.field.to !== to) continue
      const known: number[] = []
      for (const one of wanted) {
        const match = found.get(one) ?? { code: 'lookup_not_found' }
        if ('id' in match) known.push(match.id)
        else note(line, column.name, { code: match.code, data: { what: what?.[0] ?? to, what_local: what?.[1] ?? to } })
      }
      line.values[column.name] = column.field.kind === 'lookups' ? known : known[0]
    }
  }

  // The schema of the resource; a cell that could not be read, and a column that is missing for all, are told once.
  const [create, update] = [inputSchema(def, 'create'), inputSchema(def, 'update')]
  const missing = new Set(missingColumns(def, facts).map((column) => column.name))
  for (const line of lines) {
    const record = line.record_id === null ? undefined : stored.get(line.record_id)
    for (const [name, value] of Object.entries(line.values)) {
      const field = def.fields[name]
      if (!record || !field?.createOnly) continue
      delete line.values[name]
      if (!sameValue(field, value, record[name])) note(line, name, { code: 'import_create_only' })
    }
    const parsed = (record ? update : create).safeParse(line.values, { reportInput: true })
    if (parsed.success) {
      line.values = parsed.data as Values
      continue
    }
    const told = new Set(line.errors.map((error) => error.field))
    for (const reason of reasonsOfZod(parsed.error)) {
      const name = reason.field?.split('.')[0] ?? null
      if (told.has(name) || (reason.code === 'required' && name !== null && missing.has(name))) continue
      note(line, name, reason)
    }
  }

  // What a line says as a whole, also where that is no change.
  if (served.lineProblems)
    for (const line of lines) {
      if (line.errors.length) continue
      const record = line.record_id === null ? null : (stored.get(line.record_id) ?? null)
      const said = Object.fromEntries(
        columns.flatMap(({ name }) =>
          line.cells[name] ? [[name, name in line.values ? line.values[name] : (record?.[name] ?? null)]] : [],
        ),
      )
      for (const reason of served.lineProblems(said, record)) note(line, reason.field ?? null, reason)
    }

  // What differs from the record; what somebody changed since the sheet was exported stays.
  const since = await changedSince(
    tx,
    def,
    lines.flatMap((line) => {
      const record = line.record_id === null ? undefined : stored.get(line.record_id)
      return record && line.exported && record.version !== line.exported.version
        ? [{ id: record.id, at: line.exported.at }]
        : []
    }),
  )
  for (const line of lines) {
    const record = line.record_id === null ? undefined : stored.get(line.record_id)
    if (!record) continue
    line.version = record.version
    const hidden = await served.unread(ctx, record.id, tx)
    for (const name of Object.keys(line.values)) {
      if (!hidden.has(name)) continue
      // Also where it would be no change: that would tell what stands there.
      delete line.values[name]
      note(line, name, { code: 'not_allowed' })
    }
    for (const column of columns) {
      const { name, field } = column
      if (!(name in line.values)) continue
      if (sameValue(field, line.values[name], record[name])) delete line.values[name]
      else {
        const other = since.get(`${record.id} ${name}`)
        if (!other) continue
        line.meanwhile.push({
          field: name,
          sheet: line.cells[name]?.text ?? null,
          now: text(shown.get(record.id), column),
          ...other,
        })
        if (!line.taken.includes(name)) delete line.values[name]
      }
    }
  }

  for (const line of lines) {
    line.state =
      line.errors.length || (line.record_id === null && missing.size)
        ? 'wrong'
        : line.record_id === null
          ? 'created'
          : Object.keys(line.values).length
            ? 'changed'
            : 'same'
  }
  const fresh = lines.filter((line) => line.state === 'created')
  const told =
    served.beforeLines && fresh.length
      ? await served.beforeLines(
          ctx,
          tx,
          fresh.map((line) => line.values),
        )
      : []
  fresh.forEach((line, i) => {
    const reason = told[i]
    if (!reason) return
    const { field: _field, ...shown } = toProblem(reason)
    line.notes.push(shown)
  })
  const after = await tryLines(
    ctx,
    tx,
    served,
    lines.filter((line) => line.state === 'created' || line.state === 'changed'),
    note,
  )
  for (const line of lines) {
    if (line.errors.length) line.state = 'wrong'
    if (line.state !== 'changed' || line.record_id === null) continue
    const [before, now] = [shown.get(line.record_id), after.get(line.record_id)]
    for (const column of all) {
      const [old, fresh] = [text(before, column), text(now, column)]
      if (old !== fresh || (column.name in line.values && serverField(column.field).sheet === null))
        line.changes.push({ field: column.name, old, new: fresh })
    }
    if (!line.changes.length) line.state = 'same'
  }
}

/** Writes lines as they will be saved, and takes it all back. Gives the changed records as they will be. */
async function tryLines(
  ctx: Ctx,
  tx: Tx,
  served: Served,
  lines: readonly Line[],
  note: (line: Line, field: string | null, reason: Pick<Reason, 'code' | 'data'>) => void,
): Promise<Map<number, Values>> {
  const after = new Map<number, Values>()
  const attempt = async (some: readonly Line[]): Promise<boolean> => {
    try {
      await ctx.attempt(async () => {
        for (const line of some) await writeLine(ctx, served, tx, line)
        const ids = some.flatMap((line) => (line.record_id === null ? [] : [line.record_id]))
        for (const [id, row] of await shownRows(ctx, tx, served, ids)) after.set(id, row)
      })
      return true
    } catch (error) {
      const refusal = asRefusal(error)
      if (!refusal || refusal.status === 503) throw error
      const [line] = some
      if (some.length === 1 && line) for (const reason of refusal.reasons) note(line, reason.field ?? null, reason)
      return some.length === 1
    }
  }
  await sql`savepoint import_trial`.execute(tx)
  for (let i = 0; i < lines.length; i += TOGETHER) {
    const some = lines.slice(i, i + TOGETHER)
    if (!(await attempt(some))) for (const line of some) await attempt([line])
  }
  await sql`rollback to savepoint import_trial`.execute(tx)
  return after
}
