import { issueInvoices, type DraftInvoice } from '#areas/money/invoices/issue.server.ts'
import { payerOfStaff } from '#areas/money/ledger/post.server.ts'
import { SILENT } from '#areas/money/transactions/transactions.demo.ts'
import { followIds, insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart, stepsTo, usersByEmail } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import type { ServiceField, ServiceFieldType } from './kinds/kind.contract.ts'
import { optionsOf } from './kinds/kind.rules.ts'
import { serviceFlow } from './requests/service.contract.ts'

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
interface DemoService {
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
const SERVICES: readonly DemoService[] = [
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

/** Requests of who works here: as below, by the job of who asks. */
const ASKED_BY_STAFF: readonly (readonly [job: string, ...asked: Asked])[] = [
  ['Finance Officer', 'fee_due', 'STAFF-CARD'],
  ['Finance Officer', 'done', 'EQUIPMENT', 2, 9, 'For the audit'],
  ['Faculty Registrar', 'in review', 'STAFF-CARD', 1, 1],
  ['Graduate Affairs Officer', 'in review', 'EQUIPMENT', 2, 6, 'أحتاجه في لجان التخرج'],
  ['Quality Officer', 'New', 'EQUIPMENT', 1, 0],
  ['Admission Officer', 'asked_back', 'EQUIPMENT', 1, 2],
  ['Registration Unit Officer', 'New', 'PARKING', 1, 1],
  ['Cashier', 'Rejected', 'PARKING', 2, 10],
  ['University Registrar', 'cancelled', 'SPORTS', 1, 5],
]

type Asked = readonly [state: string, service: string, step?: number, since?: number, why?: string]
/**
 * Requests of the demo university, each state several times: state, service, the place in its chain, how many days its office
 * has had it, and a remark. Where the days are more than the office may take, it is overdue.
 */
const ASKED: readonly Asked[] = [
  ['done', 'LOCKER', 1, 9],
  ['done', 'ID-CARD', 2, 12],
  ['done', 'COURSE-LETTER', 3, 20],
  ['done', 'SPORTS', 1, 6],
  ['done', 'SUPPORT', 2, 15],
  ['cancelled', 'LOCKER', 1, 4, 'طلبتها بالخطأ'],
  ['cancelled', 'PARKING', 1, 8],
  ['Rejected', 'PARKING', 2, 11],
  ['Rejected', 'SPORTS', 1, 7],
  ['Rejected', 'DATA', 1, 5],
  ['asked_back', 'DATA', 1, 3],
  ['asked_back', 'SUPPORT', 1, 2],
  ['asked_back', 'COURSE-LETTER', 1, 4],
  ['asked_back', 'ENVELOPE', 1, 1],
  ['in review', 'ID-CARD', 2, 12, 'I have an exam on Sunday'],
  ['in review', 'COURSE-LETTER', 2, 9],
  ['in review', 'PARKING', 2, 6],
  ['in review', 'SUPPORT', 1, 8, 'أحتاجها قبل بداية الامتحانات'],
  ['in review', 'LOCKER', 1, 5],
  ['in review', 'DATA', 2, 2],
  ['in review', 'COURSE-LETTER', 1, 1],
  ['in review', 'SUPPORT', 2, 1],
  ['in review', 'ID-CARD', 1, 0],
  ['in review', 'DATA', 1, 1],
  ['in review', 'ENVELOPE', 2, 0],
  ['in review', 'SPORTS', 1, 1],
  ['fee_due', 'ID-CARD', 1, 0],
  ['fee_due', 'PARKING', 1, 0, 'For this year'],
  ['fee_due', 'COURSE-LETTER', 1, 0],
  ['fee_due', 'PARKING', 1, 0],
  ['New', 'LOCKER', 1, 6],
  ['New', 'DATA', 1, 5, 'الاسم في بطاقة الرقم القومي مختلف'],
  ['New', 'COURSE-LETTER', 1, 3],
  ['New', 'SUPPORT', 1, 1],
  ['New', 'LOCKER', 1, 1],
  ['New', 'PARKING', 1, 1],
  ['New', 'ID-CARD', 1, 0],
  ['New', 'LOCKER', 1, 0, 'Near the stairs, please'],
  ['New', 'DATA', 1, 0],
  ['New', 'LOCKER', 1, 0],
  ['New', 'ID-CARD', 1, 0],
  ['New', 'LOCKER', 1, 0],
]
const SAID: Readonly<Record<string, string>> = {
  asked_back: 'Hand in the document that shows it, please.',
  Rejected: 'All places are taken until the end of the term.',
}
const RUNNING = new Set(['New', 'in review'])

interface DemoAsker {
  readonly student_id: number | null
  readonly staff_id: number | null
  readonly user_id: number
}
type Whose = Pick<DraftInvoice, 'payer_id' | 'faculty_id' | 'program_id' | 'level' | 'term_id' | 'year_id'>

async function payerOf(tx: Tx, { student_id, staff_id }: DemoAsker): Promise<Whose> {
  if (staff_id !== null) {
    const payer_id = await payerOfStaff(tx, staff_id)
    const { rows: work } = await sql<{
      faculty_id: number | null
    }>`select faculty_id from users where id = ${staff_id}`.execute(tx)
    const { faculty_id } = firstRow(work)
    return { payer_id, faculty_id, program_id: null, level: null, term_id: null, year_id: null }
  }
  const { rows } = await sql<Whose>`
    select p.id as payer_id, s.faculty_id, s.program_id, s.level, t.id as term_id, t.year_id from students s
      join payers p on p.student_id = s.id and p.main
      join terms t on t.id = (select term_id from current_terms where key = 'current_term') where s.id = ${student_id}`.execute(
    tx,
  )
  return firstRow(rows)
}

async function charge(tx: Tx, id: number, asker: DemoAsker, of: DemoService): Promise<void> {
  const amount = of.price![0] * 100
  const [issued] = await issueInvoices(SILENT, tx, [
    {
      ...(await payerOf(tx, asker)),
      type: 'services',
      currency: 'EGP',
      issued_on: dayOf(),
      lines: [
        { account: 'services', item: of.code, name: of.names[0], name_local: of.names[1], unit_amount: amount, amount },
      ],
      installments: [{ amount, due_date: addDays(dayOf(), 7) }],
    },
  ])
  await sql`insert into request_fees (invoice_id, workflow, record_id) values (${issued!.id}, 'service', ${id})`.execute(
    tx,
  )
}

/** The kinds with their fields and offices; ids as they are listed. */
async function loadKinds(tx: Tx, roles: ReadonlyMap<string, number>, account: (name: string) => number) {
  await insertRows(
    tx,
    'service_kinds',
    SERVICES.map(({ code, names: [name, name_local], text, price, prepaid, alone, graduates, staff, more }, i) => ({
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
    })),
  )
  await followIds(tx, 'service_kinds')
  const fields = SERVICES.flatMap(({ fields: some }, i) =>
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
  const ids = await insertRows(tx, 'service_kind_fields', fields, { returning: 'id' })
  await insertRows(
    tx,
    'service_kind_steps',
    SERVICES.flatMap(({ offices }, i) =>
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
  return fields.map(({ kind_id, position: _position, options, ...field }, i) => ({
    kind_id,
    field: { key: `f${ids[i]}`, ...field, options: optionsOf(options) } satisfies ServiceField,
  }))
}

export default demoPart(
  ['service_kinds', 'services'],
  [
    'invoices',
    'current_terms',
    'students',
    'role_assignments',
    'users',
    'employee_contracts',
    'faculties',
    'certificates',
  ],
  async (tx, demo) => {
    const users = await usersByEmail(tx)
    const account = (name: string) => [...users].find(([email]) => email.startsWith(`${name}@`))![1]
    const { rows: known } = await sql<{
      id: number
      key: string
    }>`select id, key from roles where removed_at is null`.execute(tx)
    const fields = await loadKinds(tx, new Map(known.map(({ id, key }) => [key, id])), account)
    // Of faculties that have a dean; others than who asked for certificates.
    const { rows: students } = await sql<{ id: number; user_id: number }>`
      select s.id, s.user_id from students s where s.user_id is not null and s.status = 'studying'
        and not exists (select from certificates c where c.student_id = s.id) and nationality_group_of(s.nationality_id) is not null
        and exists (select from role_assignments a join roles r on r.id = a.role_id
          where r.key = 'dean' and a.scope_type = 'faculty' and a.scope_id = s.faculty_id)
      order by row_number() over (partition by s.program_id order by s.id), s.program_id limit ${ASKED.length}`.execute(
      tx,
    )
    const { rows: workers } = await sql<{ id: number; job: string }>`
      select min(u.id) as id, j.name as job from users u join job_titles j on j.id = u.job_title_id where u.type = 2 group by j.name`.execute(
      tx,
    )
    const askers: readonly DemoAsker[] = [
      ...students.map(({ id, user_id }) => ({ student_id: id, staff_id: null, user_id })),
      ...ASKED_BY_STAFF.map(([job]) => {
        const found = workers.find((one) => one.job === job)
        if (!found) throw new Error(`The demo university knows no ${job}`)
        return { student_id: null, staff_id: found.id, user_id: found.id }
      }),
    ]
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
    const asked = [...ASKED, ...ASKED_BY_STAFF.map(([, ...one]): Asked => one)]
    const rows = asked.map(([status, code, step = 1, since = 0, why = null], i) => {
      const place = SERVICES.findIndex((one) => one.code === code)
      const of = SERVICES[place]!
      const own = fields.filter(({ kind_id }) => kind_id === place + 1)
      return {
        of,
        step,
        since,
        row: {
          student_id: askers[i]!.student_id,
          staff_id: askers[i]!.staff_id,
          kind_id: place + 1,
          why,
          status,
          step,
          due_on: RUNNING.has(status) ? addDays(demo.today, of.offices[step - 1]!.days - since) : null,
          fields: own.map(({ field }) => field),
          answers: Object.fromEntries(
            own.flatMap(({ field }, at) => {
              const { answer, type } = of.fields[at]!
              if (answer === undefined) return []
              return [[field.key, type === 'date' ? addDays(demo.today, Number(answer)) : answer]]
            }),
          ),
          prepaid: of.prepaid ?? false,
          alone: of.alone ?? false,
          answer: status === 'done' ? 'It is ready: collect it from the office on any working day.' : null,
          created_at: ago(since + 3 * (step - 1) + 0.1),
        },
      }
    })
    const ids = await insertRows(
      tx,
      'services',
      rows.map(({ row }) => row),
      { returning: 'id' },
    )
    await insertRows(
      tx,
      'service_steps',
      rows.flatMap(({ of, step, since, row }, i) =>
        of.offices.map(({ names, by, days, shown }, at) => {
          const place = at + 1
          const done = place < step || row.status === 'done'
          const here = place === step && row.status !== 'fee_due'
          return {
            service_id: ids[i],
            position: place,
            name: names[0],
            name_local: names[1],
            role_id: known.find(({ key }) => key === by)?.id ?? null,
            user_id: known.some(({ key }) => key === by) ? null : account(by),
            days,
            note_shown: shown ?? false,
            since: done || here ? ago(since + 3 * (step - place)) : null,
            due_on: here ? row.due_on : null,
            done_at: done ? ago(Math.max(since + 3 * (step - place) - 2, 0)) : null,
            note: done && place < step ? 'The record was compared: nothing stands against it.' : null,
          }
        }),
      ),
    )
    await insertRows(
      tx,
      'step_history',
      rows.flatMap(({ row }, i) => {
        const step = { workflow: 'service', at: row.created_at, record_id: ids[i]! }
        const begun = {
          ...step,
          actor_id: askers[i]!.user_id,
          action: 'begin',
          from_state: null,
          to_state: 'New',
          reason: null,
        }
        return [
          begun,
          ...stepsTo(serviceFlow, row.status).map((taken) => ({
            ...step,
            actor_id: null,
            reason: SAID[taken.to_state] ?? null,
            ...taken,
          })),
        ]
      }),
    )
    for (const [i, { of, row }] of rows.entries())
      if (row.status === 'fee_due') await charge(tx, ids[i]!, askers[i]!, of)
  },
)
