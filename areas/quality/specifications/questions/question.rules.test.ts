import { expect, test } from 'vitest'
import { checkQuestions, questionGaps, questionStanding, sumOf } from './question.rules.ts'

const KNOWN = new Set(['K1', 'S1'])
const was = { id: 1, label: '1', outcomes: ['K1'], marked: 0, highest: null }
const one = { label: '1', max: '10', outcomes: ['K1'] }
const codes = (reasons: readonly { field?: string | null; code: string }[]) =>
  reasons.map(({ field, code }) => (field ? `${code}@${field}` : code))

test.each([
  [[one], [], []],
  [[one, { ...one, label: '2', outcomes: ['S1', 'K1'] }], [], []],
  [[one, { ...one, label: ' 1 ' }], [], ['assessment_question_twice@questions.1.label']],
  // Two wishes for one question: neither is the one that is kept.
  [
    [
      { ...one, id: 1 },
      { ...one, id: 1, label: '2' },
    ],
    [was],
    ['assessment_question_twice@questions.1.label'],
  ],
  [[{ ...one, max: '0' }], [], ['assessment_question_max@questions.0.max']],
  [[{ ...one, outcomes: ['X9'] }], [], ['question_outcome_unknown@questions.0.outcomes']],
  // What it had before may stay though the outcome is gone.
  [[{ ...one, id: 1, outcomes: ['X9'] }], [{ ...was, outcomes: ['X9'] }], []],
  [[{ ...one, id: 7 }], [was], ['question_elsewhere@questions.0.id']],
  [[{ ...one, id: 1, max: '7' }], [{ ...was, marked: 3, highest: '7.5' }], ['question_below_marks@questions.0.max']],
  [[{ ...one, id: 1, max: '7.5' }], [{ ...was, marked: 3, highest: '7.5' }], []],
  [[], [{ ...was, marked: 3 }], ['question_marked@questions']],
  [[], [was], []],
])('%j over %j', (said, before, expected) => expect(codes(checkQuestions(said, before, KNOWN))).toEqual(expected))

const component = { max: '20', weight: '40', questions: [one, { ...one, label: '2' }] }
test.each([
  [component, []],
  [{ ...component, questions: [] }, []],
  [{ ...component, questions: [one] }, ['question_sum']],
  [{ ...component, weight: null }, ['question_no_weight']],
  [{ ...component, questions: [one, { ...one, label: '2', outcomes: ['X9'] }] }, ['question_outcome_gone']],
  [{ ...component, max: '10', questions: [{ ...one, outcomes: [] }] }, ['question_no_outcomes']],
])('gaps of %j', (of, expected) => expect(codes(questionGaps(of, KNOWN))).toEqual(expected))

test.each([
  [[null, null], '12', 'none'],
  [['5', null], '12', 'part'],
  [['5', '7'], null, 'waits'],
  [['5.25', '6.75'], '12', 'fits'],
  [['5', '7'], '12.5', 'differs'],
  [['0', '0'], 'A', 'differs'],
  [['0', '0'], '0', 'fits'],
] as const)('%j of a component with %s: %s', (marks, mark, expected) =>
  expect(questionStanding(marks, mark)).toBe(expected),
)
test('sums are exact', () => expect(sumOf(['0.1', '0.2', '33.33'])).toBe(3363))
