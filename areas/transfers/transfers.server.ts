import { defineAreaServer } from '#kit/server/area.ts'
import { equivalencePaperHandlers } from './equivalence/paper.server.ts'
import { externalHandlers } from './external/external.server.ts'
import { internalHandlers, internalWork } from './internal/internal-calls.server.ts'
import { outHandlers, outWork } from './out/out.server.ts'
import { transfersArea } from './transfers.contract.ts'

export const transfersServer = defineAreaServer({
  area: transfersArea,
  handlers: [internalHandlers, externalHandlers, outHandlers, equivalencePaperHandlers],
  work: [internalWork, outWork],
})
