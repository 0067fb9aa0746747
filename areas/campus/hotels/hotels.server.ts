import { defineAreaServer } from '#kit/server/http/area.ts'
import { bedBoardHandlers } from './board/board.server.ts'
import { groupHandlers } from './groups/group.server.ts'
import { hotelsArea } from './hotels.contract.ts'
import { hotelsTold } from './hotels.told.contract.ts'
import { ownBedHandlers } from './own/own.server.ts'
import { placeHandlers } from './places/places.server.ts'
import { stayClock, stayLeavers } from './stays/clock.server.ts'
import { bedLookups, stayHandlers, stayWork } from './stays/stay.server.ts'
import { waitingHandlers, waitingJob } from './waiting/waiting.server.ts'

export const hotelsServer = defineAreaServer({
  area: hotelsArea,
  told: hotelsTold,
  handlers: [...placeHandlers, groupHandlers, stayHandlers, waitingHandlers, bedBoardHandlers, ownBedHandlers],
  lookups: bedLookups,
  jobs: [stayClock, waitingJob],
  work: stayWork,
  hears: [stayLeavers],
})
