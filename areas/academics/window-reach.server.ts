import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/**
 * Whether a window of a term (`window`, its stage group joined as `group`, missing where it is for everybody) opens to
 * the student `student`, as text of SQL. `level`: that of the figures which are out, since a window that opened by a level
 * nobody has published would tell it.
 */
export const windowOpensTo = (of: {
  readonly student: string
  readonly window: string
  readonly group: string
  readonly level: string
}): string => {
  const { student: s, window: w, group: g, level } = of
  return `(${w}.stage_group_id is null or (${g}.removed_at is null
    and (${g}.faculty_id is null or ${g}.faculty_id = ${s}.faculty_id) and (${g}.bylaw_id is null or ${g}.bylaw_id = ${s}.bylaw_id)
    and (${g}.program_id is null or ${g}.program_id = ${s}.program_id) and (${g}.level is null or ${g}.level = ${level})))`
}

/** The level of the student `student` that is out. */
export const shownLevel = (student: string): string =>
  `(select sh.level from shown_standing sh where sh.student_id = ${student}.id)`

/** The same condition for a query builder. */
export const opensTo = (of: Parameters<typeof windowOpensTo>[0]): RawBuilder<unknown> => sql.raw(windowOpensTo(of))
