import { thesesOfPerson } from '#areas/people/people/outlets.contract.ts'
import { thesesOfDepartment } from '#areas/study/catalogue/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'
import light from './theses.light.web.tsx'

export default defineAreaWeb({
  area: 'theses',
  screens: {
    ...light.screens,
    '/theses/:id': () => import('./thesis/show.web.tsx'),
    '/my_theses': () => import('./thesis/my.web.tsx'),
  },
  resources: {
    thesis: () => import('./thesis/list.web.tsx'),
    thesisSubject: () => import('./subjects/wishers.web.tsx'),
  },
  fills: [
    fill(thesesOfPerson, async () => (await import('./thesis/of-others.web.tsx')).ThesesOfPerson),
    fill(thesesOfDepartment, async () => (await import('./thesis/of-others.web.tsx')).ThesesOfDepartment),
  ],
})
