import { f, lookup } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import type { RiskKind } from './risk.rules.ts'

/** What a rule looks at, and what its threshold counts. */
export const KIND_LABELS: Readonly<Record<RiskKind, Label>> = {
  attendance_low: ['Attendance below so many percent', 'حضور أقل من نسبة مئوية'],
  attendance_fell: [
    'Attendance fell by so many percent points in three weeks',
    'انخفاض الحضور بنقاط مئوية خلال ثلاثة أسابيع',
  ],
  marks_low: ['Less than half of the marks in so many courses', 'أقل من نصف الدرجات في عدد من المقررات'],
  gpa_low: ['GPA below', 'معدل تراكمي أقل من'],
  gpa_fell: ['GPA of the term fell by', 'انخفاض معدل الفصل بمقدار'],
  failed: ['So many courses failed in the last term', 'عدد المقررات غير المجتازة في الفصل السابق'],
  hours_behind: ['So many hours behind the plan', 'عدد الساعات المتأخرة عن الخطة'],
  not_registered: ['No course, so many days after the term began', 'بلا مقررات بعد عدد من أيام بداية الفصل'],
  unpaid: ['Fees overdue for so many days', 'رسوم متأخرة عدد من الأيام'],
  warned: ['So many warnings', 'عدد الإنذارات'],
  model: ['So many of a hundred have a hard term, as the model says', 'عدد المتعثرين من كل مئة حسب النموذج'],
}

/** Rules by which a term stands out: from which threshold on, and how much that weighs. */
export const riskRule = lookup('riskRule', {
  path: '/early-warning-rules',
  one: ['Rule of early warning', 'قاعدة إنذار مبكر'],
  many: ['Rules of early warning', 'قواعد الإنذار المبكر'],
  adding: ['Add rule', 'إضافة قاعدة'],
  editing: ['Edit rule', 'تعديل القاعدة'],
  fields: {
    kind: f.choice(
      ['What it looks at', 'ما تنظر إليه القاعدة'],
      (Object.entries(KIND_LABELS) as [RiskKind, Label][]).map(([value, label]) => ({ value, label })),
      { required: true },
    ),
    threshold: f.decimal(['Threshold', 'الحد'], { places: 2, required: true, min: 0, max: 1000 }),
    points: f.integer(['Points', 'النقاط'], {
      required: true,
      min: 1,
      max: 10,
      help: ['The points of all rules that speak are added up.', 'تُجمع نقاط كل القواعد المنطبقة.'],
    }),
    is_active: f.flag(['On', 'مفعّلة']),
  },
  menu: { group: 'catalogue', order: 91, icon: 'heart-handshake', setup: true },
})
