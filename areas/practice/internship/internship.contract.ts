import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { internshipPaperCalls, internshipPapers } from './certificate/certificate.contract.ts'
import {
  emtyazOffering,
  rotationControlFlow,
  rotationControlSteps,
  rotationMarkCalls,
} from './grades/offering.contract.ts'
import { emtyazIntern, emtyazInternCalls } from './interns/intern.contract.ts'
import { rotation, rotationCalls } from './rotations/rotation.contract.ts'
import { emtyazCourseCalls } from './setup/course.contract.ts'
import { emtyazCourse, emtyazHospital, emtyazTrainingType, emtyazYear } from './setup/year.contract.ts'
import { emtyazTraining, emtyazTrainingCalls } from './trainings/training.contract.ts'
import { rotationBoardCalls } from './board/board.contract.ts'
import { rotationPlanCalls } from './plan/plan.contract.ts'

/** The internship year (emtyaz): what is done in it, where, by whom and when, how it is marked, and when it is done. */
export const internshipArea = area({
  name: 'internship',
  label: ['Internship year', 'سنة الامتياز'],
  resources: [
    emtyazYear,
    emtyazCourse,
    emtyazTrainingType,
    emtyazHospital,
    emtyazTraining,
    emtyazIntern,
    rotation,
    emtyazOffering,
  ],
  calls: [
    emtyazCourseCalls,
    emtyazTrainingCalls,
    emtyazInternCalls,
    rotationCalls,
    rotationMarkCalls,
    internshipPaperCalls,
    listedCalls(rotationControlFlow, rotationControlSteps),
    rotationPlanCalls,
    rotationBoardCalls,
  ],
  papers: [internshipPapers],
  screens: [
    screen('/emtyaz/mine', {
      permission: 'show_emtyazIntern',
      of: ['student'],
      title: ['My internship year', 'سنة الامتياز الخاصة بي'],
      menu: { group: 'services', order: 74, icon: 'stethoscope', subject: 'internship' },
    }),
    screen('/emtyaz/board/:id', {
      permission: 'access_emtyazIntern',
      title: ['Rotations of the year', 'لوحة دورات السنة'],
      parent: '/emtyaz/registration',
      finds: 'emtyazYear',
    }),
  ],
  noticeGroup: 'requests',
  notices: {
    notice_marks: {
      title: ['Marks of a rotation', 'درجة دورة امتياز'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_control: {
      title: ['Marks of a rotation that I supervise go on', 'تغيّر حالة درجات دورة أشرف عليها'],
      audience: [1],
      app: 'always',
      mail: 'digest',
    },
    notice_interrupted: {
      title: ['A rotation ends early', 'انتهاء دورة امتياز قبل موعدها'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_resumed: {
      title: ['A rotation goes on', 'استئناف دورة امتياز'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_completed: {
      title: ['The internship year is completed', 'إتمام سنة الامتياز'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_plan: {
      title: ['The plan of my internship year changes', 'تغيّرت خطة سنة الامتياز الخاصة بي'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_plan_supervised: {
      title: ['The plan of rotations that I supervise changes', 'تغيّرت خطة دورات أشرف عليها'],
      audience: [1],
      app: 'always',
      mail: 'digest',
    },
  },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    emtyaz_closed: ['The internship year is closed.', 'سنة الامتياز مغلقة.'],
    emtyaz_completed: ['The intern has completed the year.', 'أتم الطبيب سنة الامتياز.'],
    emtyaz_not_completed: ['The year is not completed yet.', 'لم تُستكمل سنة الامتياز بعد.'],
    emtyaz_wishes_both: ['Say both days, or neither.', 'حدد اليومين معًا أو اتركهما فارغين.'],
    emtyaz_wishes_order: ['It ends after it begins.', 'ينتهي التقديم بعد بدايته.'],
    emtyaz_year_used: [
      'There are rotations and interns from {from} until {until}.',
      'توجد دورات وأطباء من {from} حتى {until}.',
    ],
    emtyaz_year_interns: [
      '{count} interns are in this year: take them out first.',
      'في هذه السنة {count} من أطباء الامتياز: أخرجهم أولًا.',
    ],
    emtyaz_no_criteria: ['Add a criterion by which the course is marked.', 'أضف معيارًا واحدًا على الأقل لتقييم المقرر.'],
    emtyaz_criterion_twice: ['The course has this criterion already.', 'هذا المعيار مضاف إلى المقرر بالفعل.'],
    emtyaz_pass_mark: ['The criteria add up to {total}.', 'مجموع درجات المعايير {total}.'],
    emtyaz_criterion_marked: [
      'Interns are marked by “{name}” already: it stays.',
      'قُدرت درجات بمعيار «{name}» بالفعل فلا يُحذف.',
    ],
    emtyaz_criterion_below: ['By “{name}” {most} was given already.', 'أُعطيت {most} بمعيار «{name}» بالفعل.'],
    emtyaz_criterion_late: [
      'Interns are marked already, and would lack a mark: no criterion is added.',
      'قُدرت درجات أطباء بالفعل وستنقصهم درجة: لا يُضاف معيار.',
    ],
    emtyaz_course_types: [
      'Remove its {count} training types first.',
      'احذف أنواع التدريب التابعة له أولًا وعددها {count}.',
    ],
    emtyaz_type_used: [
      '{count} rotations last as long as it says now. Add another training type instead.',
      'توجد دورات بالمدة الحالية وعددها {count}. أضف نوع تدريب آخر.',
    ],
    emtyaz_type_trainings: ['Remove its {count} trainings first.', 'احذف تدريباته أولًا وعددها {count}.'],
    emtyaz_type_elsewhere: [
      'It is of another faculty or bylaw than the year.',
      'يتبع كلية أو لائحة غير التي تتبعها السنة.',
    ],
    emtyaz_hospital_trainings: ['It offers {count} trainings.', 'يقدم المستشفى {count} من التدريبات.'],
    emtyaz_training_used: [
      '{count} rotations are in this training: move them first.',
      'في هذا التدريب {count} من الدورات: انقلها أولًا.',
    ],
    emtyaz_places_days: ['It ends after it begins.', 'تنتهي الفترة بعد بدايتها.'],
    emtyaz_places_twice: ['For these days the places are said already.', 'عدد الأماكن في هذه الأيام محدد بالفعل.'],
    emtyaz_instructor_days: ['It ends after it begins.', 'تنتهي الفترة بعد بدايتها.'],
    emtyaz_instructor_twice: [
      'This instructor supervises on these days already.',
      'يشرف عضو هيئة التدريس في هذه الأيام بالفعل.',
    ],
    emtyaz_intern_twice: ['This graduate is in the year already.', 'هذا الخريج مضاف إلى السنة بالفعل.'],
    emtyaz_intern_alone: ['Choose somebody else.', 'اختر شخصًا آخر.'],
    emtyaz_not_graduated: ['The internship year is for graduates.', 'سنة الامتياز للخريجين.'],
    emtyaz_other_faculty: ['The year is of another faculty.', 'السنة تتبع كلية أخرى.'],
    emtyaz_other_bylaw: ['The year is of another bylaw.', 'السنة تتبع لائحة أخرى.'],
    emtyaz_elsewhere: [
      'The graduate is in another internship year, which is not completed.',
      'الخريج ملتحق بسنة امتياز أخرى لم تكتمل.',
    ],
    emtyaz_joined_outside: ['The year lasts from {from} until {until}.', 'تمتد السنة من {from} حتى {until}.'],
    emtyaz_joined_after: ['The first rotation begins on {day}.', 'تبدأ أول دورة في {day}.'],
    emtyaz_with_elsewhere: ['Choose another intern of this year.', 'اختر طبيب امتياز آخر من السنة نفسها.'],
    emtyaz_intern_rotations: ['Take the {count} rotations away first.', 'احذف الدورات أولًا وعددها {count}.'],
    emtyaz_wish_none: ['Wish for electives of this year alone.', 'الرغبات من التدريبات الاختيارية لهذه السنة فقط.'],
    emtyaz_wish_twice: ['Wish for each once.', 'لا تكرر الرغبة.'],
    emtyaz_wish_position: ['Wish for each once.', 'لا تكرر الرغبة.'],
    emtyaz_leave_days: ['It ends after it begins.', 'تنتهي الإجازة بعد بدايتها.'],
    emtyaz_leave_twice: ['There is leave on these days already.', 'توجد إجازة في هذه الأيام بالفعل.'],
    emtyaz_type_missing: ['{name}: {done} of {weeks} weeks.', '{name_local}: {done} من {weeks} أسابيع.'],
    emtyaz_electives_missing: ['Electives: {done} of {needed}.', 'التدريبات الاختيارية: {done} من {needed}.'],
    rotation_no_intern: ['The graduate is not in this internship year.', 'الخريج غير ملتحق بسنة الامتياز هذه.'],
    rotation_training_removed: ['This training is not offered any more.', 'لم يعد هذا التدريب متاحًا.'],
    rotation_withdrawn: ['Nobody is there from {day} on.', 'لا يُتاح التدريب بدءًا من {day}.'],
    rotation_outside_year: ['The year lasts from {from} until {until}.', 'تمتد السنة من {from} حتى {until}.'],
    rotation_before_joining: ['The intern joins on {day}.', 'يلتحق الطبيب في {day}.'],
    rotation_other_bylaw: ['This course is of another bylaw.', 'هذا المقرر يتبع لائحة أخرى.'],
    rotation_twice: ['The intern has this training already.', 'لدى الطبيب هذا التدريب بالفعل.'],
    rotation_days: ['It ends after it begins.', 'تنتهي الدورة بعد بدايتها.'],
    rotation_days_wrong: ['It lasts {weeks} weeks, until {until}.', 'مدتها {weeks} أسابيع حتى {until}.'],
    rotation_nothing_to_make_up: ['Of this training nothing is to be made up.', 'لا يوجد ما يُعوض من هذا التدريب.'],
    rotation_makeup_office: [
      'What makes up for a rotation is entered by the office.',
      'دورات التعويض يضيفها المكتب المختص.',
    ],
    rotation_electives: ['The year has {most} electives.', 'عدد التدريبات الاختيارية في السنة {most}.'],
    rotation_not_asked: [
      'In this year the office plans: nothing is asked for.',
      'التخطيط في هذه السنة للمكتب المختص ولا تُقدم طلبات.',
    ],
    rotation_window: ['It is asked for from {from} until {until}.', 'التقديم من {from} حتى {until}.'],
    rotation_no_period: ['No period of the year is left for it.', 'لم تبق فترة في السنة تتسع له.'],
    rotation_full: ['There is no place on some of these days.', 'لا يوجد مكان في بعض هذه الأيام.'],
    rotation_meanwhile: ['The intern is elsewhere on some of these days.', 'الطبيب في تدريب آخر في بعض هذه الأيام.'],
    rotation_meanwhile_of: [
      'On some of these days the intern is there: {name}.',
      'الطبيب في بعض هذه الأيام في: {name_local}.',
    ],
    rotation_on_leave: [
      'The intern is on leave for {days} of these days, and {most} need not be made up.',
      'الطبيب في إجازة {days} من هذه الأيام، والمسموح بلا تعويض {most}.',
    ],
    rotation_begun: ['It began on {day}: end it early instead.', 'بدأت في {day}: أنهها قبل موعدها بدلًا من ذلك.'],
    rotation_marked_already: ['It is marked already.', 'قُدرت درجتها بالفعل.'],
    rotation_not_running: [
      'Only what was accepted and is not over ends early.',
      'لا تُنهى قبل موعدها إلا دورة مقبولة لم تنته.',
    ],
    rotation_interrupted_day: [
      'The last day there lies between {from} and {until}.',
      'يكون آخر يوم بين {from} و{until}.',
    ],
    rotation_not_interrupted: ['It did not end early.', 'لم تنته الدورة قبل موعدها.'],
    rotation_nobody: ['Nobody is in this rotation.', 'لا يوجد أطباء في هذه الدورة.'],
    rotation_not_over: ['It lasts until {day}.', 'تستمر حتى {day}.'],
    rotation_unmarked: ['Marks to come: {count} ({names}).', 'درجات ناقصة: {count} ({names_local}).'],
    rotation_completed_by: [
      'By these marks {count} completed the year ({names}): open their years again first.',
      'أتم السنة بهذه الدرجات {count} ({names_local}): أعد فتح سنواتهم أولًا.',
    ],
    rotation_submitted: ['The marks of this rotation are submitted.', 'سُلمت درجات هذه الدورة.'],
    rotation_marks_late: [
      'Marks were due on {day}: ask the office.',
      'انتهت مهلة الدرجات في {day}: راجع المكتب المختص.',
    ],
    rotation_points: ['The mark lies between 0 and {most}.', 'تكون الدرجة بين 0 و{most}.'],
    rotation_marked_meanwhile: [
      '{by} has marked {name} meanwhile. Look again.',
      'قدّر {by} درجة {name_local} في هذه الأثناء. راجعها مرة أخرى.',
    ],
    rotation_marked_twice: ['Send each intern once.', 'أرسل كل طبيب مرة واحدة.'],
    rotation_interrupted_unmarked: [
      '{name} left early, and has no mark.',
      'ترك {name_local} الدورة مبكرًا ولا تُقدر له درجة.',
    ],
    rotation_made_up: ['{name} makes up for this rotation already.', 'بدأ {name_local} تعويض هذه الدورة بالفعل.'],
    emtyaz_plan_runs: ['A plan of this year is being looked for already.', 'يجري البحث عن خطة لهذه السنة بالفعل.'],
    emtyaz_plan_over: ['This plan is taken or discarded already.', 'اعتُمدت هذه الخطة أو جرى تجاهلها بالفعل.'],
    emtyaz_plan_nobody: ['Nobody is in this year.', 'لا يوجد أطباء في هذه السنة.'],
    emtyaz_plan_no_trainings: ['No training is offered in this year.', 'لا توجد تدريبات متاحة في هذه السنة.'],
    emtyaz_plan_weeks: [
      '{name} takes {weeks} weeks, and a period has {period}: it must be whole periods.',
      'مدة {name_local} {weeks} أسابيع والفترة {period} أسابيع: يجب أن تكون المدة فترات كاملة.',
    ],
    emtyaz_plan_blocks: [
      '{name} still needs {count} rotations; a plan is made of {most} at most.',
      'لا يزال {name_local} يحتاج إلى {count} من الدورات، والحد الأقصى في الخطة {most}.',
    ],
    emtyaz_plan_trainee: [
      'What is still to be done does not fit into the rest of the year: {count} interns ({names}).',
      'ما تبقى من الدورات لا تتسع له بقية السنة: {count} ({names_local}).',
    ],
    emtyaz_plan_department: [
      '{name} has {places} places in the rest of the year, counted by period, and {needed} are needed.',
      'لدى {name_local} {places} مكانًا في بقية السنة محسوبة بالفترات، والمطلوب {needed}.',
    ],
    emtyaz_plan_period: [
      'In the period from {day} on there are {places} places, and {needed} are needed.',
      'في الفترة التي تبدأ في {day} توجد {places} أماكن والمطلوب {needed}.',
    ],
    emtyaz_plan_lacks: [
      '{name} lacks {count} places from {from} until {until}.',
      'ينقص {name_local} {count} أماكن من {from} حتى {until}.',
    ],
    emtyaz_plan_not_found: [
      'No plan was found in {seconds} seconds. More places, or more time, may help.',
      'لم يُعثر على خطة خلال {seconds} ثانية. قد تفيد زيادة الأماكن أو وقت البحث.',
    ],
    emtyaz_plan_year: [
      'The year or its training types were changed since this plan was made.',
      'عُدلت السنة أو أنواع تدريباتها بعد إعداد هذه الخطة.',
    ],
    emtyaz_plan_rotations: [
      'Rotations of {count} interns were decided on since ({names}).',
      'صدرت منذ ذلك الحين قرارات في دورات {count} من الأطباء ({names_local}).',
    ],
    emtyaz_plan_joined: [
      '{count} interns joined since ({names}).',
      'التحق منذ ذلك الحين {count} من الأطباء ({names_local}).',
    ],
    emtyaz_plan_left: [
      '{count} interns left the year or completed it since.',
      'ترك السنة أو أتمها منذ ذلك الحين {count} من الأطباء.',
    ],
    emtyaz_plan_leave: [
      '{count} interns are on leave or elsewhere on days for which the plan has them ({names}).',
      '{count} من الأطباء في إجازة أو في مكان آخر في أيام تشملها الخطة ({names_local}).',
    ],
    emtyaz_plan_begun: ['{count} of its rotations would have begun already.', '{count} من دوراتها مضى موعد بدايتها.'],
    emtyaz_plan_full: [
      '{name} lacks {count} places in the period from {day} on.',
      'ينقص {name_local} {count} أماكن في الفترة التي تبدأ في {day}.',
    ],
    emtyaz_plan_training: [
      'Trainings for {count} of its rotations are not offered any more.',
      'لم تعد التدريبات متاحة لعدد {count} من دوراتها.',
    ],
  },
})
