import { defineAreaServer } from '#kit/server/area.ts'
import { overviewHandlers } from './overview/overview.server.ts'
import { reportsArea } from './reports.contract.ts'

export const reportsServer = defineAreaServer({ area: reportsArea, handlers: [overviewHandlers] })
