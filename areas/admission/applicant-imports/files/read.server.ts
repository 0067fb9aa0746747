/** Reads files of ministries: their headings when they are handed in, then all rows as they come out of the store. */
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse'
import type { Ctx, Upload } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { readSheet, SheetError, type Cell } from '#kit/server/sheets/index.ts'
import { sheetDelimiter, type SheetEncoding } from '../sheet.rules.ts'

/** Rows of a workbook: it is unpacked as a whole. A text is as long as it may be large. */
const MOST_ROWS = 50_000
const MOST_COLUMNS = 100
/** Characters of a row. */
const LONGEST_ROW = 200_000
const FIRST = 5
/** Characters of a cell that are shown. */
const SHOWN = 60

export interface SheetFile {
  readonly hash: string
  readonly format: 'csv' | 'xlsx'
  readonly encoding: SheetEncoding
}
export interface SheetHead {
  readonly headings: string[]
  readonly first: string[][]
}
/** A row of a file: its line counted from 1, what stands in it, and which cells hold a formula. */
export interface MinistryRow {
  readonly row: number
  readonly cells: readonly string[]
  readonly formulas?: ReadonlySet<number>
}

/** UTF-8 where the bytes are; else what Arabic Windows writes. A letter that is cut at the end is no fault. */
export function guessEncoding(head: Uint8Array): SheetEncoding {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    return 'windows-1256'
  }
}

const clean = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/g, ' ').trim()
const refused = (error: unknown): unknown =>
  error instanceof SheetError ? refuse(422, error.code, error.data, 'file') : error

/** Text of bytes as they come. @throws {Refusal} 422 where they are not of this encoding */
async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: SheetEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of bytes) {
      const text = decoder.decode(chunk, { stream: true })
      if (text.includes('\0')) throw refuse(422, 'not_a_spreadsheet', { format: 'unknown' }, 'file')
      yield text
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError && 'code' in error) throw refuse(422, 'applicant_file_encoding', {}, 'file')
    throw error
  }
}

/** Records of a text as they come, the headings first. Empty lines are left out, and counted. */
async function* records(text: AsyncIterable<string>): AsyncGenerator<MinistryRow> {
  const pieces = text[Symbol.asyncIterator]()
  const { value: begun = '' } = await pieces.next()
  const separated = /^\uFEFF?sep=([,;\t|])\r?\n/i.exec(begun)
  const start = separated ? begun.slice(separated[0].length) : begun
  const parser = parse({
    bom: true,
    delimiter: separated?.[1] ?? sheetDelimiter(start),
    relax_column_count: true,
    max_record_size: LONGEST_ROW,
    skip_empty_lines: false,
  })
  const feeding = (async () => {
    try {
      for (let piece = start; ;) {
        if (!parser.write(piece)) await new Promise((go) => void parser.once('drain', go).once('close', go))
        const next = await pieces.next()
        if (next.done || parser.destroyed) break
        piece = next.value
      }
      parser.end()
    } catch (error) {
      parser.destroy(error as Error)
    }
  })()
  let row = separated ? 1 : 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row++
      const cells = record.map(clean)
      if (cells.some((cell) => cell !== '')) yield { row, cells }
    }
    await feeding
  } catch (error) {
    const { code, lines } = error as { code?: string; lines?: number }
    if (typeof code === 'string' && code.startsWith('CSV_'))
      throw refuse(
        422,
        code === 'CSV_MAX_RECORD_SIZE' ? 'applicant_file_long' : 'applicant_file_broken',
        { line: lines ?? row + 1 },
        'file',
      )
    throw error
  } finally {
    parser.destroy()
  }
}

const ofBook = (cells: readonly Cell[], row: number): MinistryRow => {
  const formulas = new Set(cells.flatMap((cell, at) => (cell.formula ? [at] : [])))
  return { row, cells: cells.map((cell) => clean(cell.text)), ...(formulas.size && { formulas }) }
}

/** All rows of a file in the store, the headings first. @throws {Refusal} 422 */
export async function* ministryRows(ctx: Ctx, file: SheetFile): AsyncGenerator<MinistryRow> {
  const stored: Readable = await ctx.services.storage.get(file.hash)
  try {
    if (file.format === 'csv') {
      yield* records(decoded(stored, file.encoding))
      return
    }
    const { sheets } = await readSheet(await buffer(stored), { maxRows: MOST_ROWS + 1, maxColumns: MOST_COLUMNS })
    const rows = (sheets.find((sheet) => sheet.rows.length > 1) ?? sheets[0])?.rows ?? []
    for (const [i, cells] of rows.entries()) if (cells.some((cell) => cell.type !== 'empty')) yield ofBook(cells, i + 1)
  } catch (error) {
    throw refused(error)
  } finally {
    stored.destroy()
  }
}

/** Headings and first rows of a file. @throws {Refusal} 422 where nothing stands under the headings */
export async function sheetHead(ctx: Ctx, file: SheetFile): Promise<SheetHead> {
  let headings: string[] | null = null
  const first: string[][] = []
  for await (const { cells } of ministryRows(ctx, file)) {
    if (headings) first.push(cells.map((cell) => cell.slice(0, SHOWN)))
    else headings = [...cells]
    if (first.length === FIRST) break
  }
  if (!headings || !first.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  while (headings.at(-1) === '') headings.pop()
  if (headings.length > MOST_COLUMNS)
    throw refuse(422, 'sheet_too_large', { what: 'columns', limit: MOST_COLUMNS }, 'file')
  return { headings: headings.map((heading) => heading.slice(0, 200)), first }
}

/** What an upload is. */
export const fileOf = ({ ext, content, stored }: Upload): SheetFile & { readonly size: number } => {
  if (!stored) throw refuse(422, 'file_missing', undefined, 'file')
  const format = ext === 'xlsx' ? 'xlsx' : 'csv'
  return { ...stored, format, encoding: format === 'xlsx' ? 'utf-8' : guessEncoding(content) }
}

/** Whether text of more than plain Latin is certainly UTF-8: whoever reads it as something else is stopped. */
export async function isUtf8(ctx: Ctx, hash: string): Promise<boolean> {
  const stored: Readable = await ctx.services.storage.get(hash)
  for await (const chunk of stored as AsyncIterable<Uint8Array>) {
    stored.destroy()
    return chunk.some((byte) => byte > 127) && guessEncoding(chunk) === 'utf-8'
  }
  return false
}
