import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, parseHex, scaleOf } from './colour.ts'

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)

describe('the accent of a university', () => {
  it('contrast is that of WCAG', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })
  it('is readable whatever was chosen: white on the solid step, the text steps on the light ones', () => {
    fc.assert(
      fc.property(anyColour, (hex) => {
        const scale = scaleOf(hex)
        expect(scale).toHaveLength(10)
        expect(contrast(scale[6], '#ffffff')).toBeGreaterThanOrEqual(4.5)
        expect(contrast(scale[7], scale[0])).toBeGreaterThanOrEqual(4.5)
        expect(contrast(scale[3], '#10141b')).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 400 },
    )
  })
  it('gets darker step by step', () => {
    fc.assert(
      fc.property(anyColour, (hex) => {
        const scale = scaleOf(hex).map((step) => contrast(step, '#ffffff'))
        for (let i = 1; i < scale.length; i++) expect(scale[i]!).toBeGreaterThanOrEqual(scale[i - 1]! - 0.02)
      }),
    )
  })
  it('reads colours, and only colours', () => {
    expect(parseHex('#fff')).toEqual([1, 1, 1])
    expect(parseHex('red')).toBeNull()
    expect(scaleOf('nonsense')).toEqual(scaleOf('#2f5fb3'))
  })
})
