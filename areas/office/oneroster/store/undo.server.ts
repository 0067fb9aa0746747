/** Taking an import back: what follows from the rows that were put back. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { registerOperation } from '#kit/server/unit/operations.ts'
// Registrations that are put back get a step in their history.
import '#areas/enrolment/registration/changes/undo.server.ts'
import { makeRoom, wakeWaitList } from '#areas/enrolment/registration/requests/queue.server.ts'
import { seatMask } from '#areas/common/academics/status.rules.ts'
import { classSeats } from './enrolments.server.ts'
import { keepTable } from './staging.server.ts'

const LIVE = sql.raw(`& ${seatMask} <> 0`)
/** Name of the operation. */
export const IMPORT = 'import/university'

/** Tables whose rows carry what was imported, with their keys in `external_ids`. */
const RECORDS = [
  ['faculties', 'faculty_id'],
  ['departments', 'department_id'],
  ['years', 'year_id'],
  ['terms', 'term_id'],
  ['courses', 'course_id'],
  ['offerings', 'offering_id'],
  ['users', 'user_id'],
  ['students', 'student_id'],
  ['instructors', 'instructor_id'],
] as const

/** Added records that their history holds: they are put away as if removed, once nothing alive needs them. */
const PUT_AWAY = [
  ['offerings', 'offering_id', sql`exists (select from registrations r where r.offering_id = t.id)`],
  ['courses', 'course_id', sql`exists (select from offerings o where o.course_id = t.id and o.removed_at is null)`],
  ['students', 'student_id', sql`exists (select from registrations r where r.student_id = t.id)`],
  [
    'instructors',
    'instructor_id',
    sql`exists (select from offering_instructors o where o.instructor_id = t.id) or exists (select from students s where s.advisor_id = t.id)`,
  ],
  [
    'users',
    'user_id',
    sql`exists (select from students s where s.user_id = t.id and s.removed_at is null)
      or exists (select from instructors i where i.user_id = t.id and i.removed_at is null)`,
  ],
] as const

/** What stands here again is what was imported before: the next import compares with it. */
async function rememberAgain(tx: Tx): Promise<void> {
  for (const [table, key] of RECORDS)
    await sql`update external_ids e set
        removed_at = case when u.put ? 'removed_at' then t.removed_at else e.removed_at end,
        imported = e.imported || coalesce((select jsonb_object_agg(f, to_jsonb(t) -> f)
          from jsonb_object_keys(u.put) f where e.imported ? f), '{}')
      from undo_rows u join ${sql.table(table)} t on t.id = u.record_id
      where u.table_name = ${table} and u.action = 'change' and u.state = 'done' and e.${sql.ref(key)} = t.id`.execute(
      tx,
    )
  await sql`update external_ids e set removed_at = case when r.status ${LIVE} then null else e.removed_at end
    from undo_rows u join registrations r on r.id = u.record_id
    where u.table_name = 'registrations' and u.state = 'done' and e.registration_id = r.id`.execute(tx)
}

/** Registrations that were put back have the seats of their state and of their class, and no others. */
async function seatAgain(ctx: Ctx, tx: Tx): Promise<void> {
  await keepTable(
    tx,
    'put_back',
    sql`select r.id, r.offering_id, r.status ${LIVE} as live, coalesce(o.linked_offering_id, o.id) as root_id
      from undo_rows u join registrations r on r.id = u.record_id join offerings o on o.id = r.offering_id
      where u.table_name = 'registrations' and u.action = 'change' and u.state = 'done'`,
  )
  await sql`delete from registration_slots rs using put_back p, offering_slots s
    where rs.registration_id = p.id and s.id = rs.offering_slot_id and (not p.live or s.offering_id <> p.root_id)`.execute(
    tx,
  )
  await classSeats(tx, sql`select offering_id from put_back where live`)
  await keepTable(
    tx,
    'seats_again',
    sql`select p.id, slot from put_back p join class_seats c on c.offering_id = p.offering_id, unnest(c.slots) slot
      where p.live and not exists (select from registration_slots rs where rs.registration_id = p.id)`,
  )
  const { rows } = await sql<{ slot: number; seats: number }>`
    select slot, count(*)::int as seats from seats_again group by 1 order by 1`.execute(tx)
  if (rows.length) await makeRoom(tx, new Map(rows.map(({ slot, seats }) => [slot, seats])))
  await sql`insert into registration_slots (registration_id, offering_slot_id) select id, slot from seats_again order by id`.execute(
    tx,
  )
  const freed = await sql<{ id: number }>`select distinct h.offering_id as id from registration_history h
    join undo_rows u on u.record_id = h.registration_id where u.table_name = 'registrations' and u.state = 'done'`.execute(
    tx,
  )
  if (freed.rows.length)
    await wakeWaitList(
      ctx,
      tx,
      freed.rows.map(({ id }) => id),
    )
}

/** Added people, courses and classes of which a history is kept cannot be deleted: they are removed instead. */
async function putAway(tx: Tx): Promise<void> {
  for (const [table, key, needed] of PUT_AWAY)
    await sql`with away as (
        update ${sql.table(table)} t set removed_at = now() from undo_rows u
        where u.table_name = ${table} and u.record_id = t.id and u.action = 'remove' and u.state = 'kept' and t.removed_at is null
          and not exists (select from undo_kept k where k.n = u.n) and not (${needed})
        returning t.id)
      update external_ids e set removed_at = now() from away where e.${sql.ref(key)} = away.id`.execute(tx)
}

registerOperation({
  kind: IMPORT,
  label: ['Import of a university', 'استيراد جامعة'],
  permission: 'import_oneroster',
  after: async (ctx, tx) => {
    await rememberAgain(tx)
    await seatAgain(ctx, tx)
    await putAway(tx)
  },
})
