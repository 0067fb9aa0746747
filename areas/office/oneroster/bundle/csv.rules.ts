/**
 * Comma separated values as RFC 4180 has them, read once from end to end: of a line only the wanted cells are taken, so
 * that a file of a hundred thousand lines costs little more than its text.
 */

/** Why a text is no CSV, and on which line. */
export interface CsvFault {
  readonly line: number
  readonly reason: string
}
const QUOTE = 34
const COMMA = 44
const LF = 10
const CR = 13

/**
 * Calls `onHeader` with the cells of the first record, which answers the positions that are wanted, and `onRow` with those
 * cells of every further record, trimmed, and the line it begins on. Empty lines are skipped.
 *
 * Columns without a name at the end of the heading, and empty cells beyond it, as spreadsheet programs leave them, are nothing.
 *
 * @returns the first faults; reading goes on after a record that has too many or too few cells, and ends at a broken quote
 */
export function readCsv(
  text: string,
  onHeader: (cells: readonly string[]) => readonly number[],
  onRow: (cells: readonly string[], line: number) => void,
): CsvFault[] {
  const faults: CsvFault[] = []
  const fault = (line: number, reason: string) => void (faults.length < 100 && faults.push({ line, reason }))
  let width = -1
  /** Columns up to the last that has a name. */
  let named = -1
  let wanted: readonly number[] = []
  let line = 1
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const end = text.length
  while (at < end) {
    const begun = line
    const cells: string[] = []
    let column = 0
    let next = 0
    let blank = true
    let beyond = false
    for (;;) {
      let cell: string
      let from = at
      while (text.charCodeAt(from) === 32) from++
      if (text.charCodeAt(from) === QUOTE) {
        let stop = from + 1
        let doubled = false
        for (;;) {
          stop = text.indexOf('"', stop)
          if (stop < 0) {
            fault(begun, 'a quotation mark is never closed')
            return faults
          }
          if (text.charCodeAt(stop + 1) !== QUOTE) break
          doubled = true
          stop += 2
        }
        cell = text.slice(from + 1, stop)
        for (let i = cell.indexOf('\n'); i >= 0; i = cell.indexOf('\n', i + 1)) line++
        if (doubled) cell = cell.replaceAll('""', '"')
        at = stop + 1
        while (text.charCodeAt(at) === 32) at++
        const after = text.charCodeAt(at)
        if (at < end && after !== COMMA && after !== LF && after !== CR) {
          fault(begun, 'text stands behind a closing quotation mark')
          return faults
        }
        blank = false
      } else {
        while (at < end) {
          const c = text.charCodeAt(at)
          if (c === COMMA || c === LF || c === CR) break
          if (c === QUOTE) {
            fault(begun, 'a quotation mark stands inside a cell that does not begin with one')
            return faults
          }
          at++
        }
        cell = width < 0 || wanted[next] === column ? text.slice(from, at) : ''
        if (at > from) blank = false
      }
      if (width >= 0 && column >= width && (cell !== '' || text.charCodeAt(from) === QUOTE || at > from)) beyond = true
      if (width < 0) cells.push(cell.trim())
      else if (wanted[next] === column) {
        cells.push(cell.trim())
        next++
      }
      column++
      if (text.charCodeAt(at) !== COMMA) break
      at++
      blank = false
    }
    if (text.charCodeAt(at) === CR) at++
    if (text.charCodeAt(at) === LF) at++
    line++
    if (blank && column === 1) continue
    if (width < 0) {
      width = column
      named = cells.findLastIndex((cell) => cell !== '') + 1
      wanted = onHeader(cells)
    } else {
      if (column < named || beyond) fault(begun, `${column} cells under ${width} columns`)
      onRow(cells, begun)
    }
  }
  return faults
}
