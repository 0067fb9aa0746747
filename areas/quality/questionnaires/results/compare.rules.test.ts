import { describe, expect, test } from 'vitest'
import type { FormQuestion } from '../types/form.contract.ts'
import { answersOf, atomKey, partOf, restOf, resultFiguresOf, sumAtoms } from './compare.rules.ts'
import { FEWEST_SETS } from './stats.rules.ts'

const atom = (counts: Record<string, number> | null, more: object = {}) => ({
  question: 'q1',
  part: 0,
  n: counts ? Object.values(counts).reduce((sum, n) => sum + n, 0) : 4,
  counts,
  ...more,
})
const question = (more: Partial<FormQuestion>): FormQuestion =>
  ({
    key: 'q1',
    kind: 'rating',
    points: 5,
    options: [],
    rows: [],
    text: { en: 'Q' },
    ...more,
  }) as unknown as FormQuestion

describe('sums of answers', () => {
  test('add up by question and row; a set whose counts are not kept counts its people alone', () => {
    const sums = sumAtoms([atom({ 1: 2, 5: 1 }), atom({ 5: 3 }), atom(null), atom({ 2: 1 }, { part: 1 })])
    expect(sums.get('q1 0')).toEqual({ question: 'q1', part: 0, n: 10, sets: 2, counts: { 1: 2, 5: 4 } })
    expect(sums.get('q1 1')).toMatchObject({ n: 1, sets: 1, counts: { 2: 1 } })
  })

  test('without one of the sets are those of the others; one that is not in it takes nothing', () => {
    const [own, both] = [sumAtoms([atom({ 1: 2, 5: 1 })]), sumAtoms([atom({ 1: 2, 5: 1 }), atom({ 5: 3 })])]
    expect(restOf(both.get('q1 0'), own.get('q1 0'))).toMatchObject({ n: 3, sets: 1, counts: { 1: 0, 5: 3 } })
    expect(restOf(both.get('q1 0'), undefined)).toBe(both.get('q1 0'))
    expect(restOf(both.get('q1 0'), { ...own.get('q1 0')!, sets: 0 })).toBe(both.get('q1 0'))
    expect(restOf(undefined, own.get('q1 0'))).toBeNull()
  })
})

describe('figures', () => {
  const own = sumAtoms([atom({ 4: 10, 5: 10 })])
  const others = (sets: number) => ({ question: 'q1', part: 0, n: 60, sets, counts: { 2: 30, 3: 30 } })
  const figureOf = (kind: FormQuestion['kind'], sets = FEWEST_SETS) =>
    resultFiguresOf([question({ kind })], own, () => ({
      department: others(sets),
      faculty: others(sets),
      before: others(1),
    }))

  test('stand beside means of enough other sets, and of any earlier one', () => {
    expect(figureOf('rating').figures[0]).toMatchObject({
      n: 20,
      moments: { mean: 4.5 },
      department: 2.5,
      faculty: 2.5,
      before: 2.5,
    })
    // The mean of one other is somebody's own result.
    expect(figureOf('rating', FEWEST_SETS - 1).figures[0]).toMatchObject({
      department: null,
      faculty: null,
      before: 2.5,
    })
  })

  test('what lies far above the others is a strength; only what is judged by points can be one', () => {
    expect(figureOf('rating').strong.map(({ key }) => key)).toEqual(['q1 0'])
    expect(figureOf('rating', 1)).toMatchObject({ strong: [], weak: [] })
    expect(figureOf('number')).toMatchObject({ strong: [], weak: [] })
  })

  test('a choice has counts and no mean', () =>
    expect(figureOf('choice' as FormQuestion['kind']).figures[0]).toMatchObject({
      counts: { 4: 10, 5: 10 },
      moments: null,
      faculty: null,
    }))

  test('what is not kept is not shown, and a question without answers has no figure', () => {
    const hidden = resultFiguresOf([question({}), question({ key: 'q2' })], sumAtoms([atom(null)]), () => ({
      department: null,
      faculty: undefined,
      before: null,
    }))
    expect(hidden.figures).toMatchObject([{ question: 'q1', n: 4, counts: null, moments: null }])
  })

  test('rows of a grid come in their order', () => {
    const rows = sumAtoms([atom({ 1: 1 }, { part: 2 }), atom({ 2: 1 }, { part: 1 })])
    const { figures } = resultFiguresOf([question({ kind: 'grid' })], rows, () => ({
      department: null,
      faculty: null,
      before: null,
    }))
    expect(figures.map(atomKey)).toEqual(['q1 1', 'q1 2'])
  })
})

test('answers that were possible: points, options, and of a number those that were given, as numbers', () => {
  expect(answersOf(question({}), {})).toEqual([1, 2, 3, 4, 5])
  expect(answersOf(question({ kind: 'ranking', options: ['a', 'b'] as never }), { 9: 1 })).toEqual([1, 2])
  expect(answersOf(question({ kind: 'number' }), { 10: 1, 9: 2, 100: 1 })).toEqual([9, 10, 100])
})

test('a figure is about the question, a row of a grid or an option of a ranking', () => {
  const grid = question({ kind: 'grid', rows: ['row 1', 'row 2'] as never, options: ['option 1'] as never })
  expect([0, 1, 2, 3].map((part) => partOf(grid, part))).toEqual([undefined, 'row 1', 'row 2', undefined])
  expect(partOf({ ...grid, kind: 'ranking' }, 1)).toBe('option 1')
})
