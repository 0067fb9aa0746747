/**
 * Paymob Accept: what is signed, and what its callbacks say. The HMAC (SHA-512) covers twenty fields of a transaction,
 * written one behind the other in the order of their names.
 * https://developers.paymob.com/paymob-docs/developers/webhook-callbacks-and-hmac/hmac/hmac-transaction-callback
 * https://docs.paymob.com/docs/hmac-calculation
 */
import { insideWritten, writtenField } from './events.rules.ts'
import type { ProviderEvent, Written } from './events.rules.ts'

/** Fields that are signed, in their order. */
const SIGNED = [
  'amount_cents',
  'created_at',
  'currency',
  'error_occured',
  'has_parent_transaction',
  'id',
  'integration_id',
  'is_3d_secure',
  'is_auth',
  'is_capture',
  'is_refunded',
  'is_standalone_payment',
  'is_voided',
  'order.id',
  'owner',
  'pending',
  'source_data.pan',
  'source_data.sub_type',
  'source_data.type',
  'success',
] as const

/** Fields of a transaction by the names under which they are signed: of the processed callback and of inquiries. */
export function signedFields(transaction: Written): Record<(typeof SIGNED)[number], string> {
  const order = insideWritten(transaction, 'order')
  const source = insideWritten(transaction, 'source_data')
  const fields = SIGNED.map((name): [string, string] => {
    if (name === 'order.id') return [name, order ? writtenField(order, 'id') : writtenField(transaction, 'order')]
    if (name.startsWith('source_data.')) return [name, writtenField(source, name.slice('source_data.'.length))]
    return [name, writtenField(transaction, name)]
  })
  return Object.fromEntries(fields) as Record<(typeof SIGNED)[number], string>
}

/** The same of the address to which a browser is sent back: all in one row, the order without its `.id`. */
export const signedInAddress = (query: Readonly<Record<string, string>>): Record<(typeof SIGNED)[number], string> =>
  Object.fromEntries(
    SIGNED.map((name) => [
      name,
      query[name] ?? (name === 'order.id' ? (query.order ?? query.order_id) : undefined) ?? '',
    ]),
  ) as Record<(typeof SIGNED)[number], string>

export const hmacText = (fields: Readonly<Record<(typeof SIGNED)[number], string>>): string =>
  SIGNED.map((name) => fields[name]).join('')

/** As Paymob writes numbers. A leading zero would belong to the number before it: between the signed fields stands nothing. */
const NUMBER = /^(?:0|[1-9]\d{0,14})$/

/**
 * What a transaction says whose HMAC was found right; null when it is about something else. Read from signed fields alone:
 * `merchant_order_id` is not among them, and whoever paid anything could write another one beside an HMAC of his own.
 *
 * @param integrations the card integration of each currency: an integration takes one
 */
export function paymobEvent(
  transaction: Written,
  integrations: Readonly<Record<string, string>>,
  owner: string | null = null,
): ProviderEvent | null {
  const f = signedFields(transaction)
  const no = (name: (typeof SIGNED)[number]): boolean => f[name] === 'false'
  if (f.integration_id === '' || f.integration_id !== integrations[f.currency]) return null
  // The account that is paid to stands right behind the order: what is its own ends the number of the order.
  if (owner !== null && f.owner !== owner) return null
  if (![f.id, f['order.id'], f.amount_cents, f.owner].every((number) => NUMBER.test(number))) return null
  if (!/^\d{4}-\d\d-\d\dT/.test(f.created_at) || !/^[A-Z]{3}$/.test(f.currency)) return null
  // A transaction with a parent is a refund, a void or a capture of it.
  const undone = f.is_refunded === 'true' || f.is_voided === 'true' || f.has_parent_transaction === 'true'
  const paid = f.success === 'true' && no('pending') && no('error_occured') && no('is_auth')
  const status = f.pending === 'true' ? 'waiting' : undone ? 'refunded' : paid ? 'paid' : 'failed'
  return {
    provider: 'paymob',
    event_id: `${f.id}-${status}`,
    reference: writtenField(insideWritten(transaction, 'order'), 'merchant_order_id').slice(0, 60) || null,
    reference_signed: false,
    order: f['order.id'],
    payment: f.id,
    status,
    amount: Number(f.amount_cents),
    currency: f.currency,
    fee: 0,
  }
}
