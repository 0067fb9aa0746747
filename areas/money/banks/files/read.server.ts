/** Reads a file of a bank, whatever its format. Runs in a thread: what hangs or grows costs that thread alone. */
import { parse } from 'csv-parse/sync'
import { readDirectory, unzipEntry } from '#kit/server/sheets/archive.ts'
import { readTable, tooManyLines } from './columns.rules.ts'
import type { ColumnRole, TableFormat, TableRow } from './columns.rules.ts'
import { decoded, delimiterOf } from './decode.server.ts'
import { isMt940, readMt940 } from './mt940.rules.ts'
import { isOfx, readOfx } from './ofx.rules.ts'
import { isQif, readQif } from './qif.rules.ts'
import { balanceNotes, MOST_LINES } from './statement.rules.ts'
import type { BankStatement, BankStatementLine, FileProblem, ReadFile } from './statement.rules.ts'
import { readCamt } from './xml.server.ts'

export interface FileTask {
  readonly bytes?: Uint8Array
  /** Statements that came packed together. */
  readonly zip?: Uint8Array
  /** Rows of a sheet, read already. */
  readonly rows?: readonly TableRow[]
  readonly currency: string
  readonly remembered?: TableFormat | null
  readonly said?: Partial<TableFormat> | null
}
/** What was read; or what has to be said of its columns before it can be. */
export type FileReading =
  | (ReadFile & { readonly table: (TableShown & { readonly format: TableFormat }) | null })
  | {
      readonly unread: TableShown & {
        readonly lacking: readonly ColumnRole[]
        readonly proposed: Partial<Record<ColumnRole, string>>
      }
    }
/** What a person sees of a table to say what its columns are. */
interface TableShown {
  readonly headings: readonly string[]
  readonly first: readonly (readonly string[])[]
}

const COLUMNS = 60
const CELL = 2_000
const FIRST = 8

export function readFile({ bytes, zip, rows, currency, remembered, said }: FileTask): FileReading {
  if (rows) return fromTable('xlsx', rows, { currency, remembered, said })
  if (zip) return together(unpacked(zip).map((one) => readFile({ bytes: one, currency, remembered, said })))
  const text = decoded(bytes!)
  if (isOfx(text)) return { ...readOfx(text), table: null }
  if (/^\s*</.test(text.slice(0, 1000))) return { ...readCamt(text), table: null }
  if (isMt940(text)) return { ...readMt940(text), table: null }
  if (isQif(text)) {
    const { rows: movements, places } = readQif(text)
    return fromTable('qif', movements, { currency, remembered, said }, places)
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000E-\u001F]/.test(text.slice(0, 100_000)))
    throw Object.assign(new Error('binary'), { code: 'file_unknown', data: {} })
  let records: string[][]
  try {
    records = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: 100_000,
    })
  } catch (cause) {
    const { lines } = cause as { lines?: number }
    throw Object.assign(new Error('broken'), { code: 'file_csv_broken', data: { line: lines ?? 1 } })
  }
  const cells = records.map((record) => record.slice(0, COLUMNS).map((cell) => ({ text: cell.slice(0, CELL).trim() })))
  return fromTable('csv', cells, { currency, remembered, said })
}

function fromTable(
  format: 'csv' | 'xlsx' | 'qif',
  rows: readonly TableRow[],
  ways: Pick<FileTask, 'currency' | 'remembered' | 'said'>,
  places?: readonly number[],
): FileReading {
  const read = readTable(rows, { ...ways, places })
  const first = rows.slice(0, FIRST).map((row) => row.map((cell) => cell.text.slice(0, 60)))
  if ('lacking' in read) return { unread: { ...read, first } }
  const { statement, lines, notes, headings } = read
  return {
    format,
    statements: [statement],
    lines,
    // Where balances of lines do not follow, the ends would say the same again.
    notes: notes.some((note) => note.code === 'file_balance_line')
      ? notes
      : [...notes, ...balanceNotes([statement], lines)],
    table: { format: read.format, headings, first },
  }
}

/** Statements that came packed together as one file: their entries are counted on, so that each has a place of its own. */
function together(files: readonly FileReading[]): FileReading {
  const [first] = files
  if (files.length === 1) return first!
  const statements: BankStatement[] = []
  const lines: BankStatementLine[] = []
  const notes: FileProblem[] = []
  let before = 0
  for (const file of files) {
    if ('unread' in file || file.table) throw Object.assign(new Error('table'), { code: 'file_zip_tables', data: {} })
    const moved = (line: number | null) => (line === null ? null : line + before)
    notes.push(...file.notes.map((note) => ({ ...note, line: moved(note.line) })))
    for (const line of file.lines) {
      if (lines.length >= MOST_LINES) throw tooManyLines()
      lines.push({ ...line, line: line.line + before, statement: line.statement + statements.length })
    }
    statements.push(...file.statements)
    before = lines.reduce((most, line) => Math.max(most, line.line), before)
  }
  return { format: (first as ReadFile).format, statements, lines, notes, table: null }
}

const stop = (code: string, data: Readonly<Record<string, unknown>> = {}) =>
  Object.assign(new Error(code), { code, data })
/** Statements that may come packed together. */
const MOST_PACKED = 100
/** The files of a ZIP of a bank, in the order of their names, which banks write by day and number. Limits are those of sheets. */
function unpacked(bytes: Uint8Array): Uint8Array[] {
  const files = readDirectory(bytes).filter(
    ({ name, unzipped }) => unzipped > 0 && !name.endsWith('/') && !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name),
  )
  if (!files.length) throw stop('file_no_statement', { found: '' })
  if (files.length > MOST_PACKED) throw stop('file_zip_many', { most: MOST_PACKED })
  return files
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const content = unzipEntry(bytes, entry)
      if (content[0] === 0x50 && content[1] === 0x4b) throw stop('file_zip_nested', { name: entry.name.slice(0, 60) })
      return content
    })
}
