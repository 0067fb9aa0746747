import { defineAreaServer } from '#kit/server/http/area.ts'
import { entryHandlers } from './entries/entry.server.ts'
import { journalHandlers } from './journal/journal.server.ts'
import { ledgerArea } from './ledger.contract.ts'
import { ledgerTold } from './ledger.told.contract.ts'
import { ownMoneyWork } from './own-work.server.ts'
import { staffLookup } from './others.server.ts'
import { periodHandlers } from './periods/period.server.ts'
import { nightlyProof, proofHandlers, verifyLedgerJob } from './proof/proof.server.ts'
import { statementHandlers } from './statements/statement.server.ts'

export const ledgerServer = defineAreaServer({
  area: ledgerArea,
  told: ledgerTold,
  handlers: [entryHandlers, proofHandlers, statementHandlers, periodHandlers, journalHandlers],
  lookups: [staffLookup],
  work: ownMoneyWork,
  jobs: [verifyLedgerJob, nightlyProof],
})
