/**
 * `npm run verify-distribution -- INSTANCE.json RESULT.json`: whether a result, wherever it comes from, is the stable assignment
 * of an instance that is best for every applicant. It does not distribute and shares no code with what does. Prints what it
 * counted and what is wrong.
 *
 * Ends with 1 where something is wrong or a file cannot be used, with 2 where it was called wrongly.
 */
import { verifyFiles } from '#areas/admission/distribution/proof/verify.server.ts'
import { withTwoFiles } from '../distribution-files.ts'

withTwoFiles('verify-distribution', verifyFiles)
