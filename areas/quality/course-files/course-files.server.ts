import { defineAreaServer } from '#kit/server/http/area.ts'
import { courseFilesArea } from './course-files.contract.ts'
import { courseFilesTold } from './course-files.told.contract.ts'
import { courseFileClock, courseFileWork } from './files/clock.server.ts'
import { courseFileCommentHandlers } from './files/comments.server.ts'
import { courseFileHandlers } from './files/course-file.server.ts'
import { packHandlers, packJob } from './pack/pack.server.ts'
import { offeringReportHandlers } from './reports/report.server.ts'

export const courseFilesServer = defineAreaServer({
  area: courseFilesArea,
  told: courseFilesTold,
  handlers: [courseFileHandlers, courseFileCommentHandlers, offeringReportHandlers, packHandlers],
  jobs: [courseFileClock, packJob],
  work: courseFileWork,
})
