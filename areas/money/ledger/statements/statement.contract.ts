import { call, date, id, idParam, paperLanguage, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { otherPayerRef } from '../payer.contract.ts'
import { ENTRY_KINDS } from '../words.contract.ts'

const currency = z.string().regex(/^[A-Z]{3}$/)

/** How money came or went. */
const way = z.enum(['cash', 'slip', 'bank', 'card', 'mobile', 'wallet', 'deposit'])

const line = z.object({
  entry_id: z.number(),
  booked_on: z.string(),
  kind: z.enum(ENTRY_KINDS.map((entryKind) => entryKind.value)),
  /** Of a reversal: what is reversed. */
  of_kind: z.enum(ENTRY_KINDS.map((entryKind) => entryKind.value)).nullable(),
  way: way.nullable(),
  /** Numbers of the invoices it concerns. */
  invoices: z.array(z.object({ id, number: z.string() })),
  /** Of an invoice or note: what it asks for. */
  items: z.array(z.object({ name: z.string(), name_local: z.string(), amount: z.number() })),
  note: z.string().nullable(),
  transaction: z.string().nullable(),
  receipt: z.string().nullable(),
  reason: z.string().nullable(),
  reason_local: z.string().nullable(),
  /** What it changes of what is owed, in minor units: more is positive. */
  owed: z.number(),
  /** What it puts into the wallet, or takes out of it. */
  wallet: z.number(),
  /** What is owed less what the wallet holds, after it. */
  balance: z.number(),
})
export type LedgerStatementLine = z.output<typeof line>

const part = z.object({
  currency: z.string(),
  minor_digits: z.int(),
  /** Before the first line: what is owed less what the wallet holds. */
  opening: z.number(),
  lines: z.array(line),
  charged: z.number(),
  settled: z.number(),
  /** At the end: what is owed, what the wallet holds, and the one less the other. */
  owed: z.number(),
  wallet: z.number(),
  balance: z.number(),
  /** What the university holds as a deposit by then, beside the balance. */
  deposit: z.number(),
})
export type StatementPart = z.output<typeof part>

const statement = z.object({
  /** Whose it is: of a student, or of who works here or is a guest. */
  student: ref.nullable(),
  payer: otherPayerRef.nullable(),
  faculty: ref.nullable(),
  program: ref.nullable(),
  from: z.string().nullable(),
  until: z.string(),
  currencies: z.array(part),
})
export type LedgerStatement = z.output<typeof statement>

/** Who has a statement beside students, by the id of the account or of the guest. */
export const STATEMENT_KINDS = ['staff', 'guest'] as const
const kind = z.enum(STATEMENT_KINDS)

const asked = { from: date.optional(), until: date.optional(), currency: currency.optional() }
export type StatementAsked = { [K in keyof typeof asked]?: string | undefined }

/** Statement of what a student was asked for, paid and got back, as of any day. */
export const statementCalls = {
  get: call('GET', '/ledger/statements/{student_id}', {
    permission: 'show_statement',
    summary: ['Statement of a payer as of a day', 'كشف حساب دافع حتى تاريخ محدد'],
    query: z.strictObject(asked),
    response: z.object({ data: statement }),
  }),
  file: call('POST', '/ledger/statements/{student_id}/{lang}', {
    permission: 'show_statement',
    summary: ['Statement of a payer, PDF or XLSX', 'كشف حساب دافع، PDF أو XLSX'],
    params: z.object({ student_id: idParam, lang: paperLanguage }),
    body: z.strictObject({ ...asked, format: z.enum(['pdf', 'xlsx']).default('pdf') }),
    file: { name: 'Statement.pdf', type: 'pdf' },
    reads: true,
    example: { format: 'pdf' },
  }),
  ofPayer: call('GET', '/ledger/payer-statements/{kind}/{id}', {
    permission: ['show_statement', 'see_own_money'],
    summary: ['Statement of who works here or of a guest', 'كشف حساب عامل بالجامعة أو ضيف'],
    params: z.object({ kind, id: idParam }),
    query: z.strictObject(asked),
    response: z.object({ data: statement }),
  }),
  fileOfPayer: call('POST', '/ledger/payer-statements/{kind}/{id}/{lang}', {
    permission: ['show_statement', 'see_own_money'],
    summary: ['Statement of who works here or of a guest, PDF or XLSX', 'كشف حساب عامل بالجامعة أو ضيف، PDF أو XLSX'],
    params: z.object({ kind, id: idParam, lang: paperLanguage }),
    body: z.strictObject({ ...asked, format: z.enum(['pdf', 'xlsx']).default('pdf') }),
    file: { name: 'Statement.pdf', type: 'pdf' },
    reads: true,
    example: { format: 'pdf' },
  }),
}
