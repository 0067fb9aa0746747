/** FawryPay: the payer gets a number and pays it at a shop, a machine or in an app. */
import { decimalOf } from './amounts.rules.ts'
import { insideWritten, writtenField } from './events.rules.ts'
import { cancelText, chargeText, fawryEvent, notificationText, refundText, statusText } from './fawry.rules.ts'
import { ProviderDown, ProviderRefused, askProvider } from './provider.server.ts'
import type { PaymentProvider, ProviderAnswer, Providers } from './provider.server.ts'
import { readWritten, sameSignature, sha256 } from './signing.server.ts'

type Settings = NonNullable<Providers['fawry']>

const fawryLang = (lang: 'ar' | 'en'): string => (lang === 'ar' ? 'ar-eg' : 'en-gb')

/** Answered well; the refusal in the provider's words else. */
function demandSuccess({ status, body }: ProviderAnswer): void {
  const code = writtenField(body, 'statusCode')
  if (status === 200 && (code === '200' || code === '')) return
  const words = [
    writtenField(body, 'statusDescription') || writtenField(body, 'description'),
    code || writtenField(body, 'code'),
  ]
  throw new ProviderRefused(words.filter(Boolean).join(' ').slice(0, 200) || `${status}`, code || String(status))
}

export function fawryProvider({ url, merchantCode, secureKey }: Settings): PaymentProvider {
  const under = (path: string): URL => new URL(`${url.replace(/\/+$/, '')}/ECommerceWeb/${path}`)
  const at = (path: string): URL => under(`Fawry/payments/${path}`)
  const genuine = (body: Readonly<Record<string, unknown>>): boolean => {
    const text = notificationText(body, secureKey)
    return text !== null && sameSignature(writtenField(body, 'messageSignature'), sha256(text))
  }

  const status: PaymentProvider['status'] = async ({ reference }) => {
    const address = at('status/v2')
    address.search = new URLSearchParams({
      merchantCode,
      merchantRefNumber: reference,
      signature: sha256(statusText(merchantCode, reference, secureKey)),
    }).toString()
    const { body } = await askProvider('fawry', address)
    // Without a number of its own it knows no such order.
    if (!writtenField(body, 'fawryRefNumber')) return null
    if (!genuine(body)) throw new ProviderDown('fawry answered about a status without its signature')
    const event = fawryEvent(body)
    return event?.reference === reference ? event : null
  }

  return {
    name: 'fawry',
    way: 'mobile',
    currencies: ['EGP'],
    async create({ reference, amount, currency, expires, what, lang, payer }) {
      if (currency !== 'EGP') throw new ProviderRefused('FawryPay takes EGP', 'currency')
      const signed = {
        merchantCode,
        merchantRefNum: reference,
        customerProfileId: payer.code,
        paymentMethod: 'PAYATFAWRY',
        amount: decimalOf(amount),
      }
      const answer = await askProvider('fawry', at('charge'), {
        body: {
          ...signed,
          customerName: payer.name,
          customerMobile: payer.phone,
          customerEmail: payer.email,
          currencyCode: 'EGP',
          language: fawryLang(lang),
          paymentExpiry: expires.getTime(),
          description: what,
          chargeItems: [{ itemId: reference, description: what, price: decimalOf(amount), quantity: '1' }],
          signature: sha256(chargeText(signed, secureKey)),
        },
      })
      try {
        demandSuccess(answer)
      } catch (refused) {
        // Its answer to an earlier try may have been lost on the way: then it knows the reference already.
        const known = await status({ reference, order: null })
        if (known?.amount !== amount || known.status !== 'waiting') throw refused
        return { order: known.order, number: known.order, link: null, expires }
      }
      const number = writtenField(answer.body, 'referenceNumber')
      const until = Number(writtenField(answer.body, 'expirationTime'))
      if (!/^\d{1,30}$/.test(number)) throw new ProviderDown('fawry answered without a reference number')
      return { order: number, number, link: null, expires: until > 0 ? new Date(until) : expires }
    },
    readCallback({ body }) {
      const read = readWritten(Buffer.from(body).toString('utf8'))
      if (!read || !genuine(read)) return 'forged'
      return fawryEvent(read) ?? 'other'
    },
    // Nobody is sent back: one pays elsewhere.
    readReturn: () => null,
    status,
    async cancel({ reference, order, lang }) {
      const signed = { merchantAccount: merchantCode, orderRefNo: order, lang: fawryLang(lang) }
      const answer = await askProvider('fawry', under('api/orders/cancel-unpaid-order'), {
        body: { ...signed, signature: sha256(cancelText(signed, secureKey)) },
      })
      // What it says of the order counts, not how it answers: of one that is paid or gone it answers in several ways.
      const now = await status({ reference, order })
      if (now?.status === 'failed' || now?.status === 'expired') return
      demandSuccess(answer)
      throw new ProviderDown('fawry took a cancellation, and the order can still be paid')
    },
    async refund({ payment, amount, reason }) {
      const signed = { merchantCode, referenceNumber: payment, refundAmount: decimalOf(amount), reason }
      const answer = await askProvider('fawry', at('refund'), {
        body: { ...signed, signature: sha256(refundText(signed, secureKey)) },
      })
      demandSuccess(answer)
      return {
        reference: writtenField(insideWritten(answer.body, 'data') ?? answer.body, 'refundReferenceNumber') || payment,
      }
    },
  }
}
