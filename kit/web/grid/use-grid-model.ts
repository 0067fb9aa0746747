import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useUnsaved } from '../router/index.ts'
import { GridModel } from './model.ts'
import type { GradeGridProps, GridRow } from './types.ts'

/** What the grid holds: values as stored, what was typed since, what is wrong with it. */
export function useGridModel<R extends GridRow>(
  { rows, columns, readOnly, onTotals }: GradeGridProps<R>,
  ids: readonly number[],
) {
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const stored = useCallback((row: number, key: string) => byId.get(row)?.cells[key] ?? null, [byId])
  const writable = useCallback(
    (row: number, key: string) => {
      const locked = byId.get(row)?.locked
      return !readOnly && locked !== true && !locked?.includes(key)
    },
    [byId, readOnly],
  )
  const [model] = useState(() => new GridModel(ids, columns, stored, writable))
  const first = useRef(true)
  useLayoutEffect(() => {
    if (first.current) first.current = false
    else model.reload(ids, columns, stored, writable)
  }, [model, ids, columns, stored, writable])
  const version = useSyncExternalStore(model.subscribe, model.version)
  useEffect(() => onTotals?.((row, key) => model.get(row, key), rows), [version, rows, onTotals, model])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for what the model holds
  const mistakes = useMemo(() => model.mistakes(), [model, version])
  // Also while they are being saved: until they are, they can be lost.
  useUnsaved(model.unsavedCount > 0)
  return { model, mistakes }
}
