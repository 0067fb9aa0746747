import { REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import { flag, mainMask, type MainFlag } from '#areas/common/academics/status.rules.ts'
import { GONE, owned, type Door, type OwnedState } from '#kit/contract/index.ts'

const students = (path: string): Door => `PUT /registrations/students/${path}`
const DECISIONS = [students('accept-requested-offering'), students('accept-all-requested-offerings')]
const BY_CODE = students('update-status/{status}')
const UNDO = students('undo-registered-offering')
/** Results that dismiss, or take a dismissal back. */
const BY_RESULT: readonly Door[] = [
  'PUT /control/offerings/finish-control-status/{id}',
  'POST /control/students/finish',
]
/** Who leaves the university, or studies something else, leaves courses as well. */
const LEAVING: readonly Door[] = [
  'POST /students/status/{id}',
  ...BY_RESULT,
  { steps: 'internal_transfer' },
  { steps: 'transfer_out' },
]

const OWNERS: Readonly<Record<MainFlag, Omit<OwnedState, 'label'>>> = {
  RegisterRequest: {
    owner: ['a request in the window of registration', 'طلب في فترة التسجيل'],
    screen: '/registrations',
    doors: [students('request-offering')],
  },
  AddRequest: {
    owner: ['a request in the window of adding', 'طلب في فترة الحذف والإضافة'],
    screen: '/registrations',
    doors: [students('addDrop-offering'), students('wait-list/answer/{id}')],
  },
  Registered: {
    owner: ['the answer to a request or enrolment by the registrar', 'الرد على الطلب أو تسجيل المسجل'],
    screen: '/registrations',
    doors: [
      ...DECISIONS,
      BY_CODE,
      UNDO,
      students('undo-incomplete-registered-offering'),
      students('reject-requested-offering'),
      students('remove-offering'),
      students('request-offering'),
      students('block'),
      'POST /registrations/enroll_students',
      'POST /registrations/block/level',
      'POST /control/levels/second-session',
      { steps: 'excuse' },
      { steps: 'absence_case' },
      { steps: 'exam_absence' },
      { steps: 'exam_case' },
      ...BY_RESULT,
    ],
  },
  DropRequest: {
    owner: ['the student’s request to drop', 'طلب الطالب حذف المقرر'],
    screen: '/registrations',
    doors: [students('addDrop-offering')],
  },
  WithdrawRequest: {
    owner: ['the student’s request to withdraw', 'طلب الطالب الانسحاب'],
    screen: '/registrations',
    doors: [students('withdraw-offering')],
  },
  ExcuseRequest: {
    owner: ['the student’s request for an excuse', 'طلب العذر المقدم من الطالب'],
    screen: '/excuses',
    doors: [{ steps: 'excuse' }],
  },
  Dropped: {
    owner: ['the answer to a request to drop', 'الرد على طلب الحذف'],
    screen: '/registrations',
    doors: [...DECISIONS, BY_CODE, ...LEAVING],
  },
  Withdrawn: {
    owner: ['the answer to a request to withdraw', 'الرد على طلب الانسحاب'],
    screen: '/registrations',
    doors: [...DECISIONS, BY_CODE, students('withdraw-offering')],
  },
  ForcedWithdrawn: {
    owner: ['the registrar’s forced withdrawal', 'السحب الإجباري من المسجل'],
    screen: '/registrations',
    doors: [students('withdraw-offering'), BY_CODE, ...LEAVING],
  },
  Excused: {
    owner: ['an accepted excuse', 'قبول عذر'],
    screen: '/excuses',
    doors: [{ steps: 'excuse' }],
    left: [{ steps: 'excuse' }],
  },
  Incomplete: {
    owner: ['control or an excuse for the final exam', 'الكنترول أو عذر عن الامتحان النهائي'],
    screen: '/registrations',
    doors: [BY_CODE, { steps: 'exam_absence' }],
  },
  Complete: {
    owner: ['the missing mark or an exemption', 'الدرجة الناقصة أو الإعفاء'],
    screen: '/registrations',
    doors: ['PUT /control/students/update-term-grades/{registration}', 'POST /registrations/exempt_students'],
  },
  Absent: {
    owner: ['a recorded absence from the final exam', 'تسجيل الغياب عن الامتحان النهائي'],
    screen: '/exams_absences',
    doors: [{ steps: 'exam_absence' }],
    left: [{ steps: 'exam_absence' }],
  },
  Punished: {
    owner: ['the dean’s decision on an exam investigation', 'قرار العميد في تحقيق الامتحان'],
    screen: '/exams_punishments',
    doors: [{ steps: 'exam_case' }],
    left: [{ steps: 'exam_case' }],
  },
  Banned: {
    owner: ['the decision on a proposed ban for absence', 'القرار في حالة حرمان مقترح بسبب الغياب'],
    screen: '/absences',
    doors: [{ steps: 'absence_case' }],
    left: [{ steps: 'absence_case' }],
  },
}

/** Who owns each state of a registration. */
export const registrationStates = owned<MainFlag | typeof GONE>({
  name: 'registration',
  one: ['Registration', 'تسجيل'],
  table: 'registrations',
  state: `case t.status & ${mainMask}::bigint ${REGISTRATION_STATES.map(({ value }) => `when ${flag[value]}::bigint then '${value}'`).join(' ')} end`,
  stands: 'registration_case_stands(t.id, decided_state(t.status))',
  states: {
    ...(Object.fromEntries(
      REGISTRATION_STATES.map(({ value, label }) => [value, { label, ...OWNERS[value] }]),
    ) as Record<MainFlag, never>),
    [GONE]: {
      label: ['Removed', 'محذوف'],
      owner: ['a request taken back or rejected or removal by the registrar', 'سحب الطلب أو رفضه أو حذف المسجل'],
      screen: '/registrations',
      doors: [
        students('remove-offering'),
        students('reject-requested-offering'),
        'POST /registrations/delete_registrations/{offering_id}',
        ...LEAVING,
      ],
    },
  },
})

const QUEUE: OwnedState['owner'] = ['the wait list of the course', 'قائمة انتظار المقرر']
/** Who owns the states of a place in a wait list. */
export const waitListStates = owned({
  name: 'wait_list',
  one: ['Place in a wait list', 'مكان في قائمة الانتظار'],
  table: 'wait_list',
  state: 't.state',
  states: {
    waiting: {
      label: ['Waiting', 'في الانتظار'],
      owner: QUEUE,
      screen: '/registrations',
      doors: [students('wait-list')],
    },
    moved: {
      label: ['Moved up', 'نُقل إلى المقرر'],
      owner: QUEUE,
      screen: '/registrations',
      doors: [students('wait-list'), students('wait-list/answer/{id}'), { job: 'registration-wait-list' }],
    },
    left: {
      label: ['Left', 'غادر'],
      owner: QUEUE,
      screen: '/registrations',
      doors: [
        'DELETE /registrations/students/wait-list/{id}',
        students('wait-list'),
        students('wait-list/answer/{id}'),
        students('request-offering'),
        students('addDrop-offering'),
        students('accept-requested-offering'),
        'POST /registrations/enroll_students',
        'POST /registrations/exempt_students',
        ...LEAVING,
      ],
    },
  },
})
