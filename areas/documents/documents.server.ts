import { defineAreaServer } from '#kit/server/area.ts'
import { documentsArea } from './documents.contract.ts'
import { expiryJob, studentDocuments } from './students/document.server.ts'

export const documentsServer = defineAreaServer({
  area: documentsArea,
  handlers: [studentDocuments.handlers],
  work: [studentDocuments.work],
  jobs: [expiryJob],
})
