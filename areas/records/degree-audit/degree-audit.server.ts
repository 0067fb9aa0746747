import { defineAreaServer } from '#kit/server/http/area.ts'
import { auditJob, runHandlers } from './audits/run.server.ts'
import { degreeAuditArea } from './degree-audit.contract.ts'
import { touchedHandlers, touchedJob } from './requirements/touched.server.ts'
import { storedHandlers } from './requirements/stored.server.ts'
import { degreeAuditTold } from './degree-audit.told.contract.ts'

export const degreeAuditServer = defineAreaServer({
  area: degreeAuditArea,
  told: degreeAuditTold,
  handlers: [storedHandlers, touchedHandlers, runHandlers],
  jobs: [auditJob, touchedJob],
})
