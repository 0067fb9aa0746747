/** Exams as students, instructors, halls and offerings have them. */
import type { AnswerOf, Ref } from '#kit/contract/index.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refPairs } from '#kit/server/base/sql.ts'
import { examReach, sitting } from '../exams/exam.server.ts'
import { dayWarnings, releasedWarnings } from './clash.rules.ts'
import { busyMeetingsAt } from './facts.server.ts'
import { scheduleCalls, type ListType, type ListedExam } from './lists.contract.ts'
import { INVIGILATOR_ROLES } from './schedule.contract.ts'
import { scheduleReach, schedules } from './schedule.server.ts'

/** Placed schedules `t` of exams `e`, in the order of time. */
async function listed(
  ctx: Ctx,
  where: RawBuilder<unknown>,
  /** When it ends for the person whose list it is: later for who has more time, or looks after a hall in which somebody has. */
  ends: RawBuilder<unknown> = sql`null::timestamp`,
): Promise<ListedExam[]> {
  const { rows } = await sql<ListedExam>`
    select t.id, json_build_object(${sql.raw(refPairs('e'))}, 'kind', e.kind, 'status', e.status) as exam,
      json_build_object('id', o.id, 'name', c.name, 'name_local', c.name_local, 'code', c.code || ' (' || o.code || ')') as offering,
      t.on_date, to_char(lower(t.during), 'HH24:MI') as starts, to_char(coalesce(${ends}, upper(t.during)), 'HH24:MI') as ends,
      ${sql.raw(sitting('t'))} as students, t.open_book, t.calculator, t.instructions,
      coalesce((select json_agg(json_build_object(${sql.raw(refPairs('l'))}, 'seats', x.seats) order by l.code)
        from exam_schedule_locations x join locations l on l.id = x.location_id where x.exam_schedule_id = t.id), '[]') as halls,
      (select json_build_object('location_id', z.location_id, 'number', z.seat) from exam_seats z
        join registrations r on r.id = z.registration_id
        where z.exam_schedule_id = t.id and r.student_id = ${ctx.actor?.student_id ?? null}) as seat,
      (select json_build_object('location_id', v.location_id, 'role', v.role) from exam_schedule_instructors v
        where v.exam_schedule_id = t.id and v.instructor_id = ${ctx.actor?.instructor_id ?? null}) as duty
    from exam_schedules t join exams e on e.id = t.exam_id join offerings o on o.id = t.offering_id join courses c on c.id = o.course_id
    where t.removed_at is null and t.during is not null and ${where} order by lower(t.during), c.code, t.id limit 2000`.execute(
    ctx.db,
  )
  return rows
}
/** Within reach of who plans; others see what is published. */
const within = (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'access_examSchedule', scheduleReach())
const of: Record<ListType, (id: number) => RawBuilder<unknown>> = {
  student: (id) =>
    sql`exists (select from registrations r where r.offering_id = t.offering_id and r.student_id = ${id} and sits_exam(r.status))`,
  instructor: (id) =>
    sql`exists (select from exam_schedule_instructors i where i.exam_schedule_id = t.id and i.instructor_id = ${id})`,
  location: (id) =>
    sql`exists (select from exam_schedule_locations l where l.exam_schedule_id = t.id and l.location_id = ${id})`,
  offering: (id) => sql`t.offering_id = ${id}`,
}
const ofExam = (exam_id: number | undefined) => (exam_id === undefined ? sql`true` : sql`t.exam_id = ${exam_id}`)
const published = sql`e.status = 'published'`

/** Until when somebody invigilates. */
const dutyEnds = (id: number) =>
  sql`(select max(upper(v.during)) from exam_schedule_instructors v where v.exam_schedule_id = t.id and v.instructor_id = ${id})`

/** Whose list it may be: one's own as far as it is published, or what one plans. */
function listOf(ctx: Ctx, type: ListType, id: number): Promise<ListedExam[]> {
  const own =
    (type === 'student' && ctx.actor?.student_id === id) || (type === 'instructor' && ctx.actor?.instructor_id === id)
  if (own)
    return listed(
      ctx,
      sql`${of[type](id)} and ${published}`,
      type === 'student' ? sql`exam_end(t.id, ${id})` : dutyEnds(id),
    )
  if (!ctx.can('access_examSchedule')) throw refuse(404, 'not_found')
  return listed(ctx, sql`${of[type](id)} and ${within(ctx)}`)
}

async function lookupsOf(ctx: Ctx, exam_id: number | undefined) {
  if (exam_id !== undefined) {
    const { rows } = await sql`select from exams t where t.id = ${exam_id} and t.removed_at is null
      and (t.faculty_id is null or ${scopeCondition(ctx, 'access_examSchedule', examReach())})`.execute(ctx.db)
    if (!rows.length) throw refuse(404, 'not_found')
  }
  const { rows } = await sql<Omit<AnswerOf<typeof scheduleCalls.lookups>['data'], 'roles'>>`
    select coalesce((select json_agg(${ref('e')} order by e.code) from exams e where e.removed_at is null
        and (e.faculty_id is null or ${scopeCondition(ctx, 'access_examSchedule', { faculty: sql`e.faculty_id` })})), '[]') as exams,
      coalesce((select json_agg(${ref('s')} order by s.start_time) from exam_slots s where s.removed_at is null
        and ${exam_id === undefined ? sql`true` : sql`s.id in (select exam_slot_id from exam_times where exam_id = ${exam_id})`}), '[]') as exam_slots,
      coalesce((select json_agg(${ref('l')} order by l.code) from locations l where l.removed_at is null
        and ${exam_id === undefined ? sql`true` : sql`l.id in (select location_id from exam_halls where exam_id = ${exam_id})`}), '[]') as locations`.execute(
    ctx.db,
  )
  const roles = INVIGILATOR_ROLES.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] }))
  return { data: { ...firstRow(rows), roles } }
}

const invigilatorsOf = async (tx: Tx, schedule: number) =>
  (
    await sql<{ id: number; name: string; name_local: string }>`select distinct i.id, i.name, i.name_local
      from exam_schedule_instructors v join instructors i on i.id = v.instructor_id where v.exam_schedule_id = ${schedule} order by i.name`.execute(
      tx,
    )
  ).rows

export const examListHandlers: readonly Handled[] = [
  handle(scheduleCalls.ofExam, async (ctx, { params: { id } }) => ({
    data: await listed(ctx, sql`t.exam_id = ${id} and ${within(ctx)}`),
  })),
  handle(scheduleCalls.ownInstructor, async (ctx, { body }) => ({
    data: await listed(
      ctx,
      sql`${of.instructor(ctx.actor?.instructor_id ?? 0)} and ${published} and ${ofExam(body.exam_id)}`,
      dutyEnds(ctx.actor?.instructor_id ?? 0),
    ),
  })),
  handle(scheduleCalls.ofInstructor, async (ctx, { params: { id }, body }) => ({
    data: await listed(ctx, sql`${of.instructor(id)} and ${within(ctx)} and ${ofExam(body.exam_id)}`, dutyEnds(id)),
  })),
  handle(scheduleCalls.locations, async (ctx, { body }) => ({
    data: await listed(ctx, sql`${within(ctx)} and ${ofExam(body.exam_id)}`),
  })),
  handle(scheduleCalls.ofLocation, async (ctx, { params: { id }, body }) => ({
    data: await listed(ctx, sql`${of.location(id)} and ${within(ctx)} and ${ofExam(body.exam_id)}`),
  })),
  handle(scheduleCalls.lookups, (ctx) => lookupsOf(ctx, undefined)),
  handle(scheduleCalls.lookupsOf, (ctx, { params: { id } }) => lookupsOf(ctx, id)),
  handle(scheduleCalls.ofType, async (ctx, { params: { id, type } }) => ({ data: await listOf(ctx, type, id) })),
  handle(scheduleCalls.put, (ctx, { body: { id, ...input } }) =>
    ctx.write(async (tx) => {
      if (!ctx.can(id === undefined ? 'add_examSchedule' : 'edit_examSchedule')) throw refuse(403, 'not_allowed')
      const before = id === undefined ? [] : await invigilatorsOf(tx, id)
      const saved = id ?? (await schedules.insert(ctx, tx, input))
      if (id !== undefined) await schedules.update(ctx, tx, id, input)
      const now = new Set((await invigilatorsOf(tx, saved)).map((one) => one.id))
      const released = input.instructors ? [] : before.filter((one) => !now.has(one.id))
      const row = await schedules.get(ctx, tx, saved, 'public')
      const { on_date, exam_slot, duration, offering } = row as unknown as {
        on_date: string | null
        exam_slot: { id: number } | null
        duration: number | null
        offering: { id: number }
      }
      const meetings =
        on_date && exam_slot
          ? await busyMeetingsAt(ctx, tx, offering.id, { on_date, exam_slot_id: exam_slot.id, duration }, [saved])
          : []
      return {
        data: row,
        warnings: [...dayWarnings(meetings), ...releasedWarnings(released)].map((one) => {
          const { field: _field, ...told } = toProblem(one)
          return told
        }),
      }
    }),
  ),
  handle(scheduleCalls.availableLocations, async (ctx, { body }) => {
    const { rows } = await sql<{
      id: number
      name: string
      name_local: string
      code: string
      seats: number
      taken: number
      free: number
    }>`
      select l.id, l.name, l.name_local, l.code, x.seats, x.taken, greatest(x.seats - x.taken, 0) as free
      from exam_halls h join exams e on e.id = h.exam_id and e.removed_at is null join locations l on l.id = h.location_id
        cross join lateral (select least(h.seats, case when l.location_type = 'online' then h.seats else l.capacity end)::int as seats,
          coalesce((select sum(s.seats)::int from exam_schedule_locations s where s.location_id = l.id
            and s.during && exam_time(${body.on_date}::date, ${body.exam_slot_id}::int, null)
            and s.exam_schedule_id <> ${body.exam_schedule_id ?? 0}), 0) as taken) x
      where h.exam_id = ${body.exam_id} and (e.faculty_id is null or ${scopeCondition(ctx, 'access_examSchedule', { faculty: sql`e.faculty_id` })})
        and not exists (select from exam_closures k where k.exam_id = e.id and (k.on_date is null or k.on_date = ${body.on_date}::date) and k.location_id = l.id
          and (k.exam_slot_id is null or k.exam_slot_id = ${body.exam_slot_id}))
        and not exists (select from exam_schedule_locations b cross join (select exam_time(${body.on_date}::date, ${body.exam_slot_id}::int, null) as held) w
          where b.location_id = l.id and b.exam_schedule_id <> ${body.exam_schedule_id ?? 0} and b.during && w.held
            and (b.own_room or lower(w.held) >= upper(b.during) - make_interval(mins => b.extra) and b.extra > 0))
        and (l.location_type = 'online' or l.id not in (
          select m.location_id from meetings_at(exam_time(${body.on_date}::date, ${body.exam_slot_id}::int, null)) m where m.location_id is not null))
      order by free desc, l.code`.execute(ctx.db)
    return { data: rows }
  }),
  handle(scheduleCalls.specifications, (ctx, { params: { id }, body }) =>
    ctx.write(async (tx) => {
      await schedules.update(ctx, tx, id, body)
      return { data: await schedules.get(ctx, tx, id, 'public') }
    }),
  ),
  handle(scheduleCalls.students, async (ctx, { params: { id } }) => {
    await schedules.get(ctx, ctx.db, id, 'access_examSchedule')
    const { rows } = await sql<{ registration_id: number; student: Ref; same_day: number; clashes: number }>`
      select r.id as registration_id, ${ref('n')} as student,
        (select count(*)::int from registrations q join exam_schedules s on s.offering_id = q.offering_id and s.removed_at is null
          and s.on_date = x.on_date and s.id <> x.id where q.student_id = r.student_id and q.term_id = r.term_id and sits_exam(q.status)) as same_day,
        (select count(*)::int from exam_clashes k where k.exam_schedule_id = x.id and k.student_id = r.student_id) as clashes
      from exam_schedules x join registrations r on r.offering_id = x.offering_id and sits_exam(r.status)
        join lateral (select t.* from students t where t.id = r.student_id
          and ${scopeCondition(ctx, ['access_students', 'show_students'], studentReach(ctx))}) n on true
      where x.id = ${id} order by n.code`.execute(ctx.db)
    return { data: rows }
  }),
]
