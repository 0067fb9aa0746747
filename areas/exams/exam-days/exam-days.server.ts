import { printBases } from './basis.server.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { absenceHandlers, absentDecided, excusedExams } from './absences/absence.server.ts'
import { examCaseHandlers, examCaseWork, punishedDecided } from './cases/case.server.ts'
import { deliveryHandlers, deliveryWork } from './deliveries/delivery.server.ts'
import { examDaysArea } from './exam-days.contract.ts'
import { paperTypeHandlers } from './paper-types/paper-type.server.ts'
import { listWork, seatHandlers, seatsJob, seatWork } from './seats/seats.server.ts'
import { doorListsJob, hallSheetHandlers } from './seats/sheets.server.ts'
import { examTimesJob } from './told.server.ts'
import { examDaysTold } from './exam-days.told.contract.ts'

export const examDaysServer = defineAreaServer({
  area: examDaysArea,
  told: examDaysTold,
  handlers: [paperTypeHandlers, seatHandlers, hallSheetHandlers, absenceHandlers, examCaseHandlers, deliveryHandlers],
  hears: [excusedExams, absentDecided, punishedDecided],
  jobs: [seatsJob, doorListsJob, examTimesJob],
  basis: [printBases],
  work: [seatWork, listWork, examCaseWork, deliveryWork],
})
