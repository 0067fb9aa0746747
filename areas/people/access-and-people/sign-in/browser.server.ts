/** The browser in which something was begun that ends elsewhere, at a provider or on a device: only it may end it. */
import type { Ctx } from '#kit/server/base/context.ts'
import { cookie, cookieIn, hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { secure, setCookies } from './sign-in.server.ts'

/** What a browser was sent away for; each has a cookie of its own. */
type Errand = 'provider' | 'passkey'

const secretIn = (ctx: Ctx, errand: Errand): string | undefined =>
  cookieIn(ctx.http?.request.headers.cookie, errand, secure(ctx))

/** The hash of the secret of the browser that asks; null: it was not sent from here. */
export function browserIn(ctx: Ctx, errand: Errand): Buffer | null {
  const secret = secretIn(ctx, errand)
  return secret ? hashToken(secret) : null
}

/** Keeps the browser apart from all others: `keep` stores the hash, and says until when. */
export async function bindBrowser(ctx: Ctx, errand: Errand, keep: (hash: Buffer) => Promise<Date>): Promise<void> {
  // One browser may be away several times at once, in several tabs.
  const secret = secretIn(ctx, errand) ?? newToken().token
  const expires = await keep(hashToken(secret))
  setCookies(ctx, [cookie(errand, secret, { secure: secure(ctx), host: true, expires })])
}
