/* oxlint-disable react/incompatible-library -- rows are drawn where they are seen */
import { useLayoutEffect, useMemo, useState } from 'react'
import type { RefObject } from 'react'
import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { directionOf, useLanguage } from '../i18n/index.ts'
import { ROW } from './grid-line.tsx'
import type { Place } from './model.ts'
import type { GradeGridProps, GridRow } from './types.ts'

/** Height of the heads; on a phone a narrow column says its name in two lines. */
const HEAD = { wide: 44, narrow: 58 } as const
/** Room below the grid: the bar with Save, the end of the page. */
const BELOW = 92

/** How wide a column of numbers is. */
export const widthOf = (c: { width?: number }): number => c.width ?? 92

/** Where everything stands: which columns stay in sight, how high the grid is, which rows are drawn. */
export function useGridLayout<R extends GridRow>(
  props: GradeGridProps<R>,
  box: RefObject<HTMLDivElement | null>,
  /** What stands below the rows. */
  foot: RefObject<HTMLDivElement | null>,
) {
  const { rows, columns, computed = [] } = props
  const rtl = directionOf(useLanguage()) === 'rtl'
  // A phone has room for one column that stays: the last, which is the name.
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const frozen = useMemo(
    () => (narrow ? props.frozen.slice(-1).map((c) => ({ ...c, width: Math.min(c.width, 128) })) : props.frozen),
    [narrow, props.frozen],
  )
  const [ROW_HEIGHT, HEAD_HEIGHT] = narrow ? [ROW.narrow, HEAD.narrow] : [ROW.wide, HEAD.wide]
  const frozenWidth = frozen.reduce((n, c) => n + c.width, 0)
  const totalWidth = frozenWidth + [...columns, ...computed].reduce((n, c) => n + widthOf(c), 0)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    scrollPaddingStart: HEAD_HEIGHT,
    paddingStart: 0,
  })
  const [height, setHeight] = useState(props.height ?? 480)
  useLayoutEffect(() => {
    if (props.height !== undefined) return setHeight(props.height)
    const measure = () => {
      const top = box.current?.getBoundingClientRect().top ?? 0
      const room = window.innerHeight - Math.max(top + window.scrollY, 0) - BELOW - (foot.current?.offsetHeight ?? 0)
      setHeight(Math.max(260, Math.min(room, HEAD_HEIGHT + rows.length * ROW_HEIGHT + 18)))
    }
    measure()
    // What is explained below the grid follows what is typed.
    const watch = new ResizeObserver(measure)
    if (foot.current) watch.observe(foot.current)
    window.addEventListener('resize', measure)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [box, foot, props.height, rows.length, ROW_HEIGHT, HEAD_HEIGHT])

  const offsets = useMemo(() => frozen.map((_, i) => frozen.slice(0, i).reduce((n, c) => n + c.width, 0)), [frozen])
  /** Brings a cell into sight. */
  const reveal = (place: Place) => {
    virtualizer.scrollToIndex(place.row, { align: 'auto' })
    const element = box.current
    if (!element) return
    // Cells hidden beneath the frozen ones or beyond the end are brought into sight; offsets run from the start side.
    const before = columns.slice(0, place.column).reduce((n, c) => n + widthOf(c), 0)
    const width = widthOf(columns[place.column] ?? {})
    const scrolled = Math.abs(element.scrollLeft)
    const room = element.clientWidth - frozenWidth
    const next = before < scrolled ? before : before + width > scrolled + room ? before + width - room : scrolled
    if (next !== scrolled) element.scrollLeft = rtl ? -next : next
  }
  const page = Math.max(1, Math.floor((height - HEAD_HEIGHT) / ROW_HEIGHT) - 1)
  return {
    narrow,
    rtl,
    frozen,
    frozenWidth,
    offsets,
    totalWidth,
    /** Rows that are drawn, and how high all of them are. */
    items: virtualizer.getVirtualItems(),
    rowsHeight: virtualizer.getTotalSize(),
    height,
    rowHeight: ROW_HEIGHT,
    headHeight: HEAD_HEIGHT,
    /** How many rows a page of the keyboard has. */
    page,
    reveal,
  }
}
