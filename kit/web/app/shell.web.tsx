import { calls } from '../auth/calls.ts'
import { ahead, defineAreaWeb } from '../router/area.ts'
import light from './shell.light.web.tsx'

const passwords = () => import('./pages/passwords.tsx')
const messages = () => import('./pages/messages.tsx')

/** Screens of the application itself. */
export default defineAreaWeb({
  area: 'shell',
  ahead: async () => [ahead(calls.work), ahead(calls.notifications)],
  screens: {
    ...light.screens,
    '/login': () => import('./pages/sign-in.tsx'),
    '/forgot-password': () => passwords().then((m) => ({ default: m.ForgotPassword })),
    '/pages/authentication/reset-password-v1': () => passwords().then((m) => ({ default: m.ResetPassword })),
    '/error-404': () => messages().then((m) => ({ default: m.NotFound })),
    '/pages/miscellaneous/coming-soon': () => messages().then((m) => ({ default: m.ComingSoon })),
    '/pages/miscellaneous/not-authorized': () => messages().then((m) => ({ default: m.NotAuthorized })),
    '/pages/miscellaneous/under-maintenance': () => messages().then((m) => ({ default: m.UnderMaintenance })),
    '/pages/miscellaneous/error': () => messages().then((m) => ({ default: m.ErrorPage })),
    '/home': () => import('./pages/home.tsx'),
    '/outdated-decisions': () => import('./pages/outdated.tsx'),
    '/profile/notices': () => import('./pages/notices.tsx'),
    '/profile': () => import('./pages/profile.tsx'),
    '/help': () => import('./pages/help.tsx'),
  },
})
