import type { ReactNode } from 'react'
import type { AnyRow } from './columns.ts'
import css from './line-list.module.css'

/** Rows as lines of text instead of a table, under headings where they have some: a log. */
export function LineList<R extends AnyRow>({
  rows,
  caption,
  line,
  heading,
  busy,
  stale,
  nothing,
}: {
  rows: readonly R[] | undefined
  caption: string
  line: (row: R) => ReactNode
  /** Above the first row of those that have the same. */
  heading?: (row: R) => string
  busy: boolean
  stale: boolean
  /** What stands there where there is no row. */
  nothing: ReactNode
}) {
  if (!rows)
    return (
      <div className={css.frame} aria-busy="true" data-coming>
        {Array.from({ length: 6 }, (_, i) => (
          <div key={i} className={css.bone} />
        ))}
      </div>
    )
  if (!rows.length || nothing) return <div className={css.note}>{nothing}</div>
  const groups = Map.groupBy(rows, (row) => heading?.(row) ?? '')
  return (
    <section className={css.frame} aria-label={caption} aria-busy={busy} data-stale={stale || undefined}>
      {[...groups].map(([title, those]) => (
        <div key={title}>
          {title && <h2 className={css.heading}>{title}</h2>}
          <ol className={css.lines}>
            {those.map((row) => (
              <li key={row.id}>{line(row)}</li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  )
}
