import { examOfApplicant, examOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'entrance-exams',
  screens: {
    '/entrance_exams': () => import('./overview/overview.web.tsx'),
    '/entrance_exams/results/:id': () => import('./results/import.web.tsx'),
  },
  resources: { entranceAppointment: () => import('./appointments/appointment.web.tsx') },
  fills: [
    fill(examOfApplicant, async () => (await import('./bookings/of-applicant.web.tsx')).ExamOfApplicant),
    fill(examOfApplication, async () => (await import('./bookings/choose.web.tsx')).ChooseAppointment),
  ],
})
