import { expect, test } from 'vitest'
import {
  checkQuestion,
  reorderedQuestions,
  reorderedSections,
  sectionsOf,
  type ConditionOn,
  type QuestionSaid,
} from './question.rules.ts'

const RATING: QuestionSaid = {
  kind: 'rating',
  points: 5,
  options: [],
  grid_rows: [],
  minimum: null,
  maximum: null,
  required: false,
  type_id: 1,
  position: 3,
  outcome_domain: null,
  condition_id: null,
  condition_is: null,
  condition_value: null,
}
const ON: ConditionOn = { type_id: 1, position: 2, kind: 'rating', removed: false }
const conditioned = { condition_id: 9, condition_is: 'below', condition_value: 3 } as const
const two = [{}, {}]

test.each<[string, Partial<QuestionSaid>, Partial<ConditionOn> | null, string[]]>([
  ['a rating', {}, null, []],
  ['with words for each point', { options: [{}, {}, {}, {}, {}] }, null, []],
  ['with words for some', { options: two }, null, ['question_words']],
  ['without points', { points: null }, null, ['question_points_missing']],
  ['a text with points', { kind: 'text' }, null, ['question_points_needless']],
  ['a choice of one', { kind: 'single', points: null, options: [{}] }, null, ['question_options_few']],
  ['a choice', { kind: 'single', points: null, options: two }, null, []],
  ['a ranking without options', { kind: 'ranking', points: null }, null, ['question_options_few']],
  ['a text with options', { kind: 'text', points: null, options: two }, null, ['question_options_needless']],
  ['a grid of one row', { kind: 'grid', grid_rows: [{}] }, null, ['question_rows_few']],
  ['a grid', { kind: 'grid', grid_rows: two }, null, []],
  ['rows without a grid', { grid_rows: two }, null, ['question_rows_needless']],
  ['a range of a rating', { minimum: 1 }, null, ['question_range_needless']],
  ['a range the wrong way', { kind: 'number', points: null, minimum: 5, maximum: 4 }, null, ['question_range_order']],
  ['a rating of outcomes', { outcome_domain: 'skills' }, null, []],
  ['a text about outcomes', { kind: 'text', points: null, outcome_domain: 'skills' }, null, ['question_domain']],
  ['half a condition', { condition_id: 9 }, {}, ['question_condition']],
  ['a condition', conditioned, {}, []],
  ['on a removed question', conditioned, { removed: true }, ['question_condition_elsewhere']],
  ['on a question of another type', conditioned, { type_id: 2 }, ['question_condition_elsewhere']],
  ['in the bank', { ...conditioned, type_id: null }, { type_id: null }, ['question_condition_elsewhere']],
  ['on a later one', conditioned, { position: 3 }, ['question_condition_later']],
  ['on a text', conditioned, { kind: 'text' }, ['question_condition_kind']],
  ['on a choice that is below', conditioned, { kind: 'single' }, ['question_condition_equal']],
  ['on a choice that is', { ...conditioned, condition_is: 'equal' }, { kind: 'several' }, []],
  ['several at once', { points: null, minimum: 1 }, null, ['question_points_missing', 'question_range_needless']],
])('%s', (_, said, on, expected) =>
  expect(checkQuestion({ ...RATING, ...said }, on && { ...ON, ...on }).map(({ code }) => code)).toEqual(expected),
)

const three = [
  { id: 1, condition_id: null },
  { id: 2, condition_id: 1 },
  { id: 3, condition_id: null },
]
test.each([
  [3, 1, [3, 1, 2]],
  [3, 2, [1, 3, 2]],
  [3, 3, [1, 2, 3]],
  [3, 99, [1, 2, 3]],
  [2, 3, [1, 3, 2]],
] as const)('question %i to place %i', (id, place, order) =>
  expect(reorderedQuestions(three, id, place)).toEqual({ order }),
)
test.each([
  [2, 1],
  [1, 2],
  [1, 3],
])('question %i to place %i would stand before what it depends on', (id, place) =>
  expect(reorderedQuestions(three, id, place)).toEqual({
    reasons: [{ code: 'question_condition_later', field: 'order' }],
  }),
)
test('a question that is not there goes nowhere', () =>
  expect(reorderedQuestions(three, 99, 1)).toEqual({ reasons: [{ code: 'not_found' }] }))

const in_section = (id: number, section: string | null, condition_id: number | null = null) => ({
  id,
  section,
  condition_id,
})
const FORM = [in_section(1, 'A'), in_section(2, 'A'), in_section(3, null), in_section(4, 'B', 1), in_section(5, 'A')]
test('a section is what follows each other under one heading', () =>
  expect(sectionsOf(FORM, ({ section }) => section).map((one) => one.map(({ id }) => id))).toEqual([
    [1, 2],
    [3],
    [4],
    [5],
  ]))
test.each([
  [3, 1, { order: [3, 1, 2, 4, 5] }],
  [2, 3, { order: [3, 4, 1, 2, 5] }],
  [1, 2, { order: [3, 1, 2, 4, 5] }],
  [5, 99, { order: [1, 2, 3, 4, 5] }],
  [9, 1, { reasons: [{ code: 'not_found' }] }],
  [4, 1, { reasons: [{ code: 'question_condition_later', field: 'order' }] }],
])('the section of %i at place %i', (id, place, expected) => {
  // Question 4 stands on question 1: sections that do not part them move freely.
  const form = id === 2 ? FORM.map((one) => ({ ...one, condition_id: null })) : FORM
  expect(reorderedSections(form, id, place)).toEqual(expected)
})
