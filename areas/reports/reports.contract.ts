import { area, screen } from '#kit/contract/index.ts'
import { overviewCalls } from './overview/overview.contract.ts'

/** What the university knows about itself: the overview of staff, reports. */
export const reportsArea = area({
  name: 'reports',
  label: ['Reports', 'التقارير'],
  calls: { ...overviewCalls },
  screens: [
    screen('/overview', {
      permission: 'admin_system',
      title: ['Overview', 'نظرة عامة'],
      menu: { group: 'home', order: 10, icon: 'layout-dashboard' },
    }),
  ],
})
