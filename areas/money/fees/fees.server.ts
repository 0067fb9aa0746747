import { defineAreaServer } from '#kit/server/http/area.ts'
import { feesArea } from './fees.contract.ts'
import { grantBasis } from './scholarships/basis.server.ts'
import { applyJob, grantHandlers } from './scholarships/grants.server.ts'
import { scholarshipHandlers, scholarships } from './scholarships/scholarships.server.ts'
import { settingsHandlers } from './settings/settings.server.ts'
import { feesTablesTold } from './fees.told.contract.ts'

export const feesServer = defineAreaServer({
  area: feesArea,
  told: feesTablesTold,
  basis: [grantBasis],
  handlers: [scholarships.handlers, settingsHandlers, scholarshipHandlers, grantHandlers],
  jobs: [applyJob],
})
