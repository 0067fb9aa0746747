import { defineAreaServer } from '#kit/server/http/area.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { documentsArea } from './documents.contract.ts'
import { employeeDocuments } from './employees/employee-documents.server.ts'
import { instructorDocuments } from './instructors/instructor-documents.server.ts'
import { documentKindHandlers } from './kinds/kind.server.ts'
import { studentDocuments } from './students/student-documents.server.ts'

const ALL = [studentDocuments, employeeDocuments, instructorDocuments]

/** What people hear before a document expires, and when it has. */
export const expiryJob = defineJob<Record<string, never>, { told: number; expired: number }>({
  name: 'documents-expire',
  cron: '35 4 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Documents that expire')
    const sum = { told: 0, expired: 0 }
    for (const { expire } of ALL) {
      const { told, expired } = await expire(ctx)
      sum.told += told
      sum.expired += expired
    }
    return sum
  },
})

export const documentsServer = defineAreaServer({
  area: documentsArea,
  handlers: [...ALL.map(({ handlers }) => handlers), documentKindHandlers],
  work: ALL.map(({ work }) => work),
  jobs: [expiryJob],
})
