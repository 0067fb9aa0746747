import { expect, test } from 'vitest'
import { COMMENT_BYTES, formQuestion, type FormAnswers, type FormQuestion } from '../types/form.contract.ts'
import { checkAnswers, countedAnswers, envelopeBytes, isQuestionAsked } from './answers.rules.ts'

const words = (name: string) => ({ name, name_local: name })
const ask = (key: string, more: Partial<FormQuestion> & Pick<FormQuestion, 'kind'>): FormQuestion => ({
  key,
  revision: 1,
  section: null,
  text: words(key),
  points: more.kind === 'rating' || more.kind === 'grid' ? 5 : null,
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
  ask('rating', { kind: 'rating', required: true }),
  ask('why', { kind: 'text', condition: { key: 'rating', is: 'below', value: 3 }, required: true }),
  ask('deeper', { kind: 'single', options, condition: { key: 'why', is: 'equal', value: 1 } }),
  ask('one', { kind: 'single', options }),
  ask('some', { kind: 'several', options }),
  ask('onSome', { kind: 'number', min: 0, max: 10, condition: { key: 'some', is: 'equal', value: 2 } }),
  ask('grid', { kind: 'grid', rows: [words('x'), words('y')], required: true }),
  ask('order', { kind: 'ranking', options }),
]
const GOOD: FormAnswers = { rating: 4, one: 1, some: [1, 2], onSome: 10, grid: [5, 1], order: [3, 1, 2] }
const codes = (answers: FormAnswers) => checkAnswers(FORM, answers).map(({ field, code }) => `${field} ${code}`)

test('forms of this test are forms', () => expect(FORM.every((one) => formQuestion.safeParse(one).success)).toBe(true))

test.each<[string, FormAnswers, string[]]>([
  ['all well', GOOD, []],
  ['a required one is missing', { ...GOOD, rating: null }, ['rating answer_missing']],
  ['blank is missing', { ...GOOD, rating: 2, why: '  ' }, ['why answer_missing']],
  ['what is asked by a condition is required then', { ...GOOD, rating: 2 }, ['why answer_missing']],
  ['and not otherwise', { ...GOOD, rating: 3 }, []],
  ['above the points', { ...GOOD, rating: 6 }, ['rating answer_not_valid']],
  ['below the points', { ...GOOD, rating: 0, why: 'x' }, ['rating answer_not_valid']],
  ['half a point', { ...GOOD, rating: 2.5 as never, why: 'x' }, ['rating answer_not_valid']],
  ['an option that is none', { ...GOOD, one: 4 }, ['one answer_not_valid']],
  ['an option twice', { ...GOOD, some: [1, 1] }, ['some answer_not_valid']],
  ['an option that is none among several', { ...GOOD, some: [0] }, ['some answer_not_valid']],
  ['above the range', { ...GOOD, onSome: 11 }, ['onSome answer_not_valid']],
  ['what is not asked is not looked at', { ...GOOD, some: [1], onSome: 99 }, []],
  ['a row is missing', { ...GOOD, grid: [5, null] }, ['grid answer_rows_missing']],
  ['too few rows', { ...GOOD, grid: [5] }, ['grid answer_not_valid']],
  ['a ranking without one', { ...GOOD, order: [1, 2] }, ['order answer_not_valid']],
  ['a ranking with one twice', { ...GOOD, order: [1, 2, 2] }, ['order answer_not_valid']],
  ['a text where a number is asked', { ...GOOD, one: 'a' }, ['one answer_not_valid']],
  ['a number where a text is asked', { ...GOOD, rating: 1, why: 7 }, ['why answer_not_valid']],
  ['too many bytes', { ...GOOD, rating: 1, why: '😀'.repeat(COMMENT_BYTES / 4 + 1) }, ['why answer_long']],
  ['what is not in the form', { ...GOOD, other: 1 }, ['other answer_unknown']],
  [
    'everything at once',
    { rating: 9, one: 9 },
    ['rating answer_not_valid', 'one answer_not_valid', 'grid answer_missing'],
  ],
])('%s', (_, answers, expected) => expect(codes(answers)).toEqual(expected))

test('reasons never hold an answer', () => {
  for (const { data } of checkAnswers(FORM, { rating: 9, one: 'secret', order: [1] }))
    expect(Object.keys(data ?? {}).filter((key) => !key.startsWith('name'))).toEqual([])
})

test('a condition on a question that is not asked, or stands later, is met by nobody', () => {
  const [, , deeper] = FORM
  expect(isQuestionAsked(FORM, deeper!, { rating: 5, why: 'x' })).toBe(false)
  const later = ask('first', { kind: 'text', condition: { key: 'last', is: 'equal', value: 1 } })
  const form = [later, ask('last', { kind: 'rating' })]
  expect(isQuestionAsked(form, later, { last: 1 })).toBe(false)
})

test.each([
  ['below', 2, true],
  ['below', 3, false],
  ['above', 3, false],
  ['above', 4, true],
  ['equal', 3, true],
  ['equal', 4, false],
] as const)('%s 3 of %i: %s', (is, given, asked) => {
  const on = ask('why', { kind: 'text', condition: { key: 'r', is, value: 3 } })
  expect(isQuestionAsked([ask('r', { kind: 'rating' }), on], on, { r: given })).toBe(asked)
})

test('what counts: without blanks and without what is not asked', () => {
  expect(countedAnswers(FORM, { ...GOOD, why: 'not asked', one: null, some: [], grid: [null, null] })).toEqual({
    rating: 4,
    order: [3, 1, 2],
  })
  expect(countedAnswers(FORM, { rating: 1, why: '  because ' })).toEqual({ rating: 1, why: 'because' })
})

test('every answer that is let through fits into the envelope', () => {
  const longest: FormAnswers[] = [
    { ...GOOD, rating: 1, why: '"'.repeat(1000) },
    { ...GOOD, rating: 1, why: '\n"'.repeat(500) },
    { ...GOOD, rating: 1, why: 'ع'.repeat(1000) },
    { ...GOOD, rating: 1, why: '😀'.repeat(500) },
    { ...GOOD, rating: 1, why: '\ud800'.repeat(600) },
  ]
  for (const answers of longest) {
    expect(checkAnswers(FORM, answers)).toEqual([])
    const bytes = Buffer.byteLength(JSON.stringify(countedAnswers(FORM, answers)))
    expect(bytes).toBeLessThanOrEqual(envelopeBytes(FORM))
  }
})
