import { sql } from 'kysely'
import { demoPart, usersByEmail } from '#demo/part.ts'

/** Who manages whom, by the names of their jobs: all others are managed by the manager of the administration. */
const MANAGED: Readonly<Record<string, string>> = {
  'University Administration Manager': '',
  'Head of Information Systems': '',
  'Systems Director': '',
  'Director of Student Affairs': 'University Administration Manager',
  'Student Affairs Manager': 'Director of Student Affairs',
  'Student Affairs Specialist': 'Student Affairs Manager',
  'Registration Unit Officer': 'Student Affairs Manager',
  'Admission Officer': 'Student Affairs Manager',
  'Faculty Registrar': 'University Registrar',
  'Department Secretary': 'University Registrar',
  'Graduate Affairs Officer': 'Head of Graduate Affairs',
  'Finance Officer': 'Head of Finance',
  Cashier: 'Head of Finance',
}
/** Contracts that are for a time, by job: the kind, days since the last one began, days until it ends. */
const FOR_A_TIME: Readonly<Record<string, readonly [kind: string, since: number, until: number]>> = {
  Cashier: ['fixed_term', 711, 19],
  'Graduate Affairs Officer': ['fixed_term', 350, 380],
  'Admission Officer': ['temporary', 160, 12],
  'Quality Officer': ['secondment', 640, 90],
  'Registration Unit Officer': ['fixed_term', 740, -9],
}

/** Numbers, jobs, places, managers and contracts of the employees. */
export default demoPart(
  ['employee_contracts'],
  ['users', 'job_titles', 'faculties', 'departments'],
  async (tx, demo) => {
    const userId = await usersByEmail(tx)
    const employees = demo.users.filter(({ type }) => type === 2)
    const rows = employees.map(({ email, code, title, faculty_id }, i) => {
      const [kind, since, until] = FOR_A_TIME[title] ?? ['permanent', 900 + ((i * 397) % 5200), null]
      return {
        id: userId.get(email)!,
        code,
        title,
        faculty_id,
        manager: MANAGED[title] ?? 'University Administration Manager',
        kind,
        since,
        until,
        // Before the one that runs there was another, where somebody has been here for long.
        before: kind === 'permanent' && i % 3 === 0 ? 1096 : kind === 'fixed_term' ? 730 : null,
      }
    })
    const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as g (id int, code text, title text, faculty_id int, manager text, kind text, since int, until int, before int)`
    await sql`update users u set code = g.code, faculty_id = g.faculty_id, job_title_id = j.id
    from ${given} left join job_titles j on j.name = g.title where u.id = g.id`.execute(tx)
    // Secretaries work in a department.
    await sql`update users u set department_id = (select min(d.id) from departments d where d.faculty_id = u.faculty_id)
    from ${given} where u.id = g.id and g.title = 'Department Secretary'`.execute(tx)
    await sql`update users u set manager_id = m.id
    from ${given} join (select distinct on (j.name) u.id, j.name from users u join job_titles j on j.id = u.job_title_id
      where not u.is_super_admin and not u.is_root order by j.name, u.id) m on m.name = g.manager
    where u.id = g.id and m.id <> u.id`.execute(tx)
    await sql`insert into employee_contracts (employee_id, kind, from_date, to_date)
    select g.id, g.kind, ${demo.today}::date - g.since, ${demo.today}::date + g.until from ${given}
    union all select g.id, 'fixed_term', ${demo.today}::date - g.since - g.before, ${demo.today}::date - g.since - 1
      from ${given} where g.before is not null`.execute(tx)
  },
)
