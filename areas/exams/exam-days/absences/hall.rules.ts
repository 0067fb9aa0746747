import type { HallLine } from './absence.contract.ts'

/** Figures of a scanner or keyboard in another script, as the list has them. */
const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[٠-٩]/g, (figure) => String(figure.charCodeAt(0) - 0x660))

type Line = Pick<HallLine, 'seat' | 'student'>
/**
 * Whom a text means in a hall: the one whose code or seat it is, and everybody whose code, seat or name has it. A code comes
 * before a seat.
 */
export function foundBy<Row extends Line>(
  rows: readonly Row[],
  typed: string,
): { readonly exact: Row | undefined; readonly rows: readonly Row[] } {
  const text = plain(typed)
  if (!text) return { exact: undefined, rows }
  const exact =
    rows.find((one) => one.student.code?.toLowerCase() === text) ?? rows.find((row) => String(row.seat) === text)
  const has = ({ seat, student }: Row) =>
    String(seat) === text ||
    [student.code, student.name, student.name_local].some((one) => one?.toLowerCase().includes(text))
  return { exact, rows: rows.filter(has) }
}
