import { defineAreaServer } from '#kit/server/http/area.ts'
import { feesArea } from './fees.contract.ts'
import { familyFacts, familyHandlers } from './families/family.server.ts'
import { grantBasis } from './scholarships/basis.server.ts'
import { applyJob } from './scholarships/by-rule.server.ts'
import { grantHandlers } from './scholarships/grants.server.ts'
import { scholarshipHandlers, scholarships } from './scholarships/scholarships.server.ts'
import { settingsHandlers } from './settings/settings.server.ts'
import { feesTablesTold } from './fees.told.contract.ts'

export const feesServer = defineAreaServer({
  area: feesArea,
  told: feesTablesTold,
  facts: familyFacts,
  basis: [grantBasis],
  handlers: [scholarships.handlers, settingsHandlers, scholarshipHandlers, grantHandlers, familyHandlers],
  jobs: [applyJob],
})
