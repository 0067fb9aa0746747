import { useLayoutEffect, useMemo, useState } from 'react'
import type { RefObject } from 'react'
import type { FieldKind } from '#kit/contract/field.ts'
import { CELLS } from '../fields/cells.tsx'
import type { Show } from '../fields/cells.tsx'
import type { AnyRow, Column } from './columns.ts'
import { nameOf } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import { refName } from '#kit/contract/resource-schemas.ts'
import { alignOf } from './cell.tsx'
import { emptyColumns, fit } from './fit.ts'
import type { TablePrefs } from './prefs.ts'

const widthOf = <R extends AnyRow>(c: Column<R>) => c.width ?? (c.field ? CELLS[c.field.kind].width : 180)

/** Width of a head in which its words stand whole: long languages have the width their columns need. */
let pen: CanvasRenderingContext2D | null | undefined
/** Measured once: the fonts may arrive between two drawings, and columns that stand do not move. */
const measured = new Map<string, number>()
function textWidth(text: string, font: '500 12px' | '400 13px' | '500 13px'): number {
  const key = `${font} ${text}`
  let width = measured.get(key)
  if (width === undefined) {
    pen ??= document.createElement('canvas').getContext('2d')
    if (!pen) return 0
    pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`
    width = Math.ceil(pen.measureText(text).width)
    if (measured.size > 2000) measured.clear()
    measured.set(key, width)
  }
  return width
}
const headWidth = (text: string, sorts: boolean): number =>
  Math.min(200, textWidth(text, '500 12px') + (sorts ? 41 : 24))

/** Half an address is none: a column of e-mails is as wide as the longest on the page, or leaves. */
const LONGEST_EMAIL = 340
function emailWidth<R extends AnyRow>(c: Column<R>, rows: readonly R[] | undefined): number {
  if (c.field?.kind !== 'email' || c.cell || !rows) return 0
  const widths = rows.map((row) => {
    const value = (row as AnyRow)[c.key]
    return typeof value === 'string' ? textWidth(value, '400 13px') : 0
  })
  return Math.min(LONGEST_EMAIL, Math.max(0, ...widths) + 28)
}

/** The longest name that a column makes room for. */
const LONGEST_NAME = 300
const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
/** In which the names of a column stand whole: those of records, and the row's own. */
function nameWidth<R extends AnyRow>(c: Column<R>, rows: readonly R[] | undefined, show: Show): number | undefined {
  if (!rows?.length) return undefined
  let most = 0
  for (const row of rows) {
    const value: unknown = c.key === 'name' ? row : (row[c.key] ?? row[refName(c.key)])
    if (value === null || value === undefined) continue
    // Of several the first is named, and how many more there are.
    const [one, ...more] = Array.isArray(value) ? (value as unknown[]) : [isNamed(value) ? value : row[refName(c.key)]]
    if (Array.isArray(value) && !value.length) continue
    if (!isNamed(one)) return undefined
    const text = more.length ? `${nameOf(one, show.lang)} +${more.length}` : nameOf(one, show.lang)
    most = Math.max(most, textWidth(text, '500 13px'))
  }
  return most ? Math.min(LONGEST_NAME, most + 26) : undefined
}

/** Kinds whose values are cut in the middle of a figure, a code or a word when their column gives way further. */
const WHOLE: Partial<Record<FieldKind, number>> = {
  code: 100,
  nationalId: 140,
  phone: 126,
  date: 112,
  instant: 156,
  time: 72,
  choice: 128,
  money: 128,
}
/** What a column of words still reads with. */
const LEAST_WORDS = 128
const leastOf = <R extends AnyRow>(c: Column<R>): number => {
  if (c.least !== undefined) return c.least
  const whole = c.field && WHOLE[c.field.kind]
  if (whole !== undefined) return Math.min(whole, widthOf(c))
  // Figures need no more than their heads.
  if (alignOf(c)) return Math.min(80, widthOf(c))
  return Math.min(widthOf(c), Math.max(LEAST_WORDS, Math.round(widthOf(c) * 0.68)))
}
/** A status is what most rows are looked up for. */
const isStatus = <R extends AnyRow>(c: Column<R>) =>
  c.field?.kind === 'choice' && (c.field.choices?.some((one) => one.tone) ?? false)

/** The width inside an element, beside its scroll bar, as it changes; undefined until it was drawn once, and for cards. */
export function useRoom(box: RefObject<HTMLElement | null>, cards: boolean): number | undefined {
  const [room, setRoom] = useState<number>()
  useLayoutEffect(() => {
    const element = box.current
    if (!element || cards) return
    const measure = () => setRoom(element.clientWidth)
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [box, cards])
  return cards ? undefined : room
}

/**
 * Which columns stand in the room there is, and how wide: by importance (`priority`, else their order), the column that
 * the rows are sorted by and a status before others. What somebody sized or asked for stays as wished.
 */
export function useFittedColumns<R extends AnyRow>(
  visible: readonly Column<R>[],
  {
    room,
    taken,
    prefs,
    show,
    sortedBy,
    rows,
  }: {
    room: number | undefined
    /** What stands beside them: boxes, actions. */
    taken: number
    prefs: TablePrefs
    show: Show
    sortedBy: string | null
    rows: readonly R[] | undefined
  },
): { columns: readonly Column<R>[]; widths: ReadonlyMap<string, number>; dropped: readonly string[] } {
  return useMemo(() => {
    const empty = emptyColumns(visible, rows)
    const fitting = visible.map((c, i) => {
      const chosen = prefs.sizes?.[c.key]
      const head = headWidth(show.label(c.label), Boolean(c.sort))
      const whole = emailWidth(c, rows)
      const need = chosen === undefined ? nameWidth(c, rows, show) : undefined
      const sorted = sortedBy !== null && (c.key === sortedBy || c.sort === sortedBy)
      return {
        key: c.key,
        width: chosen ?? (empty.has(c.key) ? Math.max(72, head) : Math.max(widthOf(c), head, whole)),
        // The first names the row: it gives way last.
        least:
          chosen ??
          (empty.has(c.key)
            ? Math.max(72, head)
            : Math.max(i === 0 ? Math.round(widthOf(c) * 0.85) : leastOf(c), head, whole)),
        ...(need !== undefined && { need: Math.max(need, head) }),
        rank: c.priority ?? (sorted ? 0.5 : isStatus(c) ? 1.5 : i),
        kept: i === 0 || chosen !== undefined || (prefs.shown?.includes(c.key) ?? false),
      }
    })
    const widths = fit(fitting, room === undefined ? Infinity : room - taken)
    return {
      columns: visible.filter((c) => widths.has(c.key)),
      widths,
      dropped: visible.filter((c) => !widths.has(c.key)).map((c) => c.key),
    }
  }, [visible, room, taken, prefs, show, sortedBy, rows])
}
