import { addDays, addMonths } from '#kit/contract/day.ts'
import { expect, it } from 'vitest'
import {
  checkAsked,
  checkParts,
  newParts,
  oldestOpen,
  planOutcome,
  sliceParts,
  spreadPlan,
  standingParts,
  type AskedPlan,
} from './plan.rules.ts'

const TODAY = '2026-11-28'
const day = (n: number) => addDays(TODAY, n)
const ASKED: AskedPlan = {
  parts: 3,
  first_day: day(10),
  today: TODAY,
  limits: { most_parts: 6, first_days: 30 },
  open: 10_000,
  reversed: false,
  asked: false,
  running: false,
}

it('equal parts a month apart in whole units, the last with what is left over', () => {
  expect(spreadPlan(1_000_01, 3, '2027-01-31')).toEqual([
    { amount: 333_00, due_date: '2027-01-31' },
    { amount: 333_00, due_date: '2027-02-28' },
    { amount: 334_01, due_date: '2027-03-31' },
  ])
  expect(spreadPlan(50, 1, TODAY)).toEqual([{ amount: 50, due_date: TODAY }])
  expect(addMonths('2027-12-31', 2)).toBe('2028-02-29')
})

it('is asked for within limits, of what is open and in no other plan', () => {
  const codes = (more: Partial<AskedPlan>) => checkAsked({ ...ASKED, ...more }).map((one) => one.code)
  expect(codes({})).toEqual([])
  expect(codes({ parts: 6, first_day: day(30) })).toEqual([])
  expect(codes({ parts: 7, first_day: day(31) })).toEqual(['plan_most_parts', 'plan_first_far'])
  expect(codes({ first_day: day(-1) })).toEqual(['plan_day_over'])
  expect(codes({ first_day: TODAY })).toEqual([])
  expect(codes({ open: 0 })).toEqual(['plan_nothing_open'])
  expect(codes({ reversed: true })).toEqual(['plan_nothing_open'])
  expect(codes({ asked: true })).toEqual(['plan_asked'])
  expect(codes({ running: true, open: 0 })).toEqual(['plan_running'])
  expect(codes({ open: 299 })).toEqual(['plan_parts_small'])
  expect(codes({ open: 300 })).toEqual([])
})

it('is agreed on in parts that are together what is open, each later than the one before', () => {
  const codes = (...parts: (readonly [number, number])[]) =>
    checkParts(
      parts.map(([amount, n]) => ({ amount, due_date: day(n) })),
      { open: 10_000, currency: 'EGP', today: TODAY },
    ).map((one) => one.code)
  expect(codes([4000, 0], [6000, 1])).toEqual([])
  expect(codes([4000, 0], [6001, 1])).toEqual(['plan_sum'])
  expect(codes([10_000, -1])).toEqual(['plan_day_over'])
  expect(codes([4000, 5], [6000, 5])).toEqual(['plan_days_order'])
  expect(codes([10_000, 3], [0, 5])).toEqual(['plan_part_nothing'])
  expect(codes([10_000, 800])).toEqual(['plan_last_far'])
  expect(codes(...Array.from({ length: 13 }, (_, i) => [i ? 100 : 8800, i] as const))).toEqual(['plan_most_parts'])
  expect(codes(...Array.from({ length: 12 }, (_, i) => [i ? 100 : 8900, i] as const))).toEqual([])
  expect(checkParts([], { open: 0, currency: 'EGP', today: TODAY })).toEqual([{ code: 'plan_nothing_open' }])
})

it('stands with the invoices in the order in which money settles them', () => {
  const slices = sliceParts(
    [
      { id: 9, open: 4000 },
      { id: 4, open: 6000 },
    ],
    [
      { amount: 5000, due_date: day(1) },
      { amount: 5000, due_date: day(31) },
    ],
  )
  expect([...slices]).toEqual([
    [
      4,
      [
        { amount: 5000, due_date: day(1) },
        { amount: 1000, due_date: day(31) },
      ],
    ],
    [9, [{ amount: 4000, due_date: day(31) }]],
  ])
})

it('what is paid and was due before stays; what is paid of the rest stands in the first part', () => {
  const parts = [
    { id: 1, amount: 2000, due_date: day(-40) },
    { id: 2, amount: 5000, due_date: day(-9) },
    { id: 3, amount: 3000, due_date: day(20) },
  ]
  const slices = [
    { amount: 3500, due_date: day(3) },
    { amount: 3500, due_date: day(33) },
  ]
  expect(newParts({ parts, settled: 3000 }, slices)).toEqual([
    parts[0],
    { amount: 4500, due_date: day(3) },
    { amount: 3500, due_date: day(33) },
  ])
  // Paid ahead of its day: no part comes before one that is paid.
  expect(newParts({ parts: [parts[2]!], settled: 3000 }, [{ amount: 7000, due_date: day(3) }])).toEqual([
    { amount: 10_000, due_date: day(3) },
  ])
  expect(newParts({ parts: [parts[0]!], settled: 2000 }, [{ amount: 10, due_date: day(3) }])).toEqual([
    parts[0],
    { amount: 10, due_date: day(3) },
  ])
})

it('is kept when nothing is owed, broken some days after an unpaid part, and not while money is on its way', () => {
  const of = (late: number, settled: number, more: object = {}) =>
    planOutcome(
      [
        {
          parts: [
            { amount: 100, due_date: day(-late) },
            { amount: 100, due_date: day(30) },
          ],
          settled,
          under_way: false,
          ...more,
        },
        { parts: [{ amount: 50, due_date: day(-90) }], settled: 50, under_way: false },
      ],
      { today: TODAY, grace: 5 },
    )
  expect(of(9, 200)).toBe('kept')
  expect(of(90, 100)).toBeNull()
  expect(of(5, 99)).toBeNull()
  expect(of(6, 99)).toBe('broken')
  expect(of(6, 99, { under_way: true })).toBeNull()
  expect(oldestOpen({ parts: [{ amount: 50, due_date: day(1) }], settled: 50 })).toBeNull()
})

it('its parts are shown by day over all invoices, without what was paid before it', () => {
  const before = [
    { amount: 2000, due_date: day(-40) },
    { amount: 8000, due_date: day(9) },
  ]
  expect(
    standingParts([
      {
        before,
        settled: 2500,
        parts: [before[0]!, { amount: 5000, due_date: day(1) }, { amount: 3000, due_date: day(31) }],
      },
      { before: [{ amount: 900, due_date: day(2) }], settled: 0, parts: [{ amount: 900, due_date: day(31) }] },
    ]),
  ).toEqual([
    { due_date: day(1), amount: 5000, paid: 500 },
    { due_date: day(31), amount: 3900, paid: 0 },
  ])
})
