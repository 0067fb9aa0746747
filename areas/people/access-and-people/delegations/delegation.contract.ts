import { call, date, id, option, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { currentUser } from '../sign-in/sign-in.contract.ts'

export const DELEGATION_STATES = [
  { value: 'planned', label: ['Planned', 'مجدول'], tone: 'waiting' },
  { value: 'active', label: ['In force', 'سارٍ'], tone: 'done' },
  { value: 'ended', label: ['Ended', 'منتهٍ'], tone: 'frozen' },
] as const

const delegation = z.object({
  id,
  from: ref,
  to: ref,
  permissions: z.array(option),
  from_date: z.string(),
  until_date: z.string(),
  reason: z.string(),
  state: z.enum(['planned', 'active', 'ended']),
  /** `act`: begin to act for the person. `end`: take it back, or give it back. */
  abilities: z.array(z.enum(['act', 'end'])),
})
export type Delegation = z.output<typeof delegation>

/** Standing in for somebody who is away. Of the person alone: whoever acts for another person cannot hand it on. */
/** So many of the latest delegations are shown; those that have not ended come first. */
export const MOST_DELEGATIONS = 100

export const delegationCalls = {
  listDelegations: call('GET', '/users/delegations', {
    permission: 'signed_in',
    summary: ['Who stands in for me, and for whom I stand in', 'من ينوب عني ومن أنوب عنه'],
    response: z.object({
      data: z.array(delegation),
      /** Rights that can be delegated. */
      meta: z.object({ rights: z.array(option) }),
    }),
    personal: true,
  }),
  addDelegation: call('PUT', '/users/delegations', {
    permission: 'signed_in',
    summary: ['Let somebody stand in for me', 'تفويض من ينوب عني'],
    body: z.strictObject({
      /** Of the account that stands in. */
      email: z.string().trim().min(3).max(200),
      permissions: z.array(z.string().max(100)).min(1).max(500),
      from_date: date,
      until_date: date,
      reason: safeText(400, 3),
    }),
    response: z.object({ data: z.object({ id }) }),
    confirm: 'password',
    personal: true,
    example: {
      email: 'dean.deputy@university.example',
      permissions: ['approve_control'],
      from_date: '2099-08-01',
      until_date: '2099-08-20',
      reason: 'Annual leave',
    },
  }),
  endDelegation: call('POST', '/users/delegations/{id}/end', {
    permission: 'signed_in',
    summary: ['Take a delegation back, or give it back', 'إنهاء تفويض'],
    response: z.object({ data: z.object({ id }) }),
    personal: true,
  }),
  actFor: call('POST', '/users/delegations/{id}/act', {
    permission: 'signed_in',
    summary: ['Act for the person who delegated', 'العمل نيابةً عن المفوِّض'],
    response: z.object({ data: z.object({ token: z.string(), user: currentUser }) }),
    reads: true,
    personal: true,
  }),
}
