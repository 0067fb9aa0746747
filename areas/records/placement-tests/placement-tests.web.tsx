import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'placement-tests',
  screens: {
    '/settings/placement_test/edit/:id?': () => import('./tests/edit.web.tsx'),
    '/settings/placement_test/import/:id': () => import('./results/import.web.tsx'),
  },
  resources: { placementTest: () => import('./tests/test.web.tsx') },
})
