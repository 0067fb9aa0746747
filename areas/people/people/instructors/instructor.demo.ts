import { sql } from 'kysely'
import { demoPart, insertNew, pick, usersByEmail } from '#demo/part.ts'

/** Academic people, the deans of the faculties, and the heads of their departments: whoever has the highest title. */
export default demoPart(['instructors'], ['users', 'departments', 'locations'], async (tx, demo) => {
  const academics = demo.users.filter((u) => u.type === 1)
  const advisors = new Set(demo.students.map((s) => s.advisor_id))
  const userId = await usersByEmail(tx)
  const instructors = await insertNew(
    tx,
    'instructors',
    academics.map((u) => ({
      ...pick(
        u,
        'code',
        'name',
        'name_local',
        'academic_title',
        'department_id',
        'email',
        'phone',
        'gender',
        'national_id',
      ),
      faculty_id: u.faculty_id ?? demo.faculties[0]!.id,
      user_id: userId.get(u.email)!,
      max_advised: advisors.has(u.id) ? 150 : null,
    })),
  )
  // What they have learnt, by rank, and where they sit.
  await sql`update instructors i set
      degree = case when i.academic_title in ('assistant_lecturer', 'expert') then 'master' when i.academic_title = 'demonstrator' then 'bachelor' else 'doctorate' end,
      specialty = d.name, specialty_local = d.name_local
    from departments d where d.id = i.department_id`.execute(tx)
  await sql`update instructors i set office_id = o.id
    from (select id, row_number() over (order by code) - 1 as place, count(*) over () as of from locations where code like 'A-O%') o
    where o.place = i.id % o.of`.execute(tx)
  for (const [i, u] of academics.entries()) {
    const faculty_id = u.roles.find((r) => r.role === 'dean')?.faculty_id
    if (!faculty_id) continue
    await sql`update faculties set dean_id = ${instructors[i]} where id = ${faculty_id}`.execute(tx)
  }
  await sql`update departments d set head_id = (
      select i.id from instructors i where i.department_id = d.id and i.removed_at is null
        and not exists (select from faculties f where f.dean_id = i.id)
      order by array_position(array['professor', 'associate_professor', 'lecturer'], i.academic_title::text), i.code limit 1)`.execute(
    tx,
  )
})
