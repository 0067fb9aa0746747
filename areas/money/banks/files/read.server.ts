/** Reads a file of a bank, whatever its format. Runs in a thread: what hangs or grows costs that thread alone. */
import { parse } from 'csv-parse/sync'
import { readTable } from './columns.rules.ts'
import type { ColumnRole, TableFormat, TableRow } from './columns.rules.ts'
import { decoded, delimiterOf } from './decode.server.ts'
import { isMt940, readMt940 } from './mt940.rules.ts'
import { balanceNotes } from './statement.rules.ts'
import type { ReadFile } from './statement.rules.ts'
import { readCamt } from './xml.server.ts'

export interface FileTask {
  readonly bytes?: Uint8Array
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

export function readFile({ bytes, rows, currency, remembered, said }: FileTask): FileReading {
  if (rows) return fromTable('xlsx', rows, { currency, remembered, said })
  const text = decoded(bytes!)
  if (/^\s*</.test(text.slice(0, 1000))) return { ...readCamt(text), table: null }
  if (isMt940(text)) return { ...readMt940(text), table: null }
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
  format: 'csv' | 'xlsx',
  rows: readonly TableRow[],
  ways: Omit<FileTask, 'bytes' | 'rows'>,
): FileReading {
  const read = readTable(rows, ways)
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
