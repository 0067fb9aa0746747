import { z } from 'zod'
import { call, f, idParam, lookup, problem, ref } from '#kit/contract/index.ts'

/** Kinds of own fields that a service may ask for. */
export const SERVICE_FIELD_TYPES = [
  { value: 'text', label: ['Text', 'نص'] },
  { value: 'long_text', label: ['Long text', 'نص طويل'] },
  { value: 'number', label: ['Number', 'رقم'] },
  { value: 'choice', label: ['Choice', 'اختيار'] },
  { value: 'date', label: ['Date', 'تاريخ'] },
  { value: 'file', label: ['File', 'ملف'] },
] as const
export type ServiceFieldType = (typeof SERVICE_FIELD_TYPES)[number]['value']

/** A kind of service: who may ask for it, what it asks, what it costs, and which offices it passes. */
export const serviceKind = lookup('serviceKind', {
  path: '/service-kinds',
  one: ['Kind of service', 'نوع خدمة'],
  many: ['Kinds of services', 'أنواع الخدمات'],
  adding: ['Add kind of service', 'إضافة نوع خدمة'],
  editing: ['Edit kind of service', 'تعديل نوع خدمة'],
  changedBy: 'whole',
  // Fields and offices are made on the screen: a sheet has neither.
  permissions: { import: null },
  fields: {
    description: f.longText(['Description in English', 'الوصف بالإنجليزية'], { max: 1000, detailOnly: true }),
    description_local: f.longText(['Description in Arabic', 'الوصف بالعربية'], { max: 1000, detailOnly: true }),
    for_students: f.flag(['For students', 'للطلاب']),
    for_graduates: f.flag(['For graduates', 'للخريجين']),
    for_staff: f.flag(['For staff', 'للعاملين']),
    price_local: f.money(['Price in pounds', 'السعر بالجنيه'], { required: true }),
    price_usd: f.money(['Price in dollars', 'السعر بالدولار'], { required: true }),
    prepaid: f.flag(['Paid before work begins', 'السداد قبل بدء العمل'], {
      help: ['Else it is paid before it is done', 'وإلا فيُسدد قبل إنجاز الطلب'],
    }),
    stopped_by_debt: f.flag(['Not while a debt holds certificates', 'لا تُطلب مع مديونية توقف الشهادات'], {
      detailOnly: true,
    }),
    one_at_a_time: f.flag(['One at a time', 'طلب واحد في المرة'], { detailOnly: true }),
    is_active: f.flag(['May be asked for', 'متاح للطلب']),
    own_fields: f.rows(
      ['What is asked, in this order', 'البيانات المطلوبة بالترتيب'],
      {
        name: f.text(['Label in English', 'العنوان بالإنجليزية'], { required: true, max: 120 }),
        name_local: f.text(['Label in Arabic', 'العنوان بالعربية'], { required: true, max: 120 }),
        type: f.choice(['Kind of field', 'نوع الحقل'], SERVICE_FIELD_TYPES, { required: true }),
        required: f.flag(['Required', 'إلزامي']),
        options: f.longText(['Options', 'الاختيارات'], {
          max: 2000,
          help: ['Of a choice: one line each, like Rent | إيجار', 'لحقل الاختيار: سطر لكل اختيار، مثل Rent | إيجار'],
        }),
        hint: f.text(['Hint in English', 'التلميح بالإنجليزية'], { max: 300 }),
        hint_local: f.text(['Hint in Arabic', 'التلميح بالعربية'], { max: 300 }),
      },
      { table: 'service_kind_fields', parent: 'kind_id', position: 'position', max: 30, detailOnly: true },
    ),
    offices: f.rows(
      ['Offices, in this order', 'المكاتب بالترتيب'],
      {
        name: f.text(['Office in English', 'المكتب بالإنجليزية'], { required: true, max: 120 }),
        name_local: f.text(['Office in Arabic', 'المكتب بالعربية'], { required: true, max: 120 }),
        role_id: f.lookup(['Held by the role', 'يشغله الدور'], 'serviceOffice'),
        user_id: f.lookup(['Or by one person', 'أو شخص بعينه'], 'serviceHolder'),
        days: f.integer(['Days it may take', 'المدة بالأيام'], { required: true, min: 1, max: 365 }),
        note_shown: f.flag(['Who asked reads its note', 'يقرأ مقدم الطلب ملاحظته']),
      },
      { table: 'service_kind_steps', parent: 'kind_id', position: 'position', max: 12, detailOnly: true },
    ),
  },
  menu: { group: 'services', order: 63, icon: 'tools', setup: true },
})

/** One of the options of a choice: what is stored, and what it is called. */
const option = z.object({ value: z.string(), name: z.string(), name_local: z.string() })
/** A field as a request asks for it, kept with the request. */
export const serviceField = z.object({
  key: z.string(),
  name: z.string(),
  name_local: z.string(),
  type: z.enum(['text', 'long_text', 'number', 'choice', 'date', 'file']),
  required: z.boolean(),
  options: z.array(option),
  hint: z.string().nullable(),
  hint_local: z.string().nullable(),
})
export type ServiceField = z.output<typeof serviceField>

/** A kind as somebody sees it who may ask for it. */
const offeredService = ref.extend({
  description: z.string().nullable(),
  description_local: z.string().nullable(),
  /** In minor units of the currency that is paid in; 0: nothing. */
  price: z.int(),
  currency: z.enum(['EGP', 'USD']),
  prepaid: z.boolean(),
  /** Days that its offices may take together. */
  days: z.int(),
  offices: z.array(z.object({ name: z.string(), name_local: z.string(), days: z.int() })),
  fields: z.array(serviceField),
  /** Why not now. */
  refused: z.array(problem),
})
export type OfferedService = z.output<typeof offeredService>

export const serviceKindCalls = {
  index: call('GET', '/services/index', {
    permission: ['add_service', 'ask_service_as_staff'],
    summary: ['Services that may be asked for, with price and usual time', 'الخدمات المتاحة للطلب بأسعارها ومددها'],
    // For whom: who asks, as a student or else as a member of staff, unless told.
    query: z.strictObject({ student_id: idParam.optional(), staff_id: idParam.optional() }),
    response: z.object({ data: z.array(offeredService) }),
  }),
}
