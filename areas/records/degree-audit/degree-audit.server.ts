import { defineAreaServer } from '#kit/server/http/area.ts'
import { auditJob, runHandlers } from './audits/run.server.ts'
import { degreeAuditArea } from './degree-audit.contract.ts'
import { touchedHandlers, touchedJob } from './requirements/touched.server.ts'
import { storedHandlers } from './requirements/stored.server.ts'

export const degreeAuditServer = defineAreaServer({
  area: degreeAuditArea,
  handlers: [storedHandlers, touchedHandlers, runHandlers],
  jobs: [auditJob, touchedJob],
})
