import { area, screen } from '#kit/contract/index.ts'
import { trainingOrganisation } from './organisations/organisation.contract.ts'
import { training } from './places/training.contract.ts'
import { studentTraining, trainingCalls } from './students-trainings/student-training.contract.ts'

/** Trainings: places that organisations offer, who is given one, and what of it counts for the degree. */
export const trainingsArea = area({
  name: 'trainings',
  label: ['Trainings', 'التدريب الميداني'],
  resources: [studentTraining, training, trainingOrganisation],
  calls: [trainingCalls],
  screens: [
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
