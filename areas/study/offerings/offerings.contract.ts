import { area, screen } from '#kit/contract/index.ts'
import { lmsCalls } from './lms/lms.contract.ts'
import { offering, offeringCalls } from './offering.contract.ts'
import { reportCalls } from './reports/reports.contract.ts'
import { offeringSlotCalls } from './slots/slots.contract.ts'
import { slotTexts } from './slots/slots.rules.ts'
import { teachingCalls } from './teaching/teaching.contract.ts'
import { teamCalls } from './team/team.contract.ts'
import { teachingOfInstructor } from '#areas/people/people/outlets.contract.ts'

export const offeringsArea = area({
  name: 'offerings',
  label: ['Offerings', 'المقررات المطروحة'],
  fills: [teachingOfInstructor],
  resources: [offering],
  calls: { ...offeringCalls, ...offeringSlotCalls, ...teamCalls, ...reportCalls, ...teachingCalls, ...lmsCalls },
  screens: [
    // The breadcrumb of an offering leads an instructor to the own workspace, others to the list.
    screen('/offering/:id', {
      permission: 'show_offering',
      title: offering.one,
      parent: '/offerings',
      parentOfType: { 1: '/workspace/my_offerings' },
    }),
    screen('/offerings/plan', {
      permission: 'add_offering',
      title: ['Offer a study plan', 'طرح خطة دراسية'],
      parent: '/offerings',
    }),
    screen('/offerings/lms', {
      permission: 'sync_lms',
      title: ['Learning platform', 'منصة التعلم'],
      parent: '/offerings',
      menu: { group: 'study', order: 645, icon: 'school', setup: true },
    }),
    screen('/workspace/my_offerings', {
      permission: 'access_my_offerings',
      of: ['instructor'],
      title: ['My offerings', 'مقرراتي التدريسية'],
      menu: { group: 'teaching', order: 10, icon: 'chalkboard' },
    }),
  ],
  errors: {
    ...slotTexts,
    offering_structure_frozen: [
      '{offering}: marks are already {status}. Take the control step back first.',
      '{offering}: الدرجات في حالة «{status_local}». أعد خطوة الكنترول أولًا.',
    ],
    offering_is_linked: [
      'It takes the seats of {root}: change that one',
      'طلابه يشغلون مقاعد {root}: عدّل المواعيد هناك',
    ],
    offering_has_registrations: ['{count} students have a registration in it', 'مسجل به {count} طالب'],
    offering_has_waiting: ['{count} students wait for a seat', 'ينتظر {count} طالب مقعدًا فيه'],
    offering_is_root: [
      'Its seats are used by linked offerings: {offerings}',
      'مقاعده تشغلها مقررات مرتبطة به: {offerings}',
    ],
    offerings_code_key: [
      'The course is already offered under this code in this term',
      'المقرر مطروح بهذا الكود في الفصل نفسه',
    ],
    seats_above_max_students: [
      'The groups have {seats} seats, over-quota included; the offering may have {maximum} students',
      'مقاعد المجموعات {seats} مع السعة الإضافية، والحد الأقصى لطلاب المقرر {maximum}',
    ],
    students_min_above_max: [
      'The minimum {min} is above the maximum {max}',
      'الحد الأدنى {min} أكبر من الحد الأقصى {max}',
    ],
    scheme_has_marks: [
      'Marks stand in the present scheme, so it stays',
      'رُصدت درجات على التوزيع الحالي فلا يمكن تغييره',
    ],
    team_twice: ['This person is in the team already', 'هذا العضو موجود في الفريق بالفعل'],
    team_two_leaders: ['A team has one course leader', 'للفريق منسق مقرر واحد'],
    program_twice: ['This program is in the list already', 'هذا البرنامج مكرر في القائمة'],
    program_last: [
      'Without any program it would be open to all whose plan has the course. Choose the programs anew.',
      'بدون أي برنامج سيصبح متاحًا لكل البرامج التي تتضمنه. حدّد البرامج من جديد.',
    ],
    program_students_hold_seats: [
      '{count} students of program {program} hold a seat',
      'يشغل {count} طالب من برنامج {program} مقاعد في المقرر',
    ],
    linked_to_itself: ['{offering} cannot take its own seats', 'لا يمكن ربط {offering} بنفسه'],
    linked_other_term: ['{offering} is of another term', '{offering} مطروح في فصل دراسي آخر'],
    linked_elsewhere: ['{offering} already takes the seats of {root}', '{offering} مرتبط بالفعل بـ {root}'],
    linked_is_root: ['Others already take the seats of {offering}', 'هناك مقررات تشغل مقاعد {offering}'],
    linked_has_seats: ['In {offering} {taken} seats are already taken', 'شُغل في {offering} عدد {taken} مقعدًا بالفعل'],
    linked_has_students: [
      '{count} students of {offering} sit in these groups',
      'يجلس {count} طالب من {offering} في هذه المجموعات',
    ],
    lms_none: [
      'No learning platform is connected. Whoever runs the installation sets its address and its token.',
      'لا توجد منصة تعلم متصلة. يضبط مسؤول التشغيل رابطها ورمز الدخول إليها.',
    ],
    lms_no_offerings: [
      'No offering of the current term is within your reach.',
      'لا يوجد مقرر في الفصل الحالي ضمن نطاقك.',
    ],
    lms_no_email: ['Has no e-mail address, so no account can be made.', 'ليس له بريد إلكتروني، فلا يمكن إنشاء حساب له.'],
    lms_refused: ['The learning platform refused: {said} ({error})', 'رفضت منصة التعلم: {said} ({error})'],
    lms_down: [
      'The learning platform does not answer. What was brought there stays; try again later.',
      'منصة التعلم لا تستجيب. ما نُقل إليها باقٍ، أعد المحاولة لاحقًا.',
    ],
    not_linked_here: ['It is not linked to this offering', 'ليس مرتبطًا بهذا المقرر'],
  },
})
