/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/role-supports-aria-props --
   the roles of the grid pattern on drawn-where-seen rows, which no table element allows; a gridcell may be read-only (ARIA 1.2) */
import { memo } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { decimalAsWritten } from '../i18n/index.ts'
import { ABSENT } from './model.ts'
import type { CellValue, GridModel, Mistake } from './model.ts'
import type { ComputedColumn, FrozenColumn, GridColumn, GridRow } from './types.ts'
import type { Editing } from './use-grid.ts'
import css from './grid.module.css'

/** Height of a row; on a phone what is pressed is as large as a finger, and a name has two lines. */
export const ROW = { wide: 34, narrow: 44 } as const

/** A value as the reader writes it; what is no number stands as it was typed. */
export const shown = (value: CellValue, absent: string): string =>
  value === ABSENT ? absent : /^\d+\.\d+$/.test(value ?? '') ? decimalAsWritten(value ?? '') : (value ?? '')

/** What of a row can look different: its values, marks of being unsaved, mistakes. */
export const stampOf = (model: GridModel, row: number, keys: readonly string[]): string =>
  keys
    .map(
      (key) =>
        `${model.get(row, key) ?? ''}${model.isUnsaved(row, key) ? '*' : ''}${JSON.stringify(model.mistake(row, key)) ?? ''}`,
    )
    .join('|')

interface LineProps {
  row: GridRow
  index: number
  top: number
  height: number
  frozen: readonly FrozenColumn<GridRow>[]
  offsets: readonly number[]
  columns: readonly GridColumn[]
  computed: readonly ComputedColumn[]
  model: GridModel
  stamp: string
  stored: GridRow
  activeColumn: number
  rangeStart: number
  rangeEnd: number
  focused: boolean
  base: string
  absent: string
  absentLong: string
  unsavedWord: string
  mistakeText: (m: Mistake) => string
  editing: Editing | null
  /** What stands beside the open cell for a finger. */
  touchKeys: ReactNode
  onEdit: (editing: Editing | null) => void
  editorLabel: string
}
export const GridLine = memo(function GridLine(p: LineProps) {
  const { row, model } = p
  const name = p.frozen.map((c) => c.text?.(row)).find(Boolean)
  const at: CSSProperties = { insetBlockStart: p.top, height: p.height }
  return (
    <div className={css.row} role="row" aria-rowindex={p.index + 2} style={at}>
      {p.frozen.map((c, i) => (
        <div
          key={c.key}
          role="rowheader"
          aria-colindex={i + 1}
          className={`${css.cell} ${css.frozen} ${i === p.frozen.length - 1 ? css.lastFrozen : ''}`}
          style={{ width: c.width, insetInlineStart: p.offsets[i] }}
        >
          <span>{c.render(row)}</span>
        </div>
      ))}
      {p.columns.map((c, i) => {
        const value = model.get(row.id, c.key)
        const mistake = model.mistake(row.id, c.key)
        const isActive = p.activeColumn === i
        const classes = [css.cell, css.number]
        if (i >= p.rangeStart && i <= p.rangeEnd && p.focused) classes.push(css.inRange)
        if (!model.canWrite(row.id, c.key)) classes.push(css.readOnly)
        if (model.isUnsaved(row.id, c.key)) classes.push(css.unsaved)
        if (value === ABSENT) classes.push(css.absent)
        if (mistake) classes.push(css.wrong)
        if (isActive && p.focused) classes.push(css.active)
        const said = [
          name,
          c.label,
          shown(value, p.absentLong),
          model.isUnsaved(row.id, c.key) ? p.unsavedWord : null,
          mistake && p.mistakeText(mistake),
        ]
          .filter(Boolean)
          .join(', ')
        return (
          <div
            key={c.key}
            id={`${p.base}-${p.index}-${i}`}
            role="gridcell"
            aria-colindex={p.frozen.length + i + 1}
            aria-selected={(i >= p.rangeStart && i <= p.rangeEnd) || undefined}
            aria-readonly={!model.canWrite(row.id, c.key) || undefined}
            aria-invalid={mistake ? true : undefined}
            // While it is open for a finger its field and its key say what they are.
            aria-label={isActive && p.touchKeys ? undefined : said}
            title={mistake ? p.mistakeText(mistake) : undefined}
            data-r={p.index}
            data-c={i}
            className={classes.join(' ')}
            style={{ width: c.width ?? 92 }}
          >
            {isActive && p.touchKeys}
            {isActive && p.editing !== null ? (
              <input
                className={css.editor}
                ref={(element) => {
                  // The grid had the focus; what is typed goes on in the cell.
                  if (!element || document.activeElement === element) return
                  element.focus()
                  // A phone has no key that replaces what stands there.
                  if (p.editing?.touch) element.select()
                }}
                aria-label={`${p.editorLabel}: ${name ?? ''} ${c.label}`}
                inputMode="decimal"
                enterKeyHint="next"
                value={p.editing.text}
                onChange={(event) => p.onEdit({ ...p.editing, text: event.currentTarget.value, typed: true })}
              />
            ) : (
              <bdi dir="ltr">{shown(value, p.absent)}</bdi>
            )}
          </div>
        )
      })}
      {p.computed.map((c, i) => (
        <div
          key={c.key}
          role="gridcell"
          aria-colindex={p.frozen.length + p.columns.length + i + 1}
          aria-readonly="true"
          className={`${css.cell} ${css.number} ${css.computed}`}
          style={{ width: c.width ?? 92 }}
        >
          <bdi dir="ltr">{c.value((key) => model.get(row.id, key), row)}</bdi>
        </div>
      ))}
    </div>
  )
})
