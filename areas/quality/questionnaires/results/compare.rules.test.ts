import { expect, test } from 'vitest'
import type { FormQuestion } from '../types/form.contract.ts'
import { answersOf, partOf, resultFiguresOf, restOf, sumAtoms, type ResultAtom } from './compare.rules.ts'

const atom = (question: string, counts: Record<string, number> | null, part = 0): ResultAtom => ({
  question,
  part,
  n: counts ? Object.values(counts).reduce((sum, times) => sum + times, 0) : 6,
  counts,
})
const sums = (...atoms: ResultAtom[]) => sumAtoms(atoms)
const text = { en: 'x', ar: 'x' }
const question = (of: Partial<FormQuestion>) =>
  ({ key: 'q', kind: 'rating', points: 5, text, options: [], rows: [], ...of }) as unknown as FormQuestion

test('sets are added up; of one in which all said the same only how many they were is known', () => {
  const [sum] = sums(atom('q', { 1: 2, 5: 4 }), atom('q', { 5: 3, 4: 3 }), atom('q', null)).values()
  expect(sum).toEqual({ question: 'q', part: 0, n: 18, sets: 2, counts: { 1: 2, 4: 3, 5: 7 } })
  expect([...sums(atom('q', { 1: 5 }), atom('q', { 1: 5 }, 1), atom('r', { 2: 5 })).keys()]).toEqual([
    'q 0',
    'q 1',
    'r 0',
  ])
})

test('what a set is compared with is everything but itself', () => {
  const [own] = sums(atom('q', { 1: 2, 5: 4 })).values()
  const [all] = sums(atom('q', { 1: 2, 5: 4 }), atom('q', { 5: 6 })).values()
  expect(restOf(all, own)).toEqual({ question: 'q', part: 0, n: 6, sets: 1, counts: { 1: 0, 5: 6 } })
  expect(restOf(undefined, own)).toBeNull()
  expect(restOf(all, undefined)).toBe(all)
  // Nothing of it is in the sum.
  const [hidden] = sums(atom('q', null)).values()
  expect(restOf(all, hidden)).toBe(all)
})

test('a mean is told of what has one, and beside others only where enough sets stand', () => {
  const form = [question({}), question({ key: 'c', kind: 'text' })]
  const own = sums(atom('q', { 1: 1, 5: 5 }), atom('c', { 1: 6 }))
  const of = (sets: number) => ({ question: 'q', part: 0, n: 60, sets, counts: { 3: 60 } })
  const few = resultFiguresOf(form, own, () => ({ department: of(1), faculty: of(2), before: of(1) })).figures
  expect(few.map(({ moments }) => moments?.mean ?? null)).toEqual([expect.closeTo(26 / 6, 5), null])
  expect([few[0]?.department, few[0]?.faculty, few[0]?.before]).toEqual([null, null, 3])
  const many = resultFiguresOf(form, own, () => ({ department: of(40), faculty: of(40), before: null })).figures
  expect([many[0]?.department, many[0]?.faculty, many[0]?.before]).toEqual([3, 3, null])
  expect(many[1]).toMatchObject({ question: 'c', moments: null, department: null, faculty: null })
})

test('figures stand in the order of the form, rows of a grid in theirs', () => {
  const form = [question({ key: 'g', kind: 'grid', rows: [text, text] as never }), question({ key: 'a' })]
  const own = sums(atom('a', { 1: 6 }), atom('g', { 2: 6 }, 2), atom('g', { 3: 6 }, 1))
  const { figures } = resultFiguresOf(form, own, () => ({ department: null, faculty: null, before: null }))
  expect(figures.map((one) => `${one.question}${one.part}`)).toEqual(['g1', 'g2', 'a0'])
})

test('answers that were possible', () => {
  expect(answersOf(question({ points: 4 as never }), { 9: 1 })).toEqual([1, 2, 3, 4])
  expect(answersOf(question({ kind: 'number' }), { 12: 1, 3: 2, 100: 1 })).toEqual([3, 12, 100])
  expect(answersOf(question({ kind: 'single', options: [text, text, text] as never }), {})).toEqual([1, 2, 3])
})

test('what a part of a figure is', () => {
  const one = { en: 'one', ar: '١' } as never
  expect(partOf(question({ kind: 'grid', rows: [one] }), 0)).toBeUndefined()
  expect(partOf(question({ kind: 'grid', rows: [one] }), 1)).toBe(one)
  expect(partOf(question({ kind: 'ranking', options: [one] }), 1)).toBe(one)
})
