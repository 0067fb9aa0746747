/** How far outcomes were reached. Shares and means in percent. */

/** What was measured of one outcome in one year. */
export interface Measured {
  readonly students: number
  readonly mean: number
  /** Percent of the students who reached it. */
  readonly share: number
}
/** Below so many students a figure says little; it is shown and marked. */
export const FEW_STUDENTS = 10

/** Whether an outcome was attained: enough of the students reached it. Null where nothing was measured. */
export const isAttained = (measured: Measured | null, target: number): boolean | null =>
  measured === null || measured.students === 0 ? null : measured.share >= target

/**
 * Where it goes: by the last measured year against the one measured before it. A change below two points is none.
 *
 * @param years oldest first, null where nothing was measured
 */
export function attainmentTrend(years: readonly (Measured | null)[]): 'up' | 'down' | 'same' | null {
  const known = years.filter((one): one is Measured => one !== null && one.students > 0)
  const [last, before] = [known.at(-1), known.at(-2)]
  if (!last || !before) return null
  const change = last.share - before.share
  return Math.abs(change) < 2 ? 'same' : change > 0 ? 'up' : 'down'
}

/** Answers about a domain as a share in percent, to a hundredth; null: nothing was said. */
export const saidShare = (
  said: { readonly answers: number; readonly reached: number } | undefined,
): { answers: number; share: number } | null =>
  said && said.answers > 0
    ? { answers: said.answers, share: Math.round((10_000 * said.reached) / said.answers) / 100 }
    : null

/** What a finding is judged by when it is looked at again. */
export interface FindingFacts {
  /** The latest year after the one of the finding in which the outcome was measured. */
  readonly seen: { readonly year_id: number; readonly share: number } | null
}
/** Why a finding cannot be closed yet: nothing was measured after it. */
export const checkSeen = ({ seen }: FindingFacts) => (seen === null ? [{ code: 'finding_not_seen_yet' }] : [])
