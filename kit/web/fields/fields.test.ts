import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { addMonths, monthDays, parseDate, parseTime } from './dates.ts'
import { decimalText, latinDigits, majorText, minorUnits } from './digits.ts'

describe('numbers as typed', () => {
  it.each([
    ['١٢٫٥', '12.5'],
    ['۱۲', '12'],
    ['12,5', '12.5'],
    ['1,250.50', '1250.50'],
    ['1.250,50', '1250.50'],
    ['1 250', '1250'],
    ['007', '7'],
    ['-0', '0'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1,000,000', '1000000'],
    ['١٬٢٥٠', '1250'],
  ])('%s is %s', (typed, plain) => expect(decimalText(typed)).toBe(plain))
  it.each(['', 'abc', '1.2.3', '--1', '1e5', '=1+1'])('%j is none', (typed) => expect(decimalText(typed)).toBe(null))
  it('reads its own amounts back', () =>
    fc.assert(fc.property(fc.integer({ min: -1e12, max: 1e12 }), (n) => minorUnits(majorText(n)) === n)))
  it('refuses a third decimal of an amount', () => expect(minorUnits('1.005')).toBe(null))
  it('drops hidden direction marks', () => expect(latinDigits('\u200F١٢\u200E')).toBe('12'))
})

describe('dates as typed', () => {
  const today = new Date(2026, 10, 20)
  it.each([
    ['2026-11-20', '2026-11-20'],
    ['20/11/2026', '2026-11-20'],
    ['٢٠/١١/٢٠٢٦', '2026-11-20'],
    ['20.11.26', '2026-11-20'],
    ['1-2', '2026-02-01'],
    ['20112026', '2026-11-20'],
    ['3/4/98', '1998-04-03'],
    ['29/2/2028', '2028-02-29'],
  ])('%s is %s', (typed, iso) => expect(parseDate(typed, today)).toBe(iso))
  it.each(['2025-13-40', '29/2/2026', '31/4/2026', '11/20/2026', 'x', ''])('%j does not exist', (typed) =>
    expect(parseDate(typed, today)).toBe(null),
  )
  it.each([
    ['9', '09:00'],
    ['930', '09:30'],
    ['9:05', '09:05'],
    ['٢٣:٥٩', '23:59'],
    ['24:00', null],
    ['9:60', null],
  ])('time %s', (typed, time) => expect(parseTime(typed)).toBe(time))
  it('begins the week on Saturday', () => {
    expect(weekPlace('2026-11-21')).toBe(0)
    expect(weekPlace('2026-11-20')).toBe(6)
    expect(monthDays(2026, 11)).toHaveLength(42)
    expect(weekPlace(monthDays(2026, 11)[0]!)).toBe(0)
  })
  it('keeps a month end inside the month', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2026-01-31', -2)).toBe('2025-11-30')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  })
})
