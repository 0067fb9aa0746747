import { defineAreaServer } from '#kit/server/http/area.ts'
import { distributionArea } from './distribution.contract.ts'
import { placeHandlers } from './runs/places.server.ts'
import { distributeJob, distributionWorkflow, distributionRunHandlers } from './runs/run.server.ts'
import { distributionResultHandlers } from './results/result.server.ts'
import { offerSeatsJob, applicantSeatHandlers } from './seats/seat.server.ts'
import { tellWithoutSeatJob } from './told/told.server.ts'

export const distributionServer = defineAreaServer({
  area: distributionArea,
  handlers: [distributionRunHandlers, placeHandlers, applicantSeatHandlers, distributionResultHandlers],
  jobs: [distributeJob, distributionWorkflow.job, offerSeatsJob, tellWithoutSeatJob],
})
