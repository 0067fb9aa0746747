import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  divideRounded,
  fromHundredths,
  parseHundredths,
  printHundredths,
  roundPlaces,
  sumDecimals,
  toHundredths,
  trimHundredths,
} from './decimal.rules.ts'

test.each([
  ['0', 0],
  ['12', 1200],
  ['12.5', 1250],
  ['12.05', 1205],
  ['-0.01', -1],
  ['-0', 0],
  [' 3.25 ', 325],
])('%s is %i hundredths', (text, value) => expect(parseHundredths(text)).toBe(value))

test.each(['', '.5', '5.', '1.234', '1e2', 'A', '1,5', '--1', '0x1', '12345678901'])('%s is no decimal', (text) =>
  expect(parseHundredths(text)).toBeNull(),
)

test('printing and reading agree', () => {
  fc.assert(
    fc.property(fc.integer({ min: -99999999999, max: 99999999999 }), (value) => {
      expect(parseHundredths(printHundredths(value))).toBe(value)
      expect(parseHundredths(trimHundredths(value))).toBe(value)
    }),
  )
  expect([trimHundredths(300), trimHundredths(350), trimHundredths(1000), trimHundredths(0)]).toEqual([
    '3',
    '3.5',
    '10',
    '0',
  ])
})

const reference = (numerator: bigint, denominator: bigint): bigint => {
  const negative = numerator < 0n !== denominator < 0n
  const top = numerator < 0n ? -numerator : numerator
  const bottom = denominator < 0n ? -denominator : denominator
  const rounded = (2n * top + bottom) / (2n * bottom)
  return negative ? -rounded : rounded
}

test('division rounds halves away from zero, as exact rationals do', () => {
  const top = fc.integer({ min: -(2 ** 50), max: 2 ** 50 })
  const bottom = fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).filter((value) => value !== 0)
  fc.assert(
    fc.property(top, bottom, (numerator, denominator) => {
      expect(BigInt(divideRounded(numerator, denominator))).toBe(reference(BigInt(numerator), BigInt(denominator)))
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 1, max: 20 }), (numerator, denominator) => {
      expect(BigInt(divideRounded(numerator, denominator))).toBe(reference(BigInt(numerator), BigInt(denominator)))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  [5950, 0, 6000],
  [5949, 0, 5900],
  [5945, 1, 5950],
  [5944, 1, 5940],
  [5945, 2, 5945],
  [-5950, 0, -6000],
  [-5945, 1, -5950],
] as const)('%i to %i places is %i', (value, places, rounded) => expect(roundPlaces(value, places)).toBe(rounded))

test('sums of numbers with two places are those of exact decimals', () => {
  expect([sumDecimals([0.1, 0.2]), sumDecimals([1.1, 2.2, -3.3]), toHundredths(1.15)]).toEqual([0.3, 0, 115])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 }), (hours) => {
      const exact = hours.reduce((sum, one) => sum + BigInt(one), 0n)
      const total = sumDecimals(hours.map(fromHundredths))
      expect(parseHundredths(String(total))).toBe(Number(exact))
      expect(JSON.parse(JSON.stringify(total))).toBe(total)
    }),
  )
})
