/** Seats of exams: proposed by the rule, kept beside what stands, and taken in one transaction. */
import type { AnswerOf } from '#kit/contract/index.ts'
import { createHash } from 'node:crypto'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx } from '#kit/server/base/context.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob, type Progress } from '#kit/server/jobs/jobs.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql, type RawBuilder } from 'kysely'
import { inExam, partOfExam, wholeExam } from '../reach.server.ts'
import { seatCalls, type ExamSeats, type ExamSeat, type HallSitting } from './seats.contract.ts'
import { acrossOf, samePairs, seatPlaceOf } from './places.rules.ts'
import { seatExam, type HallSeating, type SeatingInput } from './seating.rules.ts'

/** Students of more than this are seated by a job. */
const AT_ONCE = 2000

/** What is looked at to seat an exam; the students of `only_missing` are those without a seat. */
export async function gatherSeats(db: Db | Tx, exam_id: number, only_missing: boolean): Promise<SeatingInput> {
  const { rows } = await sql<SeatingInput>`
    with h as materialized (
      select l.exam_schedule_id, l.exam_id, l.location_id, l.seats, l.during, l.extra, l.own_room, l.helper,
        case when p.location_type = 'online' then 10000 else p.capacity end as places,
        -- Those for who comes late are handed out to nobody else.
        x.seats - case when ${only_missing} then 0 else exam_reserve(x.seats, e.reserve_percent, e.reserve_seats) end as most
      from exam_schedule_locations l join locations p on p.id = l.location_id
        join exam_halls x on x.exam_id = l.exam_id and x.location_id = l.location_id
        join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null join exams e on e.id = l.exam_id
      where l.exam_id = ${exam_id}
    )
    select
      coalesce((select json_agg(json_build_object('schedule', h.exam_schedule_id, 'location', h.location_id, 'seats', h.seats,
          'places', h.places, 'from', lower(h.during), 'to', upper(h.during), 'extra', h.extra, 'own_room', h.own_room, 'helper', h.helper,
          'room', case when h.own_room then 0 else greatest(0, least(
            h.places - (select sum(b.seats) from exam_schedule_locations b where b.location_id = h.location_id and b.during && h.during),
            h.most - (select sum(b.seats) from h b where b.location_id = h.location_id and b.during && h.during))) end)
        order by h.exam_schedule_id, h.location_id) from h), '[]') as halls,
      coalesce((select json_agg(json_build_object('schedule', z.exam_schedule_id, 'location', z.location_id, 'registration', z.registration_id,
          'seat', z.seat, 'from', lower(z.during), 'to', upper(z.during)) order by z.location_id, z.seat, z.id)
        from exam_seats z join exam_schedules s on s.id = z.exam_schedule_id
        where (${only_missing} or s.exam_id <> ${exam_id})
          -- Found by halls and the time from the first to the last of them: of all seats there ever were, few are read.
          and z.location_id = any(array(select location_id from h))
          and z.during && (select tsrange(min(lower(during)), max(upper(during))) from h)
          and exists (select from h where h.location_id = z.location_id and h.during && z.during)), '[]') as taken,
      coalesce((select json_agg(json_build_array(s.id, r.id) order by s.id, r.id)
        from exam_schedules s join registrations r on r.offering_id = s.offering_id and sits_exam(r.status)
        where s.exam_id = ${exam_id} and s.removed_at is null and s.during is not null
          and not (${only_missing} and exists (select from exam_seats z where z.exam_schedule_id = s.id and z.registration_id = r.id))),
        '[]') as students,
      coalesce((select json_agg(json_build_object('schedule', x.exam_schedule_id, 'registration', x.registration_id, 'minutes', x.minutes,
          'own_room', x.own_room, 'helper', x.helper) order by x.exam_schedule_id, x.registration_id)
        from exam_accommodated x where x.exam_id = ${exam_id} and x.during is not null), '[]') as needs`.execute(db)
  return firstRow(rows)
}
const printOf = (input: SeatingInput): string => createHash('sha256').update(JSON.stringify(input)).digest('hex')

/** Seats of students who do not sit the exam any more are free again. */
const letLeaversGo = (tx: Tx, exam_id: number) =>
  sql`delete from exam_seats z using exam_schedules s, registrations r
    where s.id = z.exam_schedule_id and s.exam_id = ${exam_id} and r.id = z.registration_id and not sits_exam(r.status)`.execute(
    tx,
  )

/** Locks the exam, within reach. @throws {Refusal} 404 */
async function lockExam(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql`select from exams e where e.id = ${id} and e.removed_at is null
    and ${scopeCondition(ctx, 'assign_examSeat', wholeExam())} for no key update`.execute(tx)
  if (!rows.length) throw refuse(404, 'not_found')
}

interface Asked {
  readonly exam_id: number
  readonly only_missing: boolean
  readonly seed: number
}
/** Makes a proposal; an earlier one that nobody took is discarded. */
const propose = (ctx: Ctx, { exam_id, only_missing, seed }: Asked, progress?: Progress): Promise<void> =>
  ctx.write(async (tx) => {
    await lockExam(ctx, tx, exam_id)
    await letLeaversGo(tx, exam_id)
    const input = await gatherSeats(tx, exam_id, only_missing)
    if (!input.students.length) throw refuse(409, only_missing ? 'seats_none_missing' : 'seats_nobody')
    await progress?.(20)
    const { seats, unseated } = seatExam(input, seed)
    await progress?.(60)
    await sql`update exam_seatings set state = 'discarded', plan = null where exam_id = ${exam_id} and state = 'proposed'`.execute(
      tx,
    )
    await sql`insert into exam_seatings (exam_id, seed, only_missing, print, plan, seated, unseated, made_by)
      values (${exam_id}, ${seed}, ${only_missing}, ${printOf(input)}, ${JSON.stringify(seats)}::jsonb, ${seats.length},
        ${JSON.stringify(unseated)}::jsonb, ${ctx.actor?.user_id ?? null})`.execute(tx)
  })

interface Proposal {
  readonly id: number
  readonly exam_id: number
  readonly only_missing: boolean
  readonly seed: number
  readonly print: string
  readonly seated: number
}
async function proposalOf(ctx: Ctx, db: Db | Tx, id: number): Promise<Proposal> {
  const { rows } = await sql<
    Proposal & { state: string }
  >`select t.id, t.exam_id, t.only_missing, t.seed, t.print, t.seated, t.state
    from exam_seatings t join exams e on e.id = t.exam_id and e.removed_at is null
    where t.id = ${id} and ${scopeCondition(ctx, 'assign_examSeat', wholeExam())}`.execute(db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  if (found.state !== 'proposed') throw refuse(409, 'seating_over')
  return found
}

/** Writes seats; the time of each is that of its hall. */
export async function putSeats(tx: Tx, seats: HallSeating['seats']): Promise<void> {
  const column = (i: 0 | 1 | 2 | 3) => seats.map((one) => one[i])
  await sql`insert into exam_seats (exam_schedule_id, location_id, registration_id, seat, during)
    select x.s, x.l, x.r, x.n, h.during from unnest(${column(0)}::int[], ${column(1)}::int[], ${column(2)}::int[],
        ${column(3)}::int[]) as x (s, l, r, n)
      join exam_schedule_locations h on h.exam_schedule_id = x.s and h.location_id = x.l`.execute(tx)
}

/** Takes a proposal, when students, halls and times are still those that it was made of. */
const take = (ctx: Ctx, id: number, progress?: Progress): Promise<number> =>
  ctx.write(async (tx) => {
    const { exam_id } = await proposalOf(ctx, tx, id)
    await lockExam(ctx, tx, exam_id)
    const found = await proposalOf(ctx, tx, id)
    await letLeaversGo(tx, exam_id)
    const input = await gatherSeats(tx, exam_id, found.only_missing)
    if (printOf(input) !== found.print) throw refuse(409, 'seating_stale')
    await progress?.(20)
    // What the same seed gives is what was proposed.
    const { seats, grown } = seatExam(input, found.seed)
    if (!found.only_missing)
      await sql`delete from exam_seats where exam_schedule_id in (select id from exam_schedules where exam_id = ${exam_id})`.execute(
        tx,
      )
    for (const [schedule, location, count] of grown)
      await sql`update exam_schedule_locations set seats = ${count}
        where exam_schedule_id = ${schedule} and location_id = ${location}`.execute(tx)
    await progress?.(30)
    await putSeats(tx, seats)
    await progress?.(90)
    await sql`update exam_seatings set state = 'taken', plan = null, taken_by = ${ctx.actor?.user_id ?? null}, taken_at = now(),
      halls = coalesce((select jsonb_agg(distinct jsonb_build_array(z.exam_schedule_id, z.location_id)) from exam_seats z
        join exam_schedules s on s.id = z.exam_schedule_id where s.exam_id = ${exam_id}), '[]') where id = ${id}`.execute(
      tx,
    )
    return exam_id
  })

/** Proposes or takes seats of many students, with the rights of the person who asked. */
export const seatsJob = defineJob<{ asked: Asked } | { take: number }, { exam_id: number }>({
  name: 'exam-seats',
  retries: 2,
  async run(ctx, payload, progress) {
    if ('take' in payload) return { exam_id: await take(ctx, payload.take, progress) }
    await propose(ctx, payload.asked, progress)
    return { exam_id: payload.asked.exam_id }
  },
})

/** Lists `x` of a schedule `s` that somebody could still go by: of a time that is to come, as it was or as it is. */
const STILL_TO_COME = sql`greatest(upper(x.held), upper(s.during)) > now() at time zone university_zone()`

/** Counts of an exam `e`: who sits, who of them has a seat. */
const COUNTS = sql`
  (select count(*)::int from exam_schedules s join registrations r on r.offering_id = s.offering_id and sits_exam(r.status)
    where s.exam_id = e.id and s.removed_at is null and s.during is not null) as students,
  (select count(*)::int from exam_seats z join exam_schedules s on s.id = z.exam_schedule_id
    join registrations r on r.id = z.registration_id and sits_exam(r.status) where s.exam_id = e.id) as seated`

async function examSeats(ctx: Ctx, db: Db | Tx, id: number): Promise<ExamSeats> {
  const { rows } = await sql<Omit<ExamSeats, 'missing'>>`
    select ${ref('e')} as exam, ${ref('t')} as term, ${COUNTS},
      (select count(distinct r.student_id)::int from exam_schedules s join registrations r on r.offering_id = s.offering_id and sits_exam(r.status)
        where s.exam_id = e.id and s.removed_at is null and s.during is not null) as people,
      (select count(distinct r.student_id)::int from exam_seats z join exam_schedules s on s.id = z.exam_schedule_id and s.exam_id = e.id
          join registrations r on r.id = z.registration_id and sits_exam(r.status) join locations p on p.id = z.location_id
          join building_distances w on w.removed_at is null and p.building_id in (w.building_id, w.other_building_id)
          join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and sits_exam(q.status)
          join exam_seats y on y.registration_id = q.id join locations g on g.id = y.location_id and g.building_id <> p.building_id
            and g.building_id in (w.building_id, w.other_building_id)
          join exam_schedules o on o.id = y.exam_schedule_id and o.on_date = s.on_date and lower(o.during) > lower(s.during)
        where lower(o.during) < exam_end(s.id, r.student_id) + make_interval(mins => w.minutes)) as hurried,
      coalesce((select json_agg(json_build_object('course', ${ref('c')}, 'hall', ${ref('p')}, 'date', s.on_date) order by s.on_date, p.code)
        from (select distinct on (g.exam_id) g.halls from exam_seatings g where g.exam_id = e.id and g.state = 'taken'
            order by g.exam_id, g.id desc) g,
          jsonb_array_elements(g.halls) as h (pair) join exam_schedules s on s.id = (h.pair->>0)::int and s.removed_at is null
          join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id join locations p on p.id = (h.pair->>1)::int
        where s.on_date is not null and not exists (select from exam_schedule_locations l
          where l.exam_schedule_id = s.id and l.location_id = p.id)), '[]') as lost,
      coalesce((select json_agg(json_build_object('course', ${ref('c')}, 'hall', ${ref('p')}, 'date', s.on_date, 'meeting', k.code || ' (' || m.code || ')')
          order by s.on_date, p.code)
        from exams_beside_meetings(array[e.id]) b join exam_schedules s on s.id = b.exam_schedule_id join offerings o on o.id = s.offering_id
          join courses c on c.id = o.course_id join locations p on p.id = b.about join offering_slots w on w.id = b.meeting_id
          join offerings m on m.id = w.offering_id join courses k on k.id = m.course_id where b.what = 'hall'), '[]') as taught,
      coalesce((select json_agg(json_build_object('course', ${ref('c')}, 'hall', ${ref('p')}, 'kind', x.kind, 'printed_at', x.printed_at)
          order by x.printed_at, p.code, c.code, x.kind)
        from exam_prints_outdated x join exam_schedules s on s.id = x.exam_schedule_id join offerings o on o.id = s.offering_id
          join courses c on c.id = o.course_id join locations p on p.id = x.location_id
        where s.exam_id = e.id and ${STILL_TO_COME}), '[]') as outdated,
      (select json_build_object('id', g.id, 'seated', g.seated, 'only_missing', g.only_missing, 'made_at', g.made_at,
          'unseated', coalesce((select json_agg(json_build_object('course', ${ref('c')}, 'count', (x.pair->>1)::int) order by c.code)
            from jsonb_array_elements(g.unseated) as x (pair) join exam_schedules s on s.id = (x.pair->>0)::int
              join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id), '[]'))
        from exam_seatings g where g.exam_id = e.id and g.state = 'proposed' order by g.id desc limit 1) as proposal
    from exams e join terms t on t.id = e.term_id where e.id = ${id} and e.removed_at is null
      and ${scopeCondition(ctx, ['access_examSeat', 'assign_examSeat'], { ...partOfExam(ctx) })}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { ...rows[0], missing: rows[0].students - rows[0].seated }
}

/**
 * Seats as they stand, or as they would if what is proposed were taken: to who may take it. As the rows `shown`.
 * @param exam of which proposals are looked at; null: of all that wait
 * @param where of seats, by the name under which they are read: few are, whatever else there is
 */
const shown = (ctx: Ctx, exam: number | null, where: (of: RawBuilder<unknown>) => RawBuilder<unknown>) => {
  const takes = ctx.can('assign_examSeat') ? sql`g.state = 'proposed'` : sql`false`
  return sql`shown as materialized (
      select a.exam_schedule_id, a.location_id, a.seat, a.registration_id, a.during, false as proposed from exam_seats a
        where ${where(sql.ref('a'))} and not exists (select from exam_schedules s join exam_seatings g on g.exam_id = s.exam_id
          where s.id = a.exam_schedule_id and not g.only_missing and ${takes})
      union all
      select h.exam_schedule_id, h.location_id, (p.x ->> 3)::int, (p.x ->> 2)::int, h.during, true from exam_seatings g
        cross join lateral jsonb_array_elements(g.plan) as p (x)
        join exam_schedule_locations h on h.exam_schedule_id = (p.x ->> 0)::int and h.location_id = (p.x ->> 1)::int
        where ${takes} and (${exam}::int is null or g.exam_id = ${exam}) and ${where(sql.ref('h'))})`
}

const SITTING = sql`json_agg(distinct c.code order by c.code) as courses,
  json_agg(distinct jsonb_build_object('code', c.code, 'name', c.name, 'name_local', c.name_local)) as named, min(l.id)::int as id, sum(l.seats)::int as seats,
  sum((select count(*) from exam_seats z join registrations r on r.id = z.registration_id and sits_exam(r.status)
    where z.exam_schedule_id = l.exam_schedule_id and z.location_id = l.location_id))::int as seated,
  sum((select count(*) from shown z where z.proposed and z.exam_schedule_id = l.exam_schedule_id and z.location_id = l.location_id))::int as proposed,
  array(select k from unnest(array['door', 'plan', 'sheet']) k where not exists (select from unnest(array_agg(l.id)) h
    join exam_schedule_locations y on y.id = h
    where exists (select from exam_seats z where z.exam_schedule_id = y.exam_schedule_id and z.location_id = y.location_id)
      and not exists (select from exam_prints x where x.exam_schedule_id = y.exam_schedule_id and x.location_id = y.location_id and x.kind = k
        and x.print = exam_list_print(y.exam_schedule_id, y.location_id)))) as printed`
/** What was granted to students is known to the exam office alone. */
const knows = (ctx: Ctx): boolean => ctx.can('access_examAccommodation')
/** Nobody else sees the rooms in which one sits alone. */
const ROOMS = (ctx: Ctx) => (knows(ctx) ? sql`true` : sql`not l.own_room`)
/** When exams are held in halls `l`; that one is held longer is known to the exam office alone. */
const when = (
  ctx: Ctx,
) => sql`to_char(lower(l.during), 'YYYY-MM-DD') as date, to_char(lower(l.during), 'HH24:MI') as "from",
  to_char(upper(l.during) - make_interval(mins => ${knows(ctx) ? sql`0` : sql`max(l.extra)::int`}), 'HH24:MI') as "to"`

/** Seats of a hall `p` of the exam of halls `l` that nobody sits on, and how many are kept for who comes late. A room for one has none. */
const RESERVE = sql`case when bool_or(l.own_room) or p.location_type = 'online' then null else json_build_object(
  'wanted', (select exam_reserve(h.seats, e.reserve_percent, e.reserve_seats) from exam_halls h join exams e on e.id = h.exam_id
    where h.exam_id = min(l.exam_id) and h.location_id = p.id),
  'free', greatest(0, (select h.seats from exam_halls h where h.exam_id = min(l.exam_id) and h.location_id = p.id) - sum((select count(*) from shown z
    where z.exam_schedule_id = l.exam_schedule_id and z.location_id = l.location_id)))::int) end`
/** Seats of a hall `p`; where exams are sat at home, as many as are planned. */
const PLACES = sql`case when p.location_type = 'online' then greatest(sum(l.seats), 1)::int else p.capacity end`
/** Seats of halls `l`, with the schedule of who sits there. */
const TAKEN = sql`coalesce((select json_agg(json_build_array(z.seat, z.exam_schedule_id)) from shown z
  join registrations r on r.id = z.registration_id and sits_exam(r.status)
  where z.location_id = p.id and z.exam_schedule_id = any(array_agg(l.exam_schedule_id))), '[]')`

/** Halls and times of an exam, of the offerings that are reached. */
async function sittings(ctx: Ctx, id: number): Promise<HallSitting[]> {
  const { rows } = await sql<
    Omit<HallSitting, 'same'> & { places: number; taken: [number, number][] }
  >`with ${shown(ctx, id, (of) => sql`${of}.exam_schedule_id in (select s.id from exam_schedules s where s.exam_id = ${id})`)}
    select ${ref('p')} as hall, ${when(ctx)}, ${SITTING}, ${PLACES} as places, ${TAKEN} as taken, ${RESERVE} as reserve,
      ${knows(ctx) ? sql`bool_or(l.own_room)` : sql`false`} as alone, ${knows(ctx) ? sql`max(l.extra)::int` : sql`0`} as extra
    from exam_schedule_locations l join locations p on p.id = l.location_id
      join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
      join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
    where l.exam_id = ${id} and ${scopeCondition(ctx, 'access_examSeat', inExam(ctx))} and ${ROOMS(ctx)}
    group by p.id, l.during order by l.during, p.code`.execute(ctx.db)
  return rows.map(({ places, taken, ...row }) => ({ ...row, same: samePairs(taken, places) }))
}

/** Who sits where in a hall at a time: also those of other exams there. */
async function planOf(ctx: Ctx, id: number) {
  const { rows } = await sql<
    Omit<HallSitting, 'id' | 'same' | 'reserve' | 'alone' | 'extra'> & {
      places: number
      taken: [number, number][]
      rows: Omit<ExamSeat, 'row' | 'at'>[]
    }
  >`
    with mine as (select l.location_id, l.during, l.extra from exam_schedule_locations l join exam_schedules s on s.id = l.exam_schedule_id
      join offerings o on o.id = s.offering_id
      where l.id = ${id} and s.removed_at is null and ${ROOMS(ctx)} and ${scopeCondition(ctx, 'access_examSeat', inExam(ctx))}),
    ${shown(ctx, null, (of) => sql`${of}.location_id = (select location_id from mine) and ${of}.during && (select during from mine)`)}
    select ${ref('p')} as hall, to_char(lower(m.during), 'YYYY-MM-DD') as date, to_char(lower(m.during), 'HH24:MI') as "from",
      to_char(upper(m.during) - make_interval(mins => ${knows(ctx) ? sql`0` : sql`m.extra::int`}), 'HH24:MI') as "to", x.courses, x.named, x.seats, x.seated, x.proposed, x.printed,
      case when p.location_type = 'online' then greatest(x.seats, 1) else p.capacity end as places,
      coalesce((select json_agg(json_build_array(z.seat, z.exam_schedule_id)) from shown z
        join registrations r on r.id = z.registration_id and sits_exam(r.status)
        where z.location_id = m.location_id and z.during && m.during), '[]') as taken,
      coalesce((select json_agg(json_build_object('seat', z.seat, 'course', c.code, 'student',
          case when ${scopeCondition(ctx, 'access_examSeat', inExam(ctx))} then ${ref('u')} end) order by z.seat)
        from shown z join exam_schedules s on s.id = z.exam_schedule_id join offerings o on o.id = s.offering_id
          join courses c on c.id = o.course_id join registrations r on r.id = z.registration_id and sits_exam(r.status)
          join students u on u.id = r.student_id
        where z.location_id = m.location_id and z.during && m.during), '[]') as rows
    from mine m join locations p on p.id = m.location_id
      cross join lateral (select ${SITTING} from exam_schedule_locations l join exam_schedules s on s.id = l.exam_schedule_id
        join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        where l.location_id = m.location_id and l.during && m.during) x`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const { taken, ...found } = rows[0]
  return {
    ...found,
    id,
    same: samePairs(taken, found.places),
    across: acrossOf(found.places),
    rows: found.rows.map((one) => ({ ...one, ...seatPlaceOf(one.seat, found.places) })),
  }
}

/** By a job where there are many. */
async function doOrSend(
  ctx: Ctx,
  exam_id: number,
  count: number,
  payload: { asked: Asked } | { take: number },
  now: () => Promise<unknown>,
) {
  if (count <= AT_ONCE) {
    await now()
    return { job_id: null, data: await examSeats(ctx, ctx.db, exam_id) }
  }
  const job_id = await ctx.write((tx) =>
    ctx.services.jobs.send(tx, seatsJob, payload, { actor: ctx.actor, lang: ctx.lang }),
  )
  return { job_id, data: await examSeats(ctx, ctx.db, exam_id) }
}
const MOST_SEED = 2_147_483_647

export const seatHandlers = [
  handle(seatCalls.lookups, (ctx, { query: { most } }) =>
    cutRows<AnswerOf<typeof seatCalls.lookups>['data'][number]>(
      ctx.db,
      sql`select e.id, e.code, e.name, e.name_local, ${ref('t')} as term, ${COUNTS}
      from exams e join terms t on t.id = e.term_id where e.removed_at is null
        and ${scopeCondition(ctx, 'access_examSeat', partOfExam(ctx))} order by t.start_date desc, e.code`,
      most,
    ),
  ),
  handle(seatCalls.show, async (ctx, { params: { id } }) => {
    const data = await examSeats(ctx, ctx.db, id)
    const { rows } = await sql<{ may: boolean }>`select ${scopeCondition(ctx, 'assign_examSeat', wholeExam())} as may
      from exams e where e.id = ${id}`.execute(ctx.db)
    const abilities: ('assign' | 'print')[] = [...(rows[0]?.may ? (['assign'] as const) : []), 'print']
    return { data, sittings: await sittings(ctx, id), abilities }
  }),
  handle(seatCalls.plan, async (ctx, { params }) => ({ data: await planOf(ctx, params.id) })),
  handle(seatCalls.assign, async (ctx, { params: { id }, body }) => {
    const { rows } = await sql<{ students: number; may: boolean }>`select ${COUNTS},
      ${scopeCondition(ctx, 'assign_examSeat', wholeExam())} as may from exams e where e.id = ${id} and e.removed_at is null`.execute(
      ctx.db,
    )
    if (!rows[0]?.may) throw refuse(404, 'not_found')
    const asked = { exam_id: id, only_missing: body.only_missing, seed: body.seed ?? (Date.now() % MOST_SEED) + 1 }
    return doOrSend(ctx, id, rows[0].students, { asked }, () => propose(ctx, asked))
  }),
  handle(seatCalls.take, async (ctx, { params: { id } }) => {
    const { exam_id, seated } = await proposalOf(ctx, ctx.db, id)
    return doOrSend(ctx, exam_id, seated, { take: id }, () => take(ctx, id))
  }),
  handle(seatCalls.discard, async (ctx, { params: { id } }) => {
    const { exam_id } = await proposalOf(ctx, ctx.db, id)
    await ctx.write(async (tx) => {
      await lockExam(ctx, tx, exam_id)
      await proposalOf(ctx, tx, id)
      await sql`update exam_seatings set state = 'discarded', plan = null where id = ${id}`.execute(tx)
    })
    return { job_id: null, data: await examSeats(ctx, ctx.db, exam_id) }
  }),
]

/** Students without a seat in exams that others have seats in: who registered late, or whose hall was lost. */
export const seatWork: WorkSource = {
  permissions: ['assign_examSeat'],
  waiting: (ctx) => sql`
    select 'exam-days.work_seats', jsonb_build_object('count', count(*)), '/exams_seats', min(r.created_at), min(lower(s.during)) at time zone university_zone()
    from exams e join exam_schedules s on s.exam_id = e.id and s.removed_at is null and lower(s.during) > now() at time zone university_zone()
      join registrations r on r.offering_id = s.offering_id and sits_exam(r.status)
    where e.removed_at is null and exists (select from exam_seatings g where g.exam_id = e.id and g.state = 'taken')
      and not exists (select from exam_seats z where z.exam_schedule_id = s.id and z.registration_id = r.id)
      and ${scopeCondition(ctx, 'assign_examSeat', wholeExam())} having count(*) > 0`,
}

/** Lists that were printed, and that nobody should go by any more. */
export const listWork: WorkSource = {
  permissions: ['assign_examSeat'],
  waiting: (ctx) => sql`
    select 'exam-days.work_lists', jsonb_build_object('count', count(*)), '/exams_seats?exam_id=' || min(e.id), min(x.printed_at),
      min(lower(s.during)) at time zone university_zone()
    from exam_prints_outdated x join exam_schedules s on s.id = x.exam_schedule_id join exams e on e.id = s.exam_id and e.removed_at is null
    where ${STILL_TO_COME} and ${scopeCondition(ctx, 'assign_examSeat', wholeExam())} having count(*) > 0`,
}
