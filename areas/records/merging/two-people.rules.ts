import type { Reason } from '#kit/contract/issues.ts'

/** One of two records of which somebody says that they are not one person's. */
export interface Looked {
  readonly code: string
  readonly removed: boolean
  /** The record, or its account, is the own of who says it. */
  readonly own: boolean
}
/** That it was said already, by whom and why. */
export interface PersonClues {
  readonly by: string
  readonly by_local: string
  readonly reason: string
}

/** Every reason why it is not said of two records that they are two people's; none means yes. */
export function markProblems(one: Looked, other: Looked, said: PersonClues | null): Reason[] {
  const out: Reason[] = []
  for (const { code, removed, own } of [one, other]) {
    if (removed) out.push({ code: 'merge_removed', data: { who: code } })
    if (own) out.push({ code: 'not_double_own', data: { who: code } })
  }
  if (said) out.push({ code: 'not_double_already', data: { ...said } })
  return out
}
