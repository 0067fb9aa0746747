import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'settings',
  screens: {
    '/settings/university': () => import('./university/university.web.tsx'),
    '/management/enrollment': () =>
      import('./university/groups.web.tsx').then((m) => ({ default: m.EnrollmentSettings })),
    '/management/graduation_certificate': () =>
      import('./university/groups.web.tsx').then((m) => ({ default: m.GraduationCertificateSettings })),
    '/settings/operations': () => import('./operations.web.tsx'),
    '/settings/logs': () => import('./logs/logs.web.tsx'),
    '/management': () => import('./management.web.tsx'),
  },
})
