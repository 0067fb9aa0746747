/**
 * What of a record a reader sees. Staff see everything; students see of each result the parts that their bylaw shows in
 * the control status of its offering; figures of terms are out by `figures_out` of the database.
 */
import { studentView, type ControlStatus, type GradesVisibility } from '#areas/common/academics/control.rules.ts'

/** `null`: sees everything. */
export type Eyes = GradesVisibility | null

interface Result {
  readonly control_status: ControlStatus
  readonly total: string | null
  readonly maximum?: number | null
  readonly grace?: string | null
  readonly letter: string | null
  readonly rating?: unknown
  readonly points: string | null
  readonly passed: boolean | null
  readonly counts_in_gpa?: boolean | null
}

/** A result without the parts that are not to be seen yet. Whether it was passed is told with the letter. */
export function seen<R extends Result>(result: R, eyes: Eyes): R {
  if (eyes === null) return result
  const view = studentView(eyes, result.control_status)
  return {
    ...result,
    total: view.marks ? result.total : null,
    ...(result.maximum !== undefined && { maximum: view.marks ? result.maximum : null }),
    ...(result.grace !== undefined && { grace: view.marks ? result.grace : null }),
    letter: view.letter ? result.letter : null,
    ...(result.rating !== undefined && { rating: view.letter ? result.rating : null }),
    points: view.points ? result.points : null,
    passed: view.letter ? result.passed : null,
    ...(result.counts_in_gpa !== undefined && { counts_in_gpa: view.letter ? result.counts_in_gpa : null }),
  }
}

/**
 * Attempts that no longer count in the cumulative GPA, because a later or a better one of the same course took their
 * place by the bylaw's repeat rule. Attempts come in the order of time.
 */
export function replacedAttempts<
  A extends { readonly course_id: number; readonly points: number | null; readonly counts: boolean },
>(attempts: readonly A[], rule: 'last' | 'best' | 'average'): Set<A> {
  const out = new Set<A>()
  if (rule === 'average') return out
  const standing = new Map<number, A>()
  for (const attempt of attempts) {
    if (!attempt.counts || attempt.points === null) continue
    const before = standing.get(attempt.course_id)
    if (!before) standing.set(attempt.course_id, attempt)
    // Of equal attempts the later one counts.
    else if (rule === 'last' || attempt.points >= before.points!) {
      out.add(before)
      standing.set(attempt.course_id, attempt)
    } else out.add(attempt)
  }
  return out
}
