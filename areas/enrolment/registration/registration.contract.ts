import { area, screen } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import { prerequisiteBasis } from './basis.contract.ts'
import { advisingCalls } from './advising/advising.contract.ts'
import { blockCalls } from './block/block.contract.ts'
import { bulkCalls } from './changes/bulk.contract.ts'
import { paperCalls } from './records/papers.contract.ts'
import { registrationRecordCalls, registration } from './records/registration.contract.ts'
import { windowException } from './exceptions/exception.contract.ts'
import { preflightCalls } from './preflight/preflight.contract.ts'
import { noteTexts } from './preflight/preflight.rules.ts'
import { refusalTexts } from './registration-refusals.rules.ts'
import { changeCalls, requestCalls } from './requests/request.contract.ts'
import { registrationStates, waitListStates } from './owners.contract.ts'

const refusals: Record<string, Label> = Object.fromEntries(
  Object.entries({ ...refusalTexts, ...noteTexts }).flatMap(([code, { en, ar, step }]): [string, Label][] => [
    [code, [en, ar]],
    [`${code}_step`, [step.en, step.ar]],
  ]),
)

/** Registration of students in offerings, and their academic advisors. */
export const registrationArea = area({
  name: 'registration',
  label: ['Registration', 'التسجيل'],
  resources: [registration, windowException],
  owners: [registrationStates, waitListStates],
  calls: [
    preflightCalls,
    requestCalls,
    changeCalls,
    bulkCalls,
    blockCalls,
    registrationRecordCalls,
    paperCalls,
    advisingCalls,
  ],
  screens: [
    screen('/offering/registration', {
      permission: 'access_student',
      of: ['student'],
      title: ['My course registration', 'تسجيل مقرراتي'],
      menu: { group: 'my', order: 10, icon: 'calendar-plus' },
    }),
    screen('/offering/preflight', {
      permission: 'access_student',
      of: ['student'],
      title: ['Before registration', 'قبل التسجيل'],
      menu: { group: 'my', order: 9, icon: 'checklist' },
    }),
    screen('/registration_preflight', {
      permission: ['access_registration', 'access_advising', 'accept_registration', 'request_registration'],
      title: ['Before registration', 'قبل التسجيل'],
      menu: {
        group: 'study',
        order: 610,
        icon: 'checklist',
        block: 'offering',
        only: ['access_advising', 'accept_registration', 'request_registration', 'admin_system'],
      },
    }),
    screen('/registration_preflight/:id', {
      permission: ['access_registration', 'access_advising', 'accept_registration', 'request_registration'],
      title: ['Before registration', 'قبل التسجيل'],
      parent: '/registration_preflight',
    }),
    screen('/registrations/:id?', {
      permission: 'access_registration',
      title: ['Registrations', 'التسجيلات'],
      menu: { group: 'study', order: 615, icon: 'clipboard-list', block: 'offering' },
    }),
    screen('/level_registration', {
      permission: 'enroll_students',
      title: ['Registration of a level', 'تسجيل مستوى'],
      menu: { group: 'study', order: 620, icon: 'stack-2', block: 'offering' },
    }),
    screen('/my_advising', {
      permission: 'access_my_advising',
      of: ['instructor'],
      title: ['My advising', 'إرشادي الأكاديمي'],
      menu: { group: 'teaching', order: 20, icon: 'users-group' },
    }),
    screen('/advising', {
      permission: ['access_advising', 'edit_advising'],
      title: ['Advising', 'الإرشاد الأكاديمي'],
      menu: { group: 'study', order: 630, icon: 'compass', block: 'offering', subject: 'advising' },
    }),
    screen('/advising/registration/:id', {
      permission: ['access_advising', 'request_registration', 'accept_registration', 'access_registration'],
      title: ['Advisee registration', 'تسجيل طالب'],
      parent: '/advising',
      // An advisor comes from the own students, others from all.
      parentOfType: { 1: '/my_advising' },
    }),
    screen('/academic_advisors', {
      permission: ['access_advising', 'edit_advising'],
      title: ['Academic advisors', 'المرشدون الأكاديميون'],
      menu: { group: 'study', order: 635, icon: 'user-star', block: 'offering', subject: 'advising' },
    }),
    screen('/advised_students', {
      permission: ['access_advising', 'edit_advising'],
      title: ['Advised students', 'طلاب الإرشاد'],
      // The same students as under advising, in the order of their codes: an advisor leads here to his or her own.
      parent: '/advising',
    }),
  ],
  basis: [prerequisiteBasis],
  noticeGroup: 'study',
  notices: {
    notice_prerequisite: {
      title: ['Courses whose prerequisite is passed no more', 'مقررات لم يعد متطلبها السابق مجتازًا'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_accepted: { title: ['Requests that were accepted', 'طلبات قُبلت'], audience: [3], app: 'on', mail: 'digest' },
    notice_rejected: {
      title: ['Requests that were rejected', 'طلبات رُفضت'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_withdrawn: {
      title: ['Withdrawn by the university', 'انسحاب بقرار الجامعة'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
    notice_removed: {
      title: ['Registrations that were removed', 'تسجيلات حُذفت'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_returned: {
      title: ['Registrations that were restored', 'تسجيلات أُعيدت'],
      audience: [3],
      app: 'on',
      mail: 'digest',
    },
    notice_advisor: {
      title: ['A new academic advisor', 'مرشد أكاديمي جديد'],
      audience: [3],
      app: 'on',
      mail: 'digest',
    },
    notice_moved: {
      title: ['A seat from the wait list', 'مقعد من قائمة الانتظار'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swapped: {
      title: ['A seat in exchange for another', 'مبادلة مقعد بآخر'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap_requested: {
      title: ['A seat requested in exchange', 'مقعد طُلب بالمبادلة'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap_rejected: {
      title: ['An exchange that was rejected', 'مبادلة رُفضت'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap_ended_gone: {
      title: ['Exchange ended: no longer held', 'انتهاء مبادلة: لم يعد مسجلًا'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap_ended_graded: {
      title: ['Exchange ended: marks entered', 'انتهاء مبادلة: رُصدت درجات'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap_ended_control: {
      title: ['Exchange ended: with control', 'انتهاء مبادلة: لدى الكنترول'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap_ended_block: {
      title: ['Exchange ended: course of the level', 'انتهاء مبادلة: من مقررات المستوى'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap_ended_group: {
      title: ['Exchange ended: group changed', 'انتهاء مبادلة: تغيرت المجموعة'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap_ended_refused: {
      title: ['Exchange refused', 'رُفضت المبادلة'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_preflight: {
      title: ['What will stand against registering', 'ما سيمنع التسجيل'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_exception: {
      title: ['A window opened for me', 'مرحلة فُتحت لي'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_wait_expired: {
      title: ['The end of a place in the wait list', 'انتهاء الدور في قائمة الانتظار'],
      audience: [3],
      app: 'on',
      mail: 'digest',
    },
  },
  errors: {
    ...refusals,
    exception_kind: [
      'A window for single students is one of registration, add and drop, withdrawal or excuse.',
      'المرحلة التي تُفتح لطلاب محددين هي التسجيل أو الحذف والإضافة أو الانسحاب أو الاعتذار.',
    ],
    exception_order: ['It closes before it opens.', 'تغلق المرحلة قبل أن تفتح.'],
    exception_too_long: [
      'A window for single students is open for {days} days at most.',
      'لا تزيد المرحلة المفتوحة لطلاب محددين على {days} يومًا.',
    ],
    exception_over: ['It is over already. Choose a later end.', 'انتهت هذه المرحلة بالفعل. اختر نهاية لاحقة.'],
    exception_term_over: ['The term is over.', 'انتهى الفصل الدراسي.'],
    exception_nobody: ['Choose the students for whom it opens.', 'اختر الطلاب الذين تُفتح لهم.'],
    exception_elsewhere: [
      'Not of this faculty: {students}. Open a window for them in their own.',
      'ليسوا من هذه الكلية: {students}. افتح لهم مرحلة في كليتهم.',
    ],
    exception_not_studying: ['Not studying now: {students}.', 'غير مقيدين حاليًا: {students}.'],
    registration_state: [
      '{course} is {state_name}: this is not possible',
      'حالة {course} هي «{state_name_local}»، فلا يمكن هذا الإجراء',
    ],
    registration_already: ['{course} is {target} already', 'حالة {course} هي «{target_local}» بالفعل'],
    registration_step_of_others: [
      '{course} is {state_name}. Only {who} can make it {target}',
      'حالة {course} هي «{state_name_local}»، ولا يجعلها «{target_local}» إلا {who_local}',
    ],
    registration_case_differs: [
      '{course}: its state and the decision behind it would not agree any more. Decide on the case itself.',
      '{course}: لن تتفق حالة التسجيل مع القرار الذي تستند إليه. اتخذ القرار في الحالة نفسها.',
    ],
    registration_left: [
      '{course}: nothing is asked for any more, because the student has left ({status}). The registrar ends what still runs.',
      '{course}: لا يُطلب شيء بعد الآن لأن الطالب ترك الجامعة ({status_local}). ينهي المسجل ما بقي من مقررات.',
    ],
    registration_no_way: [
      '{course} is {state_name}. It becomes {target} only from: {from}',
      'حالة {course} هي «{state_name_local}»، ولا تصبح «{target_local}» إلا من: {from_local}',
    ],
    block_stays: [
      '{course} belongs to the courses of the level: it is neither dropped nor withdrawn from; an excuse is asked for instead',
      'المقرر {course} من مقررات المستوى، فلا يُحذف ولا يُنسحب منه، ويُقدَّم بدلًا من ذلك اعتذار عن الامتحان',
    ],
    block_student: [
      '{student} studies by credit hours: courses are asked for one by one',
      'يدرس الطالب {student} بنظام الساعات المعتمدة، وتُطلب مقرراته منفردة',
    ],
    level_not_settled: [
      'The level of {student} in {year} is not decided yet: {before} ends with a promotion or a repeat first',
      'لم يتحدد مستوى الطالب {student} في {year} بعد: يُحسم أولًا انتقاله أو بقاؤه للإعادة عن {before}',
    ],
    block_not_offered: ['{course} is not offered in {term}', 'المقرر {course} غير مطروح في {term_local}'],
    block_nothing: ['Nothing is left to register', 'لا يوجد ما يُسجَّل'],
    elective_not_in_plan: ['{course} is no elective of the plan', 'المقرر {course} ليس من المقررات الاختيارية في الخطة'],
    seat_lost: ['No free seat is left in {course}', 'لم يبق مقعد شاغر في {course}'],
    override_not_possible: ['The rule {rule} cannot be overridden', 'لا يمكن تجاوز القاعدة {rule}'],
    wait_not_full: ['{course} has a free seat: request it', 'يوجد مقعد شاغر في {course}: اطلب تسجيله'],
    wait_already: ['Already waiting for {course}', 'أنت في قائمة انتظار {course} بالفعل'],
    swap_already: [
      'This course is offered for another seat already: leave that wait list first',
      'هذا المقرر معروض للمبادلة بمقعد آخر بالفعل: غادر قائمة انتظاره أولًا',
    ],
    swap_nothing: [
      'The seat of {course} is had already: choose another',
      'هذا المقعد في {course} محجوز لك بالفعل: اختر غيره',
    ],
    swap_gone: [
      '{course} is not held any more: nothing can be given up for it',
      'لم يعد المقرر {course} مسجلًا، فلا مقعد يُبادل به',
    ],
    swap_graded: [
      '{course} has marks already: it is not given up any more',
      'رُصدت درجات في المقرر {course}، فلا يُبادل بغيره',
    ],
    swap_control: [
      'The marks of {course} are with control: it is not given up any more',
      'درجات المقرر {course} لدى الكنترول، فلا يُبادل بغيره',
    ],
    swap_block: [
      '{course} belongs to the courses of the level: it is not given up',
      'المقرر {course} من مقررات المستوى، فلا يُبادل بغيره',
    ],
    swap_pending: [
      'A request to leave {course} waits: take it back first',
      'يوجد طلب ترك للمقرر {course} لم يُبت فيه: اسحبه أولًا',
    ],
    swap_under_way: [
      '{course} is being exchanged already: the request made for it waits for its answer',
      'المقرر {course} قيد المبادلة بالفعل: الطلب المقدم بدلًا منه في انتظار الرد',
    ],
    swap_leaving: [
      'A request to leave {course}, which is given up for this one, waits: answer it first',
      'يوجد طلب ترك لم يُبت فيه للمقرر {course} المتروك مقابل هذا الطلب: أجب عنه أولًا',
    ],
    swap_needs_no_answer: [
      'The exchange for {course} needs no answer: nothing that is registered is given up, or it was given',
      'لا تحتاج مبادلة {course} إلى رد: لا مقرر مسجل يُترك مقابلها، أو سبق الرد عليها',
    ],
    swap_both: [
      'A course and the one it is exchanged for are not registered together',
      'لا يُسجَّل المقرر مع المقرر الذي يُبادل به',
    ],
    advisor_full: [
      '{count} students, but only {free} of {maximum} places are free',
      'عدد الطلاب {count}، والأماكن المتاحة {free} من {maximum}',
    ],
    advisor_other_faculty: ['{advisor} belongs to another faculty', '{advisor_local} يتبع كلية أخرى'],
    advisor_none: ['No advisor of the faculty has a free place', 'لا يوجد مرشد في الكلية لديه مكان متاح'],
    advisor_none_yet: ['Has no advisor', 'ليس له مرشد'],
    advisor_has_more: [
      'Advises {count} students already, more than {maximum}',
      'يرشد {count} طالبًا بالفعل، وهو أكثر من {maximum}',
    ],
    not_registered_here: ['Not registered in this offering', 'غير مسجل في هذا المقرر'],
  },
})
