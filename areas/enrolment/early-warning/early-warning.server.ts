import './erasing.server.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { earlyWarningArea } from './early-warning.contract.ts'
import { earlyWarningTold } from './early-warning.told.contract.ts'
import { riskFit, riskModelHandlers } from './past/model.server.ts'
import { riskContactHandlers } from './risks/contact.server.ts'
import { riskClock } from './risks/count.server.ts'
import { ownRiskHandlers } from './risks/own.server.ts'
import { riskHandlers } from './risks/risk.server.ts'
import { riskWork } from './risks/work.server.ts'

export const earlyWarningServer = defineAreaServer({
  area: earlyWarningArea,
  told: earlyWarningTold,
  handlers: [riskHandlers, riskContactHandlers, ownRiskHandlers, riskModelHandlers],
  jobs: [riskClock, riskFit],
  work: riskWork,
})
