import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { checkDueDates, checkFine, dueDatesFor, fineFor, splitInstalments, type DueDate } from './instalments.rules.ts'
import {
  applyGrants,
  CRITERIA,
  shareOfAmount,
  priceFor,
  priceKey,
  priceLines,
  specificity,
  type Criteria,
  type FeeItem,
  type GrantFacts,
  type PayerFacts,
  type PricedSettings,
  type PriceRow,
} from './pricing.rules.ts'
import { checkPrices, differences, type PriceNames } from './settings/settings.rules.ts'

const item = (id: number, type: FeeItem['type'], is_automatic = true): FeeItem => ({
  id,
  code: `I${id}`,
  name: `Item ${id}`,
  name_local: `بند ${id}`,
  type,
  is_automatic,
})
const HOURS = item(1, 'hours')
const TUITION = item(2, 'tuition')
const SUMMER = item(3, 'summer')
const CERTIFICATE = item(4, 'certificates', false)
let n = 0
const price = (given: Partial<PriceRow> = {}): PriceRow => ({
  id: ++n,
  item_id: 1,
  program_id: null,
  faculty_id: null,
  level: null,
  bylaw_id: null,
  nationality_group_id: null,
  currency: 'EGP',
  amount: 100_000,
  per: 'hour',
  ...given,
})
const settings = (prices: readonly PriceRow[], more: Partial<PricedSettings> = {}): PricedSettings => ({
  items: [HOURS, TUITION, SUMMER, CERTIFICATE],
  prices,
  stacking: 'rest',
  grant_cap: 10_000,
  ...more,
})
const course = (hours: number, charged = 10_000, code = 'CS101') => ({ registration_id: 7, code, hours, charged })
const payer = (given: Partial<PayerFacts> = {}): PayerFacts => ({
  program_id: 10,
  faculty_id: 20,
  bylaw_id: 30,
  level: 1,
  nationality_group: { id: 1, currency: 'EGP' },
  term_kind: 'fall',
  courses: [course(300)],
  grants: [],
  ...given,
})
const grant = (given: Partial<GrantFacts> = {}): GrantFacts => ({
  id: 1,
  scholarship: { id: 1, name: 'Merit', name_local: 'تفوق' },
  percent: 5000,
  amount: null,
  currency: null,
  types: ['hours', 'tuition'],
  item_ids: [],
  priority: 100,
  ...given,
})
const codes = (reasons: readonly { code: string }[]) => reasons.map((one) => one.code)

describe('the price that wins', () => {
  const facts: Criteria = { nationality_group_id: 1, program_id: 10, bylaw_id: 30, faculty_id: 20, level: 1 }
  it.each([
    [
      'a nationality group before everything else',
      { nationality_group_id: 1 },
      { program_id: 10, bylaw_id: 30, faculty_id: 20, level: 1 },
    ],
    ['a program before bylaw, faculty and level', { program_id: 10 }, { bylaw_id: 30, faculty_id: 20, level: 1 }],
    ['a bylaw before faculty and level', { bylaw_id: 30 }, { faculty_id: 20, level: 1 }],
    ['a faculty before a level', { faculty_id: 20 }, { level: 1 }],
    ['a level before what is for all', { level: 1 }, {}],
    ['more criteria before one of them', { program_id: 10, level: 1 }, { program_id: 10 }],
  ])('%s', (_, wins, loses) => {
    const rows = [price(loses), price(wins)]
    expect(priceFor(rows, facts, 'EGP').row).toBe(rows[1])
    expect(priceFor(rows.toReversed(), facts, 'EGP').row).toBe(rows[1])
  })
  it('is none of another level, faculty or currency; a row of the group counts in its own currency', () => {
    expect(priceFor([price({ level: 2 })], facts, 'EGP').row).toBe(null)
    expect(priceFor([price({ faculty_id: 21 })], facts, 'EGP').row).toBe(null)
    expect(priceFor([price({ currency: 'USD' })], facts, 'EGP').row).toBe(null)
    expect(priceFor([price({ currency: 'USD', nationality_group_id: 1 })], facts, 'EGP').row).not.toBe(null)
  })

  const some = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: null })
  const row = fc.record({
    nationality_group_id: some(2),
    program_id: some(2),
    bylaw_id: some(2),
    faculty_id: some(2),
    level: some(2),
    currency: fc.constantFrom('EGP' as const, 'USD' as const),
  })
  const who = fc.record({
    nationality_group_id: fc.integer({ min: 1, max: 2 }),
    program_id: fc.integer({ min: 1, max: 2 }),
    bylaw_id: fc.integer({ min: 1, max: 2 }),
    faculty_id: fc.integer({ min: 1, max: 2 }),
    level: fc.integer({ min: 1, max: 2 }),
  })
  test('is the same in whatever order rows stand, and there is never more than one where none are equal', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { maxLength: 12, selector: (one) => priceKey({ item_id: 1, ...one }) }),
        who,
        (rows, facts) => {
          const made = rows.map((one, i) => price({ ...one, id: i + 1 }))
          const { row: won, equal } = priceFor(made, facts, 'EGP')
          expect(priceFor(made.toReversed(), facts, 'EGP').row).toBe(won)
          expect(equal.length).toBeLessThanOrEqual(1)
          const known: Criteria = facts
          for (const one of made) {
            const fits = CRITERIA.every((name) => (one[name] ?? null) === null || one[name] === known[name])
            if (fits && (one.nationality_group_id !== null || one.currency === 'EGP'))
              expect(specificity(won!)).toBeGreaterThanOrEqual(specificity(one))
          }
        },
      ),
      { numRuns: 300 },
    )
  })
  test('two rows that could be equal for somebody are refused, and only those', () => {
    fc.assert(
      fc.property(row, row, who, (a, b, facts) => {
        const rows = [price({ ...a, id: 1 }), price({ ...b, id: 2 })]
        const names: PriceNames = {
          items: new Map([[1, HOURS]]),
          programs: new Map(),
          bylaws: new Map(),
          banks: new Map(),
        }
        const refused = codes(checkPrices(rows, names)).includes('fee_prices_equal')
        const clash = (['EGP', 'USD'] as const).some((currency) => priceFor(rows, facts, currency).equal.length > 1)
        if (clash) expect(refused).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('lines of an invoice', () => {
  it('are hours times the price, rounded half up', () => {
    const { lines, amount, currency, reasons } = priceLines(
      payer({ courses: [course(300), course(150, 10_000, 'CS102')] }),
      settings([price({ amount: 333 })]),
    )
    expect(reasons).toEqual([])
    expect([lines[0]!.quantity, lines[0]!.gross, amount, currency]).toEqual([450, 1499, 1499, 'EGP'])
    expect(lines[0]!.words).toEqual({
      en: 'Item 1: 4.5 credit hours × 3.33 EGP',
      ar: 'بند 1: 4.5 ساعة معتمدة × 3.33 ج.م',
    })
  })
  it('count a withdrawn course by what it still costs, in a line of its own; nothing where it costs nothing', () => {
    const { lines } = priceLines(
      payer({ courses: [course(300), course(300, 2500, 'CS102'), course(300, 0, 'CS103')] }),
      settings([price()]),
    )
    expect(lines.map((line) => [line.quantity, line.charged, line.gross])).toEqual([
      [300, 10_000, 300_000],
      [300, 2500, 75_000],
    ])
    expect(lines[1]!.words.en).toContain('25% for CS102')
  })
  it('charge a year once, a term each time, and in summer only what is of the summer', () => {
    const all = settings([price({ item_id: 2, per: 'year' }), price(), price({ item_id: 3, amount: 5 })])
    expect(priceLines(payer(), all).lines.map((line) => line.item.id)).toEqual([2, 1])
    expect(priceLines(payer({ charged_items: [2] }), all).lines.map((line) => line.item.id)).toEqual([1])
    expect(priceLines(payer({ term_kind: 'summer' }), all).lines.map((line) => line.item.id)).toEqual([3])
  })
  it('have what is of late registration for those alone who registered late', () => {
    const LATE = { ...item(9, 'services'), late_only: true }
    const prices = [price(), price({ item_id: 9, per: 'term', amount: 25_000 })]
    const items = (facts: Partial<PayerFacts>) =>
      priceLines(payer({ courses: [course(300)], ...facts }), settings(prices, { items: [HOURS, LATE] })).lines.map(
        (line) => line.item.id,
      )
    expect([items({}), items({ late: false }), items({ late: true })]).toEqual([[1], [1], [1, 9]])
    expect(items({ late: true, only_asked: true })).toEqual([])
  })
  it('have what is asked for, so often; alone where only that is wanted', () => {
    const all = settings([price(), price({ item_id: 4, per: 'copy', amount: 2500 })])
    const asked = [{ item_id: 4, quantity: 3 }]
    expect(priceLines(payer({ asked }), all).lines.map((line) => [line.item.id, line.gross])).toEqual([
      [1, 300_000],
      [4, 7500],
    ])
    expect(priceLines(payer({ asked, only_asked: true }), all).amount).toBe(7500)
    expect(codes(priceLines(payer({ asked: [{ item_id: 99, quantity: 1 }] }), all).reasons)).toEqual([
      'fee_item_unknown',
    ])
  })
  it('say every reason why they cannot be computed', () => {
    const of = (prices: readonly PriceRow[], given: Partial<PayerFacts> = {}) =>
      codes(priceLines(payer(given), settings(prices)).reasons)
    expect(of([price()], { nationality_group: null })).toEqual(['fee_no_nationality'])
    expect(of([price({ level: 2 })])).toEqual(['fee_no_price_for_level'])
    expect(of([price({ level: 2 })], { level: null })).toEqual(['fee_no_level'])
    expect(of([price({ currency: 'USD' })])).toEqual(['fee_no_price_in_currency'])
    expect(of([price({ nationality_group_id: 2 })])).toEqual(['fee_no_price_for_nationality'])
    expect(of([price({ faculty_id: 21 })])).toEqual(['fee_nothing_priced'])
    // What is asked for concerns whoever asks.
    const paper = { asked: [{ item_id: CERTIFICATE.id, quantity: 1 }], only_asked: true }
    expect(of([price({ item_id: CERTIFICATE.id, per: 'copy', faculty_id: 21 })], paper)).toEqual(['fee_no_price'])
    expect(of([price(), price({ item_id: 2, per: 'year', currency: 'USD', nationality_group_id: 1 })])).toEqual([
      'fee_two_currencies',
    ])
    expect(of([price(), price({ item_id: 2, level: 3, per: 'year' })])).toEqual(['fee_no_price_for_level'])
    expect(of([price(), price()])).toEqual(['fee_prices_equal'])
    // What is priced for another faculty does not concern the payer; no course is no reason.
    expect(of([price(), price({ item_id: 2, faculty_id: 21, per: 'year' })])).toEqual([])
    expect(of([price()], { courses: [] })).toEqual([])
  })
})

describe('grants', () => {
  const lines = (gross: number) => [{ item: HOURS, type: 'hours' as const, gross, currency: 'EGP' as const }]
  const amounts = (grants: readonly GrantFacts[], stacking: 'rest' | 'full', grant_cap = 10_000) =>
    applyGrants(lines(100_000), grants, { stacking, grant_cap })[0]!.grants.map((one) => one.amount)
  it('are taken of the rest or of the whole, in their order, up to the cap', () => {
    const two = [grant({ id: 2, percent: 1000 }), grant({ id: 1, percent: 5000, priority: 5 })]
    expect(amounts(two, 'rest')).toEqual([50_000, 5000])
    expect(amounts(two, 'full')).toEqual([50_000, 10_000])
    expect(amounts(two, 'full', 5500)).toEqual([50_000, 5000])
    expect(amounts(two, 'full', 0)).toEqual([])
  })
  it('reduce what they are for; an amount is spent once and in its currency', () => {
    expect(amounts([grant({ types: ['tuition'] })], 'full')).toEqual([])
    expect(amounts([grant({ item_ids: [2] })], 'full')).toEqual([])
    const fixed = grant({ percent: null, amount: 30_000, currency: 'EGP' })
    expect(amounts([fixed], 'full')).toEqual([30_000])
    expect(amounts([{ ...fixed, used: 20_000 }], 'full')).toEqual([10_000])
    expect(amounts([{ ...fixed, currency: 'USD' }], 'full')).toEqual([])
    const both = applyGrants([...lines(20_000), ...lines(20_000)], [fixed], { stacking: 'full', grant_cap: 10_000 })
    expect(both.map((line) => line.amount)).toEqual([0, 10_000])
  })
  test('never take more than the cap of a line, whatever they are', () => {
    const any = fc.record({
      id: fc.integer({ min: 1, max: 1000 }),
      percent: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: null }),
      fixed: fc.integer({ min: 1, max: 10_000_000 }),
      priority: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9_999_999 }), { maxLength: 4 }),
        fc.array(any, { maxLength: 6 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.constantFrom('rest' as const, 'full' as const),
        (grosses, given, grant_cap, stacking) => {
          const grants = given.map(({ fixed, ...one }) =>
            grant({ ...one, ...(one.percent === null ? { amount: fixed, currency: 'EGP' } : {}) }),
          )
          const out = applyGrants(grosses.flatMap(lines), grants, { stacking, grant_cap })
          for (const line of out) {
            const taken = line.grants.reduce((sum, one) => sum + one.amount, 0)
            expect(line.amount).toBe(line.gross - taken)
            expect(taken).toBeLessThanOrEqual(shareOfAmount(line.gross, grant_cap, 10_000))
            expect(line.amount).toBeGreaterThanOrEqual(0)
          }
        },
      ),
    )
  })
})

describe('instalments', () => {
  test('always add up to the total, each within one unit of its share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000 }),
        fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 3 }),
        (total, shares) => {
          const parts = splitInstalments(total, { shares })
          const all = shares.reduce((a, b) => a + b, 0)
          expect(parts.reduce((a, b) => a + b, 0)).toBe(total)
          parts.forEach((part, i) => expect(Math.abs(part - (total * shares[i]!) / all)).toBeLessThanOrEqual(1))
        },
      ),
    )
  })
  test('by amounts: the first is capped at the total, the last is what remains, none is below nothing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.array(fc.integer({ min: -5, max: 2_000_000 }), { minLength: 1, maxLength: 3 }),
        (total, amounts) => {
          const parts = splitInstalments(total, { amounts })
          expect(parts.reduce((a, b) => a + b, 0)).toBe(total)
          for (const part of parts) expect(part).toBeGreaterThanOrEqual(0)
        },
      ),
    )
    expect(splitInstalments(1000, { amounts: [300, 0] })).toEqual([300, 700])
    expect(splitInstalments(1000, { amounts: [1500, 0] })).toEqual([1000, 0])
    expect(splitInstalments(1000, { amounts: [300, 300, 0] })).toEqual([300, 300, 400])
    expect(splitInstalments(100, { shares: [1, 1, 1] })).toEqual([33, 34, 33])
    expect(() => splitInstalments(1000, { shares: [1, 1, 1, 1] })).toThrow('1 to 3')
  })
  const due = (given: Partial<DueDate> = {}): DueDate => ({
    id: ++n,
    type: 'hours',
    instalment: 1,
    due_on: '2026-10-01',
    share: 1000,
    term_kind: null,
    faculty_id: null,
    level: null,
    ...given,
  })
  it('are due by the most telling days', () => {
    const rows = [
      due(),
      due({ faculty_id: 20 }),
      due({ term_kind: 'fall', share: 400 }),
      due({ term_kind: 'fall', share: 600, instalment: 2, due_on: '2026-12-01' }),
    ]
    const who = { term_kind: 'fall', faculty_id: 20, level: 1 } as const
    expect(dueDatesFor('hours', who, rows)).toEqual([rows[2], rows[3]])
    expect(dueDatesFor('hours', { ...who, term_kind: 'spring' }, rows)).toEqual([rows[1]])
    expect(dueDatesFor('hours', { ...who, term_kind: 'spring', faculty_id: 21 }, rows)).toEqual([rows[0]])
    expect(dueDatesFor('summer', who, rows)).toEqual([])
  })
  it('follow each other and make the whole', () => {
    expect(checkDueDates([due({ share: 500 }), due({ instalment: 2, share: 500, due_on: '2026-12-01' })])).toEqual([])
    expect(codes(checkDueDates([due({ instalment: 2 })]))).toEqual(['fee_instalments_order'])
    expect(codes(checkDueDates([due({ share: 500 }), due({ instalment: 2, share: 500 })]))).toEqual(['fee_due_order'])
    expect(codes(checkDueDates([due({ share: 999 })]))).toEqual(['fee_shares_whole'])
  })
})

describe('fines', () => {
  const rule = {
    steps: [
      { from_days: 30, amount: null, per_mille: 50 },
      { from_days: 1, amount: 10_000, per_mille: null },
    ],
    cap: 40_000,
  }
  it.each([
    [0, 500_000, 0],
    [1, 500_000, 10_000],
    [29, 500_000, 10_000],
    [30, 500_000, 25_000],
    [60, 900_000, 40_000],
    [5, 4000, 4000],
    [5, 0, 0],
    [30, 333, 17],
  ])('%i days late with %i overdue: %i', (days, overdue, fine) => {
    expect(fineFor(rule, overdue, days)).toBe(fine)
  })
  it('do not fall for who is later, and have one of amount and share', () => {
    const step = { from_days: 1, amount: 100, per_mille: null }
    const of = (...steps: { from_days: number; amount: number | null; per_mille: number | null }[]) =>
      codes(checkFine({ currency: 'EGP', cap: null, steps }))
    expect(of(step, { ...step, from_days: 2 })).toEqual([])
    expect(of(step, { ...step, from_days: 2, amount: 99 })).toEqual(['fee_fine_falls'])
    expect(of(step, step)).toEqual(['fee_fine_days_twice'])
    expect(of({ ...step, per_mille: 3 })).toEqual(['fee_fine_one_of'])
  })
})

describe('settings', () => {
  const names: PriceNames = {
    items: new Map([HOURS, TUITION].map((one) => [one.id, one])),
    programs: new Map([[10, { faculty_id: 20, bylaw_id: 30 }]]),
    bylaws: new Map([
      [30, { faculty_id: 20 }],
      [31, { faculty_id: 21 }],
    ]),
    banks: new Map([[1, 'EGP']]),
  }
  it('refuse prices for nobody and those counted by what their item is not', () => {
    expect(checkPrices([price({ program_id: 10, faculty_id: 20, bylaw_id: 30 })], names)).toEqual([])
    expect(codes(checkPrices([price({ program_id: 10, faculty_id: 21 })], names))).toEqual(['fee_price_for_nobody'])
    expect(codes(checkPrices([price({ program_id: 10, bylaw_id: 31 })], names))).toEqual(['fee_price_for_nobody'])
    expect(codes(checkPrices([price({ bylaw_id: 31, faculty_id: 20 })], names))).toEqual(['fee_price_for_nobody'])
    expect(codes(checkPrices([price({ per: 'year' })], names))).toEqual(['fee_counted_by'])
    expect(checkPrices([price(), price()], names)[0]!.data).toMatchObject({ rows: '1, 2' })
  })
  it('tell how versions differ, row by row', () => {
    const one = price()
    const two = price({ level: 1 })
    const rows = {
      prices: [one, two],
      due_dates: [],
      fines: [],
      accounts: [],
      stacking: 'rest',
      grant_cap: 10_000,
    } as const
    expect(differences(rows, rows)).toEqual([])
    const three = price({ level: 2 })
    const after = { ...rows, prices: [{ ...one, amount: 1 }, three], stacking: 'full' as const }
    expect(differences(rows, after).map(({ part, before, after: now }) => [part, before?.amount, now?.amount])).toEqual(
      [
        ['prices', 100_000, 1],
        ['prices', undefined, 100_000],
        ['prices', 100_000, undefined],
        ['stacking', undefined, undefined],
      ],
    )
  })
})

describe('prices as universities have them', () => {
  const of = (facts: Partial<PayerFacts>, prices: readonly PriceRow[]) => {
    const { lines, reasons } = priceLines(payer(facts), settings(prices))
    return reasons.length ? codes(reasons) : lines.map((line) => [line.item.code, line.rule, line.quantity, line.gross])
  }
  test('a cohort keeps its price: the year of entry wins over the level, and loses to the faculty', () => {
    const [all, cohort, faculty] = [
      price({ amount: 300, level: 1 }),
      price({ amount: 200, entry_year_id: 5 }),
      price({ amount: 100, faculty_id: 20 }),
    ]
    expect(of({ entry_year_id: 5 }, [all, cohort])).toEqual([['I1', cohort.id, 300, 600]])
    expect(of({ entry_year_id: 6 }, [all, cohort])).toEqual([['I1', all.id, 300, 900]])
    expect(of({}, [all, cohort])).toEqual([['I1', all.id, 300, 900]])
    expect(of({ entry_year_id: 5 }, [all, cohort, faculty])).toEqual([['I1', faculty.id, 300, 300]])
    // Who entered in no known year has no price of a cohort, and it is not theirs.
    expect(of({}, [cohort])).toEqual(['fee_nothing_priced'])
  })
  test('a laboratory costs what its course says, a repeated course its own rate, all others the usual one', () => {
    const [usual, lab, repeat] = [
      price({ amount: 100 }),
      price({ amount: 50_000, per: 'course', course_id: 9 }),
      price({ amount: 40, repeats: true }),
    ]
    const courses = [
      { ...course(300, 10_000, 'A'), registration_id: 1, course_id: 8 },
      { ...course(200, 10_000, 'LAB'), registration_id: 2, course_id: 9 },
      { ...course(400, 10_000, 'R'), registration_id: 3, course_id: 10, repeats: true },
    ]
    expect(of({ courses }, [usual, lab, repeat])).toEqual([
      ['I1', usual.id, 300, 300],
      ['I1', lab.id, 100, 50_000],
      ['I1', repeat.id, 400, 160],
    ])
    // A course that is repeated and has a price of its own has that one.
    const [again] = courses.slice(1)
    expect(of({ courses: [{ ...again!, repeats: true }] }, [usual, lab, repeat])).toEqual([['I1', lab.id, 100, 50_000]])
    // An item that only a course has concerns nobody without it, and is no reason against an invoice.
    const only = price({ item_id: 2, per: 'course', course_id: 9, amount: 7 })
    expect(of({ courses: courses.slice(0, 1) }, [usual, only])).toEqual([['I1', usual.id, 300, 300]])
    expect(of({ courses: courses.slice(0, 2) }, [usual, only])).toContainEqual(['I2', only.id, 100, 7])
    const { lines } = priceLines(payer({ courses }), settings([usual, lab, repeat]))
    expect(lines.map((line) => line.words.en)).toEqual([
      'Item 1: 3 credit hours × 1.00 EGP',
      'Item 1: 1 course × 500.00 EGP, for LAB',
      'Item 1: 4 credit hours × 0.40 EGP, for R',
    ])
  })
  const band = { from: 1200, to: 1800, amount: 1_000_000 }
  test.each([
    [900, 900_000],
    [1100, 1_000_000],
    [1200, 1_000_000],
    [1800, 1_000_000],
    [1900, 1_100_000],
  ])('%i hundredths of an hour cost %i in a flat band', (hours, cost) => {
    const flat = price({ amount: 100_000, flat: band })
    expect(of({ courses: [course(hours)] }, [flat])).toEqual([['I1', flat.id, 100, cost]])
  })
  test('withdrawn hours count in a band as far as they are charged', () => {
    const flat = price({ amount: 100_000, flat: band })
    const courses = [course(600), { ...course(300, 5000, 'W'), registration_id: 8 }]
    expect(of({ courses }, [flat])).toEqual([['I1', flat.id, 100, 750_000]])
  })
  test('a flat price never falls with more hours, and leaving a course never costs more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 50, max: 600 }), fc.integer({ min: 0, max: 10_000 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.integer({ min: 1, max: 300_000 }),
        fc.integer({ min: 100, max: 1500 }),
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 0, max: 2_000_000 }),
        (made, rate, from, wide, amount) => {
          const flat = price({ amount: rate, flat: { from, to: from + wide, amount } })
          const cost = (courses: readonly (readonly [number, number])[]) =>
            priceLines(
              payer({
                courses: courses.map(([hours, charged], i) => ({ ...course(hours, charged), registration_id: i })),
              }),
              settings([flat]),
            ).amount
          const whole = made.map(([hours]) => [hours, 10_000] as const)
          expect(cost(made)).toBeLessThanOrEqual(cost(whole))
          expect(cost(whole.slice(1))).toBeLessThanOrEqual(cost(whole))
          expect(Number.isInteger(cost(made))).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})
