import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart, insertNew, momentBefore } from '#demo/part.ts'
import { proposeAgain } from './equivalence/proposal.server.ts'
import { codeKey } from './external/external.rules.ts'
import { creditExternal } from './external/external.server.ts'

/** Courses from elsewhere: kind, university, its faculty, state, and the courses with their hours and grades. */
const ELSEWHERE: readonly (readonly [
  kind: string,
  university: string,
  faculty: string | null,
  status: string,
  courses: readonly (readonly [code: string, name: string, hours: number, grade: string, percent: number])[],
])[] = [
  [
    'external',
    'CU',
    'CU-FCAI',
    'executed',
    [
      ['ريض 101', 'تفاضل وتكامل', 3, 'جيد جدًا', 82],
      ['نجل 102', 'لغة إنجليزية', 2, 'ممتاز', 91],
    ],
  ],
  ['study_abroad', 'TUB', 'TUB-EECS', 'entered', [['INF-2', 'Operating Systems', 6, '1.7', 88]]],
  ['external', 'ASU', 'ASU-SCI', 'entered', [['MTH 201', 'Linear Algebra', 3, 'B+', 81]]],
  // Of a course that was decided on before: proposed as it was.
  ['external', 'CU', 'CU-FCAI', 'entered', [['ريض101', 'تفاضل وتكامل (١)', 3, 'ممتاز', 93]]],
  ['external', 'AU', null, 'entered', [['حسب 110', 'مقدمة في البرمجة', 3, 'جيد', 74]]],
  ['external', 'HU', null, 'deleted', [['PHY 1', 'Physics', 3, 'C', 66]]],
]
/** It was decided on before, with another spelling of its code. */
const AGAIN = 'ريض101'
/** Students who leave, and where to. */
const OUT: readonly (readonly [status: string, destination: string, why: string, reason?: string])[] = [
  ['approved', 'جامعة المنصورة', 'انتقال محل إقامة الأسرة.'],
  ['rejected', 'Cairo University', 'I want to study nearer to home.', 'The term has run for ten weeks.'],
  ['rejected', 'Zewail City', 'I want to do research.', 'The papers of the other university are missing.'],
  ['deleted', 'جامعة أسيوط', 'كُتب بالخطأ.', 'طلب مكرر.'],
  ['requested', 'جامعة طنطا', 'ظروف عائلية.'],
  ['requested', 'Benha University', 'My brother studies there.'],
  ['requested', 'جامعة بنها', 'التخصص الذي أريده غير متاح هنا.'],
  ['requested', 'Suez Canal University', 'My work moves to Ismailia.'],
]
const VERBS: Readonly<Record<string, string>> = {
  executed: 'execute',
  deleted: 'delete',
  approved: 'approve',
  rejected: 'reject',
}

/** Who brings courses from elsewhere, and who leaves. */
export default demoPart(
  ['external_transfers', 'transfers_out'],
  ['internal_transfers', 'course_credits', 'universities_list', 'university_faculties'],
  async (tx, demo) => {
    const term_id = demo.current_terms.current_transfer_term ?? demo.current_terms.current_term
    // Those after the students who move within the university.
    const { rows: students } = await sql<{ id: number; user_id: number | null; program_id: number }>`
      select s.id, s.user_id, s.program_id from students s join bylaws b on b.id = s.bylaw_id
      where s.status = 'studying' and s.removed_at is null and s.blocked_at is null and not s.missing_documents
        and coalesce(b.program_type, 'credit_hours') = 'credit_hours'
        and not exists (select from internal_transfers i where i.student_id = s.id)
        and not exists (select from student_holds h where h.student_id = s.id and h.lifted_at is null)
        and exists (select from program_courses p where p.program_id = s.program_id)
      order by s.id desc limit ${ELSEWHERE.length + OUT.length}`.execute(tx)
    const steps = (
      workflow: string,
      record_id: number,
      first: string,
      status: string,
      actor_id: number | null,
      reason: string | null,
      n: number,
    ) =>
      insertRows(tx, 'step_history', [
        {
          workflow,
          record_id,
          actor_id,
          action: 'begin',
          from_state: null,
          to_state: first,
          reason: null,
          at: momentBefore(n),
        },
        ...(status === first
          ? []
          : [
              {
                workflow,
                record_id,
                actor_id: null,
                action: VERBS[status]!,
                from_state: first,
                to_state: status,
                reason,
                at: momentBefore(n - 1),
              },
            ]),
      ])
    const idOf = async (table: 'universities_list' | 'university_faculties', code: string) => {
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} where code = ${code}`.execute(tx)
      return firstRow(rows).id
    }
    // Who brings what was decided on before is in the program for which it was.
    const again = ELSEWHERE.findIndex(([, , , , [course]]) => course![0] === AGAIN)
    const alike = students.findIndex((one, i) => i > again && one.program_id === students[0]!.program_id)
    if (alike > 0) [students[again], students[alike]] = [students[alike]!, students[again]!]
    for (const [i, [kind, university, faculty, status, courses]] of ELSEWHERE.entries()) {
      const student = students[i]!
      const university_id = await idOf('universities_list', university)
      const n = 3 * (ELSEWHERE.length - i)
      const [id] = (await insertNew(tx, 'external_transfers', [
        {
          student_id: student.id,
          program_id: student.program_id,
          term_id,
          kind,
          university_id,
          university_faculty_id: faculty === null ? null : await idOf('university_faculties', faculty),
          status: 'entered',
          created_at: momentBefore(n),
        },
      ])) as [number]
      // Those of the end of the plan: nobody has passed them yet.
      const { rows: ours } = await sql<{ course_id: number; credit_hours: string }>`
        select p.course_id, c.credit_hours from program_courses p join courses c on c.id = p.course_id
        where p.program_id = ${student.program_id}
          and not exists (select from registrations r where r.student_id = ${student.id} and r.course_id = p.course_id)
        order by p.semester desc, p.id desc limit ${courses.length}`.execute(tx)
      await insertRows(
        tx,
        'equivalences',
        courses.map(([code, name, hours, grade, percent], position) => {
          const course = i === 1 || i === again ? undefined : ours[position]
          return {
            external_transfer_id: id,
            position,
            source_code: code,
            source_name: name,
            source_hours: hours,
            source_grade: grade,
            source_percent: percent,
            source_key: `u${university_id}|${codeKey(code)}`,
            course_id: course?.course_id ?? null,
            credit_hours: course?.credit_hours ?? null,
            state: course ? 'confirmed' : 'none',
            decided: i !== 1 && i !== again,
          }
        }),
      )
      await sql`update external_transfers set status = ${status}, executed_at = ${status === 'executed' ? sql`now()` : null} where id = ${id}`.execute(
        tx,
      )
      if (status === 'executed') await creditExternal(null, tx, id)
      if (i === again)
        await proposeAgain(tx, { id, kind: 'external', student_id: student.id, program_id: student.program_id })
      await steps('external_transfer', id, 'entered', status, null, status === 'deleted' ? 'Entered twice.' : null, n)
    }
    for (const [i, [status, destination, why, reason]] of OUT.entries()) {
      const student = students[ELSEWHERE.length + i]!
      const n = 2 * (OUT.length - i) + 1
      const [id] = (await insertNew(tx, 'transfers_out', [
        {
          student_id: student.id,
          term_id,
          destination,
          why,
          status,
          decided_reason: reason ?? null,
          created_at: momentBefore(n),
        },
      ])) as [number]
      if (status === 'approved')
        await decideStatus(null, tx, [student.id], {
          to: 'transferred',
          decision: `Transfer: ${destination}`,
          source: 'transfer_out',
          source_id: id,
        })
      await steps('transfer_out', id, 'requested', status, student.user_id, reason ?? null, n)
    }
  },
)
