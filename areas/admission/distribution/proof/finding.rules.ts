import type { DistributionFinding, DistributionProof } from './proof.rules.ts'

/** How applicants, programs and groups are called. */
export interface CalledBy {
  applicant(a: number): string
  program(p: number): string
  group(g: number): string
}

/** Members of a circle that are named one by one. */
const MOST_NAMED = 10

/** One finding in words. */
export function distributionFindingText(finding: DistributionFinding, called: CalledBy): string {
  const { kind, applicant, program, group = -1, there = 0, allowed = 0, circle = [] } = finding
  const who = applicant < 0 ? '' : called.applicant(applicant)
  const where = program < 0 ? '' : called.program(program)
  switch (kind) {
    case 'not_wished':
      return `${who} was given ${where}, which is not among the preferences.`
    case 'not_ranked':
      return `${who} was given ${where}, which does not rank this applicant.`
    case 'over_capacity':
      return `${where} has ${allowed} seats and was given ${there} applicants.`
    case 'over_maximum':
      return `${where} takes ${allowed} of ${called.group(group)} at most and was given ${there}.`
    case 'not_chosen':
      return `${where} would not choose ${who} among those it was given.`
    case 'blocking':
      return `${who} would rather have ${where}, and ${where} would choose ${who}.`
    case 'overlap':
      return `${who} belongs to ${called.group(group)} and to another group with limits at ${where}: which limit counts is not defined.`
    case 'circle': {
      const named = circle.slice(0, MOST_NAMED).map((one) => called.applicant(one))
      const more = circle.length > MOST_NAMED ? ` and ${circle.length - MOST_NAMED} more` : ''
      return `Not the best for applicants: ${named.join(', ')}${more} could each have the seat of the next, the last that of the first, and would rather have it.`
    }
  }
}

/** What was looked at and counted, line by line. */
export function proofLines(proof: DistributionProof): string[] {
  const { applicants, assigned, firstPreferences, programs, seats, maximums, reservedSeats, reservedFilled } = proof
  return [
    `applicants ${applicants}, assigned ${assigned}, of these to the first preference ${firstPreferences}`,
    `programs ${programs} with ${seats} seats, ${maximums} maximums of groups, ${reservedSeats} reserved seats of which ${reservedFilled} are filled by the group`,
    `dearer preferences looked at ${proof.pairs}, blocking pairs ${proof.blockingPairs}`,
    `best for applicants ${proof.bestForApplicants} (${proof.replacements} groups of programs asked who would come if one left)`,
  ]
}
