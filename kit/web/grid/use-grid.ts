import { timeOf } from '#kit/contract/day.ts'
import { useCallback, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { notify, useShortcut } from '../feedback/index.ts'
import { loadTexts, translate, useT } from '../i18n/index.ts'
import { forgetUnsaved } from '../router/index.ts'
import { shown } from './grid-line.tsx'
import { ABSENT, normal, readCell } from './model.ts'
import type { Mistake, Place } from './model.ts'
import type { GradeGridProps, GridRow } from './types.ts'
import { useGridLayout } from './use-grid-layout.ts'
import { useGridModel } from './use-grid-model.ts'

/** What is said of cells that wait for a line. */
async function keptWords(count: number): Promise<string> {
  // Fetched with the screen; should that not have been possible, the count above the screen tells it.
  await loadTexts('kit-waiting').catch(() => undefined)
  return translate('kit-waiting', 'kept', { count })
}

/** A cell that is open. */
export interface Editing {
  readonly text: string
  /** Something was typed: arrows leave the cell. */
  readonly typed: boolean
  /** It was opened by a finger: the next one opens with Enter, so that the keyboard of the phone stays. */
  readonly touch?: boolean
}

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
  const [editing, setEditing] = useState<Editing | null>(null)
  /** Enter was pressed on the last row: what is typed now belongs to nobody. */
  const [ended, setEnded] = useState(false)
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
    setEnded(false)
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
  const commit = (text = editing?.text): void => {
    if (text === undefined || !editing || activeRow === undefined || activeKey === undefined) return
    model.write([{ row: activeRow, key: activeKey, value: readCell(text) }])
    setEditing(null)
  }
  const begin = (text: string, typed: boolean) => {
    if (canEdit) setEditing({ text, typed })
  }
  const tellEnd = () => setNote(t('grid_end'))
  /** To the row below, or above. Below the last there is none: nothing is typed over it unawares. */
  const goDown = (by: 1 | -1): boolean => {
    goTo({ row: active.row + by, column: active.column })
    if (active.row + by < rows.length) return true
    setEnded(true)
    tellEnd()
    return false
  }
  /** Opens a cell with what stands in it, where it may be written. */
  const openAt = ({ row, column }: Place, touch = false) => {
    const [id, key] = [ids[row], keys[column]]
    if (id === undefined || key === undefined) return
    setEditing(model.canWrite(id, key) ? { text: shown(model.get(id, key), ABSENT), typed: false, touch } : null)
  }
  /** True: nothing is unsaved any more. */
  const save = async (): Promise<boolean> => {
    commit()
    if (busy) return false
    if (!model.unsavedCount) return true
    // What is right is saved: one slip of the finger keeps no class waiting.
    const { right, wrong } = model.toSave()
    if (!right.length) {
      if (wrong[0]) toMistake(wrong[0])
      return false
    }
    let isAll = false
    setBusy(true)
    try {
      const answer = await props.onSave(right)
      const refused = answer?.refused ?? []
      if (refused.length) model.refuse(refused)
      const count = right.length - refused.length
      const left = wrong.length + refused.length
      if (!left) forgetUnsaved()
      const saved = answer?.waiting ? await keptWords(count) : t('grid_saved', { count })
      // Where nothing was saved, the cells say why.
      // And stays to be read, in place of what was told before.
      setNote(count && !left ? `${saved} · ${timeOf()}` : '')
      if (count) notify.done(left ? `${saved} · ${t('grid_mistakes', { count: left })}` : saved)
      const [first] = [...wrong, ...refused]
      if (first) {
        toMistake(first)
        return false
      }
      isAll = !answer?.waiting
    } catch (error) {
      notify.error(error)
    } finally {
      setBusy(false)
    }
    box.current?.focus()
    return isAll
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
    save,
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
  const open = () => openAt(active)
  /** What was typed by a finger is kept, and the next cell opens, with the keyboard of the phone still there. */
  const nextByTouch = (text?: string) => {
    commit(text)
    if (goDown(1)) openAt({ row: active.row + 1, column: active.column }, true)
    else box.current?.focus()
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
    openAt,
    nextByTouch,
    ended,
    setEnded,
    tellEnd,
    goDown,
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
