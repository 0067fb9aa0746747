import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'transfers',
  screens: {
    '/students/transfer': () => import('./internal/list.web.tsx'),
    '/transfer/internal/add': () => import('./internal/add.web.tsx'),
    '/students/:student_id/transfer/:transfer_id': () => import('./internal/show.web.tsx'),
    '/students/edit/:student_id/transfer/:transfer_id': () => import('./internal/edit.web.tsx'),
    '/students/transfer_out': () => import('./out/list.web.tsx'),
    '/transfer/out/add': () => import('./out/add.web.tsx'),
    '/students/external_transfers': () => import('./external/list.web.tsx'),
    '/transfer/external/add': () => import('./external/add.web.tsx'),
    '/admission/transfer_students/equivalence/:user_id': () => import('./external/of-applicant.web.tsx'),
    '/students/:student_id/external_transfer/:transfer_id': () => import('./external/show.web.tsx'),
  },
})
