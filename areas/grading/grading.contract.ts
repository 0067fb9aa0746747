import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import type { Label } from '#kit/contract/index.ts'
import type { Bilingual } from '#areas/academics/problem.rules.ts'
import { controlTexts } from '#areas/academics/control.rules.ts'
import { controlCalls } from './control/control.contract.ts'
import { control, controlSteps } from './control/flow.contract.ts'
import { gradeCalls } from './grades/grades.contract.ts'
import { graduationTexts, gradingTexts } from './grading.rules.ts'
import { mark, markCategory } from './marks/mark.contract.ts'
import { termCalls } from './terms/terms.contract.ts'

const labels = (texts: Readonly<Record<string, Bilingual>>): Record<string, Label> =>
  Object.fromEntries(Object.entries(texts).map(([code, { en, ar }]) => [code, [en, ar]]))

export const gradingArea = area({
  name: 'grading',
  label: ['Marks and control', 'الدرجات والكنترول'],
  resources: [mark, markCategory],
  calls: [gradeCalls, controlCalls, termCalls, listedCalls(control, controlSteps)],
  screens: [
    screen('/control/offerings', {
      permission: 'access_control',
      title: ['Control: offerings', 'الكنترول: المقررات'],
      menu: { group: 'control', order: 10, icon: 'clipboard-check' },
    }),
    screen('/control/students', {
      permission: 'access_control',
      title: ['Control: students', 'الكنترول: الطلاب'],
      menu: { group: 'control', order: 20, icon: 'users' },
    }),
    screen('/control/students/:student_id/:term_id', {
      permission: 'access_control',
      title: ['Student in a term', 'طالب في فصل'],
      parent: '/control/students',
    }),
    screen('/control/results', {
      permission: 'access_control',
      title: ['Control results', 'نتائج الكنترول'],
      menu: { group: 'control', order: 30, icon: 'chart-bar' },
    }),
    screen('/offerings/grades/:id', {
      permission: ['enter_marks', 'export_grades', 'access_control'],
      title: ['Marks', 'الدرجات'],
      parent: '/offerings',
    }),
    screen('/offerings/import_grades/:id', {
      permission: 'import_grades',
      title: ['Import marks', 'استيراد الدرجات'],
      parent: '/offerings/grades/:id',
    }),
  ],
  notices: {
    notice_published: { title: ['Results of a course', 'نتيجة مقرر'], audience: [3], app: 'always', mail: 'now' },
    notice_published_team: {
      title: ['Published marks of own courses', 'إعلان درجات مقرراتي'],
      audience: [1],
      app: 'on',
      mail: 'digest',
    },
    notice_returned: {
      title: ['Marks that came back', 'درجات أُعيدت للمراجعة'],
      audience: [1],
      app: 'always',
      mail: 'now',
    },
    notice_changed: { title: ['A mark that was changed', 'تعديل درجة'], audience: [3], app: 'always', mail: 'now' },
    notice_dismissed: { title: ['Dismissal', 'الفصل من الدراسة'], audience: [3], app: 'always', mail: 'always' },
    notice_readmitted: {
      title: ['Studying again', 'العودة إلى الدراسة'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
  },
  errors: {
    ...labels(gradingTexts),
    ...labels(controlTexts),
    ...labels(graduationTexts),
    term_not_finished: ['The term is not finished', 'الفصل غير منتهٍ'],
    later_term_finished: [
      'A later term is finished as well: take back {term} first',
      'أُنهي فصل لاحق أيضًا: تراجع عن إنهاء {term} أولًا',
    ],
    FinishTermError: ['Choose a term before finishing', 'اختر الفصل الدراسي قبل الإنهاء'],
    grade_entry_closed: [
      'Marks are entered from {starts_at} to {ends_at}',
      'رصد الدرجات متاح من {starts_at} إلى {ends_at}',
    ],
    registration_no_marks: ['No marks can be entered in the state {status}', 'لا يمكن رصد درجات في حالة {status_local}'],
    registration_not_in_offering: ['This registration does not belong to the offering', 'هذا التسجيل لا يخص المقرر'],
    mark_not_in_scheme: ['This category does not belong to the mark scheme', 'هذا البند ليس من توزيع درجات المقرر'],
    mark_twice: ['This mark is sent twice', 'هذه الدرجة مرسلة مرتين'],
    mark_exists_frozen: [
      'The marks are frozen: only a missing mark can be entered',
      'الدرجات مجمَّدة: لا يمكن إلا إدخال درجة ناقصة',
    ],
    scheme_missing: ['Choose a mark scheme for the offering first', 'حدد توزيع درجات المقرر أولًا'],
    marks_entered: [
      '{count} marks are entered: the mark scheme stays as it is',
      'رُصدت {count} درجة، فلا يمكن تغيير توزيع الدرجات',
    ],
    scheme_category_unknown: ['The mark category does not exist', 'بند الدرجات غير موجود'],
    scheme_category_bylaw: [
      'The mark category {category} belongs to another bylaw',
      'بند الدرجات {category} يخص لائحة أخرى',
    ],
    scheme_choice: ['Choose a named scheme, or give categories', 'اختر توزيعًا محفوظًا أو أدخل البنود'],
    grade_ranges_missing: [
      'The bylaw {bylaw} has no complete grade ranges',
      'مديات التقديرات في اللائحة {bylaw} غير مكتملة',
    ],
    sheet_student_unknown: ['No student with the code {code} is registered', 'لا يوجد طالب مسجل بالكود {code}'],
    sheet_student_twice: ['The student {code} stands in row {row} already', 'الطالب {code} مذكور في الصف {row}'],
    sheet_code_missing: ['The student code is missing', 'كود الطالب غير موجود'],
    sheet_changed_meanwhile: [
      'Somebody changed this mark after the sheet was checked',
      'عُدّلت هذه الدرجة بعد مراجعة الملف',
    ],
    sheet_formula_failed: ['The formula in this cell has no result', 'الصيغة الحسابية في هذه الخلية بلا نتيجة'],
    import_cell: ['{text}', '{text}'],
    bylaw_not_reached: ['You may change this only within your bylaws', 'لا يمكنك التعديل إلا في نطاق لوائحك'],
  },
})
