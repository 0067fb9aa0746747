import { z } from 'zod'
import { call, date, id, safeText } from '#kit/contract/index.ts'
import { THESES } from '../thesis/flow.contract.ts'

export const THESIS_LICENCES = ['reserved', 'cc-by', 'cc-by-nc', 'cc-by-nc-nd'] as const
const handle = z.object({ handle: z.string().regex(/^[0-9a-z-]{4,40}$/) })
const found = z.object({
  handle: z.string(),
  title: z.string(),
  title_local: z.string(),
  creator: z.string(),
  creator_local: z.string(),
  degree: z.enum(['master', 'doctorate']),
  faculty: z.object({ name: z.string(), name_local: z.string() }),
  granted_on: z.string(),
})
export type FoundThesis = z.output<typeof found>
const shown = found.extend({
  contributors: z.array(z.object({ name: z.string(), name_local: z.string() })),
  abstract: z.string(),
  abstract_local: z.string(),
  keywords: z.string().nullable(),
  keywords_local: z.string().nullable(),
  language: z.enum(['ar', 'en']),
  licence: z.enum(THESIS_LICENCES),
  /** The file is closed until that day; null: it is open. */
  closed_until: z.string().nullable(),
})
/** A thesis in the repository: its record, or the stone that stands where it was. */
const stood = z.union([
  shown.extend({ withdrawn: z.literal(false) }),
  z.object({ withdrawn: z.literal(true), handle: z.string(), withdrawn_on: z.string(), reason: z.string() }),
])
export type ShownThesis = z.output<typeof stood>

/** Deposits, and what the public finds. */
export const repositoryCalls = {
  deposit: call('POST', `${THESES}/deposit/{id}`, {
    permission: 'deposit_thesis',
    summary: ['Deposit a granted thesis in the repository', 'إيداع رسالة مُنحت درجتها في المستودع'],
    body: z.strictObject({ licence: z.enum(THESIS_LICENCES), embargo_until: date.nullish() }),
    response: z.object({ data: z.object({ id, handle: z.string() }) }),
    example: { licence: 'reserved', embargo_until: null },
  }),
  withdraw: call('POST', `${THESES}/withdraw/{id}`, {
    permission: 'deposit_thesis',
    confirm: 'password',
    summary: ['Withdraw a thesis from the repository', 'سحب رسالة من المستودع'],
    body: z.strictObject({ reason: safeText(1000, 1) }),
    response: z.object({ data: z.object({ id }) }),
    example: { reason: 'Court order 118 of 2026' },
  }),
  search: call('GET', '/repository', {
    permission: 'public',
    summary: ['Search theses of the repository', 'البحث في رسائل المستودع'],
    query: z.object({ q: z.string().max(200).optional(), page: z.coerce.number().int().min(1).max(200).optional() }),
    response: z.object({ data: z.array(found), meta: z.object({ more: z.boolean() }) }),
  }),
  shown: call('GET', '/repository/{handle}', {
    permission: 'public',
    summary: ['A thesis of the repository', 'رسالة من المستودع'],
    params: handle,
    response: z.object({ data: stood }),
  }),
  file: call('GET', '/repository/{handle}/file', {
    permission: 'public',
    traced: false,
    summary: ['The file of a thesis of the repository', 'ملف رسالة من المستودع'],
    params: handle,
    file: { name: 'deposit.pdf', type: 'pdf' },
  }),
}
