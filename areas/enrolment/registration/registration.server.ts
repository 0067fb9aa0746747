import { seatsAppeared } from '#areas/study/offerings/seats.server.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { hear } from '#kit/server/base/hears.ts'
import { advisingHandlers } from './advising/advising.server.ts'
import { blockHandlers, blockJob, firstBlockJob } from './block/block.server.ts'
import { bulkHandlers } from './changes/bulk.handlers.server.ts'
import { prerequisites } from './changes/prerequisite.server.ts'
import { windowExceptionHandlers } from './exceptions/exception.server.ts'
import { leavers } from './changes/leaving.server.ts'
import './changes/undo.server.ts'
import { paperHandlers } from './records/papers.server.ts'
import { preflightClock } from './preflight/notices.server.ts'
import { preflightHandlers } from './preflight/preflight.server.ts'
import { registrationRecordHandlers } from './records/registration.server.ts'
import { registrationArea } from './registration.contract.ts'
import { requestHandlers } from './requests/handlers.server.ts'
import { ringsJob, waitListClock, waitListJob, wakeWaitList } from './requests/queue.server.ts'
import { registrationWork } from './desk/work.server.ts'
import { registrationTold } from './registration.told.contract.ts'

/** For other areas: enrolling the rows of an import. */
export { enrolMany, type EnrolRow } from './changes/bulk.server.ts'
/** For imports that seat by themselves. */
export { makeRoom, wakeWaitList } from './requests/queue.server.ts'

export const registrationServer = defineAreaServer({
  area: registrationArea,
  told: registrationTold,
  handlers: [
    preflightHandlers,
    windowExceptionHandlers,
    requestHandlers,
    bulkHandlers,
    blockHandlers,
    registrationRecordHandlers,
    paperHandlers,
    advisingHandlers,
  ].flat(),
  hears: [hear(seatsAppeared, wakeWaitList), leavers],
  jobs: [preflightClock, ringsJob, waitListJob, waitListClock, blockJob, firstBlockJob],
  work: registrationWork,
  basis: [prerequisites],
})
