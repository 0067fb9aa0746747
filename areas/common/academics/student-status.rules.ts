/** Whether a student still studies, and where a decision on that comes from. */

export type StudentStatus = 'studying' | 'graduated' | 'suspended' | 'withdrawn' | 'transferred' | 'dismissed'

/**
 * Where a decision on a status comes from: somebody's decision, an approved transfer to another university, the result of a
 * term or a level; or the status stood before decisions were kept.
 */
export type StatusSource = 'decision' | 'transfer_out' | 'term_result' | 'level_result' | 'earlier'

/** Whoever is in one of these studies here no more. */
export const LEFT_STATUSES: ReadonlySet<StudentStatus> = new Set(['graduated', 'withdrawn', 'transferred', 'dismissed'])
