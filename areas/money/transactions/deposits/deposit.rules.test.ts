import { expect, test } from 'vitest'
import {
  applyGrants,
  priceLines,
  type FeeItem,
  type PayerFacts,
  type PricedSettings,
} from '#areas/money/fees/pricing.rules.ts'
import { checkReverse } from '#areas/money/invoices/invoice.rules.ts'
import { draftLines } from '#areas/money/invoices/next/draft.rules.ts'
import { checkRefund } from '../moves/back.rules.ts'
import { checkReturn, depositState, type DepositFacts } from './deposit.rules.ts'

const facts: DepositFacts = { currency: 'EGP', held: 2000, owed: 0, status: 'graduated', back_to_dismissed: false }
test.each<[string, Partial<DepositFacts>, boolean, string[]]>([
  ['who graduated', {}, false, []],
  ['who withdrew', { status: 'withdrawn' }, false, []],
  ['who went elsewhere', { status: 'transferred' }, true, []],
  ['who studies', { status: 'studying' }, true, ['deposit_studies']],
  ['who is suspended', { status: 'suspended' }, true, ['deposit_studies']],
  ['who was dismissed', { status: 'dismissed' }, true, ['deposit_dismissed']],
  ['who was dismissed, where they get it', { status: 'dismissed', back_to_dismissed: true }, false, []],
  ['of whom nothing is held', { held: 0 }, true, ['deposit_none']],
  ['who owes', { owed: 1 }, false, ['deposit_owed']],
  ['who owes, set off', { owed: 5000 }, true, []],
  [
    'with all of it',
    { held: 0, owed: 1, status: 'studying' },
    false,
    ['deposit_none', 'deposit_studies', 'deposit_owed'],
  ],
])('%s', (_, more, set_off, expected) =>
  expect(checkReturn({ ...facts, ...more }, { set_off }).map((one) => one.code)).toEqual(expected),
)

test.each<[Partial<DepositFacts>, string]>([
  [{}, 'to_return'],
  [{ held: 0 }, 'given_back'],
  [{ status: 'studying' }, 'held'],
  [{ status: 'dismissed' }, 'held'],
  [{ status: 'dismissed', back_to_dismissed: true }, 'to_return'],
])('%o is %s', (more, expected) => expect(depositState({ ...facts, ...more })).toBe(expected))

const item = (id: number, more: Partial<FeeItem> = {}): FeeItem => ({
  id,
  code: `I${id}`,
  name: `I${id}`,
  name_local: `I${id}`,
  type: 'services',
  is_automatic: true,
  ...more,
})
const nobody = { program_id: null, faculty_id: null, bylaw_id: null, level: null, nationality_group_id: null }
const settings: PricedSettings = {
  stacking: 'rest',
  grant_cap: 10_000,
  items: [item(1), item(2, { deposit: true })],
  prices: [1, 2].map((id) => ({
    ...nobody,
    id,
    item_id: id,
    per: 'term' as const,
    currency: 'EGP' as const,
    amount: 1000 * id,
  })),
}
const payer: PayerFacts = {
  program_id: 1,
  faculty_id: 1,
  bylaw_id: 1,
  level: 1,
  nationality_group: { id: 1, currency: 'EGP' },
  term_kind: 'fall',
  courses: [],
  grants: [
    {
      id: 1,
      scholarship: { id: 1, name: 'All', name_local: 'All' },
      percent: 10_000,
      amount: null,
      currency: null,
      types: ['services'],
      item_ids: [],
      priority: 1,
    },
  ],
}

test('it is charged to who enters, whatever the term is, once, and no scholarship takes it', () => {
  expect(priceLines(payer, settings).lines.map((line) => [line.item.id, line.amount])).toEqual([[1, 0]])
  const first = priceLines({ ...payer, entering: true }, settings)
  expect(first.lines.map((line) => [line.item.id, line.amount])).toEqual([
    [1, 0],
    [2, 2000],
  ])
  expect(
    priceLines({ ...payer, entering: true, term_kind: 'summer' }, settings).lines.map((line) => line.item.id),
  ).toEqual([2])
  expect(draftLines(first.lines).map((line) => [line.account, line.amount])).toEqual([
    ['services', 1000],
    ['scholarships', -1000],
    ['deposit', 2000],
  ])
  expect(applyGrants(first.lines, payer.grants, settings)[1]!.amount).toBe(2000)
})

test('an invoice whose deposit was given back is not reversed, and what was held is no payment that goes back', () => {
  const of = { charged: 10, settled: 0, reversed: false }
  expect(checkReverse({ ...of, deposit: { charged: 5, held: 5 } })).toEqual([])
  expect(checkReverse({ ...of, deposit: { charged: 5, held: 4 } })).toEqual([{ code: 'invoice_deposit_back' }])
  expect(
    checkRefund(
      {
        currency: 'EGP',
        amount: 5,
        refunded: 0,
        status: 'paid',
        direction: 'in',
        purpose: 'payment',
        way: 'deposit',
        settles: [],
        wallet: 5,
      },
      5,
    ),
  ).toEqual([{ code: 'refund_deposit' }])
})
