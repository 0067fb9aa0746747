/* oxlint-disable react/set-state-in-effect, react/exhaustive-effect-dependencies -- the active row follows the rows */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { useNavigate } from '../router/index.ts'
import type { AnyRow } from './columns.ts'
import { isSelected, range, withRows } from './selection.ts'
import type { Selection } from './selection.ts'
import type { VirtualHandle } from './virtual-rows.tsx'

export interface RowKeysProps<R extends AnyRow> {
  readonly box: RefObject<HTMLElement | null>
  readonly rows: readonly R[] | undefined
  readonly virtualRows: RefObject<VirtualHandle | null>
  readonly selection?: Selection
  readonly onSelection?: (next: Selection) => void
  readonly rowHref?: (row: R) => string | null
  readonly onOpen?: (row: R) => void
  readonly onRowKey?: (event: KeyboardEvent, row: R) => void
  /** j and k begin from anywhere on the screen where nothing else takes them. */
  readonly everywhere: boolean
}

/** The keyboard of a table: arrows or j k go, Space or x selects, Enter opens; and which row is the active one. */
export function useRowKeys<R extends AnyRow>(props: RowKeysProps<R>) {
  const { box, rows, selection, onSelection, everywhere } = props
  const navigate = useNavigate()
  const [active, setActive] = useState<number | null>(null)
  const anchor = useRef<number | null>(null)
  const ids = useMemo(() => rows?.map((row) => row.id) ?? [], [rows])
  useEffect(() => {
    if (active !== null && rows && !ids.includes(active)) setActive(null)
  }, [ids, active, rows])

  const focusRow = (id: number) => {
    setActive(id)
    props.virtualRows.current?.scrollToIndex(ids.indexOf(id))
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus({ preventScroll: false }),
    )
  }
  const select = (id: number, shift: boolean) => {
    if (!selection || !onSelection) return
    const on = !isSelected(selection, id)
    onSelection(withRows(selection, shift && anchor.current !== null ? range(ids, anchor.current, id) : [id], on))
    anchor.current = id
  }
  const open = (row: R, beside = false) => {
    const href = props.rowHref?.(row)
    if (href && beside) window.open(href, '_blank', 'noopener')
    else if (href) void navigate(href)
    else props.onOpen?.(row)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    if (target.closest('input:not([type="checkbox"]), textarea, select, [role="menu"]') || !rows?.length) return
    if (event.altKey || (event.metaKey || event.ctrlKey ? event.key !== 'Enter' : false)) return
    const at = active === null ? -1 : ids.indexOf(active)
    const go: Record<string, number> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: at - 1,
      k: at - 1,
      Home: 0,
      End: ids.length - 1,
      PageDown: at + 10,
      PageUp: at - 10,
    }
    const next = go[event.key]
    if (next !== undefined) {
      event.preventDefault()
      const id = ids[Math.min(Math.max(next, 0), ids.length - 1)]
      if (id === undefined) return
      if (event.shiftKey && selection && onSelection && event.key.startsWith('Arrow'))
        onSelection(withRows(selection, [id], true))
      return focusRow(id)
    }
    const row = rows[at]
    if (!row || target.closest('button, a')) return
    if (event.key === 'Enter') {
      event.preventDefault()
      open(row, event.ctrlKey || event.metaKey)
    } else if (event.key === ' ' || event.key === 'x') {
      event.preventDefault()
      select(row.id, event.shiftKey)
    } else props.onRowKey?.(event, row)
  }
  useEffect(() => {
    if (!everywhere) return
    const start = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (
        box.current?.contains(target) ||
        target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]')
      )
        return
      if ((event.key === 'j' || event.key === 'k') && ids.length) {
        event.preventDefault()
        focusRow(active ?? ids[0]!)
      }
    }
    window.addEventListener('keydown', start)
    return () => window.removeEventListener('keydown', start)
  })
  return { ids, active, setActive, select, open, onKeyDown }
}
