import { expect, test } from 'vitest'
import type { FormQuestion, QuestionForm } from '../types/form.contract.ts'
import { surveySaidOf } from './of-offering.rules.ts'

const question = (key: string, kind: FormQuestion['kind'], points: number | null): FormQuestion => ({
  key,
  kind,
  points,
  revision: 1,
  section: null,
  text: { name: key, name_local: key },
  options: [],
  rows: [],
  required: true,
  min: null,
  max: null,
  condition: null,
})
const form: QuestionForm = [question('a', 'rating', 5), question('b', 'rating', 11), question('c', 'text', null)]
const said = (figures: Parameters<typeof surveySaidOf>[0]['figures']) =>
  surveySaidOf({ asked: 20, answered: 10, form, figures })

test.each([
  [[], null],
  [[{ question: 'a', counts: { 5: 10 } }], 100],
  [[{ question: 'a', counts: { 1: 10 } }], 0],
  [[{ question: 'a', counts: { 3: 10 } }], 50],
  // Scales of another length count alike.
  [
    [
      { question: 'a', counts: { 5: 10 } },
      { question: 'b', counts: { 1: 10 } },
    ],
    50,
  ],
  // What everybody said the same is not known, and texts are not rated.
  [
    [
      { question: 'a', counts: null },
      { question: 'c', counts: { 1: 5 } },
    ],
    null,
  ],
  [[{ question: 'gone', counts: { 5: 5 } }], null],
])('%#: %j', (figures, rated) => {
  expect(said(figures as Parameters<typeof said>[0])).toEqual({ asked: 20, answered: 10, rated })
})
