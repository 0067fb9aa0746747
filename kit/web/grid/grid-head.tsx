/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the roles of the grid pattern, as in the rows */
import { formatNumber } from '../i18n/index.ts'
import type { GridRow } from './types.ts'
import type { Grid } from './use-grid.ts'
import { widthOf } from './use-grid-layout.ts'
import css from './grid.module.css'

/** Heads of the columns, with what a mark may be at most. */
export function GridHead<R extends GridRow>({ grid }: { grid: Grid<R> }) {
  const { columns, computed = [] } = grid.props
  const { frozen, offsets } = grid.layout
  return (
    <div className={css.head} role="row" aria-rowindex={1}>
      {frozen.map((c, i) => (
        <div
          key={c.key}
          role="columnheader"
          aria-colindex={i + 1}
          className={`${css.cell} ${css.frozen} ${i === frozen.length - 1 ? css.lastFrozen : ''}`}
          style={{ width: c.width, insetInlineStart: offsets[i] }}
        >
          <span>{c.label}</span>
        </div>
      ))}
      {columns.map((c, i) => (
        <div
          key={c.key}
          role="columnheader"
          aria-colindex={frozen.length + i + 1}
          className={`${css.cell} ${css.number}`}
          style={{ width: widthOf(c) }}
          title={c.label}
        >
          <span>{c.label}</span>
          <small>
            <bdi dir="ltr">/ {formatNumber(c.max)}</bdi>
          </small>
        </div>
      ))}
      {computed.map((c, i) => (
        <div
          key={c.key}
          role="columnheader"
          aria-colindex={frozen.length + columns.length + i + 1}
          className={`${css.cell} ${css.number}`}
          style={{ width: widthOf(c) }}
        >
          <span>{c.label}</span>
        </div>
      ))}
    </div>
  )
}
