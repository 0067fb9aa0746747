import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { absenceCaseCalls, absenceCaseFlow, absenceCaseSteps } from './absences/case.contract.ts'
import { attendanceCalls } from './attendance.calls.contract.ts'
import { excuse, excuseCalls } from './excuses/excuse.contract.ts'

/** Who was at which meeting, and what absences lead to. */
export const attendanceArea = area({
  name: 'attendance',
  label: ['Attendance', 'الحضور'],
  resources: [excuse],
  calls: [attendanceCalls, excuseCalls, absenceCaseCalls, listedCalls(absenceCaseFlow, absenceCaseSteps)],
  screens: [
    screen('/offerings/attendance/:id', {
      permission: ['access_attendance', 'take_attendance'],
      title: ['Attendance', 'الحضور'],
      offline: true,
      parent: '/offering/:id',
      parentOfType: { 1: '/workspace/my_offerings' },
    }),
    screen('/attendance/code/:id/:date', {
      permission: 'take_attendance',
      title: ['Attendance code', 'رمز الحضور'],
      layout: 'full',
    }),
    screen('/attendance/import/:id', {
      permission: 'take_attendance',
      title: ['Attendance from a sheet', 'استيراد الحضور من ملف'],
      parent: '/offerings',
      parentOfType: { 1: '/workspace/my_offerings' },
    }),
    screen('/attend/:code?', {
      permission: 'access_student',
      of: ['student'],
      title: ['Scan an attendance code', 'مسح رمز الحضور'],
      parent: '/my_attendance',
    }),
    screen('/my_attendance', {
      permission: 'access_student',
      of: ['student'],
      title: ['My attendance', 'حضوري'],
      offline: true,
      menu: { group: 'my', order: 25, icon: 'user-check' },
    }),
    screen('/student/attendance/:id', {
      permission: 'access_attendance',
      title: ['Attendance of a student', 'حضور طالب'],
      parent: '/absences',
    }),
    screen('/excuses/:id', {
      permission: 'show_excuse',
      title: ['Excuse', 'عذر'],
      parent: '/excuses',
    }),
    screen('/excuses/edit/:id', {
      permission: 'add_excuse',
      title: ['Edit excuse', 'تعديل عذر'],
      parent: '/excuses',
    }),
    screen('/absences', {
      permission: 'access_attendance',
      title: ['Absences and bans', 'الغياب والحرمان'],
      menu: { group: 'study', order: 720, icon: 'user-x', block: 'teaching' },
    }),
  ],
  noticeGroup: 'time',
  notices: {
    notice_cancelled: {
      title: ['Cancelled meetings', 'مواعيد ملغاة'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_class: {
      title: ['Messages from who teaches', 'رسائل عضو هيئة التدريس'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_restored: {
      title: ['Restored meetings', 'مواعيد أُعيدت'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_made_up: {
      title: ['Meetings held on another day', 'مواعيد عُوّضت في يوم آخر'],
      audience: [1, 3],
      app: 'always',
      mail: 'now',
    },
    notice_warned: {
      title: ['Warnings for absence', 'إنذارات الغياب'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
    notice_proposed: {
      title: ['Proposed bans', 'حالات مقترح حرمانها'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
    notice_decided: {
      title: ['Decisions on absence', 'قرارات الغياب'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
  },
  errors: {
    class_told_twice: [
      'This class was sent the same words less than a minute ago. Nothing was sent again.',
      'أُرسل النص نفسه إلى طلاب هذا الموعد قبل أقل من دقيقة. لم يُرسل مرة أخرى.',
    ],
    class_told_often: [
      'This class was sent {max} messages within a day, which is the most. Say it in class, or write again later.',
      'أُرسل إلى طلاب هذا الموعد {max} رسائل خلال يوم، وهو الحد الأقصى. قل ما تريد في المحاضرة أو اكتب لاحقًا.',
    ],
    occurrence_none: ['There is no meeting on {date}.', 'لا يوجد موعد في {date}.'],
    occurrence_cancelled: [
      'The meeting of {date} is cancelled. Restore it first.',
      'الموعد بتاريخ {date} ملغى. أعِده أولًا.',
    ],
    occurrence_not_cancelled: [
      'Unable to cancel or restore a date: the meeting of {date} is not cancelled.',
      'تعذر إلغاء التاريخ أو إعادته: الموعد بتاريخ {date} ليس ملغى.',
    ],
    occurrence_taken: [
      'Unable to cancel or restore a date: the meeting of {date} took place, attendance is recorded for {count} students.',
      'تعذر إلغاء التاريخ أو إعادته: عُقد موعد {date} وسُجل حضور {count} من الطلاب.',
    ],
    occurrence_made_up: [
      'Unable to cancel or restore a date: the meeting of {date} is held on {on} instead. Cancel that one first.',
      'تعذر إلغاء التاريخ أو إعادته: عُوّض موعد {date} في {on}. ألغِ ذلك الموعد أولًا.',
    ],
    make_up_of_make_up: [
      'The meeting of {date} makes up another one: choose a day for the one that was cancelled first.',
      'موعد {date} تعويض لموعد آخر: اختر يومًا للموعد الملغى أصلًا.',
    ],
    make_up_past: ['{date} is over. Choose today or a later day.', 'مضى يوم {date}. اختر اليوم أو يومًا لاحقًا.'],
    make_up_outside_term: ['The term lasts from {start} to {end}.', 'الفصل الدراسي من {start} إلى {end}.'],
    make_up_exam_week: [
      '{date} lies in the exam week from {from} to {to}.',
      'يقع {date} في أسبوع الامتحانات من {from} إلى {to}.',
    ],
    make_up_no_teaching: ['There is no teaching on {date}.', 'لا دراسة في {date}.'],
    make_up_same_day: [
      'This meeting takes place on {date} anyway. Choose another day.',
      'هذا الموعد يُعقد في {date} أصلًا. اختر يومًا آخر.',
    ],
    make_up_room_small: [
      '{room} has {capacity} places, {seats} students come.',
      'تسع {room_local} {capacity}، وعدد الطلاب {seats}.',
    ],
    make_up_room_taken: ['{room} is taken by {by} at that time.', '{room_local} مشغولة بـ {by} في ذلك الوقت.'],
    make_up_instructor_busy: [
      '{instructor} teaches {by} at that time.',
      'لدى {instructor_local} موعد {by} في ذلك الوقت.',
    ],
    make_up_students_busy: [
      'Students who have {by} at that time: {students}.',
      'طلاب لديهم {by} في ذلك الوقت: {students}.',
    ],
    occurrence_to_come: ['The meeting of {date} is still to come.', 'لم يحن موعد موعد {date} بعد.'],
    attendance_submitted: [
      'The marks of the course are with control: attendance does not change any more.',
      'درجات المقرر لدى الكنترول، فلا يتغير الحضور بعد ذلك.',
    ],
    attendance_not_in_meeting: ['The student does not come to this meeting.', 'الطالب ليس من طلاب هذا الموعد.'],
    attendance_word: [
      '“{text}” is none of: present, late, absent, excused.',
      '«{text}» ليست من: حاضر، متأخر، غائب، معذور.',
    ],
    attendance_no_dates: [
      'No column is a date of the meeting. Start from the exported sheet.',
      'لا يوجد عمود بتاريخ من تواريخ الموعد. ابدأ من الملف المصدَّر.',
    ],
    attendance_device: [
      'Another student was counted with this device. Each student scans with the own device, or the instructor marks you.',
      'سُجل طالب آخر من هذا الجهاز. يمسح كل طالب الرمز من جهازه، أو يسجلك عضو هيئة التدريس.',
    ],
    location_networks: [
      'Networks are written like 10.20.0.0/16, separated by commas.',
      'تُكتب الشبكات هكذا: 10.20.0.0/16، تفصل بينها فواصل.',
    ],
    code_only_today: [
      'Codes are shown on the day of the meeting: {date}. Use the list for other days.',
      'يُعرض الرمز في يوم الموعد نفسه: {date}. استخدم القائمة للأيام الأخرى.',
    ],
    scan_unknown: [
      'This is no code of one of your meetings. Scan the code on the screen of the room.',
      'هذا الرمز ليس من رموز مواعيدك. امسح الرمز المعروض في القاعة.',
    ],
    scan_no_student: ['Codes are scanned by students.', 'يمسح الرمزَ الطلابُ فقط.'],
    scan_not_registered: ['You are not registered in {course}.', 'لست مسجلًا في {course_local}.'],
    scan_other_group: [
      'You attend {course} with another group. Ask the instructor to mark you, or change the group.',
      'تحضر {course_local} مع مجموعة أخرى. اطلب من عضو هيئة التدريس تسجيلك أو غيّر المجموعة.',
    ],
    scan_cancelled: ['This meeting of {course} is cancelled.', 'هذا الموعد من {course_local} ملغى.'],
    scan_counted: ['You are counted in {course} already.', 'سُجل حضورك في {course_local} بالفعل.'],
    scan_closed: [
      'No code of {course} is shown now. Ask the instructor.',
      'لا يُعرض رمز حضور {course_local} الآن. اسأل عضو هيئة التدريس.',
    ],
    scan_old: ['The code has changed. Scan the one that is shown now.', 'تغيّر الرمز. امسح الرمز المعروض الآن.'],
    scan_network: [
      'Codes of this room are scanned in its network. Join the Wi-Fi of the university and scan again.',
      'يُمسح رمز هذه القاعة من شبكتها. اتصل بشبكة الجامعة وامسح الرمز مجددًا.',
    ],
    ban_not_registered: [
      'The student is no longer registered in {course}: there is nothing to ban from.',
      'لم يعد الطالب مسجلًا في {course}، فلا محل للحرمان.',
    ],
    bylaws_absence_order: [
      'The warning comes before the ban: its share is not larger.',
      'الإنذار يسبق الحرمان، فلا تزيد نسبته عليه.',
    ],
    excuse_no_course: ['There is no course to be excused from in this term.', 'لا يوجد مقرر في هذا الفصل يُعتذر عنه.'],
    excuse_course_left: [
      '{course} is not taken any more: there is nothing to be excused from.',
      'لم يعد {course} مسجلًا، فلا محل للعذر.',
    ],
    excuse_submitted: [
      'The marks of {course} are with control: an excuse changes nothing there any more.',
      'درجات {course} لدى الكنترول، فلا يغيّر العذر فيها شيئًا.',
    ],
    excuse_course_missing: ['Choose the course.', 'اختر المقرر.'],
    excuse_days_missing: ['Say from which day to which.', 'حدد أول يوم وآخر يوم.'],
    excuse_days_order: ['The last day does not come before the first.', 'لا يسبق آخر يوم أولَه.'],
    excuse_days_outside: [
      'The days lie outside the term: {start} to {end}.',
      'الأيام خارج الفصل الدراسي: من {start} إلى {end}.',
    ],
    excuse_window_closed: ['The window of excuses is closed.', 'مرحلة الأعذار مغلقة.'],
    excuse_outside_reason: [
      'The window of excuses is closed: say why it is asked for now.',
      'مرحلة الأعذار مغلقة: اذكر سبب تقديم العذر الآن.',
    ],
    excuse_asked_twice: ['This was asked for already.', 'سبق تقديم هذا العذر.'],
    excuse_decided: ['The excuse is decided: it does not change any more.', 'بُت في العذر، فلا يُعدل.'],
    excuse_days: [
      'An excuse lasts 120 days at most, and its days are those of an absence or an exam.',
      'لا يتجاوز العذر 120 يومًا، والأيام لعذر الغياب أو الامتحان.',
    ],
    excuse_course: ['The kind of excuse and its course do not fit.', 'نوع العذر لا يوافق المقرر.'],
  },
})
