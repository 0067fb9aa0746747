/**
 * `npm run distribute -- INSTANCE.json RESULT.json`: distributes the applicants of an instance over its programs and writes
 * what each was given: the stable assignment that is best for every applicant. Files may be longer than a string can be.
 *
 * Ends with 1 where a file cannot be used, and tells every reason; with 2 where it was called wrongly.
 */
import { distributeFiles } from '#areas/admission/distribution/files/distribute.server.ts'
import { withTwoFiles } from '../distribution-files.ts'

withTwoFiles('distribute', (instance, result, voice) => {
  distributeFiles(instance, result, voice)
  return true
})
