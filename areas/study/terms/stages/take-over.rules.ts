import type { Reason } from '#kit/contract/issues.ts'

interface TermFacts {
  readonly name: string
  readonly name_local: string
  readonly start_date: string
}

/** Every reason why a term does not take over the stages of another one. */
export function takeOverReasons({
  term,
  from,
  there,
  count,
}: {
  readonly term: TermFacts
  readonly from: TermFacts
  /** Stages that the term has already. */
  readonly there: number
  /** Stages that would be taken. */
  readonly count: number
}): Reason[] {
  const reasons: Reason[] = []
  const named = (one: TermFacts) => ({ term: one.name, term_local: one.name_local })
  if (there > 0) reasons.push({ code: 'term_has_stages', data: { ...named(term), count: there } })
  if (from.start_date >= term.start_date)
    reasons.push({ field: 'from_id', code: 'term_not_earlier', data: named(from) })
  if (count === 0) reasons.push({ field: 'from_id', code: 'term_without_stages', data: named(from) })
  return reasons
}
