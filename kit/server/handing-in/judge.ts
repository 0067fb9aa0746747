/** Judges the rows of a sheet that is handed in, one after the other. */
import type { Reason } from '../base/errors.ts'
import type { Line, SheetFacts } from '../resource/imports/imports.ts'
import { sheetError } from '../resource/imports/sheet.ts'

/** A row while it is judged. */
export interface JudgedRow {
  readonly line: Line
  /** An earlier row that names the same. */
  readonly earlier: number | undefined
  /** What stands in a cell, without spaces around it; empty where nothing does. */
  text(field: string): string
  /** Says what stands in a column beside those of the sheet. */
  show(field: string, text: string): void
  /** Something is wrong with a cell, or with the whole row (null). */
  wrong(field: string | null, code: string, data?: Reason['data']): void
  /** Saving the row changes a field. */
  change(field: string, old: string | null, fresh: string | null): void
}

/**
 * Asks of each row that is not left out what it does, in the order of the sheet; before, nothing is said of it. A row
 * with something wrong is wrong and changes nothing, whatever else was said of it.
 *
 * @param judge notes what is wrong and what changes. It gives what saving does where that does not follow from the
 * changes.
 */
export function judgeRows(
  lines: readonly Line[],
  facts: Pick<SheetFacts, 'columns'>,
  judge: (row: JudgedRow) => 'created' | 'changed' | 'same' | void,
): void {
  const heads = new Map(facts.columns.map(({ field, header }) => [field, header]))
  const beside = new Set(facts.columns.flatMap(({ field, fixed }) => (fixed ? [field] : [])))
  const first = new Map<string, number>()
  for (const line of lines.toSorted((a, b) => a.row - b.row)) {
    Object.assign(line, { record_id: null, version: null, values: {}, changes: [], errors: [] })
    if (line.state === 'out') continue
    line.cells = Object.fromEntries(Object.entries(line.cells).filter(([field]) => !beside.has(field)))
    const does = judge({
      line,
      earlier: line.key === null ? undefined : first.get(line.key),
      text: (field) => line.cells[field]?.text.trim() ?? '',
      show: (field, text) => void (line.cells[field] = { type: 'text', text }),
      wrong(field, code, data) {
        const header = field === null ? null : (heads.get(field) ?? null)
        const { row: _row, ...told } = sheetError(line.row, header, { code, ...(data && { data }) })
        line.errors.push({ field, ...told })
      },
      change: (field, old, fresh) => void line.changes.push({ field, old, new: fresh }),
    })
    if (line.key !== null && !first.has(line.key)) first.set(line.key, line.row)
    line.state = line.errors.length ? 'wrong' : (does ?? (line.changes.length ? 'changed' : 'same'))
    if (line.state === 'wrong') line.changes = []
  }
}
