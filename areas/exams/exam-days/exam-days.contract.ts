import { printBasis } from './basis.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { absenceCalls, absenceFlow, absenceSteps } from './absences/absence.contract.ts'
import { examCaseCalls, examCaseFlow, examCaseSteps } from './cases/case.contract.ts'
import { deliveryCalls } from './deliveries/delivery.contract.ts'
import { paperType, paperTypeCalls } from './paper-types/paper-type.contract.ts'
import { seatCalls } from './seats/seats.contract.ts'

/** What happens on the days of exams: seats, papers, who was away, and what became of it. */
export const examDaysArea = area({
  name: 'exam-days',
  label: ['Exam days', 'أيام الامتحانات'],
  resources: [paperType],
  calls: [
    paperTypeCalls,
    seatCalls,
    absenceCalls,
    listedCalls(absenceFlow, absenceSteps),
    examCaseCalls,
    listedCalls(examCaseFlow, examCaseSteps),
    deliveryCalls,
  ],
  basis: [printBasis],
  screens: [
    screen('/exams_seats', {
      permission: 'access_examSeat',
      title: ['Exam seats', 'مقاعد الامتحانات'],
      menu: { group: 'exams', order: 40, icon: 'armchair' },
    }),
    screen('/exams_absences', {
      permission: 'access_examAbsence',
      title: ['Exam absences', 'غياب الامتحانات'],
      menu: { group: 'exams', order: 50, icon: 'user-x' },
    }),
    screen('/exams_absences/hall', {
      permission: 'edit_examAbsence',
      title: ['Absences of a hall', 'غياب قاعة'],
      parent: '/exams_absences',
    }),
    screen('/exams_punishments', {
      permission: 'access_examPunishment',
      title: ['Exam investigations and punishments', 'تحقيقات الامتحانات وعقوباتها'],
      menu: { group: 'exams', order: 55, icon: 'gavel' },
    }),
    screen('/exams_delivery', {
      permission: 'access_examDelivery',
      title: ['Exam deliveries', 'تسليم أوراق الامتحانات'],
      menu: { group: 'exams', order: 70, icon: 'package' },
    }),
  ],
  noticeGroup: 'time',
  notices: {
    notice_absent: { title: ['Absent from an exam', 'غياب عن امتحان'], audience: [3], app: 'always', mail: 'now' },
    notice_excused: {
      title: ['Excused from an exam', 'عذر عن امتحان'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_absence: {
      title: ['Decisions on an exam absence', 'قرارات غياب الامتحان'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_moved: {
      title: ['The time of an exam has changed', 'تغيّر موعد امتحان'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
    notice_moved_duty: {
      title: ['The time of an exam you invigilate has changed', 'تغيّر موعد امتحان تراقبه'],
      audience: [1],
      app: 'always',
      mail: 'always',
    },
    notice_opened: {
      title: ['An exam investigation', 'تحقيق في امتحان'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
    notice_case: {
      title: ['Decisions on an exam investigation', 'قرارات تحقيق امتحان'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
  },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    seats_nobody: [
      'Nobody sits this exam yet: its offerings have no day, or no students.',
      'لا أحد يؤدي هذا الامتحان بعد: لم يُحدد موعد لمقرراته أو ليس بها طلاب.',
    ],
    seats_none_missing: ['Every student has a seat.', 'لكل طالب مقعد.'],
    seating_over: ['These seats were taken or discarded already.', 'اعتُمدت هذه المقاعد أو أُلغيت بالفعل.'],
    seating_stale: [
      'Students, halls or times have changed since: propose the seats again.',
      'تغيّر الطلاب أو القاعات أو المواعيد منذ الاقتراح: اقترح المقاعد من جديد.',
    ],
    exam_seat_twice: ['The student has a seat in this exam already.', 'للطالب مقعد في هذا الامتحان بالفعل.'],
    exam_seat_taken: ['Somebody else has this seat at that time.', 'المقعد مشغول بطالب آخر في هذا الموعد.'],
    exam_seat_outside: ['The hall has no such seat.', 'لا يوجد هذا المقعد في القاعة.'],
    exam_seat_other: ['The student does not sit this exam.', 'الطالب لا يؤدي هذا الامتحان.'],
    exam_seats_full: ['The exam has no more seats in this hall.', 'لا مقاعد أخرى للامتحان في هذه القاعة.'],
    exam_not_begun: ['The exam of {course} begins at {begins}.', 'يبدأ امتحان {course} في {begins}.'],
    exam_not_sat: [
      'The student does not sit the exam of {course}: the course was left, or another decision stands.',
      'الطالب لا يؤدي امتحان {course}: ترك المقرر أو عليه قرار آخر.',
    ],
    exam_request_waits: [
      'A request about {course} still waits: decide it first.',
      'يوجد طلب معلَّق بشأن {course}: يُبت فيه أولًا.',
    ],
    absence_recorded: ['The absence from {course} is recorded already.', 'غياب {course} مسجل بالفعل.'],
    absence_marked: [
      'A mark ({mark}) stands for the exam of {course}: who was away has none. Take it away first.',
      'رُصدت درجة ({mark}) في امتحان {course}، ولا درجة لمن غاب. احذف الدرجة أولًا.',
    ],
    exam_absence_twice: ['The absence is recorded already.', 'الغياب مسجل بالفعل.'],
    exam_case_twice: [
      'What the student did in this exam is looked into already.',
      'يوجد تحقيق مع الطالب في هذا الامتحان بالفعل.',
    ],
    exam_case_state: [
      'The student is no longer registered in {course}: it cannot be punished.',
      'لم يعد الطالب مسجلًا في {course}، فلا تقع العقوبة عليه.',
    ],
    exam_papers_there: [
      'Papers of the exam are in this hall: take their count back first.',
      'أوراق الامتحان في هذه القاعة: تراجع عن تسليمها أولًا.',
    ],
    papers_settled: [
      'Control has approved {course}: its papers stay as they were counted.',
      'اعتمد الكنترول {course}: تبقى أعداد أوراقه كما هي.',
    ],
    papers_back: [
      'The papers of {course} came back from {hall} already. Take that back first.',
      'أُعيدت أوراق {course} من {hall} بالفعل. تراجع عن ذلك أولًا.',
    ],
    papers_not_delivered: ['No papers of {course} were delivered to {hall}.', 'لم تُسلَّم أوراق {course} إلى {hall}.'],
    papers_more_than_out: [
      '{hall}: {delivered} were delivered, so {returned} cannot come back. Count again, or correct what was delivered.',
      '{hall}: سُلِّم {delivered}، فلا يمكن أن يُعاد {returned}. أعد العد أو صحّح عدد المسلَّم.',
    ],
    papers_differ: [
      '{hall}: {delivered} delivered, {present} present, {returned} returned. Count again, or say why.',
      '{hall}: سُلِّم {delivered} وحضر {present} وأُعيد {returned}. أعد العد أو اذكر السبب.',
    ],
  },
})
