import { defineAreaServer } from '#kit/server/http/area.ts'
import { placeBases } from './basis.server.ts'
import { accommodationHandlers } from './accommodations/accommodation.server.ts'
import { accommodationBases } from './accommodations/basis.server.ts'
import { boardHandlers } from './board/board.server.ts'
import { examHandlers } from './exams/exam.server.ts'
import { examsArea } from './exams.contract.ts'
import { placementHandlers, placementJob } from './placement/placement.server.ts'
import { publishingHandlers } from './publishing/publishing.server.ts'
import { examListHandlers } from './schedules/lists.server.ts'
import { scheduleHandlers } from './schedules/schedule.server.ts'
import { examsTold } from './exams.told.contract.ts'

export const examsServer = defineAreaServer({
  area: examsArea,
  told: examsTold,
  handlers: [
    examHandlers,
    scheduleHandlers,
    examListHandlers,
    boardHandlers,
    placementHandlers,
    publishingHandlers,
    accommodationHandlers,
  ],
  jobs: [placementJob],
  basis: [placeBases, accommodationBases],
})
