/** Undoing an operation that touched registrations: their history is never changed, so each gets a further step. */
import { registerUndo, type UndoOfTable } from '#kit/server/unit/operations.ts'
import { sql } from 'kysely'

const putBack: UndoOfTable = async (ctx, tx, rows, write) => {
  const actor = ctx.actor?.user_id ?? null
  const impersonator = ctx.actor?.impersonator_id ?? null
  const ids = rows.map((row) => row.record_id)
  const step = sql`insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action,
      from_status, to_status, reason, offering_slot_ids)`
  const slots = sql`array(select s.offering_slot_id from registration_slots s where s.registration_id = r.id order by 1)`
  if (rows[0]?.action === 'remove') {
    // Its seats go with it, and are counted by their own triggers.
    await sql`${step} select r.id, r.student_id, r.offering_id, ${actor}::int, ${impersonator}::int, 'undo', r.status, null,
        current_setting('ems.actor')::jsonb ->> 'reason', ${slots}
      from registrations r where r.id = any(${ids}::int[])`.execute(tx)
    await write()
    return
  }
  const { rows: before } = await sql<{ id: number; status: string }>`select id, status from registrations
    where id = any(${ids}::int[])`.execute(tx)
  await write()
  await sql`${step} select r.id, r.student_id, r.offering_id, ${actor}::int, ${impersonator}::int, 'undo', b.status, r.status,
      current_setting('ems.actor')::jsonb ->> 'reason', ${slots}
    from registrations r left join jsonb_to_recordset(${JSON.stringify(before)}::jsonb) as b (id int, status bigint) on b.id = r.id
    where r.id = any(${ids}::int[]) and r.status is distinct from b.status`.execute(tx)
}
registerUndo('registrations', putBack, {
  what: ['Registration', 'تسجيل'],
  select: `select r.id, s.code, s.name, s.name_local from registrations r join students s on s.id = r.student_id where r.id = any($1::int[])`,
})
