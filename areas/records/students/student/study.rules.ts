/** What the data of a student may say of the study by themselves, and what other steps decide. */
import type { Reason } from '#kit/contract/issues.ts'

/** Where a study stands, as stored and as it shall be. */
export interface Study {
  readonly status?: string | null
  readonly program_id?: number | null
  readonly level?: number | null
}
export interface StudyFacts {
  /** The student has registered for courses. */
  readonly started: boolean
  /** Results of finished terms, or of a level, say the level. */
  readonly level_decided: boolean
  /** Levels of the bylaw, in order; empty: it names none. */
  readonly levels: readonly number[]
}

/**
 * Everything that entering or editing a student cannot decide: everybody enters as studying; who has begun changes the
 * program by a transfer or a specialisation; the level is one of the bylaw, and follows results once there are some.
 */
export function studyProblems(next: Study, before: Study | null, facts: StudyFacts): Reason[] {
  const reasons: Reason[] = []
  if (!before && next.status !== 'studying') reasons.push({ field: 'status', code: 'status_at_entry' })
  if (before && facts.started && next.program_id !== before.program_id)
    reasons.push({ field: 'program_id', code: 'program_by_transfer' })
  const level = next.level ?? null
  if (level === null || (before && level === before.level && next.program_id === before.program_id)) return reasons
  if (before && facts.level_decided && level !== before.level)
    reasons.push({ field: 'level', code: 'level_by_results' })
  else if (facts.levels.length && !facts.levels.includes(level))
    reasons.push({
      field: 'level',
      code: 'level_not_of_bylaw',
      data: { level, levels: facts.levels.join(', ') },
    })
  return reasons
}
