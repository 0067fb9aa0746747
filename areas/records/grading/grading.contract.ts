import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import type { Label } from '#kit/contract/index.ts'
import type { Bilingual } from '#areas/common/academics/problem.rules.ts'
import { controlTexts } from '#areas/common/academics/control.rules.ts'
import { controlCalls } from './control/control.contract.ts'
import { control, controlSteps } from './control/flow.contract.ts'
import {
  approvedFact,
  attemptBasis,
  attemptFact,
  eligibilityBasis,
  figuresFact,
  resultFact,
  termRowBasis,
} from './basis.contract.ts'
import { gradeCalls } from './grades/grades.contract.ts'
import { gradingTexts } from './grading.rules.ts'
import { graduationTexts } from './terms.rules.ts'
import { recheckCalls, recheckFlow, recheckSteps } from './rechecks/recheck.contract.ts'
import { backupCalls } from './barcodes/backup.contract.ts'
import { barcodeCalls } from './barcodes/barcodes.contract.ts'
import { signingCalls } from './signing/signing.contract.ts'
import { mark, markCategory } from './marks/mark.contract.ts'
import { termCalls } from './terms/terms.contract.ts'
import { barcodeStates } from './owners.contract.ts'

const labels = (texts: Readonly<Record<string, Bilingual>>): Record<string, Label> =>
  Object.fromEntries(Object.entries(texts).map(([code, { en, ar }]) => [code, [en, ar]]))

export const gradingArea = area({
  name: 'grading',
  label: ['Marks and control', 'الدرجات والكنترول'],
  resources: [mark, markCategory],
  facts: [resultFact, approvedFact, figuresFact, attemptFact],
  basis: [attemptBasis, termRowBasis, eligibilityBasis],
  owners: [barcodeStates],
  calls: [
    gradeCalls,
    controlCalls,
    termCalls,
    signingCalls,
    barcodeCalls,
    backupCalls,
    recheckCalls,
    listedCalls(recheckFlow, recheckSteps),
    listedCalls(control, controlSteps),
  ],
  screens: [
    screen('/control/offerings', {
      permission: 'access_control',
      title: ['Control: offerings', 'الكنترول: المقررات'],
      menu: {
        group: 'control',
        order: 10,
        icon: 'clipboard-check',
        also: [
          'Publish marks, approve marks, review marks, publish results',
          'إعلان الدرجات، نشر الدرجات، اعتماد الدرجات، مراجعة الدرجات، نشر النتائج، اعتماد النتائج',
        ],
      },
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
    screen('/control/offerings/barcode/:id', {
      permission: ['mark_by_barcode', 'manage_barcodes'],
      title: ['Offering barcodes', 'باركود أوراق المقرر'],
      parent: '/control/offerings',
    }),
    screen('/exams_barcodes', {
      permission: 'manage_barcodes',
      title: ['Exam barcodes', 'باركود الامتحانات'],
      menu: { group: 'exams', order: 60, icon: 'barcode' },
    }),
    screen('/control/grades_recheck', {
      permission: 'access_recheck',
      title: ['Grade rechecks', 'مراجعات الدرجات'],
      menu: { group: 'control', order: 40, icon: 'zoom-check', subject: 'mark_requests' },
    }),
    screen('/control/grades_recheck/show/:id', {
      permission: 'access_recheck',
      title: ['Grade recheck', 'مراجعة درجة'],
      parent: '/control/grades_recheck',
    }),
    screen('/control/grades_recheck/edit/:id', {
      permission: 'review_recheck',
      title: ['Review a mark', 'مراجعة الدرجة'],
      parent: '/control/grades_recheck/show/:id',
    }),
    screen('/correction_requests', {
      permission: ['ask_recheck', 'ask_correction'],
      title: ['Requests about marks', 'طلبات مراجعة الدرجات'],
      menu: { group: 'services', order: 45, icon: 'zoom-question', subject: 'mark_requests' },
    }),
    screen('/correction_requests/add', {
      permission: ['ask_recheck', 'ask_correction'],
      title: ['Ask about a mark', 'طلب مراجعة درجة'],
      parent: '/correction_requests',
    }),
    screen('/correction_requests/:id', {
      permission: ['ask_recheck', 'ask_correction'],
      title: ['Request about a mark', 'طلب مراجعة'],
      parent: '/correction_requests',
    }),
    screen('/offerings/grades/:id', {
      permission: ['enter_marks', 'export_grades', 'access_control'],
      title: ['Marks', 'الدرجات'],
      offline: true,
      parent: '/offerings',
    }),
    screen('/offerings/import_grades/:id', {
      permission: 'import_grades',
      title: ['Import marks', 'استيراد الدرجات'],
      parent: '/offerings/grades/:id',
    }),
  ],
  noticeGroup: 'grades',
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
    notice_recheck: {
      title: ['A mark that is looked at again', 'مراجعة درجة'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
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
    FinishTermError: ['Choose a term first', 'اختر الفصل الدراسي أولًا'],
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
    mark_category_one_exam: [
      'Marks are given for the final exam or for another, not for both.',
      'تُرصد الدرجات للامتحان النهائي أو لغيره، لا لكليهما.',
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
    recheck_full: [
      'This mark is the highest there is: a recheck can give no more.',
      'هذه هي الدرجة النهائية، ولا تزيدها المراجعة.',
    ],
    recheck_not_published: [
      'The results of this course are {status}: a recheck is asked for once they are published',
      'نتيجة هذا المقرر {status_local}: يُطلب الاطلاع على الدرجة بعد إعلانها',
    ],
    correction_not_submitted: [
      'The marks are {status}: change them in the grid',
      'الدرجات {status_local}: عدّلها في شبكة الرصد',
    ],
    recheck_names: ['The names of this course are not opened yet', 'لم تُكشف أسماء هذا المقرر بعد'],
    recheck_left: ['The student takes no marks in this course any more', 'لم تعد تُرصد للطالب درجات في هذا المقرر'],
    recheck_no_mark: ['There is no mark to look at', 'لا توجد درجة لمراجعتها'],
    recheck_asked_twice: [
      'This mark was asked about before: once is all',
      'سبق طلب مراجعة هذه الدرجة، والمراجعة مرة واحدة',
    ],
    recheck_runs: [
      'Somebody asked about this mark already, and it is not decided',
      'يوجد طلب بشأن هذه الدرجة لم يُبت فيه',
    ],
    recheck_no_window: ['No dates for rechecks are set for this term', 'لم تُحدَّد مواعيد لمراجعة درجات هذا الفصل'],
    recheck_window: [
      'Rechecks are asked for from {starts_at} to {ends_at}',
      'يُقدَّم طلب المراجعة من {starts_at} إلى {ends_at}',
    ],
    recheck_first_assessor: [
      'You entered this mark: somebody else looks at it again',
      'أنت من رصد هذه الدرجة: يراجعها شخص آخر',
    ],
    recheck_not_reviewed: ['Nobody has said yet what the mark should be', 'لم تُثبَت نتيجة المراجعة بعد'],
    recheck_same_person: [
      'You reviewed this mark: somebody else decides on it',
      'أنت من راجع هذه الدرجة: يبت فيها شخص آخر',
    ],
    recheck_same_mark: [
      'The review found the same mark: reject the request',
      'أثبتت المراجعة الدرجة نفسها: ارفض الطلب',
    ],
    recheck_moved: [
      'The mark is {mark} now, and {asked} when it was asked about',
      'الدرجة الآن {mark} وكانت {asked} عند تقديم الطلب',
    ],
    recheck_mark: ['Give the mark that it should be', 'أدخل الدرجة الصحيحة'],
    names_closed: [
      'The papers of {course} are marked by barcode: names are closed until control opens them',
      'تُصحَّح أوراق {course} بالباركود: الأسماء محجوبة حتى يكشفها الكنترول',
    ],
    names_opened: ['The names of {course} are opened already', 'كُشفت أسماء {course} بالفعل'],
    barcodes_none: ['The papers of {course} have no barcodes', 'لم يصدر باركود لأوراق {course}'],
    barcodes_seen: [
      'You have seen whose barcode is which in {course}: somebody else marks its papers',
      'اطلعت على أصحاب الباركود في {course}: يصحح أوراقه شخص آخر',
    ],
    barcodes_marked: [
      'You have marked papers of {course}: somebody else handles its names',
      'صححت أوراقًا في {course}: يتولى الأسماء شخص آخر',
    ],
    barcode_unknown: ['{barcode} is not on a paper of this offering', 'الباركود {barcode} ليس لورقة في هذا المقرر'],
    barcode_free: ['{barcode} is a spare barcode that is on no paper yet', '{barcode} باركود احتياطي لم يُلصق على ورقة'],
    barcode_twice: ['The paper {barcode} has the mark {mark} already', 'الورقة {barcode} لها الدرجة {mark} بالفعل'],
    exam_papers_open: [
      'Exam papers of {course} are not settled in {count} halls. {hall}: {delivered} delivered, {present} present, {returned} returned. The exam office counts them or explains the difference',
      'أوراق امتحان {course} غير مطابقة في عدد من القاعات: {count}. {hall}: سُلِّم {delivered} وحضر {present} وأُعيد {returned}. تُطابقها إدارة الامتحانات أو تبرر الفرق',
    ],
    barcode_used: [
      '{barcode} is on the paper of {student} already: take another backup barcode',
      'الباركود {barcode} على ورقة {student_local} بالفعل: خذ باركودًا احتياطيًا آخر',
    ],
    barcode_of_another: [
      '{barcode} was printed for, or was on, the paper of another student: take a backup barcode that was on none',
      'الباركود {barcode} طُبع لورقة طالب آخر أو كان عليها: خذ باركودًا احتياطيًا لم يُلصق على ورقة',
    ],
    paper_change_waits: [
      'A change for the paper of {student}, or of this barcode, waits for a second person: it is confirmed or rejected first',
      'تغيير على ورقة {student_local} أو على هذا الباركود ينتظر شخصًا ثانيًا: يُؤكَّد أو يُرفض أولًا',
    ],
    paper_changes_wait: [
      'Changes of barcodes that wait for a second person: {count}. They are confirmed or rejected before the names are opened',
      'تغييرات باركود تنتظر شخصًا ثانيًا: {count}. تُؤكَّد أو تُرفض قبل كشف الأسماء',
    ],
    paper_change_decided: ['This change is decided already', 'حُسم هذا التغيير بالفعل'],
    paper_change_stale: [
      'The paper of {student} has another barcode since this was asked for: reject it and ask again',
      'تغيّر باركود ورقة {student_local} بعد هذا الطلب: ارفضه واطلب من جديد',
    ],
    own_paper_change: [
      'You asked for this change: somebody else confirms it. You can take it back',
      'أنت طلبت هذا التغيير: يؤكده شخص آخر. يمكنك سحبه',
    ],
    barcode_paper_marked: [
      'The paper of {student} is marked: its barcode stays until the names are opened',
      'صُححت ورقة {student_local}: يبقى باركودها حتى كشف الأسماء',
    ],
    final_marks_entered: [
      '{count} marks of the final exam are entered beside names: barcodes come before them',
      'رُصدت {count} درجة للامتحان النهائي بالأسماء: يصدر الباركود قبلها',
    ],
    sheet_formula_failed: ['The formula in this cell has no result', 'الصيغة الحسابية في هذه الخلية بلا نتيجة'],
    bylaw_not_reached: ['You may change this only within your bylaws', 'لا يمكنك التعديل إلا في نطاق لوائحك'],
  },
})
