import { useRef } from 'react'
import type { CSSProperties, KeyboardEvent } from 'react'
import { Link } from '../router/index.ts'
import { ScrollFrame } from '../table/table.tsx'
import css from './heat-map.module.css'

/** A cell of a heat map: its figure is always written, so that nothing is told by colour alone. */
export interface HeatCell {
  /** From 0 to 1: how strong its colour is; null: nothing is there. */
  readonly share: number | null
  readonly text: string
  /** The whole of it in words, for screen readers and beneath the pointer. */
  readonly said: string
  /** Where it leads. */
  readonly to?: string | undefined
  readonly chosen?: boolean
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/**
 * Figures of two dimensions, the larger the stronger: a table whose cells lead somewhere. One of them is reached by Tab, the others from
 * there by the arrow keys.
 */
export function HeatMap({
  label,
  corner,
  columns,
  rows,
  cell,
}: {
  /** What it shows, for screen readers. */
  readonly label: string
  /** What stands above the heads of its rows. */
  readonly corner: string
  readonly columns: readonly { readonly key: string | number; readonly label: string }[]
  readonly rows: readonly { readonly key: string | number; readonly label: string }[]
  readonly cell: (row: number, column: number) => HeatCell
}) {
  const table = useRef<HTMLTableElement>(null)
  const cells = rows.map((_, row) => columns.map((_column, column) => cell(row, column)))
  const entered = cells.flat().findIndex((one) => one.chosen)
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const from = (event.target as HTMLElement).closest<HTMLElement>('[data-place]')
    if (!step || !from) return
    event.preventDefault()
    const [row, column] = from.dataset.place!.split(' ').map(Number) as [number, number]
    // Along the line as it is read: to the left is forward in Arabic.
    const along = getComputedStyle(from).direction === 'rtl' ? -step[1] : step[1]
    table.current?.querySelector<HTMLElement>(`[data-place="${row + step[0]} ${column + along}"]`)?.focus()
  }
  return (
    <ScrollFrame label={label}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links in it are moved between by arrow keys */}
      <table ref={table} className={css.map} aria-label={label} onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((column) => (
              <th key={column.key} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.key}>
              <th scope="row">
                <bdi>{row.label}</bdi>
              </th>
              {columns.map((column, place) => {
                const { share, text, said, to, chosen } = cells[at]![place]!
                const given = {
                  style: { '--share': share ?? 0 } as CSSProperties,
                  title: said,
                  'data-none': share === null || share === 0 || undefined,
                }
                return (
                  <td key={column.key} {...given} data-chosen={chosen || undefined}>
                    {to === undefined ? (
                      <span>{text}</span>
                    ) : (
                      <Link
                        to={to}
                        // What is written stands in its name, so that it is found by voice as it is read.
                        aria-label={share === null ? said : `${text} – ${said}`}
                        aria-current={chosen || undefined}
                        data-place={`${at} ${place}`}
                        tabIndex={at * columns.length + place === Math.max(0, entered) ? 0 : -1}
                        replace
                        preventScrollReset
                      >
                        {text}
                      </Link>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}
