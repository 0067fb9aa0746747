/** Keys of open questionnaires: for whom envelopes are sealed. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sealOf, type Seal } from '#kit/server/identity/sealed.ts'
import { sql } from 'kysely'
import { newBallotKeys } from './envelope.server.ts'

/** Purpose of the seal under which private keys of questionnaires are kept. */
export const BALLOT_KEYS = 'questionnaire ballots'
/** About which questionnaire a private key was sealed. */
export const ballotKeyOf = (id: number): string => `questionnaire ${id}`

/**
 * The public key of a questionnaire that is open; made where there is none yet. Whichever process is first, there is one.
 *
 * @throws {Refusal} 409 where the installation has no key of its own: the private key would be as open as the database
 */
export async function ballotKeyFor(ctx: Ctx, tx: Tx, id: number): Promise<Buffer> {
  const { rows } = await sql<{
    public_key: Buffer
  }>`select public_key from questionnaire_keys where questionnaire_id = ${id}`.execute(tx)
  if (rows[0]) return rows[0].public_key
  if (ctx.services.config.secretsKey === null) throw refuse(409, 'questionnaire_no_key')
  const { publicKey, privateKey } = newBallotKeys()
  const seal = await sealOf(ctx.services, BALLOT_KEYS)
  const { rows: made } = await sql<{
    public_key: Buffer
  }>`insert into questionnaire_keys (questionnaire_id, public_key, private_key)
    values (${id}, ${publicKey}, ${seal.seal(privateKey, ballotKeyOf(id))})
    on conflict (questionnaire_id) do update set public_key = questionnaire_keys.public_key returning public_key`.execute(
    tx,
  )
  return firstRow(made).public_key
}

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
