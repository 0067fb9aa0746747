import type { ReactNode } from 'react'
import type { Field } from '#kit/contract/field.ts'
import type { Resource } from '#kit/contract/resource.ts'
import type { Label } from '#kit/contract/words.ts'
import type { Show } from '../fields/cells.tsx'

/** Every row of a list has an id; the rest is the call's. */
export interface AnyRow {
  readonly id: number
  readonly [key: string]: unknown
}

/** A column of a table. Give `field` (a kind of the contract) and the rest follows, or `cell` for an own one. */
export interface Column<R = AnyRow> {
  /** Name in the row, and of the column in saved views. */
  readonly key: string
  readonly label: Label
  readonly field?: Field
  readonly cell?: (row: R, show: Show) => ReactNode
  /** Under what name the server sorts; true: its key. Absent: it cannot be sorted. */
  readonly sort?: string | boolean
  /** What a table sorted in the browser compares, and what a copy of it holds. */
  readonly value?: (row: R) => string | number | null | undefined
  readonly width?: number
  /** Under which it cannot be read; by its kind unless told. */
  readonly least?: number
  /** Who has the highest number leaves first where there is no room for all; its place among the columns unless told. */
  readonly priority?: number
  readonly align?: 'end' | 'center'
  /** On a phone a card is called by this one, where the row has no name of its own; by the first unless told. */
  readonly heads?: boolean
  /** Not shown until chosen. */
  readonly hidden?: boolean
  /** Fields of an export that stand for this column; its key unless told. */
  readonly exports?: readonly string[]
}

/**
 * Columns for a student whose rows are all the own ones: without the student, whose name beside each would tell nothing.
 * While they are on their way it is supposed. `own`: the reader's record as a student, null for anybody else.
 */
export function ofOwn<R extends AnyRow>(
  columns: readonly Column<R>[],
  rows: readonly R[] | undefined,
  own: number | null,
): readonly Column<R>[] {
  if (own === null || columns.length < 2) return columns
  const whose = (row: AnyRow) => row.student_id ?? (row.student as { readonly id?: unknown } | null | undefined)?.id
  return rows?.some((row) => whose(row) !== own) ? columns : columns.filter(({ key }) => key !== 'student_id')
}

/**
 * Columns of a resource's list. Its two names become one column, the reader's language above and the other beneath,
 * sorted by the reader's name.
 */
export function resourceColumns(r: Resource): Column[] {
  const names = r.list.columns.includes('name') && r.list.columns.includes('name_local')
  return r.list.columns.flatMap((key): Column[] => {
    const field = r.fields[key]!
    if (names && key === 'name_local') return []
    if (names && key === 'name')
      return [
        {
          key,
          label: ['Name', 'الاسم'],
          sort: r.list.sort.includes('name'),
          width: 280,
          // Four names of a person stand whole.
          least: 232,
          exports: ['name', 'name_local'],
        },
      ]
    return [{ key, label: field.label, field, sort: r.list.sort.includes(key) }]
  })
}
