/** A template's sheets as they are shown, and the cells of it that ask for something. */
import { cellName, readForm, readSheet, SheetError } from '#kit/server/sheets/index.ts'
import { asksForm, type FormCell } from '../cells/cell.rules.ts'
import type { ShownCell, ShownSheet } from './template.contract.ts'

/** Rows and columns of a sheet that are shown; the file has all of them. */
const SHOWN = { rows: 200, columns: 40 }
/** Cells of a template that ask for something. */
const MOST_CELLS = 3000
const LONGEST = 500

export interface OpenedForm {
  readonly sheets: readonly ShownSheet[]
  readonly cells: readonly FormCell[]
}

const placeOf = (name: string): [row: number, column: number] => {
  const [, letters = 'A', row = '1'] = /^\$?([A-Z]+)\$?(\d+)$/.exec(name) ?? []
  return [Number(row), [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)]
}

/** Opens a workbook as a form. @throws {SheetError} for what is none, or too large */
export async function openForm(content: Uint8Array): Promise<OpenedForm> {
  const options = { maxRows: 2000, maxColumns: 200, maxSheets: 12 }
  const [{ sheets }, drawn] = [await readSheet(content, options), await readForm(content)]
  const cells = sheets.flatMap(({ name, rows }) =>
    rows.flatMap((row, y) =>
      row.flatMap(({ text, formula }, x) =>
        asksForm(text) && !formula ? [{ sheet: name, cell: cellName(y + 1, x + 1), text: text.slice(0, LONGEST) }] : [],
      ),
    ),
  )
  if (cells.length > MOST_CELLS) throw new SheetError('sheet_too_large', { what: 'cells', limit: MOST_CELLS })
  return {
    cells,
    sheets: sheets.map(({ name, rows }) => {
      const { rtl = false, merges = [] } = drawn.find((one) => one.name === name) ?? {}
      const spans = new Map<string, { rows: number; columns: number }>()
      const covered = new Set<string>()
      for (const merge of merges) {
        const [from = '', until = from] = merge.split(':')
        const [[top, left], [bottom, right]] = [placeOf(from), placeOf(until)]
        spans.set(cellName(top, left), {
          rows: Math.min(bottom, SHOWN.rows) - top + 1,
          columns: Math.min(right, SHOWN.columns) - left + 1,
        })
        for (let y = top; y <= Math.min(bottom, SHOWN.rows); y++)
          for (let x = left; x <= Math.min(right, SHOWN.columns); x++)
            if (y !== top || x !== left) covered.add(cellName(y, x))
      }
      return {
        name,
        rtl,
        height: rows.length,
        width: rows[0]?.length ?? 0,
        rows: rows.slice(0, SHOWN.rows).map((row, y) =>
          row.slice(0, SHOWN.columns).flatMap(({ text, type, formula }, x): ShownCell[] => {
            const cell = cellName(y + 1, x + 1)
            if (covered.has(cell)) return []
            const span = spans.get(cell) ?? { rows: 1, columns: 1 }
            const kind = formula ? 'formula' : type === 'empty' ? 'empty' : type === 'number' ? 'number' : 'text'
            return [{ cell, text: formula ? '' : text, kind, ...span }]
          }),
        ),
      }
    }),
  }
}
