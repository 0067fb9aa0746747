import { defineAreaServer } from '#kit/server/http/area.ts'
import { specializationHandlers } from './choices/specialization.server.ts'
import { distributionHandlers } from './distribution/distribution.server.ts'
import { preferenceHandlers } from './preferences/preferences.server.ts'
import { specializationsArea } from './specializations.contract.ts'
import { studentHandlers } from './students/students.server.ts'
import { windowFlow, windowHandlers, windowWork } from './windows/window.server.ts'
import { specializationsTold } from './specializations.told.contract.ts'

export const specializationsServer = defineAreaServer({
  area: specializationsArea,
  told: specializationsTold,
  handlers: [specializationHandlers, windowHandlers, distributionHandlers, preferenceHandlers, studentHandlers],
  jobs: [windowFlow.job],
  work: windowWork,
})
