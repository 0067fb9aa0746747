import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { CELLS, fieldValue } from '../fields/cells.tsx'
import type { Show } from '../fields/cells.tsx'
import { nameOf, otherNameOf, useLabel, useLanguage, useT } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import type { AnyRow, Column } from './columns.ts'
import css from './table.module.css'

/** The column of a row's two names: the reader's language above, the other beneath. */
export function Names({ row }: { row: Named }) {
  const lang = useLanguage()
  const other = otherNameOf(row, lang)
  return (
    <span className={css.names}>
      <bdi>{nameOf(row, lang)}</bdi>
      {other && (
        // Cut at its own end, where it does not fit.
        <small dir="auto">
          <bdi>{other}</bdi>
        </small>
      )}
    </span>
  )
}

/** What stands in a cell: the column's own, the kind's, or the value as it is. */
export function cellOf<R extends AnyRow>(column: Column<R>, row: R, show: Show): ReactNode {
  if (column.cell) return column.cell(row, show)
  if (column.field) return fieldValue(column.field, column.key, row, show)
  if (column.key === 'name') return <Names row={row as Named} />
  const value = row[column.key]
  return value === null || value === undefined ? null : <bdi>{String(value)}</bdi>
}
export const alignOf = <R extends AnyRow>(c: Column<R>) => c.align ?? (c.field ? CELLS[c.field.kind].align : undefined)

/** How a cell speaks the reader's language, made once per table. */
export function useShow(): Show {
  const lang = useLanguage()
  const label = useLabel()
  const t = useT('kit-screens')
  return useMemo(() => ({ lang, label, t }), [lang, label, t])
}
