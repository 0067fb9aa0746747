/** Private keys of open questionnaires, when the key of the installation is changed. */
import type { Db } from '#db/connect.ts'
import type { Seal } from '#kit/server/identity/sealed.ts'
import { sql } from 'kysely'

/** Purpose of the seal under which private keys of questionnaires are kept. */
export const BALLOT_KEYS = 'questionnaire ballots'
/** About which questionnaire a private key was sealed. */
export const ballotKeyOf = (id: number): string => `questionnaire ${id}`

/** Seals private keys anew that were sealed with the key before. @returns how many */
export async function resealBallotKeys(db: Db, seal: Seal): Promise<number> {
  const { rows } = await sql<{ id: number; private_key: Buffer }>`
    select questionnaire_id as id, private_key from questionnaire_keys`.execute(db)
  let count = 0
  for (const { id, private_key } of rows) {
    const about = ballotKeyOf(id)
    if (!seal.isOfBefore(private_key, about)) continue
    await sql`update questionnaire_keys set private_key = ${seal.seal(seal.open(private_key, about), about)}
      where questionnaire_id = ${id} and private_key = ${private_key}`.execute(db)
    count++
  }
  return count
}
