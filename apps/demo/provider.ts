/** A conforming provider of OpenID Connect on this machine, for development and tests. Who signs in there is whoever is typed. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { Configuration } from 'oidc-provider'

/** By what the application shows itself to it: settings of the application. */
export const PROVIDER_CLIENT = { id: 'university-ems', secret: 'only-on-this-machine' } as const

export interface DemoProvider {
  readonly issuer: string
  readonly provider: Provider
  close(): Promise<void>
}

/**
 * Opens it. A name without `@` is a person of whom the provider knows no verified address.
 *
 * @param returns where it sends people back to: the sign-in page of the application
 */
export async function openProvider(
  returns: readonly string[],
  { port = 0, ...more }: { port?: number } & Configuration = {},
): Promise<DemoProvider> {
  let handler: ReturnType<Provider['callback']> | undefined
  const server: Server = createServer((request, response) => void handler?.(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: PROVIDER_CLIENT.id,
        client_secret: PROVIDER_CLIENT.secret,
        redirect_uris: [...returns],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'demo', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...(id.includes('@') && { email: id, email_verified: true }) }),
    }),
    ...more,
  })
  handler = (request, response) => provider.callback()(request, response)
  return {
    issuer,
    provider,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
