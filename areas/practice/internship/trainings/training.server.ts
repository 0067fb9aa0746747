/** Trainings of the internship year: their places, who supervises when, and who is there. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { facultyOfYear, holdYear, holdYearOf, trainingReach } from '../reach.server.ts'
import { removedBy } from '../setup/setup.server.ts'
import { emtyazTraining, emtyazTrainingCalls as calls, type EmtyazTrainingDetail } from './training.contract.ts'

const LIVE = `r.removed_at is null and r.status in ('requested', 'added', 'accepted')`

export const emtyazTrainings = workings(emtyazTraining, {
  scope: {
    faculty: () => facultyOfYear(sql`t.year_id`),
    own: (ctx) => trainingReach(ctx).own,
    supervised: (ctx) => trainingReach(ctx).supervised,
  },
  computed: {
    placed: `(select count(*)::int from emtyaz_rotations r where r.training_id = t.id and r.removed_at is null and r.status = 'accepted')`,
  },
  async beforeWrite(ctx, tx, merged, current) {
    await holdYearOf(ctx, tx, Number(merged.year_id), 'add_emtyazTraining', 'edit_emtyazTraining')
    // Whoever is given a place meanwhile waits, and is counted. Places that are lost are lost: who is there then is shown.
    if (current) await sql`select from emtyaz_trainings where id = ${current.id} for update`.execute(tx)
    const { rows } = await sql<{ fits: boolean }>`select y.faculty_id = c.faculty_id
        and (y.bylaw_id is null or c.bylaw_id is null or y.bylaw_id = c.bylaw_id) as fits
      from emtyaz_years y, emtyaz_training_types p join emtyaz_courses c on c.id = p.course_id
      where y.id = ${Number(merged.year_id)} and p.id = ${Number(merged.type_id)} and p.removed_at is null`.execute(tx)
    if (!rows[0]) throw refuse(422, 'reference_missing', undefined, 'type_id')
    if (!rows[0].fits) throw refuse(422, 'emtyaz_type_elsewhere', undefined, 'type_id')
  },
  async beforeRemove(_ctx, tx, id) {
    await sql`select from emtyaz_trainings where id = ${id} for update`.execute(tx)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from emtyaz_rotations r
      where r.training_id = ${id} and ${sql.raw(LIVE)}`.execute(tx)
    const { count } = firstRow(rows)
    if (count > 0) throw refuse(409, 'emtyaz_training_used', { count })
  },
})

const supervisors = (training: string) =>
  sql.raw(`coalesce((select json_agg(json_build_object('id', m.id,
    'instructor', json_build_object('id', i.id, 'name', i.name, 'name_local', i.name_local, 'code', i.code),
    'starts_on', m.starts_on, 'ends_on', m.ends_on) order by m.starts_on, i.name, m.id)
  from emtyaz_training_instructors m join instructors i on i.id = m.instructor_id where m.training_id = ${training}), '[]')`)
const GROUP = `json_build_object('id', o.id, 'starts_on', o.starts_on, 'ends_on', o.ends_on, 'control_status', o.control_status,
  'interns', (select count(*) from emtyaz_rotations r where r.offering_id = o.id and r.removed_at is null and r.status = 'accepted'),
  'marked', (select count(*) from emtyaz_rotations r where r.offering_id = o.id and r.removed_at is null and r.status = 'accepted' and r.mark is not null)`
const HAS_ANY = `exists (select from emtyaz_rotations r where r.offering_id = o.id and r.removed_at is null and r.status = 'accepted')`

async function shown(ctx: Ctx, id: number): Promise<EmtyazTrainingDetail> {
  const training = await emtyazTrainings.get(ctx, ctx.db, id, 'show_emtyazTraining')
  const { rows } = await sql<Omit<EmtyazTrainingDetail, 'training'>>`
    select json_build_object('id', c.id, 'name', c.name, 'name_local', c.name_local) as course, p.weeks, y.starts_on::text,
      (y.starts_on + y.periods * y.period_weeks * 7 - 1)::text as ends_on, ${supervisors('t.id')} as instructors,
      (select json_agg(json_build_object('starts_on', d.day, 'ends_on', d.day + y.period_weeks * 7 - 1,
          'places', emtyaz_places_on(t.id, d.day),
          'taken', emtyaz_places_on(t.id, d.day) - coalesce(emtyaz_free(t.id, d.day, d.day + y.period_weeks * 7 - 1), 0)) order by d.day)
        from (select y.starts_on + n * y.period_weeks * 7 as day from generate_series(0, y.periods - 1) n) d) as periods,
      coalesce((select json_agg(json_build_object('day', f.day, 'taken', f.taken, 'places', f.places) order by f.day)
        from emtyaz_overfull(array[t.id], university_today()) f), '[]') as overfull,
      coalesce((select json_agg(${sql.raw(GROUP)}) order by o.starts_on, o.ends_on) from emtyaz_offerings o
        where o.training_id = t.id and o.removed_at is null and ${sql.raw(HAS_ANY)}), '[]') as offerings
    from emtyaz_trainings t join emtyaz_years y on y.id = t.year_id join emtyaz_training_types p on p.id = t.type_id
      join emtyaz_courses c on c.id = p.course_id
    where t.id = ${id}`.execute(ctx.db)
  return { training: training, ...firstRow(rows) }
}

/** The training, held for a change of who supervises it. @throws {Refusal} 404; 409 its year is closed */
async function holdTraining(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ year_id: number }>`select t.year_id from emtyaz_trainings t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'edit_emtyazTraining', trainingReach(ctx))} for update`.execute(
    tx,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  await holdYear(ctx, tx, rows[0].year_id, 'edit_emtyazTraining')
}

export const emtyazTrainingHandlers: readonly Handled[] = [
  ...emtyazTrainings.handlers,
  emtyazTrainings.at(calls.available, 'list'),
  emtyazTrainings.at(calls.put, 'update'),
  handle(calls.get, async (ctx, { params: { id } }) => ({ data: await shown(ctx, id) })),
  handle(calls.remove, (ctx, { params: { id } }) => removedBy(ctx, emtyazTrainings, id)),
  handle(calls.instructors, async (ctx, { query: { search = '' } }) => {
    const { rows } = await sql<{ id: number; name: string; name_local: string; code: string; trainings: number }>`
      select i.id, i.name, i.name_local, i.code, (select count(distinct m.training_id)::int from emtyaz_training_instructors m
        join emtyaz_trainings x on x.id = m.training_id join emtyaz_years y on y.id = x.year_id
        where m.instructor_id = i.id and x.removed_at is null and not y.is_closed) as trainings
      from instructors i where i.removed_at is null
        and exists (select from emtyaz_years t where t.faculty_id = i.faculty_id and t.removed_at is null
          and ${scopeCondition(ctx, 'edit_emtyazTraining', { faculty: sql`t.faculty_id` })})
        and (${search} = '' or i.search_text like '%' || fold_text(${search}) || '%')
      order by trainings desc, i.name, i.id limit 50`.execute(ctx.db)
    return { data: rows }
  }),
  handle(calls.instructor, async (ctx, { params: { id } }) => {
    const own = ctx.actor?.instructor_id === id
    const { rows } = await sql<{
      instructor: { id: number; name: string; name_local: string; code: string }
      trainings: {
        training: { id: number; name: string; name_local: string; code: string }
        starts_on: string
        ends_on: string
      }[]
      offerings: (EmtyazTrainingDetail['offerings'][number] & {
        training: { id: number; name: string; name_local: string; code: string }
      })[]
    }>`select ${ref('i')} as instructor,
      coalesce((select json_agg(json_build_object('training', ${ref('t')}, 'starts_on', m.starts_on, 'ends_on', m.ends_on) order by m.starts_on, t.code)
        from emtyaz_training_instructors m join emtyaz_trainings t on t.id = m.training_id
        where m.instructor_id = i.id and t.removed_at is null
          and (${own} or ${scopeCondition(ctx, 'edit_emtyazTraining', trainingReach(ctx))})), '[]') as trainings,
      coalesce((select json_agg(${sql.raw(GROUP)}, 'training', ${ref('t')}) order by o.starts_on, t.code)
        from emtyaz_training_instructors m join emtyaz_trainings t on t.id = m.training_id
          join emtyaz_offerings o on o.training_id = t.id and daterange(m.starts_on, m.ends_on, '[]') && daterange(o.starts_on, o.ends_on, '[]')
        where m.instructor_id = i.id and t.removed_at is null and o.removed_at is null and ${sql.raw(HAS_ANY)}
          and (${own} or ${scopeCondition(ctx, 'edit_emtyazTraining', trainingReach(ctx))})), '[]') as offerings
      from instructors i where i.id = ${id} and i.removed_at is null
        and (${own} or exists (select from emtyaz_years t where t.faculty_id = i.faculty_id
          and ${scopeCondition(ctx, 'edit_emtyazTraining', { faculty: sql`t.faculty_id` })}))`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0] }
  }),
  handle(calls.addInstructors, (ctx, { params: { id }, body: { instructors } }) =>
    ctx.write(async (tx) => {
      await holdTraining(ctx, tx, id)
      for (const [i, { instructor_id, starts_on, ends_on }] of instructors.entries()) {
        if (ends_on < starts_on) throw refuse(422, 'emtyaz_instructor_days', undefined, `instructors.${i}.ends_on`)
        const { rows } =
          await sql`select from instructors where id = ${instructor_id} and removed_at is null for share`.execute(tx)
        if (!rows.length) throw refuse(422, 'reference_missing', undefined, `instructors.${i}.instructor_id`)
      }
      await sql`insert into emtyaz_training_instructors (training_id, instructor_id, starts_on, ends_on)
        select ${id}, x.instructor_id, x.starts_on, x.ends_on
        from jsonb_to_recordset(${JSON.stringify(instructors)}::jsonb) as x (instructor_id int, starts_on date, ends_on date)`.execute(
        tx,
      )
      const { rows } = await sql<{
        instructors: EmtyazTrainingDetail['instructors']
      }>`select ${supervisors('t.id')} as instructors from emtyaz_trainings t where t.id = ${id}`.execute(tx)
      return { data: firstRow(rows).instructors }
    }),
  ),
  handle(calls.removeInstructor, (ctx, { params: { trainingId, instructorId } }) =>
    ctx.write(async (tx) => {
      await holdTraining(ctx, tx, trainingId)
      const { rows } = await sql`delete from emtyaz_training_instructors
        where training_id = ${trainingId} and instructor_id = ${instructorId} returning id`.execute(tx)
      if (!rows.length) throw refuse(404, 'not_found')
      return { data: { removed: rows.length } }
    }),
  ),
]
