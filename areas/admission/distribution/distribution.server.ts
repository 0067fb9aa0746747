import { defineAreaServer } from '#kit/server/http/area.ts'
import { distributionArea } from './distribution.contract.ts'
import { placeHandlers } from './runs/places.server.ts'
import { distributeJob, distributionWorkflow, runHandlers } from './runs/run.server.ts'
import { offerSeatsJob, seatHandlers } from './seats/seat.server.ts'

export const distributionServer = defineAreaServer({
  area: distributionArea,
  handlers: [runHandlers, placeHandlers, seatHandlers],
  jobs: [distributeJob, distributionWorkflow.job, offerSeatsJob],
})
