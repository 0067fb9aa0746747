/** The tax authority: receipts are submitted, and it is asked what became of them. */
import type { Config } from '#kit/server/base/config.ts'
import { ProviderDown } from '../providers/provider.server.ts'

export interface TaxReason {
  readonly code: string
  readonly message: string
  /** Where in the document. */
  readonly path: string | null
}
export interface TaxAuthority {
  /** Submits receipts as they are written. @throws {ProviderDown} whether they came is not known */
  submit(receipts: readonly { readonly uuid: string; readonly text: string }[]): Promise<{
    readonly submission: string | null
    readonly accepted: readonly string[]
    readonly rejected: readonly { readonly uuid: string; readonly reasons: readonly TaxReason[] }[]
  }>
  /** What it says of a receipt; null: it knows none. @throws {ProviderDown} */
  status(
    uuid: string,
  ): Promise<{ readonly state: 'sent' | 'valid' | 'rejected'; readonly reasons: readonly TaxReason[] } | null>
}
export type TaxSettings = NonNullable<Config['taxReceipts']>

const PATIENCE = 15_000
const LARGEST = 2_000_000

type Said = Readonly<Record<string, unknown>>
const inside = (value: unknown): Said => (typeof value === 'object' && value !== null ? (value as Said) : {})
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

async function call(url: URL, init: RequestInit): Promise<{ status: number; body: Said }> {
  let status: number
  let text: string
  try {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(PATIENCE) })
    status = answer.status
    text = await answer.text()
  } catch (error) {
    throw new ProviderDown(`The tax authority did not answer at ${url.pathname}: ${(error as Error).name}`)
  }
  if (status >= 500 || status === 429 || text.length > LARGEST)
    throw new ProviderDown(`The tax authority answered ${status} at ${url.pathname}`)
  try {
    return { status, body: inside(JSON.parse(text === '' ? '{}' : text)) }
  } catch {
    throw new ProviderDown(`The tax authority answered ${status} with what is no JSON at ${url.pathname}`)
  }
}

/** What is said against a receipt: the error with all that stands below it. */
function reasonsIn(error: unknown): TaxReason[] {
  const one = inside(error)
  const below = [...listIn(one.details), ...listIn(one.errors), ...listIn(one.innerError)].flatMap(reasonsIn)
  const message = textIn(one.message) || textIn(one.error)
  const code = textIn(one.code) || textIn(one.errorCode)
  if (below.length || (!message && !code)) return below
  return [{ code, message: message.slice(0, 500), path: textIn(one.propertyPath) || textIn(one.target) || null }]
}
const whyOf = (error: unknown, fallback: string): TaxReason[] => {
  const reasons = reasonsIn(error)
  return reasons.length ? reasons.slice(0, 20) : [{ code: fallback, message: fallback, path: null }]
}

/** The authority as it is set up; its token is kept while it is good. */
export function taxAuthority(set: TaxSettings): TaxAuthority {
  let token: { text: string; until: number } | null = null
  const signIn = async (): Promise<string> => {
    if (token && token.until > Date.now()) return token.text
    const { status, body } = await call(new URL(`${set.idUrl}/connect/token`), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        posserial: set.seller.device,
        pososversion: set.deviceVersion,
        presharedkey: set.presharedKey,
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: set.clientId,
        client_secret: set.clientSecret,
      }),
    })
    const text = textIn(body.access_token)
    if (status !== 200 || !text)
      throw new ProviderDown(`The tax authority refused the device (${status} ${textIn(body.error)})`)
    const seconds = Number(body.expires_in)
    token = { text, until: Date.now() + Math.max(0, (Number.isFinite(seconds) ? seconds : 300) - 60) * 1000 }
    return text
  }
  const ask = async (path: string, init: { method: string; body?: string }) => {
    const answer = await call(new URL(`${set.url}${path}`), {
      method: init.method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${await signIn()}`,
      },
      ...(init.body !== undefined && { body: init.body }),
    })
    if (answer.status === 401 || answer.status === 403) {
      token = null
      throw new ProviderDown(`The tax authority refused the token (${answer.status})`)
    }
    return answer
  }
  return {
    async submit(receipts) {
      const { status, body } = await ask('/api/v1/receiptsubmissions', {
        method: 'POST',
        body: `{"receipts":[${receipts.map((one) => one.text).join(',')}]}`,
      })
      if (status !== 200 && status !== 202)
        throw new ProviderDown(
          `The tax authority took no submission (${status} ${textIn(inside(body.error).code)})`.slice(0, 300),
        )
      return {
        submission: textIn(body.submissionId) || textIn(body.submissionUUID) || null,
        accepted: listIn(body.acceptedDocuments).map((one) => textIn(inside(one).uuid)),
        rejected: listIn(body.rejectedDocuments).map((one) => ({
          uuid: textIn(inside(one).uuid),
          reasons: whyOf(inside(one).error, 'rejected'),
        })),
      }
    },
    async status(uuid) {
      const { status, body } = await ask(`/api/v1/receipts/${uuid}/raw`, { method: 'GET' })
      if (status === 404) return null
      if (status !== 200) throw new ProviderDown(`The tax authority answered ${status} about a receipt`)
      const receipt = inside(body.receipt)
      const word = (textIn(receipt.status) || textIn(body.status)).toLowerCase()
      if (word === 'valid') return { state: 'valid', reasons: [] }
      if (word === 'invalid' || word === 'cancelled' || word === 'rejected') {
        const steps = listIn(inside(body.validationResults ?? receipt.validationResults).validationSteps)
        return { state: 'rejected', reasons: whyOf({ details: steps }, word) }
      }
      return { state: 'sent', reasons: [] }
    },
  }
}
