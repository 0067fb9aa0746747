import { defineAreaServer } from '#kit/server/http/area.ts'
import { bannedDecided, caseHandlers, caseWork } from './absences/case.server.ts'
import { ownHandlers } from './absences/own.server.ts'
import { attendanceArea } from './attendance.contract.ts'
import { codeHandlers, codeWork } from './codes/code.server.ts'
import { excusedDecided, excuses } from './excuses/excuse.server.ts'
import { importHandlers } from './meetings/import.server.ts'
import { makeUpHandlers } from './meetings/make-up.server.ts'
import { sheetHandlers } from './meetings/sheet.server.ts'

export const attendanceServer = defineAreaServer({
  area: attendanceArea,
  handlers: [sheetHandlers, makeUpHandlers, importHandlers, codeHandlers, caseHandlers, ownHandlers, excuses.handlers],
  hears: [bannedDecided, excusedDecided],
  work: [codeWork, caseWork, excuses.work],
})
