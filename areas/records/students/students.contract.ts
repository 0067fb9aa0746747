import { formerNameCalls } from './names/former.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { addressCalls, addressErrors } from './own/address.contract.ts'
import { ownCalls } from './own/own.contract.ts'
import { academicRecordCalls } from './record/record.contract.ts'
import { sectionCalls } from './sections/section.contract.ts'
import { shareCalls, shareErrors, shareNotices } from './shares/share.contract.ts'
import { heldCalls, heldErrors } from './standing/held.contract.ts'
import { standingCalls } from './standing/standing.contract.ts'
import { statusCalls } from './standing/status.contract.ts'
import { statusTexts } from './standing/status.rules.ts'
import { paperBasis } from './transcript/basis.contract.ts'
import { student } from './student/student.contract.ts'
import { exceptionCalls } from '#areas/records/degree-audit/audits/audit.contract.ts'
import { studyPlanCalls } from './study-plan/study-plan.contract.ts'
import { studentTags } from './tags/student-tags.contract.ts'
import { studentPapers, transcriptCalls } from './transcript/transcript.contract.ts'
import { studentStates } from './owners.contract.ts'

/** Students and their academic record. */
export const studentsArea = area({
  name: 'students',
  label: ['Students', 'الطلاب'],
  resources: [student],
  owners: [studentStates],
  calls: [
    formerNameCalls,
    sectionCalls,
    standingCalls,
    heldCalls,
    statusCalls,
    academicRecordCalls,
    studyPlanCalls,
    exceptionCalls,
    transcriptCalls,
    ownCalls,
    addressCalls,
    shareCalls,
    studentTags.calls,
  ],
  noticeGroup: 'study',
  notices: {
    ...shareNotices,
    notice_status: {
      title: ['Your status at the university changes', 'تغير حالة قيدك بالجامعة'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
  },
  papers: [studentPapers],
  basis: [paperBasis],
  screens: [
    screen('/students/edit/:id/:details', {
      permission: ['edit_students', 'edit_student_notes', 'access_student'],
      title: ['Edit student details', 'تعديل بيانات الطالب'],
      parent: '/students/:id',
      parentOfType: { 3: '/student-profile' },
    }),
    screen('/student-academic', {
      permission: 'access_student',
      of: ['student'],
      title: ['My academic record', 'سجلي الأكاديمي'],
      offline: true,
      menu: { group: 'my', order: 10, icon: 'school' },
    }),
    screen('/myCourses', {
      permission: 'access_student',
      of: ['student'],
      title: ['My courses', 'مقرراتي'],
      offline: true,
      menu: { group: 'my', order: 20, icon: 'books' },
    }),
    screen('/myCourses/:offering_id', {
      permission: 'access_student',
      of: ['student'],
      title: ['My course', 'مقرري'],
      offline: true,
      parent: '/myCourses',
    }),
    screen('/profile/shares', {
      permission: 'access_student',
      of: ['student'],
      title: ['Who may see my study', 'من يطّلع على دراستي'],
      parent: '/profile',
    }),
    screen('/profile/shares/:id', {
      permission: 'access_student',
      of: ['student'],
      title: ['What is shown of my study', 'ما يُعرض من دراستي'],
      parent: '/profile/shares',
    }),
    screen('/shared', { permission: 'public', title: ['Shared with me', 'متاح لي'], layout: 'full', light: [] }),
    screen('/address', { permission: 'public', title: ['My e-mail address', 'بريدي الإلكتروني'], layout: 'full' }),
    screen('/student-profile', {
      permission: 'access_student',
      of: ['student'],
      title: ['My data', 'بياناتي'],
      menu: { group: 'my', order: 90, icon: 'id' },
    }),
  ],
  errors: {
    ...heldErrors,
    ...shareErrors,
    ...addressErrors,
    ...Object.fromEntries(Object.entries(statusTexts).map(([code, { en, ar }]) => [code, [en, ar] as const])),
    enrolled_only: ['Only who is studying is certified to be enrolled.', 'شهادة القيد للطلاب المقيدين فقط.'],
    not_graduated: [
      'The student has not graduated: a graduation certificate cannot be issued.',
      'لم يتخرج الطالب بعد، فلا تصدر له شهادة تخرج.',
    ],
    not_postgraduate: [
      "The student's program is none of postgraduate studies: issue a graduation certificate instead.",
      'برنامج الطالب ليس من برامج الدراسات العليا: أصدِر شهادة تخرج بدلًا منها.',
    ],
    no_master_certificate: [
      "No master's certificate in this language is valid. Issue one first.",
      'لا توجد شهادة ماجستير سارية بهذه اللغة. أصدِر واحدة أولًا.',
    ],
    gpa_being_revised: [
      'The figures of a term are being revised. Finish that term first.',
      'تجري مراجعة نتائج أحد الفصول. أنهِ ذلك الفصل أولًا.',
    ],
    program_of_other_faculty: ['The program belongs to another faculty.', 'البرنامج يتبع كلية أخرى.'],
    program_by_transfer: [
      'The student has already registered for courses: the program changes by an internal transfer, or by a specialisation.',
      'الطالب سجّل مقررات بالفعل: يتغير برنامجه بتحويل داخلي أو بالتخصيص.',
    ],
    status_at_entry: [
      'Everybody enters as studying. Any other status follows by a decision, once the record is there.',
      'يُقيَّد كل طالب بحالة «مقيد»، وأي حالة أخرى تكون بقرار بعد إنشاء السجل.',
    ],
    level_not_of_bylaw: [
      'The bylaw has no level {level}. Its levels are {levels}.',
      'لا يوجد في اللائحة مستوى {level}. مستوياتها: {levels}.',
    ],
    level_by_results: [
      'The level follows from the results of finished terms and years; it is not typed any more.',
      'المستوى يتبع نتائج الفصول والسنوات المنتهية، فلا يُكتب يدويًا بعد ذلك.',
    ],
    military_status_of_men: ['Only men have a military status.', 'الموقف من التجنيد للذكور فقط.'],
    degree_not_complete: [
      'The degree is not complete ({earned} of {required} hours). The study plan says what is missing.',
      'لم تكتمل متطلبات الدرجة ({earned} من {required} ساعة). راجع الخطة الدراسية لمعرفة الناقص.',
    ],
    graduation_not_audited: [
      'The graduation was taken over and never audited; by the study plan the degree is not complete ({earned} of {required} hours).',
      'التخرج منقول من نظام سابق ولم يُراجَع، والدرجة غير مكتملة وفق الخطة الدراسية ({earned} من {required} ساعة).',
    ],
    birth_date_future: ['Nobody is born in the future.', 'تاريخ الميلاد في المستقبل.'],
    national_id_required: ['An Egyptian has a national id: 14 digits.', 'المصري له رقم قومي: 14 رقمًا.'],
    national_id_not_valid: [
      'This is no national id: it begins with the century and a day that exists.',
      'رقم قومي غير صحيح: يبدأ برقم القرن ثم تاريخ ميلاد صحيح.',
    ],
    national_id_birth_date: [
      'The national id says born on {date}. Check which one is right.',
      'الرقم القومي يدل على الميلاد في {date}. راجع أيهما الصحيح.',
    ],
    parent_is_student: ['This is the national id of the student.', 'هذا هو الرقم القومي للطالب نفسه.'],
    national_id_of_man: ['The national id is that of a man.', 'الرقم القومي لذكر.'],
    national_id_of_woman: ['The national id is that of a woman.', 'الرقم القومي لأنثى.'],
    mobile_11_digits: [
      'An Egyptian mobile number has 11 digits and begins with 01; a foreign one begins with + and its country.',
      'رقم المحمول المصري 11 رقمًا يبدأ بـ 01، والرقم الأجنبي يبدأ بعلامة + ورمز الدولة.',
    ],
    student_in_program_already: [
      'This person has a record in this program already.',
      'لهذا الشخص سجل في هذا البرنامج بالفعل.',
    ],
    national_id_of_student: [
      'This national id is that of {who}, who studies {program}. To open a record in another program as well, mark it as a second record.',
      'هذا الرقم القومي للطالب {who} المقيد في برنامج {program}. لفتح سجل له في برنامج آخر أيضًا حدد أنه سجل ثانٍ.',
    ],
    national_id_of_somebody: [
      'This national id is that of a student of another part of the university. To open a record in another program as well, mark it as a second record.',
      'هذا الرقم القومي لطالب في جهة أخرى من الجامعة. لفتح سجل له في برنامج آخر أيضًا حدد أنه سجل ثانٍ.',
    ],
    second_record_of_nobody: [
      'No student bears this national id: a second record is known by it.',
      'لا يوجد طالب بهذا الرقم القومي، والسجل الثاني يُعرف به.',
    ],
    second_record_differs: [
      'It is written otherwise in the record that bears this national id. One person has one name, birth date and gender.',
      'البيان مختلف في السجل الذي يحمل هذا الرقم القومي. لكل شخص اسم وتاريخ ميلاد ونوع واحد.',
    ],
    import_second_record: [
      'Second record of {who}, who studies {program}',
      'سجل ثانٍ للطالب {who} المقيد في برنامج {program}',
    ],
    import_second_record_of_somebody: [
      'Second record of a student of another part of the university',
      'سجل ثانٍ لطالب في جهة أخرى من الجامعة',
    ],
    students_national_id_key: ['This national id is that of another person.', 'هذا الرقم القومي لشخص آخر.'],
    student_has_registrations: [
      'The student has registrations and cannot be removed. Change the status instead.',
      'للطالب تسجيلات فلا يمكن حذفه. غيّر حالته بدلًا من ذلك.',
    ],
    student_is_blocked: ['The student is blocked already: {reason}', 'الطالب موقوف بالفعل: {reason}'],
    student_is_not_blocked: ['The student is not blocked.', 'الطالب غير موقوف.'],
    nothing_to_print: ['There are no published results to print yet.', 'لا توجد نتائج معلنة يمكن طباعتها بعد.'],
  },
})
