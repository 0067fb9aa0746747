import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

/** More time for good, a room alone with a reader in this term, and more time in a term that is over. */
export default demoPart(['exam_accommodations'], ['students', 'terms', 'registrations'], async (tx, demo) => {
  const term = demo.current_terms.current_term
  const { rows } = await sql<{ id: number }>`select s.id from students s
    where s.faculty_id = (select id from faculties order by id offset 1 limit 1) and s.removed_at is null and s.id > 60
      and exists (select from registrations r where r.student_id = s.id and r.term_id = ${term} and sits_exam(r.status))
    order by s.id limit 2`.execute(tx)
  const { rows: earlier } = await sql<{
    id: number
    term_id: number
  }>`select s.id, min(r.term_id)::int as term_id from students s
      join registrations r on r.student_id = s.id and r.term_id <> ${term} join terms t on t.id = r.term_id and t.end_date < university_today()
    where s.faculty_id = (select min(id) from faculties) and s.removed_at is null and s.id > 60 group by s.id order by s.id limit 1`.execute(
    tx,
  )
  const row = (id: number, student: { id: number } | undefined, more: object) =>
    student
      ? [
          {
            id,
            student_id: student.id,
            from_term_id: term,
            to_term_id: null,
            extra_percent: null,
            own_room: false,
            helper: null,
            notes: null,
            reason: null,
            covers: 'empty',
            ...more,
          },
        ]
      : []
  await insertRows(tx, 'exam_accommodations', [
    ...row(1, rows[0], {
      extra_percent: 25,
      notes: 'Large print',
      reason: 'Dyslexia, as the medical centre has found',
    }),
    ...row(2, rows[1], { to_term_id: term, extra_percent: 50, own_room: true, helper: 'reader', reason: 'Blind' }),
    ...row(3, earlier[0], {
      from_term_id: earlier[0]?.term_id,
      to_term_id: earlier[0]?.term_id,
      extra_percent: 20,
      reason: 'A broken arm',
    }),
  ])
  await followIds(tx, 'exam_accommodations')
})
