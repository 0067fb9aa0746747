import { useCallback, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { notify, useShortcut } from '../feedback/index.ts'
import { useT } from '../i18n/index.ts'
import { forgetUnsaved } from '../router/index.ts'
import { shown } from './grid-line.tsx'
import { ABSENT, normal, readCell } from './model.ts'
import type { Mistake, Place } from './model.ts'
import type { GradeGridProps, GridRow } from './types.ts'
import { useGridLayout } from './use-grid-layout.ts'
import { useGridModel } from './use-grid-model.ts'

/** Which cell is active, what is chosen and typed, and what is done with it. */
export function useGrid<R extends GridRow>(props: GradeGridProps<R>) {
  const { rows, columns, readOnly } = props
  const t = useT('kit-screens')
  const base = useId()
  const box = useRef<HTMLDivElement>(null)
  const ids = useMemo(() => rows.map((row) => row.id), [rows])
  const keys = useMemo(() => columns.map((c) => c.key), [columns])
  const { model, mistakes } = useGridModel(props, ids)
  const foot = useRef<HTMLDivElement>(null)
  const layout = useGridLayout(props, box, foot)
  const { reveal, rtl } = layout

  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  const [to, setTo] = useState<Place>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<{ text: string; typed: boolean } | null>(null)
  const [focused, setFocused] = useState(false)
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState('')

  const goTo = (place: Place, extend = false) => {
    const inside = {
      row: Math.min(Math.max(place.row, 0), rows.length - 1),
      column: Math.min(Math.max(place.column, 0), columns.length - 1),
    }
    if (!extend) setActive(inside)
    setNote('')
    setTo(inside)
    reveal(inside)
  }
  const range = normal({ from: active, to })
  const cellsOf = () => {
    const out: { row: number; key: string }[] = []
    for (let r = range.top; r <= range.bottom; r++)
      for (let c = range.start; c <= range.end; c++) out.push({ row: ids[r]!, key: keys[c]! })
    return out
  }
  const activeRow = ids[active.row]
  const activeKey = keys[active.column]
  const canEdit = activeRow !== undefined && activeKey !== undefined && model.canWrite(activeRow, activeKey)
  const commit = (): void => {
    if (!editing || activeRow === undefined || activeKey === undefined) return
    model.write([{ row: activeRow, key: activeKey, value: readCell(editing.text) }])
    setEditing(null)
  }
  const begin = (text: string, typed: boolean) => {
    if (canEdit) setEditing({ text, typed })
  }
  const save = async () => {
    commit()
    if (busy || !model.unsavedCount) return
    const wrong = model.mistakes().filter((m) => m.mistake.code !== 'server')
    if (wrong.length) return toMistake(wrong[0]!)
    setBusy(true)
    try {
      const cells = model.unsaved()
      const answer = await props.onSave(cells)
      if (answer?.refused?.length) model.refuse(answer.refused)
      else forgetUnsaved()
    } catch (error) {
      notify.error(error)
    } finally {
      setBusy(false)
      box.current?.focus()
    }
  }
  const toMistake = (m: { row: number; key: string }) => {
    goTo({ row: ids.indexOf(m.row), column: keys.indexOf(m.key) })
    box.current?.focus()
  }
  useImperativeHandle(props.handle, () => ({
    go: (row, key) => {
      box.current?.scrollIntoView({ block: 'nearest' })
      toMistake({ row, key })
    },
  }))
  const step = (edits: readonly { row: number; key: string }[]) => {
    if (edits[0]) goTo({ row: ids.indexOf(edits[0].row), column: keys.indexOf(edits[0].key) })
  }
  useShortcut('mod+s', () => void save(), readOnly ? null : t('shortcut_save'))
  const move = (key: string, extend: boolean) => {
    const from = extend ? to : active
    const side = rtl ? -1 : 1
    const by: Record<string, Place> = {
      ArrowDown: { row: 1, column: 0 },
      ArrowUp: { row: -1, column: 0 },
      ArrowRight: { row: 0, column: side },
      ArrowLeft: { row: 0, column: -side },
    }
    const d = by[key]
    if (d) goTo({ row: from.row + d.row, column: from.column + d.column }, extend)
  }
  const along = (by: 1 | -1) => {
    const flat = active.row * columns.length + active.column + by
    goTo({
      row: Math.floor(flat / columns.length),
      column: ((flat % columns.length) + columns.length) % columns.length,
    })
  }
  /** Opens the active cell with what stands in it. */
  const open = () => {
    if (activeRow !== undefined && activeKey !== undefined) begin(shown(model.get(activeRow, activeKey), ABSENT), false)
  }

  const mistakeText = useCallback(
    (m: Mistake): string =>
      m.code === 'server'
        ? m.text
        : m.code === 'out_of_range'
          ? t('grid_out_of_range', { min: m.min, max: m.max })
          : m.code === 'too_many_places'
            ? m.places === 0
              ? t('grid_whole')
              : t('grid_places', { count: m.places })
            : t(m.code === 'absent_not_allowed' ? 'grid_no_absent' : 'grid_not_a_number'),
    [t],
  )
  return {
    props,
    box,
    foot,
    base,
    ids,
    keys,
    model,
    mistakes,
    layout,
    mistakeText,
    active,
    setActive,
    to,
    setTo,
    range,
    cellsOf,
    editing,
    setEditing,
    begin,
    open,
    commit,
    goTo,
    move,
    along,
    step,
    toMistake,
    note,
    setNote,
    focused,
    setFocused,
    busy,
    save,
    activeMistake:
      focused && activeRow !== undefined && activeKey !== undefined ? model.mistake(activeRow, activeKey) : null,
  }
}
export type Grid<R extends GridRow> = ReturnType<typeof useGrid<R>>
