import { decimalText } from '../fields/digits.ts'

/**
 * The state of a grid of marks, without a screen: values, what of it is unsaved, undo and redo, paste, validation.
 * A value is decimal text, `A` for absent, or null for empty.
 */
export type CellValue = string | null
export interface NumberColumn {
  readonly key: string
  /** Highest value accepted. */
  readonly max: number
  /** Lowest value accepted; 0 unless told. */
  readonly min?: number
  /** Decimals accepted; 2 unless told. */
  readonly places?: number
  /** Whether a student can be marked absent here. */
  readonly absent?: boolean
  readonly readOnly?: boolean
}
export type Mistake =
  | { readonly code: 'not_a_number' }
  | { readonly code: 'out_of_range'; readonly min: number; readonly max: number }
  | { readonly code: 'too_many_places'; readonly places: number }
  | { readonly code: 'absent_not_allowed' }
  | { readonly code: 'server'; readonly text: string }

export const ABSENT = 'A'

/** What was typed or pasted, as a value: Arabic digits and a decimal comma become plain; `A`, `abs`, `غ`, `غائب` are absent. */
export function readCell(typed: string): CellValue {
  const text = typed.trim()
  if (text === '') return null
  if (/^(a|abs|absent|غ|غائب|غياب)$/i.test(text)) return ABSENT
  return decimalText(text) ?? text
}

/** The mistake of a value in its column, or null. */
export function check(value: CellValue, column: NumberColumn): Mistake | null {
  if (value === null) return null
  if (value === ABSENT) return column.absent === false ? { code: 'absent_not_allowed' } : null
  const number = decimalText(value)
  if (number === null) return { code: 'not_a_number' }
  const min = column.min ?? 0
  if (Number(number) < min || Number(number) > column.max) return { code: 'out_of_range', min, max: column.max }
  const places = column.places ?? 2
  if ((number.split('.')[1]?.replace(/0+$/, '').length ?? 0) > places) return { code: 'too_many_places', places }
  return null
}

/** Cells of a block on the clipboard, as a spreadsheet writes it: tabs, line ends, quotes around cells with line ends. */
export function parseBlock(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') {
        cell += '"'
        i++
      } else if (c === '"') quoted = false
      else cell += c
    } else if (c === '"' && cell === '') quoted = true
    else if (c === '\t') {
      row.push(cell)
      cell = ''
    } else if (c === '\n' || c === '\r') {
      if (c === '\r' && text[i + 1] === '\n') i++
      row.push(cell)
      rows.push(row)
      row = []
      cell = ''
    } else cell += c
  }
  if (cell !== '' || row.length) {
    row.push(cell)
    rows.push(row)
  }
  return rows
}
/** Cells as a block for the clipboard. */
export const writeBlock = (rows: readonly (readonly CellValue[])[]): string =>
  rows.map((row) => row.map((cell) => (cell ?? '').replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n')

/** One cell by row and column place. */
export interface Place {
  readonly row: number
  readonly column: number
}
export interface Range {
  readonly from: Place
  readonly to: Place
}
export const normal = ({ from, to }: Range) => ({
  top: Math.min(from.row, to.row),
  bottom: Math.max(from.row, to.row),
  start: Math.min(from.column, to.column),
  end: Math.max(from.column, to.column),
})

export interface Edit {
  readonly row: number
  readonly key: string
  readonly before: CellValue
  readonly after: CellValue
}

/**
 * Values of a grid with undo. `rows` are row keys; `read` gives the stored value. Edits are kept apart from what is
 * stored, so that "unsaved" is what differs, also after an undo.
 */
export class GridModel {
  #rows: readonly number[]
  #stored: (row: number, key: string) => CellValue
  #columns: ReadonlyMap<string, NumberColumn>
  #changed = new Map<string, CellValue>()
  #server = new Map<string, string>()
  #past: Edit[][] = []
  #future: Edit[][] = []
  #writable: (row: number, key: string) => boolean
  #listeners = new Set<() => void>()
  #version = 0

  constructor(
    rows: readonly number[],
    columns: readonly NumberColumn[],
    stored: (row: number, key: string) => CellValue,
    writable: (row: number, key: string) => boolean = () => true,
  ) {
    this.#rows = rows
    this.#columns = new Map(columns.map((c) => [c.key, c]))
    this.#stored = stored
    this.#writable = writable
  }

  /** New rows from the server: unsaved cells stay, those that now equal what is stored are no longer unsaved. */
  reload(
    rows: readonly number[],
    columns: readonly NumberColumn[],
    stored: (row: number, key: string) => CellValue,
    writable: (row: number, key: string) => boolean,
  ) {
    this.#rows = rows
    this.#columns = new Map(columns.map((c) => [c.key, c]))
    this.#stored = stored
    this.#writable = writable
    for (const [cell, value] of this.#changed) {
      const [row, key] = split(cell)
      if (same(value, stored(row, key))) this.#changed.delete(cell)
    }
    this.#emit()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  version = (): number => this.#version

  get(row: number, key: string): CellValue {
    const cell = join(row, key)
    return this.#changed.has(cell) ? this.#changed.get(cell)! : this.#stored(row, key)
  }
  isUnsaved = (row: number, key: string): boolean => this.#changed.has(join(row, key))
  canWrite = (row: number, key: string): boolean =>
    this.#columns.get(key)?.readOnly !== true && this.#columns.has(key) && this.#writable(row, key)
  mistake(row: number, key: string): Mistake | null {
    const text = this.#server.get(join(row, key))
    if (text !== undefined) return { code: 'server', text }
    const column = this.#columns.get(key)
    // What is stored was accepted once; only what the person writes now is judged.
    return column && this.#changed.has(join(row, key)) ? check(this.get(row, key), column) : null
  }

  /** Writes cells as one step that can be undone. Read-only cells are left as they are. Returns how many changed. */
  write(cells: readonly { row: number; key: string; value: CellValue }[]): number {
    const edits: Edit[] = []
    for (const { row, key, value } of cells) {
      if (!this.canWrite(row, key)) continue
      const before = this.get(row, key)
      if (before === value) continue
      edits.push({ row, key, before, after: value })
    }
    if (!edits.length) return 0
    this.#apply(edits, 'after')
    this.#past.push(edits)
    if (this.#past.length > 500) this.#past.shift()
    this.#future = []
    return edits.length
  }
  /** Pastes a block at a place. A single value fills the whole range. Returns how many cells changed. */
  paste(block: readonly (readonly string[])[], range: Range, columnKeys: readonly string[]): number {
    const { top, bottom, start, end } = normal(range)
    const single = block.length === 1 && block[0]!.length === 1
    const height = single ? bottom - top + 1 : block.length
    const width = single ? end - start + 1 : Math.max(0, ...block.map((row) => row.length))
    const cells: { row: number; key: string; value: CellValue }[] = []
    for (let r = 0; r < height; r++) {
      for (let c = 0; c < width; c++) {
        const row = this.#rows[top + r]
        const key = columnKeys[start + c]
        const text = single ? block[0]![0]! : block[r]![c]
        if (row !== undefined && key !== undefined && text !== undefined)
          cells.push({ row, key, value: readCell(text) })
      }
    }
    return this.write(cells)
  }
  /** Takes the last step back; returns its cells, to show them. */
  undo(): readonly Edit[] {
    const edits = this.#past.pop()
    if (!edits) return []
    this.#future.push(edits)
    this.#apply(edits, 'before')
    return edits
  }
  redo(): readonly Edit[] {
    const edits = this.#future.pop()
    if (!edits) return []
    this.#past.push(edits)
    this.#apply(edits, 'after')
    return edits
  }
  get canUndo(): boolean {
    return this.#past.length > 0
  }
  get canRedo(): boolean {
    return this.#future.length > 0
  }

  /** What has to be saved. */
  unsaved(): { row: number; key: string; value: CellValue }[] {
    return [...this.#changed].map(([cell, value]) => {
      const [row, key] = split(cell)
      return { row, key, value }
    })
  }
  /** What can be saved, and what is still wrong with the rest. What the server refused may be sent again. */
  toSave(): {
    right: { row: number; key: string; value: CellValue }[]
    wrong: { row: number; key: string; mistake: Mistake }[]
  } {
    const wrong = this.mistakes().filter(({ mistake }) => mistake.code !== 'server')
    const held = new Set(wrong.map(({ row, key }) => join(row, key)))
    return { right: this.unsaved().filter(({ row, key }) => !held.has(join(row, key))), wrong }
  }
  get unsavedCount(): number {
    return this.#changed.size
  }
  mistakes(): { row: number; key: string; mistake: Mistake }[] {
    const cells = new Set([...this.#changed.keys(), ...this.#server.keys()])
    return [...cells].flatMap((cell) => {
      const [row, key] = split(cell)
      const mistake = this.mistake(row, key)
      return mistake ? [{ row, key, mistake }] : []
    })
  }
  /** Reasons the server gave, at their cells; gone as soon as the cell is written again. */
  refuse(reasons: readonly { row: number; key: string; text: string }[]) {
    for (const { row, key, text } of reasons) this.#server.set(join(row, key), text)
    this.#emit()
  }
  discard() {
    this.#changed.clear()
    this.#server.clear()
    this.#past = []
    this.#future = []
    this.#emit()
  }

  #apply(edits: readonly Edit[], side: 'before' | 'after') {
    for (const edit of edits) {
      const cell = join(edit.row, edit.key)
      const value = edit[side]
      this.#server.delete(cell)
      if (same(value, this.#stored(edit.row, edit.key))) this.#changed.delete(cell)
      else this.#changed.set(cell, value)
    }
    this.#emit()
  }
  #emit() {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}

const join = (row: number, key: string) => `${row}\u0000${key}`
const split = (cell: string): [number, string] => {
  const at = cell.indexOf('\u0000')
  return [Number(cell.slice(0, at)), cell.slice(at + 1)]
}
/** 12 and 12.00 are one mark. */
const same = (a: CellValue, b: CellValue): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a !== ABSENT &&
    b !== ABSENT &&
    a.trim() !== '' &&
    b.trim() !== '' &&
    Number(a) === Number(b))
