import { readInstance } from '../files/instance.server.ts'
import { readAssignment } from '../files/result.server.ts'
import { tookSince, type CommandVoice } from '../files/files.server.ts'
import { distributionFindingText, proofLines } from './finding.rules.ts'
import { proveDistribution } from './proof.rules.ts'

/**
 * Verifies a result against its instance and prints what was counted and what is wrong; true where it is right.
 * @throws {InstanceProblem} where a file cannot be used
 */
export function verifyFiles(instance: string, result: string, { print, tell, reading }: CommandVoice): boolean {
  let begun = performance.now()
  const { input, names } = readInstance(instance, reading(instance))
  const { assigned, complaints, count: unknown } = readAssignment(result, names, reading(result))
  tell(`read ${tookSince(begun)}`)
  begun = performance.now()
  const proof = proveDistribution(input, assigned)
  tell(`proven ${tookSince(begun)}`)
  const called = {
    applicant: (a: number) => names.applicants.textOf(names.applicantText[a]!),
    program: (p: number) => names.programs.textOf(names.programText[p]!),
    group: (g: number) => names.groups.textOf(g),
  }
  for (const complaint of complaints) print(complaint)
  for (const finding of proof.findings) print(distributionFindingText(finding, called))
  for (const line of proofLines(proof)) print(line)
  const count = unknown + proof.count
  print(count ? `${count} findings: the result is not right` : 'the result is right')
  return count === 0
}
