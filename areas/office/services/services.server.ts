import './erasing.server.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { serviceKindHandlers, serviceLookups } from './kinds/kind.server.ts'
import { serviceClock } from './requests/clock.server.ts'
import { serviceHandlers, serviceWork } from './requests/service.server.ts'
import { servicesArea } from './services.contract.ts'
import { servicesTold } from './services.told.contract.ts'

export const servicesServer = defineAreaServer({
  area: servicesArea,
  told: servicesTold,
  handlers: [serviceKindHandlers, serviceHandlers],
  lookups: serviceLookups,
  jobs: [serviceClock],
  work: [serviceWork],
})
