import { logbookOfIntern } from '#areas/practice/internship/outlets.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { logbookCalls, logbookEntry, logbookFlow, logbookSteps } from './entries/entry.contract.ts'
import { patientTexts } from './entries/patient.contract.ts'
import { dutyKind, rosterCalls } from './roster/roster.contract.ts'
import { dutySwap, dutySwapFlow, dutySwapSteps } from './swaps/swap.contract.ts'
import { logbookType } from './types/type.contract.ts'

/** Logbook and duties of the internship year: what interns saw and did, who was there, and who is on duty when. */
export const logbookArea = area({
  name: 'logbook',
  label: ['Logbook and duties', 'سجل المهارات والنوبتجيات'],
  fills: [logbookOfIntern],
  resources: [logbookType, logbookEntry, dutyKind, dutySwap],
  calls: [logbookCalls, listedCalls(logbookFlow, logbookSteps), rosterCalls, listedCalls(dutySwapFlow, dutySwapSteps)],
  screens: [
    screen('/emtyaz/logbook', {
      permission: 'write_logbook',
      of: ['student'],
      title: ['My logbook', 'سجل مهاراتي'],
      menu: { group: 'services', order: 75, icon: 'notebook', subject: 'internship' },
      offline: true,
    }),
    screen('/emtyaz/logbook/confirm/:uuid', {
      permission: 'confirm_logbook',
      title: ['Confirm an entry', 'تأكيد قيد'],
      parent: '/emtyaz/logbooks',
    }),
    screen('/emtyaz/logbooks/interns', {
      permission: 'access_logbook',
      title: ['Progress of logbooks', 'تقدم السجلات'],
      parent: '/emtyaz/logbooks',
    }),
    screen('/emtyaz/logbooks/interns/:id', {
      permission: 'access_logbook',
      title: ['Logbook of an intern', 'سجل طبيب امتياز'],
      parent: '/emtyaz/logbooks/interns',
    }),
    screen('/emtyaz/duties', {
      permission: 'wish_duty',
      of: ['student'],
      title: ['My duties', 'نوبتجياتي'],
      menu: { group: 'services', order: 76, icon: 'calendar-time', subject: 'internship' },
      offline: true,
    }),
    screen('/emtyaz/roster', {
      permission: 'access_roster',
      title: ['Duties', 'النوبتجيات'],
      menu: { group: 'services', order: 85, icon: 'calendar-time', subject: 'internship', notFor: [3] },
    }),
    screen('/emtyaz/roster/:id', {
      permission: 'access_roster',
      title: ['Duties of a training', 'نوبتجيات تدريب'],
      parent: '/emtyaz/roster',
    }),
  ],
  noticeGroup: 'requests',
  notices: {
    notice_rejected: {
      title: ['An entry of the logbook is rejected', 'رفض قيد في سجل المهارات'],
      audience: [3],
      app: 'always',
      mail: 'digest',
    },
    notice_taken_back: {
      title: ['An entry of the logbook waits again', 'عودة قيد في سجل المهارات إلى الانتظار'],
      audience: [3],
      app: 'always',
      mail: 'digest',
    },
    notice_roster: {
      title: ['My duties are published', 'نشر نوبتجياتي'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_duty_given: {
      title: ['A duty is given to me', 'إسناد نوبتجية إليّ'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_duty_taken: {
      title: ['A duty of mine is given to somebody else', 'إسناد نوبتجية لي إلى غيري'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_swap: {
      title: ['A swap of my duties goes on', 'تغيّر حالة تبديل نوبتجية'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
  },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    logbook_type_used: ['{count} entries are of it: it stays.', 'توجد {count} من القيود بهذا البند فلا يُحذف.'],
    logbook_no_intern: ['You are in no internship year.', 'لست ملتحقًا بسنة امتياز.'],
    logbook_no_instructor: ['Only who supervises interns has a PIN.', 'الرقم السري لمن يشرف على أطباء الامتياز فقط.'],
    logbook_no_rotation: ['Choose one of your rotations.', 'اختر إحدى دوراتك.'],
    logbook_no_type: ['Choose what it was from the list.', 'اختر البند من القائمة.'],
    logbook_other_course: ['It belongs to another course than the rotation.', 'هذا البند يتبع مقررًا غير مقرر الدورة.'],
    logbook_to_come: ['The time is still to come.', 'هذا الوقت لم يأت بعد.'],
    logbook_outside_rotation: [
      'The rotation lasts from {from} until {until}, and this is {day}: correct the day, or choose another rotation.',
      'الدورة من {from} حتى {until} واليوم المسجل {day}: صحح اليوم أو اختر دورة أخرى.',
    ],
    logbook_clock_ahead: ['The clock of your phone is {minutes} minutes ahead.', 'ساعة هاتفك متقدمة {minutes} دقيقة.'],
    logbook_clock_behind: [
      'The clock of your phone is {minutes} minutes behind.',
      'ساعة هاتفك متأخرة {minutes} دقيقة.',
    ],
    ...patientTexts,
    logbook_entry_twice: ['Another entry has this number: enter it anew.', 'يوجد قيد آخر بهذا الرقم: سجله من جديد.'],
    logbook_confirmed: [
      'It is confirmed, and not changed any more. Who confirmed it may take that back.',
      'تأكد هذا القيد فلا يُعدل، ويمكن لمن أكده التراجع عن التأكيد.',
    ],
    logbook_changed_elsewhere: [
      'It was changed on another phone meanwhile. Look at what stands there.',
      'عُدّل هذا القيد من هاتف آخر في هذه الأثناء. راجع الموجود.',
    ],
    logbook_rejected: ['It was rejected: correct it first.', 'رُفض هذا القيد: صححه أولًا.'],
    logbook_not_on_duty: [
      'On {day} you were not on duty here: {training}.',
      'لم يكن المشرف مناوبًا في {day} في: {training_local}.',
    ],
    logbook_confirmed_by: ['{name} confirmed it, and may take that back.', 'أكده {name_local} وله وحده التراجع.'],
    logbook_pin_wrong: ['The PIN is not that of the supervisor.', 'الرقم السري ليس رقم هذا المشرف.'],
    logbook_pin_easy: ['This PIN is guessed at once. Choose another one.', 'هذا الرقم سهل التخمين. اختر رقمًا آخر.'],
    logbook_not_here: [
      'This entry has not arrived yet, or is of a training that you do not supervise.',
      'لم يصل هذا القيد بعد، أو أنه من تدريب لا تشرف عليه.',
    ],
    logbook_missing: [
      'Logbook of {name}: {count} of {needed} confirmed.',
      'سجل {name_local}: تأكد {count} من {needed}.',
    ],
    duty_kind_times: ['It ends at another time than it begins.', 'وقت النهاية غير وقت البداية.'],
    duty_kind_used: [
      '{count} duties of it are to come: remove them first.',
      'توجد {count} نوبتجيات قادمة منه: احذفها أولًا.',
    ],
    duty_roster_days: ['It ends after it begins, within {days} days.', 'تنتهي المدة بعد بدايتها وخلال {days} يومًا.'],
    duty_roster_twice: [
      'From {from} until {until} there is a roster already.',
      'يوجد جدول من {from} حتى {until} بالفعل.',
    ],
    duty_no_kinds: ['Say first which kinds of duty the training has.', 'حدد أولًا أنواع نوبتجيات التدريب.'],
    duty_nobody: ['Nobody has a rotation here on these days.', 'لا يوجد أطباء في هذا التدريب في هذه الأيام.'],
    duty_not_filled: [
      '{duty} on {day}: {missing} are missing. {there} interns are there, and {resting} of them rest from another duty.',
      '{duty_local} في {day}: ينقص {missing}. الموجودون {there} ومنهم {resting} في راحة من نوبتجية أخرى.',
    ],
    duty_unfilled: ['{duty} on {day}: {count} of {needed}.', '{duty_local} في {day}: {count} من {needed}.'],
    duty_overfilled: [
      '{duty} on {day}: {count} instead of {needed}.',
      '{duty_local} في {day}: {count} بدلًا من {needed}.',
    ],
    duty_not_there: ['{name} is elsewhere on {day} ({duty}).', '{name_local} في تدريب آخر في {day} ({duty_local}).'],
    duty_on_leave: ['{name} is on leave on {day} ({duty}).', '{name_local} في إجازة في {day} ({duty_local}).'],
    duty_no_rest: [
      '{name} rests only {hours} hours between the duties of {before} and {day}; {rest} are needed.',
      'راحة {name_local} بين نوبتجيتي {before} و{day} هي {hours} ساعة، والمطلوب {rest}.',
    ],
    duty_rest: ['Eleven hours lie between two duties of one intern.', 'بين نوبتجيتين للطبيب نفسه إحدى عشرة ساعة.'],
    duty_shift_twice: ['The intern has this duty already.', 'لدى الطبيب هذه النوبتجية بالفعل.'],
    duty_published: ['These duties are published.', 'هذا الجدول منشور.'],
    duty_not_published: ['These duties are not published.', 'هذا الجدول غير منشور.'],
    duty_roster_begun: ['It has begun: swap single duties instead.', 'بدأ هذا الجدول: بدّل نوبتجيات بعينها.'],
    duty_no_supervisor: ['Choose who supervises the training on this day.', 'اختر من يشرف على التدريب في هذا اليوم.'],
    duty_swap_gone: ['These duties are not as they were when it was asked for.', 'تغيرت هاتان النوبتجيتان بعد الطلب.'],
    duty_swap_begun: ['One of these duties has begun.', 'بدأت إحدى النوبتجيتين.'],
    duty_swap_waits: ['For this duty a swap is asked for already.', 'يوجد طلب تبديل لهذه النوبتجية بالفعل.'],
  },
})
