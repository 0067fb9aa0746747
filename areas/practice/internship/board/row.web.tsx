import { memo } from 'react'
import type { CSSProperties } from 'react'
import { nameOf, useLanguage } from '#kit/web/i18n/index.ts'
import type { RotationBoard } from './board.contract.ts'
import type { RotationBar } from './board.rules.ts'
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

const placed = (at: number, days: number, total: number): CSSProperties => {
  const from = Math.max(0, at)
  return {
    insetInlineStart: `${(100 * from) / total}%`,
    inlineSize: `${(100 * (Math.min(total, at + days) - from)) / total}%`,
  }
}
/** The id of what is looked at, for screen readers. */
export const placeId = (row: number, bar: number): string => `rotations-${row}-${bar}`

/** An intern with the year: one element for each rotation, and none in it, so that a row costs little while the board scrolls. */
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
  return (
    <div
      className={css.row}
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div
        className={css.name}
        role="rowheader"
        id={placeId(index, -1)}
        data-bar={-1}
        data-active={active === -1 || undefined}
      >
        <bdi>{nameOf(intern, lang)}</bdi>
        <small>{intern.code}</small>
      </div>
      <div className={css.weeks} role="presentation">
        {leaves?.map(([, at, days]) => (
          <span key={at} className={css.leave} style={placed(at, days, look.total)} />
        ))}
        {bars.map((bar, i) => (
          <span
            key={bar.id}
            role="gridcell"
            id={placeId(index, i)}
            className={css.bar}
            style={placed(bar.at, bar.days, look.total)}
            data-bar={i}
            data-hue={look.hue.get(bar.training_id)}
            data-state={bar.state}
            data-active={active === i || undefined}
            data-new={bar.is_new || undefined}
            data-over={overfull.has(bar.id) || undefined}
            data-locked={bar.locked || undefined}
            data-faded={(isSought && !isSought(bar)) || undefined}
          >
            {look.code.get(bar.training_id)}
          </span>
        ))}
      </div>
    </div>
  )
})
