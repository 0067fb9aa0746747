import { describe, expect, it } from 'vitest'
import { settledOf } from './invoice.rules.ts'
import { editPart, heirOf, removePart, splitPart, type PartsStanding, type PartsChanged } from './parts.rules.ts'

const today = '2026-06-15'
const DAYS = ['2026-01-01', '2026-07-01', '2026-08-01', '2026-09-01']
/** PartsStanding due in turn, the first `over` of them before today. */
const standing = (amounts: readonly number[], { settled = 0, over = 0 } = {}): PartsStanding => ({
  parts: amounts.map((amount, i) => ({ id: i + 1, amount, due_date: i < over ? `2026-0${i + 1}-01` : DAYS[i + 1]! })),
  settled,
  currency: 'EGP',
  today,
})
const said = ({ parts, reasons }: PartsChanged) =>
  reasons.length ? reasons.map((one) => one.code).join(' ') : parts.map((one) => one.amount).join(' ')

it('of an invoice that a plan to pay left with five they are changed like others, and a sixth is not split off', () => {
  const of: PartsStanding = {
    parts: Array.from({ length: 5 }, (_, i) => ({
      id: i + 1,
      amount: 20,
      due_date: `2026-${String(i + 7).padStart(2, '0')}-01`,
    })),
    settled: 0,
    currency: 'EGP',
    today,
  }
  expect(said(editPart(of, 0, { amount: 10 }))).toBe('10 30 20 20 20')
  expect(said(removePart(of, 4))).toBe('20 20 20 40')
  expect(said(splitPart(of, { amount: 5, due_date: '2027-03-01' }))).toBe('installments_count')
})

describe('an instalment that is changed', () => {
  it.each<[string, number[], { settled?: number; over?: number }, number, number, string]>([
    ['what the first leaves is the second’s', [50, 50], {}, 0, 30, '30 70'],
    ['of three the next one is the rest', [40, 30, 30], {}, 0, 20, '20 50 30'],
    ['the third stays when the first grows', [40, 30, 30], {}, 0, 60, '60 10 30'],
    ['no more than what the next one gives', [40, 30, 30], {}, 0, 70, 'installment_most'],
    ['99,999,999 takes nothing away', [40, 30, 30], {}, 0, 9_999_999_999, 'installment_most'],
    ['of the last the one before follows', [50, 50], {}, 1, 70, '30 70'],
    ['and takes what it leaves', [50, 50], {}, 1, 20, '80 20'],
    ['but not when its day is over', [50, 50], { over: 1 }, 1, 20, 'installment_rest'],
    ['nor when it is paid', [50, 50], { settled: 50 }, 1, 20, 'installment_rest'],
    ['a paid one gives nothing', [50, 50], { settled: 50 }, 1, 60, 'installment_most'],
    ['of a paid one nothing changes', [50, 50], { settled: 50 }, 0, 40, 'installment_paid'],
    ['what is paid of it stays', [50, 50], { settled: 20 }, 0, 10, 'installment_least'],
    ['and can be all of it', [50, 50], { settled: 20 }, 0, 20, '20 80'],
    ['one whose day is over does not grow', [50, 50], { over: 1 }, 0, 60, 'installment_over'],
    ['it can be relieved', [50, 50], { over: 1 }, 0, 10, '10 90'],
    ['a later one that is over takes nothing: the next does', [40, 30, 30], { over: 2 }, 0, 10, '10 30 60'],
    ['the only one leaves a rest that nobody takes', [100], {}, 0, 60, 'installment_rest'],
    ['nor can it be more than it is', [100], {}, 0, 150, 'installment_most'],
    ['the same again is nothing', [50, 50], {}, 0, 50, 'installment_same'],
  ])('%s', (_, amounts, how, at, amount, wanted) => {
    expect(said(editPart(standing(amounts, how), at, { amount }))).toBe(wanted)
  })
  it('leaves a part of its own where its day is told, at most three', () => {
    expect(said(editPart(standing([100]), 0, { amount: 60, rest_due_date: '2026-10-01' }))).toBe('60 40')
    expect(said(editPart(standing([50, 50]), 0, { amount: 20, rest_due_date: '2026-10-01' }))).toBe('20 50 30')
    expect(said(editPart(standing([40, 30, 30]), 0, { amount: 20, rest_due_date: '2026-10-01' }))).toBe(
      'installments_count',
    )
    expect(said(editPart(standing([100]), 0, { amount: 60, rest_due_date: '2026-06-01' }))).toContain(
      'installment_day_over',
    )
  })
  it('moves to another day, not past its neighbours, not back before today, and grows once it is to come', () => {
    const of = standing([50, 50], { over: 1 })
    expect(said(editPart(of, 0, { due_date: '2026-06-20' }))).toBe('50 50')
    expect(said(editPart(of, 0, { due_date: '2026-06-20', amount: 60 }))).toBe('60 40')
    expect(said(editPart(of, 0, { due_date: '2026-08-01' }))).toBe('installments_order')
    expect(said(editPart(of, 0, { due_date: '2026-06-14' }))).toBe('installment_day_over')
    expect(said(editPart(standing([50, 50], { settled: 50 }), 0, { due_date: '2026-07-02' }))).toBe(
      'installment_day_of_paid',
    )
  })
})

describe('an instalment that is split off', () => {
  it.each<[string, number[], { settled?: number; over?: number }, number, string]>([
    ['comes off the last one', [60, 40], {}, 10, '60 30 10'],
    ['or off the one that has so much', [60, 40], {}, 50, '10 40 50'],
    ['never all of one', [60, 40], {}, 60, 'installment_most'],
    ['not of what is paid', [100], { settled: 70 }, 31, 'installment_most'],
    ['of what is open', [100], { settled: 70 }, 30, '70 30'],
    ['of a paid invoice nothing', [100], { settled: 100 }, 1, 'installment_most'],
    ['three are enough', [40, 30, 30], {}, 10, 'installments_count'],
  ])('%s', (_, amounts, how, amount, wanted) => {
    expect(said(splitPart(standing(amounts, how), { amount, due_date: '2026-10-01' }))).toBe(wanted)
  })
  it('does not come before one that is paid', () => {
    const of = standing([50, 50], { settled: 50 })
    expect(said(splitPart(of, { amount: 10, due_date: '2026-06-20' }))).toBe('installment_before_paid')
    expect(said(splitPart(of, { amount: 10, due_date: '2026-07-20' }))).toBe('50 10 40')
  })
})

describe('an instalment that is removed', () => {
  it.each<[string, number[], { settled?: number; over?: number }, number, string]>([
    ['goes to the next one', [40, 30, 30], {}, 0, '70 30'],
    ['also from the middle', [40, 30, 30], {}, 1, '40 60'],
    ['of the last, to the one before', [50, 50], {}, 1, '100'],
    ['but never to one whose day is over', [50, 50], { over: 1 }, 1, 'installment_no_heir'],
    ['nor to one that is paid', [50, 50], { settled: 50 }, 1, 'installment_no_heir'],
    ['past one that is over to the next', [40, 30, 30], { over: 2 }, 0, '30 70'],
    ['a paid one stays', [50, 50], { settled: 50 }, 0, 'installment_paid'],
    ['the only one too', [50], {}, 0, 'installment_last'],
  ])('%s', (_, amounts, how, at, wanted) => {
    expect(said(removePart(standing(amounts, how), at))).toBe(wanted)
  })
})

it('whatever is done: the whole stays, what was paid stays paid, and nothing that is late or paid grows', () => {
  let seed = 11
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  let [made, refused] = [0, 0]
  for (let run = 0; run < 20_000; run++) {
    const amounts = Array.from({ length: 1 + random(3) }, () => 1 + random(900))
    const whole = amounts.reduce((sum, one) => sum + one, 0)
    const of = standing(amounts, { settled: random(2) ? 0 : random(whole + 1), over: random(amounts.length + 1) })
    const at = random(of.parts.length)
    const day = () => `2026-${['06-15', '06-20', '07-15', '08-20', '12-01', '05-01'][random(6)]!}`
    const amount = 1 + random(1200)
    const { parts, reasons } = [
      () =>
        editPart(of, at, {
          ...(random(4) ? { amount } : {}),
          ...(random(3) ? {} : { due_date: day() }),
          ...(random(3) ? {} : { rest_due_date: day() }),
        }),
      () => splitPart(of, { amount, due_date: day() }),
      () => removePart(of, at),
    ][random(3)]!()
    expect(parts.reduce((sum, one) => sum + one.amount, 0)).toBe(whole)
    if (reasons.length) {
      refused++
      expect(parts).toBe(of.parts)
      continue
    }
    made++
    const [before, after] = [settledOf(of.parts, of.settled), settledOf(parts, of.settled)]
    for (const [i, part] of of.parts.entries()) {
      const place = parts.findIndex((one) => one.id === part.id)
      const paid = before[i]! >= part.amount
      if (paid) expect(parts[place]).toEqual(part)
      if (paid) expect(after[place]).toBe(part.amount)
      if (place >= 0 && parts[place]!.due_date < today) expect(parts[place]!.amount).toBeLessThanOrEqual(part.amount)
    }
    expect(parts.length).toBeGreaterThan(0)
    expect(parts.every((one) => one.amount > 0)).toBe(true)
    for (const one of parts) if (one.id === undefined) expect(one.due_date >= today).toBe(true)
    // Of the parts that were there one goes at most, and only by being removed.
    expect(of.parts.filter((one) => !parts.some((is) => is.id === one.id)).length).toBeLessThanOrEqual(1)
  }
  expect([made > 3000, refused > 3000]).toEqual([true, true])
  expect(heirOf(standing([1]), 0)).toBeNull()
})
