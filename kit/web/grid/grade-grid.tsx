/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/role-supports-aria-props, react/incompatible-library --
   the roles of the grid pattern on drawn-where-seen rows, which no table element allows; a gridcell may be read-only (ARIA 1.2) */
import {
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { CSSProperties, ClipboardEvent, KeyboardEvent, PointerEvent } from 'react'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconCheck } from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { notify, useShortcut } from '../feedback/index.ts'
import { directionOf, formatNumber, useLanguage, useT } from '../i18n/index.ts'
import { forgetUnsaved, useUnsaved } from '../router/index.ts'
import { GridLine, ROW, shown, stampOf } from './grid-line.tsx'
import { GridKeys, Sum } from './grid-tools.tsx'
import { ABSENT, GridModel, normal, parseBlock, readCell, writeBlock } from './model.ts'
import type { CellValue, Mistake, Place } from './model.ts'
import type { FrozenColumn, GradeGridProps, GridRow } from './types.ts'
import css from './grid.module.css'

/** Height of the heads; on a phone a narrow column says its name in two lines. */
const HEAD = { wide: 44, narrow: 58 } as const
/** Room below the grid: the bar with Save, the end of the page. */
const BELOW = 92

/**
 * Entry of marks like in a good spreadsheet: type, Enter goes down, Tab along, paste a column, undo, absent by `A`.
 * Rows are drawn only where seen; the grid is one stop of the Tab key and its own keyboard inside.
 */
export function GradeGrid<R extends GridRow>(props: GradeGridProps<R>) {
  const { rows, columns, computed = [], readOnly } = props
  // A phone has room for one column that stays: the last, which is the name.
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const frozen = useMemo(
    () => (narrow ? props.frozen.slice(-1).map((c) => ({ ...c, width: Math.min(c.width, 128) })) : props.frozen),
    [narrow, props.frozen],
  )
  const [ROW_HEIGHT, HEAD_HEIGHT] = narrow ? [ROW.narrow, HEAD.narrow] : [ROW.wide, HEAD.wide]
  const t = useT('kit-screens')
  const lang = useLanguage()
  const rtl = directionOf(lang) === 'rtl'
  const base = useId()
  const box = useRef<HTMLDivElement>(null)
  const ids = useMemo(() => rows.map((row) => row.id), [rows])
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const keys = useMemo(() => columns.map((c) => c.key), [columns])
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
  const { onTotals } = props
  useEffect(() => onTotals?.((row, key) => model.get(row, key), rows), [version, rows, onTotals, model])

  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  const [to, setTo] = useState<Place>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<{ text: string; typed: boolean } | null>(null)
  const [focused, setFocused] = useState(false)
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState('')
  const unsaved = model.unsavedCount
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for what the model holds
  const mistakes = useMemo(() => model.mistakes(), [model, version])
  // Also while they are being saved: until they are, they can be lost.
  useUnsaved(unsaved > 0)

  const frozenWidth = frozen.reduce((n, c) => n + c.width, 0)
  const widthOf = (c: { width?: number }) => c.width ?? 92
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
  const foot = useRef<HTMLDivElement>(null)
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
  }, [props.height, rows.length, ROW_HEIGHT, HEAD_HEIGHT])

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

  const onKeyDown = (event: KeyboardEvent) => {
    const mod = event.ctrlKey || event.metaKey
    const inEditor = editing !== null
    const handled = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (inEditor) {
      if (event.key === 'Escape') {
        handled()
        setEditing(null)
        box.current?.focus()
      } else if (event.key === 'Enter' || event.key === 'Tab') {
        handled()
        commit()
        box.current?.focus()
        if (event.key === 'Enter') goTo({ row: active.row + (event.shiftKey ? -1 : 1), column: active.column })
        else along(event.shiftKey ? -1 : 1)
      } else if (
        event.key === 'ArrowDown' ||
        event.key === 'ArrowUp' ||
        (editing.typed && event.key.startsWith('Arrow'))
      ) {
        // After typing, arrows leave the cell as in a spreadsheet; after F2 they move inside it.
        handled()
        commit()
        box.current?.focus()
        move(event.key, false)
      }
      return
    }
    if (mod) {
      const key = event.key.toLowerCase()
      if (key === 'z' && !event.shiftKey) {
        handled()
        step(model.undo())
      } else if (key === 'y' || (key === 'z' && event.shiftKey)) {
        handled()
        step(model.redo())
      } else if (key === 'a') {
        handled()
        setActive({ row: 0, column: 0 })
        setTo({ row: rows.length - 1, column: columns.length - 1 })
      } else if (key === 'home') {
        handled()
        goTo({ row: 0, column: 0 }, event.shiftKey)
      } else if (key === 'end') {
        handled()
        goTo({ row: rows.length - 1, column: columns.length - 1 }, event.shiftKey)
      } else if (event.key.startsWith('Arrow')) {
        handled()
        const far =
          event.key === 'ArrowUp'
            ? { ...to, row: 0 }
            : event.key === 'ArrowDown'
              ? { ...to, row: rows.length - 1 }
              : { ...to, column: (event.key === 'ArrowRight') !== rtl ? columns.length - 1 : 0 }
        goTo(far, event.shiftKey)
      }
      return
    }
    if (event.altKey) return
    if (event.key.startsWith('Arrow')) return (handled(), move(event.key, event.shiftKey))
    switch (event.key) {
      case 'Enter':
        handled()
        return goTo({ row: active.row + (event.shiftKey ? -1 : 1), column: active.column })
      case 'Tab': {
        // At its edges the grid lets the Tab key go on, so that nobody is caught in it.
        const last = active.row === rows.length - 1 && active.column === columns.length - 1
        const start = active.row === 0 && active.column === 0
        if (event.shiftKey ? start : last) return
        handled()
        return along(event.shiftKey ? -1 : 1)
      }
      case 'Home':
        handled()
        return goTo({ row: to.row, column: 0 }, event.shiftKey)
      case 'End':
        handled()
        return goTo({ row: to.row, column: columns.length - 1 }, event.shiftKey)
      case 'PageDown':
      case 'PageUp': {
        handled()
        const page = Math.max(1, Math.floor((height - HEAD_HEIGHT) / ROW_HEIGHT) - 1)
        return goTo({ row: to.row + (event.key === 'PageDown' ? page : -page), column: to.column }, event.shiftKey)
      }
      case 'F2':
        handled()
        return begin(
          activeRow === undefined || activeKey === undefined ? '' : shown(model.get(activeRow, activeKey), ABSENT),
          false,
        )
      case 'Delete':
      case 'Backspace':
        handled()
        model.write(cellsOf().map((cell) => ({ ...cell, value: null })))
        return
      case 'Escape':
        return setTo(active)
    }
    if (event.key.length !== 1) return
    if (/^[aA\u063A\u0634]$/.test(event.key) && (event.key !== '\u0634' || event.code === 'KeyA')) {
      // Absent by one key, on an Arabic keyboard too (its key of the same place sends another letter).
      handled()
      const cells = cellsOf().filter(({ key }) => columns.find((c) => c.key === key)?.absent !== false)
      if (model.write(cells.map((cell) => ({ ...cell, value: ABSENT }))) && cells.length === 1)
        goTo({ row: active.row + 1, column: active.column })
      return
    }
    if (/[\d.,٫\u0660-\u0669\u06F0-\u06F9-]/.test(event.key)) {
      handled()
      begin(event.key, true)
    }
  }
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
  const onCopy = (event: ClipboardEvent) => {
    if (editing) return
    event.preventDefault()
    const block: CellValue[][] = []
    for (let r = range.top; r <= range.bottom; r++)
      block.push(keys.slice(range.start, range.end + 1).map((key) => shown(model.get(ids[r]!, key), ABSENT)))
    event.clipboardData.setData('text/plain', writeBlock(block))
  }
  const onPaste = (event: ClipboardEvent) => {
    if (editing || readOnly) return
    event.preventDefault()
    const block = parseBlock(event.clipboardData.getData('text/plain'))
    if (!block.length) return
    const changed = model.paste(
      block,
      { from: { row: range.top, column: range.start }, to: { row: range.bottom, column: range.end } },
      keys,
    )
    if (block.length > 1 || block[0]!.length > 1) {
      setActive({ row: range.top, column: range.start })
      setTo({
        row: Math.min(rows.length - 1, range.top + block.length - 1),
        column: Math.min(columns.length - 1, range.start + Math.max(...block.map((line) => line.length)) - 1),
      })
    }
    setNote(t('grid_pasted', { count: changed }))
  }
  const placeOf = (target: EventTarget): Place | null => {
    const cell = (target as HTMLElement).closest<HTMLElement>('[data-c]')
    return cell ? { row: Number(cell.dataset.r), column: Number(cell.dataset.c) } : null
  }
  const dragging = useRef(false)
  const onPointerDown = (event: PointerEvent) => {
    const place = placeOf(event.target)
    if (!place || (event.target as HTMLElement).tagName === 'INPUT') return
    if (editing) commit()
    // A second tap opens the cell, and with it the keyboard of a phone.
    if (
      event.pointerType !== 'mouse' &&
      place.row === active.row &&
      place.column === active.column &&
      activeRow !== undefined &&
      activeKey !== undefined
    ) {
      event.preventDefault()
      return begin(shown(model.get(activeRow, activeKey), ABSENT), false)
    }
    if (event.shiftKey) setTo(place)
    else {
      setActive(place)
      setTo(place)
    }
    dragging.current = event.pointerType === 'mouse'
    if (dragging.current) event.preventDefault()
    box.current?.focus()
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
  const offsets = useMemo(() => frozen.map((_, i) => frozen.slice(0, i).reduce((n, c) => n + c.width, 0)), [frozen])
  const activeMistake =
    focused && activeRow !== undefined && activeKey !== undefined ? model.mistake(activeRow, activeKey) : null
  const cellId = (r: number, c: number) => `${base}-${r}-${c}`
  const items = virtualizer.getVirtualItems()

  return (
    <div className={css.wrap}>
      {!readOnly && (
        <div className={`${css.tools} no-print`}>
          <Tooltip label={t('undo')}>
            <ActionIcon
              variant="default"
              size={30}
              disabled={!model.canUndo}
              aria-label={t('undo')}
              onClick={() => step(model.undo())}
            >
              <IconArrowBackUp size={16} className="pointing" />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('redo')}>
            <ActionIcon
              variant="default"
              size={30}
              disabled={!model.canRedo}
              aria-label={t('redo')}
              onClick={() => step(model.redo())}
            >
              <IconArrowForwardUp size={16} className="pointing" />
            </ActionIcon>
          </Tooltip>
          {!narrow && <GridKeys />}
          <span className={css.spring} />
          <span aria-live="polite">{note}</span>
          <span aria-live="polite">
            {range.top !== range.bottom || range.start !== range.end ? <Sum model={model} cells={cellsOf()} /> : null}
          </span>
        </div>
      )}
      {/* The keyboard stays on the grid itself; the active cell is named by aria-activedescendant. */}
      <div
        ref={box}
        className={css.box}
        style={{ height, width: totalWidth + 18, '--head': `${HEAD_HEIGHT}px` } as CSSProperties}
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={frozen.length + columns.length + computed.length}
        aria-readonly={readOnly || undefined}
        aria-multiselectable="true"
        // A row that was scrolled away is not drawn: nothing is named then.
        aria-activedescendant={
          items.some(({ index }) => index === active.row) ? cellId(active.row, active.column) : undefined
        }
        tabIndex={0}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onPaste={onPaste}
        onPointerDown={onPointerDown}
        onPointerOver={(event) => {
          if (!dragging.current || event.buttons !== 1) return
          const place = placeOf(event.target)
          if (place) setTo(place)
        }}
        onPointerUp={() => (dragging.current = false)}
        onDoubleClick={(event) => {
          if (placeOf(event.target) && activeRow !== undefined && activeKey !== undefined)
            begin(shown(model.get(activeRow, activeKey), ABSENT), false)
        }}
        onFocus={() => setFocused(true)}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) {
            setFocused(false)
            commit()
          }
        }}
      >
        <div className={css.head} role="row" aria-rowindex={1}>
          {frozen.map((c, i) => (
            <div
              key={c.key}
              role="columnheader"
              aria-colindex={i + 1}
              className={`${css.cell} ${css.frozen} ${i === frozen.length - 1 ? css.lastFrozen : ''}`}
              style={{ width: c.width, insetInlineStart: offsets[i] }}
            >
              <span>{c.label}</span>
            </div>
          ))}
          {columns.map((c, i) => (
            <div
              key={c.key}
              role="columnheader"
              aria-colindex={frozen.length + i + 1}
              className={`${css.cell} ${css.number}`}
              style={{ width: widthOf(c) }}
              title={c.label}
            >
              <span>{c.label}</span>
              <small>
                <bdi dir="ltr">/ {formatNumber(c.max)}</bdi>
              </small>
            </div>
          ))}
          {computed.map((c, i) => (
            <div
              key={c.key}
              role="columnheader"
              aria-colindex={frozen.length + columns.length + i + 1}
              className={`${css.cell} ${css.number}`}
              style={{ width: widthOf(c) }}
            >
              <span>{c.label}</span>
            </div>
          ))}
        </div>
        <div
          role="rowgroup"
          style={{ position: 'relative', height: virtualizer.getTotalSize(), minWidth: '100%', width: totalWidth }}
        >
          {items.map((item) => {
            const row = rows[item.index]!
            const here = item.index === active.row
            return (
              <GridLine
                key={row.id}
                row={row}
                index={item.index}
                top={item.start}
                height={ROW_HEIGHT}
                frozen={frozen as readonly FrozenColumn<GridRow>[]}
                offsets={offsets}
                columns={columns}
                computed={computed}
                model={model}
                // Only rows whose cells changed are drawn again.
                stamp={stampOf(model, row.id, keys)}
                stored={row}
                activeColumn={here ? active.column : -1}
                rangeStart={item.index >= range.top && item.index <= range.bottom ? range.start : -1}
                rangeEnd={item.index >= range.top && item.index <= range.bottom ? range.end : -2}
                focused={focused}
                base={base}
                absent={t('grid_absent_short')}
                absentLong={t('grid_absent')}
                unsavedWord={t('unsaved')}
                mistakeText={mistakeText}
                editing={here && editing ? editing.text : null}
                onEdit={setEditing}
                editorLabel={t('grid_value')}
              />
            )
          })}
          {activeMistake && !editing && (
            <div
              className={css.reason}
              // The cell's own name says it to those who do not see.
              aria-hidden="true"
              style={{
                insetBlockStart:
                  active.row * ROW_HEIGHT + (active.row > rows.length - 4 && active.row > 3 ? -36 : ROW_HEIGHT + 2),
                insetInlineStart: frozenWidth + columns.slice(0, active.column).reduce((n, c) => n + widthOf(c), 0),
              }}
            >
              {mistakeText(activeMistake)}
            </div>
          )}
        </div>
      </div>
      {props.foot && <div ref={foot}>{props.foot}</div>}
      {!readOnly && (unsaved > 0 || busy) && (
        <section className={`${css.bar} no-print`} data-save-bar aria-label={t('unsaved_changes')}>
          <span className={css.barText} aria-live="polite">
            {t('grid_unsaved', { count: unsaved })}
            {mistakes.length > 0 && (
              <>
                {' · '}
                <button type="button" onClick={() => toMistake(mistakes[0]!)}>
                  {t('grid_mistakes', { count: mistakes.length })}
                </button>
              </>
            )}
          </span>
          <Button variant="default" disabled={busy} onClick={() => model.discard()}>
            {t('discard')}
          </Button>
          <Button
            loading={busy}
            disabled={mistakes.some((m) => m.mistake.code !== 'server')}
            leftSection={<IconCheck size={16} aria-hidden />}
            onClick={() => void save()}
          >
            {t('save')}
          </Button>
        </section>
      )}
    </div>
  )
}
