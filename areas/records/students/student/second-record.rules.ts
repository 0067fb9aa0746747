import type { Reason } from '#kit/contract/issues.ts'

/** A record that bears the same national id. */
export interface SameNationalId {
  readonly program_id: number
  /** Fields that say who the person is and are written otherwise here. */
  readonly differs: readonly string[]
  /** How who asks may know it: null where the record is out of reach. */
  readonly known: {
    readonly who: string
    readonly who_local: string
    readonly program: string
    readonly program_local: string
  } | null
}

/**
 * Whether a new record is that of somebody who studies already: known by the national id, in another program, and said by
 * who adds it. Every reason against it; none means yes.
 */
export function secondRecordProblems(
  added: { readonly program_id: number; readonly is_second_record: boolean },
  found: readonly SameNationalId[],
): Reason[] {
  if (!found.length)
    return added.is_second_record ? [{ field: 'is_second_record', code: 'second_record_of_nobody' }] : []
  if (found.some((one) => one.program_id === added.program_id))
    return [{ field: 'program_id', code: 'student_in_program_already' }]
  if (!added.is_second_record) {
    const known = found.find((one) => one.known)?.known
    return [
      known
        ? { field: 'national_id', code: 'national_id_of_student', data: { ...known } }
        : { field: 'national_id', code: 'national_id_of_somebody' },
    ]
  }
  return [...new Set(found.flatMap((one) => one.differs))].map((field) => ({ field, code: 'second_record_differs' }))
}
