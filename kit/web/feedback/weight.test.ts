import { describe, expect, test } from 'vitest'
import { isTyped, wantedFor } from './weight.tsx'

describe('how heavy an act is', () => {
  const whom = (count: number) => ({ whom: { count, names: ['Mona'] } })

  test('of many their number is typed where it is heavy; of few, or of what is light, nothing', () => {
    expect(wantedFor({ heavy: true, ...whom(1500) })).toBe('1500')
    expect(wantedFor({ heavy: true, ...whom(25) })).toBe('25')
    expect(wantedFor({ heavy: true, ...whom(24) })).toBeNull()
    expect(wantedFor(whom(1500))).toBeNull()
    expect(wantedFor({ heavy: true })).toBeNull()
  })
  test('the name, where one is asked for, in any case', () => {
    expect(wantedFor({ typeName: 'Canopus' })).toBe('Canopus')
    expect(wantedFor({ typeName: 'Canopus', heavy: true, ...whom(1500) })).toBe('Canopus')
    expect(isTyped('Canopus', 'canopus')).toBe(false)
  })
  test('a number may be written in the reader’s digits, and with separators', () => {
    for (const typed of ['1500', '1,500', '1 500', '١٥٠٠', '١٬٥٠٠', '1.500'])
      expect(isTyped('1500', typed), typed).toBe(true)
    for (const typed of ['', '150', '15000', 'all']) expect(isTyped('1500', typed), typed).toBe(false)
    expect(isTyped(null, '')).toBe(true)
  })
})
