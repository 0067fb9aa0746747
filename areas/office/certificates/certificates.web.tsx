import { defineAreaWeb } from '#kit/web/router/index.ts'
import light from './certificates.light.web.tsx'

export default defineAreaWeb({
  area: 'certificates',
  resources: {
    certificate: () => import('./requests/certificate.web.tsx'),
    certificateSetting: () => import('./types/type.web.tsx'),
    graduateRequest: () => import('./graduates/office.web.tsx'),
  },
  screens: {
    ...light.screens,
    '/certificates/add': () => import('./requests/add.web.tsx'),
    '/certificates/show/:id': () => import('./requests/show.web.tsx'),
    '/certificates/update/:id': () => import('./requests/change.web.tsx'),
    '/certificates/sign': () => import('./requests/sign.web.tsx'),
    '/services/certification': () => import('./requests/own.web.tsx'),
    '/services/certification/add': () => import('./requests/add.web.tsx'),
    '/services/certification/edit/:id': () => import('./requests/change.web.tsx'),
  },
})
