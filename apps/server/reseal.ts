import type pg from 'pg'
import { signingFindingText } from '#areas/records/grading/signing/finding.rules.ts'
import { SEAL, endsOtherwise, sealEnd } from '#areas/records/grading/signing/sign.server.ts'
import { verifyGrades } from '#areas/records/grading/signing/verify.server.ts'
import { BALLOT_KEYS, resealBallotKeys } from '#areas/quality/questionnaires/counting/keys.server.ts'
import { REFUSALS, keyRefusals } from '#areas/quality/questionnaires/inviting/refusal.server.ts'
import { FACTORS, resealFactors } from '#areas/people/access-and-people/second-factor/factors.server.ts'
import type { Db } from '#db/connect.ts'
import { ConfigError } from '#kit/server/base/config.ts'
import type { Config } from '#kit/server/base/config.ts'
import { PAPER_KEYS, resealPaperKeys } from '#kit/server/papers/signing/key.ts'
import { sealOf, sealWith } from '#kit/server/identity/sealed.ts'

export interface Resealed {
  /** Keys of authenticator apps. */
  readonly factors: number
  /** Keys that sign papers. */
  readonly papers: number
  /** Keys of open questionnaires. */
  readonly ballots: number
  /** Addresses that want no mails of questionnaires. */
  readonly refusals: number
  /** Whether the chain of grade sheets was given an end of the present key. */
  readonly chain: boolean
}

/**
 * Brings what is sealed from the key before (`SECRETS_KEY_BEFORE`) to that of now. Doing it again changes nothing.
 *
 * @throws {ConfigError} when the grade sheets are not as they were signed with the key before: what somebody changed is not
 * to be sealed as right
 */
export async function reseal(
  { db, pool }: { readonly db: Db; readonly pool: pg.Pool },
  config: Config,
): Promise<Resealed> {
  if (config.secretsKeyBefore === null)
    throw new ConfigError('SECRETS_KEY_BEFORE is needed: the key before, or "none" where there was none')
  const seal = await sealOf({ pool, config }, SEAL)
  if (await endsOtherwise(db, seal)) {
    const before = await sealWith({ pool }, config.secretsKeyBefore, SEAL)
    const { findings, count } = await verifyGrades(db, { seal: before })
    if (count)
      throw new ConfigError(
        `Grade sheets are not as they were signed with the key before, so nothing was sealed anew:\n  ${findings.map(signingFindingText).join('\n  ')}`,
      )
  }
  const who = { cause: 'begin', actor_id: null, impersonator_id: null, reason: 'SECRETS_KEY was changed' }
  const chain = await db.transaction().execute((tx) => sealEnd(tx, { ...who, seal }))
  return {
    factors: await resealFactors(db, await sealOf({ pool, config }, FACTORS)),
    papers: await resealPaperKeys(db, await sealOf({ pool, config }, PAPER_KEYS)),
    ballots: await resealBallotKeys(db, await sealOf({ pool, config }, BALLOT_KEYS)),
    refusals: await keyRefusals(db, await sealOf({ pool, config }, REFUSALS), true),
    chain,
  }
}
