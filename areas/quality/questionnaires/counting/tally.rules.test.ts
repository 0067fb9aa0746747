import { expect, test } from 'vitest'
import type { FormAnswers, FormQuestion } from '../types/form.contract.ts'
import { tally } from './tally.rules.ts'

const words = (name: string) => ({ name, name_local: name })
const ask = (key: string, kind: FormQuestion['kind'], more: Partial<FormQuestion> = {}): FormQuestion => ({
  key,
  kind,
  revision: 1,
  section: null,
  text: words(key),
  points: 5,
  options: [],
  rows: [],
  required: false,
  min: null,
  max: null,
  condition: null,
  ...more,
})
const options = ['a', 'b', 'c'].map(words)
const FORM = [
  ask('r', 'rating'),
  ask('s', 'several', { options }),
  ask('g', 'grid', { rows: [words('x'), words('y')] }),
  ask('o', 'ranking', { options }),
  ask('t', 'text'),
]
const times = (n: number, answers: (i: number) => FormAnswers) => Array.from({ length: n }, (_, i) => answers(i))
const figure = (all: readonly FormAnswers[], question: string, part = 0, asked = 100) =>
  tally(FORM, all, asked)?.figures.find((one) => one.question === question && one.part === part) ?? null

test.each([
  [0, null],
  [4, null],
  [5, 5],
])('of %i answers: %s are counted', (n, answered) =>
  expect(
    tally(
      FORM,
      times(n, (i) => ({ r: (i % 5) + 1 })),
      100,
    )?.answered ?? null,
  ).toBe(answered),
)

test('a question that fewer than five of a set answered is not kept', () => {
  const all = times(12, (i): FormAnswers =>
    i < 4 ? { r: 1, t: 'few' } : i < 8 ? { s: [1] } : { g: [i === 8 ? 2 : null, 3] },
  )
  const { figures, comments } = tally(FORM, all, 100) ?? { figures: [{}], comments: [{}] }
  expect(figures).toEqual([])
  expect(comments).toEqual([])
})

test('each row of a grid counts by itself', () => {
  const all = times(9, (i) => ({ g: [i < 4 ? 1 : null, (i % 2) + 1] }))
  expect(figure(all, 'g', 1)).toBe(null)
  expect(figure(all, 'g', 2)).toEqual({ question: 'g', part: 2, n: 9, counts: { 1: 5, 2: 4 } })
})

test('several: how many answered, and how many chose each', () => {
  expect(
    figure(
      times(6, (i) => ({ s: i < 2 ? [1, 2] : [3] })),
      's',
    ),
  ).toEqual({
    question: 's',
    part: 0,
    n: 6,
    counts: { 1: 2, 2: 2, 3: 4 },
  })
})

test('a ranking: at which place each option stood', () => {
  const all = times(5, (i) => ({ o: i < 2 ? [3, 1, 2] : [1, 2, 3] }))
  expect(figure(all, 'o', 3)?.counts).toEqual({ 1: 2, 3: 3 })
  expect(figure(all, 'o', 1)?.counts).toEqual({ 1: 3, 2: 2 })
})

test('all who were asked said the same: how many, not what', () => {
  const alike = times(6, () => ({ r: 1, s: [2, 3] }))
  expect(figure(alike, 'r', 0, 6)).toEqual({ question: 'r', part: 0, n: 6, counts: null })
  expect(figure(alike, 's', 0, 6)).toMatchObject({ counts: null })
  // Somebody who was asked said nothing: nobody knows who.
  expect(figure(alike, 'r', 0, 7)).toMatchObject({ counts: { 1: 6 } })
  // One option was chosen by all: known of all.
  expect(
    figure(
      times(6, (i) => ({ s: i ? [2, 3] : [2] })),
      's',
      0,
      6,
    ),
  ).toMatchObject({ counts: null })
})

test('whoever gave which answers, in whatever order: the same is kept', () => {
  const all = times(40, (i) => ({
    r: (i % 5) + 1,
    s: [(i % 3) + 1],
    o: i % 2 ? [1, 2, 3] : [3, 2, 1],
    t: `text ${(i * 7) % 40}`,
  }))
  const kept = JSON.stringify(tally(FORM, all, 50))
  for (let round = 1; round < 20; round++) {
    const turned = all.map((_, i) => all[(i * 3 + round) % 40] ?? {})
    expect(JSON.stringify(tally(FORM, turned, 50))).toBe(kept)
    // Also each question by itself: nothing kept joins the answers of one person.
    const mixed = all.map((one, i) => ({
      ...one,
      t: all[(i + round) % 40]?.t ?? null,
      r: all[(i * 7 + round) % 40]?.r ?? null,
    }))
    expect(JSON.stringify(tally(FORM, mixed, 50))).toBe(kept)
  }
})

test('comments stand in the order of the alphabet', () => {
  const texts = ['z', 'a', 'ب', 'm', 'A', 'm']
  expect(
    tally(
      FORM,
      texts.map((t) => ({ t })),
      9,
    )?.comments.map(({ text }) => text),
  ).toEqual(['A', 'a', 'm', 'm', 'z', 'ب'])
})
