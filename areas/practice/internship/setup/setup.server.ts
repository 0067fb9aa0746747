/** Years, courses, training types and hospitals of the internship year. */
import { firstRow } from '#db/rows.ts'
import type { Tx } from '#db/connect.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql, type RawBuilder } from 'kysely'
import { emtyazCourseCalls as calls, type EmtyazCourseDetail } from './course.contract.ts'
import { checkEmtyazCourse, checkEmtyazYear, type CriterionSaid } from './setup.rules.ts'
import { emtyazCourse, emtyazHospital, emtyazTrainingType, emtyazYear } from './year.contract.ts'

/** @throws {Refusal} 409 where it is still used */
async function refuseUsed(tx: Tx, count: RawBuilder<unknown>, code: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`select (${count})::int as count`.execute(tx)
  const { count: used } = firstRow(rows)
  if (used > 0) throw refuse(409, code, { count: used })
}
const days = (column: string) =>
  sql.raw(`(select ${column} from (
  select r.starts_on, r.ends_on from emtyaz_rotations r where r.year_id = t.id and r.removed_at is null and r.status in ('requested', 'added', 'accepted')
  union all select i.joined_on, i.joined_on from emtyaz_interns i where i.year_id = t.id and i.removed_at is null) u)`)

export const emtyazYears = workings(emtyazYear, {
  scope: { faculty: () => sql`t.faculty_id` },
  computed: {
    ends_on: `(t.starts_on + t.periods * t.period_weeks * 7 - 1)`,
    interns: `(select count(*)::int from emtyaz_interns i where i.year_id = t.id and i.removed_at is null)`,
  },
  async beforeWrite(_ctx, tx, merged, current) {
    let used: { used_from: string | null; used_until: string | null } = { used_from: null, used_until: null }
    if (current) {
      await sql`select from emtyaz_years where id = ${current.id} for update`.execute(tx)
      const { rows } = await sql<
        typeof used
      >`select ${days('min(u.starts_on)::text')} as used_from, ${days('max(u.ends_on)::text')} as used_until
        from emtyaz_years t where t.id = ${current.id}`.execute(tx)
      used = firstRow(rows)
    }
    const said = merged as unknown as {
      starts_on: string
      periods: number
      period_weeks: number
      wishes_from?: string | null
      wishes_until?: string | null
    }
    const reasons = checkEmtyazYear({
      ...said,
      wishes_from: said.wishes_from ?? null,
      wishes_until: said.wishes_until ?? null,
      ...used,
    })
    if (reasons.length) throw new Refusal(422, reasons)
  },
  beforeRemove: (_ctx, tx, id) =>
    refuseUsed(
      tx,
      sql`select count(*) from emtyaz_interns i where i.year_id = ${id} and i.removed_at is null`,
      'emtyaz_year_interns',
    ),
})

export const emtyazCourses = workings(emtyazCourse, {
  scope: { faculty: () => sql`t.faculty_id` },
  computed: {
    weeks: `(select coalesce(sum(y.weeks), 0)::int from emtyaz_training_types y where y.course_id = t.id and y.removed_at is null)`,
    max_mark: `(select coalesce(sum(c.max_mark), 0)::numeric(7, 2)::text from emtyaz_criteria c where c.course_id = t.id)`,
  },
  async beforeWrite(_ctx, tx, merged, current) {
    let given: { id: number; name: string; most: number | null }[] = []
    if (current) {
      // What somebody has done stays obligatory, or elective.
      if (current.is_elective !== merged.is_elective)
        await refuseUsed(
          tx,
          sql`select count(*) from emtyaz_rotations r join emtyaz_training_types y on y.id = r.type_id
            where y.course_id = ${current.id} and r.removed_at is null and r.status in ('requested', 'added', 'accepted')`,
          'emtyaz_type_used',
        )
      await sql`select from emtyaz_courses where id = ${current.id} for update`.execute(tx)
      const { rows } = await sql<{ id: number; name: string; most: number | null }>`
        select c.id, c.name, (select max(m.points)::float8 from emtyaz_marks m where m.criterion_id = c.id) as most
        from emtyaz_criteria c where c.course_id = ${current.id} order by c.position`.execute(tx)
      given = rows
    }
    const criteria = ((merged.criteria ?? []) as (Omit<CriterionSaid, 'max_mark'> & { max_mark: string })[]).map(
      (one) => ({
        ...one,
        max_mark: Number(one.max_mark),
      }),
    )
    const reasons = checkEmtyazCourse({ pass_mark: Number(merged.pass_mark), criteria, given })
    if (reasons.length) throw new Refusal(422, reasons)
  },
  beforeRemove: (_ctx, tx, id) =>
    refuseUsed(
      tx,
      sql`select count(*) from emtyaz_training_types y where y.course_id = ${id} and y.removed_at is null`,
      'emtyaz_course_types',
    ),
})

export const emtyazTrainingTypes = workings(emtyazTrainingType, {
  scope: { faculty: () => sql`(select c.faculty_id from emtyaz_courses c where c.id = t.course_id)` },
  async beforeWrite(_ctx, tx, merged, current) {
    if (!current || current.weeks === merged.weeks) return
    // Rotations last as long as was said when they were given.
    await sql`select from emtyaz_training_types where id = ${current.id} for update`.execute(tx)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from emtyaz_rotations r
      where r.type_id = ${current.id} and r.removed_at is null and r.status in ('requested', 'added', 'accepted')`.execute(
      tx,
    )
    const { count } = firstRow(rows)
    if (count > 0) throw refuse(409, 'emtyaz_type_used', { count }, 'weeks')
  },
  beforeRemove: (_ctx, tx, id) =>
    refuseUsed(
      tx,
      sql`select count(*) from emtyaz_trainings y where y.type_id = ${id} and y.removed_at is null`,
      'emtyaz_type_trainings',
    ),
})

const hospitals = workings(emtyazHospital, {
  beforeRemove: (_ctx, tx, id) =>
    refuseUsed(
      tx,
      sql`select count(*) from emtyaz_trainings y where y.hospital_id = ${id} and y.removed_at is null`,
      'emtyaz_hospital_trainings',
    ),
})

/** Removes by another path what the resource removes by its own. */
const removed = async (
  ctx: Parameters<Handled['handler']>[0],
  served: { readonly handlers: readonly Handled[] },
  id: number,
) => {
  const remove = served.handlers.find(({ call }) => call.method === 'DELETE')
  await remove!.handler(ctx, { params: { id }, query: {}, body: undefined, file: null } as never)
  return { data: { id } }
}
export { removed as removedBy }

export const emtyazSetupHandlers: readonly Handled[] = [
  ...emtyazYears.handlers,
  ...emtyazCourses.handlers,
  ...emtyazTrainingTypes.handlers,
  ...hospitals.handlers,
  emtyazCourses.at(calls.add, 'create'),
  emtyazCourses.at(calls.change, 'update'),
  emtyazTrainingTypes.at(calls.addType, 'create'),
  emtyazTrainingTypes.at(calls.changeType, 'update'),
  handle(calls.removeType, (ctx, { params: { id } }) => removed(ctx, emtyazTrainingTypes, id)),
  handle(calls.get, async (ctx, { params: { id } }) => {
    const course = await emtyazCourses.get(ctx, ctx.db, id, 'show_emtyaz')
    const { rows } = await sql<Omit<EmtyazCourseDetail, 'course'>>`
      select coalesce((select json_agg(json_build_object('id', y.id, 'version', y.version, 'code', y.code, 'name', y.name, 'name_local', y.name_local,
          'weeks', y.weeks,
          'trainings', (select count(*) from emtyaz_trainings x join emtyaz_years e on e.id = x.year_id where x.type_id = y.id and x.removed_at is null and not e.is_closed),
          'rotations', (select count(*) from emtyaz_rotations r where r.type_id = y.id and r.removed_at is null and r.status = 'accepted')) order by y.code)
        from emtyaz_training_types y where y.course_id = ${id} and y.removed_at is null), '[]') as types,
        (select count(distinct m.rotation_id)::int from emtyaz_marks m join emtyaz_criteria c on c.id = m.criterion_id where c.course_id = ${id}) as marked,
        count(r.id) filter (where r.outcome = 'passed')::int as passed, count(r.id) filter (where r.outcome = 'failed')::int as failed
      from emtyaz_training_types y left join emtyaz_rotations r on r.type_id = y.id and r.removed_at is null and r.status = 'accepted'
      where y.course_id = ${id}`.execute(ctx.db)
    return { data: { course: course, ...firstRow(rows) } }
  }),
]
