import { demoPart, insertNew } from '#demo/part.ts'

/** Besides tuition, hours and the summer, which are there from the beginning. */
const ITEMS = [
  ['REGIST', 'Registration and student services', 'القيد وخدمات الطلاب', 'services', true],
  ['LATE', 'Late registration', 'غرامة تأخير التسجيل', 'services', true, true],
  ['CARD', 'Replacement of the student card', 'بدل فاقد كارنيه', 'services', false],
  ['ENROLMENT', 'Certificate of enrolment', 'شهادة قيد', 'certificates', false],
  ['TRANSCRIPT', 'Transcript', 'بيان درجات', 'certificates', false],
  ['GRADUATION', 'Graduation certificate', 'شهادة التخرج', 'certificates', false],
  ['RECHECK', 'Grade recheck', 'تظلم من نتيجة', 'exams', false],
  ['SECOND', 'Second session of a course', 'امتحان دور ثانٍ لمقرر', 'exams', false],
  ['BED_NIGHT', 'Bed in a hostel, a night', 'سرير بالسكن: ليلة', 'services', false],
  ['BED_MONTH', 'Bed in a hostel, a month', 'سرير بالسكن: شهر', 'services', false],
  ['BED_TERM', 'Bed in a hostel, a term', 'سرير بالسكن: فصل دراسي', 'services', false],
  ['BED_DEPOSIT', 'Deposit of a bed', 'تأمين سرير بالسكن', 'services', false],
  ['DEPOSIT', 'Deposit of new students', 'تأمين الطلاب الجدد', 'services', true],
] as const

export default demoPart(['fee_items'], [], async (tx) => {
  await insertNew(
    tx,
    'fee_items',
    ITEMS.map(([code, name, name_local, type, is_automatic, late_only = false]) => ({
      code,
      name,
      name_local,
      type,
      is_automatic,
      late_only,
      deposit: code === 'DEPOSIT',
    })),
  )
})
