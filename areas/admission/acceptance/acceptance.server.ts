import { hear } from '#kit/server/base/hears.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { studentOfApplicant } from '#areas/admission/applicants/applicant/student-of.server.ts'
import { acceptanceArea } from './acceptance.contract.ts'
import { acceptApplicantsJob, acceptanceWork, makeStudent } from './accept.server.ts'

export const acceptanceServer = defineAreaServer({
  area: acceptanceArea,
  handlers: [],
  hears: [hear(studentOfApplicant, makeStudent)],
  jobs: [acceptApplicantsJob],
  work: acceptanceWork,
})
