/** What a course of the internship year, and a year, must be: pure functions that return every reason. */
import { addDays } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'

export interface CriterionSaid {
  readonly id?: number
  readonly name: string
  readonly max_mark: number
}
export interface CourseSaid {
  readonly pass_mark: number
  readonly criteria: readonly CriterionSaid[]
  /** By criterion that stands: the highest mark that was given by it; null: none was. */
  readonly given: readonly { readonly id: number; readonly name: string; readonly most: number | null }[]
}
/** Everything that stands against keeping a course. */
export function checkEmtyazCourse({ pass_mark, criteria, given }: CourseSaid): Reason[] {
  const reasons: Reason[] = []
  if (criteria.length === 0) reasons.push({ field: 'criteria', code: 'emtyaz_no_criteria' })
  const total = criteria.reduce((sum, one) => sum + Math.round(one.max_mark * 100), 0) / 100
  if (criteria.length > 0 && pass_mark > total)
    reasons.push({ field: 'pass_mark', code: 'emtyaz_pass_mark', data: { total } })
  for (const { id, name, most } of given) {
    if (most === null) continue
    const now = criteria.find((one) => one.id === id)
    if (!now) reasons.push({ field: 'criteria', code: 'emtyaz_criterion_marked', data: { name } })
    else if (now.max_mark < most)
      reasons.push({ field: 'criteria', code: 'emtyaz_criterion_below', data: { name, most } })
  }
  // Who is marked already would lack a mark.
  if (given.some(({ most }) => most !== null) && criteria.some(({ id }) => id === undefined))
    reasons.push({ field: 'criteria', code: 'emtyaz_criterion_late' })
  return reasons
}

export interface YearSaid {
  readonly starts_on: string
  readonly periods: number
  readonly period_weeks: number
  readonly wishes_from: string | null
  readonly wishes_until: string | null
  /** The first and the last day of rotations and interns that it has. */
  readonly used_from: string | null
  readonly used_until: string | null
}
/** The last day of a year. */
export const yearEnds = (of: Pick<YearSaid, 'starts_on' | 'periods' | 'period_weeks'>): string =>
  addDays(of.starts_on, of.periods * of.period_weeks * 7 - 1)
/** Everything that stands against keeping a year. */
export function checkEmtyazYear(of: YearSaid): Reason[] {
  const reasons: Reason[] = []
  if ((of.wishes_from === null) !== (of.wishes_until === null))
    reasons.push({ field: of.wishes_from === null ? 'wishes_from' : 'wishes_until', code: 'emtyaz_wishes_both' })
  else if (of.wishes_from !== null && of.wishes_until !== null && of.wishes_until < of.wishes_from)
    reasons.push({ field: 'wishes_until', code: 'emtyaz_wishes_order' })
  if (of.used_from !== null && of.used_from < of.starts_on)
    reasons.push({
      field: 'starts_on',
      code: 'emtyaz_year_used',
      data: { from: of.used_from, until: of.used_until ?? of.used_from },
    })
  else if (of.used_until !== null && of.used_until > yearEnds(of))
    reasons.push({
      field: 'periods',
      code: 'emtyaz_year_used',
      data: { from: of.used_from ?? of.used_until, until: of.used_until },
    })
  return reasons
}
