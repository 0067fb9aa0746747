import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { placeBasis } from './basis.contract.ts'
import { exam, examCalls, examFlow, examSteps } from './exams/exam.contract.ts'
import { accommodationBasis, examAccommodation } from './accommodations/accommodation.contract.ts'
import { examBoardCalls } from './board/board.contract.ts'
import { publishingCalls } from './publishing/publishing.contract.ts'
import { examPlacementCalls } from './placement/placement.contract.ts'
import { scheduleCalls } from './schedules/lists.contract.ts'
import { examSchedule } from './schedules/schedule.contract.ts'

/** Exams: which offering is examined when, where and under whose eyes. */
export const examsArea = area({
  name: 'exams',
  label: ['Exams', 'الامتحانات'],
  resources: [exam, examSchedule, examAccommodation],
  basis: [placeBasis, accommodationBasis],
  calls: [
    examCalls,
    scheduleCalls,
    examBoardCalls,
    examPlacementCalls,
    publishingCalls,
    listedCalls(examFlow, examSteps),
  ],
  screens: [
    screen('/my_exams', {
      permission: 'show_my_schedule',
      of: ['student', 'instructor'],
      title: ['My exams', 'امتحاناتي'],
      offline: true,
      menu: { group: 'home', order: 22, icon: 'writing' },
    }),
    screen('/exams/board/:id', {
      permission: 'access_examSchedule',
      title: ['Board of an exam', 'لوحة الامتحان'],
      parent: '/exams',
    }),
    screen('/offering/exams_schedules/add/:examId?', {
      permission: 'add_examSchedule',
      title: ['Add exam schedule of an offering', 'إضافة موعد امتحان لمقرر'],
      parent: '/exams_schedules',
    }),
    screen('/offering/exams_schedules/edit', {
      permission: 'edit_examSchedule',
      title: ['Exam schedules of an offering', 'مواعيد امتحانات مقرر'],
      parent: '/exams_schedules',
    }),
  ],
  noticeGroup: 'time',
  notices: {
    notice_published: {
      title: ['Published exams', 'جداول امتحانات نُشرت'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_reopened: {
      title: ['Exams planned anew', 'جداول امتحانات يُعاد وضعها'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
  },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    exam_day_twice: ['This day stands here already.', 'هذا اليوم مذكور بالفعل.'],
    exam_time_twice: ['This slot stands here already.', 'هذه الفترة مذكورة بالفعل.'],
    exam_hall_twice: ['This hall stands here already.', 'هذه القاعة مذكورة بالفعل.'],
    exam_closures_one: ['Choose a location or an instructor, not both.', 'اختر قاعة أو عضو هيئة تدريس، لا كليهما.'],
    exam_relations_other: ['Choose the other offering.', 'اختر المقرر الآخر.'],
    exam_relations_self: ['Choose two different offerings.', 'اختر مقررين مختلفين.'],
    exam_hall_small: ['The hall has fewer seats.', 'مقاعد القاعة أقل من ذلك.'],
    exam_hall_planned: ['More seats of this hall are planned already.', 'خُطط لمقاعد أكثر في هذه القاعة بالفعل.'],
    exam_hall_full: ['The hall has no more seats at this time.', 'لا تكفي مقاعد القاعة في هذا الموعد.'],
    exam_schedules_day: ['It is not a day of the exam.', 'ليس هذا اليوم من أيام الامتحان.'],
    exam_schedules_time: ['It is not a slot of the exam.', 'ليست هذه الفترة من فترات الامتحان.'],
    exam_schedules_placed: ['Give day and slot, or neither.', 'حدد اليوم والفترة معًا أو اتركهما.'],
    exam_schedule_locations_hall: ['It is not a hall of the exam.', 'ليست هذه القاعة من قاعات الامتحان.'],
    exam_schedule_location_twice: ['This hall stands here already.', 'هذه القاعة مذكورة بالفعل.'],
    exam_schedule_instructors_hall: ['The exam is not held in this hall.', 'لا يُعقد الامتحان في هذه القاعة.'],
    exam_invigilator_repeated: [
      'Ensure the selected user does not already exist: this person invigilates here already.',
      'تأكد أن المستخدم المختار غير موجود بالفعل: هذا المراقب مكلف هنا.',
    ],
    exam_invigilator_elsewhere: [
      'This person invigilates in another hall at this time.',
      'هذا المراقب مكلف في قاعة أخرى في هذا الموعد.',
    ],
    exam_offering_twice: ['The exam covers this offering already.', 'الامتحان يشمل هذا المقرر بالفعل.'],
    exam_not_placed: ['Choose day and slot first.', 'حدد اليوم والفترة أولًا.'],
    exam_schedule_fixed: ['A schedule keeps its offering and exam.', 'لا يتغير مقرر الموعد ولا امتحانه.'],
    exam_published: ['The exam is published. Reopen it first.', 'الامتحان منشور، أعد فتحه أولًا.'],
    exam_schedule_locked: ['It is locked: it stays where it is.', 'الموعد مقفل فيبقى كما هو.'],
    exam_student_clash: ['Students would have two exams at the same time.', 'سيكون لدى طلاب امتحانان في الوقت نفسه.'],
    exam_same_time: [
      'Exams at the same time: {course}, for {count} of its students: {students}',
      'امتحانات في الوقت نفسه: {course}، لعدد {count} من طلابه: {students}',
    ],
    exam_students_taught: [
      '{count} of its students have {course} at {starts}: {students}. Enter an exam week, or choose another time.',
      'لدى {count} من طلابه {course} في {starts}: {students}. أدخل أسبوع امتحانات أو اختر موعدًا آخر.',
    ],
    exam_same_day: [
      'Exams on the same day: {course}, for {count} of its students: {students}',
      'امتحانات في اليوم نفسه: {course}، لعدد {count} من طلابه: {students}',
    ],
    exam_hall_over: [
      '{hall} has {free} free seats then, {wanted} are wanted.',
      'المقاعد الخالية في {hall} حينها {free}، والمطلوب {wanted}.',
    ],
    exam_too_long: ['It lasts {minutes} minutes, the slot {slot}.', 'مدته {minutes} دقيقة، ومدة الفترة {slot}.'],
    exam_accommodation_nothing: ['Grant more time, or a room alone.', 'امنح وقتًا إضافيًا أو قاعة بمفرده.'],
    exam_accommodation_helper: [
      'A reader or a scribe disturbs others: grant a room alone as well.',
      'القارئ أو الكاتب يزعج غيره: امنح الطالب قاعة بمفرده أيضًا.',
    ],
    exam_accommodation_order: ['The last term lies before the first.', 'آخر فصل قبل أول فصل.'],
    exam_accommodation_there: [
      'The student has an accommodation from {from} on for one of these terms: change that one.',
      'للطالب تيسير يبدأ من {from} في أحد هذه الفصول: عدّله.',
    ],
    exam_accommodation_twice: [
      'The student has an accommodation for one of these terms already.',
      'للطالب تيسير في أحد هذه الفصول بالفعل.',
    ],
    exam_student_longer: [
      'A student with more time would still write one exam when the other begins.',
      'سيبقى طالب له وقت إضافي يؤدي امتحانًا حين يبدأ الآخر.',
    ],
    exam_students_longer: [
      '{count} of its students have more time: they would still write one exam when the other begins ({course}, {starts}): {students}',
      'لعدد {count} من طلابه وقت إضافي: سيبقون في امتحان حين يبدأ الآخر ({course}، {starts}): {students}',
    ],
    exam_hall_longer: [
      'Somebody who has more time still writes in the hall then.',
      'ما زال في القاعة حينها طالب له وقت إضافي.',
    ],
    exam_room_alone: ['The hall is kept for one student alone then.', 'القاعة محجوزة حينها لطالب بمفرده.'],
    exam_seat_room: ['The room is kept for a student who sits alone.', 'القاعة محجوزة لطالب يجلس بمفرده.'],
    exam_rooms_lacking: [
      'Halls are lacking for {count} students who sit alone: none of the exam is free and holds nobody else. Add a small hall to the exam, or choose another time.',
      'تنقص قاعات لعدد {count} من الطلاب يجلس كل منهم بمفرده: لا قاعة خالية في الامتحان. أضف قاعة صغيرة أو اختر موعدًا آخر.',
    ],
    exam_hall_next: [
      '{hall}: {course} begins there at {starts}, and those with more time write until {until}.',
      '{hall}: يبدأ فيها {course} في {starts}، ومن له وقت إضافي يبقى حتى {until}.',
    ],
    exam_hall_held_lacking: [
      'No hall of it holds the {count} students who have more time.',
      'لا تتسع قاعة من قاعاته لعدد {count} من الطلاب ذوي الوقت الإضافي.',
    ],
    exam_invigilator_longer: [
      '{instructor} has another duty at {starts}, and those with more time write until {until}.',
      'على {instructor} مراقبة أخرى في {starts}، ومن له وقت إضافي يبقى حتى {until}.',
    ],
    exam_plan_longer: [
      '{count} students with more time would still write {course} when {other} begins.',
      'سيبقى {count} من الطلاب ذوي الوقت الإضافي في {course} حين يبدأ {other}.',
    ],
    exam_accommodations_lacking: [
      'What students were granted is not held (more time, a room alone): {count}. See the outdated decisions.',
      'لم يُحجز ما مُنح لطلاب (وقت إضافي أو قاعة بمفرده): {count}. انظر القرارات المتقادمة.',
    ],
    exam_closed_then: ['Nothing is held then.', 'لا تُعقد امتحانات في هذا الموعد.'],
    exam_other_part: [
      'The offering is of another term or faculty than the exam.',
      'المقرر من فصل أو كلية غير فصل الامتحان وكليته.',
    ],
    exam_invigilator_own_exam: [
      '{instructor} teaches {course}, which is examined at this time.',
      '{instructor} يدرّس {course} وامتحانه في هذا الموعد.',
    ],
    exam_invigilator_teaching: [
      '{instructor} teaches {course} at this time.',
      '{instructor} يدرّس {course} في هذا الموعد.',
    ],
    exam_invigilator_away: ['{instructor} is not available then.', '{instructor} غير متاح حينها.'],
    exam_needs_slots: ['Give the exam days, slots and halls first.', 'حدد للامتحان أيامًا وفترات وقاعات أولًا.'],
    exam_placement_runs: ['Automatic placement is running.', 'التوزيع التلقائي جارٍ الآن.'],
    exam_placement_locked: [
      'Automatic placement is not allowed for all tables: all of them are locked or have begun. Unlock one first.',
      'التوزيع التلقائي غير مسموح لكل الجداول: كلها مقفلة أو بدأت. افتح قفل أحدها أولًا.',
    ],
    exam_placement_over: ['This run is over.', 'انتهى هذا التوزيع.'],
    exam_plan_moved: [
      'Meanwhile {by} moved: {exams} (number: {count}). Place again, or repair.',
      'في هذه الأثناء نقل {by}: {exams} (العدد: {count}). أعد التوزيع أو أصلحه.',
    ],
    exam_plan_locked: [
      'Meanwhile {by} locked, where the plan moves it: {exams} (number: {count}).',
      'في هذه الأثناء قفل {by} ما ينقله التوزيع: {exams} (العدد: {count}).',
    ],
    exam_plan_added: [
      'Put into the exam meanwhile, and not in the plan: {exams} (number: {count}).',
      'أُدرجت في الامتحان في هذه الأثناء وليست في التوزيع: {exams} (العدد: {count}).',
    ],
    exam_plan_lost: [
      'Their day, slot or hall is no longer one of the exam: {exams} (number: {count}).',
      'لم يعد يومها أو فترتها أو قاعتها من الامتحان: {exams} (العدد: {count}).',
    ],
    exam_plan_incomplete: [
      'They have no place in the plan: {exams} (number: {count}).',
      'لا مكان لها في التوزيع: {exams} (العدد: {count}).',
    ],
    exam_plan_clash: [
      '{course} and {other} would be at the same time, with {count} students in common.',
      'سيكون {course} و{other} في الوقت نفسه، والطلاب المشتركون {count}.',
    ],
    exam_plan_hall_full: [
      '{hall} on {day}: {wanted} would sit there, and it has {seats} seats.',
      '{hall} يوم {day}: سيجلس فيها {wanted} ومقاعدها {seats}.',
    ],
    exam_plan_hall_closed: [
      '{hall} on {day}: it is not available then, and {wanted} would sit there.',
      '{hall} يوم {day}: غير متاحة حينها، وسيجلس فيها {wanted}.',
    ],
    exam_plan_taught: [
      '{course} on {day}: {count} of its students have a meeting then.',
      '{course} يوم {day}: لدى {count} من طلابه موعد دراسي حينها.',
    ],
    exam_plan_no_seat: [
      '{course}: its halls lack seats for {count} students. Repair the plan.',
      '{course}: تنقص قاعاته مقاعد لعدد {count} من الطلاب. أصلح التوزيع.',
    ],
    exam_plan_broken: [
      'They stand against a condition of the exam (time, length, order, other exams of their students): {exams} (number: {count}).',
      'تخالف شرطًا من شروط الامتحان (الموعد أو المدة أو الترتيب أو امتحانات أخرى لطلابها): {exams} (العدد: {count}).',
    ],
    exam_is_over: ['All of it was held, the last on {day}.', 'عُقد كله، وآخره يوم {day}.'],
    exam_has_absences: ['Absences are recorded: {count}', 'سُجلت حالات غياب: {count}'],
    exam_has_cases: ['Investigations were opened: {count}', 'فُتحت تحقيقات: {count}'],
    exam_has_deliveries: ['Papers were handed out: {count}', 'سُلّمت أوراق: {count}'],
    exam_schedule_held: [
      'It was held, and absences or investigations are recorded: it stays where it was.',
      'عُقد الامتحان وسُجل فيه غياب أو تحقيق، فيبقى في موعده.',
    ],
    exam_day_used: [
      'Exams are planned on {name}: {count}. Move them first.',
      'امتحانات مجدولة يوم {name}: {count}. انقلها أولًا.',
    ],
    exam_slot_used: [
      'Exams are planned in {name}: {count}. Move them first.',
      'امتحانات مجدولة في {name}: {count}. انقلها أولًا.',
    ],
    exam_hall_used: [
      'Exams are planned in {name}: {count}. Say that it is not available, and repair the plan, first.',
      'امتحانات مجدولة في {name}: {count}. سجّل أنها غير متاحة ثم أصلح التوزيع أولًا.',
    ],
    exam_closures_every_day: [
      'Choose a day, or a location or an instructor that is not available on any day.',
      'اختر يومًا، أو قاعة أو عضو هيئة تدريس غير متاح في أي يوم.',
    ],
    exam_hall_closed: ['{hall} is not available then.', '{hall} غير متاحة حينها.'],
    exam_hall_teaching: ['{course} is taught in {hall} then, by {by}.', 'يُدرَّس {course} في {hall} حينها: {by}.'],
    exam_hall_meeting: [
      'An exam and a meeting would be in one hall then: choose another one.',
      'سيجتمع امتحان وموعد دراسي في قاعة واحدة حينها: اختر قاعة أخرى.',
    ],
    exam_halls_teaching: [
      'Meetings are held in the halls of {count} exams then: enter an exam week, or repair the plan first.',
      'تُعقد مواعيد في قاعات عدد {count} من الامتحانات حينها: أدخل أسبوع امتحانات أو أصلح التوزيع أولًا.',
    ],
    exam_invigilators_released: [
      'Who cannot be there then does not invigilate any more: {instructors}',
      'لم يعد يراقب من لا يستطيع الحضور حينها: {instructors}',
    ],
    exam_why_too_few_slots: [
      'Each of these has students in common with each other, and there are {slots} slots: {exams}',
      'لكل منها طلاب مشتركون مع الآخر، والفترات {slots} فقط: {exams}',
    ],
    exam_why_exam_too_large: [
      '{exams}: {writers} write it, all halls together have {seats} seats.',
      '{exams}: عدد الممتحنين {writers}، ومقاعد كل القاعات {seats}.',
    ],
    exam_why_exam_too_long: [
      '{exams}: no slot is as long as {minutes} minutes.',
      '{exams}: لا توجد فترة مدتها {minutes} دقيقة.',
    ],
    exam_why_no_slot: ['{exams}: there is no slot in which it may be.', '{exams}: لا توجد فترة متاحة له.'],
    exam_why_locked_clash: [
      '{exams}: both are locked at the same time, with {students} students in common.',
      '{exams}: كلاهما مقفل في الوقت نفسه، والطلاب المشتركون {students}.',
    ],
    exam_why_locked_hall: [
      '{exams}: locked on {day} in a hall that has {seats} seats then.',
      '{exams}: مقفلة يوم {day} في قاعة مقاعدها حينها {seats}.',
    ],
    exam_why_locked_order: ['{exams}: locked against their order.', '{exams}: مقفلة بعكس ترتيبها.'],
    exam_why_order_in_a_ring: ['{exams}: each is to come after the other.', '{exams}: كل منها يجب أن يلي الآخر.'],
    exam_why_order_too_long: [
      '{exams}: one after the other, they need more than {slots} slots.',
      '{exams}: تحتاج متتابعةً إلى أكثر من {slots} فترة.',
    ],
    exam_why_together_and_apart: [
      '{exams}: to be held together, and never together.',
      '{exams}: مطلوبة معًا وممنوعة معًا.',
    ],
    exam_why_too_few_invigilators: [
      '{exams}: needs {needed} invigilators, {staff} are available at once.',
      '{exams}: يحتاج إلى {needed} من المراقبين، والمتاح في وقت واحد {staff}.',
    ],
    exam_why_too_few_seats: [
      'All exams need {needed} seats, all slots together have {seats}.',
      'تحتاج كل الامتحانات إلى {needed} مقعدًا، وفي كل الفترات {seats}.',
    ],
    exam_has_schedule: [
      'The exam has a schedule: take its exams off the board first.',
      'للامتحان جدول: أخرج مواعيده من اللوحة أولًا.',
    ],
    location_capacity_exams: ['An exam uses more seats of this hall.', 'يستخدم امتحان مقاعد أكثر في هذه القاعة.'],
    exam_covers_nothing: ['The exam covers no offering.', 'لا يشمل الامتحان أي مقرر.'],
    exam_unplaced: ['Without day and slot: {count}', 'مقررات بلا موعد: {count}'],
    exam_unseated: ['Students without a seat in a hall: {count}', 'طلاب بلا مقعد في قاعة: {count}'],
  },
})
