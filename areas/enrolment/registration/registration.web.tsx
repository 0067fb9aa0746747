import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'registration',
  screens: {
    '/offering/registration': () => import('./desk/own.web.tsx'),
    '/offering/preflight': () => import('./preflight/own.web.tsx'),
    '/registration_preflight': () => import('./preflight/list.web.tsx'),
    '/registration_preflight/:id': () => import('./preflight/student.web.tsx'),
    '/registrations/:id?': () => import('./records/list.web.tsx'),
    '/level_registration': () => import('./block/level.web.tsx'),
    '/my_advising': () => import('./advising/my-advising.web.tsx'),
    '/advising': () => import('./advising/advising.web.tsx'),
    '/advising/registration/:id': () => import('./desk/advisee.web.tsx'),
    '/academic_advisors': () => import('./advising/advisors.web.tsx'),
    '/advised_students': () => import('./advising/advised.web.tsx'),
  },
})
