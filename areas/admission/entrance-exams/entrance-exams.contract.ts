import { examOfApplicant, examOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { entranceAppointment } from './appointments/appointment.contract.ts'
import { entranceBookingCalls } from './bookings/booking.contract.ts'
import { entranceResultCalls } from './results/result.contract.ts'

/** Entrance exams: appointments of applicants for exams and interviews, who comes, and what they came to. */
export const entranceExamsArea = area({
  name: 'entrance-exams',
  label: ['Entrance exams', 'اختبارات القبول'],
  resources: [entranceAppointment],
  calls: [entranceBookingCalls, entranceResultCalls],
  screens: [
    screen('/entrance_exams', {
      permission: 'access_entrance_exam',
      title: ['Entrance exams', 'اختبارات القبول'],
      menu: { group: 'admission', order: 30, icon: 'clipboard-check', subject: 'admission' },
    }),
    screen('/entrance_exams/results/:id', {
      permission: 'enter_applicant_result',
      title: ['Import results of entrance exams', 'استيراد نتائج اختبارات القبول'],
      parent: '/entrance_exams',
    }),
  ],
  fills: [examOfApplicant, examOfApplication],
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    entrance_no_exam: ['This admission has no exam.', 'لا اختبار في فترة القبول هذه.'],
    entrance_no_interview: ['This admission has no interview.', 'لا مقابلة شخصية في فترة القبول هذه.'],
    entrance_no_place: ['Choose a hall, or say where it is.', 'اختر قاعة أو اكتب المكان.'],
    entrance_program_not_offered: [
      'This program is not offered in the admission.',
      'هذا البرنامج غير متاح في فترة القبول.',
    ],
    entrance_other_faculty: ['This program is of another faculty.', 'هذا البرنامج تابع لكلية أخرى.'],
    entrance_past: ['An appointment lies ahead.', 'يكون الموعد في المستقبل.'],
    entrance_hall_small: ['The hall has {places} places.', 'سعة القاعة {places}.'],
    entrance_hall_shared: [
      'The hall has {places} places; other appointments at this time take {taken} of them.',
      'سعة القاعة {places}، ومواعيد أخرى في الوقت نفسه تشغل {taken} منها.',
    ],
    entrance_below_booked: ['{count} places are taken already.', 'حُجز {count} من الأماكن بالفعل.'],
    entrance_for_booked: [
      '{count} applicants come to it. Give them another appointment first.',
      'يحضره {count} من المتقدمين. حدد لهم موعدًا آخر أولًا.',
    ],
    entrance_has_bookings: [
      '{count} applicants come to it. Give them another appointment first.',
      'يحضره {count} من المتقدمين. حدد لهم موعدًا آخر أولًا.',
    ],
    entrance_full: ['No place is free any more.', 'لم يعد هناك مكان متاح.'],
    entrance_booked_once: ['There is an appointment already.', 'يوجد موعد محدد بالفعل.'],
    entrance_not_asked: ['The application is not at the exam.', 'الطلب ليس في مرحلة الاختبار.'],
    entrance_other_admission: ['The appointment is of another admission.', 'الموعد تابع لفترة قبول أخرى.'],
    entrance_not_for: ['The appointment is for applicants with another wish.', 'الموعد مخصص لمتقدمين لهم رغبات أخرى.'],
    entrance_came: ['The applicant came to this appointment.', 'حضر المتقدم هذا الموعد.'],
    entrance_there_already: ['This is the appointment already.', 'هذا هو الموعد المحدد بالفعل.'],
    entrance_begun: ['The appointment has begun.', 'بدأ هذا الموعد.'],
    entrance_not_begun: ['The appointment has not begun yet.', 'لم يبدأ هذا الموعد بعد.'],
    entrance_not_there: [
      'Somebody of them does not come to this appointment any more.',
      'أحدهم لم يعد ضمن هذا الموعد.',
    ],
    entrance_too_late: [
      'Appointments are chosen until {hours} hours before they begin.',
      'يُختار الموعد حتى {hours} ساعة قبل بدايته.',
    ],
    entrance_change_late: [
      'An appointment is changed until {hours} hours before it begins.',
      'يُغيّر الموعد حتى {hours} ساعة قبل بدايته.',
    ],
    entrance_overlaps: ['Another appointment is at this time.', 'يوجد موعد آخر في الوقت نفسه.'],
    entrance_placing: ['Appointments are being given out already.', 'يجري توزيع المواعيد بالفعل.'],
    entrance_none: ['There is no appointment yet.', 'لا توجد مواعيد بعد.'],
    entrance_none_for: ['No appointment is for this applicant’s wishes.', 'لا موعد يناسب رغبات هذا المتقدم.'],
    entrance_all_begun: ['All appointments have begun.', 'بدأت كل المواعيد.'],
    entrance_all_full: ['All appointments are full.', 'كل المواعيد مكتملة.'],
    entrance_all_overlap: [
      'What is free is at the time of another appointment.',
      'المواعيد المتاحة تتعارض مع موعد آخر.',
    ],
    entrance_result_not_due: [
      'Results are entered while an application is at the exam. It is: {status}.',
      'تُسجل النتيجة والطلب في مرحلة الاختبار. حالته: {status}.',
    ],
    entrance_result_range: ['A result lies between 0 and 100 percent.', 'النتيجة بين 0 و100 في المئة.'],
    entrance_result_wrong: ['{given} is no result.', '{given} ليست نتيجة.'],
    entrance_result_both: [
      'A result in percent and a mark stand here. Leave one of them out.',
      'وردت نتيجة مئوية ودرجة معًا. احذف إحداهما.',
    ],
    entrance_result_missing: ['No result stands here.', 'لا توجد نتيجة هنا.'],
    entrance_total_wrong: ['{given} is nothing that a mark is out of.', '{given} ليست درجة عظمى.'],
    entrance_mark_above: ['It is out of {total}.', 'الدرجة من {total}.'],
    entrance_interview_wrong: ['Write yes or no, not {given}.', 'اكتب نعم أو لا بدلًا من {given}.'],
    entrance_number_missing: ['The number of the application is missing.', 'رقم الطلب غير مذكور.'],
    entrance_unknown: ['There is no application {number}.', 'لا يوجد طلب رقمه {number}.'],
    entrance_of_other_admission: [
      'The application {number} is of another admission.',
      'الطلب {number} في فترة قبول أخرى.',
    ],
    entrance_twice: ['The application {number} stands in row {row} already.', 'الطلب {number} مذكور في الصف {row}.'],
    entrance_results_stand: [
      'Each application was led on, and its applicant told. Correct results one by one, with a reason.',
      'انتقلت الطلبات وأُبلغ أصحابها. صحح النتائج واحدة واحدة مع ذكر السبب.',
    ],
  },
})
