import { z } from 'zod'
import { call } from './call.ts'
import type { Access } from './call.ts'
import { importLinesQuery, importMend, importPreview } from './imports.ts'
import { idParam } from './schema.ts'
import type { Label } from './words.ts'

/** A sheet of a record by its step: `preview`, `save` at once, or the id of a preview that is to be saved. */
const step = z.object({ a: idParam, b: z.union([z.enum(['preview', 'save']), z.uuid()]) })
/** A sheet that waits to be saved. */
const waiting = z.object({ a: idParam, b: z.uuid() })

/**
 * The calls by which a sheet about one record is handed in: looked at, mended and saved. `{a}` is the record, `{b}`
 * the step or the preview. Spread them into the calls of the area; `handInHandlers` answers them, and `useHandIn`
 * sends them.
 *
 * @param preview what a preview says, where it is more than usual
 * @example ...handInCalls('/attendance/import', { permission: 'take_attendance', summaries: { import: […], lines: […],
 * mend: […] } })
 */
export const handInCalls = <const P extends string, S extends z.ZodType = typeof importPreview>(
  path: P,
  {
    permission,
    summaries,
    preview = importPreview as unknown as S,
  }: {
    readonly permission: Access
    readonly summaries: Readonly<Record<'import' | 'lines' | 'mend', Label>>
    readonly preview?: S
  },
) => ({
  import: call('POST', `${path}/{a}/{b}` as const, {
    permission,
    summary: summaries.import,
    params: step,
    upload: { field: 'file', accept: ['xlsx', 'csv'], optional: true },
    response: z.object({ data: preview.nullable(), saved: z.int(), operation_id: z.int().nullable() }),
  }),
  importLines: call('POST', `${path}/{a}/{b}/rows` as const, {
    permission,
    summary: summaries.lines,
    params: waiting,
    body: importLinesQuery,
    response: z.object({ data: preview }),
    reads: true,
  }),
  importMend: call('POST', `${path}/{a}/{b}/mend` as const, {
    permission,
    summary: summaries.mend,
    params: waiting,
    body: importMend,
    response: z.object({ data: preview }),
  }),
})
export type HandInCalls = ReturnType<typeof handInCalls<string, typeof importPreview>>
