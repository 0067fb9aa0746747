/** Paymob Accept: the payer types the card at the provider's own page; no number of a card ever comes here. */
import { insideWritten, writtenField } from './events.rules.ts'
import type { ProviderEvent, Written } from './events.rules.ts'
import { hmacText, paymobEvent, signedFields, signedInAddress } from './paymob.rules.ts'
import { ProviderDown, ProviderRefused, askProvider } from './provider.server.ts'
import type { PaymentProvider, ProviderAnswer, Providers } from './provider.server.ts'
import { hmacSha512, readWritten, sameSignature } from './signing.server.ts'

type Settings = NonNullable<Providers['paymob']>

/** A token is good for an hour; the key of a payment as long. */
const TOKEN_LIVES = 50 * 60_000
const KEY_LIVES = 3600

function refusedBy({ status, body }: ProviderAnswer): ProviderRefused {
  const words =
    writtenField(body, 'message') ||
    writtenField(body, 'detail') ||
    Object.values(body)
      .flat()
      .find((v) => typeof v === 'string')
  return new ProviderRefused(String(words ?? status).slice(0, 200), String(status))
}

export function paymobProvider({
  url,
  apiKey,
  hmacSecret,
  integrations,
  iframeId,
  merchantId,
}: Settings): PaymentProvider {
  const base = `${url.replace(/\/+$/, '')}/api`
  const at = (path: string): URL => new URL(`${base}/${path}`)
  let known: { token: string; until: number } | undefined

  async function tokenNow(anew = false): Promise<string> {
    if (!anew && known && known.until > Date.now()) return known.token
    const answer = await askProvider('paymob', at('auth/tokens'), { body: { api_key: apiKey } })
    const token = writtenField(answer.body, 'token')
    if (answer.status >= 300) throw refusedBy(answer)
    if (!token) throw new ProviderDown('paymob answered without a token')
    known = { token, until: Date.now() + TOKEN_LIVES }
    return token
  }
  /** Asks as who we are; once more with a new token when the one we have is not taken any more. */
  async function ask(path: string, body: object): Promise<ProviderAnswer> {
    const send = (token: string) => askProvider('paymob', at(path), { body: { auth_token: token, ...body }, token })
    const answer = await send(await tokenNow())
    return answer.status === 401 ? send(await tokenNow(true)) : answer
  }
  /** The same for what is only looked at. */
  async function look(path: string): Promise<ProviderAnswer> {
    const answer = await askProvider('paymob', at(path), { token: await tokenNow() })
    return answer.status === 401 ? askProvider('paymob', at(path), { token: await tokenNow(true) }) : answer
  }
  /** What we asked for ourselves is as good as what is signed. */
  const answered = (body: Written): ProviderEvent | null => {
    const transaction = insideWritten(body, 'obj') ?? body
    const event = paymobEvent(transaction, integrations, merchantId)
    // Not signed, but asked for: what of the payment went back; of a refund itself it says nothing.
    const refunded = Number(writtenField(transaction, 'refunded_amount_cents') || Number.NaN)
    const own = writtenField(transaction, 'has_parent_transaction') !== 'true'
    return (
      event && { ...event, reference_signed: true, refunded: own && Number.isSafeInteger(refunded) ? refunded : null }
    )
  }

  return {
    name: 'paymob',
    way: 'card',
    currencies: Object.keys(integrations),
    async create({ reference, amount, currency, expires, payer }) {
      const amount_cents = String(amount)
      const order = await ask('ecommerce/orders', {
        delivery_needed: 'false',
        amount_cents,
        currency,
        merchant_order_id: reference,
        items: [],
      })
      const id = writtenField(order.body, 'id')
      if (order.status >= 300) throw refusedBy(order)
      if (!id) throw new ProviderDown('paymob answered without an order')
      const [first = '', ...rest] = payer.name.split(/\s+/).filter(Boolean)
      const seconds = Math.max(60, Math.min(KEY_LIVES, Math.floor((expires.getTime() - Date.now()) / 1000)))
      const key = await ask('acceptance/payment_keys', {
        amount_cents,
        expiration: seconds,
        order_id: id,
        currency,
        integration_id: Number(integrations[currency]),
        lock_order_when_paid: 'true',
        // Every one of them is asked for; what nobody needs for a fee is not told.
        billing_data: {
          first_name: first || payer.code,
          last_name: rest.join(' ') || first || payer.code,
          email: payer.email || 'NA',
          phone_number: payer.phone || 'NA',
          apartment: 'NA',
          floor: 'NA',
          street: 'NA',
          building: 'NA',
          shipping_method: 'NA',
          postal_code: 'NA',
          city: 'NA',
          country: 'NA',
          state: 'NA',
        },
      })
      const token = writtenField(key.body, 'token')
      if (key.status >= 300) throw refusedBy(key)
      if (!token) throw new ProviderDown('paymob answered without a key')
      const link = at(`acceptance/iframes/${encodeURIComponent(iframeId)}`)
      link.search = new URLSearchParams({ payment_token: token }).toString()
      return { order: id, number: null, link: link.href, expires: new Date(Date.now() + seconds * 1000) }
    },
    readCallback({ query, body }) {
      const read = readWritten(Buffer.from(body).toString('utf8'))
      const transaction = insideWritten(read ?? undefined, 'obj')
      if (!transaction) return 'forged'
      const right = hmacSha512(hmacSecret, hmacText(signedFields(transaction)))
      if (!sameSignature(query.hmac ?? '', right)) return 'forged'
      return paymobEvent(transaction, integrations, merchantId) ?? 'other'
    },
    readReturn(query) {
      const fields = signedInAddress(query)
      return sameSignature(query.hmac ?? '', hmacSha512(hmacSecret, hmacText(fields)))
        ? { order: fields['order.id'] }
        : null
    },
    async status({ reference, order, payment }) {
      const answer = payment
        ? await look(`acceptance/transactions/${encodeURIComponent(payment)}`)
        : await ask(
            'ecommerce/orders/transaction_inquiry',
            order ? { order_id: order } : { merchant_order_id: reference },
          )
      // Nobody has tried to pay it.
      if (answer.status === 404 || answer.status === 400) return null
      if (answer.status >= 300) throw refusedBy(answer)
      const event = answered(answer.body)
      return event && (order ? event.order === order : event.reference === reference) ? event : null
    },
    async refund({ payment, amount }) {
      const answer = await ask('acceptance/void_refund/refund', {
        transaction_id: payment,
        amount_cents: String(amount),
      })
      if (answer.status >= 300) throw refusedBy(answer)
      const done = insideWritten(answer.body, 'obj') ?? answer.body
      if (writtenField(done, 'success') !== 'true') throw refusedBy(answer)
      return { reference: writtenField(done, 'id') || payment }
    },
  }
}
