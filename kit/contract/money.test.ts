import { expect, it } from 'vitest'
import { amountIn, moneyText } from './money.ts'

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
