import { defineAreaServer } from '#kit/server/http/area.ts'
import { bedBoardHandlers } from './board/board.server.ts'
import { bedGroupHandlers } from './groups/group.server.ts'
import { hotelsArea } from './hotels.contract.ts'
import { hotelsTold } from './hotels.told.contract.ts'
import { ownBedHandlers } from './own/own.server.ts'
import { hostelHandlers } from './places/places.server.ts'
import { stayClock, stayLeavers } from './stays/clock.server.ts'
import { bedLookups, stayHandlers, stayWork } from './stays/stay.server.ts'
import { waitingHandlers, waitingJob } from './waiting/waiting.server.ts'

export const hotelsServer = defineAreaServer({
  area: hotelsArea,
  told: hotelsTold,
  handlers: [...hostelHandlers, bedGroupHandlers, stayHandlers, waitingHandlers, bedBoardHandlers, ownBedHandlers],
  lookups: bedLookups,
  jobs: [stayClock, waitingJob],
  work: stayWork,
  hears: [stayLeavers],
})
