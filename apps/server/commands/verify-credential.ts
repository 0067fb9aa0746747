/**
 * `npm run verify-credential -- FILE`: judges a credential or presentation of the W3C data model, or an Open Badge, as JSON, token
 * or baked into an image. Prints one line: `valid`, or `refused: ` and the reason. What could not be looked at goes to the other
 * output. It reaches nothing over the network.
 *
 * Ends with 1 where it is refused, with 2 where it was called wrongly or the file cannot be read.
 */
import { readFileSync } from 'node:fs'
import { carriedIn } from '#areas/office/credentials/verify/carrier.server.ts'
import { filledAsTheSuite, SUITE_ISSUER } from '#areas/office/credentials/verify/suite.rules.ts'
import { CREDENTIAL_NOTES, CREDENTIAL_REASONS } from '#areas/office/credentials/verify/values.rules.ts'
import { judgeCredential, judgeFile, nowhere } from '#areas/office/credentials/verify/verify.server.ts'
import { fill } from '#kit/contract/index.ts'

const [file, ...more] = process.argv.slice(2)
if (file === undefined || more.length) {
  process.stderr.write('usage: npm run verify-credential -- FILE\n')
  process.exitCode = 2
} else await verify(file)

async function verify(path: string): Promise<void> {
  let content: Buffer
  try {
    content = readFileSync(path)
  } catch {
    process.stderr.write(`${path} cannot be read\n`)
    process.exitCode = 2
    return
  }
  const at = Date.now()
  const carried = carriedIn(content)
  const judging = { reach: nowhere, at, placeholder: SUITE_ISSUER }
  const { reasons, notes } =
    carried && !('text' in carried)
      ? await judgeCredential({ document: filledAsTheSuite(carried.document, at) }, judging)
      : await judgeFile(content, judging)
  for (const { code, data } of notes) process.stderr.write(`not checked: ${fill(CREDENTIAL_NOTES[code][0], data)}\n`)
  const told = reasons.map(({ code, data }) => fill(CREDENTIAL_REASONS[code][0], data)).join(' ')
  process.stdout.write(reasons.length ? `refused: ${told.replaceAll(/\s+/g, ' ')}\n` : 'valid\n')
  process.exitCode = reasons.length ? 1 : 0
}
