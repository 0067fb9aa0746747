import { defineAreaServer } from '#kit/server/http/area.ts'
import { lmsHandlers, lmsJob } from './lms/sync.server.ts'
import { offeringHandlers, offeringLookup } from './offering.server.ts'
import { offeringsArea } from './offerings.contract.ts'
import { reportHandlers } from './reports/reports.server.ts'
import { slotHandlers } from './slots/slots.server.ts'
import { teachingHandlers } from './teaching/teaching.server.ts'
import { teamHandlers } from './team/team.server.ts'
import { offeringsTold } from './offerings.told.contract.ts'

export const offeringsServer = defineAreaServer({
  area: offeringsArea,
  told: offeringsTold,
  handlers: [
    ...offeringHandlers,
    ...slotHandlers,
    ...teamHandlers,
    ...reportHandlers,
    ...teachingHandlers,
    ...lmsHandlers,
  ],
  jobs: [lmsJob],
  lookups: [offeringLookup],
})
