/** What logbooks ask for and have, read in one statement. */
import type { Db, Tx } from '#db/connect.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Logbook } from './entry.contract.ts'
import { checkLogbook } from './entry.rules.ts'

/** SQL: the courses `c` of which the intern `i` (student `s`, year `y`) keeps a logbook: those of the year that he or she does. */
const LOGBOOK_COURSES = `c.faculty_id = y.faculty_id and c.removed_at is null and (c.bylaw_id is null or c.bylaw_id = s.bylaw_id)
  and (not c.is_elective or exists (select from emtyaz_rotations r join emtyaz_training_types q on q.id = r.type_id
    where r.year_id = i.year_id and r.student_id = i.student_id and q.course_id = c.id and r.removed_at is null and r.status = 'accepted'))`
/** SQL: confirmed entries of the type `p` of the intern `i` in a role. */
const CONFIRMED = (
  role: string,
) => `(select count(*) from logbook_entries e join emtyaz_rotations r on r.id = e.rotation_id
  where e.student_id = i.student_id and e.type_id = p.id and e.role = '${role}' and e.status = 'confirmed' and e.removed_at is null
    and r.year_id = i.year_id)`
const wanted = (role: string) => `case when p.removed_at is null then p.min_${role} else 0 end`
const THREE = (of: (role: string) => string) =>
  `json_build_object('observed', ${of('observed')}, 'assisted', ${of('assisted')}, 'done', ${of('done')})`

type Course = Logbook['courses'][number] & { readonly intern_id: number }
/** Courses with what is wanted and confirmed, of interns `i` that the condition names. */
export async function logbookCourses(db: Db | Tx, which: RawBuilder<unknown>): Promise<Course[]> {
  const { rows } = await sql<Course>`
    select i.id as intern_id, c.id, c.name, c.name_local, c.code,
      json_agg(json_build_object('id', p.id, 'name', p.name, 'name_local', p.name_local, 'code', p.code, 'kind', p.kind,
        'wanted', ${sql.raw(THREE(wanted))}, 'confirmed', ${sql.raw(THREE(CONFIRMED))}) order by p.code, p.id) as types
    from emtyaz_interns i join emtyaz_years y on y.id = i.year_id join students s on s.id = i.student_id
      join emtyaz_courses c on ${sql.raw(LOGBOOK_COURSES)} join logbook_types p on p.course_id = c.id
    where ${which} and (p.removed_at is null or exists (select from logbook_entries e where e.type_id = p.id and e.student_id = i.student_id
      and e.removed_at is null))
    group by i.id, c.id order by i.id, c.is_elective, c.code`.execute(db)
  return rows
}

/** What is missing in the logbook of an intern until the year is done: the internship year asks. */
export const logbookReasons = async (db: Db | Tx, intern_id: number): Promise<Reason[]> =>
  checkLogbook(await logbookCourses(db, sql`i.id = ${intern_id}`))

/** A logbook with everything in it; null: there is no such intern. */
export async function logbookOf(db: Db | Tx, intern_id: number): Promise<Omit<Logbook, 'pin_key'> | null> {
  const { rows } = await sql<Omit<Logbook, 'pin_key' | 'courses'>>`
    select json_build_object('id', i.id, 'student', ${ref('s')}, 'year', ${ref('y')}, 'completed', i.completed_on is not null or y.is_closed) as intern,
      coalesce((select json_agg(json_build_object('id', r.id, 'training', ${ref('x')}, 'course_id', q.course_id, 'starts_on', r.starts_on,
          'ends_on', coalesce(r.interrupted_on, r.ends_on),
          'supervisors', (select coalesce(json_agg(distinct jsonb_build_object('id', n.id, 'name', n.name, 'name_local', n.name_local, 'code', n.code)), '[]')
            from emtyaz_training_instructors m join instructors n on n.id = m.instructor_id and n.removed_at is null
            where m.training_id = r.training_id and m.starts_on <= r.ends_on and m.ends_on >= r.starts_on)) order by r.starts_on desc, r.id)
        from emtyaz_rotations r join emtyaz_trainings x on x.id = r.training_id join emtyaz_training_types q on q.id = r.type_id
        where r.year_id = i.year_id and r.student_id = i.student_id and r.status = 'accepted' and r.removed_at is null), '[]') as rotations,
      coalesce((select json_agg(json_build_object('id', e.id, 'uuid', e.uuid, 'revision', e.revision, 'rotation_id', e.rotation_id, 'type_id', e.type_id,
          'role', e.role, 'done_at', e.done_at, 'note', e.note, 'clock_ahead', e.clock_ahead, 'status', e.status,
          'by', case when n.id is not null then ${ref('n')} end,
          'why', (select h.reason from step_history h where h.workflow = 'logbook_entry' and h.record_id = e.id and h.from_state is not null
            and h.to_state = e.status order by h.id desc limit 1)) order by e.done_at desc, e.id desc)
        from logbook_entries e join emtyaz_rotations r on r.id = e.rotation_id left join instructors n on n.id = e.confirmed_by_id
        where e.student_id = i.student_id and r.year_id = i.year_id and e.removed_at is null), '[]') as entries
    from emtyaz_interns i join emtyaz_years y on y.id = i.year_id join students s on s.id = i.student_id
    where i.id = ${intern_id} and i.removed_at is null`.execute(db)
  const [found] = rows
  if (!found) return null
  const courses = await logbookCourses(db, sql`i.id = ${intern_id}`)
  return { ...found, courses: courses.map(({ intern_id: _, ...course }) => course) }
}
