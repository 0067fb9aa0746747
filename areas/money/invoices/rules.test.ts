import { describe, expect, it } from 'vitest'
import { changeInstalments, checkInstalments, checkNote, invoiceState, settledOf } from './invoice.rules.ts'

const days = ['2026-01-01', '2026-02-01', '2026-03-01']
const parts = (...amounts: number[]) => amounts.map((amount, i) => ({ amount, due_date: days[i]! }))
const amounts = (of: readonly { amount: number }[]) => of.map((one) => one.amount)
const total = (of: readonly { amount: number }[]) => of.reduce((sum, one) => sum + one.amount, 0)

describe('an invoice', () => {
  it.each([
    [{ charged: 100, settled: 0, reversed: false }, 'unpaid'],
    [{ charged: 100, settled: 1, reversed: false }, 'partially_paid'],
    [{ charged: 100, settled: 100, reversed: false }, 'paid'],
    [{ charged: 0, settled: 0, reversed: false }, 'paid'],
    [{ charged: 0, settled: 0, reversed: true }, 'reversed'],
  ] as const)('%o is %s', (facts, state) => expect(invoiceState(facts)).toBe(state))

  it('is not corrected below nothing, by nothing, or once it is reversed', () => {
    const of = { charged: 100, settled: 0, reversed: false, currency: 'EGP' }
    expect(checkNote({ ...of, change: -100 })).toEqual([])
    expect(checkNote({ ...of, change: -101 }).map((one) => one.code)).toEqual(['note_too_much'])
    expect(checkNote({ ...of, reversed: true, change: 0 }).map((one) => one.code)).toEqual([
      'invoice_is_reversed',
      'note_nothing',
    ])
  })
})

describe('instalments', () => {
  it('are settled one after the other', () => {
    expect(settledOf(parts(50, 30, 20), 60)).toEqual([50, 10, 0])
    expect(settledOf(parts(50, 30, 20), 0)).toEqual([0, 0, 0])
  })
  it.each([
    [[50, 50], 10, [50, 60]],
    [[50, 50], -20, [50, 30]],
    [[50, 50], -70, [30]],
    [[50, 50], -100, [0]],
  ])('%o changed by %i: %o', (from, by, to) => expect(amounts(changeInstalments(parts(...from), by))).toEqual(to))

  it('always make the whole, whatever is done to them', () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let run = 0; run < 3000; run++) {
      let of = parts(...Array.from({ length: 1 + random(3) }, () => 1 + random(1000)))
      for (let step = 0; step < 5; step++) {
        const before = total(of)
        const by = random(1200) - Math.min(600, before)
        of = changeInstalments(of, by)
        expect(total(of)).toBe(before + by)
        expect(of.length).toBeGreaterThan(0)
        expect(of.every((one) => one.amount >= 0)).toBe(true)
      }
    }
  })
  it('are checked together', () => {
    const codes = (of: ReturnType<typeof parts>, whole: number) => checkInstalments(of, whole).map((one) => one.code)
    expect(codes(parts(50, 50), 100)).toEqual([])
    expect(codes(parts(50, 40), 100)).toEqual(['installments_differ'])
    expect(codes(parts(100, 0), 100)).toEqual(['installment_nothing'])
    expect(codes(parts(0), 0)).toEqual([])
    expect(codes(parts(50, 50).toReversed(), 100)).toEqual(['installments_order'])
    // Nor two of one day.
    expect(codes([...parts(50), ...parts(50)], 100)).toEqual(['installments_order'])
    expect(codes([...parts(25, 25, 25), { amount: 25, due_date: '2027-01-01' }], 100)).toEqual(['installments_count'])
    expect(codes([], 0)).toEqual(['installments_count'])
  })
})
