import { expect, it } from 'vitest'
import { sizeOnPaper, widthOnPaper } from './paper.rules.ts'

it('a figure has the room it needs, a text that of its longest word', () => {
  expect(widthOnPaper('money', 'Paid', ['9,768,800.00', '28,616,710.00'])).toBe(15)
  expect(widthOnPaper('count', 'Students: Paid nothing', ['1'])).toBe(11)
  expect(widthOnPaper('text', 'Faculty', ['Faculty of Engineering and Computing'])).toBe(22)
  expect(widthOnPaper('text', 'Program', ['Pharmacognosy'])).toBe(15)
})
it('many wide columns are set in smaller letters, few are not made larger', () => {
  const sized = (columns: number) => sizeOnPaper(Array<number>(columns).fill(15))
  expect(sized(5)).toBe(8)
  expect(sized(15)).toBeLessThan(6)
  // As many letters stand across the page, whatever their size.
  expect(sized(15) * 15 * 15).toBeCloseTo(sized(12) * 12 * 15)
  expect(sized(60)).toBe(5)
})
