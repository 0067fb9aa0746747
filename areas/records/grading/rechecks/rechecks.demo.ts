import { issueInvoices, type DraftInvoice } from '#areas/money/invoices/issue.server.ts'
import { SILENT } from '#areas/money/transactions/transactions.demo.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'

/** Requests about marks of the demo university, one at least in each state. */
const ASKED = [
  ['requested', 'Question 4 was answered on the last page, and not counted.', null, null],
  ['requested', 'أطلب مراجعة جمع درجات الامتحان النهائي.', null, null],
  ['fee_due', 'The sum of the second part seems too low.', null, null],
  ['fee_due', 'The last page was stuck to the one before.', null, null],
  ['fee_due', 'أعتقد أن ورقة الإجابة الثانية لم تُحتسب.', null, null],
  ['under_review', 'The third sheet may have been lost.', 2, 'The third sheet was found: two marks more.'],
  ['under_review', 'Please look at question 2 again.', null, null],
  ['accepted', 'The bonus question was left out.', 0, 'Counted again.'],
  ['rejected', 'I expected more.', null, null],
  ['cancelled', 'I looked at the wrong course.', null, null],
] as const

/** What a recheck costs in the demo university, in piastres. */
const FEE = 300_00
/** The invoice that a recheck waits for. */
async function charge(tx: Tx, id: number, registration: number): Promise<void> {
  const { rows } = await sql<
    Pick<DraftInvoice, 'payer_id' | 'faculty_id' | 'program_id' | 'level' | 'term_id' | 'year_id'>
  >`
    select p.id as payer_id, s.faculty_id, s.program_id, s.level, t.id as term_id, t.year_id from registrations r
      join students s on s.id = r.student_id join payers p on p.student_id = s.id and p.main
      join terms t on t.id = (select term_id from current_terms where key = 'current_term') where r.id = ${registration}`.execute(
    tx,
  )
  const [issued] = await issueInvoices(SILENT, tx, [
    {
      ...firstRow(rows),
      type: 'exams',
      currency: 'EGP',
      issued_on: dayOf(),
      lines: [
        {
          account: 'exams',
          item: 'RECHECK',
          name: 'Grade recheck',
          name_local: 'تظلم من نتيجة',
          unit_amount: FEE,
          amount: FEE,
        },
      ],
      installments: [{ amount: FEE, due_date: addDays(dayOf(), 7) }],
    },
  ])
  await sql`insert into request_fees (invoice_id, workflow, record_id) values (${issued!.id}, 'grade_recheck', ${id})`.execute(
    tx,
  )
}

export default demoPart(
  ['grade_rechecks'],
  [
    'invoices',
    'current_terms',
    'registration_marks',
    'grade_links',
    'exam_barcodes',
    'student_terms',
    'role_assignments',
    'students',
  ],
  async (tx) => {
    const { rows } = await sql<{
      registration_id: number
      offering_mark_id: number
      mark: string
      max: string
      reviewer: number
    }>`
      select distinct on (r.student_id) r.id as registration_id, m.offering_mark_id, trim_scale(m.mark)::text as mark, om.max::text as max,
        (select u.id from users u join role_assignments a on a.user_id = u.id join roles x on x.id = a.role_id
          where x.key = 'control_team' order by u.id limit 1) as reviewer
      from registrations r join offerings o on o.id = r.offering_id join registration_marks m on m.registration_id = r.id
        join offering_marks om on om.id = m.offering_mark_id join mark_categories k on k.id = om.mark_category_id and k.is_final_exam
        join students s on s.id = r.student_id and s.user_id is not null and s.status = 'studying'
      where o.control_status in ('Published', 'Frozen') and m.mark is not null and m.mark + 2 <= om.max
      order by r.student_id, r.id desc limit ${ASKED.length}`.execute(tx)
    for (const [i, [status, why, more, finding]] of ASKED.entries()) {
      const row = rows[i]
      if (!row) return
      const found = more !== null && row.reviewer
      const { rows: made } = await sql<{ id: number }>`
        insert into grade_rechecks (registration_id, offering_mark_id, kind, why, status, old_mark, new_mark, finding, reviewed_by)
        values (${row.registration_id}, ${row.offering_mark_id}, 'recheck', ${why}, ${status}, ${row.mark},
          ${found ? String(Number(row.mark) + more) : null}, ${found ? finding : null}, ${found ? row.reviewer : null})
        returning id`.execute(tx)
      await sql`insert into step_history (workflow, record_id, actor_id, action, to_state)
        select 'grade_recheck', ${made[0]!.id}, s.user_id, 'begin', ${status} from registrations r join students s on s.id = r.student_id
        where r.id = ${row.registration_id}`.execute(tx)
      if (status === 'fee_due') await charge(tx, made[0]!.id, row.registration_id)
    }
  },
)
