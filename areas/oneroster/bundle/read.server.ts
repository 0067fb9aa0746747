import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { checkBundle } from '../oneroster.rules.ts'
import { READ_FILES } from './bundle.rules.ts'
import type { BundleError, Checked, Correction, CsvFile, CsvRow } from './bundle.rules.ts'

/** Unpacked size of a bundle at most, in bytes: a university of a million enrolments is under it. */
const MAX_UNPACKED = 512 * 1024 * 1024

/** Files of a bundle by name without `.csv`. */
export type BundleFiles = Readonly<Record<string, Uint8Array | undefined>>

const plain = (path: string): string =>
  path
    .split('/')
    .at(-1)!
    .replace(/\.csv$/i, '')

/** Why a ZIP cannot be read; `code` is that of the refusal. */
export class ArchiveError extends Error {
  readonly code: 'bundle_too_large' | 'bundle_not_readable'
  readonly data: Record<string, unknown>
  constructor(code: ArchiveError['code'], data: Record<string, unknown> = {}) {
    super(code)
    this.code = code
    this.data = data
  }
}

/** The files of a ZIP, at its root or in one folder. @throws {ArchiveError} */
export function unpack(zip: Uint8Array): BundleFiles {
  let size = 0
  try {
    const files = unzipSync(zip, {
      filter: (file) => {
        if (!(plain(file.name) in READ_FILES)) return false
        size += file.originalSize
        if (size > MAX_UNPACKED) throw new ArchiveError('bundle_too_large', { max: MAX_UNPACKED / 1024 / 1024 })
        return true
      },
    })
    return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [plain(name), bytes]))
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError('bundle_not_readable')
  }
}

/** A CSV file as rows of text with their lines, only the columns that are read, or why it is none. */
function readCsvFile(name: string, bytes: Uint8Array): { file: CsvFile; errors: BundleError[] } {
  const wanted = READ_FILES[name]!
  const errors: BundleError[] = []
  const broken = (line: number | null, reason: string) =>
    errors.push({ file: `${name}.csv`, line, column: null, code: 'roster_csv_broken', data: { reason } })
  let columns: string[] | undefined
  let taken: (readonly [string, number])[] = []
  const rows: CsvRow[] = []
  if (!isUtf8(bytes)) broken(null, 'not UTF-8')
  else
    try {
      parse(bytes as Buffer, {
        bom: true,
        trim: true,
        skip_empty_lines: true,
        relax_column_count: true,
        max_record_size: 100_000,
        on_record: (record: string[], { lines }) => {
          if (!columns) {
            columns = record
            taken = wanted.flatMap((column) => {
              const at = record.indexOf(column)
              return at < 0 ? [] : [[column, at] as const]
            })
            for (const [i, column] of record.entries())
              if (column && record.indexOf(column) < i)
                errors.push({
                  file: `${name}.csv`,
                  line: 1,
                  column,
                  code: 'roster_column_twice',
                  data: { column },
                })
            return null
          }
          // `lines` is where the record ends; cells may hold line breaks.
          let line = lines
          for (const cell of record) if (cell.includes('\n')) line -= cell.split('\n').length - 1
          if (record.length !== columns.length && errors.length < 100)
            broken(line, `${record.length} cells under ${columns.length} columns`)
          const cells: Record<string, string> = {}
          for (const [column, at] of taken) cells[column] = record[at] ?? ''
          rows.push({ line, cells })
          return null
        },
      })
    } catch (error) {
      broken((error as { lines?: number }).lines ?? null, (error as Error).message.slice(0, 200))
    }
  return { file: { columns: columns ?? [], rows }, errors }
}

/** Reads and checks a bundle. Files that are no CSV are told before anything else is looked at. */
export function readFiles(files: BundleFiles, corrections: readonly Correction[] = []): Checked {
  const read: Record<string, CsvFile> = {}
  const errors: BundleError[] = []
  for (const name of Object.keys(READ_FILES)) {
    const bytes = files[name]
    if (!bytes) continue
    const { file, errors: broken } = readCsvFile(name, bytes)
    read[name] = file
    errors.push(...broken)
  }
  if (!errors.length) return checkBundle(read, corrections)
  const source = read.manifest?.rows.find((r) => r.cells.propertyName === 'source.systemCode')?.cells.value
  return {
    source: source || 'oneroster',
    bundle: null,
    errors,
    error_count: errors.length,
    notes: [],
    note_count: 0,
  }
}
