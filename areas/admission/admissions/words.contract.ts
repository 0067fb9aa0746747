/** What people apply for, by the numbers of the documents; 2 stands for nothing. */
export const APPLICANT_TYPES = [
  { value: 1, label: ['Undergraduate', 'المرحلة الجامعية الأولى'] },
  { value: 3, label: ['Transfer from another university', 'تحويل من جامعة أخرى'] },
  { value: 4, label: ['Postgraduate diploma', 'دبلوم دراسات عليا'] },
  { value: 5, label: ["Master's degree", 'ماجستير'] },
  { value: 6, label: ['Doctorate', 'دكتوراه'] },
] as const
export type ApplicantType = (typeof APPLICANT_TYPES)[number]['value']
/** A type as the database has it, which knows no others. @throws {Error} for another number */
export function applicantTypeOf(stored: number): ApplicantType {
  const known = APPLICANT_TYPES.find(({ value }) => value === stored)
  if (!known) throw new Error(`There are no applicants of type ${stored}`)
  return known.value
}
/** Whether what a type leads to is a postgraduate degree. */
export const isPostgraduate = (type: number): boolean => type >= 4

/** Whom a fee or a document is asked of. */
export const ASKED_OF = [
  { value: 'all', label: ['Everybody', 'الجميع'] },
  { value: 'egyptian', label: ['Egyptians', 'المصريون'] },
  { value: 'foreign', label: ['Foreigners', 'الوافدون'] },
] as const

/** What an applicant pays, in the order in which it is asked for. */
export const ADMISSION_FEES = [
  { value: 'application', label: ['Application', 'رسوم التقديم'] },
  { value: 'exam', label: ['Exam', 'رسوم الاختبار'] },
  { value: 'final', label: ['Acceptance', 'رسوم القبول'] },
] as const

/** By what applicants with the same score are told apart, one after the other; a lot is the last word. */
export const TIE_CRITERIA = [
  { value: 'percentage', label: ['Percentage of the certificate', 'النسبة المئوية للشهادة'] },
  { value: 'subject', label: ['Mark in a subject', 'درجة مادة'] },
  { value: 'exam', label: ['Result of the exam', 'نتيجة الاختبار'] },
  { value: 'older', label: ['The elder first', 'الأكبر سنًّا أولًا'] },
  { value: 'earlier', label: ['Who applied earlier', 'الأسبق تقديمًا'] },
  { value: 'lot', label: ['By lot', 'بالقرعة'] },
] as const

/** Groups for which places are reserved or limited. Those of one program tell people apart by one thing: nobody is in two. */
export const QUOTA_GROUPS = [
  { value: 'egyptian', label: ['Egyptians', 'المصريون'], by: 'nationality' },
  { value: 'foreign', label: ['Foreigners', 'الوافدون'], by: 'nationality' },
  { value: 'male', label: ['Men', 'ذكور'], by: 'gender' },
  { value: 'female', label: ['Women', 'إناث'], by: 'gender' },
  { value: 'general', label: ['General secondary', 'ثانوية عامة'], by: 'certificate' },
  { value: 'azhar', label: ['Azhar secondary', 'ثانوية أزهرية'], by: 'certificate' },
  { value: 'stem', label: ['STEM schools', 'مدارس المتفوقين (STEM)'], by: 'certificate' },
  { value: 'arab', label: ['Arab certificates', 'شهادات عربية معادلة'], by: 'certificate' },
  { value: 'international', label: ['International certificates', 'شهادات دولية معادلة'], by: 'certificate' },
  { value: 'technical', label: ['Technical certificates', 'شهادات فنية'], by: 'certificate' },
] as const

/** Whether a program of an admission can be chosen. */
export const OFFER_STATES = [
  { value: 'choosable', label: ['Can be chosen', 'متاح للاختيار'], tone: 'active' },
  { value: 'not_choosable', label: ['Not offered', 'غير متاح'], tone: 'draft' },
] as const

/** Where an admission stands, by its days. */
export const ADMISSION_STATES = [
  { value: 'planned', label: ['Planned', 'مجدول'], tone: 'waiting' },
  { value: 'open', label: ['Open', 'مفتوحة'], tone: 'done' },
  { value: 'closed', label: ['Closed', 'مغلقة'], tone: 'waiting' },
] as const
