/** Settings of a bylaw from a term on: which hold in a term, and what of them approved results stand on. */
import type { Settings } from './settings.contract.ts'
import type { BylawSettings } from './settings.rules.ts'

/** A term by its place in time. */
export interface TermPlace {
  readonly id: number
  readonly start_date: string
}
/** Settings that held until a term. */
export interface Edition {
  /** The first term in which they hold no more. */
  readonly until: TermPlace
  readonly settings: BylawSettings
}

const before = (a: TermPlace, b: TermPlace): boolean =>
  a.start_date < b.start_date || (a.start_date === b.start_date && a.id < b.id)

/** The settings of a bylaw that hold in a term; most have one edition only. */
export function settingsIn(bylaw: BylawSettings, term: TermPlace): BylawSettings {
  for (const edition of bylaw.earlier) if (before(term, edition.until)) return edition.settings
  return bylaw
}

/** Settings by which a result, the row of a term or the result of a level is computed. */
const RESULT_PARTS = [
  'program_type',
  'min_percentage_final_exam',
  'total_places',
  'warning_type',
  'warning_count',
  'warning_gpa',
  'max_warnings',
  'warning_in_summer',
  'repeat_rule',
  'repeat_max_points',
  'improve_max_points',
  'pass_share',
  'max_carried',
  'carried_from_final_level',
  'later_sitting_capped',
  'max_chances',
  'honours_rating',
] as const satisfies readonly (keyof Settings)[]

type Sets = Pick<Settings, 'levels' | 'grade_types' | 'special_grades' | 'ratings'>
/** What counts of the sets: what something is called may change at any time. */
const counting = {
  levels: ({ levels }: Sets) =>
    levels.map(({ level, passed_hours, chances = 2, counts_for_graduation = true }) =>
      JSON.stringify([level, passed_hours, chances, counts_for_graduation]),
    ),
  grade_types: ({ grade_types }: Sets) =>
    grade_types.flatMap(({ kind, ranges }) =>
      ranges.map(({ letter, from_percent, to_percent, points, success }) =>
        JSON.stringify([kind, letter, Number(from_percent), Number(to_percent), Number(points), success]),
      ),
    ),
  special_grades: ({ special_grades }: Sets) =>
    special_grades.map(({ status, letter, points, counts_in_gpa, counts_in_attempted_hours }) =>
      JSON.stringify([status, letter, Number(points), counts_in_gpa, counts_in_attempted_hours]),
    ),
  ratings: ({ ratings }: Sets) => ratings.map(({ code, from_share }) => JSON.stringify([code, Number(from_share)])),
} satisfies Record<keyof Sets, (sets: Sets) => string[]>

/** Decimals are compared by value: 2 and 2.00 are the same. */
const same = (a: unknown, b: unknown): boolean =>
  a === b || (a !== null && b !== null && typeof a !== 'boolean' && a !== '' && b !== '' && Number(a) === Number(b))

/** Parts of the settings on which results stand, and which a change would change; names and what is only shown are none of it. */
export function changedForResults(now: Settings, next: Settings): (keyof Settings)[] {
  const sets = (Object.keys(counting) as (keyof Sets)[]).filter((set) => {
    const [a, b] = [counting[set](now).toSorted(), counting[set](next).toSorted()]
    return JSON.stringify(a) !== JSON.stringify(b)
  })
  return [...RESULT_PARTS.filter((part) => !same(now[part], next[part])), ...sets]
}
