import { defineAreaWeb } from '#kit/web/router/index.ts'
import light from './applicants.light.web.tsx'

export default defineAreaWeb({
  area: 'applicants',
  screens: {
    ...light.screens,
    '/applicants/duplicates': () => import('./merging/duplicates.web.tsx'),
    '/applicants_pg': () => import('./lists/lists.web.tsx').then((m) => ({ default: m.PostgraduateApplicants })),
    '/accepted_applicants': () => import('./lists/lists.web.tsx').then((m) => ({ default: m.AcceptedApplicants })),
    '/accepted_applicants_pg': () =>
      import('./lists/lists.web.tsx').then((m) => ({ default: m.AcceptedPostgraduates })),
    '/admission/transfer_students': () =>
      import('./lists/lists.web.tsx').then((m) => ({ default: m.TransferApplicants })),
    '/transfered_student_paid': () => import('./lists/lists.web.tsx').then((m) => ({ default: m.PaidTransfers })),
    '/accepted_applicants/:id': () => import('./lists/lists.web.tsx').then((m) => ({ default: m.AcceptedApplicant })),
    '/applicants/edit': () => import('./lists/lists.web.tsx').then((m) => ({ default: m.EditWithoutApplicant })),
  },
  resources: { applicant: () => import('./applicant/applicant.web.tsx') },
})
