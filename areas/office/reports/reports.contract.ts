import { besidesOfHome } from '#kit/contract/home.ts'
import { area, screen } from '#kit/contract/index.ts'
import { financeCalls } from './finance/dashboard.contract.ts'
import { financialCalls } from './financial/financial.contract.ts'
import { figuresCalls } from './figures/figures.contract.ts'
import { REPORT_RIGHTS } from './figures/rights.contract.ts'
import { ownReportCalls } from './own/own.contract.ts'
import { roomUseCalls } from './rooms/rooms.contract.ts'
import { overviewCalls } from './overview/overview.contract.ts'

/** What the university knows about itself: the overview of staff, reports. */
export const reportsArea = area({
  name: 'reports',
  label: ['Reports', 'التقارير'],
  calls: [overviewCalls, financeCalls, financialCalls, figuresCalls, roomUseCalls, ownReportCalls],
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
    screen('/reports/own', {
      permission: REPORT_RIGHTS,
      title: ['Own reports', 'تقاريري'],
      parent: '/reports',
    }),
    screen('/reports/own/new', {
      permission: REPORT_RIGHTS,
      title: ['Put a report together', 'تركيب تقرير'],
      parent: '/reports/own',
    }),
    screen('/reports/own/:id', {
      permission: REPORT_RIGHTS,
      title: ['Own report', 'تقرير خاص'],
      parent: '/reports/own',
    }),
    screen('/reports/differ', {
      permission: REPORT_RIGHTS,
      title: ['Why two figures differ', 'لماذا يختلف رقمان'],
      parent: '/reports',
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
      permission: 'access_report_rooms',
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
  fills: [besidesOfHome],
  noticeGroup: 'requests',
  notices: {
    notice_own_right: {
      title: ['Reports by mail that ended', 'توقف تقارير بالبريد'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
    notice_own_shared: {
      title: ['Reports shared with me', 'تقارير شوركت معي'],
      audience: [1, 2],
      app: 'always',
      mail: 'digest',
    },
    notice_own_gone: {
      title: ['Shared reports that are gone', 'تقارير مشتركة لم تعد متاحة'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
  },
  errors: {
    report_rows_many: [
      'A sheet holds {most} rows at most. Narrow the report by a filter.',
      'لا تتسع الورقة لأكثر من {most} صف. ضيّق التقرير بمرشح.',
    ],
    report_sheet_gone: [
      'This sheet is no longer kept. Make it again from the figure.',
      'لم تعد هذه الورقة محفوظة. أعد إعدادها من الرقم نفسه.',
    ],
    report_worked_out: [
      'These figures are of so many rows that they are still being worked out. They will be there in a minute or two.',
      'هذه الأرقام من سجلات كثيرة، وما زالت تُحسب. ستكون جاهزة خلال دقيقة أو دقيقتين.',
    ],
    own_report_closed: [
      'You may not see figures of this: {counts}. Whoever manages your rights can give you the right to their report.',
      'ليست لديك صلاحية الاطلاع على أرقام: {counts}. يمكن لمن يدير صلاحياتك منحك صلاحية تقريرها.',
    ],
    own_report_mixed: [
      '“{measure}” is made of {counts}, the other figures of {other}: put it into a report of its own.',
      '«{measure}» مبني على {counts} وبقية الأرقام على {other}: ضعه في تقرير مستقل.',
    ],
    own_report_twice: ['“{what}” stands there twice.', '«{what}» مكرر.'],
    own_report_dimension: ['{counts} are not told apart by “{dimension}”.', 'لا تُصنف {counts} حسب «{dimension}».'],
    own_report_dimensions: [
      'At most {max} stand in rows and columns together. Take one out.',
      'يمكن جمع {max} على الأكثر في الصفوف والأعمدة. أزل واحدًا منها.',
    ],
    own_report_share: [
      '“{measure}” does not add up, so it has no share of a sum. Take it out, or compare otherwise.',
      '«{measure}» لا يُجمع، فلا نسبة له من مجموع. أزله أو اختر مقارنة أخرى.',
    ],
    own_report_along: [
      '“{dimension}” stands in rows or columns, where earlier ones stand beside each other already. Take it out to compare.',
      '«{dimension}» ضمن الصفوف أو الأعمدة وتظهر فيها الفترات متجاورة بالفعل. أزله للمقارنة.',
    ],
    own_report_one_term: [
      'Narrow the report to one term: then it is compared with the one before.',
      'اقصر التقرير على فصل دراسي واحد لتُعقد المقارنة مع ما قبله.',
    ],
    own_report_one_year: [
      'Narrow the report to one term or one year: then it is compared with the one a year before.',
      'اقصر التقرير على فصل دراسي أو عام واحد لتُعقد المقارنة مع العام السابق.',
    ],
    own_report_days: [
      '{counts} are counted as they are now, not as of a day.',
      'تُحصى {counts} بوضعها الحالي لا كما في يوم محدد.',
    ],
    own_report_days_apart: [
      'Of several days, put “As of” into rows or columns.',
      'عند اختيار عدة أيام ضع «كما في يوم» في الصفوف أو الأعمدة.',
    ],
    own_report_named: ['You have a report of this name already.', 'لديك تقرير بهذا الاسم بالفعل.'],
    own_report_too_many: [
      'You keep {max} reports already. Remove one that you no longer need.',
      'لديك {max} تقرير بالفعل. احذف ما لم تعد تحتاج إليه.',
    ],
    own_report_role_blind: [
      'Nobody sees anything of this report by the role “{name}”: it lacks the right to its figures.',
      'لا يتيح الدور «{name}» الاطلاع على شيء من هذا التقرير إذ تنقصه صلاحية أرقامه.',
    ],
    own_report_person_blind: [
      '{name} would see nothing of this report: the right to its figures is lacking.',
      'لن يرى {name} شيئًا من هذا التقرير إذ تنقصه صلاحية أرقامه.',
    ],
    own_report_no_address: [
      'Your account has no e-mail address to which a report could be sent.',
      'ليس لحسابك بريد إلكتروني يُرسل إليه التقرير.',
    ],
    own_report_not_sent: ['This report is not sent to you.', 'هذا التقرير لا يُرسل إليك.'],
    report_days: ['The last day comes before the first.', 'آخر يوم يسبق أول يوم.'],
  },
})
