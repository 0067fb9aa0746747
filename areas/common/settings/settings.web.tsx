import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'settings',
  resources: {
    otherUniversity: () => import('./universities-list/merge.web.tsx').then((m) => ({ default: m.universities })),
    universityFaculty: () =>
      import('./universities-list/merge.web.tsx').then((m) => ({ default: m.universityFaculties })),
    school: () => import('./universities-list/merge.web.tsx').then((m) => ({ default: m.schools })),
  },
  screens: {
    '/settings/university': () => import('./university/university.web.tsx'),
    '/management/enrollment': () =>
      import('./university/groups.web.tsx').then((m) => ({ default: m.EnrollmentSettings })),
    '/management/graduation_certificate': () =>
      import('./university/groups.web.tsx').then((m) => ({ default: m.GraduationCertificateSettings })),
    '/management/notice_texts': () => import('./notice-texts/notice-texts.web.tsx'),
    '/deployment': () => import('./deployment/deployment.web.tsx'),
    '/development': () => import('./development/development.web.tsx'),
    '/settings/retention': () => import('./retention/retention.web.tsx'),
    '/settings/operations': () => import('./operations.web.tsx'),
    '/settings/logs': () => import('./logs/audit.web.tsx'),
    '/settings/logs/view/:id/:tableName': () => import('./logs/record.web.tsx'),
    '/settings/logs/security': () => import('./logs/logs.web.tsx'),
    '/management': () => import('./management.web.tsx'),
  },
})
