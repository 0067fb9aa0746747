import type { z } from 'zod'
import type { importLine, importPreview } from '#kit/contract/index.ts'
import type { Values } from '../served.ts'
import type { Cell } from '../../sheets/index.ts'

export type Preview = z.output<typeof importPreview>
export type ShownLine = z.output<typeof importLine>
export type SheetError = Preview['errors'][number]

/** What is known of a sheet as a whole; kept with its preview. */
export interface SheetFacts {
  readonly file: string
  /** Columns that are imported: their fields and heads, in order. */
  readonly columns: { field: string; header: string; fixed?: boolean }[]
  readonly ignored: string[]
  /** Errors of the head. */
  readonly errors: SheetError[]
}

/** A row of a preview, as stored in `import_rows`. */
export interface Line {
  readonly row: number
  cells: Record<string, Cell>
  key: string | null
  state: ShownLine['state']
  record_id: number | null
  version: number | null
  readonly exported: { version: number; at: string } | null
  values: Values
  changes: ShownLine['changes']
  meanwhile: Omit<ShownLine['meanwhile'][number], 'taken'>[]
  taken: string[]
  errors: ShownLine['errors']
  notes: ShownLine['notes']
}
