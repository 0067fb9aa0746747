import { papersOfApplicant } from '#areas/admission/applicants/outlets.contract.ts'
import { papersOfTransfer } from '#areas/enrolment/transfers/outlets.contract.ts'
import { papersOfWorker } from '#areas/people/people/outlets.contract.ts'
import { papersFromElsewhere } from '#areas/records/students/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'
import light from './certificates.light.web.tsx'

export default defineAreaWeb({
  area: 'certificates',
  resources: {
    certificate: () => import('./requests/certificate.web.tsx'),
    externalPaper: () => import('./external/external.web.tsx'),
    nameChange: () => import('./names/name-change.web.tsx'),
    certificateSetting: () => import('./types/type.web.tsx'),
    graduateRequest: () => import('./graduates/office.web.tsx'),
  },
  fills: [
    fill(papersFromElsewhere, async () => (await import('./external/of-person.web.tsx')).ExternalPapersOf),
    fill(papersOfApplicant, async () => (await import('./external/of-person.web.tsx')).ExternalPapersOfApplicant),
    fill(papersOfTransfer, async () => (await import('./external/of-person.web.tsx')).ExternalPapersOfTransfer),
    fill(papersOfWorker, async () => (await import('./requests/of-worker.web.tsx')).PapersOfWorker),
  ],
  screens: {
    ...light.screens,
    '/certificates/external/add': () => import('./external/add.web.tsx'),
    '/certificates/external/:id': () => import('./external/show.web.tsx'),
    '/certificates/add': () => import('./requests/add.web.tsx'),
    '/certificates/show/:id': () => import('./requests/show.web.tsx'),
    '/certificates/update/:id': () => import('./requests/change.web.tsx'),
    '/certificates/hand_over': () => import('./handing/desk.web.tsx'),
    '/certificates/sign': () => import('./requests/sign.web.tsx'),
    '/services/certification': () => import('./requests/own.web.tsx'),
    '/services/certification/add': () => import('./requests/add.web.tsx'),
    '/services/certification/edit/:id': () => import('./requests/change.web.tsx'),
  },
})
