/** Marks of rotations: entered by who supervises, and brought through control to the intern. */
import { holdersSql, type Units } from '#access/holders.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { leaveDays } from '../rotations/facts.server.ts'
import { groupReach } from '../reach.server.ts'
import {
  emtyazOffering,
  rotationControlFlow,
  rotationControlSteps,
  rotationMarkCalls as calls,
  type RotationMarks,
} from './offering.contract.ts'
import { checkMarking, checkMarks, rotationMarkOf, type RotationControlFacts } from './offering.rules.ts'

/** SQL: rotations `r` of the group `t` that are marked: those that were not interrupted. */
const THERE = `r.offering_id = t.id and r.removed_at is null and r.status = 'accepted'`
const MARKED = `${THERE} and r.outcome is distinct from 'interrupted'`
const NAMES = (condition: string) =>
  sql.raw(`coalesce((select json_agg(json_build_object('name', s.name, 'name_local', s.name_local) order by s.code)
  from emtyaz_rotations r join students s on s.id = r.student_id where ${MARKED} and ${condition}), '[]')`)

async function factsOf(db: Db | Tx, ids: readonly number[]): Promise<Map<number, RotationControlFacts>> {
  const { rows } = await sql<RotationControlFacts & { id: number }>`
    select t.id, university_today()::text as today, t.ends_on::text, y.is_closed as closed, ${NAMES('r.mark is null')} as unmarked,
      ${NAMES(`r.outcome is not null and exists (select from emtyaz_interns i where i.year_id = r.year_id and i.student_id = r.student_id and i.completed_on is not null)`)} as completed,
      (select count(*)::int from emtyaz_rotations r where ${sql.raw(MARKED)}) as interns
    from emtyaz_offerings t join emtyaz_trainings x on x.id = t.training_id join emtyaz_years y on y.id = x.year_id
    where t.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

const UNITS: Units = {
  faculty: sql`(select y.faculty_id from emtyaz_trainings x join emtyaz_years y on y.id = x.year_id where x.id = t.training_id)`,
}
/** Who supervises on these days has the draft, whoever reviews or approves the rest. */
const HOLDERS = sql`(select u.id, u.name, u.name_local, 'Supervisor' as role, 'مشرف' as role_local
    from emtyaz_training_instructors m join instructors i on i.id = m.instructor_id join users u on u.id = i.user_id
    where t.control_status = 'Draft' and m.training_id = t.training_id and daterange(m.starts_on, m.ends_on, '[]') && daterange(t.starts_on, t.ends_on, '[]')
  union all select h.* from (${holdersSql(['review_rotation'], UNITS)}) h where t.control_status = 'Submitted'
  union all select h.* from (${holdersSql(['approve_rotation'], UNITS)}) h where t.control_status in ('Reviewed', 'Approved'))`
const NAMED = (column: string) => `(select x.${column} from emtyaz_trainings x where x.id = t.training_id)`
export const rotationControl = serveWorkflow(rotationControlFlow, rotationControlSteps, {
  table: 'emtyaz_offerings',
  scope: groupReach,
  units: () => UNITS,
  holders: HOLDERS,
  seen: ['grade_rotation', 'review_rotation', 'approve_rotation'],
  nameOf: `(select x.code || ' · ' || t.starts_on from emtyaz_trainings x where x.id = t.training_id)`,
  facts: async (_ctx, tx, ids) => {
    // Marks that are just being entered are waited for.
    await sql`select from emtyaz_rotations where offering_id = any(${[...ids]}::int[]) order by id for no key update`.execute(
      tx,
    )
    return factsOf(tx, ids)
  },
  effect: async (_ctx, tx, moved) => {
    const published = moved.filter(({ to }) => to === 'Published').map(({ id }) => id)
    const back = moved.filter(({ from }) => from === 'Published').map(({ id }) => id)
    if (published.length) {
      await sql`update emtyaz_rotations r set outcome = case when r.mark >= r.pass_mark then 'passed' else 'failed' end, version = r.version + 1
        where r.offering_id = any(${published}::int[]) and r.status = 'accepted' and r.removed_at is null and r.outcome is null and r.mark is not null`.execute(
        tx,
      )
      const { rows } = await sql<{ user_id: number; student_id: number; training: string; training_local: string }>`
        select s.user_id, s.id as student_id, x.name as training, x.name_local as training_local
        from emtyaz_rotations r join students s on s.id = r.student_id join emtyaz_trainings x on x.id = r.training_id
        where r.offering_id = any(${published}::int[]) and r.status = 'accepted' and r.removed_at is null and r.outcome in ('passed', 'failed') and s.user_id is not null`.execute(
        tx,
      )
      for (const { user_id, student_id, ...data } of rows)
        await notify(tx, [user_id], {
          key: 'internship.notice_marks',
          data,
          link: '/emtyaz/mine',
          records: [student_id],
        })
    }
    if (back.length) {
      // What makes up for a rotation stands on its having been failed.
      const { rows } = await sql<{
        name: string
        name_local: string
      }>`select s.name, s.name_local from emtyaz_rotations r join students s on s.id = r.student_id
        where r.offering_id = any(${back}::int[]) and r.removed_at is null and r.status = 'accepted' and r.outcome = 'failed'
          and exists (select from emtyaz_rotations o where o.year_id = r.year_id and o.student_id = r.student_id and o.type_id = r.type_id and o.id <> r.id
            and o.removed_at is null and o.status in ('requested', 'added', 'accepted') and o.starts_on > r.starts_on)
        order by s.code limit 1`.execute(tx)
      if (rows[0]) throw refuse(409, 'rotation_made_up', { name: rows[0].name, name_local: rows[0].name_local })
      await sql`update emtyaz_rotations set outcome = null, version = version + 1
        where offering_id = any(${back}::int[]) and outcome in ('passed', 'failed')`.execute(tx)
    }
  },
  tells: {
    users: `array(select i.user_id from emtyaz_training_instructors m join instructors i on i.id = m.instructor_id where m.training_id = t.training_id
      and i.user_id is not null and daterange(m.starts_on, m.ends_on, '[]') && daterange(t.starts_on, t.ends_on, '[]'))`,
    data: `json_build_object('training', ${NAMED('name')}, 'training_local', ${NAMED('name_local')}, 'day', t.starts_on)`,
    link: (id) => `/emtyaz/offerings/${id}`,
  },
})

const DUE = `(t.ends_on + (select y.marks_days from emtyaz_trainings x join emtyaz_years y on y.id = x.year_id where x.id = t.training_id))`
export const emtyazOfferings = workings(emtyazOffering, {
  scope: { faculty: (ctx) => groupReach(ctx).faculty, supervised: (ctx) => groupReach(ctx).supervised },
  flow: rotationControl,
  where: () => sql.raw(`exists (select from emtyaz_rotations r where ${THERE})`) as never,
  computed: {
    due_on: DUE,
    interns: `(select count(*)::int from emtyaz_rotations r where ${THERE})`,
    marked: `(select count(*)::int from emtyaz_rotations r where ${THERE} and (r.mark is not null or r.outcome = 'interrupted'))`,
  },
  search: ['(select x.search_text from emtyaz_trainings x where x.id = t.training_id)'],
})

const MAY = ['grade_rotation', 'review_rotation', 'approve_rotation'] as const
async function shown(ctx: Ctx, db: Db | Tx, id: number): Promise<RotationMarks> {
  type Found = Omit<RotationMarks, 'closed' | 'abilities' | 'refused'> & {
    held: Parameters<typeof rotationControl.open>[2]
    marks_days: number
    is_closed: boolean
    today: string
    grades: boolean
    late: boolean
  }
  const { rows } = await sql<Found>`
    select t.id, t.version, ${ref('x')} as training, ${ref('h')} as hospital, ${ref('c')} as course, ${ref('p')} as type, t.starts_on::text, t.ends_on::text,
      ${sql.raw(DUE)}::text as due_on, t.control_status, c.pass_mark::float8 as pass_mark,
      coalesce((select sum(k.max_mark) from emtyaz_criteria k where k.course_id = c.id), 0)::float8 as max_mark,
      coalesce((select json_agg(json_build_object('id', k.id, 'name', k.name, 'name_local', k.name_local, 'max_mark', k.max_mark) order by k.position)
        from emtyaz_criteria k where k.course_id = c.id), '[]') as criteria,
      coalesce((select json_agg(json_build_object('rotation_id', r.id, 'version', r.version, 'student', ${ref('s')}, 'is_makeup', r.is_makeup,
          'interrupted_on', r.interrupted_on, 'leave', ${leaveDays('r.starts_on', 'coalesce(r.interrupted_on, r.ends_on)')}, 'mark', r.mark, 'outcome', r.outcome, 'note', r.note,
          'graded_by', (select ${refOrNull('u')} from users u where u.id = r.graded_by), 'graded_at', r.graded_at,
          'marks', coalesce((select json_agg(json_build_object('criterion_id', m.criterion_id, 'points', m.points) order by m.criterion_id)
            from emtyaz_marks m where m.rotation_id = r.id), '[]')) order by s.code)
        from emtyaz_rotations r join students s on s.id = r.student_id
          join emtyaz_interns i on i.year_id = r.year_id and i.student_id = r.student_id where ${sql.raw(THERE)}), '[]') as interns,
      coalesce((select json_agg(distinct ${sql.raw(`jsonb_build_object('id', n.id, 'name', n.name, 'name_local', n.name_local, 'code', n.code)`)})
        from emtyaz_training_instructors m join instructors n on n.id = m.instructor_id
        where m.training_id = t.training_id and daterange(m.starts_on, m.ends_on, '[]') && daterange(t.starts_on, t.ends_on, '[]')), '[]') as instructors,
      ${rotationControl.column(ctx)} as held, y.marks_days, y.is_closed, university_today()::text as today,
      ${scopeCondition(ctx, 'grade_rotation', groupReach(ctx))} as grades, ${scopeCondition(ctx, 'grade_rotation_late', groupReach(ctx))} as late
    from emtyaz_offerings t join emtyaz_trainings x on x.id = t.training_id join emtyaz_years y on y.id = x.year_id
      join emtyaz_hospitals h on h.id = x.hospital_id join emtyaz_training_types p on p.id = x.type_id join emtyaz_courses c on c.id = p.course_id
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, [...MAY], groupReach(ctx))}`.execute(db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { held, marks_days, is_closed, today, grades, late, ...row } = found
  const facts = (await factsOf(db, [id])).get(id)
  const open = rotationControl.open(ctx, row.control_status as never, held, facts)
  const closed = grades
    ? checkMarking({
        today,
        ends_on: row.ends_on,
        marks_days,
        control_status: row.control_status,
        closed: is_closed,
        late,
      })
    : [{ code: 'not_allowed' }]
  return {
    ...row,
    closed: closed.map(toProblem),
    abilities: open.abilities,
    refused: open.refused,
  }
}

interface Given {
  readonly rotation_id: number
  readonly version: number
  readonly marks: readonly { readonly criterion_id: number; readonly points: number | null }[]
  readonly note?: string | null | undefined
}
/** Marks of one intern, written down. @throws {Refusal} with every reason */
async function mark(ctx: Ctx, tx: Tx, of: RotationMarks, given: Given, i: number): Promise<void> {
  const at = (field: string) => `rows.${i}.${field}`
  const row = of.interns.find((one) => one.rotation_id === given.rotation_id)
  if (!row) throw refuse(422, 'reference_missing', undefined, at('rotation_id'))
  if (row.version !== given.version)
    throw refuse(
      409,
      'rotation_marked_meanwhile',
      {
        name: row.student.name,
        name_local: row.student.name_local ?? row.student.name,
        by: row.graded_by?.name ?? '–',
      },
      at('version'),
    )
  if (row.outcome === 'interrupted')
    throw refuse(
      409,
      'rotation_interrupted_unmarked',
      { name: row.student.name, name_local: row.student.name_local ?? row.student.name },
      at('rotation_id'),
    )
  const reasons = checkMarks(of.criteria, given.marks)
  if (reasons.length)
    throw new Refusal(
      422,
      reasons.map((one) => ({ ...one, field: at(`marks.${one.field ?? ''}`) })),
    )
  await sql`delete from emtyaz_marks where rotation_id = ${row.rotation_id} and criterion_id = any(${given.marks.map((one) => one.criterion_id)}::int[])`.execute(
    tx,
  )
  const kept = given.marks.filter((one) => one.points !== null)
  await sql`insert into emtyaz_marks (rotation_id, criterion_id, points)
    select ${row.rotation_id}, x.criterion_id, x.points from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as x (criterion_id int, points numeric)`.execute(
    tx,
  )
  const points = new Map(row.marks.map((one) => [one.criterion_id, one.points]))
  for (const { criterion_id, points: given_points } of given.marks)
    if (given_points === null) points.delete(criterion_id)
    else points.set(criterion_id, given_points)
  const total = rotationMarkOf(of.criteria, points)
  await sql`update emtyaz_rotations set mark = ${total}::numeric, max_mark = ${total === null ? null : of.max_mark}::numeric,
      pass_mark = ${total === null ? null : of.pass_mark}::numeric, note = ${given.note === undefined ? row.note : given.note},
      graded_by = ${ctx.actor?.user_id ?? null}::int, graded_at = now(), version = version + 1 where id = ${row.rotation_id}`.execute(
    tx,
  )
}

export const rotationMarkHandlers: readonly Handled[] = [
  ...emtyazOfferings.handlers,
  ...rotationControl.handlers,
  handle(calls.grades, async (ctx, { params: { id } }) => ({ data: await shown(ctx, ctx.db, id) })),
  handle(calls.update, (ctx, { body: { offering_id, rows } }) =>
    ctx.write(async (tx) => {
      // Of two who mark one intern, the second reads what the first wrote.
      await sql`select from emtyaz_offerings where id = ${offering_id} for update`.execute(tx)
      await sql`select from emtyaz_rotations where offering_id = ${offering_id} order by id for update`.execute(tx)
      const of = await shown(ctx, tx, offering_id)
      const { rows: may } = await sql<{
        may: boolean
      }>`select ${scopeCondition(ctx, 'grade_rotation', groupReach(ctx))} as may
        from emtyaz_offerings t where t.id = ${offering_id}`.execute(tx)
      if (!firstRow(may).may) throw refuse(404, 'not_found')
      if (of.closed.length)
        throw new Refusal(
          409,
          of.closed.map(({ code, data }) => ({ code, ...(data && { data }) })),
        )
      if (new Set(rows.map((one) => one.rotation_id)).size < rows.length)
        throw refuse(422, 'rotation_marked_twice', undefined, 'rows')
      for (const [i, one] of rows.entries()) await mark(ctx, tx, of, one, i)
      return { data: await shown(ctx, tx, offering_id) }
    }),
  ),
]

const listed = (status: readonly string[]) =>
  `/emtyaz/offerings?filters=${encodeURIComponent(JSON.stringify({ control_status: status }))}`
/** Rotations whose marks wait for the reader: to be entered and submitted by who supervises, to be decided on by others. */
export const rotationMarkWork: readonly WorkSource[] = [
  {
    permissions: ['grade_rotation'],
    waiting: (ctx) => sql`
      select 'internship.work_mark', jsonb_build_object('count', count(*)), ${listed(['Draft'])}::text, day_begins(min(t.ends_on)), day_ends(min(${sql.raw(DUE)}))
      from emtyaz_offerings t where t.removed_at is null and t.control_status = 'Draft' and t.ends_on <= university_today()
        and exists (select from emtyaz_rotations r where ${sql.raw(MARKED)})
        and ${scopeCondition(ctx, 'grade_rotation', { supervised: groupReach(ctx).supervised })} having count(*) > 0`,
  },
  {
    permissions: ['review_rotation', 'approve_rotation'],
    waiting: (ctx) => sql`
      select 'internship.work_control', jsonb_build_object('count', count(*)), ${listed(['Submitted', 'Reviewed', 'Approved'])}::text, min(t.updated_at), null::timestamptz
      from emtyaz_offerings t where t.removed_at is null and t.control_status in ('Submitted', 'Reviewed', 'Approved') and ${rotationControl.waiting(ctx)}
      having count(*) > 0`,
  },
]
