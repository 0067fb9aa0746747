import { z } from 'zod'
import { call } from './call.ts'
import { problem } from './schema.ts'

const label = z.tuple([z.string(), z.string()])
const person = z.object({ name: z.string(), name_local: z.string() })

/** What was done to many records at once, and whether it can be taken back. */
export const operationRow = z.object({
  id: z.int(),
  kind: z.string(),
  label,
  /** Facts for its title, e.g. the name of the file. */
  facts: z.record(z.string(), z.unknown()),
  counts: z.record(z.string(), z.int()),
  at: z.string(),
  by: person.nullable(),
  expires_at: z.string(),
  undone_at: z.string().nullable(),
  undone_by: person.nullable(),
  undone: z.object({ changed: z.int(), removed: z.int(), restored: z.int(), kept: z.int() }).nullable(),
  /** `undo` while the reader may take it back. */
  abilities: z.array(z.string()),
})

/** What is put back, and what is left because somebody changed it since. */
export const undoResult = z.object({
  changed: z.int(),
  removed: z.int(),
  restored: z.int(),
  kept_count: z.int(),
  kept: z.array(
    z.object({
      table: z.string(),
      what: label.nullable(),
      id: z.int().nullable(),
      name: z.string().nullable(),
      name_local: z.string().nullable(),
      code: z.string().nullable(),
      field: label.nullable(),
      problem,
      by: person.nullable(),
      at: z.string().nullable(),
    }),
  ),
})

export const operationCalls = {
  listOperations: call('POST', '/operations', {
    permission: 'signed_in',
    summary: ['List imports and other operations that I may undo', 'عرض عمليات الاستيراد وغيرها مما يمكنني التراجع عنه'],
    body: z.strictObject({
      kind: z.string().max(100).optional(),
      page: z.int().min(1).max(1000).optional(),
    }),
    response: z.object({ data: z.array(operationRow), meta: z.object({ count: z.int() }) }),
    reads: true,
  }),
  previewUndo: call('POST', '/operations/{id}/undo/preview', {
    permission: 'signed_in',
    summary: ['Say what undoing would put back', 'معاينة ما سيعيده التراجع'],
    response: z.object({ data: undoResult }),
    reads: true,
  }),
  undoOperation: call('POST', '/operations/{id}/undo', {
    permission: 'signed_in',
    summary: ['Undo an operation', 'التراجع عن عملية'],
    response: z.object({ data: undoResult }),
  }),
}
