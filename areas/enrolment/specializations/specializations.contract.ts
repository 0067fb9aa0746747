import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { specialization, specializationCalls } from './choices/specialization.contract.ts'
import { distributionCalls } from './distribution/distribution.contract.ts'
import { preferenceCalls } from './preferences/preferences.contract.ts'
import { studentCalls } from './students/students.contract.ts'
import { specializationFlow, specializationSteps, specializationTime, windowCalls } from './windows/window.contract.ts'

/** Specialisation: students of a general program put programs in order, and are distributed over them. */
export const specializationsArea = area({
  name: 'specializations',
  label: ['Specialisation', 'التشعيب'],
  resources: [specialization, specializationTime],
  calls: [
    specializationCalls,
    windowCalls,
    distributionCalls,
    preferenceCalls,
    studentCalls,
    listedCalls(specializationFlow, specializationSteps),
  ],
  screens: [
    screen('/students/specialization', {
      permission: 'access_specialization',
      title: ['Students’ specialisation', 'تشعيب الطلاب'],
      menu: { group: 'people', order: 435, icon: 'git-branch', block: 'students', subject: 'specialization' },
    }),
    screen('/students/specializations/:student_id', {
      permission: 'access_student_specialization',
      title: ['Specialisations of a student', 'تشعيب طالب'],
      parent: '/students/specialization',
    }),
    screen('/specialization', {
      permission: 'access_student',
      of: ['student'],
      title: ['My specialisation', 'تشعيبي'],
      menu: { group: 'my', order: 40, icon: 'git-fork' },
    }),
  ],
  noticeGroup: 'study',
  notices: {
    notice_specialized: {
      title: ['The program you were given', 'البرنامج الذي خُصص لك'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
    notice_taken_back: {
      title: ['A specialisation that was taken back', 'الرجوع عن التشعيب'],
      audience: [3],
      app: 'always',
      mail: 'always',
    },
  },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    specialization_twice: [
      'A specialisation of this name leads from this program into that one already.',
      'يوجد تخصص بهذا الاسم من هذا البرنامج إلى ذلك البرنامج بالفعل.',
    ],
    specializations_elsewhere: ['A specialisation leads into another program.', 'التخصص يؤدي إلى برنامج آخر.'],
    specialization_course_twice: ['This course stands here already.', 'هذا المقرر مذكور بالفعل.'],
    specialization_seat_twice: ['This specialisation stands here already.', 'هذا التخصص مذكور بالفعل.'],
    specialization_not_general: [
      'Students specialise from a general program, and {program} is none.',
      'التشعيب يكون من برنامج عام، و{program} ليس كذلك.',
    ],
    specialization_other_bylaw: ['{program} stands under another bylaw.', 'البرنامج {program} يتبع لائحة أخرى.'],
    specialization_seat_other_bylaw: [
      '{specialization} belongs to another bylaw.',
      'التخصص {specialization} يتبع لائحة أخرى.',
    ],
    specialization_letter: [
      '{letter} is no grade of the bylaw. It has: {letters}',
      '{letter} ليس من تقديرات اللائحة، وتقديراتها: {letters}',
    ],
    specialization_times_order: ['A window ends after it begins.', 'تنتهي الفترة بعد بدايتها.'],
    specialization_times_overlap: [
      'Another specialisation window of this bylaw lies in these days.',
      'توجد فترة تشعيب أخرى لهذه اللائحة في تلك الأيام.',
    ],
    specialization_days_over: [
      'The students are distributed: the end of the window stays as it is.',
      'تم توزيع الطلاب، فلا تتغير نهاية الفترة.',
    ],
    specialization_wanted: [
      '{specialization} is among the wishes of {count} students: set its places to 0 instead.',
      'التخصص {specialization} ضمن رغبات {count} طالبًا: اجعل عدد أماكنه صفرًا بدلًا من ذلك.',
    ],
    specialization_has_wishes: [
      'Students have saved their wishes here: {count}',
      'سجّل طلاب رغباتهم في هذه الفترة، وعددهم {count}',
    ],
    specialization_confirmed: ['The distribution is confirmed.', 'التوزيع معتمد.'],
    specialization_before_end: ['Cannot distribute before the end date', 'لا يمكن التوزيع قبل تاريخ الانتهاء'],
    specialization_no_capacity: [
      'There is no available capacity: no program of the window has a place.',
      'لا توجد سعة متاحة: لا أماكن في أي برنامج من برامج الفترة.',
    ],
    specialization_no_applicants: ['Nobody has saved a wish.', 'لم يسجل أحد رغبة.'],
    specialization_changed_places: [
      'The places of {specialization} were {before}, and are {now}. Distribute again.',
      'كانت أماكن {specialization} {before} وأصبحت {now}. أعد التوزيع.',
    ],
    specialization_changed_conditions: [
      'The conditions of {specialization} are others now. Distribute again.',
      'تغيرت شروط {specialization}. أعد التوزيع.',
    ],
    specialization_changed_offer: [
      '{specialization} is offered now and was not, or was and is not any more. Distribute again.',
      'أُضيف {specialization} إلى الفترة أو حُذف منها. أعد التوزيع.',
    ],
    specialization_changed_tie: [
      'The rule for equal students is another now. Distribute again.',
      'تغيرت قاعدة التساوي. أعد التوزيع.',
    ],
    specialization_changed_wishes: [
      'The wishes of {student} were changed. Distribute again.',
      'تغيرت رغبات الطالب {student}. أعد التوزيع.',
    ],
    specialization_changed_student: [
      'GPA, hours, courses or program of {student} changed. Distribute again.',
      'تغير معدل الطالب {student} أو ساعاته أو مقرراته أو برنامجه. أعد التوزيع.',
    ],
    specialization_changed_record: [
      'Another record of {student} came into a program of this window, or left it. Distribute again.',
      'دخل سجل آخر للطالب {student} أحد برامج هذه الفترة أو خرج منه. أعد التوزيع.',
    ],
    specialization_changed_gone: [
      '{student} takes part no more. Distribute again.',
      'لم يعد الطالب {student} مشاركًا. أعد التوزيع.',
    ],
    specialization_changed_more: ['And {count} more students', 'وطلاب آخرون عددهم {count}'],
    specialization_used_since: [
      '{student} has registered, finished a term or was credited courses in the new program.',
      'سجّل الطالب {student} مقررات أو أنهى فصلًا أو احتُسبت له مقررات في البرنامج الجديد.',
    ],
    specialization_way_used: [
      'It is among the wishes of students, or was given to them ({count}): it leads where it leads. Add another specialisation instead.',
      'اختاره طلاب ضمن رغباتهم أو خُصص لهم ({count})، فلا يتغير مساره. أضف تخصصًا آخر بدلًا منه.',
    ],
    specialization_moved_since: [
      '{student} has changed program since.',
      'انتقل الطالب {student} إلى برنامج آخر بعد ذلك.',
    ],
    specialization_record_there: [
      '{student} cannot go back: the same person has another record in the former program now.',
      'لا يمكن رجوع الطالب {student}: أصبح للشخص نفسه سجل آخر في البرنامج السابق.',
    ],
    specialization_other_program: [
      'Only students of its general program can be given it.',
      'متاح لطلاب برنامجه العام فقط.',
    ],
    specialization_own_record: [
      'The same person has another record in this program, and one person has one record in a program.',
      'للشخص نفسه سجل آخر في هذا البرنامج، ولا يكون للشخص الواحد سجلان في برنامج واحد.',
    ],
    specialization_gpa: [
      'It asks for a GPA of {needed}; yours is {gpa}.',
      'يشترط معدلًا لا يقل عن {needed}، والمعدل هنا {gpa}.',
    ],
    specialization_hours: [
      'It asks for {needed} passed hours; passed so far: {passed}.',
      'يشترط اجتياز {needed} ساعة، والمجتاز حتى الآن {passed}.',
    ],
    specialization_course: ['It asks for {course} to be passed.', 'يشترط النجاح في المقرر {course}.'],
    specialization_course_grade: [
      'It asks for {course} with {letter} at least.',
      'يشترط المقرر {course} بتقدير {letter} على الأقل.',
    ],
    specialization_level: [
      'Students of level {needed} and above take part; this is level {level}.',
      'يشارك طلاب المستوى {needed} فما فوق، والمستوى هنا {level}.',
    ],
    specialization_full: [
      'Its last place went to number {last} in the order (GPA {gpa}, {hours} hours); this is number {rank}.',
      'آخر مكان فيه كان لصاحب الترتيب {last} (معدل {gpa} و{hours} ساعة)، والترتيب هنا {rank}.',
    ],
    specialization_no_place: ['It had no places.', 'لم تكن فيه أماكن.'],
    specialization_not_offered: ['It is not offered here.', 'ليس متاحًا في هذه الفترة.'],
    specialization_not_studying: ['Only who is studying can specialise.', 'التشعيب للطلاب المقيدين فقط.'],
    specialization_not_yet: ['Wishes are entered from {start} to {end}.', 'تُسجَّل الرغبات من {start} إلى {end}.'],
    specialization_over: ['Wishes could be entered until {end}.', 'انتهى تسجيل الرغبات في {end}.'],
    specialization_too_many: [
      'At most {most} wishes, and these are {count}.',
      'أقصى عدد للرغبات {most}، وعددها هنا {count}.',
    ],
    specialization_wish_twice: ['This wish stands above already.', 'هذه الرغبة مذكورة أعلاه.'],
    specialization_from_general: [
      'Into {program} one specialises from a general program.',
      'التشعيب إلى {program} يكون من برنامج عام.',
    ],
    specialization_no_way: [
      'No specialisation leads from the student’s program into {program}.',
      'لا يوجد تخصص من برنامج الطالب إلى {program}.',
    ],
    specialization_places_taken: ['{program} has no place left.', 'لم يبق مكان في {program}.'],
    specialization_window_waits: [
      'The student has wishes in the window from {start} to {end}, which is not confirmed yet.',
      'للطالب رغبات في الفترة من {start} إلى {end} ولم تُعتمد بعد.',
    ],
    specialization_removed: ['It was taken back already.', 'سبق الرجوع عنه.'],
  },
})
