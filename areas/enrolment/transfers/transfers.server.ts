import { defineAreaServer } from '#kit/server/http/area.ts'
import { transferBases, transferFacts } from './equivalence/basis.server.ts'
import { equivalencePaperHandlers } from './equivalence/paper.server.ts'
import { applicantTransferHandlers } from './external/applicant.server.ts'
import { externalHandlers } from './external/external.server.ts'
import { internalHandlers, internalWork } from './internal/internal-calls.server.ts'
import { internalLeavers, internalReach, joinedReach } from './internal/internal.server.ts'
import { outHandlers, outLeavers, outWork } from './out/out.server.ts'
import { transfersArea } from './transfers.contract.ts'
import { transfersTold } from './transfers.told.contract.ts'

export const transfersServer = defineAreaServer({
  area: transfersArea,
  told: transfersTold,
  handlers: [internalHandlers, externalHandlers, applicantTransferHandlers, outHandlers, equivalencePaperHandlers],
  work: [internalWork, outWork],
  basis: transferBases(internalReach, joinedReach),
  facts: transferFacts,
  hears: [internalLeavers, outLeavers],
})
