import { expect, test } from 'vitest'
import type { ServiceField } from '../kinds/kind.contract.ts'
import {
  checkServiceAnswers,
  checkServiceDone,
  checkServiceFee,
  checkServiceForward,
  checkServiceOffered,
  checkServiceTurn,
  checkServiceWork,
  keptAnswers,
  serviceAudience,
  type ServiceFacts,
} from './service.rules.ts'

const codes = (reasons: readonly { field?: string | null; code: string }[]) =>
  reasons.map(({ field, code }) => (field ? `${code}@${field}` : code))
const KIND = {
  active: true,
  for_students: true,
  for_graduates: false,
  for_staff: false,
  stopped_by_debt: false,
  one_at_a_time: false,
}
const WHO = { status: 'studying', held: false, asked_already: false }

test.each([
  ['studying', 'student'],
  ['suspended', 'student'],
  ['graduated', 'graduate'],
  ['withdrawn', null],
  ['dismissed', null],
  ['transferred', null],
  ['working', 'staff'],
  ['left', null],
])('%s asks as %s', (status, expected) => expect(serviceAudience(status)).toBe(expected))

test.each([
  ['a student', {}, {}, []],
  ['switched off', { active: false }, {}, ['service_not_offered@kind_id']],
  ['a graduate', {}, { status: 'graduated' }, ['service_not_for_you@kind_id']],
  ['a graduate, of what is for graduates', { for_graduates: true }, { status: 'graduated' }, []],
  ['who works here', {}, { status: 'working' }, ['service_not_for_you@kind_id']],
  ['who works here, of what is for staff', { for_students: false, for_staff: true }, { status: 'working' }, []],
  ['a student, of what is for staff', { for_students: false, for_staff: true }, {}, ['service_not_for_you@kind_id']],
  ['who has left', {}, { status: 'withdrawn' }, ['service_left']],
  ['a debt that does not matter', {}, { held: true }, []],
  ['a debt that does', { stopped_by_debt: true }, { held: true }, ['service_held']],
  ['asked before', {}, { asked_already: true }, []],
  ['asked before, one at a time', { one_at_a_time: true }, { asked_already: true }, ['service_asked_twice@kind_id']],
  [
    'all at once',
    { active: false, for_students: false, stopped_by_debt: true, one_at_a_time: true },
    { held: true, asked_already: true },
    ['service_not_offered@kind_id', 'service_not_for_you@kind_id', 'service_held', 'service_asked_twice@kind_id'],
  ],
] as const)('offered to %s', (_name, kind, who, expected) =>
  expect(codes(checkServiceOffered({ ...KIND, ...kind }, { ...WHO, ...who }))).toEqual(expected),
)

const field = (key: string, type: ServiceField['type'], required = false): ServiceField => ({
  key,
  name: key,
  name_local: key,
  type,
  required,
  options: type === 'choice' ? [{ value: 'A', name: 'A', name_local: 'ا' }] : [],
  hint: null,
  hint_local: null,
})
const FIELDS = [
  field('text', 'text', true),
  field('long', 'long_text'),
  field('number', 'number'),
  field('choice', 'choice'),
  field('date', 'date'),
  field('file', 'file'),
]
test.each([
  [{ text: 'x' }, []],
  [{}, ['required@text']],
  [{ text: '  ' }, ['required@text']],
  [{ text: null }, ['required@text']],
  [{ text: 5 }, ['service_answer_text@text']],
  [{ text: 'x'.repeat(301) }, ['service_answer_long@text']],
  [{ text: 'x'.repeat(300) }, []],
  [{ text: 'x', long: 'x'.repeat(4000) }, []],
  [{ text: 'x', long: 'x'.repeat(4001) }, ['service_answer_long@long']],
  [{ text: 'x', number: 0 }, []],
  [{ text: 'x', number: '5' }, ['service_answer_number@number']],
  [{ text: 'x', number: Infinity }, ['service_answer_number@number']],
  [{ text: 'x', choice: 'A' }, []],
  [{ text: 'x', choice: 'B' }, ['service_answer_choice@choice']],
  [{ text: 'x', date: '2028-02-29' }, []],
  [{ text: 'x', date: '2027-02-29' }, ['service_answer_date@date']],
  [{ text: 'x', date: 'tomorrow' }, ['service_answer_date@date']],
  [{ text: 'x', date: 20 }, ['service_answer_date@date']],
  [{ text: 'x', file: 3 }, []],
  [{ text: 'x', file: 'a.pdf' }, ['service_answer_file@file']],
  [{ text: 'x', other: 'y' }, ['service_answer_unknown@other']],
  [{ text: 'x', other: '' }, []],
  [
    { long: 1, number: 'n', choice: 'z', date: 'd', file: 'f', other: 1 },
    [
      'required@text',
      'service_answer_text@long',
      'service_answer_number@number',
      'service_answer_choice@choice',
      'service_answer_date@date',
      'service_answer_file@file',
      'service_answer_unknown@other',
    ],
  ],
] as const)('answers %j', (answers, expected) =>
  expect(codes(checkServiceAnswers(FIELDS, answers as never))).toEqual(expected),
)

test('what was left empty is not kept, in the order of the fields', () => {
  expect(Object.entries(keptAnswers(FIELDS, { number: 0, text: ' a ', long: '', date: null }))).toEqual([
    ['text', 'a'],
    ['number', 0],
  ])
})

const FACTS: ServiceFacts = {
  system: false,
  turn: true,
  office: 'Desk',
  office_local: 'شباك',
  last: false,
  prepaid: true,
  unpaid: null,
  left: false,
}
test.each([
  [{}, { work: [], forward: [], done: ['service_not_last_office'], turn: [] }],
  [{ last: true }, { work: [], forward: ['service_last_office'], done: [], turn: [] }],
  [
    { turn: false },
    {
      work: ['service_not_your_turn'],
      forward: ['service_not_your_turn'],
      done: ['service_not_your_turn', 'service_not_last_office'],
      turn: ['service_not_your_turn'],
    },
  ],
  [
    { turn: false, system: true, last: true },
    { work: [], forward: ['service_last_office'], done: [], turn: [] },
  ],
  [
    { left: true },
    { work: ['service_left'], forward: ['service_left'], done: ['service_left', 'service_not_last_office'], turn: [] },
  ],
  [
    { unpaid: 'I-1', last: true },
    {
      work: ['service_unpaid'],
      forward: ['service_unpaid', 'service_last_office'],
      done: ['service_unpaid'],
      turn: [],
    },
  ],
  [
    { unpaid: 'I-1', last: true, prepaid: false },
    { work: [], forward: ['service_last_office'], done: ['service_unpaid'], turn: [] },
  ],
] as const)('a step with %j', (given, expected) => {
  const facts = { ...FACTS, ...given }
  expect({
    work: codes(checkServiceWork(facts)),
    forward: codes(checkServiceForward(facts)),
    done: codes(checkServiceDone(facts)),
    turn: codes(checkServiceTurn(facts)),
  }).toEqual(expected)
})

test('what is paid later is not waited for by the program; a person may demand the fee', () => {
  const fee = (given: Partial<ServiceFacts>) => codes(checkServiceFee({ ...FACTS, ...given }))
  expect(fee({ system: true, prepaid: false })).toEqual(['service_paid_later'])
  expect(fee({ system: true, prepaid: true })).toEqual([])
  expect(fee({ system: false, prepaid: false })).toEqual([])
})
