import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Commerce was an institute until the second year that is known; a department and two programs have a past as well. */
export default demoPart(['unit_names', 'unit_successions'], ['years', 'programs', 'departments'], async (tx, demo) => {
  const [first, second] = demo.years
  const day = (second ?? first)!.start_date
  await sql`insert into unit_names (faculty_id, until_day, name, name_local)
    select id, ${day}::date, 'Higher Institute of Commerce', 'المعهد العالي للتجارة' from faculties where code = 'FCO'`.execute(
    tx,
  )
  await sql`insert into unit_names (department_id, until_day, name, name_local, within_id)
    select id, ${day}::date, 'Bookkeeping', 'إمساك الدفاتر', faculty_id from departments where code = 'ACC'`.execute(tx)
  await sql`insert into unit_names (program_id, until_day, name, name_local, within_id)
    select id, ${day}::date, 'Electronic computing', 'الحاسبات الإلكترونية', faculty_id from programs where not is_general order by id limit 1`.execute(
    tx,
  )
  await sql`insert into unit_successions (department_id, to_department_id, on_day, kind)
    select a.id, b.id, ${day}::date, 'split_off' from departments a join departments b on b.faculty_id = a.faculty_id and b.id > a.id
    order by a.id, b.id limit 1`.execute(tx)
  await sql`insert into unit_successions (program_id, to_program_id, on_day, kind, note)
    select a.id, b.id, ${day}::date, 'split_off', 'Council decision 14' from programs a
      join programs b on b.faculty_id = a.faculty_id and b.study_level = a.study_level and b.id > a.id and not b.is_general
    where not a.is_general order by a.id, b.id limit 1`.execute(tx)
})
