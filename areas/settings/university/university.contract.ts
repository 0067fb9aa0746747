import { z } from 'zod'
import { call, failing, safeText } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'

/** Settings that are flags travel as the texts `true` and `false`, as the documents say. */
const flagText = z.enum(['true', 'false'])
const colour = z.string().refine((s) => /^#[0-9a-f]{6}$/i.test(s), failing('colour_not_valid'))
/** A zone by its name in the time zone database: `Africa/Cairo`. */
const zone = z.string().refine((name) => {
  try {
    return /^[A-Z]\w+(?:\/[\w+-]+)*$/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}, failing('time_zone_not_valid'))
const link = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)])

interface SettingDefinition {
  readonly label: Label
  readonly group: 'identity' | 'admission' | 'payment' | 'learning' | 'sign_in' | 'operation'
  readonly schema: z.ZodType
  /** Told to anyone, before signing in. */
  readonly public: boolean
  readonly initial: string
}

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
  favicon: {
    label: ['Address of the icon', 'رابط الأيقونة'],
    group: 'identity',
    schema: link,
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
  // While it is on, every call that changes anything but this is refused; everybody sees a notice.
  read_only: {
    label: ['Read-only mode', 'وضع القراءة فقط'],
    group: 'operation',
    schema: flagText,
    public: false,
    initial: 'false',
  },
} as const satisfies Record<string, SettingDefinition>
export type SettingName = keyof typeof UNIVERSITY_SETTINGS
export const SETTING_NAMES = Object.keys(UNIVERSITY_SETTINGS) as SettingName[]

export const SETTING_GROUPS = {
  identity: ['Name and look', 'الاسم والمظهر'],
  admission: ['Admission', 'القبول'],
  payment: ['Payment', 'الدفع'],
  learning: ['Learning platform', 'منصة التعلم'],
  sign_in: ['Signing in', 'تسجيل الدخول'],
  operation: ['Operation', 'التشغيل'],
} as const satisfies Record<SettingDefinition['group'], Label>

const values = z.record(z.string(), z.string())

export const universityCalls = {
  universityData: call('GET', '/university/data', {
    permission: 'public',
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
    body: z.strictObject({ value: z.string().max(500) }),
    response: z.object({ data: z.object({ id: z.int(), name: z.string(), value: z.string() }) }),
    example: { value: 'true' },
  }),
}
