import { defineAreaServer } from '#kit/server/http/area.ts'
import { bannedDecided, absenceCaseHandlers, absenceCaseWork } from './absences/case.server.ts'
import { ownAbsenceHandlers } from './absences/own.server.ts'
import { attendanceArea } from './attendance.contract.ts'
import { codeHandlers, codeWork } from './codes/code.server.ts'
import { excusedDecided, excuses } from './excuses/excuse.server.ts'
import { importHandlers } from './meetings/import.server.ts'
import { makeUpHandlers } from './meetings/make-up.server.ts'
import { attendanceSheetHandlers } from './meetings/sheet.server.ts'
import { attendanceTold } from './attendance.told.contract.ts'

export const attendanceServer = defineAreaServer({
  area: attendanceArea,
  told: attendanceTold,
  handlers: [
    attendanceSheetHandlers,
    makeUpHandlers,
    importHandlers,
    codeHandlers,
    absenceCaseHandlers,
    ownAbsenceHandlers,
    excuses.handlers,
  ],
  hears: [bannedDecided, excusedDecided],
  work: [codeWork, absenceCaseWork, excuses.work],
})
