import { rankWishes, type DistributionInput } from '../input.rules.ts'
import { proveDistribution, type DistributionProof } from '../proof/proof.rules.ts'
import { assignStably } from '../stable.rules.ts'
import { standingsOf, type ProgramStandings } from '../why.rules.ts'

/** A distribution with everything that is kept of it. `slots` and `ranks` by preference, `given` the preference of each applicant or -1. */
export interface Distributed {
  readonly slots: Int32Array
  readonly ranks: Int32Array
  readonly given: Int32Array
  readonly standings: ProgramStandings
  readonly proof: DistributionProof
}

/** Distributes and proves. Two groups with limits in one program share nobody: the rules of an admission see to that. */
export function distributed(input: DistributionInput): Distributed {
  const { ranked } = rankWishes(input)
  const { given } = assignStably(ranked)
  const assigned = Int32Array.from(given, (at) => (at < 0 ? -1 : input.wishes[at]!))
  return {
    slots: ranked.slots,
    ranks: ranked.ranks,
    given,
    standings: standingsOf(ranked, input.wishes, given),
    proof: proveDistribution(input, assigned),
  }
}
