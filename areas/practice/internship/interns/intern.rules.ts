/** Who is in an internship year, and what is wished for: pure functions that return every reason. */
import type { Reason } from '#kit/contract/issues.ts'

export interface InternFacts {
  readonly status: string
  readonly in_faculty: boolean
  readonly in_bylaw: boolean
  readonly year_from: string
  readonly year_until: string
  readonly joined_on: string
  /** In another year that is neither closed nor completed. */
  readonly elsewhere: boolean
  /** Of the rotations that the intern has or asks for. */
  readonly first_day: string | null
  readonly completed: boolean
  /** The one to be with is in the year too. */
  readonly with_there: boolean
}
/** Everything that stands against keeping an intern. `joins`: who is not in the year yet. */
export function checkIntern(of: InternFacts, joins: boolean): Reason[] {
  const reasons: Reason[] = []
  if (joins && of.status !== 'graduated') reasons.push({ field: 'student_id', code: 'emtyaz_not_graduated' })
  if (!of.in_faculty) reasons.push({ field: 'student_id', code: 'emtyaz_other_faculty' })
  if (!of.in_bylaw) reasons.push({ field: 'student_id', code: 'emtyaz_other_bylaw' })
  if (of.elsewhere) reasons.push({ field: 'student_id', code: 'emtyaz_elsewhere' })
  if (of.joined_on < of.year_from || of.joined_on > of.year_until)
    reasons.push({
      field: 'joined_on',
      code: 'emtyaz_joined_outside',
      data: { from: of.year_from, until: of.year_until },
    })
  if (of.first_day !== null && of.joined_on > of.first_day)
    reasons.push({ field: 'joined_on', code: 'emtyaz_joined_after', data: { day: of.first_day } })
  if (of.completed) reasons.push({ code: 'emtyaz_completed' })
  if (!of.with_there) reasons.push({ field: 'with_student_id', code: 'emtyaz_with_elsewhere' })
  return reasons
}
/** ElectiveWishes are electives of the year, each once. */
export function checkWishes(electives: readonly { readonly id: number }[], types: readonly number[]): Reason[] {
  const known = new Set(electives.map(({ id }) => id))
  const reasons: Reason[] = []
  if (types.some((id) => !known.has(id))) reasons.push({ field: 'wishes', code: 'emtyaz_wish_none' })
  if (new Set(types).size < types.length) reasons.push({ field: 'wishes', code: 'emtyaz_wish_twice' })
  return reasons
}
