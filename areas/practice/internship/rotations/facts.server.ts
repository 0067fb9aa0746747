/** What decisions on rotations look at, read in one statement for all of them. */
import type { Db, Tx } from '#db/connect.ts'
import { sql, type RawBuilder } from 'kysely'
import { typeDone, type RotationFacts, type TrainingTypeFacts } from './rotation.rules.ts'

type Others = TrainingTypeFacts['rotations']
type Row = Omit<RotationFacts, 'to_make_up' | 'asking'> & {
  readonly id: number
  readonly status: string
  readonly outcome: string | null
  readonly others: Others
  readonly wishes_from: string | null
  readonly wishes_until: string | null
}
/** A rotation as it is judged, with what it is now. */
export type JudgedRotation = RotationFacts & { readonly status: string; readonly outcome: string | null }

/** SQL: days of leave of the intern `i` from one day to another. */
export const leaveDays = (since: string, until: string) =>
  sql.raw(`(select coalesce(sum(least(l.ends_on, ${until}) - greatest(l.starts_on, ${since}) + 1), 0)::int from emtyaz_leaves l
    where l.intern_id = i.id and l.starts_on <= ${until} and l.ends_on >= ${since})`)
/** SQL: the rotations of a training type of an intern, as `typeDone` takes them. */
export const rotationsOfType = (year: string, student: string, type: string, but: string) =>
  sql`coalesce((select json_agg(json_build_object('status', o.status, 'outcome', o.outcome, 'starts_on', o.starts_on,
      'ends_on', coalesce(o.interrupted_on, o.ends_on), 'leave', ${leaveDays('o.starts_on', 'coalesce(o.interrupted_on, o.ends_on)')}) order by o.starts_on)
    from emtyaz_rotations o where o.year_id = ${sql.raw(year)} and o.student_id = ${sql.raw(student)} and o.type_id = ${sql.raw(type)}
      and o.removed_at is null and o.id is distinct from ${sql.raw(but)} and o.status = 'accepted'), '[]')`

/**
 * Of rotations `r` (a relation with the columns of the table that are looked at), by their ids.
 *
 * @param asking the intern asks: within the time for it
 */
export async function rotationFacts(
  db: Db | Tx,
  of: RawBuilder<unknown>,
  asking = false,
): Promise<Map<number, JudgedRotation>> {
  const { rows } = await sql<Row>`
    select coalesce(r.id, 0) as id, r.status, r.outcome, university_today()::text as today, y.is_closed as closed, i.completed_on is not null as completed, i.removed_at is not null as gone,
      y.starts_on::text as year_from, (y.starts_on + y.periods * y.period_weeks * 7 - 1)::text as year_until, i.joined_on::text,
      r.starts_on::text, r.ends_on::text, p.weeks * 7 as days, t.removed_at is not null as training_removed, t.withdrawn_from::text,
      coalesce(c.bylaw_id <> s.bylaw_id, false) as other_bylaw, coalesce(emtyaz_free(t.id, r.starts_on, r.ends_on, r.id), 0) as free,
      (select json_build_object('name', x.name, 'name_local', x.name_local) from emtyaz_rotations o join emtyaz_trainings x on x.id = o.training_id
        where o.student_id = r.student_id and o.id is distinct from r.id and o.status = 'accepted' and o.removed_at is null
          and o.starts_on <= r.ends_on and greatest(coalesce(o.interrupted_on, o.ends_on), o.starts_on) >= r.starts_on
        order by o.starts_on limit 1) as meanwhile,
      ${leaveDays('r.starts_on', 'r.ends_on')} as leave, y.leave_days,
      exists (select from emtyaz_rotations o where o.student_id = r.student_id and o.year_id = r.year_id and o.type_id = r.type_id
        and o.id is distinct from r.id and o.removed_at is null and not o.is_makeup and o.status in ('requested', 'added', 'accepted')
        and (o.outcome is null or o.outcome = 'passed')) as again,
      r.is_makeup, ${rotationsOfType('r.year_id', 'r.student_id', 'r.type_id', 'r.id')} as others, c.is_elective,
      (select count(distinct o.type_id)::int from emtyaz_rotations o join emtyaz_training_types q on q.id = o.type_id join emtyaz_courses w on w.id = q.course_id
        where o.student_id = r.student_id and o.year_id = r.year_id and o.type_id <> r.type_id and w.is_elective and o.removed_at is null
          and o.status in ('requested', 'added', 'accepted') and (o.outcome is null or o.outcome = 'passed')) as electives,
      y.electives as most_electives,
      (r.outcome in ('passed', 'failed')) is true or exists (select from emtyaz_marks m where m.rotation_id = r.id) as marked,
      coalesce((select g.control_status = 'Draft' from emtyaz_offerings g
        where g.training_id = r.training_id and g.starts_on = r.starts_on and g.ends_on = r.ends_on), true) as open,
      y.wishes_from::text, y.wishes_until::text
    from (${of}) r join emtyaz_interns i on i.year_id = r.year_id and i.student_id = r.student_id join students s on s.id = r.student_id
      join emtyaz_years y on y.id = r.year_id join emtyaz_trainings t on t.id = r.training_id join emtyaz_training_types p on p.id = r.type_id
      join emtyaz_courses c on c.id = p.course_id`.execute(db)
  return new Map(
    rows.map(({ id, others, wishes_from, wishes_until, ...row }) => [
      id,
      {
        ...row,
        to_make_up: typeDone(
          { name: '', name_local: '', is_elective: row.is_elective, days: row.days, rotations: others },
          row.leave_days,
        ).to_make_up,
        asking: asking ? { from: wishes_from, until: wishes_until } : null,
      },
    ]),
  )
}
/** SQL: rotations by their ids, as `rotationFacts` takes them. */
export const rotationsById = (ids: readonly number[]) =>
  sql`select * from emtyaz_rotations where id = any(${[...ids]}::int[])`
