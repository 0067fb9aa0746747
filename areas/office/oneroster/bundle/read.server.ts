import { isUtf8 } from 'node:buffer'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { checkBundle, corrected } from '../oneroster.rules.ts'
import { READ_FILES, neededColumns } from './bundle.rules.ts'
import type { BundleError, Checked, Correction, CsvFile, CsvRow } from './bundle.rules.ts'
import { readCsv } from './csv.rules.ts'
import { bundleCsv, isDelta, overLast, sourceOf } from './delta.rules.ts'

/** Unpacked size of a bundle at most, in bytes: a university of a million enrolments is under it. */
const MAX_UNPACKED = 512 * 1024 * 1024

/** Texts of a file that are looked up among those met before. */
const MOST_REPEATED = 100_000

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

/** What is wrong with a heading: then nothing below it is looked at, because all of it would be wrong for the same reason. */
function headingErrors(
  file: string,
  header: readonly string[],
  known: readonly string[],
  needed: readonly string[],
): BundleError[] {
  const error = (code: BundleError['code'], column: string | null, data: BundleError['data']): BundleError => ({
    file,
    line: 1,
    column,
    code,
    ...(data && { data }),
  })
  const [only = ''] = header
  const mark = header.length === 1 ? [';', '\t', '|'].find((one) => only.includes(one)) : undefined
  if (mark) return [error('roster_delimiter', null, { mark: mark === '\t' ? 'TAB' : mark })]
  const lower = new Map(header.map((column) => [column.toLowerCase().replace(/[\s_-]/g, ''), column]))
  return [
    ...header.flatMap((column, i) =>
      column && header.indexOf(column) < i ? [error('roster_column_twice', column, { column })] : [],
    ),
    ...known.flatMap((column) => {
      if (header.includes(column)) return []
      const written = lower.get(column.toLowerCase())
      if (written !== undefined) return [error('roster_column_written', written, { column: written, wanted: column })]
      return needed.includes(column) ? [error('roster_column_missing', column, { column })] : []
    }),
  ]
}

/** A CSV file as rows of text with their lines, only the columns that are read, or why it is none. */
function readCsvFile(name: string, bytes: Uint8Array, version: string): { file: CsvFile; errors: BundleError[] } {
  const place = `${name}.csv`
  const errors: BundleError[] = []
  const broken = (line: number | null, reason: string) =>
    void errors.push({ file: place, line, column: null, code: 'roster_csv_broken', data: { reason } })
  if (!isUtf8(bytes)) {
    broken(null, 'not UTF-8')
    return { file: { columns: [], rows: [] }, errors }
  }
  let columns: readonly string[] = []
  let taken: readonly string[] = []
  const rows: CsvRow[] = []
  // Most cells repeat (classes, people, days): each text is kept once.
  const seen = new Map<string, string>()
  let empty: Readonly<Record<string, string>> = {}
  const once = (cell: string): string => {
    const known = seen.get(cell)
    if (known !== undefined) return known
    if (seen.size < MOST_REPEATED) seen.set(cell, cell)
    return cell
  }
  const faults = readCsv(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    (header) => {
      columns = header
      errors.push(...headingErrors(place, header, READ_FILES[name]!, neededColumns(name, version)))
      if (errors.length) return []
      const wanted = header.flatMap((column, i) =>
        READ_FILES[name]!.includes(column) && header.indexOf(column) === i ? [i] : [],
      )
      taken = wanted.map((i) => header[i]!)
      empty = Object.fromEntries(taken.map((column) => [column, '']))
      return wanted
    },
    (record, line) => {
      if (errors.length) return
      // A copy has all its columns at once, which takes half the memory of adding one after the other.
      const cells: Record<string, string> = { ...empty }
      for (let i = 0; i < taken.length; i++)
        cells[taken[i]!] = taken[i] === 'sourcedId' ? (record[i] ?? '') : once(record[i] ?? '')
      rows.push({ line, cells })
    },
  )
  if (errors.length) return { file: { columns, rows: [] }, errors }
  if (!columns.length && !faults.length)
    errors.push({ file: place, line: null, column: null, code: 'roster_file_empty' })
  for (const { line, reason } of faults) broken(line, reason)
  return { file: { columns, rows }, errors }
}

/** From which system a bundle comes, and whether it tells only what changed; what cannot be read is told by `readFiles`. */
export function readManifest(files: BundleFiles): { readonly source: string; readonly delta: boolean } {
  const { manifest } = files
  const file = manifest && readCsvFile('manifest', manifest, '1.2').file
  return { source: sourceOf(file), delta: isDelta(file) }
}

/** The manifest of a ZIP alone. @throws {ArchiveError} */
export function unpackManifest(zip: Uint8Array): BundleFiles {
  try {
    const [manifest] = Object.values(
      unzipSync(zip, { filter: ({ name, originalSize }) => plain(name) === 'manifest' && originalSize < 1_000_000 }),
    )
    return { manifest }
  } catch {
    throw new ArchiveError('bundle_not_readable')
  }
}

/**
 * Reads and checks a bundle. Files that are no CSV are told before anything else is looked at.
 *
 * @param last files of the last import from the same system, which a delta is laid over
 * @param keep also gives the whole bundle back as a ZIP, for the next delta
 */
export function readFiles(
  files: BundleFiles,
  corrections: readonly Correction[] = [],
  { last, keep = false }: { readonly last?: BundleFiles | undefined; readonly keep?: boolean } = {},
): Checked & { readonly kept?: Uint8Array } {
  const { read, errors } = readAll(files)
  const source = sourceOf(read.manifest)
  const failed = (found: readonly BundleError[]): Checked => ({
    source,
    bundle: null,
    errors: found,
    error_count: found.length,
    notes: [],
    note_count: 0,
  })
  if (errors.length) return failed(errors)
  const whole = isDelta(read.manifest) ? overLast(last ? readAll(last).read : null, read) : read
  if (!whole)
    return failed([
      { file: 'manifest.csv', line: null, column: null, code: 'roster_delta_without_base', data: { source } },
    ])
  const checked = checkBundle(whole, corrections)
  return keep && checked.bundle ? { ...checked, kept: zipOf(corrected(whole, corrections)) } : checked
}

const zipOf = (files: Readonly<Record<string, CsvFile | undefined>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).flatMap(([name, file]) =>
        file ? [[`${name}.csv`, strToU8(bundleCsv(file, READ_FILES[name]!))]] : [],
      ),
    ),
  )

/** Every file of a bundle that is read, and why some are no CSV. */
function readAll(files: BundleFiles): { read: Record<string, CsvFile>; errors: BundleError[] } {
  const read: Record<string, CsvFile> = {}
  const errors: BundleError[] = []
  let version = '1.2'
  // The manifest comes first: it says by which version the others are to be read.
  for (const name of Object.keys(READ_FILES)) {
    const bytes = files[name]
    if (!bytes) continue
    const { file, errors: broken } = readCsvFile(name, bytes, version)
    read[name] = file
    if (name === 'manifest')
      version = file.rows.find((row) => row.cells.propertyName === 'oneroster.version')?.cells.value ?? version
    errors.push(...broken)
  }
  return { read, errors }
}
