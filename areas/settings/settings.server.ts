import { defineAreaServer } from '#kit/server/area.ts'
import { logHandlers } from './logs/logs.server.ts'
import { settingsArea } from './settings.contract.ts'
import { universityHandlers } from './university/university.server.ts'

export const settingsServer = defineAreaServer({
  area: settingsArea,
  handlers: [logHandlers, universityHandlers],
})
