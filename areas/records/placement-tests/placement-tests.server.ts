import { defineAreaServer } from '#kit/server/http/area.ts'
import { placementTestsArea } from './placement-tests.contract.ts'
import { resultHandlers } from './results/result.server.ts'
import { placementSheetHandlers } from './results/sheet.server.ts'
import { testHandlers } from './tests/test.server.ts'
import { placementTestsTold } from './placement-tests.told.contract.ts'

export const placementTestsServer = defineAreaServer({
  area: placementTestsArea,
  told: placementTestsTold,
  handlers: [testHandlers, resultHandlers, placementSheetHandlers],
})
