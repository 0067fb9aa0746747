import { logbookOfIntern } from '#areas/practice/internship/outlets.contract.ts'
import { ahead, defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'logbook',
  fills: [fill(logbookOfIntern, async () => (await import('./roster/of-intern.web.tsx')).LogbookOfIntern)],
  screens: {
    '/emtyaz/logbook': () => import('./entries/own.web.tsx'),
    '/emtyaz/logbook/confirm/:uuid': () => import('./confirm/scan.web.tsx'),
    '/emtyaz/logbooks/interns': () => import('./entries/interns.web.tsx'),
    '/emtyaz/logbooks/interns/:id': () => import('./entries/intern.web.tsx'),
    '/emtyaz/duties': () => import('./roster/own.web.tsx'),
    '/emtyaz/roster': () => import('./roster/list.web.tsx'),
    '/emtyaz/roster/:id': () => import('./roster/board.web.tsx'),
  },
  resources: {
    logbookEntry: () => import('./entries/list.web.tsx'),
    dutySwap: () => import('./swaps/list.web.tsx'),
  },
  waiting: { 'logbook.entries': () => import('./entries/waiting.web.ts') },
  ahead: async ({ user, can }) => {
    if (user.student_id === null || !can('write_logbook')) return []
    const [{ logbookCalls }, { rosterCalls }] = await Promise.all([
      import('./entries/entry.contract.ts'),
      import('./roster/roster.contract.ts'),
    ])
    return [ahead(logbookCalls.mine), ahead(rosterCalls.own)]
  },
})
