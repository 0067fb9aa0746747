import { describe, expect, it } from 'vitest'
import { cellKey, cellText, choiceOf, dimensionsOf, filledWords, isWithin, readCell } from './cell.rules.ts'
import { changePercent, checkOffReturn, findingsOf, sameFinding, type FilledCell } from './finding.rules.ts'

const mistakeOf = (text: string) => {
  const asked = readCell(text)
  return asked.kind === 'mistake' ? asked.mistake : null
}
describe('the text of a cell', () => {
  it('asks for a figure by keys and codes', () => {
    const asked = readCell(' {{Students | faculty=ENG, SCI | Gender = female | sum=$B$5:c5}} ')
    expect(asked).toEqual({
      kind: 'figure',
      figure: {
        measure: 'students',
        filters: [
          { by: 'faculty', codes: ['ENG', 'SCI'] },
          { by: 'gender', codes: ['female'] },
        ],
        sum: 'B5:C5',
      },
    })
    if (asked.kind !== 'figure') throw new Error('no figure')
    expect(cellText(asked.figure)).toBe('{{students|faculty=ENG,SCI|gender=female|sum=B5:C5}}')
    const other = readCell('{{students|gender=FEMALE|faculty=sci,eng}}')
    expect(other.kind === 'figure' && cellKey(other.figure)).toBe(cellKey(asked.figure))
  })
  it.each([
    ['{{nobody}}', 'measure'],
    ['{{}}', 'measure'],
    ['{{constructor}}', 'measure'],
    ['{{students|course=1}}', 'filter'],
    ['{{students|id=1}}', 'filter'],
    ['{{students|faculty}}', 'broken'],
    ['{{students|faculty=}}', 'broken'],
    ['{{students|faculty=A,}}', 'broken'],
    ['{{students|faculty=A|faculty=B}}', 'broken'],
    ['{{students|faculty=A=B}}', 'broken'],
    ['{{students|sum=B5}}', 'broken'],
    ['{{students', 'broken'],
    ['All {{students}}', 'broken'],
    ['{{students}} {{people}}', 'broken'],
  ])('that cannot be read is said: %s', (text, kind) => expect(mistakeOf(text)?.kind).toBe(kind))
  it('may hold words of the return anywhere', () => {
    expect(readCell('Year {{year}} of {{ University }}')).toEqual({ kind: 'words' })
    const words = { year: '2026/2027', university: 'Canopus', term: '', day: '' }
    expect(filledWords('Year {{year}} of {{ University }}', words)).toBe('Year 2026/2027 of Canopus')
  })
  it('is narrowed by what any report of the same rows has', () => {
    expect(dimensionsOf('students').has('level')).toBe(true)
    expect(dimensionsOf('students').has('course')).toBe(false)
    expect(dimensionsOf('registered').has('term')).toBe(true)
  })
})
it('a word is found by its value, its name in either language, or its beginning', () => {
  expect(['female', 'F', 'أنثى', 'm', 'x', ''].map((code) => choiceOf('gender', code))).toEqual([
    2,
    2,
    2,
    1,
    null,
    null,
  ])
  expect([choiceOf('status', 'studying'), choiceOf('level', '3'), choiceOf('level', 'three')]).toEqual([
    'studying',
    3,
    null,
  ])
})
it('a cell lies in a range or not', () => {
  expect(['B5', 'F5', 'C6', 'A5', 'G5', 'AB5'].map((cell) => isWithin(cell, 'B5:F6'))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  expect(isWithin('AB5', 'Z5:AC5')).toBe(true)
})

const cell = (name: string, value: number | null, more: Partial<FilledCell> = {}): FilledCell => ({
  sheet: 'S',
  cell: name,
  text: '',
  key: name,
  value,
  before: null,
  sum: null,
  ...more,
})
describe('findings', () => {
  const kinds = (cells: FilledCell[], threshold: number | null = null) =>
    findingsOf(cells, [], threshold).map(({ kind, cell: at }) => `${at} ${kind}`)
  it('name empty cells and sums that do not match', () => {
    const parts = [cell('A1', 2.1), cell('B1', 3.2), cell('A1', 100, { sheet: 'Other' })]
    expect(kinds([...parts, cell('C1', 5.3, { sum: 'A1:C1' })])).toEqual([])
    expect(kinds([...parts, cell('C1', 5, { sum: 'A1:B1' })])).toEqual(['C1 sum'])
    expect(kinds([cell('A1', null)])).toEqual(['A1 empty'])
  })
  it('name changes beyond the threshold, in both directions', () => {
    const of = (before: number, now: number) => kinds([cell('A1', now, { before })], 10)
    expect([of(100, 110), of(100, 111), of(100, 89), of(0, 1), of(0, 0)].map(({ length }) => length)).toEqual([
      0, 1, 1, 1, 0,
    ])
    expect(kinds([cell('A1', 500, { before: 1 })])).toEqual([])
    expect([changePercent(100, 89), changePercent(-10, 10)]).toEqual([-11, 200])
  })
  it('are the same down to their figures', () => {
    const found = { kind: 'sum', sheet: 'S', cell: 'C1', data: { range: 'A1:B1', sum: 5, value: 4 } } as const
    expect(sameFinding(found, { ...found, data: { value: 4, sum: 5, range: 'A1:B1' } })).toBe(true)
    expect(sameFinding(found, { ...found, data: { ...found.data, sum: 6 } })).toBe(false)
  })
  it('stand against checking', () => {
    expect(checkOffReturn({ filled: false, open: 0 }).map(({ code }) => code)).toEqual(['return_not_filled'])
    expect(checkOffReturn({ filled: true, open: 2 }).map(({ code }) => code)).toEqual(['return_findings_open'])
    expect(checkOffReturn({ filled: true, open: 0 })).toEqual([])
  })
})
