/**
 * `npm run verify-grades`: whether the marks of approved offerings, and what counts beside them (finished terms,
 * credited courses, results of levels, histories), are as they were signed; of DATABASE_URL or, without
 * it, of the database of `npm start` in DATA_DIR. Tells every cell that differs, and the end of the chain, which is worth
 * noting elsewhere. Ends with 1 where something is found.
 *
 *   --noted NUMBER:HASH   an end of the chain that was noted earlier must still stand in it
 *   --begin               first sign what was approved, finished and credited before it was signed
 */
import { parseArgs } from 'node:util'
import { SEAL, signWhatIsNot } from '#areas/records/grading/signing/sign.server.ts'
import { signingFindingText } from '#areas/records/grading/signing/finding.rules.ts'
import { verifyGrades } from '#areas/records/grading/signing/verify.server.ts'
import { createDb, createPool } from '#db/connect.ts'
import { startEmbedded } from '#db/embedded.ts'
import { FolderInUse, runningEmbedded } from '#db/embedded-lock.ts'
import { ConfigError, readConfig } from '#kit/server/base/config.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { withOwnKey } from '../own-key.ts'

const { values } = parseArgs({ options: { noted: { type: 'string' }, begin: { type: 'boolean', default: false } } })
const say = (text: string): void => void process.stdout.write(`${text}\n`)

try {
  const [, number, hash] = /^(\d+):([0-9a-f]{64})$/.exec(values.noted ?? '') ?? []
  if (values.noted !== undefined && !hash) throw new ConfigError('usage: npm run verify-grades -- --noted NUMBER:HASH')
  const config = withOwnKey(readConfig(process.env))
  const running = config.databaseUrl ? undefined : runningEmbedded(config.dataDir)
  const embedded = config.databaseUrl || running ? undefined : await startEmbedded({ folder: config.dataDir })
  const pool = createPool(config.databaseUrl ?? running ?? embedded!.url, { max: 2 })
  const db = createDb(pool)
  try {
    const seal = await sealOf({ pool, config }, SEAL)
    if (values.begin) {
      const { sheets: begun, records: sealed } = await db.transaction().execute((tx) =>
        signWhatIsNot(tx, {
          cause: 'begin',
          actor_id: null,
          impersonator_id: null,
          reason: 'verify-grades --begin',
          seal,
        }),
      )
      say(`${begun} sheets signed that were approved before, ${sealed} records sealed beside them.`)
    }
    const { head, sheets, registrations, records, findings, count } = await verifyGrades(db, {
      seal,
      ...(hash && { noted: { number: Number(number), hash } }),
    })
    for (const finding of findings) say(signingFindingText(finding))
    if (count > findings.length) say(`… ${count} findings in all`)
    say(
      `${sheets} signed sheets with ${registrations} registrations, ${records} records beside them: ${count ? `${count} findings` : 'as they were signed'}.`,
    )
    if (head) say(`End of the chain, to be noted elsewhere: ${head.number}:${head.hash}`)
    process.exitCode = count ? 1 : 0
  } finally {
    await db.destroy()
    await embedded?.stop()
  }
} catch (error) {
  console.error(error instanceof FolderInUse || error instanceof ConfigError ? error.message : error)
  process.exitCode = 2
}
