import { expect, test } from 'vitest'
import { checkDrawer, checkReview } from './shift.rules.ts'

test('nobody hands out money that is not in the drawer', () => {
  const of = { holds: 10_000, currency: 'EGP' }
  expect(checkDrawer({ ...of, amount: 10_000 })).toEqual([])
  expect(checkDrawer({ ...of, amount: 10_001 })).toEqual([{ code: 'cash_drawer_short', data: { holds: '100.00 EGP' } }])
})

test('a difference is reviewed once, after closing, by somebody else', () => {
  const fine = { closed: true, differs: true, reviewed: false, own: false }
  const against = (part: Partial<typeof fine>) => checkReview({ ...fine, ...part }).map((one) => one.code)
  expect(against({})).toEqual([])
  expect(against({ closed: false, differs: false })).toEqual(['shift_not_closed'])
  expect(against({ differs: false })).toEqual(['shift_no_difference'])
  expect(against({ reviewed: true, own: true })).toEqual(['shift_review_stays', 'shift_review_own'])
})
