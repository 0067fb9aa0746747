/** What every provider of payments does here, whichever it is. */
import type { Config } from '#kit/server/base/config.ts'
import type { ProviderEvent, ProviderName } from './events.rules.ts'
import { readWritten } from './signing.server.ts'

/** What is asked of a payer. */
export interface Charge {
  /** Ours; stored before the provider hears of it. */
  readonly reference: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly expires: Date
  readonly what: string
  readonly lang: 'ar' | 'en'
  readonly payer: { readonly code: string; readonly name: string; readonly email: string; readonly phone: string }
}
/** How the payer pays it: by a number, or at an address. */
export interface Created {
  readonly order: string
  readonly number: string | null
  readonly link: string | null
  readonly expires: Date
}
/** A callback as it came. */
export interface RawCallback {
  readonly query: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface PaymentProvider {
  readonly name: ProviderName
  readonly way: 'mobile' | 'card'
  readonly currencies: readonly string[]
  /** @throws {ProviderDown} nobody answered, or not as it should: ask again with the same reference; {ProviderRefused} */
  create(charge: Charge): Promise<Created>
  /** What it says; `forged` when it is not from the provider, `other` when it is about something else. */
  readCallback(raw: RawCallback): ProviderEvent | 'forged' | 'other'
  /** Whether the provider signed the address to which it sent a browser back, and which order that is about. */
  readReturn(query: Readonly<Record<string, string>>): { readonly order: string } | null
  /** What became of a charge; null when the provider knows nothing of it yet. @throws {ProviderDown} */
  status(of: {
    readonly reference: string
    readonly order: string | null
    /** Of what was paid: this payment, where one order may have several. */
    readonly payment?: string | null
  }): Promise<ProviderEvent | null>
  /**
   * Ends a charge that nobody paid, so that nobody pays it by mistake; absent where charges end by themselves within the hour.
   *
   * @throws {ProviderDown} it may have happened; {ProviderRefused} it has not: it may have been paid meanwhile
   */
  cancel?(of: { readonly reference: string; readonly order: string; readonly lang: 'ar' | 'en' }): Promise<void>
  /** Gives back a part of a payment. @throws {ProviderDown} it may have happened; {ProviderRefused} it has not */
  refund(of: {
    readonly payment: string
    readonly amount: number
    readonly reason: string
  }): Promise<{ reference: string }>
}

export type Providers = Config['payments']

/** The provider did not answer, or with nonsense: whether anything happened there is not known. */
export class ProviderDown extends Error {
  override name = 'ProviderDown'
}
/** The provider answered no. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Milliseconds for an answer, and most bytes of one. */
const PATIENCE = 10_000
const LARGEST = 256_000

export interface ProviderAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Asks a provider. What it is asked with holds secrets: no message repeats it.
 *
 * @throws {ProviderDown}
 */
export async function askProvider(
  name: ProviderName,
  url: URL,
  { body, token }: { body?: object; token?: string } = {},
): Promise<ProviderAnswer> {
  let status: number
  let text: string
  try {
    const answer = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    status = answer.status
    text = await limited(answer)
  } catch (error) {
    throw new ProviderDown(`${name} did not answer at ${url.pathname}: ${(error as Error).name}`)
  }
  if (status >= 500 || status === 429) throw new ProviderDown(`${name} answered ${status} at ${url.pathname}`)
  const read = readWritten(text)
  if (!read) throw new ProviderDown(`${name} answered ${status} with what is no JSON at ${url.pathname}`)
  return { status, body: read }
}

async function limited(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > LARGEST) throw new RangeError('too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
