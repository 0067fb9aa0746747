import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import { demoPart } from '#demo/part.ts'
import { auditSome, keepAudits } from './run.server.ts'

/** The audit of one program, as a coordinator had it made. */
export default demoPart(
  ['degree_audit_runs', 'degree_audit_results', 'degree_exceptions'],
  ['students', 'registrations', 'student_terms', 'requirement_trees', 'programs'],
  async (tx) => {
    const { rows: programs } = await sql<{ id: number }>`
      select p.id from programs p join students s on s.program_id = p.id and s.status = 'studying'
      where p.removed_at is null group by 1 order by count(*) desc, 1 limit 1`.execute(tx)
    const [program] = programs
    if (!program) return
    const { rows } = await sql<{ id: number }>`
      insert into degree_audit_runs (program_id, finished_at) values (${program.id}, now()) returning id`.execute(tx)
    // One of them has worked in the field for years.
    await sql`insert into degree_exceptions (student_id, program_id, kind, key, reason, granted_by)
      select s.id, s.program_id, 'waive', 'training', 'Worked in the field for two years', u.id
      from (select id, program_id from students where program_id = ${program.id} and status = 'studying' order by id limit 1) s
      cross join (select id from users where is_root order by id limit 1) u`.execute(tx)
    const { rows: ids } = await sql<{ id: number }>`
      select id from students where program_id = ${program.id} and status = 'studying' order by id limit 100`.execute(
      tx,
    )
    await keepAudits(
      tx,
      firstRow(rows).id,
      await auditSome(
        tx,
        ids.map((row) => row.id),
        await equalCourses(tx),
        new Map(),
      ),
    )
  },
)
