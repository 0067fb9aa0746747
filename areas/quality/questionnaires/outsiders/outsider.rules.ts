/** People outside as they are pasted or come in a sheet: pure functions that say every reason. */
import type { Reason } from '#kit/contract/issues.ts'

/** What a line or a row says of somebody. */
export interface OutsiderSaid {
  readonly name: string
  readonly organisation: string | null
  readonly email: string
}
/** The part of an address that a person can get wrong: one @, a name before it, a domain with a dot after it. */
const ADDRESS = /^[^\s@<>,;"()]+@[^\s@<>,;"()]+\.[^\s@<>,;"().]{2,}$/
export const isAddress = (text: string): boolean => text.length <= 200 && ADDRESS.test(text)

/** Everything that stands against a row. `first`: the row in which the address stands already. */
export function checkOutsider(said: OutsiderSaid, first: number | null): Reason[] {
  const reasons: Reason[] = []
  if (!said.name) reasons.push({ field: 'name', code: 'outsider_name' })
  else if (said.name.length > 200) reasons.push({ field: 'name', code: 'outsider_long' })
  if ((said.organisation?.length ?? 0) > 200) reasons.push({ field: 'organisation', code: 'outsider_long' })
  if (!said.email) reasons.push({ field: 'email', code: 'outsider_no_address' })
  else if (!isAddress(said.email))
    reasons.push({ field: 'email', code: 'outsider_address', data: { text: said.email } })
  else if (first !== null) reasons.push({ field: 'email', code: 'outsider_twice', data: { row: first } })
  return reasons
}

/** One line: cells of a sheet, values with commas or semicolons between them, or `Name <address>`. */
function lineSaid(line: string): OutsiderSaid {
  const mail = /^(.*?)<([^<>]*)>\s*$/.exec(line)
  const cells = (mail ? [mail[1] ?? '', mail[2] ?? ''] : line.split(/[\t;,،؛]/))
    .map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    )
    .filter((cell) => cell !== '')
  const at = cells.findIndex((cell) => cell.includes('@'))
  const [name = '', organisation = null] = cells.filter((_, i) => i !== at)
  return { name, organisation, email: (cells[at] ?? '').toLowerCase() }
}

/** Lines of a text that was pasted: what they say, and what is wrong with them by the number of the line. */
export function outsidersIn(text: string): {
  rows: OutsiderSaid[]
  wrong: { readonly line: number; readonly reasons: readonly Reason[] }[]
} {
  const rows: OutsiderSaid[] = []
  const wrong: { line: number; reasons: Reason[] }[] = []
  const first = new Map<string, number>()
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue
    const said = lineSaid(line)
    const reasons = checkOutsider(said, first.get(said.email) ?? null)
    if (said.email && !first.has(said.email)) first.set(said.email, i + 1)
    if (reasons.length) wrong.push({ line: i + 1, reasons })
    else rows.push(said)
  }
  return { rows, wrong }
}
