import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/**
 * Whether a window of a term (`window`, a row of `stage_windows`, its stage group joined as `group`, missing where it is
 * for everybody) opens to the student `student`, as text of SQL: as one of the group, or as one of those for whom alone it
 * was opened. `level`: that of the figures which are out, since a window that opened by a level
 * nobody has published would tell it.
 */
export const windowOpensTo = (of: {
  readonly student: string
  readonly window: string
  readonly group: string
  readonly level: string
}): string => {
  const { student: s, window: w, group: g, level } = of
  return `((${w}.exception_id is null or exists (select from window_exception_students wx
      where wx.window_exception_id = ${w}.exception_id and wx.student_id = ${s}.id)) and (${w}.stage_group_id is null or (${g}.removed_at is null
    and (${g}.faculty_id is null or ${g}.faculty_id = ${s}.faculty_id) and (${g}.bylaw_id is null or ${g}.bylaw_id = ${s}.bylaw_id)
    and (${g}.program_id is null or ${g}.program_id = ${s}.program_id) and (${g}.level is null or ${g}.level = ${level}))))`
}

/** The level of the student `student` that is out. */
export const shownLevel = (student: string): string =>
  `(select sh.level from shown_standing sh where sh.student_id = ${student}.id)`

/** The same condition for a query builder. */
export const opensTo = (of: Parameters<typeof windowOpensTo>[0]): RawBuilder<unknown> => sql.raw(windowOpensTo(of))

/**
 * Whether the stage group `group` (missing where a window is for everybody) is of the faculty of the offering `offering`,
 * as text of SQL. A course of the whole university is of every faculty: each one's window for marks is its own too.
 */
export const groupOfOffering = (group: string, offering: string): string =>
  `(${group}.faculty_id is null or ${offering}.faculty_id is null or ${group}.faculty_id = ${offering}.faculty_id)`
