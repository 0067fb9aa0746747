/** What is the same for every file of a bundle: columns, required cells, ids, references, codes. */
import { EARLIER } from './delta.rules.ts'
import { FILES, FILE_NAMES } from './bundle.rules.ts'
import type { BundleError, BundleNote, CsvFile, CsvRow, FileName } from './bundle.rules.ts'
import type { BundleErrorCode, BundleNoteCode } from './texts.rules.ts'

const ID = /^[\p{L}\p{N}._~:/-]{1,255}$/u
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]|<[a-z/!?]/i
const MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/
const EVERY_MARK = new RegExp(MARKS, 'g')
/** Title columns are names here: at most 200 characters. */
const MAX_CELL = 200
const STATUSES = ['active', 'inactive', 'tobedeleted']

/** Letters and digits of a name as a code: capitals where it has several, else its first word. */
export function codeFromName(name: string): string {
  const capitals = name.match(/\p{Lu}/gu)?.join('') ?? ''
  return capitals.length > 1 ? capitals : name.replace(/[^\p{L}\p{N}]+/gu, '').slice(0, 12)
}

/** A code as the university stores it: what is not a letter, digit or one of `-_./` becomes `-`. */
export const cleanCode = (text: string): string =>
  text
    .trim()
    .replace(/[^\p{L}\p{N}\-_./]+/gu, '-')
    .replace(/^[-_./]+|-+$/gu, '')
    .slice(0, 40)

/** Dates told lately: those of a term stand in every row. */
const dates = new Map<string, boolean>()

export function isDate(s: string): boolean {
  let known = dates.get(s)
  if (known === undefined) {
    if (dates.size >= 1000) dates.clear()
    dates.set(s, (known = looksLikeDate(s)))
  }
  return known
}
const looksLikeDate = (s: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(s)) return false
  const d = new Date(`${s}T00:00:00Z`)
  return !Number.isNaN(d.getTime()) && d.toISOString().slice(0, 10) === s
}

type Data = BundleError['data']
/** Rows of one file: those to be taken and those marked for removal, by sourcedId. */
export interface BundleRows {
  readonly file: FileName
  readonly live: ReadonlyMap<string, CsvRow>
  readonly removed: ReadonlySet<string>
}

/** Collects errors and notes; keeps the first of them and counts the rest. */
export class Findings {
  readonly errors: BundleError[] = []
  readonly notes: BundleNote[] = []
  error_count = 0
  note_count = 0
  readonly limit: number
  constructor(limit: number) {
    this.limit = limit
  }

  error(file: string, row: CsvRow | number | null, column: string | null, code: BundleErrorCode, data?: Data): void {
    this.error_count++
    if (this.errors.length >= this.limit) return
    const line = typeof row === 'number' ? row : (row?.line ?? null)
    const value = row !== null && typeof row === 'object' && column !== null ? row.cells[column] : undefined
    // What an earlier import brought stands in no file that could be corrected.
    if (row !== null && typeof row === 'object' && row.line === EARLIER) {
      this.errors.push({
        file: `${file}.csv`,
        line: null,
        column,
        code: 'roster_delta_breaks',
        data: { row: row.cells.sourcedId || row.cells.userSourcedId || '', column: column ?? '', value: value ?? '' },
      })
      return
    }
    this.errors.push({
      file: `${file}.csv`,
      line,
      column,
      code,
      ...(data && { data }),
      ...(value !== undefined && { value: value.slice(0, 500) }),
    })
  }

  note(file: string, row: CsvRow, column: string | null, code: BundleNoteCode, data?: Data): void {
    // It was noted when it came.
    if (row.line === EARLIER) return
    this.note_count++
    if (this.notes.length < this.limit)
      this.notes.push({ file: `${file}.csv`, line: row.line, column, code, ...(data && { data }) })
  }

  /** In the order of files and lines. */
  sort(): void {
    const order = new Map(['manifest', ...FILE_NAMES].map((name, i) => [`${name}.csv`, i]))
    const place = (a: { file: string; line: number | null }, b: { file: string; line: number | null }) =>
      (order.get(a.file) ?? 99) - (order.get(b.file) ?? 99) || (a.line ?? 0) - (b.line ?? 0)
    this.errors.sort(place)
    this.notes.sort(place)
  }

  /** Rows of a file, after the checks that are the same for every file. Direction marks are taken out of the cells. */
  take(file: FileName, { columns, rows }: CsvFile): BundleRows {
    const wanted = FILES[file].map((c) => ({ column: c.replace(/[*?]$/, ''), kind: /[*?]$/.exec(c)?.[0] ?? '' }))
    for (const { column, kind } of wanted)
      if (kind !== '?' && !columns.includes(column)) this.error(file, 1, column, 'roster_column_missing', { column })
    const live = new Map<string, CsvRow>()
    const removed = new Set<string>()
    for (let row of rows) {
      const status = (row.cells.status ?? '').toLowerCase()
      const id = row.cells.sourcedId ?? ''
      if (status && !STATUSES.includes(status))
        this.error(file, row, 'status', 'roster_value_not_known', {
          value: row.cells.status ?? '',
          values: STATUSES.join(', '),
        })
      if (status === 'tobedeleted' || status === 'inactive') {
        this.note(file, row, 'status', 'roster_row_removed', { status })
        if (id) removed.add(id)
        continue
      }
      for (const { column, kind } of wanted) {
        let cell = row.cells[column] ?? ''
        if (MARKS.test(cell)) {
          cell = cell.replace(EVERY_MARK, '').trim()
          row = { line: row.line, cells: { ...row.cells, [column]: cell } }
          this.note(file, row, column, 'roster_marks_removed')
        }
        if (cell === '') {
          if (kind === '*') this.error(file, row, column, 'roster_cell_required')
        } else if (
          cell.length > MAX_CELL &&
          column !== 'termSourcedIds' &&
          column !== 'orgSourcedIds' &&
          column !== 'sourcedId'
        )
          this.error(file, row, column, 'roster_cell_too_long', { max: MAX_CELL })
        else if (UNSAFE.test(cell)) this.error(file, row, column, 'roster_cell_not_allowed')
      }
      const own = row.cells.sourcedId ?? ''
      if (!own) continue
      if (!ID.test(own)) this.error(file, row, 'sourcedId', 'roster_id_not_valid')
      const earlier = live.get(own)
      if (earlier) this.error(file, row, 'sourcedId', 'roster_id_twice', { line: earlier.line })
      else live.set(own, row)
    }
    return { file, live, removed }
  }

  /** Whether a cell names a row of another file; `gone` when that row is marked for removal. */
  refer(
    file: FileName,
    row: CsvRow,
    column: string,
    to: BundleRows,
    value = row.cells[column] ?? '',
  ): boolean | 'gone' {
    if (!value) return false
    if (to.live.has(value)) return true
    if (to.removed.has(value)) return 'gone'
    this.error(file, row, column, 'roster_reference_missing', { file: `${to.file}.csv` })
    return false
  }

  oneOf(file: string, row: CsvRow, column: string, values: readonly string[]): void {
    const value = row.cells[column] ?? ''
    if (value && !values.includes(value))
      this.error(file, row, column, 'roster_value_not_known', { value, values: values.join(', ') })
  }

  date(file: FileName, row: CsvRow, column: string): string | null {
    const value = row.cells[column] ?? ''
    if (!value) return null
    if (isDate(value)) return value
    this.error(file, row, column, 'roster_date_not_valid')
    return null
  }

  /** Codes must tell records apart; the first holder's line is named. */
  unique(file: FileName, column: string, seen: Map<string, number>, row: CsvRow, key: string, code = key): void {
    const line = seen.get(key.toLowerCase())
    if (line !== undefined) this.error(file, row, column, 'roster_code_twice', { code, line })
    else seen.set(key.toLowerCase(), row.line)
  }

  /** The code of a row from the first of its cells that is filled. */
  code(file: FileName, row: CsvRow, columns: readonly string[]): string {
    const column = columns.find((one) => row.cells[one]) ?? columns[0]!
    const given = row.cells[column] ?? ''
    const code = cleanCode(given)
    if (given && !code) this.error(file, row, column, 'roster_code_empty', { code: given })
    return code
  }

  /** Rows whose parents lead back to themselves: each of them is an error. */
  circles(file: FileName, rows: BundleRows): void {
    const settled = new Set<string>()
    for (const start of rows.live.keys()) {
      const way: string[] = []
      const places = new Map<string, number>()
      let at = start
      for (; at && !settled.has(at) && !places.has(at); at = parentOf(rows, at)) {
        places.set(at, way.length)
        way.push(at)
      }
      for (const id of way.slice(places.get(at) ?? way.length)) {
        const row = rows.live.get(id)
        if (row) this.error(file, row, 'parentSourcedId', 'roster_parent_circle')
      }
      for (const id of way) settled.add(id)
    }
  }
}

const parentOf = (rows: BundleRows, id: string): string => rows.live.get(id)?.cells.parentSourcedId ?? ''

/** A row and those above it, nearest first; ends where a circle closes. */
export function* upwards(rows: BundleRows, id: string): Generator<CsvRow> {
  const met = new Set<string>()
  for (let at = id; at && !met.has(at); at = parentOf(rows, at)) {
    met.add(at)
    const row = rows.live.get(at)
    if (row) yield row
  }
}
