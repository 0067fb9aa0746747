import type { AvailableOffering } from '../requests/request.contract.ts'

/** What of one course alone says that it is had already, or when. */
const OF_ONE = new Set(['already_registered', 'already_passed', 'stage_closed'])

/** Reasons that stand against every course one could choose: a hold, not a course, is what has to be done something about. */
export function againstAll(offerings: readonly AvailableOffering[]): AvailableOffering['refusals'] {
  const [first, ...others] = offerings.filter(
    ({ registration, wait_position, refusals }) =>
      registration === null && wait_position === null && !refusals.some(({ code }) => code === 'already_passed'),
  )
  if (!first || !others.length) return []
  const told = ({ code, en }: AvailableOffering['refusals'][number]) => `${code} ${en}`
  return first.refusals.filter(
    (reason) =>
      !OF_ONE.has(reason.code) &&
      others.every(({ refusals }) => refusals.some((refusal) => told(refusal) === told(reason))),
  )
}
