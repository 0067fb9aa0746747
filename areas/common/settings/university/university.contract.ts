import { z } from 'zod'
import { call, safeText } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import {
  flagText,
  colour,
  zone,
  link,
  picture,
  moment,
  amountText,
  mail,
  days,
  signatures,
  certificateText,
  type SettingDefinition,
} from './kinds.contract.ts'
import { HOUSING_SETTINGS } from './housing-settings.contract.ts'
import { SERVICE_SETTINGS } from './service-settings.contract.ts'
import { TAX_SETTINGS } from './tax-settings.contract.ts'
import { WARNING_SETTINGS } from './warning-settings.contract.ts'

/** Every setting of the university by name. */
export const UNIVERSITY_SETTINGS = {
  university_name: {
    label: ['English name', 'الاسم بالإنجليزية'],
    group: 'identity',
    schema: safeText(200, 1),
    public: true,
    initial: 'University',
  },
  university_name_local: {
    label: ['Arabic name', 'الاسم بالعربية'],
    group: 'identity',
    schema: safeText(200, 1),
    public: true,
    initial: 'الجامعة',
  },
  university_short_name: {
    label: ['Short name', 'الاسم المختصر'],
    group: 'identity',
    schema: safeText(20),
    public: true,
    initial: 'EMS',
  },
  accent_colour: {
    label: ['Accent colour', 'اللون الأساسي'],
    group: 'identity',
    schema: colour,
    public: true,
    initial: '#1b6b93',
  },
  time_zone: {
    label: ['Time zone', 'المنطقة الزمنية'],
    group: 'identity',
    schema: zone,
    public: true,
    initial: 'Africa/Cairo',
  },
  university_logo: {
    label: ['Logo', 'الشعار'],
    group: 'identity',
    schema: picture,
    public: true,
    initial: '',
    asked: 'picture',
  },
  hijri_dates: {
    label: ['Show Hijri dates to who reads Arabic', 'إظهار التاريخ الهجري بجانب الميلادي'],
    group: 'identity',
    schema: flagText,
    public: true,
    initial: 'false',
  },
  favicon: {
    label: ['Icon in the tab', 'أيقونة المتصفح'],
    group: 'identity',
    schema: picture,
    public: true,
    initial: '',
    asked: 'picture',
  },
  university_email: {
    label: ['E-mail', 'البريد الإلكتروني'],
    group: 'contact',
    schema: mail,
    public: true,
    initial: '',
  },
  university_phone: {
    label: ['Telephone', 'الهاتف'],
    group: 'contact',
    schema: safeText(40),
    public: true,
    initial: '',
  },
  university_website: {
    label: ['Website', 'الموقع الإلكتروني'],
    group: 'contact',
    schema: link,
    public: true,
    initial: '',
  },
  university_address: {
    label: ['Address in English', 'العنوان بالإنجليزية'],
    group: 'contact',
    schema: safeText(300),
    public: true,
    initial: '',
  },
  university_address_local: {
    label: ['Address in Arabic', 'العنوان بالعربية'],
    group: 'contact',
    schema: safeText(300),
    public: true,
    initial: '',
  },
  lazy_admission: {
    label: ['Applicants may complete their data later', 'السماح باستكمال بيانات المتقدم لاحقًا'],
    group: 'admission',
    schema: flagText,
    public: true,
    initial: 'false',
  },
  admission_link: {
    label: ['Address of the admission site', 'رابط موقع القبول'],
    group: 'admission',
    schema: link,
    public: true,
    initial: '',
  },
  pay_with_fawry: {
    label: ['Pay with Fawry', 'الدفع بفوري'],
    group: 'payment',
    schema: flagText,
    public: true,
    initial: 'false',
  },
  pay_with_credit_card: {
    label: ['Pay by credit card', 'الدفع ببطاقة الائتمان'],
    group: 'payment',
    schema: flagText,
    public: true,
    initial: 'false',
  },
  lms_platform: {
    label: ['Address of the learning platform', 'رابط منصة التعلم'],
    group: 'learning',
    schema: link,
    public: true,
    initial: '',
  },
  second_factor_after_link: {
    label: ['Ask for the second factor after a one-time link', 'طلب خطوة التحقق الثانية بعد رابط لمرة واحدة'],
    group: 'sign_in',
    schema: flagText,
    public: false,
    initial: 'true',
  },
  second_factor_after_provider: {
    label: ['Ask for the second factor after single sign-on', 'طلب خطوة التحقق الثانية بعد الدخول الموحد'],
    group: 'sign_in',
    schema: flagText,
    public: false,
    initial: 'true',
  },
  recheck_fee_back: {
    label: ['Give the fee of a recheck back when the mark changes', 'رد رسم المراجعة إذا تغيرت الدرجة'],
    group: 'payment',
    schema: flagText,
    public: false,
    initial: 'true',
  },
  ...TAX_SETTINGS,
  ...HOUSING_SETTINGS,
  ...SERVICE_SETTINGS,
  ...WARNING_SETTINGS,
  plan_most_parts: {
    label: [
      'Parts that a student may ask for in a payment plan, at most (1 to 12)',
      'أقصى عدد أقساط يطلبه الطالب في خطة السداد (1 إلى 12)',
    ],
    group: 'payment',
    schema: z.string().regex(/^(?:[1-9]|1[0-2])$/),
    public: false,
    initial: '6',
  },
  plan_first_days: {
    label: [
      'Days from asking for a payment plan within which its first part is due',
      'أيام من طلب خطة السداد يحل خلالها قسطها الأول',
    ],
    group: 'payment',
    schema: days,
    public: false,
    initial: '30',
  },
  plan_grace_days: {
    label: [
      'Days after its day on which an unpaid part breaks a payment plan',
      'أيام بعد الموعد يُعد بعدها القسط غير المسدد إخلالًا بخطة السداد',
    ],
    group: 'payment',
    schema: days,
    public: false,
    initial: '5',
  },
  refund_limit_egp: {
    label: [
      'Refunds above this many EGP are approved by another person; empty: none are',
      'الاستردادات فوق هذا المبلغ بالجنيه يعتمدها شخص آخر، وفارغ: لا حد',
    ],
    group: 'payment',
    schema: amountText,
    public: false,
    initial: '',
  },
  refund_limit_usd: {
    label: [
      'Refunds above this many USD are approved by another person; empty: none are',
      'الاستردادات فوق هذا المبلغ بالدولار يعتمدها شخص آخر، وفارغ: لا حد',
    ],
    group: 'payment',
    schema: amountText,
    public: false,
    initial: '',
  },
  hold_results: {
    label: ['Who owes past a due date sees no results', 'حجب النتائج عمن تأخر في السداد'],
    group: 'payment',
    schema: flagText,
    public: false,
    initial: 'false',
  },
  hold_certificates: {
    label: ['Who owes past a due date gets no certificates', 'حجب الشهادات عمن تأخر في السداد'],
    group: 'payment',
    schema: flagText,
    public: false,
    initial: 'false',
  },
  // While it is on, every call that changes anything but this is refused; everybody sees a notice.
  read_only: {
    label: ['Read-only mode', 'وضع القراءة فقط'],
    group: 'operation',
    schema: flagText,
    public: false,
    initial: 'false',
  },
  // By hand at once, or between two moments that are announced before.
  maintenance: {
    label: ['Closed for maintenance now', 'النظام مغلق للصيانة الآن'],
    group: 'operation',
    schema: flagText,
    public: true,
    initial: 'false',
    asked: 'flag',
  },
  maintenance_from: {
    label: ['Maintenance begins', 'بداية الصيانة'],
    group: 'operation',
    schema: moment,
    public: true,
    initial: '',
    asked: 'moment',
  },
  maintenance_until: {
    label: ['Maintenance ends', 'نهاية الصيانة'],
    group: 'operation',
    schema: moment,
    public: true,
    initial: '',
    asked: 'moment',
  },
  registration_notice_days: {
    label: [
      'Days before registration on which blocked students are told; 0: never',
      'عدد الأيام قبل التسجيل التي يُخطر فيها من لديهم موانع، وصفر: لا إخطار',
    ],
    group: 'operation',
    schema: z.string().regex(/^\d{1,2}$/),
    public: false,
    initial: '7',
  },
  transfers_per_term: {
    label: [
      'Internal transfers of one student in a term; 0: any number',
      'عدد التحويلات الداخلية للطالب في الفصل، وصفر: بلا حد',
    ],
    group: 'transfers',
    schema: z.string().regex(/^\d$/),
    public: false,
    initial: '1',
  },
  enrollment_certificate_text: {
    label: ['Text in English', 'النص بالإنجليزية'],
    group: 'enrollment',
    schema: certificateText,
    public: false,
    initial:
      'The university certifies that {name}, student code {code}, is enrolled in {program}, {faculty}, level {level}, in the academic year {year}.',
    asked: 'lines',
  },
  enrollment_certificate_text_local: {
    label: ['Text in Arabic', 'النص بالعربية'],
    group: 'enrollment',
    schema: certificateText,
    public: false,
    initial:
      'تشهد الجامعة بأن {name}، كود الطالب {code}، مقيد ببرنامج {program}، {faculty}، المستوى {level}، في العام الجامعي {year}.',
    asked: 'lines',
  },
  enrollment_certificate_signatures: {
    label: ['Who signs, in English', 'الموقعون بالإنجليزية'],
    group: 'enrollment',
    schema: signatures,
    public: false,
    initial: 'Student affairs\nRegistrar',
    asked: 'lines',
  },
  enrollment_certificate_signatures_local: {
    label: ['Who signs, in Arabic', 'الموقعون بالعربية'],
    group: 'enrollment',
    schema: signatures,
    public: false,
    initial: 'شؤون الطلاب\nمسجل الكلية',
    asked: 'lines',
  },
  enrollment_certificate_days: {
    label: ['Days for which it is meant; 0: without end', 'مدة الصلاحية بالأيام، وصفر: بلا نهاية'],
    group: 'enrollment',
    schema: days,
    public: false,
    initial: '90',
  },
  graduation_certificate_text: {
    label: ['Text in English', 'النص بالإنجليزية'],
    group: 'graduation_certificate',
    schema: certificateText,
    public: false,
    initial:
      'The university certifies that {name}, student code {code}, has completed the requirements of {program} at the {faculty} in {graduation_term} and was awarded {degree} with a cumulative GPA of {gpa} ({classification}).',
    asked: 'lines',
  },
  graduation_certificate_text_local: {
    label: ['Text in Arabic', 'النص بالعربية'],
    group: 'graduation_certificate',
    schema: certificateText,
    public: false,
    initial:
      'تشهد الجامعة بأن {name}، كود الطالب {code}، أتم متطلبات برنامج {program} في {faculty} في {graduation_term} ومُنح درجة {degree} بمعدل تراكمي {gpa} ({classification}).',
    asked: 'lines',
  },
  graduation_certificate_signatures: {
    label: ['Who signs, in English', 'الموقعون بالإنجليزية'],
    group: 'graduation_certificate',
    schema: signatures,
    public: false,
    initial: 'Registrar\nDean\nPresident of the university',
    asked: 'lines',
  },
  graduation_certificate_signatures_local: {
    label: ['Who signs, in Arabic', 'الموقعون بالعربية'],
    group: 'graduation_certificate',
    schema: signatures,
    public: false,
    initial: 'مسجل الكلية\nعميد الكلية\nرئيس الجامعة',
    asked: 'lines',
  },
} as const satisfies Record<string, SettingDefinition>
export type SettingName = keyof typeof UNIVERSITY_SETTINGS
export const SETTING_NAMES = Object.keys(UNIVERSITY_SETTINGS) as SettingName[]

export const SETTING_GROUPS = {
  identity: ['Name and look', 'الاسم والمظهر'],
  contact: ['Contact', 'بيانات الاتصال'],
  admission: ['Admission', 'القبول'],
  payment: ['Payment', 'الدفع'],
  learning: ['Learning platform', 'منصة التعلم'],
  sign_in: ['Signing in', 'تسجيل الدخول'],
  operation: ['Operation', 'التشغيل'],
  transfers: ['Transfers', 'التحويلات'],
  housing: ['Housing', 'السكن'],
  services: ['Services', 'الخدمات'],
  early_warning: ['Early warning', 'الإنذار المبكر'],
  enrollment: ['Certificate of enrolment', 'شهادة القيد'],
  graduation_certificate: ['Graduation certificate', 'شهادة التخرج'],
} as const satisfies Record<SettingDefinition['group'], Label>

/** Groups that have calls and screens of their own: which right changes them besides that of the whole university. */
export const OWN_GROUPS = {
  enrollment: 'edit_enrollment_setting',
  graduation_certificate: 'edit_graduation_certificate_setting',
} as const
export type OwnGroup = keyof typeof OWN_GROUPS

const values = z.record(z.string(), z.string())
const setting = z.object({ id: z.int(), name: z.string(), value: z.string(), group: z.string() })
const one = z.object({ data: z.object({ id: z.int(), name: z.string(), value: z.string() }) })
const value = z.strictObject({ value: z.string().max(2000) })
/** Values by name; all of them are saved, or none. */
const several = z.strictObject(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, z.string().max(2000).optional()])) as Record<
    (typeof SETTING_NAMES)[number],
    z.ZodOptional<z.ZodString>
  >,
)
const all = z.object({ data: z.array(setting) })
const READERS = ['access_management', 'edit_university', ...Object.values(OWN_GROUPS)] as const

/** The calls of a group that has its own. */
const groupCalls = <const P extends string>(path: P, group: OwnGroup, en: string, ar: string) => ({
  all: call('PUT', path, {
    permission: [OWN_GROUPS[group], 'edit_university'],
    summary: [en, ar],
    body: several,
    response: all,
    example: {},
  }),
  one: call('PUT', `${path}/{id}` as const, {
    permission: [OWN_GROUPS[group], 'edit_university'],
    summary: [`${en}: one of them`, `${ar}: إعداد واحد`],
    body: value,
    response: one,
    example: { value: 'true' },
  }),
})
const enrollment = groupCalls(
  '/settings/enrollment-setting',
  'enrollment',
  'Change the settings of certificates of enrolment',
  'تعديل إعدادات شهادات القيد',
)
const graduation = groupCalls(
  '/settings/graduation-certificate-setting',
  'graduation_certificate',
  'Change the settings of graduation certificates',
  'تعديل إعدادات شهادات التخرج',
)

export const universityCalls = {
  universityData: call('GET', '/university/data', {
    permission: 'public',
    inMaintenance: true,
    summary: ['Settings of the university', 'إعدادات الجامعة'],
    response: z.object({ data: values }),
  }),
  universityDataGrouped: call('GET', '/university/data_grouped', {
    permission: 'access_management',
    summary: ['Settings of the university by group', 'إعدادات الجامعة مجمعة'],
    response: z.object({
      data: z.array(
        z.object({
          group: z.string(),
          settings: z.array(z.object({ id: z.int(), name: z.string(), value: z.string() })),
        }),
      ),
    }),
  }),
  updateUniversity: call('POST', '/university/update/{id}', {
    permission: 'edit_university',
    endsReadOnly: true,
    summary: ['Change a setting of the university', 'تعديل إعداد من إعدادات الجامعة'],
    body: value,
    response: one,
    example: { value: 'true' },
  }),
  settings: call('GET', '/settings', {
    permission: READERS,
    summary: ['Settings, as far as the reader may see them', 'الإعدادات المتاحة للقارئ'],
    response: all,
  }),
  setting: call('GET', '/settings/{id}', {
    permission: READERS,
    summary: ['A setting', 'إعداد واحد'],
    response: z.object({ data: setting }),
  }),
  updateSettings: call('PUT', '/settings', {
    permission: 'edit_university',
    endsReadOnly: true,
    summary: ['Change several settings at once', 'تعديل عدة إعدادات معًا'],
    body: several,
    response: all,
    example: { lazy_admission: 'true' },
  }),
  updateSetting: call('PUT', '/settings/{id}', {
    permission: 'edit_university',
    endsReadOnly: true,
    summary: ['Change a setting', 'تعديل إعداد'],
    body: value,
    response: one,
    example: { value: 'true' },
  }),
  updateEnrollment: enrollment.all,
  updateOneOfEnrollment: enrollment.one,
  updateGraduation: graduation.all,
  updateOneOfGraduation: graduation.one,
}
