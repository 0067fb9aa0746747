/** QIF: movements as records of lines that begin with a letter. It names neither account nor currency nor the order of its days. */
import { tooManyLines } from './columns.rules.ts'
import type { TableRow } from './columns.rules.ts'
import { MOST_LINES } from './statement.rules.ts'

/** Whether a text is one, by its first line. */
export const isQif = (text: string): boolean => /^(?:\uFEFF|\s)*!(?:Type|Account|Option|Clear)\b/i.test(text)

/** Letters of a movement as columns of a table, which is then read as any other: a person can say how its days are written. */
const COLUMNS: readonly (readonly [letter: string, heading: string])[] = [
  ['D', 'Date'],
  ['T', 'Amount'],
  ['N', 'Reference'],
  ['P', 'Payer'],
  ['M', 'Description'],
]

/** @throws with a code of a refusal: `file_other_message` where it is of shares, `file_no_statement`, too many lines */
export function readQif(text: string): { rows: TableRow[]; places: number[] } {
  const rows: TableRow[] = [COLUMNS.map(([, heading]) => ({ text: heading }))]
  const places = [1]
  let reading = false
  let record = new Map<string, string>()
  let began = 0
  const keep = (): void => {
    if (!record.size) return
    if (rows.length > MOST_LINES) throw tooManyLines()
    const of = (letter: string) => record.get(letter) ?? (letter === 'T' ? record.get('U') : undefined) ?? ''
    rows.push(COLUMNS.map(([letter]) => ({ text: of(letter).trim().slice(0, 2000) })))
    places.push(began)
  }
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    const type = /^\s*!Type:\s*(.+?)\s*$/i.exec(line)
    if (type) {
      if (/^Invst/i.test(type[1]!))
        throw Object.assign(new Error('shares'), { code: 'file_other_message', data: { found: 'QIF Invst' } })
      // Lists of categories, accounts and the like stand among movements of some programs.
      reading = /^(?:Bank|Cash|CCard|Oth [AL])$/i.test(type[1]!)
      record = new Map()
      continue
    }
    if (/^\s*!/.test(line)) {
      reading = /^\s*!(?:Option|Clear)/i.test(line) && reading
      record = new Map()
      continue
    }
    if (!reading || line.trim() === '') continue
    const letter = line[0]!
    if (letter === '^') {
      keep()
      record = new Map()
      continue
    }
    if (!record.size) began = i + 1
    if (!record.has(letter)) record.set(letter, line.slice(1))
  }
  // The last record of some programs ends with the file.
  if (reading && record.has('D')) keep()
  if (rows.length === 1) throw Object.assign(new Error('none'), { code: 'file_no_statement', data: { found: '' } })
  return { rows, places }
}
