/**
 * `npm run verify-ledger`: whether the ledger is whole, and everything that is kept beside it says the same; of DATABASE_URL
 * or, without it, of the database of `npm start` in DATA_DIR. Tells what is found; ends with 1 where something is.
 */
import { ledgerFindingText } from '#areas/money/ledger/proof/finding.rules.ts'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import { createDb, createPool } from '#db/connect.ts'
import { startEmbedded } from '#db/embedded.ts'
import { FolderInUse, runningEmbedded } from '#db/embedded-lock.ts'
import { ConfigError, readConfig } from '#kit/server/base/config.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)

try {
  const config = readConfig(process.env)
  const running = config.databaseUrl ? undefined : runningEmbedded(config.dataDir)
  const embedded = config.databaseUrl || running ? undefined : await startEmbedded({ folder: config.dataDir })
  const db = createDb(createPool(config.databaseUrl ?? running ?? embedded!.url, { max: 2 }))
  try {
    const { entries, postings, totals, findings, count, seconds } = await verifyLedger(db)
    for (const finding of findings) say(ledgerFindingText(finding))
    if (count > findings.length) say(`… ${count} findings in all`)
    for (const { currency, debit, credit } of totals) say(`${currency}: debits ${debit}, credits ${credit}`)
    say(
      `${entries} entries with ${postings} postings, ${seconds} s: ${count ? `${count} findings` : 'the ledger is whole'}.`,
    )
    process.exitCode = count ? 1 : 0
  } finally {
    await db.destroy()
    await embedded?.stop()
  }
} catch (error) {
  console.error(error instanceof FolderInUse || error instanceof ConfigError ? error.message : error)
  process.exitCode = 2
}
