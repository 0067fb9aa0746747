import { area, screen } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import { advisingCalls } from './advising/advising.contract.ts'
import { bulkCalls } from './changes/bulk.contract.ts'
import { paperCalls } from './records/papers.contract.ts'
import { recordCalls, registration } from './records/registration.contract.ts'
import { refusalTexts } from './registration.rules.ts'
import { changeCalls, requestCalls } from './requests/request.contract.ts'

const refusals: Record<string, Label> = Object.fromEntries(
  Object.entries(refusalTexts).flatMap(([code, { en, ar, step }]): [string, Label][] => [
    [code, [en, ar]],
    [`${code}_step`, [step.en, step.ar]],
  ]),
)

/** Registration of students in offerings, and their academic advisors. */
export const registrationArea = area({
  name: 'registration',
  label: ['Registration', 'التسجيل'],
  resources: [registration],
  calls: [requestCalls, changeCalls, bulkCalls, recordCalls, paperCalls, advisingCalls],
  screens: [
    screen('/offering/registration', {
      permission: 'access_student',
      of: ['student'],
      title: ['My course registration', 'تسجيل مقرراتي'],
      menu: { group: 'my', order: 10, icon: 'calendar-plus' },
    }),
    screen('/registrations/:id?', {
      permission: 'access_registration',
      title: ['Registrations', 'التسجيلات'],
      menu: { group: 'study', order: 20, icon: 'clipboard-list' },
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
      menu: { group: 'study', order: 30, icon: 'compass' },
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
      menu: { group: 'study', order: 31, icon: 'user-star' },
    }),
    screen('/advised_students', {
      permission: ['access_advising', 'edit_advising'],
      title: ['Advised students', 'طلاب الإرشاد'],
      // The same students as under advising, in the order of their codes: an advisor leads here to his or her own.
      parent: '/advising',
    }),
  ],
  notices: {
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
    notice_wait_expired: {
      title: ['The end of a place in the wait list', 'انتهاء الدور في قائمة الانتظار'],
      audience: [3],
      app: 'on',
      mail: 'digest',
    },
  },
  errors: {
    ...refusals,
    registration_state: [
      '{course} is {state_name}: this is not possible',
      'حالة {course} هي «{state_name_local}»، فلا يمكن هذا الإجراء',
    ],
    registration_already: ['{course} is {target} already', 'حالة {course} هي «{target_local}» بالفعل'],
    registration_step_of_others: [
      '{course} is {state_name}. Only {who} can make it {target}',
      'حالة {course} هي «{state_name_local}»، ولا يجعلها «{target_local}» إلا {who_local}',
    ],
    registration_no_way: [
      '{course} is {state_name}. It becomes {target} only from: {from}',
      'حالة {course} هي «{state_name_local}»، ولا تصبح «{target_local}» إلا من: {from_local}',
    ],
    seat_lost: ['No free seat is left in {course}', 'لم يبق مقعد شاغر في {course}'],
    override_not_possible: ['The rule {rule} cannot be overridden', 'لا يمكن تجاوز القاعدة {rule}'],
    wait_not_full: ['{course} has a free seat: request it', 'يوجد مقعد شاغر في {course}: اطلب تسجيله'],
    wait_already: ['Already waiting for {course}', 'أنت في قائمة انتظار {course} بالفعل'],
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
