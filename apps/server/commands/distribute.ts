/**
 * `npm run distribute -- INSTANCE.json RESULT.json`: distributes the applicants of an instance over its programs and writes
 * what each was given: the stable assignment that is best for every applicant. Files may be longer than a string can be.
 *
 * Ends with 1 where a file cannot be used, and tells every reason; with 2 where it was called wrongly.
 */
import { FileProblem, refuseSameFile } from '#areas/admission/distribution/files/files.server.ts'
import { readInstance } from '#areas/admission/distribution/files/instance.server.ts'
import { overlapReasons } from '#areas/admission/distribution/files/overlaps.server.ts'
import { writeResult } from '#areas/admission/distribution/files/result.server.ts'
import { rankWishes } from '#areas/admission/distribution/input.rules.ts'
import { assignStably } from '#areas/admission/distribution/stable.rules.ts'
import { readingOf, refused, say, since, twoFiles } from './distribution-files.ts'

const { instance, result } = twoFiles('distribute')
try {
  const whole = performance.now()
  refuseSameFile(instance, result)
  const { input, names, strangers, rankedAgain } = readInstance(instance, readingOf(instance))
  say(`${input.applicants} applicants with ${input.wishes.length} preferences, ${input.programs.length} programs`)
  say(`read ${since(whole)}`)
  if (strangers) say(`${strangers} places in rankings are of nobody among the applicants, and are passed over`)
  if (rankedAgain) say(`${rankedAgain} places in rankings are of applicants who stand there already: the last place counts`)
  const begun = performance.now()
  const { ranked, overlaps, overlapCount } = rankWishes(input)
  if (overlapCount) throw new FileProblem(instance, overlapReasons(overlaps, names), overlapCount)
  const { given } = assignStably(ranked)
  say(`assigned ${since(begun)}`)
  const writing = performance.now()
  const assigned = Int32Array.from(given, (at) => (at < 0 ? -1 : input.wishes[at]!))
  writeResult(result, { names, assigned })
  say(`written ${since(writing)}`)
  let count = 0
  let first = 0
  for (let a = 0; a < assigned.length; a++) {
    if (assigned[a]! >= 0) count++
    if (given[a]! >= 0 && given[a] === input.wishAt[a]) first++
  }
  process.stdout.write(`assigned ${count} of ${input.applicants}; to the first preference ${first}\n`)
} catch (error) {
  refused(error)
}
