import { defineAreaServer } from '#kit/server/http/area.ts'
import { returnHandlers } from './filed/return.server.ts'
import { returnsArea } from './returns.contract.ts'
import { returnsTold } from './returns.told.contract.ts'
import { templateHandlers } from './templates/template.server.ts'

export const returnsServer = defineAreaServer({
  area: returnsArea,
  told: returnsTold,
  handlers: [templateHandlers, returnHandlers],
})
