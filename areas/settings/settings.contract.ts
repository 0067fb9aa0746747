import { area, screen } from '#kit/contract/index.ts'
import { universityCalls } from './university/university.contract.ts'

/** Settings of the university, and the hub of its management. */
export const settingsArea = area({
  name: 'settings',
  label: ['Settings', 'الإعدادات'],
  calls: universityCalls,
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
    screen('/management', {
      permission: 'access_management',
      title: ['Management', 'الإدارة'],
      menu: { group: 'settings', order: 5, icon: 'adjustments' },
    }),
  ],
  errors: {
    colour_not_valid: ['A colour is written like #1b6b93.', 'يُكتب اللون بالصورة #1b6b93.'],
  },
})
