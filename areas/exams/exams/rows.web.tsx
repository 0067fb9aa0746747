/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- the keyboard reaches what scrolls */
import type { Field } from '#kit/contract/field.ts'
import { fieldValue, NONE, type CellInput } from '#kit/web/fields/cells.tsx'
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
    <section className={css.scroll} tabIndex={0} aria-label={show.label(field.label)}>
      <table className={css.rows}>
        <thead>
          <tr>
            {columns.map(([name, child]) => (
              <th key={name} scope="col">
                {show.label(child.label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {columns.map(([name, child]) => (
                <td key={name}>{says(child, row[name]) ? fieldValue(child, name, row, show) : NONE}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
