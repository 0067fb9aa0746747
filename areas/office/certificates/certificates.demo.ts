import { SILENT } from '#areas/money/transactions/transactions.demo.ts'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { demoPart, momentBefore, stepsTo, usersByEmail, type FillStore } from '#demo/part.ts'
import { addDays } from '#kit/contract/day.ts'
import { CompiledQuery, sql } from 'kysely'
import type { Ctx, Upload } from '#kit/server/base/context.ts'
import { studentsArea } from '#areas/records/students/students.contract.ts'
import { registerPapers } from '#kit/server/papers/papers.ts'
import { chargeDemo } from './graduates/graduates.demo.ts'
import { certificatesArea } from './certificates.contract.ts'
import { certificateOf, hashOf } from './requests/contents.server.ts'
import { certificateFlow } from './requests/certificate.contract.ts'
import { PRINTED_IN } from './requests/certificate.rules.ts'
import { issueCertificate } from './requests/certificate.server.ts'

/** Who holds a position: the account's address before the at sign; of one faculty for the dean. */
const HOLDERS = [
  ['COMPETENT-EMPLOYEE', 'employee'],
  ['MANAGER-DIRECTOR', 'director'],
  ['PRESIDENT', 'president'],
  ['AFFAIR-MANAGER', 'affairs'],
  ['REGISTRATION-UNIT', 'registration'],
  ['ADMINISTRATION-MANAGER', 'administration'],
  ['VICE-PRESIDENT', 'vice.president'],
] as const

interface DemoType {
  readonly code: string
  readonly names: readonly [en: string, ar: string]
  readonly document: string
  readonly text?: readonly [en: string, ar: string]
  readonly audiences: readonly ('student' | 'graduate' | 'staff')[]
  /** In whole pounds and dollars: normal, urgent, a further copy. */
  readonly prices: readonly [
    local: number,
    urgent: number,
    copy: number,
    usd: number,
    urgent_usd: number,
    copy_usd: number,
  ]
  readonly signers: readonly string[]
  readonly more?: Readonly<Record<string, unknown>>
}
const TYPES: readonly DemoType[] = [
  {
    code: 'ENROL',
    names: ['Certificate of enrolment', 'شهادة قيد'],
    document: 'enrollment_certificate',
    audiences: ['student'],
    prices: [60, 120, 20, 5, 10, 2],
    signers: ['COMPETENT-EMPLOYEE', 'AFFAIR-MANAGER'],
    more: { valid_days: 90, days_normal: 2, days_urgent: 0, desk_at_once: true },
  },
  {
    code: 'TRANSCRIPT',
    names: ['Official transcript', 'بيان درجات رسمي'],
    document: 'transcript',
    audiences: ['student', 'graduate'],
    prices: [150, 300, 50, 15, 30, 5],
    signers: ['COMPETENT-EMPLOYEE', 'REGISTRATION-UNIT', 'DEAN'],
    more: { days_normal: 5, days_urgent: 1, desk_at_once: true },
  },
  {
    code: 'GRADUATION',
    names: ['Graduation certificate', 'شهادة تخرج'],
    document: 'graduation_certificate',
    audiences: ['graduate'],
    prices: [250, 500, 75, 25, 50, 10],
    signers: ['AFFAIR-MANAGER', 'DEAN', 'PRESIDENT'],
    more: { days_normal: 14, days_urgent: 3 },
  },
  {
    code: 'CONDUCT',
    names: ['Certificate of good conduct', 'شهادة حسن سير وسلوك'],
    document: 'text',
    text: [
      'The faculty of {faculty} certifies that {name}, student code {code}, studies in the program {program} at level {level} in the academic year {year}, and that nothing stands against his or her conduct in the records of the university.',
      'تشهد كلية {faculty} بأن الطالب/ {name}، كود {code}، مقيد ببرنامج {program} بالمستوى {level} في العام الجامعي {year}، وأنه حسن السير والسلوك ولم يوقع عليه ما يخل بذلك في سجلات الجامعة.',
    ],
    audiences: ['student'],
    prices: [80, 160, 25, 6, 12, 3],
    signers: ['COMPETENT-EMPLOYEE', 'DEAN'],
    more: { valid_days: 180, days_normal: 3, days_urgent: 1 },
  },
  {
    code: 'RANKING',
    names: ['Statement of cumulative result', 'إفادة بالمعدل التراكمي'],
    document: 'text',
    text: [
      'The university states that {name}, student code {code}, of the program {program} has a cumulative GPA of {gpa} ({classification}).',
      'تفيد الجامعة بأن {name}، كود {code}، ببرنامج {program} حاصل على معدل تراكمي {gpa} بتقدير {classification}.',
    ],
    audiences: ['student', 'graduate'],
    prices: [70, 140, 20, 6, 12, 2],
    signers: ['REGISTRATION-UNIT', 'VICE-PRESIDENT'],
    more: { days_normal: 4, days_urgent: 1 },
  },
  {
    code: 'EMPLOYMENT',
    names: ['Certificate of employment', 'شهادة عمل'],
    document: 'text',
    text: [
      'The university certifies that {name}, staff number {code}, has worked here since {works_since}, and holds the post of {job_title} ({contract}).',
      'تشهد الجامعة بأن {name}، الرقم الوظيفي {code}، يعمل بها منذ {works_since} ويشغل وظيفة {job_title} ({contract}).',
    ],
    audiences: ['staff'],
    prices: [40, 80, 10, 4, 8, 1],
    signers: ['ADMINISTRATION-MANAGER', 'PRESIDENT'],
    more: { valid_days: 90, days_normal: 3, days_urgent: 1 },
  },
  {
    code: 'EMBASSY',
    names: ['Letter to an embassy or a bank', 'خطاب إلى سفارة أو بنك'],
    document: 'text',
    text: [
      'To whom it may concern: {name} holds the post of {job_title} at the university since {works_since}. This letter is issued at the request of the person, and states nothing of salary.',
      'إلى من يهمه الأمر: يشغل {name} وظيفة {job_title} بالجامعة منذ {works_since}. حُرر هذا الخطاب بناءً على طلبه دون بيان الراتب.',
    ],
    audiences: ['staff'],
    prices: [40, 80, 10, 4, 8, 1],
    signers: ['ADMINISTRATION-MANAGER'],
    more: { valid_days: 60, days_normal: 2, days_urgent: 1 },
  },
  {
    code: 'TRAININGS',
    names: ['Trainings that were done', 'التدريبات المنجزة'],
    document: 'trainings_done',
    audiences: ['student', 'graduate'],
    prices: [50, 100, 15, 5, 10, 2],
    signers: ['AFFAIR-MANAGER'],
    more: { days_normal: 3, days_urgent: 1 },
  },
]

/**
 * Requests of the demo university, one at least in each state: state, type, what for, how it is delivered, and how many of its
 * positions have signed (where all have, the last step is still to be taken).
 */
const ASKED: readonly (readonly [
  state: string,
  type: string,
  why: string,
  delivery?: string,
  signed?: number,
  /** Of who works here and asks: the job. */
  job?: string,
])[] = [
  ['fee_due', 'TRANSCRIPT', 'For a scholarship abroad'],
  ['fee_due', 'ENROL', 'لتقديمها إلى جهة العمل'],
  ['fee_due', 'CONDUCT', 'للنادي'],
  ['fee_due', 'RANKING', 'For a prize'],
  ['New', 'CONDUCT', 'للتدريب في أحد البنوك'],
  ['New', 'TRANSCRIPT', 'For a summer course'],
  ['New', 'ENROL', 'لشركة الاتصالات'],
  ['New', 'RANKING', 'For a grant'],
  ['updated', 'RANKING', 'لمنحة دراسية'],
  ['updated', 'CONDUCT', 'For an internship'],
  ['Prepared', 'ENROL', 'للإعفاء من رسوم النادي'],
  ['Prepared', 'CONDUCT', 'For a landlord'],
  ['Prepared', 'RANKING', 'لمسابقة'],
  ['in review', 'CONDUCT', 'For a visa'],
  ['in review', 'ENROL', 'للتأمين الصحي'],
  ['in review', 'RANKING', 'For a competition'],
  ['Reviewed', 'TRANSCRIPT', 'لجهة عمل'],
  ['Reviewed', 'CONDUCT', 'للتقديم على سكن', 'by_hand', 1],
  ['Reviewed', 'ENROL', 'For a bank'],
  ['Reviewed', 'RANKING', 'لجهة حكومية'],
  ['Reviewed', 'TRANSCRIPT', 'For an exchange', 'electronic', 3],
  ['Reviewed', 'CONDUCT', 'لسفارة', 'by_hand', 2],
  ['Reviewed', 'CONDUCT', 'For a residence permit', 'by_hand', 2],
  ['Reviewed', 'ENROL', 'للمواصلات', 'electronic', 2],
  ['dean-signed', 'TRANSCRIPT', 'For a doctorate', 'electronic', 3],
  ['dean-signed', 'CONDUCT', 'لجمعية', 'by_hand', 2],
  ['dean-signed', 'TRANSCRIPT', 'For a summer school', 'by_hand', 3],
  ['approved', 'ENROL', 'للجيش', 'by_mail', 2],
  ['approved', 'CONDUCT', 'For a job', 'electronic', 2],
  ['approved', 'RANKING', 'لمكتب العمل', 'by_hand', 2],
  ['approved', 'TRANSCRIPT', 'For a university abroad', 'electronic', 3],
  ['Delivered', 'ENROL', 'للنقابة', 'electronic', 2],
  ['Delivered By Mail', 'CONDUCT', 'For a consulate', 'by_mail', 2],
  ['Delivered By Manual', 'RANKING', 'للوزارة', 'by_hand', 2],
  ['Ready To Deliver', 'CONDUCT', 'لبنك', 'by_mail', 2],
  ['Ready To Deliver', 'ENROL', 'For a library', 'by_hand', 2],
  ['Ready To Deliver', 'RANKING', 'لشركة', 'electronic', 2],
  ['Ready To Deliver', 'CONDUCT', 'For an academy', 'electronic', 2],
  ['Rejected', 'RANKING', 'I wanted to know'],
  ['cancelled', 'ENROL', 'طلبتها بالخطأ'],
  ['fee_due', 'EMBASSY', 'لسفارة', 'by_hand', 0, 'Graduate Affairs Officer'],
  ['New', 'EMPLOYMENT', 'For a loan', 'electronic', 0, 'Finance Officer'],
  ['in review', 'EMBASSY', 'For a visa to a conference', 'by_hand', 0, 'Admission Officer'],
  ['Reviewed', 'EMPLOYMENT', 'لإدارة المرور', 'by_hand', 1, 'Faculty Registrar'],
  ['Ready To Deliver', 'EMBASSY', 'For a bank account', 'by_hand', 1, 'Quality Officer'],
  ['Delivered', 'EMPLOYMENT', 'For a tenancy', 'electronic', 2, 'University Registrar'],
]
/** States in which something is prepared. */
const PREPARED = new Set([
  'Prepared',
  'in review',
  'Reviewed',
  'dean-signed',
  'approved',
  'Ready To Deliver',
  'Delivered',
  'Delivered By Mail',
  'Delivered By Manual',
])

/** What reads for preparing, before there is a program that serves. */
const reading = (tx: Tx, more: object = {}): Ctx =>
  ({
    ...SILENT,
    db: tx,
    pool: { query: (text: string, values: unknown[] = []) => tx.executeQuery(CompiledQuery.raw(text, values)) },
    system: 'demo university',
    lang: 'ar',
    inUnit: true,
    can: () => true,
    ...more,
  }) as unknown as Ctx

const copiesOf = (i: number): number => 1 + (i % 3)

/** Issues the papers of those that have them by the way on which they are issued in earnest, and prints what was handed over. */
const issueDemo =
  (certificates: readonly { id: number; status: string; copies: number }[], officer: number): FillStore =>
  async (db, storage, config) => {
    const pool = { query: (text: string, values: unknown[] = []) => db.executeQuery(CompiledQuery.raw(text, values)) }
    const files = {
      keep: async (tx: Tx, { content, ...upload }: Pick<Upload, 'content' | 'name' | 'ext' | 'mime'>) => {
        const stored = await storage.put(content)
        const [id] = await insertRows(tx, 'files', [{ ...upload, ...stored, created_by: null }], { returning: 'id' })
        return { id, ...upload, size: stored.size }
      },
    }
    const services = { ...SILENT.services, db, pool, config, files }
    // Kinds of paper are known once the program serves.
    for (const area of [studentsArea, certificatesArea]) registerPapers(area)
    for (const { id, status, copies } of certificates)
      await db.transaction().execute(async (tx) => {
        const actor = { user_id: officer }
        await sql`select set_config('ems.actor', ${JSON.stringify({ actor_id: officer, reason: 'demo university' })}, true)`.execute(
          tx,
        )
        const ctx = reading(tx, { services, actor, write: (work: (own: Tx) => Promise<unknown>) => work(tx) })
        await issueCertificate(ctx, tx, id)
        if (status === 'Ready To Deliver' || status === 'Delivered') return
        const { rows } = await sql<{ paper_id: number }>`select paper_id from certificate_papers
          where certificate_id = ${id} order by paper_id`.execute(tx)
        // One was lost on the way, and printed once more.
        const reasons = [
          ...Array.from({ length: copies }, () => null),
          ...(status === 'Delivered By Mail' ? ['Lost by the post'] : []),
        ]
        await insertRows(
          tx,
          'certificate_prints',
          rows.flatMap(({ paper_id }) =>
            reasons.map((reason) => ({
              certificate_id: id,
              paper_id,
              reason,
              printed_by: officer,
              number: 1,
              original: true,
            })),
          ),
        )
      })
  }

/** What waits too long in the demo university, by what it is for: days over its time, and whether who stands above was told. */
const LATE = [
  ['For a summer course', 2, false],
  ['For a landlord', 1, false],
  ['For a visa', 3, false],
  ['For a bank', 6, true],
  ['للتقديم على سكن', 5, true],
  ['For a residence permit', 1, false],
] as const
async function makeLate(tx: Tx, ids: readonly number[], today: string): Promise<void> {
  for (const [why, days, told] of LATE) {
    const certificate = ids[ASKED.findIndex((one) => one[2] === why)]!
    await sql`update certificate_turns set since = ${momentBefore(2 * (days + 2))}::timestamptz, due_on = ${addDays(today, -days)}::date,
      reminded_on = ${addDays(today, 1 - days)}::date, told_on = ${told ? addDays(today, 4 - days) : null}::date
      where certificate_id = ${certificate} and done_at is null`.execute(tx)
  }
}

interface DemoAsker {
  readonly student_id: number | null
  readonly staff_id: number | null
  readonly user_id: number
  readonly faculty_id: number | null
}

export default demoPart(
  ['certificate_settings', 'certificate_dates', 'certificates', 'signatory_holders'],
  [
    'invoices',
    'current_terms',
    'students',
    'role_assignments',
    'users',
    'employee_contracts',
    'faculties',
    'grade_rechecks',
  ],
  async (tx, demo) => {
    const users = await usersByEmail(tx)
    const account = (name: string) => [...users].find(([email]) => email.startsWith(`${name}@`))![1]
    const { rows: positions } = await sql<{
      id: number
      code: string
    }>`select id, code from signatory_positions`.execute(tx)
    const position = (code: string) => positions.find((one) => one.code === code)!.id
    const { rows: deans } = await sql<{ user_id: number; faculty_id: number }>`
      select distinct on (a.scope_id) a.user_id, a.scope_id as faculty_id from role_assignments a join roles r on r.id = a.role_id
      where r.key = 'dean' and a.scope_type = 'faculty' order by a.scope_id, a.id`.execute(tx)
    const from = addDays(demo.today, -400)
    await insertRows(tx, 'signatory_holders', [
      ...HOLDERS.map(([code, name]) => ({
        position_id: position(code),
        user_id: account(name),
        faculty_id: null,
        valid_from: from,
      })),
      ...deans.map((one) => ({ position_id: position('DEAN'), ...one, valid_from: from })),
    ])
    const types = await insertRows(
      tx,
      'certificate_settings',
      TYPES.map(({ code, names: [name, name_local], document, text, audiences, more }) => ({
        code,
        name,
        name_local,
        document,
        body: text?.[0] ?? null,
        body_local: text?.[1] ?? null,
        for_students: audiences.includes('student'),
        for_graduates: audiences.includes('graduate'),
        for_staff: audiences.includes('staff'),
        valid_days: null,
        most_copies: 10,
        by_hand: true,
        by_mail: true,
        electronic: true,
        is_active: true,
        days_urgent: null,
        prepare_days: 2,
        review_days: 2,
        sign_days: 2,
        desk_at_once: false,
        ...more,
      })),
      { returning: 'id' },
    )
    const typeId = (code: string) => types[TYPES.findIndex((one) => one.code === code)]!
    await insertRows(
      tx,
      'certificate_setting_prices',
      TYPES.flatMap(({ code, audiences, prices: [local, urgent, copy, usd, urgentUsd, copyUsd] }) =>
        audiences.flatMap((audience) => [
          {
            type_id: typeId(code),
            audience,
            speed: 'normal',
            value_local: local * 100,
            value_usd: usd * 100,
            copy_local: copy * 100,
            copy_usd: copyUsd * 100,
          },
          {
            type_id: typeId(code),
            audience,
            speed: 'urgent',
            value_local: urgent * 100,
            value_usd: urgentUsd * 100,
            copy_local: copy * 100,
            copy_usd: copyUsd * 100,
          },
        ]),
      ),
    )
    await insertRows(
      tx,
      'certificate_setting_signers',
      TYPES.flatMap(({ code, signers }) =>
        signers.map((one, i) => ({ type_id: typeId(code), position: i + 1, position_id: position(one) })),
      ),
    )
    await insertRows(tx, 'certificate_dates', [
      {
        type_id: typeId('RANKING'),
        from_date: addDays(demo.today, -30),
        until_date: addDays(demo.today, 60),
        note: 'After the results of the term',
      },
    ])
    const { rows: people } = await sql<{ id: number; user_id: number; faculty_id: number; results: boolean }>`
      select s.id, s.user_id, s.faculty_id, exists (select from student_terms e where e.student_id = s.id) as results
      from students s where s.user_id is not null and s.status = 'studying' and not certificates_held(s.id)
        and not exists (select from student_terms e where e.student_id = s.id and e.revised_since is not null)
      order by row_number() over (partition by s.program_id order by s.id desc), s.program_id limit 2000`.execute(tx)
    // A transcript is of who has results.
    const left = new Set(people)
    const { rows: workers } = await sql<{ id: number; faculty_id: number | null; job: string }>`
      select distinct on (j.name) u.id, u.faculty_id, j.name as job from users u join job_titles j on j.id = u.job_title_id
      where u.type = 2 order by j.name, u.id`.execute(tx)
    const askers = ASKED.map(([, type, , , , job]): DemoAsker => {
      if (job !== undefined) {
        const worker = workers.find((one) => one.job === job)
        if (!worker) throw new Error(`The demo university knows no ${job}`)
        return { student_id: null, staff_id: worker.id, user_id: worker.id, faculty_id: worker.faculty_id }
      }
      const dean = TYPES.find(({ code }) => code === type)!.signers.includes('DEAN')
      const found = [...left].find(
        (one) =>
          (type !== 'TRANSCRIPT' || one.results) &&
          (!dean || deans.some(({ faculty_id }) => faculty_id === one.faculty_id)),
      )!
      left.delete(found)
      return { student_id: found.id, staff_id: null, user_id: found.user_id, faculty_id: found.faculty_id }
    })
    const officer = account('affairs')
    const ids = await insertRows(
      tx,
      'certificates',
      ASKED.map(([status, type, why, delivery = 'by_hand'], i) => ({
        student_id: askers[i]!.student_id,
        staff_id: askers[i]!.staff_id,
        type_id: typeId(type),
        lang: i % 3 === 0 ? 'both' : i % 3 === 1 ? 'ar' : 'en',
        copies: copiesOf(i),
        speed: 'normal',
        delivery,
        address: delivery === 'by_mail' ? '12 Tahrir Street, Cairo' : null,
        why,
        status: PREPARED.has(status) ? 'New' : status,
        promised_on: addDays(demo.today, 3),
        created_at: momentBefore(2 * (ASKED.length - i)),
      })),
      { returning: 'id' },
    )
    await insertRows(
      tx,
      'step_history',
      ASKED.flatMap(([status], i) => {
        const step = {
          workflow: 'certificate',
          reason: null,
          at: momentBefore(2 * (ASKED.length - i)),
          record_id: ids[i]!,
        }
        const begun = { ...step, actor_id: askers[i]!.user_id, action: 'begin', from_state: null, to_state: 'New' }
        return [begun, ...stepsTo(certificateFlow, status).map((taken) => ({ ...step, actor_id: null, ...taken }))]
      }),
    )
    const ctx = reading(tx)
    for (const [i, [status, type, , , signed = 0]] of ASKED.entries()) {
      const id = ids[i]!
      const of = TYPES.find(({ code }) => code === type)!
      if (status === 'fee_due') {
        const { student_id, staff_id } = askers[i]!
        await chargeDemo(tx, id, student_id ?? { staff_id: staff_id! }, of)
      }
      if (!PREPARED.has(status)) continue
      const one = await certificateOf(tx, id, true)
      const hash = await hashOf(ctx, one)
      await sql`update certificates set status = ${status}, prepared_hash = ${hash}, prepared_at = created_at, prepared_by = ${officer},
        text_id = ${one.document === 'text' ? one.text_id : null}::int where id = ${id}`.execute(tx)
      if (status === 'Prepared') continue
      await sql`insert into certificate_chain (certificate_id, position, position_id)
        select ${id}::int, position, position_id from certificate_setting_signers where type_id = ${typeId(type)}`.execute(
        tx,
      )
      await insertRows(
        tx,
        'certificate_signatures',
        of.signers.slice(0, signed).map((code) => ({
          certificate_id: id,
          position_id: position(code),
          user_id:
            code === 'DEAN'
              ? deans.find(({ faculty_id }) => faculty_id === askers[i]!.faculty_id)!.user_id
              : account(HOLDERS.find(([held]) => held === code)![1]),
          prepared_hash: hash,
          signed_at: momentBefore(1),
        })),
      )
    }
    await makeLate(tx, ids, demo.today)
    const printed = ASKED.flatMap(([status], i) =>
      PRINTED_IN.includes(status) ? [{ id: ids[i]!, status, copies: copiesOf(i) }] : [],
    )
    return issueDemo(printed, officer)
  },
)
