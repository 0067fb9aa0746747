import { PoolError, TaskError, WorkerPool } from '../workers/pool.ts'
import { readDirectory, sheetLimits } from './archive.ts'
import { SheetError } from './error.ts'
import type { SheetErrorCode } from './error.ts'
import type { FormSheet, FormValue } from './form.ts'

/** What a cell holds; `text` of a `date` is `YYYY-MM-DD`, of a `time` `HH:MM:SS`, of a `datetime` both with a `T`. */
export type CellType = 'empty' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'datetime' | 'error'

export interface Cell {
  /** Trimmed. Numbers without exponent or float noise (`3.7`), booleans `true` and `false`, errors as `#N/A`. */
  text: string
  type: CellType
  /** The cell holds a formula; `text` is the result its program saved. A formula never run reads as an `error`. */
  formula?: true
}

/** `rows[0]` is the first line of the sheet; every row is as long as the widest. Empty rows and columns at the end are left out. */
export interface ReadSheet {
  name: string
  rows: Cell[][]
}

export interface ReadOptions {
  /** Lines a sheet may have, its header included. Default 20,000. */
  maxRows?: number
  /** Default 100. */
  maxColumns?: number
  /** Sheets a workbook may have. Default 20. */
  maxSheets?: number
}

export type WriteValue = string | number | boolean | null | undefined

export interface WriteColumn {
  header: string
  key: string
  /**
   * `text` is kept as typed (`=1+1`, `0012`), also what people type into a sheet written without rows. `number` and `decimal` take numbers or
   * their text; `decimal` shows as many places as its longest value. `date` takes `YYYY-MM-DD`. What does not fit its
   * type is written as text.
   */
  type: 'text' | 'number' | 'date' | 'decimal'
  /** Characters; by default what the content needs. */
  width?: number
  /** A comment on the header. */
  note?: string
  /** Not shown, unless somebody unhides it. */
  hidden?: boolean
}

export interface WriteSheet {
  /** Made valid for Excel: at most 31 characters, none of `[]:*?/\`, unique in the workbook. */
  name: string
  direction: 'rtl' | 'ltr'
  columns: WriteColumn[]
  rows: Record<string, WriteValue>[]
}

export type SheetTask =
  | { do: 'read'; bytes: Uint8Array; maxRows: number; maxColumns: number; maxSheets: number }
  | { do: 'csv'; bytes: Uint8Array; maxRows: number; maxColumns: number }
  | { do: 'write'; sheets: WriteSheet[] }
  | { do: 'form'; bytes: Uint8Array }
  | { do: 'fill'; bytes: Uint8Array; values: readonly FormValue[] }

const open = () =>
  new WorkerPool<SheetTask, unknown>(new URL('./sheet.worker.ts', import.meta.url), {
    size: 2,
    timeMs: 30_000,
    heapMb: 768,
    queue: 100,
  })
let pool: ReturnType<typeof open> | undefined

/**
 * Reads an XLSX workbook. Everything hostile is refused with a `SheetError` before or in a thread of its own; formulas
 * are never run. Hidden sheets are read like others.
 */
export async function readSheet(bytes: Uint8Array, options: ReadOptions = {}): Promise<{ sheets: ReadSheet[] }> {
  refuseLarge(bytes)
  refuseOthers(bytes)
  const names = new Set(readDirectory(bytes).map((entry) => entry.name.toLowerCase()))
  if ([...names].some((name) => /vbaproject|\/macrosheets\/|\/dialogsheets\/|\/activex\//.test(name))) {
    throw new SheetError('sheet_has_macros')
  }
  if (!names.has('[content_types].xml') || !names.has('_rels/.rels')) {
    throw new SheetError('not_a_spreadsheet', { format: 'zip' })
  }
  const { maxRows = 20_000, maxColumns = 100, maxSheets = 20 } = options
  return { sheets: (await run({ do: 'read', bytes, maxRows, maxColumns, maxSheets })) as ReadSheet[] }
}

/**
 * Reads comma, semicolon or tab separated text in UTF-8, with or without a byte order mark, or in UTF-16 with one, as one
 * sheet without a name. Every cell is text, so nothing is taken for a date or loses its zeros.
 */
export async function readCsv(
  bytes: Uint8Array,
  options: Omit<ReadOptions, 'maxSheets'> = {},
): Promise<{ sheets: ReadSheet[] }> {
  refuseLarge(bytes)
  const { maxRows = 20_000, maxColumns = 100 } = options
  return { sheets: (await run({ do: 'csv', bytes, maxRows, maxColumns })) as ReadSheet[] }
}

/** Makes an XLSX workbook: bold frozen header with filters, text kept as text, Arabic sheets from the right. */
export async function writeSheet(book: { sheets: WriteSheet[] }): Promise<Uint8Array> {
  return (await run({ do: 'write', sheets: book.sheets })) as Uint8Array
}

/** What of a workbook is needed to show it as a form beside its cells (`readSheet`). @throws {SheetError} also where it reaches out of itself */
export const readForm = async (bytes: Uint8Array): Promise<FormSheet[]> =>
  (await run({ do: 'form', bytes })) as FormSheet[]
/** A workbook that somebody drew, with some of its cells filled and everything else as it was. */
export const fillForm = async (bytes: Uint8Array, values: readonly FormValue[]): Promise<Uint8Array> =>
  (await run({ do: 'fill', bytes, values })) as Uint8Array

/** Ends the threads, for an orderly stop of the process. */
export async function closeSheets(): Promise<void> {
  const closing = pool
  pool = undefined
  await closing?.close()
}

async function run(task: SheetTask): Promise<unknown> {
  try {
    return await (pool ??= open()).run(task)
  } catch (cause) {
    if (cause instanceof TaskError) {
      if (task.do === 'write') throw cause
      throw new SheetError((cause.code as SheetErrorCode) ?? 'sheet_broken', cause.data ?? { reason: cause.message }, {
        cause,
      })
    }
    if (cause instanceof PoolError) {
      if (cause.reason === 'memory') throw new SheetError('sheet_too_large', { what: 'memory' }, { cause })
      if (cause.reason === 'time') throw new SheetError('sheet_timeout', {}, { cause })
      if (cause.reason === 'busy') throw new SheetError('sheet_busy', {}, { cause })
      if (cause.reason === 'crash') throw new SheetError('sheet_broken', { reason: 'crash' }, { cause })
    }
    throw cause
  }
}

function refuseLarge(bytes: Uint8Array): void {
  if (bytes.byteLength > sheetLimits.bytes) {
    throw new SheetError('sheet_too_large', { what: 'bytes', limit: sheetLimits.bytes })
  }
}

function refuseOthers(bytes: Uint8Array): void {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_096))
  if (head.length > 4 && head.readUInt32LE(0) === 0x04034b50) return
  if (head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1') {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (all.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw new SheetError('sheet_encrypted')
    throw new SheetError('not_a_spreadsheet', { format: 'xls' })
  }
  const text = head.toString('latin1').trimStart().toLowerCase()
  const format = /^(\xef\xbb\xbf)?\s*<(!doctype html|html|table|\?xml|head|body|meta)/.test(text)
    ? 'html'
    : head.includes(0)
      ? 'unknown'
      : 'text'
  throw new SheetError('not_a_spreadsheet', { format })
}
