import { defineAreaServer } from '#kit/server/http/area.ts'
import { archiveArea } from './archive.contract.ts'
import { contentHandlers } from './content/content.server.ts'
import { pageHandlers } from './pages/pages.server.ts'
import { binHandlers } from './tree/bin.server.ts'
import { changeHandlers } from './tree/change.server.ts'
import { archiveListHandlers } from './tree/list.server.ts'
import { sweepUploads } from './upload/parts.server.ts'
import { uploadHandlers } from './upload/upload.server.ts'
import { archiveTold } from './archive.told.contract.ts'

export const archiveServer = defineAreaServer({
  area: archiveArea,
  told: archiveTold,
  handlers: [archiveListHandlers, changeHandlers, binHandlers, contentHandlers, pageHandlers, uploadHandlers],
  jobs: [sweepUploads],
})
