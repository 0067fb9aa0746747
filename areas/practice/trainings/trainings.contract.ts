import { area, screen } from '#kit/contract/index.ts'
import { trainingOrganisation } from './organisations/organisation.contract.ts'
import { organisationLinkCalls } from './organisations/link.contract.ts'
import { trainingOverviewCalls } from './places/overview.contract.ts'
import { training } from './places/training.contract.ts'
import { trainingPapers, trainingsDone } from './students-trainings/paper.contract.ts'
import { studentTraining, trainingCalls } from './students-trainings/student-training.contract.ts'

/** Trainings: places that organisations offer, who is given one, and what of it counts for the degree. */
export const trainingsArea = area({
  name: 'trainings',
  label: ['Trainings', 'التدريب الميداني'],
  resources: [studentTraining, training, trainingOrganisation],
  calls: [trainingCalls, trainingOverviewCalls, organisationLinkCalls],
  papers: [trainingPapers, trainingsDone],
  notices: {
    notice_days_changed: {
      title: ['Days of a training have changed', 'تغيّرت مواعيد تدريب'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_organisation: {
      title: ['A training organisation has answered', 'ردّت جهة تدريب'],
      audience: [1, 2],
      app: 'on',
      mail: 'digest',
    },
  },
  screens: [
    screen('/trainings/overview/:id', {
      permission: 'edit_training',
      title: ['Weeks and students', 'الأسابيع والطلاب'],
      parent: '/trainings',
      finds: 'training',
    }),
    screen('/training-answer', {
      permission: 'public',
      title: ['Students of your training', 'طلاب التدريب لديكم'],
      layout: 'full',
      light: [],
    }),
    screen('/trainings/student/:training_student_id', {
      permission: 'show_studentTraining',
      title: ['Training of a student', 'تدريب طالب'],
      parent: '/students-trainings',
    }),
    screen('/trainings/interviews/:id', {
      permission: 'edit_training',
      title: ['Interviews', 'المقابلات'],
      parent: '/trainings',
    }),
  ],
  errors: {
    training_days: ['The last day does not come before the first.', 'لا يسبق آخر يوم أولَه.'],
    training_weeks: ['Between these days there are {weeks} weeks.', 'بين هذين التاريخين {weeks} أسابيع.'],
    training_window: ['It closes after it opens.', 'يُغلق التقديم بعد فتحه.'],
    training_places_taken: ['{taken} places are taken already.', 'شُغل {taken} من الأماكن بالفعل.'],
    training_agreement_days: ['The agreement ends after it begins.', 'تنتهي الاتفاقية بعد بدايتها.'],
    training_not_studying: ['Only who studies goes to a training.', 'التدريب للطلاب المقيدين فقط.'],
    training_week_range: ['It has {weeks} weeks.', 'مدته {weeks} أسابيع.'],
    training_week_twice: ['This week stands there already.', 'هذا الأسبوع مذكور من قبل.'],
    training_weeks_asked: ['Students have asked for weeks until week {week}.', 'طلب طلاب أسابيع حتى الأسبوع {week}.'],
    training_overlap: [
      'Student {student} would be at another training in these days: {name}.',
      'يكون للطالب {student} تدريب آخر في هذه الفترة: {name_local}.',
    ],
    training_whole: ['This training is in one piece: no weeks are chosen.', 'هذا التدريب كامل ولا تُختار منه أسابيع.'],
    training_weeks_missing: ['Say from which week until which.', 'اذكر من أي أسبوع إلى أي أسبوع.'],
    training_weeks_full: ['All places are taken in these weeks: {weeks}.', 'شُغلت كل الأماكن في الأسابيع: {weeks}.'],
    training_no_place: ['All places are taken meanwhile.', 'شُغلت كل الأماكن في هذه الأثناء.'],
    training_is_called_off: ['It does not take place: {reason}', 'لن يُعقد: {reason}'],
    training_takes_place: ['It takes place.', 'التدريب قائم.'],
    training_students_elsewhere: [
      'You do not decide on {count} of its students: who does calls it off.',
      'لا تملك القرار بشأن {count} من طلابه، ويلغيه من يملكه.',
    ],
    training_no_email: ['The organisation has no e-mail address.', 'لا يوجد بريد إلكتروني للجهة.'],
    training_link_late: ['The training has been over for {days} days.', 'مضى على انتهاء التدريب {days} يومًا.'],
    training_not_asked: ['The organisation is not asked now.', 'لا يوجد رابط قائم للجهة.'],
    training_link_over: [
      'This link does not work any more. Ask the university for a new one.',
      'لم يعد هذا الرابط صالحًا. اطلب من الجامعة رابطًا جديدًا.',
    ],
    training_answer_reason: ['Say why not.', 'اذكر سبب الرفض.'],
    training_answered_late: ['The university has decided already.', 'اتخذت الجامعة قرارها بالفعل.'],
    training_not_begun: ['It begins on {day}.', 'يبدأ في {day}.'],
    training_no_advice: ['The organisation has not answered.', 'لم ترد الجهة بعد.'],
    training_of_list: ['It is a training of the list already.', 'هذا التدريب من القائمة أصلًا.'],
    training_not_listed: ['Put its organisation on the list first.', 'أدرج الجهة في القائمة أولًا.'],
    training_listed_already: ['Its organisation is on the list already.', 'الجهة مدرجة في القائمة بالفعل.'],
    training_paper_accepted: ['The letter is for who has a place.', 'الخطاب لمن له مكان في التدريب.'],
    training_none_done: ['No training of this student is approved.', 'لا يوجد تدريب معتمد لهذا الطالب.'],
    training_paper_approved: ['The certificate is for an approved training.', 'الشهادة لتدريب معتمد.'],
    training_removed: ['This training is not offered any more.', 'لم يعد هذا التدريب متاحًا.'],
    training_closed: ['It is asked for from {from} until {until}.', 'التقديم من {from} حتى {until}.'],
    training_other_faculty: ['It is for students of {name} alone.', 'مقصور على طلاب {name_local}.'],
    training_other_program: ['It is for students of {name} alone.', 'مقصور على طلاب {name_local}.'],
    training_level: ['It is for students from level {level} on.', 'لطلاب المستوى {level} فما فوق.'],
    training_gpa: ['It needs a GPA of {gpa}.', 'يشترط معدلًا تراكميًا {gpa}.'],
    training_hours: ['It needs {hours} hours passed.', 'يشترط اجتياز {hours} ساعة.'],
    training_cv: ['It asks for a CV.', 'السيرة الذاتية مطلوبة.'],
    training_one_place: [
      'Either a training that is offered, or a place that was found.',
      'إما تدريب معلن أو مكان وجده الطالب.',
    ],
    training_place_missing: [
      'Choose a training, or say of the place found: organisation, first and last day, weeks.',
      'اختر تدريبًا، أو اذكر عن المكان الذي وجدته: الجهة وأول يوم وآخر يوم وعدد الأسابيع.',
    ],
    student_training_twice: ['This training is asked for already.', 'طُلب هذا التدريب من قبل.'],
    student_training_wish: ['Another wish has this number.', 'توجد رغبة أخرى بهذا الترتيب.'],
    training_full: ['All {places} places are taken.', 'شُغلت كل الأماكن وعددها {places}.'],
    training_agreement_over: [
      'The agreement with the organisation ends on {day}, before the training.',
      'تنتهي اتفاقية الجهة في {day} قبل انتهاء التدريب.',
    ],
    training_not_interviewed: ['The interview comes first.', 'تُجرى المقابلة أولًا.'],
    training_meanwhile: [
      'In these days there is another training: {name}.',
      'يوجد تدريب آخر في هذه الفترة: {name_local}.',
    ],
    training_not_over: ['It lasts until {day}.', 'يستمر التدريب حتى {day}.'],
    training_reports_missing: ['Weekly reports: {count} of {needed}.', 'التقارير الأسبوعية: {count} من {needed}.'],
    training_not_assessed: ['It is not assessed yet.', 'لم يُقيَّم بعد.'],
    training_no_reports: ['Weeks are reported on while one has the place.', 'تُقدَّم التقارير أثناء التدريب المقبول فقط.'],
    training_report_week: ['It has {weeks} weeks.', 'مدته {weeks} أسابيع.'],
    training_report_ahead: ['This week begins on {day}.', 'يبدأ هذا الأسبوع في {day}.'],
    training_report_twice: ['This week was reported on.', 'قُدِّم تقرير هذا الأسبوع.'],
    training_assessed_late: [
      'It is assessed while the student has the place.',
      'يُقيَّم التدريب ما دام الطالب مقبولًا فيه.',
    ],
    training_visit_day: ['A visit lies between {from} and {until}.', 'تكون الزيارة بين {from} و{until}.'],
    training_no_interviews: ['This training is without interviews.', 'هذا التدريب بلا مقابلات.'],
    training_interview_past: ['The day is over.', 'مضى هذا اليوم.'],
    training_interview_taken: ['Somebody has this interview.', 'هذا الموعد محجوز.'],
    training_no_booking: ['An interview is booked while the request waits.', 'تُحجز المقابلة والطلب قيد الموافقة.'],
  },
})
