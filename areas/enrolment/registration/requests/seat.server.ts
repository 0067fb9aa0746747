/** Writing registrations: rows, seats and history in one statement, so that a request is one round trip. */
import type pg from 'pg'
import { CompiledQuery } from 'kysely'
import { query, type Tx } from '#db/connect.ts'
import type { Who } from '#kit/server/base/context.ts'

/** A registration to be made. */
export type NewRegistration = {
  offering_id: number
  term_id: number
  course_id: number
  /** Credit hours. */
  credit_hours: number
  status: string
  /** The dropped registration in the same course and term that this one takes up again. */
  dropped: { id: number; status: string } | null
  slots: { id: number; over: boolean }[]
  action: string
  reason: string | null
  overrides: { code: string; reason: string; data?: unknown }[] | null
}

/** Registrations of one student, all or none, and the turn at which they were judged. */
export type Request = {
  student_id: number
  /** The account: records of one person are not seated in one statement, which judges neither by the other. */
  person_id: number | null
  turn: number
  /** Who acts, as the audit trail keeps it. */
  actor: Who
  registrations: NewRegistration[]
}

export type MadeRegistration = { id: number; student_id: number; offering_id: number; status: string }

// `$1` who acts for each student (the trigger of the audit trail on registrations knows this shape), `$2` registrations
// with the turn of their student. Students whose turn has moved on are left out. Seats are counted by the triggers of
// registration_slots at the end of the statement, which fails as a whole when one is lost. Slots are locked before
// anything refers to them: a row that many share and one changes costs ten times as much.
const statement = (made: string) => `
with who as materialized (select set_config('ems.actor', $1, true) as actor),
given as materialized (
  select a.* from jsonb_to_recordset($2::jsonb) as a (student_id int, turn int, offering_id int, term_id int, course_id int,
    credit_hours numeric, status bigint, dropped_id int, from_status bigint, slot_ids int[], overs boolean[], action text,
    reason text, overrides jsonb, actor_id int, impersonator_id int)
),
turns as (
  update registration_turns t set turn = t.turn + 1
  from (select distinct student_id, turn from given) q
  where t.student_id = q.student_id and t.turn = q.turn and (select actor from who) is not null
  returning t.student_id
),
asked as materialized (select * from given where student_id in (select student_id from turns)),
held as materialized (
  select id from offering_slots where id in (select unnest(slot_ids) from asked) order by id for no key update
),
${made},
seats as (
  insert into registration_slots (registration_id, offering_slot_id, over)
  select m.id, s.slot_id, s.over from made m cross join lateral unnest(m.slot_ids, m.overs) as s (slot_id, over)
),
history as (
  insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action,
    from_status, to_status, reason, overrides, offering_slot_ids)
  select id, student_id, offering_id, actor_id, impersonator_id, action, from_status, status, reason, overrides, slot_ids
  from made
)
select id, student_id, offering_id, status::text from made`

const FRESH = statement(`
fresh as (
  insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
  select student_id, offering_id, term_id, course_id, status, credit_hours from asked
  where (select count(*) from held) >= 0
  returning id, student_id, offering_id
),
made as (select m.id, a.* from fresh m join asked a using (student_id, offering_id))`)

const WITH_DROPPED = statement(`
revived as (
  update registrations r set offering_id = a.offering_id, status = a.status, credit_hours = a.credit_hours,
    total = null, letter = null, points = null, passed = null, counts_in_gpa = null,
    counts_in_attempted_hours = null
  from asked a where r.id = a.dropped_id and r.status = a.from_status and (select count(*) from held) >= 0
  returning r.id, r.student_id, r.offering_id
),
fresh as (
  insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
  select student_id, offering_id, term_id, course_id, status, credit_hours from asked
  where dropped_id is null and (select count(*) from held) >= 0
  returning id, student_id, offering_id
),
made as (
  select m.id, a.* from (select * from fresh union all select * from revived) m join asked a using (student_id, offering_id)
)`)

/**
 * Makes registrations of different students, each all or none; the answers stand in the order asked. Empty where the
 * student's turn has moved on: that request is to be judged again. Throws what the database refuses, and then nothing
 * is written: `registration_slots_seat_free` and `offering_slots_seats` when a seat is lost.
 */
export async function seat(
  client: pg.Pool | pg.PoolClient | Tx,
  requests: readonly Request[],
): Promise<MadeRegistration[][]> {
  const revives = requests.some((request) => request.registrations.some((registration) => registration.dropped))
  // A changed row is audited by the kit's trigger, which knows one actor only.
  const who =
    requests.length === 1
      ? requests[0]?.actor
      : { by: Object.fromEntries(requests.map((request) => [request.student_id, request.actor])) }
  const asked = requests.flatMap(({ student_id, turn, actor, registrations }) =>
    registrations.map(({ dropped, slots, ...row }) => ({
      ...row,
      student_id,
      turn,
      dropped_id: dropped?.id ?? null,
      from_status: dropped?.status ?? null,
      slot_ids: slots.map((slot) => slot.id),
      overs: slots.map((slot) => slot.over),
      actor_id: actor.actor_id,
      impersonator_id: actor.impersonator_id,
    })),
  )
  const values = [JSON.stringify(who), JSON.stringify(asked)]
  const rows =
    'executeQuery' in client
      ? (await client.executeQuery<MadeRegistration>(CompiledQuery.raw(revives ? WITH_DROPPED : FRESH, values))).rows
      : revives
        ? await query<MadeRegistration>(client, 'registration_seat_again', WITH_DROPPED, values)
        : await query<MadeRegistration>(client, 'registration_seat', FRESH, values)
  const byStudent = Map.groupBy(rows, (row) => row.student_id)
  return requests.map((request) => byStudent.get(request.student_id) ?? [])
}
