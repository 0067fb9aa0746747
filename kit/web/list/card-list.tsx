import type { KeyboardEvent, ReactNode, Ref } from 'react'
import type { Show } from '../fields/cells.tsx'
import { Link } from '../router/index.ts'
import { cellOf } from './cell.tsx'
import type { AnyRow, Column } from './columns.ts'
import css from './table.module.css'

/** Facts of a card besides its title. */
const FACTS = 5

/** The rows of a table on a phone: a card each, named by the row's name where there is one. */
export function CardList<R extends AnyRow>({
  rows,
  columns,
  show,
  caption,
  expected,
  busy,
  stale,
  nothing,
  rowHref,
  isChosen,
  rowBox,
  actions,
  box,
  onKeyDown,
}: {
  rows: readonly R[] | undefined
  columns: readonly Column<R>[]
  show: Show
  caption: string
  expected: number
  busy: boolean
  stale: boolean
  nothing: ReactNode
  rowHref?: ((row: R) => string | null) | undefined
  /** Absent: rows cannot be selected. */
  isChosen?: ((row: R) => boolean) | undefined
  rowBox: (row: R) => ReactNode
  actions: (row: R) => ReactNode
  box: Ref<HTMLDivElement>
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}) {
  const title = columns.find((c) => c.key === 'name') ?? columns.find((c) => c.heads) ?? columns[0]!
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- rows take keys as one list
    <div ref={box} onKeyDown={onKeyDown}>
      <ul
        className={css.cards}
        aria-label={caption}
        aria-busy={busy}
        data-coming={(!rows && !nothing) || undefined}
        data-stale={stale || undefined}
      >
        {nothing && <li className={css.note}>{nothing}</li>}
        {!rows && !nothing
          ? Array.from({ length: Math.min(expected, 8) }, (_, i) => (
              <li className={css.card} key={`bone ${i}`} aria-hidden>
                <div className={css.cardBody}>
                  <span className={css.bone} style={{ width: '60%', marginBlock: 7 }} />
                  <dl className={css.pairs}>
                    {columns
                      .filter((c) => c !== title)
                      .slice(0, FACTS)
                      .map((column) => (
                        <div key={column.key} style={{ display: 'contents' }}>
                          <dt>{show.label(column.label)}</dt>
                          <dd>
                            <span className={css.bone} style={{ width: '70%', marginBlock: 5 }} />
                          </dd>
                        </div>
                      ))}
                  </dl>
                </div>
              </li>
            ))
          : rows?.map((row) => (
              <li className={css.card} key={row.id} data-row={row.id} data-selected={isChosen?.(row) || undefined}>
                {isChosen && <span className={css.check}>{rowBox(row)}</span>}
                <div className={css.cardBody}>
                  <div className={css.cardTitle}>
                    {rowHref?.(row) ? (
                      <Link to={rowHref(row)!} className={css.open}>
                        {cellOf(title, row, show)}
                      </Link>
                    ) : (
                      cellOf(title, row, show)
                    )}
                  </div>
                  <dl className={css.pairs}>
                    {columns
                      .filter((c) => c !== title)
                      .slice(0, FACTS)
                      .map((column) => (
                        <div key={column.key} style={{ display: 'contents' }}>
                          <dt>{show.label(column.label)}</dt>
                          <dd>{cellOf(column, row, show)}</dd>
                        </div>
                      ))}
                  </dl>
                </div>
                <div className={css.actionsIn}>{actions(row)}</div>
              </li>
            ))}
      </ul>
    </div>
  )
}
