import { area } from '#kit/contract/index.ts'
import { admission } from './admissions/admission.contract.ts'
import { certificateSubject } from './certificate-subjects/certificate-subject.contract.ts'
import { certificateType } from './certificate-types/certificate-type.contract.ts'
import { community } from './communities/community.contract.ts'
import { admissionProgram, admissionProgramCalls } from './programs/admission-program.contract.ts'

/** Admissions: who applies for what in which days, and the programs with their seats. */
export const admissionsArea = area({
  name: 'admissions',
  label: ['Admissions', 'القبول'],
  resources: [admission, admissionProgram, certificateType, certificateSubject, community],
  calls: { ...admissionProgramCalls },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    admission_days_order: ['An admission closes after it opens.', 'تغلق فترة القبول بعد أن تفتح.'],
    admission_results_after: [
      'Results are shown after the admission has closed.',
      'تُعلن النتائج بعد إغلاق فترة القبول.',
    ],
    admission_pay_after: [
      'Acceptance is paid after the admission has closed, on {day} or later.',
      'تُسدد رسوم القبول بعد إغلاق فترة القبول، في {day} أو بعده.',
    ],
    admission_early_undergraduate: [
      'Only undergraduates are admitted early.',
      'القبول المبكر للمرحلة الجامعية الأولى فقط.',
    ],
    admission_scholarships_undergraduate: [
      'Scholarships are asked for by undergraduates and by those who transfer.',
      'طلب المنح للمرحلة الجامعية الأولى والمحولين فقط.',
    ],
    admission_without_exam: ['The admission has no exam.', 'فترة القبول بلا اختبار.'],
    admission_fee_twice: ['This fee would be asked of somebody twice.', 'سيُطلب هذا الرسم من الشخص نفسه مرتين.'],
    admission_fee_once: ['This fee is listed twice.', 'هذا الرسم مدرج مرتين.'],
    admission_document_twice: [
      'This document would be asked of somebody twice.',
      'سيُطلب هذا المستند من الشخص نفسه مرتين.',
    ],
    admission_document_once: ['This document is listed twice.', 'هذا المستند مدرج مرتين.'],
    admission_weights_sum: ['The weights add up to {sum}, not to 100.', 'مجموع الأوزان {sum} وليس 100.'],
    admission_weight_once: ['This subject has a weight already.', 'لهذه المادة وزن بالفعل.'],
    admission_subjects_undergraduate: [
      'Postgraduates apply with a degree, not with a school certificate.',
      'يتقدم طلاب الدراسات العليا بدرجة جامعية لا بشهادة ثانوية.',
    ],
    admission_tie_subject: [
      'A subject is named where its mark decides, and only there.',
      'تُحدد المادة إذا كانت درجتها هي الفيصل، وفي هذه الحالة فقط.',
    ],
    admission_tie_once: ['This is asked already.', 'هذا مذكور من قبل.'],
    admission_lot_last: ['After a lot nobody is equal. Put it last.', 'لا تساوي بعد القرعة، فاجعلها الأخيرة.'],
    admission_term_over: ['{term} is over.', 'انتهى {term}.'],
    admission_programs_ask_exam: [
      'Programs that ask for a result of the exam: {count}. Change them first.',
      'برامج تشترط نتيجة الاختبار: {count}. عدّلها أولًا.',
    ],
    admission_has_programs: ['It offers programs: {count}. Remove them first.', 'بها برامج: {count}. احذفها أولًا.'],
    admission_program_taken: [
      '{count} seats of this program are given: it needs at least as many.',
      'خُصص {count} من مقاعد هذا البرنامج، فلا تقل أماكنه عن ذلك.',
    ],
    admission_program_wished: [
      'Applicants want it: {count}. Close it instead.',
      'رغب فيه متقدمون: {count}. أغلقه بدلًا من حذفه.',
    ],
    admission_program_once: ['The admission offers this program already.', 'هذا البرنامج متاح بالفعل في فترة القبول.'],
    admission_program_undergraduate: [
      'The admission is for undergraduates, and this is a postgraduate program.',
      'فترة القبول للمرحلة الجامعية الأولى وهذا برنامج دراسات عليا.',
    ],
    admission_program_postgraduate: [
      'The admission is for postgraduates, and this is an undergraduate program.',
      'فترة القبول للدراسات العليا وهذا برنامج للمرحلة الجامعية الأولى.',
    ],
    admission_program_bylaw: ['The bylaw of the program is not open for admission.', 'لائحة البرنامج غير متاحة للقبول.'],
    admission_program_ages: ['The greatest age is not below the least.', 'أقصى سن لا يقل عن أدنى سن.'],
    admission_program_subject_once: ['This subject is listed already.', 'هذه المادة مدرجة بالفعل.'],
    admission_quota_once: ['This group is listed already.', 'هذه المجموعة مدرجة بالفعل.'],
    admission_quota_kinds: [
      'Groups of one program tell people apart by one thing: nationality, sex or certificate.',
      'مجموعات البرنامج الواحد من نوع واحد: الجنسية أو النوع أو الشهادة.',
    ],
    admission_quota_excluded: ['The program does not take this group.', 'البرنامج لا يقبل هذه المجموعة.'],
    admission_quota_says: ['Say how many are reserved, or at most.', 'اذكر العدد المحجوز أو الحد الأقصى.'],
    admission_quota_order: ['No more are reserved than may be taken.', 'المحجوز لا يزيد على الحد الأقصى.'],
    admission_quota_seats: [
      'Reserved are {reserved} of {capacity} seats.',
      'الأماكن المحجوزة {reserved} من {capacity}.',
    ],
    certificate_subject_once: ['This subject is listed already.', 'هذه المادة مدرجة بالفعل.'],
    certificate_total_sum: [
      'The subjects that count are out of {sum} together, and the total is out of {total}.',
      'مجموع النهايات العظمى للمواد المضافة {sum} والمجموع الكلي من {total}.',
    ],
    community_figures: ['Another one has these figures.', 'هذا الرمز لمحافظة أخرى.'],
  },
})
