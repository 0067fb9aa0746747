/** For whom a certificate waits, since when and until when. The waits themselves are kept by the database (`keep_certificate_turn`). */
import type { Db } from '#db/connect.ts'
import { sql } from 'kysely'
import { ASKED_FROM } from '../requests/chain.server.ts'
import type { CertificateTurn } from './turn.contract.ts'

/** SQL of the day until which the certificate `t` should have moved on; null: it waits for nobody, or without end. */
export const DUE = `(select g.due_on from certificate_turns g where g.certificate_id = t.id and g.done_at is null)`

/** Where a certificate stands; null: it waits for nobody. Whom the office told is for staff. */
export async function turnOf(db: Db, id: number, staff: boolean): Promise<CertificateTurn | null> {
  const { rows } = await sql<CertificateTurn>`
    select g.kind, g.position_id, g.since, g.due_on, greatest(coalesce(university_today() - g.due_on, 0), 0) as late,
      case when ${staff} then g.reminded_on end as reminded_on, case when ${staff} then g.told_on end as told_on,
      ${staff} and g.kind = 'sign' and signing_holder(g.position_id, ${sql.raw(ASKED_FROM)}) is null as vacant
    from certificate_turns g join certificates t on t.id = g.certificate_id
    where g.certificate_id = ${id} and g.done_at is null`.execute(db)
  return rows[0] ?? null
}
