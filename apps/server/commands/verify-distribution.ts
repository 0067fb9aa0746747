/**
 * `npm run verify-distribution -- INSTANCE.json RESULT.json`: whether a result, wherever it comes from, is the stable assignment
 * of an instance that is best for every applicant. It does not distribute and shares no code with what does. Prints what it
 * counted and what is wrong.
 *
 * Ends with 1 where something is wrong or a file cannot be used, with 2 where it was called wrongly.
 */
import { readInstance } from '#areas/admission/distribution/files/instance.server.ts'
import { readAssignment } from '#areas/admission/distribution/files/result.server.ts'
import { distributionFindingText, proofLines } from '#areas/admission/distribution/proof/finding.rules.ts'
import { proveDistribution } from '#areas/admission/distribution/proof/proof.rules.ts'
import { readingOf, refused, say, since, twoFiles } from './distribution-files.ts'

const { instance, result } = twoFiles('verify-distribution')
const print = (line: string): void => void process.stdout.write(`${line}\n`)
try {
  let begun = performance.now()
  const { input, names } = readInstance(instance, readingOf(instance))
  const { assigned, complaints, count: unknown } = readAssignment(result, names, readingOf(result))
  say(`read ${since(begun)}`)
  begun = performance.now()
  const proof = proveDistribution(input, assigned)
  say(`proven ${since(begun)}`)
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
  process.exitCode = count ? 1 : 0
} catch (error) {
  refused(error)
}
