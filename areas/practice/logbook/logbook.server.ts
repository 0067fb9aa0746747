import { yearReasons } from '#areas/practice/internship/interns/asked.server.ts'
import { moreOfCalendar } from '#areas/study/scheduling/feeds/feed.server.ts'
import { hear } from '#kit/server/base/hears.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { logbookHandlers, logbookWork } from './entries/entry.server.ts'
import { logbookReasons } from './entries/facts.server.ts'
import { logbookPaperHandlers } from './entries/paper.server.ts'
import { logbookArea } from './logbook.contract.ts'
import { logbookTold } from './logbook.told.contract.ts'
import { dutyEvents, rosterHandlers } from './roster/roster.server.ts'
import { dutySwapHandlers, dutySwapWork } from './swaps/swap.server.ts'
import { logbookTypes } from './types/type.server.ts'

export const logbookServer = defineAreaServer({
  area: logbookArea,
  told: logbookTold,
  handlers: [
    ...logbookTypes.handlers,
    ...logbookHandlers,
    ...logbookPaperHandlers,
    ...rosterHandlers,
    ...dutySwapHandlers,
  ],
  work: [logbookWork, dutySwapWork],
  hears: [hear(yearReasons, logbookReasons), hear(moreOfCalendar, dutyEvents)],
})
