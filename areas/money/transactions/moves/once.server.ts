/** What one press of a button does is done once: sent again, it is answered as it was. */
import type { Tx } from '#db/connect.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'

/**
 * Does something for a payer, who is held already: of two with the same key the second gets the answer of the first.
 *
 * @param key of one press; without one it is done
 * @param asked what is asked for: the same key for something else is refused
 * @throws {Refusal} 409 `payment_key_used`
 */
export async function once<T>(
  tx: Tx,
  key: string | undefined,
  payer_id: number,
  asked: Readonly<Record<string, unknown>>,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work()
  const { rows } = await sql<{
    payer_id: number
    same: boolean
    answer: T
  }>`select payer_id, asked = ${JSON.stringify(asked)}::jsonb as same, answer
    from repeat_keys where key = ${key}::uuid`.execute(tx)
  const [before] = rows
  if (before) {
    if (before.payer_id !== payer_id || !before.same) throw refuse(409, 'payment_key_used')
    return before.answer
  }
  const answer = await work()
  await sql`insert into repeat_keys (key, payer_id, asked, answer)
    values (${key}::uuid, ${payer_id}, ${JSON.stringify(asked)}::jsonb, ${JSON.stringify(answer)}::jsonb)`.execute(tx)
  return answer
}
