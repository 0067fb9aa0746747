import type { Label } from '#kit/contract/index.ts'
import type { ApplicantType } from '#areas/admission/admissions/words.contract.ts'

/** Where an application stands. The values are those of the documents, as they are spelled there. */
export const APPLICANT_STATUSES = [
  { value: 'INCOMPLETE', label: ['Incomplete', 'غير مكتمل'], tone: 'waiting' },
  { value: 'SUBMITTED', label: ['In review', 'قيد المراجعة'], tone: 'waiting' },
  { value: 'FEEDBACK', label: ['Sent back', 'معاد للمتقدم'], tone: 'waiting' },
  { value: 'UPDATED', label: ['Updated', 'محدّث'], tone: 'waiting' },
  { value: 'REVIEWED', label: ['Reviewed', 'تمت المراجعة'], tone: 'active' },
  { value: 'EXAM_FEES_REQUIRED', label: ['Exam fee due', 'مطلوب رسوم الاختبار'], tone: 'waiting' },
  { value: 'exam required', label: ['Exam to come', 'مطلوب الاختبار'], tone: 'waiting' },
  { value: 'EXAM_FAILS', label: ['Exam failed', 'لم يجتز الاختبار'], tone: 'refused' },
  { value: 'DISTRIBUATION_REQUIRED', label: ['Assigned', 'مرشح للتنسيق'], tone: 'active' },
  { value: 'EQUIVALENCE_DONE', label: ['Equivalence done', 'تمت المعادلة'], tone: 'active' },
  { value: 'FINAL_FEES_REQUIRED', label: ['Ready to pay', 'جاهز للسداد'], tone: 'waiting' },
  { value: 'APPROVED', label: ['Paid', 'تم السداد'], tone: 'done' },
  { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
  { value: 'REJECTED', label: ['On hold', 'موقوف'], tone: 'refused' },
  { value: 'CANCELLED', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
] as const
export type ApplicantStatus = (typeof APPLICANT_STATUSES)[number]['value']
/** States in which whoever applies writes in the form. */
export const WRITTEN_IN: readonly ApplicantStatus[] = ['INCOMPLETE', 'FEEDBACK']

export const MILITARY = [
  { value: 'exempted', label: ['Exempted', 'معفى'] },
  { value: 'temporary_exempted', label: ['Temporarily exempted', 'معفى مؤقتًا'] },
  { value: 'done', label: ['Done', 'أدى الخدمة'] },
  { value: 'foreign', label: ['Foreign', 'أجنبي'] },
  { value: 'suspended', label: ['Suspended', 'مؤجل'] },
] as const
export const SEXES = [
  { value: 1, label: ['Male', 'ذكر'] },
  { value: 2, label: ['Female', 'أنثى'] },
] as const
export const ENGLISH_EXAMS = [
  { value: 'none', label: ['None', 'لا يوجد'] },
  { value: 'toefl', label: ['TOEFL', 'توفل (TOEFL)'] },
  { value: 'ielts', label: ['IELTS', 'آيلتس (IELTS)'] },
  { value: 'ept', label: ['EPT', 'اختبار EPT'] },
  { value: 'other', label: ['Another exam', 'اختبار آخر'] },
] as const
export const EARLIER_DEGREES = [
  { value: 'bachelor', label: ["Bachelor's degree", 'بكالوريوس أو ليسانس'] },
  { value: 'diploma', label: ['Postgraduate diploma', 'دبلوم دراسات عليا'] },
  { value: 'master', label: ["Master's degree", 'ماجستير'] },
] as const
export type DegreeKind = (typeof EARLIER_DEGREES)[number]['value']

/** The tabs of the form. Their keys are those of the documents; each type has its own, in its own order. */
export const APPLICATION_TABS = {
  nationality: ['Nationality and identity', 'الجنسية والهوية'],
  personal_info: ['About you', 'البيانات الشخصية'],
  contact_info: ['How we reach you', 'بيانات الاتصال'],
  parent_info: ['Parents and guardian', 'بيانات الوالدين وولي الأمر'],
  academic_data: ['School certificate', 'الشهادة الثانوية'],
  previous_university_info: ['Previous university', 'الجامعة السابقة'],
  bachelor_degree: ["Bachelor's degree", 'درجة البكالوريوس أو الليسانس'],
  diploma_degree: ['Postgraduate diploma', 'دبلوم الدراسات العليا'],
  master_degree: ["Master's degree", 'درجة الماجستير'],
  personal_preference: ['Your wishes', 'رغباتك'],
  documents: ['Documents', 'المستندات'],
  englishExam: ['English exam', 'اختبار اللغة الإنجليزية'],
  scholarships: ['Scholarships', 'المنح'],
  FinancialAid: ['Financial aid', 'الدعم المالي'],
  Declaration: ['Declaration', 'الإقرار'],
  payment: ['What you pay', 'الرسوم'],
} as const satisfies Readonly<Record<string, Label>>
export type ApplicationTab = keyof typeof APPLICATION_TABS

const UNDERGRADUATE: readonly ApplicationTab[] = [
  'nationality',
  'personal_info',
  'contact_info',
  'parent_info',
  'academic_data',
  'previous_university_info',
  'personal_preference',
  'documents',
  'englishExam',
  'scholarships',
  'FinancialAid',
  'Declaration',
  'payment',
]
// The documents leave open which of the two types has which order: who transfers is asked first where he or she comes from.
const FIRST_TIME: readonly ApplicationTab[] = UNDERGRADUATE.map((tab) =>
  tab === 'previous_university_info'
    ? 'personal_preference'
    : tab === 'personal_preference'
      ? 'previous_university_info'
      : tab,
)
const postgraduate = (...degrees: readonly ApplicationTab[]): readonly ApplicationTab[] => [
  'nationality',
  'personal_info',
  'contact_info',
  'documents',
  'personal_preference',
  'bachelor_degree',
  ...degrees,
  // All conditions are ticked, whatever somebody applies for.
  'Declaration',
  'payment',
]
/** The tabs of each type, in their order. */
export const TABS_OF: Readonly<Record<ApplicantType, readonly ApplicationTab[]>> = {
  1: FIRST_TIME,
  3: UNDERGRADUATE,
  4: postgraduate(),
  5: postgraduate('diploma_degree'),
  6: postgraduate('diploma_degree', 'master_degree'),
}
/** What is written in each tab, by the names of the fields. */
export const FIELDS_OF_TAB = {
  nationality: ['nationality_id', 'national_id', 'passport_number'],
  personal_info: ['name', 'name_local', 'gender', 'birth_date', 'birth_community_id', 'military_status'],
  contact_info: ['phone', 'second_phone', 'country_id', 'community_id', 'address', 'postal_code'],
  parent_info: [
    'father_name',
    'father_national_id',
    'father_job',
    'father_phone',
    'mother_name',
    'mother_job',
    'mother_phone',
    'guardian_name',
    'guardian_relation',
    'guardian_phone',
    'sibling_code',
    'sibling_faculty_id',
  ],
  academic_data: [
    'certificate_type_id',
    'certificate_country_id',
    'certificate_year',
    'certificate_school',
    'seat_number',
    'certificate_total',
    'subjects',
  ],
  previous_university_info: [
    'previous_university',
    'previous_faculty',
    'previous_program',
    'previous_hours',
    'previous_gpa',
  ],
  bachelor_degree: ['degrees'],
  diploma_degree: ['degrees'],
  master_degree: ['degrees'],
  personal_preference: ['preferences', 'exam_location', 'referral_source'],
  documents: [],
  englishExam: ['english_exam', 'english_score', 'english_date'],
  scholarships: ['wants_scholarship', 'scholarship_reason'],
  FinancialAid: ['wants_financial_aid', 'financial_aid_reason', 'family_income', 'family_members'],
  Declaration: [],
  payment: [],
} as const satisfies Readonly<Record<ApplicationTab, readonly string[]>>
