/** Students in sheets that are handed in: by their codes, each once. */
import { fold } from '#kit/contract/index.ts'
import type { JudgedRow } from '#kit/server/handing-in/judge.ts'

/** People by their codes, as `sheetStudent` looks for them. */
export const byStudentCode = <T>(
  all: readonly T[],
  codeOf: (one: T) => string | null | undefined,
): ReadonlyMap<string, T> => new Map(all.map((one) => [fold(codeOf(one) ?? ''), one]))

/** Whom a row names by its column `code`; null where that is nobody, or somebody whom an earlier row names: then it was said. */
export function sheetStudent<T>(row: JudgedRow, byCode: ReadonlyMap<string, T>): T | null {
  const code = row.line.cells.code?.text ?? ''
  const found = byCode.get(fold(code))
  if (!code) row.wrong('code', 'sheet_code_missing')
  else if (!found) row.wrong('code', 'sheet_student_unknown', { code })
  else if (row.earlier !== undefined) row.wrong('code', 'sheet_student_twice', { code, row: row.earlier })
  return row.earlier === undefined && found !== undefined ? found : null
}
