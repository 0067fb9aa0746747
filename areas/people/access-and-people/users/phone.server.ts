import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { isWrongPhone } from '#areas/common/academics/telephone.rules.ts'
import { refuse } from '#kit/server/base/errors.ts'

/**
 * The telephone of an account is that of its records, so it is written as those ask: a mobile of an Egyptian student has 11 digits.
 *
 * @throws {Refusal} 422 `mobile_11_digits`
 */
export async function refusePhone(tx: Tx, user_id: number, phone: string | null): Promise<void> {
  const { rows } = await sql<{ nationality_id: number | null; phone: string | null }>`
    select s.nationality_id, u.phone from students s join users u on u.id = s.user_id
    where s.user_id = ${user_id} and s.removed_at is null`.execute(tx)
  // What is as it was is not judged: it may be older than the rule.
  if (rows.some((record) => record.phone !== phone && isWrongPhone(record.nationality_id, phone)))
    throw refuse(422, 'mobile_11_digits', {}, 'phone')
}
