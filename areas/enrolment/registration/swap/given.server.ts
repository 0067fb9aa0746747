/** What students offer in exchange for a seat, as it is found. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import { fromWire, mainOf } from '#areas/common/academics/status.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { byBlock } from '../block/by-block.server.ts'
import type { GivenUp } from './swap.rules.ts'

/** A registration that is offered in exchange, as it is found. */
export type GivenSeat = Omit<GivenUp, 'same_course' | 'control_status'> & {
  id: number
  student_id: number
  offering_id: number
  term_id: number
  course_id: number
  course_code: string
  status: string
  control_status: ControlStatus
  /** A registration that is given up once this request is accepted: it passes on to what this is exchanged for. */
  behind_id: number | null
  slot_ids: number[]
}

/** What is offered in exchange, by id. With `lock`, nobody changes it before the transaction ends: first the offerings, where control meets them. */
export async function givenOf(
  db: Ctx['db'] | Tx,
  ids: readonly number[],
  lock: { offerings: readonly number[] } | null = null,
): Promise<Map<number, GivenSeat>> {
  if (lock)
    await sql`select from offerings where id in (select offering_id from registrations where id = any(${[...ids]}::int[]))
      or id = any(${[...lock.offerings]}::int[]) order by id for key share`.execute(db)
  const { rows } = await sql<Omit<GivenSeat, 'main'>>`
    select r.id, r.student_id, r.offering_id, r.term_id, r.course_id, c.code as course_code, r.status::text as status, o.control_status,
      exists (select from registration_marks m where m.registration_id = r.id) as graded, ${byBlock('r')} as by_block,
      exists (select from registration_exchanges x where x.gives_up_id = r.id) as under_way,
      (select x.gives_up_id from registration_exchanges x where x.registration_id = r.id) as behind_id,
      array(select offering_slot_id from registration_slots where registration_id = r.id order by 1) as slot_ids
    from registrations r join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id
    where r.id = any(${[...ids]}::int[]) order by r.student_id, r.id ${lock ? sql`for update of r` : sql``}`.execute(db)
  return new Map(
    rows.map((row) => [row.id, { ...row, main: mainOf(fromWire(row.status)) ?? 'Dropped' } satisfies GivenSeat]),
  )
}
