import { resultOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/area.ts'

/** What people see who applied, once results are out. */
export default defineAreaWeb({
  area: 'distribution',
  fills: [fill(resultOfApplication, async () => (await import('./results/own-result.web.tsx')).ResultOfApplication)],
})
