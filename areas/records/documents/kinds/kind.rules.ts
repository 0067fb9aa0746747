import type { Reason } from '#kit/contract/issues.ts'

/** What a kind asks about that is known of students alone. */
const OF_STUDENTS = ['gender', 'study_level', 'from_level', 'from_term_id'] as const

/** Why a kind cannot stand so: of who works here neither nationality nor level is asked. */
export function kindReasons(kind: Readonly<Record<string, unknown>>): Reason[] {
  if ((kind.whose ?? 'students') === 'students') return []
  return [
    ...((kind.nationality ?? 'all') === 'all' ? [] : ['nationality']),
    ...OF_STUDENTS.filter((name) => (kind[name] ?? null) !== null),
  ].map((field) => ({ field, code: 'kind_asks_of_students' }))
}
