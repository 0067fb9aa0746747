import type { Overlap } from '../input.rules.ts'
import type { InstanceNames } from './instance.server.ts'

/** Applicants who belong to two groups with limits in one program, in words. */
export function overlapReasons(overlaps: readonly Overlap[], names: InstanceNames): string[] {
  return overlaps.map(({ applicant, program, groups: [one, other] }) => {
    const who = names.applicants.textOf(names.applicantText[applicant]!)
    const where = names.programs.textOf(names.programText[program]!)
    return `applicants[${applicant}].groups: ${who} belongs to ${names.groups.textOf(one)} and ${names.groups.textOf(other)}, and ${where} has limits for both: which of them counts is not defined.`
  })
}
