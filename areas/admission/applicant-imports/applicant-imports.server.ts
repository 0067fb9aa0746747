import { defineAreaServer } from '#kit/server/http/area.ts'
import { applicantImportsArea } from './applicant-imports.contract.ts'
import { applicantImportsTold } from './applicant-imports.told.contract.ts'
import { checkApplicantsJob } from './check.server.ts'
import { applicantImportHandlers, sweepApplicantImports } from './import.server.ts'
import { saveApplicantsJob } from './save.server.ts'

export const applicantImportsServer = defineAreaServer({
  area: applicantImportsArea,
  told: applicantImportsTold,
  handlers: [applicantImportHandlers],
  jobs: [checkApplicantsJob, saveApplicantsJob, sweepApplicantImports],
})
