import { call, id, jobStarted, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

/**
 * What can be found. Of entries: sides that differ, no postings, postings of another currency, a reversal that is not what it
 * reverses, one booked into a period after it was closed; of balances: the kept sum is not that of the postings, a wallet below nothing; of invoices: charged is not what its
 * lines say, settled is not what paid transactions settled, instalments are not what is charged; of transactions: the entry
 * moves another amount, settles other invoices, is none, stands though it was cancelled, is reversed though it is paid; what
 * stands on a provider's account without a transaction; of sponsors: what is not invoiced yet, and what of an invoice is theirs;
 * of deposits: the kept sum, and what is held though no line charged it or it was given back;
 * and of plans to pay: one that runs and covers nothing, or an invoice in one that does not run or of which it is reversed.
 */
export const LEDGER_FINDINGS = [
  'unbalanced',
  'empty',
  'currency',
  'closed',
  'mirror',
  'owed',
  'wallet',
  'wallet_negative',
  'balance_charged',
  'balance_settled',
  'charged',
  'settled',
  'installments',
  'amount',
  'account',
  'allocation',
  'unbooked',
  'standing',
  'reversed',
  'provider',
  'provider_total',
  'sponsored',
  'sponsor_share',
  'deposit',
  'deposit_held',
  'plan',
  'total',
] as const
export type FindingKind = (typeof LEDGER_FINDINGS)[number]

/** What a finding is about: its number among its own, and what people call it. */
export const FOUND_IN = ['entry', 'payer', 'invoice', 'transaction', 'account', 'ledger'] as const

const found = z.object({
  kind: z.enum(LEDGER_FINDINGS),
  record: z.enum(FOUND_IN),
  id: z.number().nullable(),
  /** Number of the invoice or transaction, code of the account, source of the entry. */
  name: z.string().nullable(),
  currency: z.string().nullable(),
  /** In minor units; null where there is none. */
  expected: z.number().nullable(),
  found: z.number().nullable(),
})
export type LedgerFound = z.output<typeof found>

const finding = found.extend({
  /** Whose record it is, as far as the reader reaches the student. */
  student: ref.nullable(),
})
export type LedgerFinding = z.output<typeof finding>

const total = z.object({ currency: z.string(), debit: z.number(), credit: z.number() })

const proof = z.object({
  entries: z.number(),
  postings: z.number(),
  /** Of the whole ledger, by currency. */
  totals: z.array(total),
  /** The first 200 of `count`. */
  findings: z.array(finding),
  count: z.int(),
  seconds: z.number(),
})
/** What proving says, before anybody is named. */
export type Proven = Omit<z.output<typeof proof>, 'findings'> & { readonly findings: readonly LedgerFound[] }

const kept = proof.extend({ id, proven_at: z.string(), proven_by: ref.nullable() })
export type Proof = z.output<typeof kept>

/** Proving the ledger: debits are credits, and everything that is kept beside the postings says the same as they do. */
export const proofCalls = {
  verify: call('POST', '/ledger/verify', {
    permission: 'verify_ledger',
    summary: ['Prove the ledger', 'التحقق من دفتر الأستاذ'],
    body: z.strictObject({}).optional(),
    response: jobStarted,
    example: {},
  }),
  last: call('GET', '/ledger/proof', {
    permission: ['verify_ledger', 'access_ledger'],
    summary: ['What proving the ledger said last', 'نتيجة آخر تحقق من دفتر الأستاذ'],
    response: z.object({ data: kept.nullable() }),
  }),
}
