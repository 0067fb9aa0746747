import { expect, test } from 'vitest'
import { maskNames, MASK } from './mask.rules.ts'
import { effectSize, momentsOf, quantileOfT, strengths, whyNoResults } from './stats.rules.ts'

test.each([
  [4, 2.776],
  [9, 2.262],
  [29, 2.045],
  [1000, 1.962],
])('t of %i degrees of freedom', (degrees, expected) =>
  expect(Math.abs(quantileOfT(degrees) - expected)).toBeLessThan(0.01),
)

test('mean, deviation and interval of a sample', () => {
  const moments = momentsOf({ 2: 1, 4: 3, 5: 1 })
  expect(moments).toMatchObject({ n: 5, mean: 3.8 })
  expect(moments?.deviation).toBeCloseTo(1.0954, 4)
  expect(moments?.interval?.[0]).toBeCloseTo(2.44, 2)
  expect(moments?.interval?.[1]).toBeCloseTo(5.16, 2)
  // Nobody can answer beyond the ends of a scale, so the mean of all cannot lie there.
  expect(momentsOf({ 2: 1, 4: 3, 5: 1 }, 5)?.interval).toEqual([moments?.interval?.[0], 5])
  expect(momentsOf({ 1: 4, 2: 1 }, 5)?.interval?.[0]).toBe(1)
  expect(momentsOf({})).toBe(null)
  expect(momentsOf({ 3: 1 })).toEqual({ n: 1, mean: 3, deviation: null, interval: null })
  expect(momentsOf({ 3: 6 })).toEqual({ n: 6, mean: 3, deviation: 0, interval: [3, 3] })
})

test('effect size in deviations, corrected for small samples', () => {
  const low = momentsOf({ 2: 5, 3: 5 })
  const high = momentsOf({ 3: 5, 4: 5 })
  expect(effectSize(high, low)).toBeCloseTo(1.897 * (1 - 3 / 71), 2)
  expect(effectSize(low, high)).toBeCloseTo(-1.897 * (1 - 3 / 71), 2)
  expect(effectSize(momentsOf({ 3: 5 }), momentsOf({ 3: 9 }))).toBe(null)
  expect(effectSize(low, null)).toBe(null)
})

test('strengths and weaknesses, the clearest first; with a warning where few answered', () =>
  expect(
    strengths([
      { key: 'a', n: 30, effect: 0.3 },
      { key: 'b', n: 6, effect: 0.9 },
      { key: 'c', n: 30, effect: -0.5 },
      { key: 'd', n: 30, effect: 0.19 },
      { key: 'e', n: 30, effect: null },
    ]),
  ).toEqual({
    strong: [
      { key: 'b', effect: 0.9, few: true },
      { key: 'a', effect: 0.3, few: false },
    ],
    weak: [{ key: 'c', effect: -0.5, few: false }],
  }))

test.each([
  [{ teaches: false, control_status: 'Draft', counted: true }, null],
  [{ teaches: false, control_status: null, counted: false }, 'results_not_counted'],
  [{ teaches: true, control_status: 'Approved', counted: true }, 'results_marks_first'],
  [{ teaches: true, control_status: 'Published', counted: true }, null],
  [{ teaches: true, control_status: 'Frozen', counted: true }, null],
  [{ teaches: true, control_status: 'Published', counted: false }, 'results_not_counted'],
] as const)('%o: %s', (ask, expected) => expect(whyNoResults(ask)).toBe(expected))

test.each([
  ['Dr. Mona was late.', `Dr. ${MASK} was late.`],
  ['mona and MONA', `${MASK} and ${MASK}`],
  ['Harmonate', 'Harmonate'],
  ['الدكتور أحمد متعاون', `الدكتور ${MASK} متعاون`],
  ['شكرا لأحمد واحمد', `شكرا ${MASK} ${MASK}`],
  ['عبد من العباد', 'عبد من العباد'],
  ['Élise helped', `${MASK} helped`],
  ['no name here', 'no name here'],
])('names of persons are masked: %s', (text, expected) =>
  expect(maskNames(text, ['Mona El Sayed', 'أحمد عبد السيد', 'Elise'])).toBe(expected),
)
