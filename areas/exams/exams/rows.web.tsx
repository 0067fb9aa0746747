import type { Field } from '#kit/contract/field.ts'
import { fieldValue, NONE, type CellInput } from '#kit/web/fields/cells.tsx'
import { Table } from '#kit/web/table/table.tsx'
import css from './rows.module.css'

/** Whether a child row has something to say in a column: no penalty is none. */
const says = ({ kind, required }: Field, value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && (required || kind !== 'integer' || Number(value) !== 0)

/**
 * Child rows in a detail: one under the other in the columns that any of them fills, so that halls and seats are compared at a
 * glance; of a single column, in a line that wraps.
 */
export function rowsInColumns({ value, field, show }: Pick<CellInput, 'value' | 'field' | 'show'>) {
  const rows = (value ?? []) as readonly Readonly<Record<string, unknown>>[]
  if (!rows.length) return NONE
  const columns = Object.entries(field.rows?.fields ?? {}).filter(([name, child]) =>
    rows.some((row) => says(child, row[name])),
  )
  const [only, second] = columns
  if (only && !second)
    return (
      <ul className={css.line}>
        {rows.map((row, i) => (
          <li key={i}>{fieldValue(only[1], only[0], row, show)}</li>
        ))}
      </ul>
    )
  return (
    <Table
      label={show.label(field.label)}
      className={css.rows}
      height="26rem"
      rows={rows}
      rowKey={(_row, i) => i}
      columns={columns.map(([name, child]) => ({
        key: name,
        label: show.label(child.label),
        cell: (row: (typeof rows)[number]) => (says(child, row[name]) ? fieldValue(child, name, row, show) : NONE),
      }))}
    />
  )
}
