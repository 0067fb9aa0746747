import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { applicant, applicantCalls } from './applicant/applicant.contract.ts'
import { applicantDeskCalls } from './applicant/desk.contract.ts'
import { applicantFlow, applicantSteps } from './applicant/flow.contract.ts'
import { applyCalls } from './apply/apply.contract.ts'
import { APPLICANT_LISTS } from './lists/lists.contract.ts'
import { applicantMergeCalls } from './merging/merge.contract.ts'
import { applicantTags } from './tags/applicant-tags.contract.ts'

const open = { permission: 'public', layout: 'full' } as const
const listed = { permission: 'access_applicant', parent: '/applicants' } as const

/** Applicants: the public form, and the desk where applications are looked at. */
export const applicantsArea = area({
  name: 'applicants',
  label: ['Applicants', 'المتقدمون'],
  resources: [applicant],
  calls: [
    applicantCalls,
    applicantDeskCalls,
    applyCalls,
    listedCalls(applicantFlow, applicantSteps),
    applicantMergeCalls,
    applicantTags.calls,
  ],
  screens: [
    screen('/apply/:id/success', { ...open, light: [], title: ['Application sent', 'تم إرسال الطلب'] }),
    screen('/apply/:type?', { ...open, light: ['/website/admissionData'], title: ['Apply', 'التقديم'] }),
    screen('/applicants/duplicates', {
      permission: 'access_applicant',
      title: ['Probable duplicates', 'طلبات يُحتمل تكرارها'],
      parent: '/applicants',
    }),
    screen('/applicants_pg', { ...listed, title: APPLICANT_LISTS['/applicants_pg'].title }),
    screen('/accepted_applicants', { ...listed, title: APPLICANT_LISTS['/accepted_applicants'].title }),
    screen('/accepted_applicants_pg', { ...listed, title: APPLICANT_LISTS['/accepted_applicants_pg'].title }),
    screen('/admission/transfer_students', { ...listed, title: APPLICANT_LISTS['/admission/transfer_students'].title }),
    screen('/transfered_student_paid', { ...listed, title: APPLICANT_LISTS['/transfered_student_paid'].title }),
    screen('/accepted_applicants/:id', {
      permission: 'show_applicant',
      title: ['Accepted applicant', 'متقدم مقبول'],
      parent: '/accepted_applicants',
    }),
    screen('/applicants/edit', { ...listed, title: ['Edit applicant', 'تعديل بيانات متقدم'] }),
    screen('/applicants/edit/:type/:id/:secretKey/:name?', {
      ...open,
      light: ['/admission/{id}/{secretKey}', '/admission/website/applicant/lookups'],
      title: ['Application', 'طلب التقديم'],
    }),
  ],
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    puzzle_wrong: ['That took too long. Try again.', 'استغرق ذلك وقتًا طويلًا. أعد المحاولة.'],
    mailed_code_wrong: ['This is not the code of the last mail.', 'هذا ليس الرمز الوارد في آخر رسالة.'],
    mailed_code_over: [
      'This code does not work any more. Ask for another one.',
      'لم يعد هذا الرمز صالحًا. اطلب رمزًا آخر.',
    ],
    application_unknown: [
      'This link opens no application. Ask for a new one with your e-mail address.',
      'هذا الرابط لا يفتح أي طلب. اطلب رابطًا جديدًا ببريدك الإلكتروني.',
    ],
    application_closed: ['The admission has closed. What you wrote is kept.', 'أُغلقت فترة القبول، وما كتبته محفوظ.'],
    application_sent: [
      'The application was sent in. It can be changed when it is sent back to you.',
      'أُرسل الطلب، ويمكن تعديله إذا أُعيد إليك.',
    ],
    application_not_sent: ['The application was not sent in yet.', 'لم يُرسل الطلب بعد.'],
    application_not_yet: ['This admission has not opened yet.', 'لم تُفتح فترة القبول بعد.'],
    application_over: ['This admission has closed.', 'أُغلقت فترة القبول.'],
    application_written_elsewhere: [
      'This was written differently in another window. Look at it, then write it again.',
      'كُتب هذا بشكل آخر في نافذة أخرى. راجعه ثم اكتبه من جديد.',
    ],
    application_tab_open: ['Not complete: {tab}.', 'غير مكتمل: {tab}.'],
    application_phone: [
      'This is no telephone number. Write a foreign one with + and its country.',
      'هذا ليس رقم هاتف. اكتب الرقم الأجنبي بعلامة + ورمز الدولة.',
    ],
    application_born_elsewhere: [
      'The national id names another governorate of birth.',
      'الرقم القومي يدل على محافظة ميلاد أخرى.',
    ],
    application_year_future: ['This year is still to come.', 'هذه السنة لم تأت بعد.'],
    application_mark_above: ['It is out of {max}.', 'الدرجة من {max}.'],
    application_marks_sum: ['The marks add up to {sum}.', 'مجموع الدرجات {sum}.'],
    application_no_wish: ['Choose at least one program.', 'اختر برنامجًا واحدًا على الأقل.'],
    application_many_wishes: ['At most {most} wishes.', 'عدد الرغبات {most} على الأكثر.'],
    application_wish_twice: ['This program is chosen already.', 'هذا البرنامج مختار من قبل.'],
    application_wish_closed: ['This program cannot be chosen any more.', 'لم يعد هذا البرنامج متاحًا للاختيار.'],
    application_degree: ['Tell us of this degree.', 'سجّل بيانات هذه الدرجة.'],
    application_degree_once: ['This degree is listed already.', 'هذه الدرجة مسجلة بالفعل.'],
    application_document: ['Missing: {document}.', 'مطلوب: {document}.'],
    application_upload_over: [
      'This upload is over: it was finished, replaced, or lay for a day. Choose the file again.',
      'انتهى هذا الرفع: اكتمل أو حل محله ملف آخر أو مر عليه يوم. اختر الملف من جديد.',
    ],
    application_upload_open: [
      'The file is not here in full: {received} of {size} bytes. Send the rest.',
      'لم يصل الملف كاملًا: وصل {received} من {size} بايت. أرسل الباقي.',
    ],
    application_upload_wrong: [
      'The file did not arrive as it was sent. Choose it again.',
      'لم يصل الملف كما أُرسل. اختره من جديد.',
    ],
    application_part_order: [
      'This part does not follow what is here: go on at byte {received}.',
      'هذا الجزء لا يلي ما وصل: أكمل من البايت {received}.',
    ],
    application_part_size: [
      'This part does not fit: go on at byte {received}.',
      'حجم هذا الجزء غير مناسب: أكمل من البايت {received}.',
    ],
    application_document_not_asked: ['This document is not asked for.', 'هذا المستند غير مطلوب.'],
    applicant_no_comment: [
      'Write at least one comment on a tab, so that the applicant knows what to mend.',
      'اكتب ملاحظة واحدة على الأقل ليعرف المتقدم ما يصححه.',
    ],
    applicant_no_exam: ['This admission has no exam.', 'لا اختبار في فترة القبول هذه.'],
    applicant_no_exam_fee: ['No fee is asked for the exam.', 'لا رسوم للاختبار.'],
    applicant_exam_unpaid: ['The fee of the exam is not paid yet.', 'لم تُسدد رسوم الاختبار بعد.'],
    applicant_exam_first: ['This admission has an exam: it comes first.', 'في فترة القبول هذه اختبار يسبق التنسيق.'],
    applicant_no_result: ['There is no result of the exam yet.', 'لم تُسجل نتيجة الاختبار بعد.'],
    applicant_no_interview: ['Nobody has said yet how the interview went.', 'لم تُسجل نتيجة المقابلة بعد.'],
    applicant_result_below: [
      'The result is {result} %; the exam is passed from {needed} % on.',
      'النتيجة {result} %، ويُجتاز الاختبار من {needed} %.',
    ],
    applicant_interview_failed: ['The interview was not passed.', 'لم يجتز المتقدم المقابلة.'],
    applicant_passed: ['The exam was passed.', 'اجتاز المتقدم الاختبار.'],
    applicant_no_transfer: ['This is no transfer from another university.', 'ليس هذا تحويلًا من جامعة أخرى.'],
    applicant_no_program: ['No program was given yet.', 'لم يُخصص برنامج بعد.'],
    applicant_not_settled: [
      'What was passed at the other university is not settled for this program. Decide on the courses first.',
      'لم تُنفذ معادلة ما اجتازه المتقدم في الجامعة الأخرى لهذا البرنامج. قرّر المعادلة أولًا.',
    ],
    applicant_equivalence_first: ['The equivalence of a transfer comes first.', 'تسبق معادلة التحويل عرض المقعد.'],
    applicant_field_missing: ['Missing: {what}.', 'ناقص: {what}.'],
    applicant_seat_given: [
      'A seat was given for this. Take the seat back first.',
      'خُصص مقعد على هذا الأساس. أعد المقعد أولًا.',
    ],
    applicant_final_unpaid: ['The fee of the seat is not paid yet.', 'لم تُسدد رسوم القبول بعد.'],
    applicant_writes: [
      'The applicant is writing now. Comment when the application is sent in.',
      'المتقدم يعدل الطلب الآن. اكتب الملاحظة بعد إرساله.',
    ],
    applicant_late: ['This is not possible any more: {status}.', 'لم يعد ذلك ممكنًا: {status}.'],
    applicant_no_way: ['From “{status}” no step leads there.', 'لا خطوة تؤدي إليها من «{status}».'],
    applicant_there_already: [
      'Another application of this address is in that admission.',
      'يوجد طلب آخر بهذا البريد في فترة القبول هذه.',
    ],
    application_fee_due: ['Pay the fee for applying first: {amount}.', 'ادفع رسوم التقديم أولًا: {amount}.'],
    application_merged: [
      'You applied with two addresses. Your application {number} goes on: use its address.',
      'تقدمت ببريدين إلكترونيين. يُستكمل طلبك رقم {number}، فاستخدم بريده.',
    ],
    applicants_same: ['This is one application.', 'هذا طلب واحد.'],
    applicants_other_admission: ['They are of two admissions.', 'الطلبان في فترتي قبول.'],
    applicants_one_cancelled: ['{number} is cancelled.', 'الطلب {number} ملغى.'],
    applicants_one_accepted: ['The applicant of {number} is a student already.', 'صاحب الطلب {number} طالب بالفعل.'],
    applicants_both_paid: [
      'Both have paid. Give one of them the money back first.',
      'سُددت رسوم الطلبين. رُدّ رسوم أحدهما أولًا.',
    ],
    applicants_paid_goes: ['{number} has paid: keep that one.', 'سُددت رسوم الطلب {number}، فأبقِه.'],
    applicants_two_people: [
      'Somebody said that they are of two people: {reason}',
      'سبقت الإفادة بأنهما لشخصين: {reason}',
    ],
    application_of_ministry: [
      'The ministry said this. It is corrected by the university.',
      'هذه بيانات الوزارة، وتصححها الجامعة.',
    ],
    nomination_unknown: [
      'No nomination has this number and this id. Write both as they stand in the letter of the ministry.',
      'لا ترشيح بهذا الرقم وهذه الهوية. اكتبهما كما في خطاب الوزارة.',
    ],
    nomination_begun: [
      'You have begun an application with this address already. Ask the university to bring the two together.',
      'بدأت طلبًا بهذا البريد من قبل. اطلب من الجامعة ضم الطلبين.',
    ],
    application_not_declared: ['Tick every sentence.', 'وافق على كل جملة.'],
  },
})
