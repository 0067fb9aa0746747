import { examOfApplicant } from '#areas/admission/applicants/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'
import light from './entrance-exams.light.web.tsx'

export default defineAreaWeb({
  area: 'entrance-exams',
  screens: {
    '/entrance_exams': () => import('./overview/overview.web.tsx'),
    '/entrance_exams/results/:id': () => import('./results/import.web.tsx'),
  },
  resources: { entranceAppointment: () => import('./appointments/appointment.web.tsx') },
  fills: [
    fill(examOfApplicant, async () => (await import('./bookings/of-applicant.web.tsx')).ExamOfApplicant),
    ...(light.fills ?? []),
  ],
})
