import { expect, it } from 'vitest'
import { amountIn, moneyIn, moneyText } from './money.ts'

it('an amount that travels as text is read as it was written, and nothing else is one', () => {
  for (const [minor, currency] of [
    [125_050, 'EGP'],
    [-5, 'USD'],
    [7, 'JPY'],
    [1_234, 'KWD'],
  ] as const)
    expect(amountIn(moneyText(minor, currency))).toEqual({ minor, currency })
  for (const text of ['204 LAB', '12.5 EGP', '1.234 EGP', '7.00 JPY', '1,250.50 EGP', '12.50 egp', 'EGP', ''])
    expect(amountIn(text), text).toBeNull()
})

it('an amount in Arabic ends without the dot of its currency, so that a sentence ends with one', () => {
  for (const minor of [350_000, -350_000])
    for (const currency of ['EGP', 'AED', 'KWD'])
      expect(moneyIn(minor, currency, 'ar-EG-u-nu-latn')).not.toMatch(/\.\u200f?$/)
  expect(
    moneyIn(350_000, 'EGP', 'ar-EG-u-nu-latn')
      .replaceAll(/[\u200f\u00a0]/g, ' ')
      .trim(),
  ).toBe('3,500.00 ج.م')
  expect(moneyIn(350_000, 'EGP', 'en')).toContain('3,500.00')
})
