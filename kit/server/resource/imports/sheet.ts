/** A sheet as its columns and lines: which column is which field, and by what a line is known. */
import { fold, inLanguage } from '#kit/contract/index.ts'
import type { Label, Resource } from '#kit/contract/index.ts'
import type { Ctx, Upload } from '../../base/context.ts'
import { refuse, toProblem } from '../../base/errors.ts'
import type { Reason } from '../../base/errors.ts'
import { columnsOf, serverField } from '../../base/fields.ts'
import type { Column } from '../../base/field-filters.ts'
import type { Served } from '../served.ts'
import { readCsv, readSheet } from '../../sheets/index.ts'
import type { Cell } from '../../sheets/index.ts'
import type { SheetError, SheetFacts } from './line.ts'

/** Rows a sheet may bring at once. */
const IMPORT_LIMIT = 5000

/** Fields that a sheet may bring. */
const importable = (def: Resource): Column[] =>
  columnsOf(def.fields).filter(({ field }) => !field.readOnly && !field.noExport && serverField(field).read !== null)
/** Those of them that somebody may bring: nothing that the person may not read. */
export const importableBy = (ctx: Ctx, { def, reads }: Served): Column[] =>
  importable(def).filter(({ name }) => reads(ctx, name as never))

/** Head of the hidden column of an exported sheet that says from which version of a record, and when, a row was exported. */
export const VERSION_HEADER: Label = ['Version (leave as it is)', 'الإصدار (اتركه كما هو)']
/** The content of the version column: `7@2026-03-01T10:00:00.000Z`. */
export const versionCell = (version: number, at: string): string => `${version}@${at}`
const readVersion = (text: string): { version: number; at: string } | null => {
  const [, version, at] = /^(\d{1,9})@(\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(text.trim()) ?? []
  return version && at ? { version: Number(version), at } : null
}

/** An error of a sheet, with its texts. */
export const sheetError = (row: number, column: string | null, reason: Pick<Reason, 'code' | 'data'>): SheetError => {
  const { field: _field, ...told } = toProblem(reason)
  return { row, column, ...told }
}

/** A line of the sheet. */
export interface SheetLine {
  readonly row: number
  readonly cells: Record<string, Cell>
  readonly exported: { version: number; at: string } | null
}

/** Reads the first sheet of a file. @throws {Refusal} when it has no rows, or is no sheet */
export async function readLines(
  ctx: Ctx,
  served: Served,
  file: Upload | null,
): Promise<{ facts: SheetFacts; lines: SheetLine[] }> {
  if (!file) throw refuse(422, 'file_missing')
  const limits = { maxRows: IMPORT_LIMIT + 1 }
  const book = file.ext === 'csv' ? await readCsv(file.content, limits) : await readSheet(file.content, limits)
  const rows = book.sheets[0]?.rows ?? []
  if (rows.length < 2) throw refuse(422, 'sheet_empty', undefined, 'file')

  const facts: SheetFacts = { file: file.name, columns: [], ignored: [], errors: [] }
  const known = importableBy(ctx, served)
  const all = columnsOf(served.def.fields)
  const named = (columns: readonly Column[], word: string) =>
    columns.find(({ name, field }) => [name, ...field.label].some((label) => fold(label) === word))
  const places: { name: string; at: number }[] = []
  let versionAt = -1
  for (const [at, cell] of (rows[0] as Cell[]).entries()) {
    if (!cell.text) continue
    const word = fold(cell.text.replace(/[*:]+$/, ''))
    const column = named(known, word)
    if (VERSION_HEADER.some((label) => fold(label) === word)) versionAt = at
    // What the list computes comes along in an exported sheet; it is said that it is not imported.
    else if (!column && named(all, word)) facts.ignored.push(cell.text)
    else if (!column)
      facts.errors.push(sheetError(1, cell.text, { code: 'sheet_column_unknown', data: { column: cell.text } }))
    else if (places.some((place) => place.name === column.name))
      facts.errors.push(sheetError(1, cell.text, { code: 'sheet_column_twice', data: { column: cell.text } }))
    else {
      places.push({ name: column.name, at })
      facts.columns.push({ field: column.name, header: cell.text })
    }
  }
  const lines = rows.flatMap((cells, i): SheetLine[] => {
    if (i === 0 || cells.every((cell) => cell.type === 'empty')) return []
    const read: Record<string, Cell> = {}
    for (const { name, at } of places) {
      const cell = cells[at]
      if (cell && cell.type !== 'empty') read[name] = cell
    }
    return [{ row: i + 1, cells: read, exported: versionAt < 0 ? null : readVersion(cells[versionAt]?.text ?? '') }]
  })
  if (!lines.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  return { facts, lines }
}

/** By what a line is known in its sheet: the field that says which record it is, where there is one, else all it says. */
export function keyOf(by: string | null, facts: SheetFacts, cells: Readonly<Record<string, Cell>>): string | null {
  const text = facts.columns.some((column) => column.field === by)
    ? (cells[by!]?.text ?? '')
    : facts.columns.map((column) => cells[column.field]?.text ?? '').join('\u001F')
  return fold(text) || null
}

/** Fields that a new record needs and the sheet has no column for. */
export const missingColumns = (def: Resource, facts: SheetFacts): Column[] =>
  importable(def).filter(
    ({ name, field }) =>
      field.required && field.kind !== 'flag' && !facts.columns.some((column) => column.field === name),
  )
/** The same as errors of the sheet. */
export const missingErrors = (def: Resource, facts: SheetFacts, lang: 'en' | 'ar'): SheetError[] =>
  missingColumns(def, facts).map(({ field }) =>
    sheetError(1, inLanguage(field.label, lang), {
      code: 'sheet_column_missing',
      data: { column: field.label[0], column_local: field.label[1] },
    }),
  )
