import { area, screen } from '#kit/contract/index.ts'
import { meetingBoardCalls } from './board/board.contract.ts'
import { calendarCalls, calendarEvent } from './calendars/calendar.contract.ts'
import { examWeek } from './exam-weeks/exam-week.contract.ts'
import { examSlot, examSlotCalls } from './exam-slots/exam-slot.contract.ts'
import { feedCalls } from './feeds/feed.contract.ts'
import { officeHour } from './office-hours/office-hour.contract.ts'
import { buildingDistance } from './places/distance.contract.ts'
import { building, location, placeCalls } from './places/place.contract.ts'
import { slot, roomSlotCalls } from './slots/slot.contract.ts'
import { timetableCalls } from './timetables/timetable.contract.ts'
import { officeHoursOfInstructor, weekOfInstructor } from '#areas/people/people/outlets.contract.ts'

/** Time slots, places and weekly timetables. */
export const schedulingArea = area({
  name: 'scheduling',
  label: ['Time, places and timetables', 'الأوقات والأماكن والجداول'],
  fills: [officeHoursOfInstructor, weekOfInstructor],
  resources: [slot, examSlot, building, location, buildingDistance, calendarEvent, examWeek, officeHour],
  calls: [roomSlotCalls, examSlotCalls, placeCalls, timetableCalls, calendarCalls, meetingBoardCalls, feedCalls],
  screens: [
    screen('/schedule-settings', {
      permission: 'accessScheduleSettings_administration',
      title: ['Schedule settings', 'إعدادات الجداول'],
      menu: { group: 'settings', order: 30, icon: 'clock', setup: true },
    }),
    screen('/schedules', {
      permission: 'access_schedule',
      title: ['Timetables', 'الجداول'],
      menu: {
        group: 'study',
        order: 705,
        icon: 'calendar-week',
        block: 'teaching',
        subject: 'timetables',
        only: ['edit_offering_slots', 'access_offering'],
      },
    }),
    screen('/offerings/my_schedule/:id?', {
      permission: 'show_my_schedule',
      of: ['student', 'instructor'],
      title: ['My timetable', 'جدولي'],
      offline: true,
      menu: { group: 'home', order: 20, icon: 'calendar-time' },
    }),
    screen('/schedules/board', {
      permission: 'edit_offering_slots',
      title: ['Move meetings', 'نقل المواعيد'],
      menu: { group: 'study', order: 710, icon: 'arrows-move', block: 'teaching', subject: 'timetables' },
    }),
    screen('/calendar', {
      permission: 'signed_in',
      title: ['Calendar', 'التقويم'],
      menu: { group: 'home', order: 21, icon: 'calendar-month' },
    }),
    screen('/location/schedule/:id', {
      permission: 'access_schedule',
      title: ['Timetable of a location', 'جدول قاعة'],
      parent: '/schedules',
    }),
    screen('/instructor/schedule/:id', {
      permission: ['access_schedule', 'show_my_schedule'],
      title: ['Timetable of an instructor', 'جدول عضو هيئة تدريس'],
      parent: '/schedules',
    }),
    screen('/student/schedule/:id', {
      permission: ['access_schedule', 'show_my_schedule'],
      title: ['Timetable of a student', 'جدول طالب'],
      parent: '/schedules',
    }),
    screen('/offerings/schedule/:id', {
      permission: 'access_schedule',
      title: ['Timetable of an offering', 'جدول مقرر مطروح'],
      parent: '/schedules',
    }),
  ],
  noticeGroup: 'time',
  notices: {
    notice_moved: {
      title: ['A meeting was moved', 'نقل موعد'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_moved_several: {
      title: ['Several meetings were moved', 'نقل عدة مواعيد'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
  },
  // The first two are named like the constraints of the table that guard them.
  errors: {
    slots_regular_order: ['A time slot ends after it begins.', 'تنتهي الفترة بعد أن تبدأ.'],
    slots_ramadan_order: [
      'In Ramadan, too, a time slot ends after it begins.',
      'في رمضان أيضًا تنتهي الفترة بعد أن تبدأ.',
    ],
    exam_slots_regular_order: ['An exam slot ends after it begins.', 'تنتهي فترة الامتحان بعد أن تبدأ.'],
    exam_slots_ramadan_order: [
      'In Ramadan, too, an exam slot ends after it begins.',
      'في رمضان أيضًا تنتهي فترة الامتحان بعد أن تبدأ.',
    ],
    location_capacity_planned: [
      '{course} is planned here with {seats} places, more than {capacity}. Move it, or plan fewer places.',
      'خُطط هنا للمقرر {course} بعدد {seats} مكانًا، وهو أكثر من {capacity}. انقله أو قلّل الأماكن.',
    ],
    building_distance_self: ['Choose two different buildings.', 'اختر مبنيين مختلفين.'],
    building_distance_twice: [
      'The way between these buildings stands here already: change it.',
      'المسافة بين هذين المبنيين مذكورة بالفعل: عدّلها.',
    ],
    office_hours_order: ['An office hour ends after it begins.', 'تنتهي الساعة المكتبية بعد أن تبدأ.'],
    office_hours_place: ['Say where: a location or a place.', 'حدد المكان: قاعة أو مكانًا.'],
    office_hours_overlap: ['There is another office hour at this time.', 'توجد ساعة مكتبية أخرى في هذا الوقت.'],
    office_hour_teaching: ['{course} is taught at this time.', 'يُدرَّس {course} في هذا الوقت.'],
    office_hour_room: ['{room} is taken at this time by {course}.', 'القاعة {room} مشغولة في هذا الوقت بـ {course}.'],
    move_room_taken: ['{course}: {room} is taken then by {by}.', '{course}: القاعة {room} مشغولة حينها بـ {by}.'],
    move_room_small: [
      '{course}: {room} has {capacity} places, {seats} are planned.',
      '{course}: سعة القاعة {room} هي {capacity}، والمخطط {seats} مكانًا.',
    ],
    move_room_unknown: ['{course}: this room does not exist any more.', '{course}: هذه القاعة لم تعد موجودة.'],
    move_period_unknown: ['{course}: this time slot does not exist any more.', '{course}: هذه الفترة لم تعد موجودة.'],
    move_instructor_busy: ['{course}: {instructor} teaches {by} then.', '{course}: {instructor} يدرّس {by} حينها.'],
    move_students_busy: [
      '{course}: {students} of its students have {by} then.',
      '{course}: لدى {students} من طلابه {by} حينها.',
    ],
    move_group_overlaps: [
      '{course}: nobody could attend everything in group {group}.',
      '{course}: لا يمكن حضور كل مواعيد المجموعة {group}.',
    ],
    move_meanwhile: [
      '{by} has moved {course} meanwhile: {day}, {slot}, {place}. Look at it again.',
      'نقل {by} موعد {course} في هذه الأثناء إلى: {day}، {slot}، {place}. راجعه من جديد.',
    ],
    move_term_over: ['{term} is over; its timetable stays as it was.', 'انتهى {term}، فيبقى جدوله كما كان.'],
    move_one_term: ['Move meetings of one term at a time.', 'انقل مواعيد فصل واحد في كل مرة.'],
    move_twice: ['A meeting is moved to one place.', 'يُنقل الموعد إلى مكان واحد.'],
    calendar_events_order: ['The last day is not before the first.', 'لا يسبق آخر يوم أول يوم.'],
    calendar_events_length: ['An entry lasts for a year at most.', 'لا تزيد مدة المناسبة على سنة.'],
    calendar_events_hours: ['Give both times, or neither.', 'أدخل وقتي البداية والنهاية معًا أو اتركهما.'],
    calendar_events_hours_order: ['It ends after it begins.', 'تنتهي بعد أن تبدأ.'],
    calendar_events_faculty: [
      'Choose a faculty for its own calendar; entries of the university and of Ramadan are for all.',
      'اختر الكلية في تقويم الكلية، أما مناسبات الجامعة ورمضان فهي للجميع.',
    ],
    calendar_events_teaching: [
      'Only entries of the university, of a faculty and of students take lectures away.',
      'لا توقف المحاضرات إلا مناسبات الجامعة أو الكلية أو الطلاب.',
    ],
    calendar_events_whole_days: [
      'Lectures are held on a day or not: leave the times empty.',
      'تُعقد المحاضرات في اليوم كله أو تتوقف كله، فاترك الوقت فارغًا.',
    ],
    exam_week_order: ['The last day is not before the first.', 'لا يسبق آخر يوم أول يوم.'],
    exam_week_length: ['An exam week lasts for 60 days at most.', 'لا تزيد مدة أسبوع الامتحانات على 60 يومًا.'],
    exam_week_outside_term: [
      'An exam week begins in its term: {name}, {start_date} to {end_date}.',
      'يبدأ أسبوع الامتحانات داخل فصله الدراسي: {name}، من {start_date} إلى {end_date}.',
    ],
    exam_week_there: [
      'There is an exam week of the same faculty and level from {from} to {to}: change that one.',
      'يوجد أسبوع امتحانات للكلية والمستوى نفسيهما من {from} إلى {to}: عدّله هو.',
    ],
    exam_week_twice: [
      'Somebody has just entered an exam week of the same faculty and level on these days.',
      'أُدخل للتو أسبوع امتحانات للكلية والمستوى نفسيهما في هذه الأيام.',
    ],
    exam_weeks_level: ['Levels are 0 to 7.', 'المستويات من 0 إلى 7.'],
    move_room_exam: [
      '{course}: {room} holds the exam of {by} on {date}.',
      '{course}: يُعقد في القاعة {room} امتحان {by} يوم {date}.',
    ],
    move_instructor_exam: [
      '{course}: {instructor} invigilates {by} on {date}.',
      '{course}: {instructor} يراقب امتحان {by} يوم {date}.',
    ],
    move_students_exam: [
      '{course}: {students} of its students sit {by} on {date}.',
      '{course}: لدى {students} من طلابه امتحان {by} يوم {date}.',
    ],
    ramadan_not_changed: ['Failed to update Ramadan time', 'تعذر تحديث توقيت رمضان'],
  },
})
