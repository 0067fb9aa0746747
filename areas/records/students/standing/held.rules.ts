import type { Reason } from '#kit/contract/issues.ts'

/** Why a hold is not set aside until a day: one that has passed would set nothing aside. null: until it is taken back. */
export const checkUntil = (until: string | null, today: string): Reason[] =>
  until !== null && until < today ? [{ code: 'hold_override_past', field: 'until' }] : []
