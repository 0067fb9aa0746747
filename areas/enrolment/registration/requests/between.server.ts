import { mayRetry } from '#kit/server/base/errors.ts'

const SEATS: ReadonlySet<string> = new Set(['registration_slots_seat_free', 'offering_slots_seats'])

/** Somebody was faster, and the database refused: to be judged again, because the rules say it better. */
export const cameBetween = (error: unknown): boolean => {
  const { code = '', constraint = '' } = (error ?? {}) as { code?: string; constraint?: string }
  return (
    // The seat was taken.
    (code === '23514' && SEATS.has(constraint)) ||
    // The student came in by another way.
    code === '23505' ||
    // What was asked for, or given up, was removed.
    code === '23503' ||
    // Control took a step.
    code === 'UE409' ||
    mayRetry(error)
  )
}
