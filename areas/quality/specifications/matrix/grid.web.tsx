import { IconCheck } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useLanguage } from '#kit/web/i18n/index.ts'
import { ScrollFrame } from '#kit/web/table/table.tsx'
import css from '../specifications.module.css'
import { gridMove, type GridPlace } from './grid.rules.ts'

interface GridLine {
  readonly key: string
  readonly label: ReactNode
  /** What a cell says to who does not see the grid. */
  readonly said: string
}

/** A matrix as a grid: arrows move, the space bar or Enter fills and clears. Without `onToggle` it is only read. */
export function MatrixGrid({
  label,
  corner,
  rows,
  columns,
  on,
  onToggle,
}: {
  readonly label: string
  readonly corner: ReactNode
  readonly rows: readonly GridLine[]
  readonly columns: readonly GridLine[]
  readonly on: (row: string, column: string) => boolean
  readonly onToggle?: ((row: string, column: string, now: boolean) => void) | undefined
}) {
  const rtl = useLanguage() === 'ar'
  const body = useRef<HTMLTableSectionElement>(null)
  const [at, setAt] = useState<GridPlace>({ row: 0, column: 0 })
  // Where lines went away, the last one is where the keyboard enters.
  const here = { row: Math.min(at.row, rows.length - 1), column: Math.min(at.column, columns.length - 1) }
  const press = (event: KeyboardEvent, place: GridPlace) => {
    const [row, column] = [rows[place.row], columns[place.column]]
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      if (row && column) onToggle?.(row.key, column.key, !on(row.key, column.key))
      return
    }
    const size = { rows: rows.length, columns: columns.length, rtl, ctrl: event.ctrlKey || event.metaKey }
    const to = gridMove(event.key, place, size)
    if (!to) return
    event.preventDefault()
    setAt(to)
    body.current?.rows[to.row]?.querySelectorAll('td')[to.column]?.focus()
  }
  return (
    <ScrollFrame label={label}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its cells are filled by the keyboard */}
      <table role="grid" aria-label={label} aria-readonly={!onToggle} className={css.grid}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((column) => (
              <th key={column.key} scope="col" title={column.said}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, r) => (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              {columns.map((column, c) => (
                <td
                  key={column.key}
                  aria-selected={on(row.key, column.key)}
                  aria-label={`${row.said}, ${column.said}`}
                  tabIndex={r === here.row && c === here.column ? 0 : -1}
                  data-open={onToggle ? true : undefined}
                  onFocus={() => setAt({ row: r, column: c })}
                  onKeyDown={(event) => press(event, { row: r, column: c })}
                  onClick={() => onToggle?.(row.key, column.key, !on(row.key, column.key))}
                >
                  {on(row.key, column.key) && <IconCheck size={16} aria-hidden />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}
