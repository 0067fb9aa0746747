/** A ticket opens the papers of one application for some minutes: the key itself stands in no address. */
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'

const MINUTES = 30
const SEAL = 'application paper'

export async function paperTicket(ctx: Ctx, application: number): Promise<string> {
  const seal = await sealOf(ctx.services, SEAL)
  return seal.seal(Buffer.from(String(Date.now() + MINUTES * 60_000)), String(application)).toString('base64url')
}

/** @throws {Refusal} 404 `application_unknown`: it is of another application, over, or none */
export async function requirePaperTicket(ctx: Ctx, application: number, ticket: string | undefined): Promise<void> {
  const seal = await sealOf(ctx.services, SEAL)
  let until = 0
  try {
    until = Number(seal.open(Buffer.from(ticket ?? '', 'base64url'), String(application)).toString())
  } catch {
    // Not one of ours.
  }
  if (!(until > Date.now())) throw refuse(404, 'application_unknown')
}
