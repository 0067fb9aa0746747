import { issueInvoices, type DraftInvoice } from '#areas/money/invoices/issue.server.ts'
import { payerOfStaff } from '#areas/money/ledger/post.server.ts'
import { SILENT } from '#areas/money/transactions/transactions.demo.ts'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart, stepsTo, usersByEmail } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import type { ServiceField } from './kinds/kind.contract.ts'
import { DEMO_SERVICES, type DemoService } from './kinds/kind.demo.ts'
import { optionsOf } from './kinds/kind.rules.ts'
import { serviceFlow } from './requests/service.contract.ts'

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
    const { rows: stored } = await sql<Omit<ServiceField, 'options'> & { kind_id: number; options: string | null }>`
      select kind_id, 'f' || id as key, name, name_local, type, required, options, hint, hint_local
      from service_kind_fields order by kind_id, position`.execute(tx)
    const fields = stored.map(({ kind_id, options, ...field }) => ({
      kind_id,
      field: { ...field, options: optionsOf(options) } satisfies ServiceField,
    }))
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
      const place = DEMO_SERVICES.findIndex((one) => one.code === code)
      const of = DEMO_SERVICES[place]!
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
