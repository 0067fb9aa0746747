import { describe, expect, it } from 'vitest'
import { agingOf } from '../account/account.rules.ts'
import { codesIn } from '../sponsorships/codes.rules.ts'
import {
  checkBeginning,
  checkWithdrawal,
  goesBack,
  itemsWith,
  paidOfLines,
  partsWithBack,
  sharesOf,
  type ChargedItem,
  type ShareTerms,
} from './share.rules.ts'

const TUITION: ChargedItem = { item_id: 1, type: 'tuition', amount: 100_000 }
const HOURS: ChargedItem = { item_id: 2, type: 'hours', amount: 50_001 }
const terms = (id: number, more: Partial<ShareTerms> = {}): ShareTerms => ({
  id,
  percent: 5_000,
  amount: null,
  types: [],
  item_ids: [],
  invoice_cap: null,
  year_cap: null,
  used: 0,
  kept: null,
  ...more,
})
const shares = (items: readonly ChargedItem[], ...of: ShareTerms[]) => [...sharesOf(items, of).values()]

describe('what sponsors take over', () => {
  it.each<[string, ChargedItem[], ShareTerms[], number[]]>([
    ['half of all, each item rounded half up', [TUITION, HOURS], [terms(1)], [75_001]],
    ['one kind of items', [TUITION, HOURS], [terms(1, { types: ['hours'] })], [25_001]],
    ['one item', [TUITION, HOURS], [terms(1, { item_ids: [1] })], [50_000]],
    ['a kind, and an item beside it', [TUITION, HOURS], [terms(1, { types: ['hours'], item_ids: [1] })], [75_001]],
    ['an item that is not charged', [TUITION], [terms(1, { item_ids: [9] })], [0]],
    ['an amount', [TUITION, HOURS], [terms(1, { percent: null, amount: 30_000 })], [30_000]],
    ['an amount above what is charged', [HOURS], [terms(1, { percent: null, amount: 90_000 })], [50_001]],
    ['no more than the cap of an invoice', [TUITION], [terms(1, { invoice_cap: 20_000 })], [20_000]],
    ['no more than what is left of the year', [TUITION], [terms(1, { year_cap: 60_000, used: 45_000 })], [15_000]],
    ['nothing when the year is used up', [TUITION], [terms(1, { year_cap: 60_000, used: 70_000 })], [0]],
    ['two that are more than the whole', [TUITION], [terms(1, { percent: 8_000 }), terms(2)], [80_000, 20_000]],
    [
      'the second one of what is left of an item',
      [TUITION, HOURS],
      [terms(1, { percent: 10_000, types: ['tuition'] }), terms(2, { percent: 10_000 })],
      [100_000, 50_001],
    ],
    [
      'what a sponsor had paid before comes first',
      [TUITION],
      [terms(1, { percent: 10_000 }), terms(2, { kept: 30_000 })],
      [30_000, 70_000],
    ],
    [
      'what was taken off more than charged limits all',
      [TUITION, { item_id: null, type: 'services', amount: -40_000 }],
      [terms(1, { percent: 10_000 })],
      [60_000],
    ],
    ['nothing of nothing', [], [terms(1)], [0]],
  ])('%s', (_, items, of, expected) => {
    expect(shares(items, ...of)).toEqual(expected)
  })

  it('never take over more together than is charged, whatever they agreed to', () => {
    let seed = 7
    const int = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      return seed % (most + 1)
    }
    for (let n = 0; n < 3_000; n++) {
      const items = Array.from({ length: int(4) }, (_, i): ChargedItem => ({
        item_id: int(3) ? i : null,
        type: ['tuition', 'hours', 'services'][int(2)]!,
        amount: int(90_000) - (int(5) ? 0 : 60_000),
      }))
      const of = Array.from({ length: int(4) }, (_, i) =>
        terms(i + 1, {
          ...(int(1) ? { percent: int(10_000), amount: null } : { percent: null, amount: int(120_000) }),
          types: int(1) ? [] : [['tuition', 'hours', 'services'][int(2)]!],
          invoice_cap: int(2) ? null : int(50_000),
          year_cap: int(2) ? null : int(80_000),
          used: int(40_000),
          kept: int(5) ? null : int(60_000),
        }),
      )
      const got = sharesOf(items, of)
      const all = [...got.values()].reduce((sum, one) => sum + one, 0)
      const charged = Math.max(
        0,
        items.reduce((sum, one) => sum + one.amount, 0),
      )
      expect(all).toBeLessThanOrEqual(charged)
      for (const one of of) {
        const share = got.get(one.id)!
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(
          Math.min(one.kept ?? one.invoice_cap ?? Infinity, one.kept === null ? (one.amount ?? Infinity) : Infinity),
        )
        if (one.kept === null && one.year_cap !== null)
          expect(share).toBeLessThanOrEqual(Math.max(0, one.year_cap - one.used))
      }
    }
  })

  it('adds to an item what corrects it, and to others what is typed', () => {
    expect(itemsWith([TUITION], [{ item_id: 1, type: 'scholarships', amount: -10_000 }])).toEqual([
      { ...TUITION, amount: 90_000 },
    ])
    expect(itemsWith([TUITION], [{ item_id: null, type: 'services', amount: 5 }])).toEqual([
      TUITION,
      { item_id: null, type: 'services', amount: 5 },
    ])
  })
})

describe('what of lines is paid', () => {
  const lines = [
    { share_id: 1, amount: 100, closed: false },
    { share_id: 2, amount: 50, closed: true },
    { share_id: 3, amount: 151, closed: false },
  ]
  it.each<[number, 'oldest' | 'share', number[]]>([
    [0, 'oldest', [0, 0, 0]],
    [50, 'oldest', [0, 50, 0]],
    [120, 'oldest', [70, 50, 0]],
    [160, 'oldest', [100, 50, 10]],
    [301, 'oldest', [100, 50, 151]],
    [50, 'share', [0, 50, 0]],
    [51, 'share', [0, 50, 1]],
    [100, 'share', [20, 50, 30]],
    [301, 'share', [100, 50, 151]],
    [400, 'share', [100, 50, 151]],
  ])('%d by %s', (settled, spread, expected) => {
    const paid = paidOfLines(lines, settled, spread)
    expect([1, 2, 3].map((id) => paid.get(id))).toEqual(expected)
  })
  it('adds up to what was paid, and no line is paid beyond what it charges', () => {
    for (let n = 0; n < 2_000; n++) {
      const some = Array.from({ length: 1 + (n % 7) }, (_, i) => ({
        share_id: i,
        amount: ((n + 3) * (i + 11) * 97) % 1_000,
        closed: (n + i) % 5 === 0,
      }))
      const whole = some.reduce((sum, one) => sum + one.amount, 0)
      const settled = (n * 131) % (whole + 50)
      for (const spread of ['oldest', 'share'] as const) {
        const paid = paidOfLines(some, settled, spread)
        expect([...paid.values()].reduce((sum, one) => sum + one, 0)).toBe(Math.min(whole, settled))
        for (const line of some) {
          expect(paid.get(line.share_id)!).toBeLessThanOrEqual(line.amount)
          expect(paid.get(line.share_id)!).toBeGreaterThanOrEqual(0)
        }
      }
    }
  })
})

describe('instalments to which something goes back', () => {
  const part = (id: number, amount: number, due_date: string) => ({ id, amount, due_date })
  it.each<[string, ReturnType<typeof part>[], unknown[]]>([
    ['nothing is left of it', [part(1, 0, '2026-09-01')], [{ amount: 500, due_date: '2026-12-15' }]],
    [
      'a part of its own',
      [part(1, 100, '2026-09-01')],
      [part(1, 100, '2026-09-01'), { amount: 500, due_date: '2026-12-15' }],
    ],
    [
      'before a later one',
      [part(1, 100, '2027-01-01')],
      [{ amount: 500, due_date: '2026-12-15' }, part(1, 100, '2027-01-01')],
    ],
    ['with one of that day', [part(1, 100, '2026-12-15')], [part(1, 600, '2026-12-15')]],
    [
      'with the next later one of three',
      [part(1, 1, '2026-09-01'), part(2, 2, '2027-01-01'), part(3, 3, '2027-03-01')],
      [part(1, 1, '2026-09-01'), part(2, 502, '2027-01-01'), part(3, 3, '2027-03-01')],
    ],
    [
      'the two earliest of three that are over become one',
      [part(1, 1, '2026-09-01'), part(2, 2, '2026-10-01'), part(3, 3, '2026-11-01')],
      [part(2, 3, '2026-10-01'), part(3, 3, '2026-11-01'), { amount: 500, due_date: '2026-12-15' }],
    ],
  ])('%s', (_, parts, expected) => {
    expect(partsWithBack(parts, 500, '2026-12-15')).toEqual(expected)
  })
  it('parts of a plan to pay stay as they were agreed, and what comes back is one more', () => {
    const parts = [part(1, 1, '2026-09-01'), part(2, 2, '2026-10-01'), part(3, 3, '2026-11-01')]
    const back = { amount: 500, due_date: '2026-12-15' }
    expect(partsWithBack(parts, 500, back.due_date, parts.length + 1)).toEqual([...parts, back])
  })
})

describe('withdrawing and beginning', () => {
  it('a term that is over stays the sponsor’s', () => {
    expect(goesBack({ end_date: '2026-10-31' }, '2026-11-01')).toBe(false)
    expect(goesBack({ end_date: '2026-11-01' }, '2026-11-01')).toBe(true)
    expect(goesBack(null, '2026-11-01')).toBe(true)
  })
  it('tells every reason', () => {
    const codes = (of: readonly { code: string }[]) => of.map((one) => one.code)
    const at = { today: '2026-11-10', running: 1 }
    expect(codes(checkWithdrawal({ day: '2026-11-10', due_on: '2026-11-10' }, at))).toEqual([])
    expect(codes(checkWithdrawal({ day: '2026-11-11', due_on: '2026-11-09' }, { ...at, running: 0 }))).toEqual([
      'withdrawal_day_ahead',
      'withdrawal_due_over',
      'withdrawal_of_nobody',
    ])
    expect(codes(checkBeginning({ sponsor_active: true, studying: true, status: 'offered' }))).toEqual([])
    expect(codes(checkBeginning({ sponsor_active: false, studying: false, status: 'active' }))).toEqual([
      'sponsorship_not_offered',
      'sponsor_not_active',
      'sponsorship_not_studying',
    ])
  })
  it('reads codes as they are pasted', () => {
    expect(codesIn('20260001, 20260002\n20260001؛ 20260003\n\n')).toEqual(['20260001', '20260002', '20260003'])
    expect(codesIn(' ')).toEqual([])
  })
  it('tells how late what is open is, and nothing is told twice', () => {
    const of = [-5, 0, 1, 30, 31, 60, 61, 90, 91, 400].map((late, i) => ({ late, open: 10 ** 0 * (i + 1) }))
    const aged = agingOf(of)
    expect(aged.map((one) => one.amount)).toEqual([3, 7, 11, 15, 19])
    expect(aged.reduce((sum, one) => sum + one.amount, 0)).toBe(55)
  })
})
