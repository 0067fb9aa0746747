/** What stands in the cells of a sheet that is written. */
import type { CellValue } from 'hucre/xlsx'
import type { WriteValue } from './sheet.ts'

const asText = (raw: WriteValue): CellValue =>
  raw === null || raw === undefined || raw === '' ? null : printable(String(raw))

function asNumber(raw: WriteValue): CellValue {
  const text = String(raw ?? '')
  // More digits than a double keeps would change silently.
  return /^-?\d+(\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').length <= 15 ? Number(text) : asText(raw)
}

function asDate(raw: WriteValue): CellValue {
  const text = String(raw ?? '')
  const date = new Date(`${text}T00:00:00Z`)
  const real = /^\d{4}-\d\d-\d\d$/.test(text) && text >= '1900-03-01' && !Number.isNaN(date.getTime())
  return real && date.toISOString().startsWith(text) ? date : asText(raw)
}

/** How a value is written in a column of each type. */
export const writers = { text: asText, number: asNumber, decimal: asNumber, date: asDate }

/** What XML can carry and Excel accepts in a cell; a text that looks like Excel's own escape (`_x0041_`) is escaped. */
export function printable(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
      .slice(0, 32_767)
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
  )
}

/** A name that Excel takes for a sheet, unlike those taken. */
export function sheetName(wanted: string, taken: Set<string>): string {
  const clean =
    printable(wanted)
      .replaceAll(/[[\]:*?/\\]/g, ' ')
      .replaceAll(/^'+|'+$/g, '')
      .trim() || 'Sheet'
  let name = clean.slice(0, 31).trim()
  for (let copy = 2; taken.has(name.toLowerCase()); copy += 1)
    name = `${clean.slice(0, 31 - ` (${copy})`.length)} (${copy})`
  taken.add(name.toLowerCase())
  return name
}
