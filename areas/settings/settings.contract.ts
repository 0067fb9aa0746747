import { area, screen } from '#kit/contract/index.ts'
import { logCalls } from './logs/logs.contract.ts'
import { universityCalls } from './university/university.contract.ts'

/** Settings of the university, and the hub of its management. */
export const settingsArea = area({
  name: 'settings',
  label: ['Settings', 'الإعدادات'],
  calls: { ...universityCalls, ...logCalls },
  screens: [
    screen('/settings/university', {
      permission: 'access_management',
      title: ['University settings', 'إعدادات الجامعة'],
      menu: { group: 'settings', order: 10, icon: 'settings' },
    }),
    screen('/settings/operations', {
      permission: 'signed_in',
      title: ['Imports and undo', 'الاستيراد والتراجع'],
    }),
    screen('/settings/logs', {
      permission: 'access_security_log',
      title: ['Security log', 'سجل الأمان'],
      menu: { group: 'settings', order: 60, icon: 'shield-lock' },
    }),
    screen('/management', {
      permission: 'access_management',
      title: ['Setup', 'تهيئة النظام'],
      menu: { group: 'settings', order: 5, icon: 'adjustments' },
    }),
  ],
  errors: {
    time_zone_not_valid: [
      'There is no such time zone. Write it as Africa/Cairo.',
      'لا توجد منطقة زمنية بهذا الاسم. اكتبها بالصورة Africa/Cairo.',
    ],
    colour_not_valid: ['A colour is written like #1b6b93.', 'يُكتب اللون بالصورة #1b6b93.'],
  },
})
