import { area, screen } from '#kit/contract/index.ts'
import { financeCalls } from './finance/dashboard.contract.ts'
import { financialCalls } from './financial/financial.contract.ts'
import { REPORT_RIGHTS, figuresCalls } from './figures/figures.contract.ts'
import { roomUseCalls } from './rooms/rooms.contract.ts'
import { overviewCalls } from './overview/overview.contract.ts'

/** What the university knows about itself: the overview of staff, reports. */
export const reportsArea = area({
  name: 'reports',
  label: ['Reports', 'التقارير'],
  calls: [overviewCalls, financeCalls, financialCalls, figuresCalls, roomUseCalls],
  screens: [
    screen('/overview', {
      permission: 'admin_system',
      title: ['Overview', 'نظرة عامة'],
      menu: { group: 'home', order: 10, icon: 'layout-dashboard' },
    }),
    screen('/reports', {
      permission: ['access_reports', 'access_report_financial', 'access_statisticalReturn', ...REPORT_RIGHTS],
      title: ['Reports', 'التقارير'],
      menu: { group: 'home', order: 20, icon: 'report-search' },
    }),
    screen('/registrations-report', {
      permission: 'access_report_Registrations',
      title: ['Registrations report', 'تقرير التسجيلات'],
      parent: '/reports',
    }),
    screen('/admission-reports', {
      permission: 'access_report_admission',
      title: ['Admission reports', 'تقارير القبول'],
      parent: '/reports',
    }),
    screen('/graduat-reports', {
      permission: 'access_report_graduates',
      title: ['Graduates reports', 'تقارير الخريجين'],
      parent: '/reports',
    }),
    screen('/equivalent-report', {
      permission: 'access_report_equivalence',
      title: ['Equivalence report', 'تقرير المعادلات'],
      parent: '/reports',
    }),
    screen('/foreigner-report', {
      permission: 'access_report_foreigners',
      title: ['Foreign students report', 'تقرير الطلاب الوافدين'],
      parent: '/reports',
    }),
    screen('/rooms-report', {
      permission: 'access_schedule',
      title: ['Use of rooms', 'إشغال القاعات'],
      parent: '/reports',
    }),
    screen('/finance', {
      permission: 'access_report_financial',
      title: ['Finance dashboard', 'لوحة المالية'],
      menu: { group: 'finance', order: 305, icon: 'chart-pie', block: 'books' },
    }),
    screen('/Financial-report', {
      permission: 'access_report_financial',
      title: ['Financial report', 'التقرير المالي'],
      menu: { group: 'finance', order: 315, icon: 'report-analytics', block: 'books', subject: 'reports' },
    }),
    screen('/payments-reports', {
      permission: 'access_report_financial',
      title: ['Payment reports', 'تقارير المدفوعات'],
      menu: { group: 'finance', order: 320, icon: 'report-money', block: 'books', subject: 'reports' },
    }),
    screen('/finanicials-settings-reports', {
      permission: 'access_payment_setting',
      title: ['Report of payment settings', 'تقرير إعدادات الرسوم'],
      menu: { group: 'finance', order: 84, icon: 'file-analytics', setup: true },
    }),
  ],
  errors: {
    report_days: ['The last day comes before the first.', 'آخر يوم يسبق أول يوم.'],
  },
})
