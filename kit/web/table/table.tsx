import { useCallback, useEffect, useRef, useState } from 'react'
import type { CSSProperties, HTMLAttributes, ReactNode } from 'react'
import css from './table.module.css'

/** What an element is given besides: its class, its style, `data-…` for the style sheet. */
export type Given = HTMLAttributes<HTMLElement> & Readonly<Record<`data-${string}`, string | boolean | undefined>>

export interface TableColumn<Row> {
  readonly key: string
  /** What stands above it; where no column has one, the table has no head. */
  readonly label?: ReactNode
  /** Its label is for screen readers only, as above buttons. */
  readonly unseen?: boolean
  /** Says what the row is about; screen readers say it with every cell of the row. */
  readonly head?: boolean
  /** Numbers: at the end of the line, never broken, figures beneath each other. */
  readonly figure?: boolean
  /** At the end of the line, such as buttons. */
  readonly end?: boolean
  readonly className?: string | undefined
  /** How wide its cells are. */
  readonly style?: CSSProperties
  readonly cell: (row: Row, index: number) => ReactNode
  /** What its cell in a row is given besides. */
  readonly given?: (row: Row, index: number) => Given
}

/**
 * A frame for what may be wider or higher than its place. Where it scrolls the keyboard reaches it, and a shade at its end
 * says that more follows.
 */
export function ScrollFrame({
  label,
  height,
  dir,
  children,
}: {
  label: string
  height?: number | string
  /** In which direction what it holds is read, where that is not the page's. */
  dir?: 'ltr' | 'rtl'
  children: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLElement>(null)
  const [scrolls, setScrolls] = useState(false)
  const mark = useCallback(() => {
    const element = box.current
    // What is told of a size may come when the table is gone already.
    if (!element || !frame.current) return
    const at = Math.abs(element.scrollLeft)
    frame.current.toggleAttribute('data-more', at + element.clientWidth < element.scrollWidth - 2)
    setScrolls(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight)
  }, [])
  useEffect(() => {
    const watch = new ResizeObserver(mark)
    watch.observe(box.current!)
    for (const child of box.current!.children) watch.observe(child)
    return () => watch.disconnect()
  }, [mark])
  return (
    <div ref={frame} className={css.frame} dir={dir}>
      <section
        ref={box}
        className={css.box}
        style={{ maxBlockSize: height }}
        aria-label={scrolls ? label : undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- who has no mouse scrolls it by the arrow keys
        tabIndex={scrolls ? 0 : undefined}
        onScroll={mark}
      >
        {children}
      </section>
    </div>
  )
}

/** Rows in groups: each that leads begins one. */
function groupsOf<Row>(rows: readonly Row[], leads: ((row: Row) => boolean) | undefined): (readonly [Row, number])[][] {
  const groups: (readonly [Row, number])[][] = []
  for (const [index, row] of rows.entries()) {
    if (!groups.length || leads?.(row)) groups.push([])
    groups.at(-1)!.push([row, index])
  }
  return groups
}

/**
 * A light table: a few rows that are all there. What is paged, sorted, filtered or chosen from is a `ListScreen`.
 *
 *   <Table label={t('items')} rows={lines} rowKey={(line) => line.id} columns={[
 *     { key: 'item', label: t('item'), cell: (line) => <Name row={line} /> },
 *     { key: 'amount', label: t('amount'), figure: true, cell: (line) => formatNumber(line.amount) },
 *   ]} />
 *
 * How close it is set is said by variables of the class that it is given (`table.module.css`).
 */
export function Table<Row>({
  label,
  rows,
  rowKey,
  height,
  className,
  empty,
  foot,
  heads,
  ...of
}: {
  /** What it shows, for screen readers. */
  label: string
  columns: readonly (TableColumn<Row> | false | null | undefined)[]
  rows: readonly Row[]
  rowKey: (row: Row, index: number) => string | number
  /** What a row is given besides. */
  rowGiven?: (row: Row, index: number) => Given
  /** Stands below a row, over all columns: what is wrong with it. */
  below?: (row: Row, index: number) => ReactNode
  /** The row stands above those that follow it, as a faculty above its programs. */
  leads?: (row: Row) => boolean
  /** Words above several columns each; `null` above those that have none. */
  heads?: readonly { readonly label: ReactNode; readonly span: number }[] | undefined
  /** Rows of totals: a cell for each column that is shown. */
  foot?: readonly (readonly ReactNode[])[] | undefined
  /** Said in place of rows. */
  empty?: ReactNode
  /** What is higher scrolls. */
  height?: number | string
  /** The head stays in sight while rows are scrolled, and totals do. */
  sticky?: boolean
  className?: string | undefined
}) {
  const columns = of.columns.filter((column): column is TableColumn<Row> => Boolean(column))
  const classOf = (column: TableColumn<Row>) =>
    [column.figure && css.figure, column.end && css.end, column.className].filter(Boolean).join(' ') || undefined
  const cellOf = (column: TableColumn<Row>, row: Row, index: number) => {
    const given = { className: classOf(column), style: column.style, ...column.given?.(row, index) }
    return column.head ? (
      <th key={column.key} scope={of.leads?.(row) ? 'rowgroup' : 'row'} {...given}>
        {column.cell(row, index)}
      </th>
    ) : (
      <td key={column.key} {...given}>
        {column.cell(row, index)}
      </td>
    )
  }
  const linesOf = (row: Row, index: number) => {
    const given = of.rowGiven?.(row, index)
    const below = of.below?.(row, index)
    const line = (
      <tr key={rowKey(row, index)} {...given}>
        {columns.map((column) => cellOf(column, row, index))}
      </tr>
    )
    if (!below) return line
    return [
      line,
      <tr key={`below ${rowKey(row, index)}`} data-below>
        <td colSpan={columns.length}>{below}</td>
      </tr>,
    ]
  }
  return (
    <ScrollFrame label={label} {...(height !== undefined && { height })}>
      <table
        className={className ? `${css.table} ${className}` : css.table}
        data-sticky={of.sticky || undefined}
        aria-label={label}
      >
        {columns.some((column) => column.label !== undefined) && (
          <thead>
            {heads && (
              <tr>
                {heads.map((one, i) =>
                  one.label === null ? (
                    <td key={i} colSpan={one.span}>
                      {'\u00A0'}
                    </td>
                  ) : (
                    <th key={i} colSpan={one.span} scope="colgroup">
                      {one.label}
                    </th>
                  ),
                )}
              </tr>
            )}
            <tr>
              {columns.map((column) =>
                column.label === undefined ? (
                  <td key={column.key} className={classOf(column)} style={column.style}>
                    {'\u00A0'}
                  </td>
                ) : (
                  <th key={column.key} scope="col" className={classOf(column)} style={column.style}>
                    {column.unseen ? <span className="sr">{column.label}</span> : column.label}
                  </th>
                ),
              )}
            </tr>
          </thead>
        )}
        {groupsOf(rows, of.leads).map((group) => (
          <tbody key={rowKey(...group[0]!)}>{group.map(([row, index]) => linesOf(row, index))}</tbody>
        ))}
        {!rows.length && empty !== undefined && (
          <tbody>
            <tr>
              <td colSpan={columns.length}>{empty}</td>
            </tr>
          </tbody>
        )}
        {foot && (
          <tfoot>
            {foot.map((cells, at) => (
              <tr key={at}>
                {columns.map((column, i) =>
                  column.head ? (
                    <th key={column.key} scope="row" className={classOf(column)}>
                      {cells[i]}
                    </th>
                  ) : (
                    <td key={column.key} className={classOf(column)}>
                      {cells[i]}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </ScrollFrame>
  )
}
