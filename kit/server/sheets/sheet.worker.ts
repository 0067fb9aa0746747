import { parse } from 'csv-parse/sync'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import type { Cell as ReadCell, CellValue, WriteSheet as BookSheet } from 'hucre/xlsx'
import { serveTasks } from '../workers/serve.ts'
import { readDirectory, unzipEntry } from './archive.ts'
import { SheetError } from './error.ts'
import { fillForm, readForm } from './form.ts'
import { scanMarkup } from './markup.ts'
import type { Cell, ReadSheet, SheetTask, WriteColumn, WriteSheet, WriteValue } from './sheet.ts'
import { printable, sheetName, writers } from './written.rules.ts'

serveTasks((task: SheetTask) => {
  if (task.do === 'write') return write(task.sheets)
  if (task.do === 'form') return readForm(task.bytes)
  if (task.do === 'fill') return fillForm(task.bytes, task.values)
  return task.do === 'csv' ? readText(task) : readBook(task)
})

type ReadTask = Extract<SheetTask, { do: 'read' }>
type TextTask = Extract<SheetTask, { do: 'csv' }>

async function readBook(task: ReadTask): Promise<ReadSheet[]> {
  const extent = checkParts(task.bytes)
  within(extent, task)
  let count = 0
  const book = await readXlsx(task.bytes, {
    // The parser reserves the rectangle it reads: what the scan found, and never more.
    range: `A1:${columnLetters(Math.max(1, extent.columns))}${Math.max(1, extent.rows)}`,
    sheets: () => {
      count += 1
      if (count > task.maxSheets) throw new SheetError('sheet_too_large', { what: 'sheets', limit: task.maxSheets })
      return true
    },
  })
  return book.sheets.map((sheet) => ({
    name: sheet.name,
    rows: rectangle(sheet.rows.map((row, y) => row.map((value, x) => readCell(value, sheet.cells?.get(`${y},${x}`))))),
  }))
}

/** Looks at every XML part before the parser does; returns the extent of the largest sheet. */
function checkParts(bytes: Uint8Array): { rows: number; columns: number } {
  const extent = { rows: 0, columns: 0 }
  for (const entry of readDirectory(bytes)) {
    if (!/\.(xml|rels|vml)$/i.test(entry.name)) continue
    const xml = unzipEntry(bytes, entry)
    const found = scanMarkup(xml)
    if (/^\/?xl\/worksheets\//i.test(entry.name)) {
      extent.rows = Math.max(extent.rows, found.rows)
      extent.columns = Math.max(extent.columns, found.columns)
    }
    if (entry.name === '[Content_Types].xml') {
      const types = new TextDecoder().decode(xml)
      if (/macroEnabled|vbaProject|macrosheet/i.test(types)) throw new SheetError('sheet_has_macros')
      if (!types.includes('spreadsheetml.sheet.main+xml')) throw new SheetError('not_a_spreadsheet', { format: 'zip' })
    }
  }
  return extent
}

function readCell(value: CellValue, more: ReadCell | undefined): Cell {
  const formula = more?.formula === undefined ? {} : ({ formula: true } as const)
  if (more?.type === 'error') return { text: String(value), type: 'error', ...formula }
  if (value === null) return more?.formula === undefined ? empty : { text: '', type: 'error', formula: true }
  if (value instanceof Date) return { ...moment(value), ...formula }
  if (typeof value === 'number') return { text: plainNumber(value), type: 'number', ...formula }
  if (typeof value === 'boolean') return { text: String(value), type: 'boolean', ...formula }
  const text = value.trim()
  return text === '' ? empty : { text, type: 'text', ...formula }
}

const empty: Cell = { text: '', type: 'empty' }

/** Excel keeps 15 digits; the rest of the binary fraction (3.7000000000000002) is noise. */
function plainNumber(value: number): string {
  const rounded = Number(value.toPrecision(15))
  const text = String(rounded)
  if (!text.includes('e')) return text
  return Math.abs(rounded) >= 1 ? BigInt(rounded).toString() : rounded.toFixed(20).replace(/0+$/, '')
}

function moment(value: Date): Cell {
  const time = value.getTime()
  if (!Number.isFinite(time) || value.getUTCFullYear() > 9999) return { text: '#VALUE!', type: 'error' }
  // To the second: serial numbers keep no more.
  const iso = new Date(Math.round(time / 1000) * 1000).toISOString()
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19)]
  // Excel counts days from 1900; before that there is only a time of day.
  if (value.getUTCFullYear() < 1900) return { text: clock, type: 'time' }
  return clock === '00:00:00' ? { text: date, type: 'date' } : { text: `${date}T${clock}`, type: 'datetime' }
}

/** The text of a file: UTF-8, or UTF-16 as office programs write "Unicode text", with its byte order mark. */
function decoded(bytes: Uint8Array): string {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff && 'utf-16be'
  if (!wide && bytes.includes(0)) throw new SheetError('not_a_spreadsheet', { format: 'unknown' })
  try {
    const text = new TextDecoder(wide || 'utf-8', { fatal: true }).decode(bytes)
    if (text.includes('\0')) throw new SheetError('not_a_spreadsheet', { format: 'unknown' })
    return text
  } catch (error) {
    throw error instanceof SheetError ? error : new SheetError('sheet_broken', { reason: 'encoding' })
  }
}

function readText(task: TextTask): ReadSheet[] {
  let text = decoded(task.bytes)
  const separated = /^sep=([,;\t])\r?\n/i.exec(text)
  if (separated) text = text.slice(separated[0].length)
  let records: string[][]
  try {
    records = parse(text, {
      delimiter: separated?.[1] ?? delimiter(text),
      relax_column_count: true,
      max_record_size: 1_000_000,
      to: task.maxRows + 1,
    })
  } catch (cause) {
    throw new SheetError('sheet_broken', { reason: (cause as Error).message })
  }
  const rows = rectangle(
    records.map((record) =>
      record.map((value): Cell => {
        const trimmed = value.trim()
        return trimmed === '' ? empty : { text: trimmed, type: 'text' }
      }),
    ),
  )
  within({ rows: rows.length, columns: rows[0]?.length ?? 0 }, task)
  return [{ name: '', rows }]
}

/** The separator most used in the first line, outside quotes. */
function delimiter(text: string): string {
  const line = /^(?:"[^"]*"|[^"\r\n])*/.exec(text.slice(0, 10_000))![0].replaceAll(/"[^"]*"/g, '')
  const uses = (mark: string) => line.split(mark).length
  return [',', ';', '\t'].toSorted((a, b) => uses(b) - uses(a))[0]!
}

function within(extent: { rows: number; columns: number }, limit: { maxRows: number; maxColumns: number }): void {
  if (extent.rows > limit.maxRows) throw new SheetError('sheet_too_large', { what: 'rows', limit: limit.maxRows })
  if (extent.columns > limit.maxColumns) {
    throw new SheetError('sheet_too_large', { what: 'columns', limit: limit.maxColumns })
  }
}

/** Rows of one length, without the empty rows and columns at the end. */
function rectangle(rows: Cell[][]): Cell[][] {
  let width = 0
  let height = 0
  for (const [y, row] of rows.entries()) {
    const last = row.findLastIndex((cell) => cell.type !== 'empty') + 1
    if (last > 0) height = y + 1
    width = Math.max(width, last)
  }
  return rows.slice(0, height).map((row) => Array.from({ length: width }, (_, x) => row[x] ?? empty))
}

function columnLetters(column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

function write(sheets: WriteSheet[]): Promise<Uint8Array> {
  const taken = new Set<string>()
  return writeXlsx({ sheets: sheets.map((sheet) => bookSheet(sheet, sheetName(sheet.name, taken))) })
}

function bookSheet(sheet: WriteSheet, name: string): BookSheet {
  const columns = sheet.columns.map((column) => bookColumn(column, sheet.rows))
  const cells: NonNullable<BookSheet['cells']> = new Map()
  const rows: CellValue[][] = [sheet.columns.map((column) => printable(column.header))]
  for (const [index, column] of sheet.columns.entries()) {
    cells.set(`0,${index}`, {
      style: { font: { bold: true }, numFmt: '@', alignment: { vertical: 'center', wrapText: true } },
      ...(column.note && { comment: { text: printable(column.note) } }),
    })
  }
  for (const [y, row] of sheet.rows.entries()) {
    rows.push(
      columns.map(({ column, value }, x) => {
        const written = value(row[column.key])
        // The writer takes a text such as #N/A for an error value; as rich text it stays text.
        if (typeof written === 'string' && written.startsWith('#')) {
          cells.set(`${y + 1},${x}`, { value: written, type: 'richText', richText: [{ text: written }] })
        }
        return written
      }),
    )
  }
  const filled = rows.length
  if (sheet.rows.length === 0) {
    for (let line = 0; line < preparedRows; line += 1) rows.push(columns.map(() => null))
  }
  return {
    name,
    columns: columns.map(({ column, width, format }) => ({
      width,
      numFmt: format,
      ...(column.hidden && { hidden: true }),
    })),
    rows,
    cells,
    freezePane: { rows: 1 },
    view: { rightToLeft: sheet.direction === 'rtl' },
    ...(sheet.columns.length > 0 && {
      autoFilter: { range: `A1:${columnLetters(sheet.columns.length)}${filled}` },
    }),
  }
}

/** Lines of an empty sheet that carry the columns' formats, so that a code typed there keeps its zeros. */
const preparedRows = 1_000

interface BookColumn {
  column: WriteColumn
  width: number
  format: string
  value: (raw: WriteValue) => CellValue
}

function bookColumn(column: WriteColumn, rows: WriteSheet['rows']): BookColumn {
  let longest = Math.min(24, column.header.length + 3)
  let places = 0
  for (const row of rows) {
    const text = String(row[column.key] ?? '')
    longest = Math.max(longest, text.length + 1)
    places = Math.max(places, /^-?\d+\.(\d+)$/.exec(text)?.[1]!.length ?? 0)
  }
  const formats = {
    text: '@',
    number: 'General',
    date: 'yyyy-mm-dd',
    decimal: places > 0 ? `0.${'0'.repeat(places)}` : '0',
  }
  return {
    column,
    width: column.width ?? Math.min(60, Math.max(8, longest)),
    format: formats[column.type],
    value: writers[column.type],
  }
}
