/** Who teaches in which offering. */
import { sql } from 'kysely'
import { keepTable, numbers, sample } from './staging.server.ts'
import type { ImportRun } from './staging.server.ts'

/**
 * What is to happen with each place in a team: `teaching_plan` and `teaching_gone`. Where a class still has teachers in
 * the bundle, those who are no longer among them are replaced; a class left without any is a removal. Whoever was put
 * into a team by hand stays.
 */
export async function planTeams(run: ImportRun): Promise<void> {
  const { tx, source, counts } = run
  await keepTable(
    tx,
    'teaching_plan',
    sql`select i.external_id, i.line, u.label || ' ' || c.label || ' ' || m.label as label, m.known as offering_id, u.known as instructor_id,
        i.role, oi.role as now_role, e.external_id is not null as known, e.external_id as before,
        case when u.here_removed or m.here_removed then 'roster_left_removed'
          when oi.offering_id is null then 'create'
          when e.external_id is null then 'roster_left_by_hand'
          when oi.role = i.role then 'same'
          when oi.role = e.imported ->> 'role' then 'change'
          else 'roster_left_edited' end as action
      from in_teachings i join m_offering m on m.external_id = i.class join m_instructor u on u.external_id = i."user"
        join m_course c on c.known = m.course_id
        left join offering_instructors oi on oi.offering_id = m.known and oi.instructor_id = u.known
        left join external_ids e on e.source = ${source} and e.kind = 'teaching' and e.offering_id = m.known and e.instructor_id = u.known`,
  )
  await keepTable(
    tx,
    'teaching_gone',
    sql`select e.external_id, e.offering_id, e.instructor_id, u.code || ' ' || c.code || ' ' || o.code as label,
        case when exists (select from teaching_plan p where p.offering_id = e.offering_id or p.external_id = e.external_id)
          then 'replace' else 'remove' end as action
      from external_ids e join offerings o on o.id = e.offering_id join courses c on c.id = o.course_id join instructors u on u.id = e.instructor_id
      where e.source = ${source} and e.kind = 'teaching'
        and not exists (select from teaching_plan p where p.offering_id = e.offering_id and p.instructor_id = e.instructor_id)`,
  )
  Object.assign(
    counts.teaching,
    await numbers<Record<'created' | 'changed' | 'same' | 'left' | 'gone', number>>(
      tx,
      sql`select count(*) filter (where action = 'create')::int as created,
          (count(*) filter (where action = 'change') + (select count(*) from teaching_gone where action = 'replace'))::int as changed,
          count(*) filter (where action = 'same')::int as same, count(*) filter (where action like 'roster%')::int as left,
          (select count(*) from teaching_gone where action = 'remove')::int as gone from teaching_plan`,
    ),
  )
  await sample(
    run,
    'teaching',
    'created',
    sql`select external_id, label, line from teaching_plan where action = 'create' order by line`,
  )
  await sample(
    run,
    'teaching',
    'changed',
    sql`select external_id, label, line, 'role' as field, now_role as old, role as new from teaching_plan where action = 'change' order by line`,
  )
  await sample(
    run,
    'teaching',
    'changed',
    sql`select external_id, label, 'team' as field, label as old from teaching_gone where action = 'replace'`,
  )
  await sample(
    run,
    'teaching',
    'left',
    sql`select external_id, label, line, 'role' as field, now_role as old, role as new, action as reason
      from teaching_plan where action like 'roster%' order by line`,
  )
  await sample(run, 'teaching', 'gone', sql`select external_id, label from teaching_gone where action = 'remove'`)
}

/** Carries the plan out. */
export async function storeTeams({ tx, source, counts }: ImportRun, removals: boolean): Promise<void> {
  const going = sql`teaching_gone g where (g.action = 'replace' or ${removals})`
  await sql`delete from offering_slot_instructors si using offering_slots s, ${going} and si.offering_slot_id = s.id
    and s.offering_id = g.offering_id and si.instructor_id = g.instructor_id`.execute(tx)
  // Their identities follow.
  await sql`delete from offering_instructors oi using ${going} and oi.offering_id = g.offering_id and oi.instructor_id = g.instructor_id`.execute(
    tx,
  )
  counts.teaching.removed = removals ? counts.teaching.gone : 0
  await sql`update offering_instructors oi set role = p.role from teaching_plan p
    where p.action = 'change' and oi.offering_id = p.offering_id and oi.instructor_id = p.instructor_id`.execute(tx)
  await sql`insert into offering_instructors (offering_id, instructor_id, role)
    select offering_id, instructor_id, role from teaching_plan where action = 'create' order by line`.execute(tx)
  await sql`delete from external_ids e using teaching_plan p where p.action <> 'create' and e.source = ${source} and e.kind = 'teaching'
    and e.offering_id = p.offering_id and e.instructor_id = p.instructor_id and p.known and e.external_id <> p.external_id`.execute(
    tx,
  )
  await sql`insert into external_ids (source, kind, external_id, offering_id, instructor_id, imported)
    select ${source}, 'teaching', external_id, offering_id, instructor_id, jsonb_build_object('role', role)
    from teaching_plan where action in ('create', 'change', 'same')
    on conflict (source, kind, external_id) do update
      set offering_id = excluded.offering_id, instructor_id = excluded.instructor_id, imported = excluded.imported
      where (external_ids.offering_id, external_ids.instructor_id, external_ids.imported)
        is distinct from (excluded.offering_id, excluded.instructor_id, excluded.imported)`.execute(tx)
}
