/** Applications are opened by their key: tries are limited, and what follows is done by the program for the application. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { asProgram } from '#kit/server/unit/request.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { isWritable, openApplication, type OpenedApplication } from './read.server.ts'

interface Who {
  readonly id: number
  readonly key: string
}
/** What is written in an application is written by the program, for whoever has its key: the trail names the application. */
const forApplication = (ctx: Ctx, code: string): Ctx => asProgram(ctx, `application ${code}`)

/** Keys and links are not guessed: strangers are stopped, whatever they try. */
export const limitKeys = (ctx: Ctx) => attempt(ctx.pool, [addressLimit('application key', ctx.ip)])

/** @throws {Refusal} 409 where the application cannot be written in now */
export const refuseClosed = (opened: OpenedApplication): void => {
  if (isWritable(opened)) return
  throw opened.status === 'INCOMPLETE'
    ? refuse(409, 'application_closed', { at: opened.admission.closes_at })
    : refuse(409, 'application_sent')
}

/**
 * The application of a key, and the context in which its applicant acts.
 *
 * @throws {Refusal} 404 `application_unknown`
 */
export async function openWithKey(ctx: Ctx, { id, key }: Who): Promise<{ opened: OpenedApplication; program: Ctx }> {
  const right = await limitKeys(ctx)
  const opened = await openApplication(ctx.db, id, key)
  await right()
  return { opened, program: forApplication(ctx, opened.code) }
}

/** The application of a call, held, and what was right about it. */
export async function withKey<T>(
  ctx: Ctx,
  who: Who,
  work: (opened: OpenedApplication, program: Ctx, tx: Tx) => Promise<T>,
): Promise<T> {
  const { program } = await openWithKey(ctx, who)
  return program.write(async (tx) => work(await openApplication(tx, who.id, who.key, true), program, tx))
}
