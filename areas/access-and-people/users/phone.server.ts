import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { personProblems } from '#areas/people/person.rules.ts'
import { dayOf } from '#kit/contract/day.ts'
import { Refusal } from '#kit/server/errors.ts'

/**
 * The telephone of an account is that of its records, so it is written as those ask: a mobile of an Egyptian student has 11 digits.
 *
 * @throws {Refusal} 422 with every reason
 */
export async function refusePhone(tx: Tx, user_id: number, phone: string | null): Promise<void> {
  const { rows } = await sql<{ nationality_id: number | null; phone: string | null }>`
    select s.nationality_id, u.phone from students s join users u on u.id = s.user_id
    where s.user_id = ${user_id} and s.removed_at is null limit 1`.execute(tx)
  const [record] = rows
  if (!record) return
  const reasons = personProblems({ ...record, phone }, record, dayOf())
  if (reasons.length) throw new Refusal(422, reasons)
}
