import { defineAreaServer } from '#kit/server/area.ts'
import { advisingHandlers } from './advising/advising.server.ts'
import { bulkHandlers } from './changes/bulk.handlers.server.ts'
import { paperHandlers } from './records/papers.server.ts'
import { recordHandlers } from './records/registration.server.ts'
import { registrationArea } from './registration.contract.ts'
import { requestHandlers } from './requests/handlers.server.ts'
import { waitListJob } from './requests/wait-list.server.ts'

/** For other areas: enrolling rows of an import, asking for courses, and moving registrations from state to state. */
export { enrolMany, type EnrolRow } from './changes/bulk.server.ts'
export { changeRegistrations, type Changed } from './changes/change.server.ts'
export { requestOfferings } from './requests/request.server.ts'

export const registrationServer = defineAreaServer({
  area: registrationArea,
  handlers: [requestHandlers, bulkHandlers, recordHandlers, paperHandlers, advisingHandlers].flat(),
  jobs: [waitListJob],
})
