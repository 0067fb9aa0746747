import { rankWishes, type Overlap } from '../input.rules.ts'
import { assignStably } from '../stable.rules.ts'
import { InstanceProblem, refuseSameFile, tookSince, type CommandVoice } from './files.server.ts'
import { readInstance, type InstanceNames } from './instance.server.ts'
import { writeResult } from './result.server.ts'

/**
 * Distributes the applicants of an instance and writes what each was given.
 * @throws {InstanceProblem} where a file cannot be used
 */
export function distributeFiles(instance: string, result: string, { print, tell, reading }: CommandVoice): void {
  let begun = performance.now()
  refuseSameFile(instance, result)
  const { input, names, strangers, rankedAgain } = readInstance(instance, reading(instance))
  tell(
    `${input.applicants} applicants with ${input.wishes.length} preferences, ${input.programs.length} programs: read ${tookSince(begun)}`,
  )
  if (strangers) tell(`${strangers} places in rankings are of nobody among the applicants, and are passed over`)
  if (rankedAgain)
    tell(`${rankedAgain} places in rankings are of applicants who stand there already: the last place counts`)
  begun = performance.now()
  const { ranked, overlaps, overlapCount } = rankWishes(input)
  if (overlapCount) throw new InstanceProblem(instance, overlapReasons(overlaps, names), overlapCount)
  const { given } = assignStably(ranked)
  tell(`assigned ${tookSince(begun)}`)
  begun = performance.now()
  const assigned = Int32Array.from(given, (at) => (at < 0 ? -1 : input.wishes[at]!))
  writeResult(result, { names, assigned })
  tell(`written ${tookSince(begun)}`)
  let [count, first] = [0, 0]
  for (let a = 0; a < assigned.length; a++) {
    if (given[a]! >= 0) count++
    if (given[a]! >= 0 && given[a] === input.wishAt[a]) first++
  }
  print(`assigned ${count} of ${input.applicants}; to the first preference ${first}`)
}

/** Applicants who belong to two groups with limits in one program, in words. */
function overlapReasons(overlaps: readonly Overlap[], names: InstanceNames): string[] {
  return overlaps.map(({ applicant, program, groups: [one, other] }) => {
    const who = names.applicants.textOf(names.applicantText[applicant]!)
    const where = names.programs.textOf(names.programText[program]!)
    return `applicants[${applicant}].groups: ${who} belongs to ${names.groups.textOf(one)} and ${names.groups.textOf(other)}, and ${where} has limits for both: which of them counts is not defined.`
  })
}
