import { area, screen } from '#kit/contract/index.ts'
import { riskModelCalls } from './past/model.contract.ts'
import { riskCalls } from './risks/risk.contract.ts'
import { riskRule } from './rules/risk-rule.contract.ts'

/** Early warning: whose term stands out, why, who spoke with whom, and what came of it. */
export const earlyWarningArea = area({
  name: 'early-warning',
  label: ['Early warning', 'الإنذار المبكر'],
  resources: [riskRule],
  calls: [riskCalls, riskModelCalls],
  screens: [
    screen('/early-warning', {
      permission: 'access_early_warning',
      title: ['Early warning', 'الإنذار المبكر'],
      menu: { group: 'study', order: 632, icon: 'heart-handshake', block: 'offering', subject: 'advising' },
    }),
    screen('/early-warning/:id', {
      permission: 'access_early_warning',
      title: ['Early warning', 'الإنذار المبكر'],
      parent: '/early-warning',
    }),
    screen('/early-warning-models', {
      permission: 'manage_early_warning',
      title: ['Models of early warning', 'نماذج الإنذار المبكر'],
      menu: { group: 'catalogue', order: 92, icon: 'chart-histogram', setup: true },
    }),
    screen('/my-early-warning', {
      permission: 'access_student',
      of: ['student'],
      title: ['How my term goes', 'سير فصلي الدراسي'],
      menu: { group: 'my', order: 12, icon: 'heart-handshake' },
    }),
  ],
  errors: {
    risk_attendance_low: ['Attended {share} % of the meetings of this term.', 'حضر {share}٪ من المحاضرات هذا الفصل.'],
    risk_attendance_fell: [
      'Attendance fell from {before} to {last} % in the last three weeks.',
      'انخفض الحضور من {before}٪ إلى {last}٪ في آخر ثلاثة أسابيع.',
    ],
    risk_marks_low: [
      'Less than half of the marks so far in {below} of {of} courses.',
      'أقل من نصف الدرجات حتى الآن في {below} من {of} مقررات.',
    ],
    risk_gpa_low: ['The GPA is {gpa}.', 'المعدل التراكمي {gpa}.'],
    risk_gpa_fell: ['The GPA of the term fell from {before} to {last}.', 'انخفض معدل الفصل من {before} إلى {last}.'],
    risk_failed: ['Courses not passed in the last term: {count}.', 'مقررات لم تُجتز في الفصل السابق: {count}.'],
    risk_hours_behind: [
      'Passed {passed} of the {planned} hours that the plan has until now.',
      'اجتاز {passed} ساعة من {planned} ساعة في الخطة حتى الآن.',
    ],
    risk_not_registered: [
      'In no course, though the term began {days} days ago.',
      'غير مسجل في أي مقرر رغم مرور {days} يومًا على بداية الفصل.',
    ],
    risk_unpaid: ['Fees are overdue for {days} days.', 'رسوم متأخرة منذ {days} يومًا.'],
    risk_warned: ['Warnings: {count}.', 'الإنذارات الأكاديمية: {count}.'],
    risk_model: [
      'Of a hundred students with figures like these, {share} had a hard term.',
      'من كل مئة طالب بأرقام مشابهة تعثر {share} في فصلهم.',
    ],
    risk_contact_again: ['One speaks again after the day, not before.', 'موعد المتابعة بعد يوم التواصل.'],
    risk_contact_ahead: ['A contact is noted when it was, not before.', 'يُسجل التواصل بعد حدوثه.'],
    early_warning_off: [
      'Early warning is switched off in the settings of the university.',
      'الإنذار المبكر متوقف في إعدادات الجامعة.',
    ],
    risk_past_short: [
      'There is too little past to learn from: {rows} rows of finished terms, {hard} of them hard terms; {needed} of each kind are needed.',
      'البيانات السابقة غير كافية: {rows} سجلًا لفصول منتهية منها {hard} متعثرة، والمطلوب {needed} من كل نوع.',
    ],
  },
})
