/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex -- a grid of cells between which something is taken from place to place */
import type { CSSProperties, ReactNode } from 'react'
import { Code } from '../feedback/index.ts'
import type { Cell } from './drag.ts'
import css from './board.module.css'

export { default as boardCss } from './board.module.css'

/** How a cell is for what is held over the board: free, free with somebody who minds, taken. */
export type Fit = 'free' | 'minded' | 'taken'

interface BoardProps {
  readonly label: string
  /** What the rows are, said to a screen reader. */
  readonly corner: string
  /** Text of each day; a key that stays. */
  readonly days: readonly { readonly key: string | number; readonly label: string }[]
  /** Width in px below which a day does not go: the board scrolls then. */
  readonly least?: number
  readonly rows: readonly {
    readonly key: number
    readonly starts: string
    readonly ends: string
    readonly name: string
  }[]
  readonly busy: boolean
  /** The cell over which something is held. */
  readonly over: Cell | null | undefined
  /** `[row][day]`, while something is held. */
  readonly fits: readonly (readonly Fit[])[] | null | undefined
  readonly children: (row: number, day: number) => ReactNode
}

/** Days across, periods down: cards in its cells are taken to other cells by `useDrag`, whose `data-day` and `data-row` these are. */
export function Board({ label, corner, days, rows, busy, over, fits, least, children }: BoardProps) {
  return (
    // Where nothing stands in it yet, the keyboard scrolls it all the same.
    <div className={css.scroll} data-board aria-busy={busy} tabIndex={0}>
      <div
        className={css.board}
        role="grid"
        aria-label={label}
        style={{ '--days': days.length, ...(least && { '--least': `${least}px` }) } as CSSProperties}
      >
        <div role="row" className={css.row}>
          <div className={css.head} role="columnheader">
            <span className="sr">{corner}</span>
          </div>
          {days.map(({ key, label: day }) => (
            <div key={key} className={css.head} role="columnheader">
              {day}
            </div>
          ))}
        </div>
        {rows.map(({ key, starts, ends, name }, row) => (
          <div key={key} role="row" className={css.row}>
            <div className={css.time} role="rowheader">
              <span className={css.times}>
                <Code>{starts}</Code>
                <Code>{ends}</Code>
              </span>
              <span className="sr">{name}</span>
            </div>
            {days.map((day, column) => (
              <div
                key={day.key}
                role="gridcell"
                className={css.cell}
                data-day={column}
                data-row={row}
                data-fit={fits?.[row]?.[column]}
                data-over={(over?.day === column && over.row === row) || undefined}
              >
                {children(row, column)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
