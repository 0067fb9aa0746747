import { defineAreaWeb } from '../router/area.ts'

/** Screens of the application itself that need nothing of it. */
export default defineAreaWeb({
  area: 'shell',
  screens: {
    '/qr_code/:code?': () => import('./pages/verify.tsx'),
    '/notices/stop/:token': () => import('./pages/stop-notices.tsx'),
  },
})
