import { memo } from 'react'
import type { CSSProperties } from 'react'
import { nameOf, useLanguage } from '#kit/web/i18n/index.ts'
import type { RotationBoard } from './board.contract.ts'
import { barPlaces, type RotationBar } from './board.rules.ts'
import css from './board.module.css'

/** What rows look up of trainings: the hue of the course, and what stands in a bar. */
export interface RotationLook {
  readonly hue: ReadonlyMap<number, number>
  readonly code: ReadonlyMap<number, string>
  readonly total: number
}
interface RowProps {
  readonly intern: RotationBoard['interns'][number]
  readonly bars: readonly RotationBar[]
  readonly leaves: RotationBoard['leaves'] | undefined
  readonly index: number
  readonly top: number
  /** The bar of this row that is looked at; -1: the intern; null: none. */
  readonly active: number | null
  readonly look: RotationLook
  readonly overfull: ReadonlySet<number>
  readonly isSought: ((bar: RotationBar) => boolean) | null
}

const share = (days: number, total: number): string => `${(100 * days) / total}%`
const placed = (at: number, days: number, total: number): CSSProperties => {
  const from = Math.max(0, at)
  return { insetInlineStart: share(from, total), inlineSize: share(Math.min(total, at + days) - from, total) }
}
/** Letters of a code that fit into a week of the narrowest board, and into the mark of what is over. */
const LETTERS = { week: 1.85, mark: 2 } as const
const OVER: ReadonlySet<string> = new Set(['passed', 'failed', 'interrupted'])
const letters = (code: string | undefined, days: number, state: string): string | undefined =>
  code?.slice(0, Math.max(1, Math.floor((LETTERS.week * days) / 7) - (OVER.has(state) ? LETTERS.mark : 0)))
/** The id of what is looked at, for screen readers. */
export const placeId = (row: number, bar: number): string => `rotations-${row}-${bar}`

/**
 * An intern with the year, so that a row costs little while the board scrolls: one element for each rotation and none in it,
 * each beside the one before. What is placed by itself, or cut off, the browser looks at one by one for each frame.
 */
export const RotationRow = memo(function RotationRow({
  intern,
  bars,
  leaves,
  index,
  top,
  active,
  look,
  overfull,
  isSought,
}: RowProps) {
  const lang = useLanguage()
  const places = barPlaces(bars, look.total)
  return (
    <div
      className={css.row}
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className={css.said} role="rowheader" id={placeId(index, -1)}>
        {nameOf(intern, lang)} {intern.code}
      </span>
      <div className={css.weeks} role="presentation">
        {bars.map((bar, i) => {
          const { gap, days } = places[i]!
          return (
            <span
              key={bar.id}
              role="gridcell"
              id={placeId(index, i)}
              className={css.bar}
              style={{ marginInlineStart: share(gap, look.total), inlineSize: share(days, look.total) }}
              data-bar={i}
              data-hue={look.hue.get(bar.training_id)}
              data-state={bar.state}
              data-active={active === i || undefined}
              data-new={bar.is_new || undefined}
              data-over={overfull.has(bar.id) || undefined}
              data-locked={bar.locked || undefined}
              data-faded={(isSought && !isSought(bar)) || undefined}
            >
              {letters(look.code.get(bar.training_id), days, bar.state)}
            </span>
          )
        })}
        {leaves?.map(([, at, days]) => (
          <span key={at} className={css.leave} style={placed(at, days, look.total)} />
        ))}
      </div>
    </div>
  )
})

/** Whose row it is: in a column that stays at the edge as a whole. Screen readers read the name in the row. */
export const RotationName = memo(function RotationName({
  intern,
  index,
  top,
  active,
}: Pick<RowProps, 'intern' | 'index' | 'top'> & { readonly active: boolean }) {
  const lang = useLanguage()
  return (
    <div
      className={css.name}
      data-row={index}
      data-bar={-1}
      data-active={active || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      <bdi>{nameOf(intern, lang)}</bdi>
      <small>{intern.code}</small>
    </div>
  )
})
