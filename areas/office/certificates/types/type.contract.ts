import { z } from 'zod'
import { call, f, id, idParam, listOf, listQuery, lookup, problem, ref } from '#kit/contract/index.ts'
import { inputSchema, rowSchema } from '#kit/contract/resource.ts'
import { SPEEDS } from './words.contract.ts'

/** What stands on a certificate: a text of its own, or a record that the university prints anyhow. */
export const DOCUMENTS = [
  { value: 'text', label: ['Own text', 'نص خاص'] },
  { value: 'transcript', label: ['Official transcript', 'بيان درجات رسمي'] },
  { value: 'enrollment_certificate', label: ['Certificate of enrolment', 'شهادة قيد'] },
  { value: 'graduation_certificate', label: ['Graduation certificate', 'شهادة تخرج'] },
  { value: 'master_certificate', label: ["Master's certificate", 'شهادة ماجستير'] },
  { value: 'trainings_done', label: ['Trainings that were done', 'التدريبات المنجزة'] },
] as const
export const AUDIENCES = [
  { value: 'student', label: ['Students', 'الطلاب'] },
  { value: 'graduate', label: ['Graduates', 'الخريجون'] },
  { value: 'staff', label: ['Staff', 'العاملون'] },
] as const
export { DELIVERIES, LANGUAGES, SPEEDS } from './words.contract.ts'

/** Types of certificates: for whom, what stands on them, what they cost, who signs them. */
export const certificateSetting = lookup('certificateSetting', {
  path: '/certificate-settings',
  one: ['Type of certificate', 'نوع شهادة'],
  many: ['Types of certificates', 'أنواع الشهادات'],
  adding: ['Add type of certificate', 'إضافة نوع شهادة'],
  editing: ['Edit type of certificate', 'تعديل نوع شهادة'],
  changedBy: 'whole',
  exportName: 'Certificate-Settings',
  fields: {
    document: f.choice(['Contents', 'المحتوى'], DOCUMENTS, { required: true }),
    body: f.longText(['Text in English', 'النص بالإنجليزية'], {
      max: 4000,
      detailOnly: true,
      paired: true,
    }),
    body_local: f.longText(['Text in Arabic', 'النص بالعربية'], {
      max: 4000,
      detailOnly: true,
      paired: true,
    }),
    for_students: f.flag(['For students', 'للطلاب']),
    for_graduates: f.flag(['For graduates', 'للخريجين']),
    for_staff: f.flag(['For staff', 'للعاملين'], {
      help: ['For nobody else, and with an own text', 'لا تكون لغيرهم، وبنص خاص'],
    }),
    min_level: f.integer(['From level', 'من المستوى'], { max: 7, detailOnly: true }),
    needs_photo: f.flag(['Needs a photo in the record', 'يشترط صورة في السجل'], { detailOnly: true }),
    valid_days: f.integer(['Valid for days', 'مدة السريان بالأيام'], {
      min: 1,
      max: 3650,
      detailOnly: true,
      help: ['Empty: for ever', 'فارغ: دائمًا'],
    }),
    days_normal: f.integer(['Days until it is ready', 'أيام الإنجاز'], { required: true, max: 365 }),
    days_urgent: f.integer(['Days when it is urgent', 'أيام الإنجاز العاجل'], {
      max: 365,
      detailOnly: true,
      help: ['Empty: it is never urgent', 'فارغ: لا يوجد إنجاز عاجل'],
    }),
    prepare_days: f.integer(['Days of the office for each of its steps', 'أيام المكتب لكل خطوة من خطواته'], {
      max: 365,
      detailOnly: true,
      help: ['Preparing, issuing, sending. Empty: nobody is reminded', 'الإعداد والإصدار والإرسال. فارغ: لا تذكير'],
    }),
    review_days: f.integer(['Days of the review', 'أيام المراجعة'], {
      max: 365,
      detailOnly: true,
      help: ['Empty: nobody is reminded', 'فارغ: لا تذكير'],
    }),
    sign_days: f.integer(['Days of each signature', 'أيام كل توقيع'], {
      max: 365,
      detailOnly: true,
      help: ['Empty: nobody is reminded', 'فارغ: لا تذكير'],
    }),
    most_copies: f.integer(['Most copies', 'أقصى عدد نسخ'], { required: true, min: 1, max: 50, detailOnly: true }),
    by_hand: f.flag(['Collected by hand', 'تسليم باليد'], { detailOnly: true }),
    by_mail: f.flag(['By post', 'بالبريد'], { detailOnly: true }),
    electronic: f.flag(['Electronic file', 'ملف إلكتروني'], { detailOnly: true }),
    signature_pictures: f.flag(['Pictures of signatures on the paper', 'صور التوقيعات على الوثيقة'], {
      detailOnly: true,
    }),
    desk_at_once: f.flag(['The desk issues it at once', 'يصدره المكتب فورًا'], {
      detailOnly: true,
      help: [
        'Of a record: also on the page of the student, without request and signatures. Else only on this way',
        'لما يُطبع من السجل: أيضًا من صفحة الطالب دون طلب وتوقيعات، وإلا فمن هذا المسار وحده',
      ],
    }),
    is_active: f.flag(['May be asked for', 'متاح للطلب']),
    payment_settings: f.rows(
      ['Prices', 'الأسعار'],
      {
        audience: f.choice(['Who asks', 'مقدم الطلب'], AUDIENCES, { required: true }),
        speed: f.choice(['Speed', 'السرعة'], SPEEDS, { required: true }),
        value_local: f.money(['Price in pounds', 'السعر بالجنيه'], { required: true }),
        value_usd: f.money(['Price in dollars', 'السعر بالدولار'], { required: true }),
        copy_local: f.money(['Further copy in pounds', 'نسخة إضافية بالجنيه'], { required: true }),
        copy_usd: f.money(['Further copy in dollars', 'نسخة إضافية بالدولار'], { required: true }),
      },
      {
        table: 'certificate_setting_prices',
        parent: 'type_id',
        by: 'c.audience desc, c.speed, c.id',
        max: 4,
        detailOnly: true,
      },
    ),
    signers: f.rows(
      ['Signed by, in this order', 'الموقعون بالترتيب'],
      { position_id: f.lookup(['Position', 'الوظيفة'], 'signingPosition', { required: true }) },
      { table: 'certificate_setting_signers', parent: 'type_id', position: 'position', max: 8, detailOnly: true },
    ),
  },
  sections: [
    { title: ['Type', 'النوع'], fields: ['code', 'name', 'name_local', 'document', 'is_active'] },
    {
      title: ['Text', 'النص'],
      text: [
        'Of an own text. Fields are filled from the record of whoever asks.',
        'للنص الخاص. تُملأ الحقول من سجل مقدم الطلب.',
      ],
      fields: ['body', 'body_local'],
    },
    {
      title: ['For whom', 'لمن'],
      fields: ['for_students', 'for_graduates', 'for_staff', 'needs_photo', 'min_level', 'valid_days'],
    },
    {
      title: ['Until it is handed over', 'حتى التسليم'],
      fields: [
        'days_normal',
        'days_urgent',
        'most_copies',
        'by_hand',
        'by_mail',
        'electronic',
        'signers',
        'signature_pictures',
        'desk_at_once',
      ],
    },
    {
      title: ['Time of each step', 'مدة كل خطوة'],
      text: [
        'What takes longer is marked overdue; whose turn it is is reminded, then who stands above is told.',
        'ما يتجاوز المدة يُعلَّم متأخرًا ويُذكَّر صاحب الدور ثم يُبلغ رئيسه.',
      ],
      fields: ['prepare_days', 'review_days', 'sign_days'],
    },
    { title: ['Prices', 'الأسعار'], fields: ['payment_settings'] },
  ],
  menu: { group: 'services', order: 60, icon: 'certificate', setup: true },
})

const asked = z.object({ data: z.array(z.object({ value: z.string(), name: z.string(), name_local: z.string() })) })
const EXAMPLE = {
  code: 'CONDUCT-2',
  name: 'Certificate of good conduct',
  name_local: 'شهادة حسن سير وسلوك',
  document: 'text',
  body: '{name} studies at the faculty of {faculty}.',
  body_local: 'يدرس {name} بكلية {faculty}.',
  for_students: true,
  days_normal: 3,
  most_copies: 5,
  by_hand: true,
}
const answered = z.object({ data: rowSchema(certificateSetting, 'detail') })
/** A type as somebody sees it who asks for a certificate. */
const offered = ref.extend({
  /** What is printed. */
  document: z.enum(DOCUMENTS.map(({ value }) => value)),
  audience: z.enum(['student', 'graduate', 'staff']),
  deliveries: z.array(z.enum(['by_hand', 'by_mail', 'electronic'])),
  most_copies: z.int(),
  prices: z.array(
    z.object({
      speed: z.enum(['normal', 'urgent']),
      days: z.int(),
      /** In minor units: of the first copy, and of each further one. */
      amount: z.int(),
      copy: z.int(),
      currency: z.enum(['EGP', 'USD']),
    }),
  ),
  signers: z.array(ref),
  /** Why not now. */
  refused: z.array(problem),
})
export type OfferedType = z.output<typeof offered>

/** A wording of a type: who wrote it when, and how many certificates were prepared with it. The newest stands first. */
const wording = z.object({
  id,
  number: z.int(),
  body: z.string(),
  body_local: z.string(),
  created_at: z.string(),
  created_by: ref.nullable(),
  used: z.int(),
})
export type CertificateWording = z.output<typeof wording>

/** The calls of types at the paths of the documents, and what somebody may ask for. */
export const typeCalls = {
  list: call('POST', '/services-settings/certificates/list', {
    permission: certificateSetting.permissions.list!,
    summary: ['Types of certificates', 'أنواع الشهادات'],
    body: listQuery,
    response: listOf(rowSchema(certificateSetting, 'list')),
    reads: true,
  }),
  add: call('POST', '/services-settings/certificates', {
    permission: certificateSetting.permissions.add!,
    summary: ['Add a type of certificate', 'إضافة نوع شهادة'],
    body: inputSchema(certificateSetting, 'create'),
    response: answered,
    example: EXAMPLE,
  }),
  change: call('POST', '/services-settings/certificates/{id}', {
    permission: certificateSetting.permissions.edit!,
    summary: ['Change a type of certificate', 'تعديل نوع شهادة'],
    body: inputSchema(certificateSetting, 'update'),
    response: answered,
    example: { days_normal: 5 },
  }),
  lookups: call('GET', '/services-settings/certificates/services/lookups', {
    permission: certificateSetting.permissions.list!,
    summary: ['Choices for types of certificates', 'خيارات أنواع الشهادات'],
    response: z.object({
      data: z.object({
        documents: asked.shape.data,
        audiences: asked.shape.data,
        speeds: asked.shape.data,
        deliveries: asked.shape.data,
        languages: asked.shape.data,
        positions: z.array(ref),
      }),
    }),
  }),
  export: call('POST', '/services-settings/export', {
    permission: certificateSetting.permissions.export!,
    summary: ['Types of certificates as a sheet', 'تصدير أنواع الشهادات'],
    body: listQuery,
    file: { name: 'Certificate-Settings.xlsx', type: 'xlsx' },
    reads: true,
  }),
  offered: call('GET', '/certificates/types', {
    permission: ['add_certificate', 'ask_certificate_as_staff'],
    summary: ['What somebody may ask for, with its price', 'ما يمكن للشخص طلبه، بسعره'],
    // For whom: who asks, as a student or else as a member of staff, unless told.
    query: z.strictObject({ student_id: idParam.optional(), staff_id: idParam.optional() }),
    response: z.object({ data: z.array(offered) }),
  }),
  versions: call('GET', '/certificate-settings/{id}/versions', {
    permission: certificateSetting.permissions.list!,
    summary: ['Every wording that a type of certificate has had', 'كل صياغات نوع شهادة'],
    response: z.object({ data: z.array(wording) }),
  }),
  preview: call('POST', '/certificate-settings/preview', {
    permission: certificateSetting.permissions.edit!,
    summary: ['Look at a text with the record of a person', 'معاينة نص ببيانات شخص'],
    body: z.strictObject({
      /** One of them, as the type is for students or for staff. */
      student_id: id.optional(),
      staff_id: id.optional(),
      lang: z.enum(['ar', 'en']),
      title: z.string().min(1).max(200),
      text: z.string().min(1).max(4000),
    }),
    file: { name: 'Preview.pdf', type: 'pdf' },
    reads: true,
    traced: 'student',
    example: { student_id: 1, lang: 'ar', title: 'شهادة', text: 'يدرس {name} بكلية {faculty}.' },
  }),
}
