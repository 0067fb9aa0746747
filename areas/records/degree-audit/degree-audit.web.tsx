import {
  requirementsOfBylaw,
  requirementsOfProgram,
  standingUnderEdit,
} from '#areas/study/catalogue/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'degree-audit',
  screens: {
    '/programs/:id/requirements': () => import('./requirements/of-program.web.tsx'),
    '/bylaws/:id/requirements': () => import('./requirements/of-bylaw.web.tsx'),
    '/degree-audits': () => import('./audits/runs.web.tsx'),
    '/degree-audits/:id': () => import('./audits/run.web.tsx'),
  },
  fills: [
    fill(requirementsOfBylaw, async () => (await import('./requirements/panel.web.tsx')).RequirementsOfBylaw),
    fill(requirementsOfProgram, async () => (await import('./requirements/panel.web.tsx')).RequirementsOfProgram),
    fill(standingUnderEdit, async () => (await import('./requirements/live.web.tsx')).WhoseAudit),
  ],
})
