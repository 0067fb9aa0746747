import { followIds, insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { demoPart, usersByEmail } from '#demo/part.ts'
import { sql } from 'kysely'
import type { ServiceFieldType } from './kind.contract.ts'

type Names = readonly [en: string, ar: string]
interface DemoField {
  readonly names: Names
  readonly type: ServiceFieldType
  readonly required?: boolean
  readonly options?: string
  readonly hint?: Names
  /** What is answered in the demo university; of a date the days from today. */
  readonly answer?: string | number
}
interface DemoOffice {
  readonly names: Names
  /** Key of a role, or address of one person before the at sign. */
  readonly by: string
  readonly days: number
  readonly shown?: boolean
}
export interface DemoService {
  readonly code: string
  readonly names: Names
  readonly text: Names
  /** In whole pounds and dollars; none: free. */
  readonly price?: readonly [local: number, usd: number]
  readonly prepaid?: boolean
  readonly alone?: boolean
  readonly graduates?: boolean
  /** For who works here, and for students too where that is `both`. */
  readonly staff?: 'only' | 'both'
  readonly more?: Readonly<Record<string, unknown>>
  readonly fields: readonly DemoField[]
  readonly offices: readonly DemoOffice[]
}

const SPECIALIST: Names = ['Student affairs specialist', 'أخصائي شؤون الطلاب']
const PERSONNEL: Names = ['Personnel', 'شؤون العاملين']
const MANAGER: Names = ['Student affairs manager', 'مدير شؤون الطلاب']
/** The kinds of the demo university; their ids follow this order. */
export const DEMO_SERVICES: readonly DemoService[] = [
  {
    code: 'LOCKER',
    names: ['Locker', 'خزانة حفظ'],
    text: ['A locker in the building of your faculty, for one term.', 'خزانة في مبنى كليتك لفصل دراسي واحد.'],
    fields: [
      {
        names: ['Floor', 'الطابق'],
        type: 'choice',
        options: 'Ground floor | الطابق الأرضي\nFirst floor | الطابق الأول\nSecond floor | الطابق الثاني',
        answer: 'First floor',
      },
    ],
    offices: [{ names: SPECIALIST, by: 'competent_employee', days: 3, shown: true }],
  },
  {
    code: 'ID-CARD',
    names: ['Replacement of the student card', 'بدل فاقد بطاقة الطالب'],
    text: ['A new card in place of one that is lost or damaged.', 'بطاقة جديدة بدلًا من المفقودة أو التالفة.'],
    price: [100, 10],
    prepaid: true,
    alone: true,
    fields: [
      {
        names: ['What happened', 'ما حدث للبطاقة'],
        type: 'choice',
        required: true,
        options: 'Lost | فُقدت\nDamaged | تلفت\nStolen | سُرقت',
        answer: 'Lost',
      },
      { names: ['Since when', 'منذ متى'], type: 'date', required: true, answer: -5 },
      {
        names: ['Police report', 'محضر الشرطة'],
        type: 'file',
        hint: ['Only of a stolen card', 'للبطاقة المسروقة فقط'],
      },
    ],
    offices: [
      { names: SPECIALIST, by: 'competent_employee', days: 2 },
      { names: MANAGER, by: 'affair_manager', days: 3, shown: true },
    ],
  },
  {
    code: 'COURSE-LETTER',
    names: ['Letter on course contents to an embassy', 'خطاب محتوى مقررات لسفارة'],
    text: ['The contents of courses you passed, addressed to an embassy.', 'محتوى مقررات اجتزتها، موجه إلى سفارة.'],
    price: [150, 15],
    prepaid: true,
    graduates: true,
    more: { stopped_by_debt: true },
    fields: [
      { names: ['Embassy', 'السفارة'], type: 'text', required: true, answer: 'Germany' },
      {
        names: ['Courses', 'المقررات'],
        type: 'long_text',
        required: true,
        answer: 'Calculus 1, Physics 1, Programming 1',
      },
      {
        names: ['Language', 'اللغة'],
        type: 'choice',
        required: true,
        options: 'Arabic | العربية\nEnglish | الإنجليزية',
        answer: 'English',
      },
    ],
    offices: [
      { names: ['Registration unit', 'وحدة التسجيل'], by: 'registration_unit', days: 4 },
      { names: ['Dean', 'عميد الكلية'], by: 'dean', days: 3 },
      { names: SPECIALIST, by: 'competent_employee', days: 2, shown: true },
    ],
  },
  {
    code: 'SPORTS',
    names: ['Sports facility', 'حجز ملعب'],
    text: ['A pitch or hall of the university for a group.', 'ملعب أو صالة بالجامعة لمجموعة.'],
    staff: 'both',
    price: [200, 20],
    fields: [
      {
        names: ['Facility', 'المنشأة'],
        type: 'choice',
        required: true,
        options: 'Football pitch | ملعب كرة قدم\nBasketball hall | صالة كرة سلة\nSwimming pool | حمام سباحة',
        answer: 'Football pitch',
      },
      { names: ['Day', 'اليوم'], type: 'date', required: true, answer: 9 },
      { names: ['Number of players', 'عدد اللاعبين'], type: 'number', required: true, answer: 14 },
    ],
    offices: [{ names: MANAGER, by: 'affair_manager', days: 2, shown: true }],
  },
  {
    code: 'PARKING',
    names: ['Parking permit', 'تصريح انتظار سيارة'],
    text: ['A place in a car park of the university, for one year.', 'مكان في ساحة انتظار بالجامعة لمدة عام.'],
    staff: 'both',
    price: [500, 50],
    prepaid: true,
    alone: true,
    more: { stopped_by_debt: true },
    fields: [
      { names: ['Plate', 'رقم اللوحة'], type: 'text', required: true, answer: 'س ط م 1234' },
      { names: ['Licence of the car', 'رخصة السيارة'], type: 'file' },
    ],
    offices: [
      { names: SPECIALIST, by: 'competent_employee', days: 2, shown: true },
      { names: ['Administration', 'إدارة الجامعة'], by: 'university_administration_manager', days: 5 },
    ],
  },
  {
    code: 'SUPPORT',
    names: ['Support for special needs', 'دعم ذوي الإعاقة'],
    text: ['A reader, a place in front, material in large print.', 'قارئ أو مقعد أمامي أو مادة بخط كبير.'],
    fields: [
      {
        names: ['Support', 'نوع الدعم'],
        type: 'choice',
        required: true,
        options: 'Reader | قارئ\nPlace in front | مقعد أمامي\nLarge print | خط كبير\nSign language | لغة الإشارة',
        answer: 'Large print',
      },
      {
        names: ['What you need', 'ما تحتاج إليه'],
        type: 'long_text',
        required: true,
        answer: 'كتب المقررات بخط كبير.',
      },
      { names: ['Medical report', 'تقرير طبي'], type: 'file' },
    ],
    offices: [
      { names: MANAGER, by: 'affair_manager', days: 3 },
      { names: ['Vice president', 'نائب رئيس الجامعة'], by: 'vice_president', days: 5, shown: true },
    ],
  },
  {
    code: 'ENVELOPE',
    names: ['Sealed envelope of a transcript', 'مظروف مختوم لبيان درجات'],
    text: [
      'An issued transcript in a sealed envelope, stamped by the faculty.',
      'بيان درجات صادر في مظروف مغلق ومختوم من الكلية.',
    ],
    price: [50, 5],
    graduates: true,
    fields: [
      {
        names: ['Number of the transcript', 'رقم بيان الدرجات'],
        type: 'text',
        required: true,
        answer: 'TR-2026-000014',
      },
      { names: ['Envelopes', 'عدد المظاريف'], type: 'number', required: true, answer: 2 },
    ],
    offices: [
      { names: ['Registration unit', 'وحدة التسجيل'], by: 'registration_unit', days: 2 },
      { names: ['Seal of the university', 'ختم الجامعة'], by: 'director', days: 1, shown: true },
    ],
  },
  {
    code: 'DATA',
    names: ['Change of personal data', 'تعديل بيانات شخصية'],
    text: ['A name, a date of birth or another entry of your record.', 'اسم أو تاريخ ميلاد أو غيرهما في سجلك.'],
    alone: true,
    fields: [
      {
        names: ['What is wrong', 'البيان الخطأ'],
        type: 'text',
        required: true,
        answer: 'Spelling of the English name',
      },
      { names: ['What it should be', 'الصواب'], type: 'text', required: true, answer: 'Mohamed' },
      { names: ['Document that shows it', 'المستند الدال'], type: 'file' },
    ],
    offices: [
      { names: SPECIALIST, by: 'competent_employee', days: 3 },
      { names: MANAGER, by: 'affair_manager', days: 3, shown: true },
    ],
  },
  {
    code: 'STAFF-CARD',
    names: ['Replacement of the staff card', 'بدل فاقد بطاقة العامل'],
    text: ['A new card in place of one that is lost or damaged.', 'بطاقة جديدة بدلًا من المفقودة أو التالفة.'],
    price: [80, 8],
    prepaid: true,
    alone: true,
    staff: 'only',
    fields: [
      {
        names: ['What happened', 'ما حدث للبطاقة'],
        type: 'choice',
        required: true,
        options: 'Lost | فُقدت\nDamaged | تلفت\nStolen | سُرقت',
        answer: 'Damaged',
      },
    ],
    offices: [{ names: PERSONNEL, by: 'personnel_officer', days: 3, shown: true }],
  },
  {
    code: 'EQUIPMENT',
    names: ['Equipment on loan', 'استعارة أجهزة'],
    text: ['A laptop or a projector for your work.', 'حاسب محمول أو جهاز عرض لعملك.'],
    staff: 'only',
    fields: [
      {
        names: ['Equipment', 'الجهاز'],
        type: 'choice',
        required: true,
        options: 'Laptop | حاسب محمول\nProjector | جهاز عرض\nCamera | آلة تصوير',
        answer: 'Laptop',
      },
      { names: ['Until', 'حتى'], type: 'date', required: true, answer: 30 },
    ],
    offices: [
      { names: PERSONNEL, by: 'personnel_officer', days: 2 },
      { names: ['Administration', 'إدارة الجامعة'], by: 'university_administration_manager', days: 4, shown: true },
    ],
  },
]

/** The kinds with their fields and offices; ids as they are listed. */
async function loadKinds(tx: Tx, roles: ReadonlyMap<string, number>, account: (name: string) => number) {
  await insertRows(
    tx,
    'service_kinds',
    DEMO_SERVICES.map(
      ({ code, names: [name, name_local], text, price, prepaid, alone, graduates, staff, more }, i) => ({
        id: i + 1,
        code,
        name,
        name_local,
        description: text[0],
        description_local: text[1],
        for_students: staff !== 'only',
        for_staff: staff !== undefined,
        for_graduates: graduates ?? false,
        price_local: (price?.[0] ?? 0) * 100,
        price_usd: (price?.[1] ?? 0) * 100,
        prepaid: prepaid ?? false,
        one_at_a_time: alone ?? false,
        stopped_by_debt: false,
        is_active: true,
        ...more,
      }),
    ),
  )
  await followIds(tx, 'service_kinds')
  const fields = DEMO_SERVICES.flatMap(({ fields: some }, i) =>
    some.map((field, at) => ({
      kind_id: i + 1,
      position: at + 1,
      name: field.names[0],
      name_local: field.names[1],
      type: field.type,
      required: field.required ?? false,
      options: field.options ?? null,
      hint: field.hint?.[0] ?? null,
      hint_local: field.hint?.[1] ?? null,
    })),
  )
  await insertRows(tx, 'service_kind_fields', fields)
  await insertRows(
    tx,
    'service_kind_steps',
    DEMO_SERVICES.flatMap(({ offices }, i) =>
      offices.map(({ names, by, days, shown }, at) => ({
        kind_id: i + 1,
        position: at + 1,
        name: names[0],
        name_local: names[1],
        role_id: roles.get(by) ?? null,
        user_id: roles.has(by) ? null : account(by),
        days,
        note_shown: shown ?? false,
      })),
    ),
  )
}

export default demoPart(['service_kinds'], ['role_assignments', 'users'], async (tx) => {
  const users = await usersByEmail(tx)
  const { rows } = await sql<{ id: number; key: string }>`select id, key from roles where removed_at is null`.execute(
    tx,
  )
  await loadKinds(
    tx,
    new Map(rows.map(({ id, key }) => [key, id])),
    (name) => [...users].find(([email]) => email.startsWith(`${name}@`))![1],
  )
})
