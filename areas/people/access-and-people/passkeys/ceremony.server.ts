/** What a device is asked and what it answers (WebAuthn), by `@simplewebauthn/server`. */
import { hash, randomBytes } from 'node:crypto'
import { query } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { bindBrowser, browserIn } from '../sign-in/browser.server.ts'
import type { UserRow } from '../sign-in/people.server.ts'
import type { Asked, Assertion, Attestation, PasskeyOffer } from './passkey.contract.ts'
import { judgeAnswer } from './passkey.rules.ts'

// Thirty megabytes, which no process holds before somebody has a passkey.
const webauthn = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** For what a device is asked. An answer to one is none to another. */
export type Purpose = 'sign_in' | 'second' | 'prove' | 'add'
/** Minutes that somebody may take. */
const MINUTES = 5
/** The kinds of keys that are taken: Ed25519, ECDSA with P-256, RSA. */
const ALGORITHMS = [-8, -7, -257]

/** The site that keys are made for: the address that people know, whatever a request says. */
const siteOf = ({ services: { config } }: Ctx) => {
  const { origin, hostname } = new URL(config.publicUrl)
  return { origin, id: hostname }
}

/** Which person a device keeps a key for, without telling who it is. */
export async function handleOf(ctx: Ctx, userId: number): Promise<Buffer> {
  return (await sealOf(ctx.services, 'passkeys')).digest(`person ${userId}`)
}

/** A challenge that is good once, for minutes, in this browser. */
async function challengeFor(ctx: Ctx, purpose: Purpose, userId: number | null): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32))
  await bindBrowser(ctx, 'passkey', async (browser) => {
    const { rows } = await ctx.pool.query<{ expires_at: string }>(
      `insert into passkey_challenges (challenge_hash, browser_hash, purpose, user_id, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(mins => $5)) returning expires_at`,
      [hashToken(Buffer.from(challenge).toString('base64url')), browser, purpose, userId, MINUTES],
    )
    return new Date(firstRow(rows).expires_at)
  })
  return challenge
}

/** Uses a challenge up, whatever comes of it. False: it was not given out for this, or is over. */
async function useUp(ctx: Ctx, challenge: string, purpose: Purpose, userId: number | null): Promise<boolean> {
  const { rows } = await ctx.pool.query<{ ours: boolean }>(
    `delete from passkey_challenges where challenge_hash = $1 and expires_at > now()
     returning browser_hash = $2 is true and purpose = $3 and user_id is not distinct from $4 as ours`,
    [hashToken(challenge), browserIn(ctx, 'passkey'), purpose, userId],
  )
  return rows[0]?.ours ?? false
}

const knownOf = async (ctx: Ctx, userId: number) =>
  (
    await query<{ id: Buffer; transports: string[] }>(
      ctx.pool,
      'passkeys_known',
      'select credential_id as id, transports from passkeys where user_id = $1 order by id',
      [userId],
    )
  ).map(({ id, transports }) => ({ id: id.toString('base64url'), type: 'public-key' as const, transports }))

/**
 * What a browser is to ask a device to sign. `userId` null: whichever passkey of this site the person chooses.
 *
 * @throws {Refusal} 409 `passkey_none`
 */
export async function ask(ctx: Ctx, purpose: Exclude<Purpose, 'add'>, userId: number | null): Promise<Asked> {
  const known = userId === null ? undefined : await knownOf(ctx, userId)
  if (known?.length === 0) throw refuse(409, 'passkey_none')
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: siteOf(ctx).id,
    challenge: await challengeFor(ctx, purpose, userId),
    timeout: MINUTES * 60_000,
    userVerification: 'required',
    ...(known && { allowCredentials: known }),
  })
  return { data: options as Asked['data'] }
}

/** What a browser is to ask a device to make. */
export async function offerPasskey(ctx: Ctx, row: UserRow): Promise<PasskeyOffer> {
  const { name } = await universityHead(ctx)
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: name,
    rpID: siteOf(ctx).id,
    userID: new Uint8Array(await handleOf(ctx, row.id)),
    userName: row.email ?? String(row.id),
    userDisplayName: row.language === 'ar' ? row.name_local : row.name,
    challenge: await challengeFor(ctx, 'add', row.id),
    timeout: MINUTES * 60_000,
    attestationType: 'none',
    excludeCredentials: await knownOf(ctx, row.id),
    // Found by the device itself, and given only to who unlocks it.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { data: options as unknown as PasskeyOffer['data'] }
}

/** What can be read of an answer. @throws {Refusal} 403 `passkey_wrong` */
function read<T>(ctx: Ctx, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw damaged(ctx, error)
  }
}
function damaged(ctx: Ctx, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  ctx.http?.request.log.info({ err: error }, 'the answer of a device cannot be trusted')
  return refuse(403, 'passkey_wrong')
}
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'))

/** Refuses what was not asked for here, was made for another site, or was given without unlocking the device. */
async function demandOurs(
  ctx: Ctx,
  response: { clientDataJSON: string },
  data: Uint8Array<ArrayBuffer>,
  [purpose, userId]: [Purpose, number | null],
): Promise<string> {
  const { decodeClientDataJSON, parseAuthenticatorData } = await helpers()
  const { challenge, origin, crossOrigin } = read(ctx, () => {
    const found = decodeClientDataJSON(response.clientDataJSON)
    if (typeof found.challenge !== 'string' || typeof found.origin !== 'string') throw new Error('no client data')
    return found
  })
  const { rpIdHash, flags } = read(ctx, () => parseAuthenticatorData(data))
  const site = siteOf(ctx)
  const reasons = judgeAnswer(
    {
      ours: await useUp(ctx, challenge, purpose, userId),
      origin,
      framed: crossOrigin === true,
      ownKey: hash('sha256', site.id, 'buffer').equals(rpIdHash),
      verified: flags.up && flags.uv,
    },
    site.origin,
  )
  if (reasons.length) throw new Refusal(403, reasons)
  return challenge
}

interface Kept {
  id: number
  user_id: number
  public_key: Buffer
  counter: string
}
/**
 * Whose passkey has signed what was asked. Of several processes that are given one answer, one takes it; each refusal is
 * written down.
 *
 * @param userId who it has to be; null: whoever it is
 * @throws {Refusal} 403 with every reason
 */
export async function provedBy(
  ctx: Ctx,
  answer: Assertion,
  purpose: Exclude<Purpose, 'add'>,
  userId: number | null,
): Promise<number> {
  const [kept] = await query<Kept & { [key: string]: unknown }>(
    ctx.pool,
    'passkey_find',
    'select id, user_id, public_key, counter from passkeys where credential_id = $1',
    [Buffer.from(answer.id, 'base64url')],
  )
  return orTell(ctx, purpose === 'prove' ? 'proof_failed' : 'sign_in_failed', userId ?? kept?.user_id, async () => {
    const data = bytesOf(answer.response.authenticatorData)
    const challenge = await demandOurs(ctx, answer.response, data, [purpose, userId])
    if (!kept) throw refuse(403, 'passkey_unknown')
    // A device that chose the key itself says whose it is; one that was told which keys are asked for may leave it out.
    const handle = answer.response.userHandle
    const own = handle ? (await handleOf(ctx, kept.user_id)).toString('base64url') === handle : userId !== null
    if (!own || (userId !== null && kept.user_id !== userId)) throw refuse(403, 'passkey_other')
    const site = siteOf(ctx)
    const { verifyAuthenticationResponse } = await webauthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response: { ...answer.response, userHandle: handle ?? undefined } } as never,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // The count is judged below, in the statement that keeps it.
      credential: { id: answer.id, publicKey: new Uint8Array(kept.public_key), counter: 0 },
      requireUserVerification: true,
    }).catch((error: unknown) => {
      throw damaged(ctx, error)
    })
    if (!verified) throw refuse(403, 'passkey_wrong')
    const { rowCount } = await ctx.pool.query(
      `update passkeys set counter = $2, synced = $3, last_used_at = now()
       where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
      [kept.id, authenticationInfo.newCounter, authenticationInfo.credentialBackedUp],
    )
    if (rowCount !== 1) throw refuse(403, 'passkey_counter')
    return kept.user_id
  })
}

/** A key that a device has made for a person, checked. @throws {Refusal} 403 with every reason */
export async function madeBy(ctx: Ctx, answer: Attestation, userId: number) {
  return orTell(ctx, 'proof_failed', userId, async () => {
    const { decodeAttestationObject } = await helpers()
    // What a device would never write is anything: a number, a list, a text.
    const data = read(ctx, () => {
      const found = decodeAttestationObject(bytesOf(answer.response.attestationObject)).get('authData') as unknown
      if (!(found instanceof Uint8Array)) throw new TypeError('no data of the device')
      return new Uint8Array(found)
    })
    const challenge = await demandOurs(ctx, answer.response, data, ['add', userId])
    const site = siteOf(ctx)
    const { verifyRegistrationResponse } = await webauthn()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as never,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch((error: unknown) => {
      throw damaged(ctx, error)
    })
    if (!verified) throw refuse(403, 'passkey_wrong')
    const { credential, credentialBackedUp } = registrationInfo
    return {
      id: Buffer.from(credential.id, 'base64url'),
      key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: answer.response.transports ?? [],
      synced: credentialBackedUp,
    }
  })
}
export type MadeKey = Awaited<ReturnType<typeof madeBy>>

/** What was refused is written down with its reasons, as a wrong password is. */
async function orTell<T>(
  ctx: Ctx,
  kind: 'sign_in_failed' | 'proof_failed',
  subject: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const [reason] = error instanceof Refusal ? error.reasons : []
    if (reason) {
      const { site } = (reason.data ?? {}) as { site?: string }
      const data = { by: 'passkey', reason: reason.code, ...(site && { site }) }
      await ctx.services.security.write(ctx, { kind, ...(subject && { subject_id: subject }), data })
    }
    throw error
  }
}
