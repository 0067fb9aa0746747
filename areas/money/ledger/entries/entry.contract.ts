import { otherPayerRef } from '../payer.contract.ts'
import { call, date, id, listOf, listQuery, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { ACCOUNT_KINDS } from '../accounts/account.contract.ts'
import { ENTRY_KINDS } from '../words.contract.ts'

const account = ref.extend({ kind: z.enum(ACCOUNT_KINDS.map((one) => one.value)) })
const posting = z.object({
  id: z.number(),
  account,
  /** Whose, as far as the reader reaches the student. */
  student: ref.nullable(),
  /** Whose, where it is no student. */
  payer: otherPayerRef.nullable(),
  invoice: z.object({ id, number: z.string() }).nullable(),
  /** In minor units: a debit is positive, a credit negative. */
  amount: z.number(),
})

const entry = z.object({
  id: z.number(),
  kind: z.enum(ENTRY_KINDS.map((entryKind) => entryKind.value)),
  source: z.string(),
  currency: z.string(),
  booked_on: z.string(),
  /** Its own day, where that day's period was closed already. */
  happened_on: z.string().nullable(),
  settles: z.boolean(),
  /** What its debits are together. */
  amount: z.number(),
  reason: z.string().nullable(),
  reversal_of: z.number().nullable(),
  /** The entry that reverses it. */
  reversed_by: z.number().nullable(),
  created_at: z.string(),
  created_by: ref.nullable(),
  postings: z.array(posting),
})
export type EntryRow = z.output<typeof entry>

const balance = z.object({
  account,
  currency: z.string(),
  debit: z.number(),
  credit: z.number(),
  /** Debits less credits. */
  balance: z.number(),
})
export type BalanceRow = z.output<typeof balance>

/** Reading the ledger: entries with their postings, and what stands on its accounts. */
export const entryCalls = {
  list: call('POST', '/ledger/entries', {
    permission: 'access_ledger',
    summary: ['List entries of the ledger with their postings', 'عرض قيود دفتر الأستاذ بأطرافها'],
    body: listQuery,
    response: listOf(entry),
    reads: true,
  }),
  get: call('GET', '/ledger/entries/{id}', {
    permission: 'access_ledger',
    summary: ['Get an entry of the ledger', 'عرض قيد من دفتر الأستاذ'],
    response: z.object({ data: entry }),
  }),
  balances: call('POST', '/ledger/balances', {
    permission: 'access_ledger',
    summary: [
      'Trial balance: both sides of accounts, and their balances',
      'ميزان المراجعة: مدين الحسابات ودائنها وأرصدتها',
    ],
    body: z.strictObject({
      /** Until this day; everything that is booked unless told. */
      until: date.nullish(),
    }),
    response: z.object({ data: z.array(balance) }),
    example: {},
    reads: true,
  }),
}
