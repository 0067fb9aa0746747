import { demoLookup } from '#demo/part.ts'
import { riskRule } from './risk-rule.contract.ts'

export default demoLookup(riskRule, [
  [
    'ATT75',
    'Attendance below 75 %',
    'حضور أقل من 75٪',
    { kind: 'attendance_low', threshold: 75, points: 2, is_active: true },
  ],
  [
    'ATT60',
    'Attendance below 60 %',
    'حضور أقل من 60٪',
    { kind: 'attendance_low', threshold: 60, points: 4, is_active: true },
  ],
  [
    'FALL20',
    'Attendance falls',
    'انخفاض الحضور',
    { kind: 'attendance_fell', threshold: 20, points: 3, is_active: true },
  ],
  ['MARKS1', 'Weak in a course', 'ضعف في مقرر', { kind: 'marks_low', threshold: 1, points: 1, is_active: true }],
  ['MARKS2', 'Weak in two courses', 'ضعف في مقررين', { kind: 'marks_low', threshold: 2, points: 3, is_active: true }],
  ['GPA2', 'GPA below 2', 'معدل أقل من 2', { kind: 'gpa_low', threshold: 2, points: 3, is_active: true }],
  [
    'GPAFALL',
    'GPA falls by 0.5',
    'انخفاض المعدل 0.5',
    { kind: 'gpa_fell', threshold: 0.5, points: 1, is_active: true },
  ],
  ['FAILED2', 'Two courses failed', 'مقرران غير مجتازين', { kind: 'failed', threshold: 2, points: 2, is_active: true }],
  [
    'BEHIND12',
    '12 hours behind the plan',
    'تأخر 12 ساعة عن الخطة',
    { kind: 'hours_behind', threshold: 12, points: 2, is_active: true },
  ],
  [
    'NOCOURSE',
    'No course two weeks into the term',
    'بلا مقررات بعد أسبوعين',
    { kind: 'not_registered', threshold: 14, points: 3, is_active: true },
  ],
  [
    'UNPAID30',
    'Fees overdue for a month',
    'رسوم متأخرة شهرًا',
    { kind: 'unpaid', threshold: 30, points: 1, is_active: true },
  ],
  ['WARNED', 'Under warning', 'تحت الإنذار', { kind: 'warned', threshold: 1, points: 2, is_active: true }],
  [
    'MODEL60',
    'The model says 60 of 100',
    'النموذج يقول 60 من 100',
    { kind: 'model', threshold: 60, points: 2, is_active: false },
  ],
])
