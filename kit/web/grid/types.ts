import type { ReactNode, Ref } from 'react'
import type { CellValue, NumberColumn } from './model.ts'

export interface GridRow {
  readonly id: number
  /** Stored values by column: decimal text, `A` for absent, null for none. */
  readonly cells: Readonly<Record<string, CellValue>>
  /** Columns of this row that may not be written (true: all), e.g. after approval. */
  readonly locked?: readonly string[] | true
  readonly [more: string]: unknown
}
/** A column that says whose row it is; stays in sight while the others scroll. */
export interface FrozenColumn<R extends GridRow> {
  readonly key: string
  readonly label: ReactNode
  readonly width: number
  readonly render: (row: R) => ReactNode
  /** The words by which the row is named to assistive technology; the first column's unless told. */
  readonly text?: (row: R) => string
}
export interface GridColumn extends NumberColumn {
  readonly label: string
  readonly width?: number
}
/** A column worked out from the others as they are typed. */
export interface ComputedColumn {
  readonly key: string
  readonly label: string
  readonly width?: number
  readonly value: (get: (key: string) => CellValue, row: GridRow) => ReactNode
}
export interface GradeGridProps<R extends GridRow> {
  /** What the grid holds, for assistive technology. */
  readonly label: string
  readonly rows: readonly R[]
  readonly frozen: readonly FrozenColumn<R>[]
  readonly columns: readonly GridColumn[]
  readonly computed?: readonly ComputedColumn[]
  /** Saves the unsaved cells; answers with cells refused and why. What was saved must come back in `rows`. */
  readonly onSave: (
    cells: readonly { readonly row: number; readonly key: string; readonly value: CellValue }[],
  ) => Promise<{
    readonly refused?: readonly { readonly row: number; readonly key: string; readonly text: string }[]
    /** There is no line: the cells are kept on this device, and come back in `rows` as if they were saved. */
    readonly waiting?: boolean
  } | void>
  /** Called after every change with a reader of the present values: totals that stay alive. */
  readonly onTotals?: (get: (row: number, key: string) => CellValue, rows: readonly R[]) => void
  readonly readOnly?: boolean
  /** Leads to a cell from outside, for lists of what is missing. */
  readonly handle?: Ref<GradeGridHandle>
  /** Stands below the grid, within the window: what its signs mean. */
  readonly foot?: ReactNode
  /** Height of the grid; fills the window below itself unless told. */
  readonly height?: number
}

/** What a screen can ask of its grid. */
export interface GradeGridHandle {
  /** Makes a cell the active one, brings it into sight and takes the keyboard there. */
  readonly go: (row: number, key: string) => void
  /** Saves what is unsaved. False: something is not saved, and the grid shows why. */
  readonly save: () => Promise<boolean>
}
