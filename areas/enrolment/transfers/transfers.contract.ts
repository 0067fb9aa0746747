import { creditBasis, creditFact, equivalenceBasis } from './equivalence/basis.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { equivalencePaperCalls, equivalencePapers } from './equivalence/paper.contract.ts'
import { externalCalls, externalFlow, externalSteps } from './external/external.contract.ts'
import { internalCalls, internalFlow, internalSteps } from './internal/internal.contract.ts'
import { outCalls, outFlow, outSteps } from './out/out.contract.ts'

/** Students who move within the university, come from another one, or leave for one; and what their courses count as. */
export const transfersArea = area({
  name: 'transfers',
  label: ['Transfers', 'التحويلات'],
  calls: [
    internalCalls,
    listedCalls(internalFlow, internalSteps),
    externalCalls,
    listedCalls(externalFlow, externalSteps),
    outCalls,
    listedCalls(outFlow, outSteps),
    equivalencePaperCalls,
  ],
  papers: [equivalencePapers],
  screens: [
    screen('/students/transfer', {
      permission: 'access_transfer',
      title: ['Internal transfers', 'التحويلات الداخلية'],
      menu: {
        group: 'people',
        order: 420,
        icon: 'transfer',
        block: 'students',
        subject: 'transfers',
        groupOfType: { 3: 'my' },
      },
    }),
    screen('/transfer/internal/add', {
      permission: 'ask_transfer',
      title: ['Ask for an internal transfer', 'طلب تحويل داخلي'],
      parent: '/students/transfer',
    }),
    screen('/students/:student_id/transfer/:transfer_id', {
      permission: 'access_transfer',
      title: ['Transfer of a student', 'تحويل طالب'],
      parent: '/students/transfer',
    }),
    screen('/students/edit/:student_id/transfer/:transfer_id', {
      permission: ['edit_equivalence', 'ask_transfer'],
      title: ['Equivalence of courses', 'معادلة المقررات'],
      parent: '/students/transfer',
    }),
    screen('/students/transfer_out', {
      permission: 'access_transfer',
      title: ['Transfers out', 'التحويلات إلى خارج الجامعة'],
      menu: {
        group: 'people',
        order: 430,
        icon: 'door-exit',
        block: 'students',
        subject: 'transfers',
        groupOfType: { 3: 'my' },
      },
    }),
    screen('/transfer/out/add', {
      permission: 'ask_transfer',
      title: ['Ask to leave for another university', 'طلب التحويل إلى خارج الجامعة'],
      parent: '/students/transfer_out',
    }),
    screen('/students/external_transfers', {
      permission: 'access_transfer',
      title: ['Courses from elsewhere', 'معادلات من خارج الجامعة'],
      menu: {
        group: 'people',
        order: 425,
        icon: 'world-download',
        block: 'students',
        subject: 'transfers',
        groupOfType: { 3: 'my' },
      },
    }),
    screen('/transfer/external/add', {
      permission: 'edit_equivalence',
      title: ['Enter courses from elsewhere', 'إدخال مقررات من خارج الجامعة'],
      parent: '/students/external_transfers',
    }),
    screen('/admission/transfer_students/equivalence/:user_id', {
      permission: 'access_transfer',
      title: ['Equivalence of a transfer applicant', 'معادلة متقدم محول'],
      parent: '/students/external_transfers',
    }),
    screen('/students/:student_id/external_transfer/:transfer_id', {
      permission: 'access_transfer',
      title: ['Courses of a student from elsewhere', 'معادلة طالب من خارج الجامعة'],
      parent: '/students/external_transfers',
    }),
  ],
  basis: [equivalenceBasis, creditBasis],
  facts: [creditFact],
  noticeGroup: 'study',
  notices: {
    notice_out: {
      title: ['What becomes of my transfer out', 'مستجدات طلب التحويل إلى خارج الجامعة'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
    notice_external: {
      title: ['Courses from elsewhere that count', 'احتساب مقررات من خارج الجامعة'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_internal: {
      title: ['What becomes of my transfer', 'مستجدات طلب التحويل'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_credit: {
      title: ['Credited courses whose result has changed', 'مقررات محتسبة تغيّرت نتيجتها'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_advisee_left: {
      title: ['Advised students who move to another program', 'طلاب إرشادي المحوَّلون إلى برنامج آخر'],
      audience: [1],
      app: 'on',
      mail: 'digest',
    },
  },
  errors: {
    no_equivalence: [
      'Nothing was credited for the present study of the student: there is no equivalence to certify.',
      'لم يُحتسب للطالب أي مقرر بالمعادلة في دراسته الحالية، فلا معادلة تُثبت.',
    ],
    transfer_not_studying: ['The student is not studying now.', 'الطالب غير مقيد حاليًا.'],
    transfer_debt: [
      'An invoice is overdue. Once it is paid, the transfer can go on.',
      'على الطالب مستحقات متأخرة. يستكمل التحويل بعد سدادها.',
    ],
    transfer_survey: ['An obligatory survey is not filled in yet.', 'يوجد استبيان إلزامي لم يُملأ بعد.'],
    transfer_blocked: ['The student is blocked.', 'الطالب موقوف.'],
    transfer_documents: ['Documents of the file are missing.', 'ملف الطالب ينقصه مستندات.'],
    transfer_while_out: [
      'A transfer out of the university is pending. It has to be rejected or deleted first.',
      'يوجد طلب تحويل إلى خارج الجامعة قيد البت. يجب رفضه أو حذفه أولًا.',
    ],
    transfer_out_while_internal: [
      "You can't request transfer out while an internal transfer request is pending.",
      'لا يمكن طلب التحويل إلى خارج الجامعة مع وجود طلب تحويل داخلي قيد البت.',
    ],
    transfer_out_pending: ['A request to leave is pending already.', 'يوجد طلب تحويل إلى الخارج قيد البت بالفعل.'],
    transfer_of_student: [
      'These are courses of a student. Execute them as the equivalence of a student.',
      'هذه مقررات طالب مقيد. نفِّذها من معادلة الطالب.',
    ],
    transfer_not_applying: [
      'The application is on hold, cancelled, or not so far yet.',
      'طلب التقديم موقوف أو ملغى أو لم يبلغ هذه المرحلة بعد.',
    ],
    transfer_other_program: [
      'Another program was given to the applicant meanwhile, or none. Enter the courses for the program that was given.',
      'خُصص للمتقدم برنامج آخر أو سُحب تخصيصه. أدخل المقررات للبرنامج المخصص.',
    ],
    transfer_no_program: [
      'No program was given yet: courses are decided on for the program that was given.',
      'لم يُخصص للمتقدم برنامج بعد، وتُقرر المعادلة للبرنامج المخصص.',
    ],
    transfer_no_transfer: ['The applicant does not come from another university.', 'ليس المتقدم محولًا من جامعة أخرى.'],
    transfer_credited: ['The courses count in the record of the student.', 'احتُسبت المقررات في سجل الطالب.'],
    transfer_without_courses: ['There are no courses.', 'لا توجد مقررات.'],
    transfer_passed_meanwhile: [
      '{count} of the courses are passed here meanwhile. Open the equivalence and save it.',
      'مقررات اجتازها الطالب هنا منذ ذلك الحين: {count}. افتح المعادلة واحفظها.',
    ],
    internal_transfer_pending: [
      'A request for an internal transfer is pending already.',
      'يوجد طلب تحويل داخلي قيد البت بالفعل.',
    ],
    internal_transfer_elsewhere: ['The student is in this program already.', 'الطالب مقيد بهذا البرنامج بالفعل.'],
    transfer_to_other_record: [
      'The person has a record of its own in this program. Have what was passed here credited there, and end this record by a decision.',
      'لهذا الشخص سجل آخر في هذا البرنامج. احتسب فيه ما اجتازه هنا، وأنهِ هذا السجل بقرار.',
    ],
    transfer_own_program: ['The student is in this program already.', 'الطالب مقيد بهذا البرنامج بالفعل.'],
    transfer_places: [
      'All {places} places of the program for transfers in this term are taken.',
      'شُغلت كل أماكن التحويل في البرنامج لهذا الفصل ({places}).',
    ],
    transfer_again: [
      'The student has moved in this term already: {count} at most.',
      'سبق تحويل الطالب في هذا الفصل، والحد الأقصى {count}.',
    ],
    transfer_no_term: ['No term of transfers is chosen.', 'لم يُحدد فصل التحويل.'],
    transfer_program_changed: [
      'The student is no longer in the program that the request names. Delete the request.',
      'لم يعد الطالب في البرنامج المذكور بالطلب. احذف الطلب.',
    ],
    transfer_not_agreed: [
      'The faculty that the student leaves has not agreed yet.',
      'لم توافق الكلية المحوَّل منها بعد.',
    ],
    transfer_undecided: [
      'Courses on which nothing is decided yet: {count}. Open the equivalence and save it.',
      'مقررات لم تُقرر معادلتها: {count}. افتح المعادلة واحفظها.',
    ],
    transfer_results_open: [
      '{count} results of earlier terms are not published.',
      'نتائج فصول سابقة لم تُعلن: {count}.',
    ],
    transfer_level_open: [
      'The result of the level in the last year is not decided yet.',
      'لم تُحسم نتيجة المستوى عن العام الماضي بعد.',
    ],
    transfer_course_gone: [
      '{courses}: no longer in the plan of the program. Decide anew what counts as it.',
      '{courses}: لم يعد في خطة البرنامج. أعد تقرير معادلته.',
    ],
    transfer_rules_changed: [
      'Hours, marks or grades here have changed since it was decided what counts as {courses}. Open the equivalence and decide again.',
      'تغيّرت الساعات أو الدرجات أو التقديرات هنا بعد تقرير معادلة {courses}. افتح المعادلة وأعد القرار.',
    ],
    transfer_course_twice: ['A course with the code {course} is entered already.', 'سبق إدخال مقرر بالكود {course}.'],
    transfer_courses_most: ['A transfer has {most} courses at most.', 'الحد الأقصى لمقررات التحويل الواحد {most}.'],
    transfer_source_changed: [
      'The result of {what} has changed since it was decided what it counts as: it was {before} and is {now}. Open the equivalence and decide again.',
      'تغيّرت نتيجة {what} بعد تقرير معادلته: كانت {before_local} وأصبحت {now_local}. افتح المعادلة وأعد القرار.',
    ],
    equivalence_source_failed: [
      '{course} is not passed any more: it counts as nothing here.',
      'لم يعد {course} مجتازًا، فلا يُحتسب عنه شيء هنا.',
    ],
    transfer_decided: ['The transfer is decided: nothing can be changed any more.', 'بُت في التحويل ولا يمكن تعديله.'],
    equivalence_not_of_program: [
      'The course is not in the plan of the program that is joined.',
      'المقرر ليس في خطة البرنامج المحوَّل إليه.',
    ],
    equivalence_course_twice: ['{course} is filled by another course already.', 'سبق أن عودل {course} بمقرر آخر.'],
    equivalence_hours: [
      '{course} has {hours} hours: no more can be credited.',
      'ساعات {course} هي {hours}، ولا يُحتسب أكثر منها.',
    ],
    equivalence_letter: [
      '{letter} is no passing grade of the bylaw here ({course}).',
      '{letter} ليس تقدير نجاح في اللائحة ({course}).',
    ],
    equivalence_mark: [
      '{course} counts with a mark from {least} to {maximum}.',
      'يُحتسب {course} بدرجة من {least} إلى {maximum}.',
    ],
    equivalence_by_marks: [
      'Under the bylaw of this program {course} counts with a mark, not with a letter or in a GPA.',
      'تحتسب لائحة هذا البرنامج {course} بدرجة، لا بتقدير حرفي ولا في معدل.',
    ],
    equivalence_by_hours: [
      'Under the bylaw of this program {course} counts with a letter, not with a mark.',
      'تحتسب لائحة هذا البرنامج {course} بتقدير حرفي لا بدرجة.',
    ],
    equivalence_joined: [
      '{course} can count together only with a course that counts as one here.',
      'لا يُجمع {course} إلا مع مقرر له معادل هنا.',
    ],
    equivalence_split_hours: [
      '{course} has {hours} hours: {shared} cannot be credited for it.',
      'ساعات {course} هي {hours}، فلا يُحتسب عنه {shared}.',
    ],
    equivalence_gpa_without_grade: [
      '{course} counts in the GPA only with a grade.',
      'لا يدخل {course} في المعدل إلا بتقدير.',
    ],
    equivalence_passed_already: ['{course} is passed here already.', 'اجتاز الطالب {course} هنا بالفعل.'],
  },
})
