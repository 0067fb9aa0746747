import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart, insertNew, momentBefore } from '#demo/part.ts'
import { codeKey } from '#areas/enrolment/transfers/external/external.rules.ts'

/** What applicants who come from another university passed there: code, hours, grade, share. The last counts as nothing here. */
const PASSED = [
  ['C 110', 3, 'B+', 84],
  ['C 112', 3, 'A-', 88],
  ['H 101', 2, 'A', 93],
] as const
const UNIVERSITY = 'ASU'

/** Courses of applicants who were given a program: settled where the application is further, decided and waiting for one. */
export default demoPart(
  ['external_transfer_files'],
  ['applicant_degrees', 'external_transfers', 'universities_list'],
  async (tx) => {
    const { id: university_id } = firstRow(
      (await sql<{ id: number }>`select id from universities_list where code = ${UNIVERSITY}`.execute(tx)).rows,
    )
    const { rows: applicants } = await sql<{ id: number; program_id: number; term_id: number; settled: boolean }>`
      select t.id, t.program_id, a.term_id, t.status <> 'DISTRIBUATION_REQUIRED' as settled
      from applicants t join admissions a on a.id = t.admission_id
      where a.applicant_type = 3 and t.program_id is not null and t.previous_hours > 0
      order by t.status = 'DISTRIBUATION_REQUIRED', t.id`.execute(tx)
    for (const [i, { id: applicant_id, program_id, term_id, settled }] of applicants.entries()) {
      const n = 2 * (applicants.length - i)
      const [id] = (await insertNew(tx, 'external_transfers', [
        { applicant_id, program_id, term_id, kind: 'external', university_id, created_at: momentBefore(n) },
      ])) as [number]
      const { rows: ours } = await sql<{ course_id: number; name: string; credit_hours: string }>`
        select p.course_id, c.name, c.credit_hours from program_courses p join courses c on c.id = p.course_id
        where p.program_id = ${program_id} and c.credit_hours <= 3 order by p.semester, p.id limit ${PASSED.length - 1}`.execute(
        tx,
      )
      await insertRows(
        tx,
        'equivalences',
        PASSED.map(([code, hours, grade, percent], position) => ({
          external_transfer_id: id,
          position,
          source_code: code,
          source_name: ours[position]?.name ?? 'History of the Region',
          source_hours: hours,
          source_grade: grade,
          source_percent: percent,
          source_key: `u${university_id}|${codeKey(code)}`,
          course_id: ours[position]?.course_id ?? null,
          credit_hours: ours[position]?.credit_hours ?? null,
          state: ours[position] ? 'confirmed' : 'none',
          decided: true,
        })),
      )
      if (settled)
        await sql`update external_transfers set status = 'executed', executed_at = now() where id = ${id}`.execute(tx)
      const step = { workflow: 'external_transfer', record_id: id, actor_id: null, reason: null }
      await insertRows(tx, 'step_history', [
        { ...step, action: 'begin', from_state: null, to_state: 'entered', at: momentBefore(n) },
        ...(settled
          ? [{ ...step, action: 'execute', from_state: 'entered', to_state: 'executed', at: momentBefore(n - 1) }]
          : []),
      ])
    }
  },
)
