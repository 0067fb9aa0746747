import { area } from './area.ts'
import { screen } from './screen.ts'

/** Opened by a link, by people who have no account. */
const light = { permission: 'public', layout: 'full', light: [] } as const

/** Screens of the application itself, around those of the areas. `/` and unknown paths are answered by the router. */
export const shellArea = area({
  name: 'shell',
  label: ['Application', 'التطبيق'],
  screens: [
    screen('/login', { permission: 'public', title: ['Sign in', 'تسجيل الدخول'], layout: 'full' }),
    screen('/forgot-password', {
      permission: 'public',
      title: ['Forgot password', 'نسيت كلمة المرور'],
      layout: 'full',
    }),
    screen('/pages/authentication/reset-password-v1', {
      permission: 'public',
      title: ['Reset password', 'تعيين كلمة مرور جديدة'],
      layout: 'full',
    }),
    screen('/error-404', { permission: 'public', title: ['Page not found', 'الصفحة غير موجودة'], layout: 'full' }),
    screen('/pages/miscellaneous/coming-soon', {
      permission: 'public',
      title: ['Not open yet', 'لم تُفتح بعد'],
      layout: 'full',
    }),
    screen('/pages/miscellaneous/not-authorized', {
      permission: 'public',
      title: ['Not authorized', 'غير مصرح'],
      layout: 'full',
    }),
    screen('/pages/miscellaneous/under-maintenance', {
      permission: 'public',
      title: ['Under maintenance', 'النظام تحت الصيانة'],
      layout: 'full',
    }),
    screen('/pages/miscellaneous/error', { permission: 'public', title: ['Error', 'خطأ'], layout: 'full' }),
    screen('/home', {
      permission: 'signed_in',
      title: ['Home', 'الرئيسية'],
      offline: true,
      menu: { group: 'home', order: 1, icon: 'home' },
    }),
    // Reached from the home, where it says that something waits.
    screen('/outdated-decisions', {
      permission: 'signed_in',
      title: ['Decisions whose basis has changed', 'قرارات تغيّر أساسها'],
      parent: '/home',
    }),
    // Where the QR code of an issued paper leads.
    screen('/qr_code/:code?', { ...light, title: ['Verify a paper', 'التحقق من وثيقة'] }),
    // Where the link in a mail leads that stops mails of its kind.
    screen('/notices/stop/:token', { ...light, title: ['Stop mails', 'إيقاف الرسائل'] }),
    screen('/profile/notices', { permission: 'signed_in', title: ['Notices', 'الإشعارات'], parent: '/profile' }),
    // Stands under one's own picture at the top, not a second time in the menu.
    screen('/profile', { permission: 'signed_in', title: ['Profile', 'الملف الشخصي'] }),
    screen('/help', {
      permission: 'signed_in',
      title: ['Help', 'المساعدة'],
      menu: { group: 'home', order: 90, icon: 'help-circle' },
    }),
  ],
})
