import { examOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/area.ts'

/** What people see who apply where there is an entrance exam. */
export default defineAreaWeb({
  area: 'entrance-exams',
  fills: [fill(examOfApplication, async () => (await import('./bookings/choose.web.tsx')).ChooseAppointment)],
})
