/** Files of banks, read in a thread of their own with limits of time and memory. */
import { refuse } from '#kit/server/base/errors.ts'
import { readDirectory } from '#kit/server/sheets/archive.ts'
import { readSheet, SheetError } from '#kit/server/sheets/index.ts'
import { PoolError, TaskError, WorkerPool } from '#kit/server/workers/pool.ts'
import { MOST_LINES } from './statement.rules.ts'
import type { FileReading, FileTask } from './read.server.ts'

const LIMITS = { size: 1, timeMs: 60_000, heapMb: 1024, queue: 8, tasksPerThread: 4 } as const
const open = () => new WorkerPool<FileTask, FileReading>(new URL('./file.worker.ts', import.meta.url), LIMITS)
let pool: ReturnType<typeof open> | undefined

/** Whether a ZIP is a sheet, by what stands in its directory. */
const isSheet = (bytes: Uint8Array): boolean =>
  readDirectory(bytes).some(({ name }) => name === '[Content_Types].xml' || name === 'mimetype')
const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/**
 * What a file of a bank says. @throws {Refusal} 422 with why it cannot be read: another message of the family, a document type
 * or entities, too deep or long, no statement, too many lines
 */
export async function readBankFile(
  bytes: Uint8Array,
  ways: Omit<FileTask, 'bytes' | 'rows' | 'zip'>,
): Promise<FileReading> {
  try {
    if (!isZip(bytes)) return await (pool ??= open()).run({ bytes, ...ways })
    if (!isSheet(bytes)) return await (pool ??= open()).run({ zip: bytes, ...ways })
    const { sheets } = await readSheet(bytes, { maxRows: MOST_LINES + 100, maxColumns: 60 })
    // The first sheet that holds something.
    const found = (sheets.find((sheet) => sheet.rows.length > 1) ?? sheets[0])?.rows ?? []
    const rows = found.map((row) =>
      row.map(({ text, type, formula }) => ({
        text,
        ...(formula && { formula }),
        ...(type === 'number' && { numeric: true }),
      })),
    )
    return await (pool ??= open()).run({ rows, ...ways })
  } catch (error) {
    if (error instanceof SheetError) throw refuse(422, error.code, error.data, 'file')
    if (error instanceof TaskError && error.code) throw refuse(422, error.code, error.data, 'file')
    if (error instanceof PoolError && (error.reason === 'memory' || error.reason === 'time'))
      throw refuse(422, 'file_too_much', {}, 'file')
    if (error instanceof PoolError && error.reason === 'busy') throw refuse(503, 'maintenance')
    throw error
  }
}
