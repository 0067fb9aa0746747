/** What the screens of an intern share. */

/** What changes with an intern. */
export const INTERN_PATHS = ['/emtyaz', '/emtyaz-interns', '/emtyaz-rotations', '/users/work'] as const

/** What of the row of an intern is shown; the contract's schema of it is made from its fields. */
export interface InternRow {
  id: number
  version: number
  abilities: string[]
  student: { id: number; name: string; name_local: string; code: string }
  with_student: { name: string; name_local: string } | null
  completed_on: string | null
  wishes: { id: number; type_id: number; type: { name: string; name_local: string } | null }[]
  leaves: { id: number; starts_on: string; ends_on: string; kind: string }[]
}
