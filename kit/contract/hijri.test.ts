import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from './day.ts'
import { correctionProblem, formatHijri, fromHijri, hijri, hijriMonthStart, ummAlQura } from './hijri.ts'
import type { HijriCorrection, HijriDay } from './hijri.ts'

const place = ({ year, month, day }: HijriDay): number => (year * 12 + month) * 40 + day
/** Days of which Umm al-Qura says something. */
const day = fc.integer({ min: 0, max: 100_000 }).map((n) => addDays('1890-01-01', n))
/** Corrections that leave a calendar: each is tried on those before it. */
const table = fc
  .array(fc.record({ months: fc.integer({ min: 0, max: 40 }), shift: fc.constantFrom(-1, 1) }), { maxLength: 12 })
  .map((tries) =>
    tries.reduce<HijriCorrection[]>((kept, { months, shift }) => {
      const of = { year: 1446 + Math.floor(months / 12), month: (months % 12) + 1 }
      if (kept.some((one) => one.year === of.year && one.month === of.month)) return kept
      const next = { ...of, first_day: addDays(hijriMonthStart(of), shift) }
      const all = [...kept, next]
      return all.every((one) => correctionProblem(one, all) === null) ? all : kept
    }, []),
  )
const near = fc.integer({ min: -60, max: 1300 }).map((n) => addDays('2024-07-07', n))

describe('Umm al-Qura', () => {
  test.each([
    ['1882-11-12', { year: 1300, month: 1, day: 1 }],
    ['1979-11-21', { year: 1400, month: 1, day: 1 }],
    ['2024-07-07', { year: 1446, month: 1, day: 1 }],
    ['2025-03-01', { year: 1446, month: 9, day: 1 }],
    ['2026-06-16', { year: 1448, month: 1, day: 1 }],
    ['2026-11-22', { year: 1448, month: 6, day: 12 }],
  ] as const)('%s', (text, of) => {
    expect(hijri(text)).toEqual(of)
    expect(ummAlQura(text)).toEqual(of)
  })
  test('there and back, and day after day', () => {
    fc.assert(
      fc.property(day, (text) => {
        expect(fromHijri(hijri(text))).toBe(text)
        const [here, next] = [hijri(text), hijri(addDays(text, 1))]
        expect(place(next)).toBeGreaterThan(place(here))
        expect(next.day).toBe(next.month === here.month ? here.day + 1 : 1)
      }),
    )
  })
  test('a day that no month has is none', () => {
    expect(fromHijri({ year: 1446, month: 13, day: 1 })).toBeNull()
    const lengths = Array.from({ length: 12 }, (_, i) => fromHijri({ year: 1446, month: i + 1, day: 30 }))
    expect(lengths.filter((one) => one === null).length).toBeGreaterThan(4)
  })
})

describe('a month that began otherwise', () => {
  // In Egypt the moon of Ramadan 1447 was sighted a day later.
  const later = { year: 1447, month: 9, first_day: '2026-02-19' }
  test('begins on the day that is said, and the month before ends there', () => {
    expect(hijri('2026-02-19')).toEqual({ year: 1447, month: 9, day: 2 })
    expect(hijri('2026-02-19', [later])).toEqual({ year: 1447, month: 9, day: 1 })
    expect(hijri('2026-02-18', [later])).toEqual({ year: 1447, month: 8, day: 30 })
    expect(hijri('2026-04-01', [later])).toEqual(hijri('2026-04-01'))
    expect(fromHijri({ year: 1447, month: 9, day: 30 }, [later])).toBeNull()
  })
  test('there and back, and day after day, with any table that leaves a calendar', () => {
    fc.assert(
      fc.property(table, near, (corrections, text) => {
        const [here, next] = [hijri(text, corrections), hijri(addDays(text, 1), corrections)]
        expect(fromHijri(here, corrections)).toBe(text)
        expect(next.day).toBe(next.month === here.month ? here.day + 1 : 1)
        expect(here.day).toBeLessThanOrEqual(30)
        if (next.day === 1) expect([29, 30]).toContain(here.day)
      }),
    )
  })
  test('is refused where it is far from the reckoning, or makes a month of 28 or 31 days', () => {
    const far = { year: 1446, month: 9, first_day: '2025-03-09' }
    expect(correctionProblem(far, [])).toEqual({ code: 'hijri_far', data: { day: '2025-03-01' } })
    const wrong = Array.from({ length: 24 }, (_, i) => ({
      year: 1446 + Math.floor(i / 12),
      month: (i % 12) + 1,
    })).flatMap((of) =>
      [-1, 1].map((shift) => correctionProblem({ ...of, first_day: addDays(hijriMonthStart(of), shift) }, [])?.code),
    )
    expect(new Set(wrong)).toEqual(new Set(['hijri_length', undefined]))
  })
})

test('is written in the words of the language, with Latin digits', () => {
  const of = hijri('2026-11-22')
  expect(formatHijri(of, 'ar-EG')).toBe('12 جمادى الآخرة 1448 هـ')
  expect(formatHijri(of, 'en-GB')).toMatch(/^12 Jumada II 1448 AH$/)
  expect(formatHijri(of, 'de')).toMatch(/^12 Dschumada II 1448 AH$/)
})
