/** Students in classes: registrations and their seats. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { makeRoom, wakeWaitList } from '#areas/enrolment/registration/requests/queue.server.ts'
import { flag, mainMask, seatMask, statusToWire } from '#areas/common/academics/status.rules.ts'
import { keepTable, numbers, sample } from './staging.server.ts'
import type { ImportRun } from './staging.server.ts'

const LIVE = sql.raw(`& ${seatMask} <> 0`)
const MAIN = sql.raw(String(mainMask))
const [REGISTERED, DROPPED] = [sql.raw(statusToWire(flag.Registered)), sql.raw(statusToWire(flag.Dropped))]
const [FRESH, REPEAT] = [sql.raw(statusToWire(flag.Fresh)), sql.raw(statusToWire(flag.Repeat))]

/**
 * What is to happen with each enrolment, in the table `registration_plan`: created, moved (to another class of the same
 * course), restored, the same, or left with a reason; and in `registration_gone` what earlier imports registered and the
 * bundle no longer has. A student and an offering make a registration, whatever ids the enrolments have; registrations
 * made by hand are never touched.
 */
export async function planEnrolments(run: ImportRun): Promise<void> {
  const { tx, source, counts } = run
  await keepTable(
    tx,
    'registration_have',
    sql`select r.id, min(e.external_id) as external_id, bool_and(e.removed_at is not null) as gone, r.student_id, r.offering_id,
        coalesce(m.fin_term_id, r.term_id) as term_id, coalesce(m.fin_course_id, r.course_id) as course_id, r.status,
        r.status ${LIVE} as live, o.control_status = 'Draft' as draft
      from external_ids e join registrations r on r.id = e.registration_id join offerings o on o.id = r.offering_id
        left join m_offering m on m.known = r.offering_id
      where e.source = ${source} and e.kind = 'registration'
      group by r.id, o.control_status, m.fin_term_id, m.fin_course_id`,
  )
  await sql`create index on registration_have (student_id, offering_id)`.execute(tx)
  await keepTable(
    tx,
    'registration_want',
    sql`select i.external_id, i.line, s.label || ' ' || c.label || ' ' || m.label as label, s.known as student_id, m.known as offering_id,
        m.fin_term_id as term_id, m.fin_course_id as course_id, coalesce(o.control_status, 'Draft') = 'Draft' as draft,
        s.here_removed or m.here_removed as removed
      from in_enrollments i join m_offering m on m.external_id = i.class join m_student s on s.external_id = i."user"
        join m_course c on c.known = m.course_id left join offerings o on o.id = m.known`,
  )
  await sql`create index on registration_want (student_id, offering_id)`.execute(tx)
  await keepTable(
    tx,
    'registration_plan',
    sql`select w.*, coalesce(h.id, x.id) as id, case when h.id is null then x.offering_id end as from_offering_id,
        exists (select from registration_have k where k.external_id = w.external_id) as known,
        case
          when h.id is not null and h.live then 'same'
          when w.removed then 'roster_left_removed'
          when h.id is not null and not h.gone then 'roster_left_dropped'
          when x.id is not null and own.id is null and h.id is null then 'roster_left_by_hand'
          when own.id is not null and not own.live and not own.gone then 'roster_left_dropped'
          when not w.draft or not coalesce(own.draft, true) then 'roster_left_submitted'
          when h.id is not null then 'restore'
          when own.id is not null then 'move'
          else 'create'
        end as action
      from registration_want w
      left join registration_have h on h.student_id = w.student_id and h.offering_id = w.offering_id
      left join registrations x on x.student_id = w.student_id and x.term_id = w.term_id and x.course_id = w.course_id and h.id is null
      left join registration_have own on own.id = x.id
        and not exists (select from registration_want o where o.student_id = own.student_id and o.offering_id = own.offering_id)`,
  )
  // What was registered here is neither in the bundle nor moved: it goes with an enrolment that went elsewhere, or is gone.
  await keepTable(
    tx,
    'registration_gone',
    sql`select h.*, s.code || ' ' || c.code || ' ' || o.code as label,
        case when not h.live then 'forget' when not h.draft then 'roster_left_submitted'
          when exists (select from registration_want w where w.external_id = h.external_id) then 'drop' else 'remove' end as action
      from registration_have h join students s on s.id = h.student_id join offerings o on o.id = h.offering_id join courses c on c.id = o.course_id
      where not h.gone
        and not exists (select from registration_want w where w.student_id = h.student_id and w.offering_id = h.offering_id)
        and not exists (select from registration_plan p where p.id = h.id and p.action in ('move', 'restore'))`,
  )
  const count = await numbers<{ created: number; changed: number; same: number; left: number }>(
    tx,
    sql`select count(*) filter (where action = 'create' and not known)::int as created,
        count(*) filter (where action in ('move', 'restore') or action = 'create' and known)::int as changed,
        count(*) filter (where action = 'same')::int as same,
        count(*) filter (where action like 'roster%')::int as left from registration_plan`,
  )
  const gone = await numbers<{ gone: number; left: number }>(
    tx,
    sql`select count(*) filter (where action in ('remove', 'roster_left_submitted'))::int as gone,
        count(*) filter (where action like 'roster%')::int as left from registration_gone`,
  )
  Object.assign(counts.registration, { ...count, left: count.left + gone.left, gone: gone.gone })
  const from = sql`registration_plan p left join offerings o on o.id = p.from_offering_id left join courses c on c.id = o.course_id`
  await sample(
    run,
    'registration',
    'created',
    sql`select external_id, label, line from registration_plan where action = 'create' and not known order by line`,
  )
  await sample(
    run,
    'registration',
    'changed',
    sql`select p.external_id, p.label, p.line, case p.action when 'restore' then 'status' else 'class' end as field,
        case p.action when 'restore' then 'Dropped' when 'move' then c.code || ' ' || o.code
          else (select g.label from registration_gone g where g.external_id = p.external_id limit 1) end as old,
        case p.action when 'restore' then 'Registered' else p.label end as new
      from ${from} where p.action in ('move', 'restore') or p.action = 'create' and p.known order by p.line`,
  )
  for (const [table, line] of [
    ['registration_plan', 'line'],
    ['registration_gone', 'null::int'],
  ] as const)
    await sample(
      run,
      'registration',
      'left',
      sql`select external_id, label, ${sql.raw(line)} as line, action as reason from ${sql.table(table)} where action like 'roster%'`,
    )
  await sample(
    run,
    'registration',
    'gone',
    sql`select external_id, label from registration_gone where action = 'remove' order by student_id`,
  )
}

/**
 * The seats of each class, in the table `class_seats`: of its first group one meeting of each kind, with all that are
 * attended together.
 */
export async function classSeats(tx: Tx, offerings: RawBuilder<unknown>): Promise<void> {
  await keepTable(
    tx,
    'class_seats',
    sql`with wanted as (
        select o.id as offering_id, coalesce(o.linked_offering_id, o.id) as root_id from offerings o
        where o.id in (${offerings})
      ), groups as (
        select g.offering_id, min(g.id) as id from offering_groups g
        where g.offering_id in (select root_id from wanted) and exists (select from offering_slots o where o.group_id = g.id)
        group by 1
      ), first as (
        select distinct on (g.offering_id, s.type) g.offering_id, s.group_id, s.type, s.section, s.id
        from offering_slots s join groups g on g.id = s.group_id order by g.offering_id, s.type, s.id
      )
      select w.offering_id, array_agg(s.id order by s.id) as slots
      from wanted w join first f on f.offering_id = w.root_id
        join offering_slots s on s.group_id = f.group_id and s.type = f.type and (s.id = f.id or s.section = f.section)
      group by 1`,
  )
}

/** Carries the plan out. `removals`: students whose enrolment is gone leave their classes. */
export async function storeEnrolments(
  ctx: Ctx,
  run: ImportRun,
  removals: boolean,
  progress: (percent: number) => Promise<void>,
): Promise<void> {
  const { tx, source } = run
  const reason = `OneRoster ${source}`
  const by = ctx.actor?.user_id ?? null
  await classSeats(tx, sql`select offering_id from registration_plan where action in ('create', 'move', 'restore')`)
  await keepTable(
    tx,
    'registration_leaving',
    sql`select g.id, g.external_id, g.student_id, g.offering_id, g.status as from_status, (g.status & ~${MAIN}::bigint) | ${DROPPED} as to_status,
        g.action, array(select offering_slot_id from registration_slots rs where rs.registration_id = g.id order by 1) as slots
      from registration_gone g where g.action = 'drop' or ${removals} and g.action = 'remove'`,
  )
  await sql`delete from registration_slots rs using registration_leaving l where l.id = rs.registration_id`.execute(tx)
  await sql`delete from registration_slots rs using registration_plan p where p.id = rs.registration_id and p.action = 'move'`.execute(
    tx,
  )
  await sql`update registrations r set status = l.to_status from registration_leaving l where l.id = r.id`.execute(tx)
  await sql`update external_ids e set removed_at = now() from registration_leaving l
    where e.registration_id = l.id and e.source = ${source}`.execute(tx)
  // Its enrolment goes to another registration; this one stays known, for the way back.
  await sql`insert into external_ids (source, kind, external_id, registration_id, removed_at)
    select ${source}, 'registration', external_id || '#' || id, id, now() from registration_leaving where action = 'drop'
    on conflict (source, kind, external_id) do update set removed_at = now()`.execute(tx)
  await sql`delete from external_ids e using registration_gone g
    where g.action = 'forget' and e.registration_id = g.id and e.source = ${source}`.execute(tx)
  await sql`insert into registration_history (registration_id, student_id, offering_id, actor_id, action, from_status, to_status, reason, offering_slot_ids)
    select id, student_id, offering_id, ${by}::int, 'import', from_status, to_status, ${reason}, slots from registration_leaving`.execute(
    tx,
  )

  // Who comes: whoever the other system enrolled has a place here.
  await keepTable(
    tx,
    'registration_coming',
    sql`select p.action, p.external_id, p.student_id, p.offering_id, p.term_id, p.course_id, c.credit_hours, cs.slots, r.status as from_status,
        coalesce(p.id, nextval(pg_get_serial_sequence('registrations', 'id'))::int) as id,
        case when r.id is null then ${REGISTERED}::bigint | case when exists (select from registrations b
            where b.student_id = p.student_id and b.course_id = p.course_id and b.letter is not null) then ${REPEAT}::bigint else ${FRESH} end
          when r.status ${LIVE} then r.status
          else (r.status & ~${MAIN}::bigint) | ${REGISTERED} end as to_status
      from registration_plan p join courses c on c.id = p.course_id left join registrations r on r.id = p.id
        left join class_seats cs on cs.offering_id = p.offering_id
      where p.action in ('create', 'move', 'restore') order by p.line`,
  )
  const wanted = await sql<{ slot: number; seats: number }>`
    select slot, count(*)::int as seats from registration_coming, unnest(slots) slot group by 1 order by 1`.execute(tx)
  if (wanted.rows.length) await makeRoom(tx, new Map(wanted.rows.map(({ slot, seats }) => [slot, seats])))
  await progress(60)
  await sql`delete from registration_marks rm using registration_coming c where rm.registration_id = c.id and c.action = 'move'`.execute(
    tx,
  )
  await sql`update registrations r set offering_id = c.offering_id, term_id = c.term_id, course_id = c.course_id, credit_hours = c.credit_hours,
      status = c.to_status, total = null, letter = null, points = null, passed = null, counts_in_gpa = null, counts_in_attempted_hours = null
    from registration_coming c where c.id = r.id and c.action <> 'create'`.execute(tx)
  await sql`insert into registrations (id, student_id, offering_id, term_id, course_id, status, credit_hours) overriding system value
    select id, student_id, offering_id, term_id, course_id, to_status, credit_hours from registration_coming where action = 'create' order by id`.execute(
    tx,
  )
  await progress(75)
  await sql`insert into registration_slots (registration_id, offering_slot_id)
    select id, slot from registration_coming, unnest(slots) slot order by id`.execute(tx)
  await progress(83)
  await sql`insert into registration_history (registration_id, student_id, offering_id, actor_id, action, from_status, to_status, reason, offering_slot_ids)
    select id, student_id, offering_id, ${by}::int, 'import', from_status, to_status, ${reason}, slots from registration_coming order by id`.execute(
    tx,
  )
  await progress(92)
  // An enrolment that now means another registration lets go of the one before, and a registration has one identity.
  await sql`delete from external_ids e using registration_coming c
    where c.action <> 'create' and e.registration_id = c.id and e.source = ${source} and e.external_id <> c.external_id`.execute(
    tx,
  )
  await sql`insert into external_ids (source, kind, external_id, registration_id)
    select ${source}, 'registration', c.external_id, c.id from registration_coming c
    on conflict (source, kind, external_id) do update set registration_id = excluded.registration_id, removed_at = null`.execute(
    tx,
  )
  const freed = await sql<{ offering_id: number }>`select offering_id from registration_leaving
    union select from_offering_id from registration_plan where action = 'move'`.execute(tx)
  if (freed.rows.length)
    await wakeWaitList(
      ctx,
      tx,
      freed.rows.map((row) => row.offering_id),
    )
  run.counts.registration.removed = (
    await numbers<{ n: number }>(tx, sql`select count(*)::int as n from registration_leaving where action = 'remove'`)
  ).n
}
