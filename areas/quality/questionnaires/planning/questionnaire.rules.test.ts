import { expect, test } from 'vitest'
import {
  checkOutsiderList,
  checkQuestionnaire,
  isReminderDay,
  mayPostpone,
  nextQuestionnaireState,
  type QuestionnaireSaid,
} from './questionnaire.rules.ts'

const SAID: QuestionnaireSaid = {
  opens_on: '2030-03-01',
  closes_on: '2030-03-10',
  term_id: 1,
  faculty_id: null,
  program_id: null,
  graduation_year_id: null,
  type_id: 1,
  obligatory: false,
  postponements: 0,
}
const TODAY = '2030-02-01'

test.each<[string, Partial<QuestionnaireSaid>, 'planned' | 'open' | 'paused' | 'closed' | null, string[]]>([
  ['new', {}, null, []],
  ['closes before it opens', { closes_on: '2030-02-28' }, null, ['questionnaire_days']],
  ['without term', { term_id: null }, null, ['questionnaire_term']],
  ['over already', { opens_on: '2030-01-01', closes_on: '2030-01-31' }, null, ['questionnaire_past']],
  ['of graduates who are not asked', { graduation_year_id: 1 }, null, ['questionnaire_no_graduates']],
  [
    'open: graduates of another year',
    { graduation_year_id: 1 },
    'open',
    ['questionnaire_no_graduates', 'questionnaire_begun'],
  ],
  ['put off though it need not be answered', { postponements: 1 }, null, ['questionnaire_not_obligatory']],
  ['put off', { postponements: 1, obligatory: true }, null, []],
  ['planned: anything', { opens_on: '2030-03-02', type_id: 2 }, 'planned', []],
  ['open: it may last longer', { closes_on: '2030-04-01' }, 'open', []],
  ['open: other questions', { type_id: 2 }, 'open', ['questionnaire_begun']],
  [
    'paused: others are asked',
    { faculty_id: 1, program_id: 2 },
    'paused',
    ['questionnaire_begun', 'questionnaire_begun'],
  ],
  ['closed: nothing', { closes_on: '2030-04-01' }, 'closed', ['questionnaire_closed']],
])('%s', (_, more, status, expected) =>
  expect(
    checkQuestionnaire(
      { ...SAID, ...more },
      { about: 'course', kind: 'student', outsiders: 0 },
      status && { ...SAID, status },
      TODAY,
    ).map(({ code }) => code),
  ).toEqual(expected),
)

const AT = {
  status: 'planned',
  closes_on: '2030-03-10',
  key: true,
  about: 'course',
  kind: 'student',
  questions: 3,
  outsiders: 0,
} as const
test.each([
  [{}, { to: 'open' }],
  [{ status: 'open' }, { to: 'paused' }],
  [{ status: 'paused' }, { to: 'open' }],
  [{ status: 'paused', questions: 0 }, { to: 'open' }],
  [{ status: 'closed' }, { reasons: [{ code: 'questionnaire_closed' }] }],
  [{ kind: 'outsider' }, { reasons: [{ code: 'questionnaire_nobody' }] }],
  [{ kind: 'outsider', outsiders: 1 }, { to: 'open' }],
  [{ questions: 0, key: false }, { reasons: [{ code: 'questionnaire_empty' }, { code: 'questionnaire_no_key' }] }],
  [
    { status: 'paused', closes_on: '2030-01-31' },
    { reasons: [{ field: 'closes_on', code: 'questionnaire_past', data: { today: TODAY } }] },
  ],
] as const)('%o leads to %o', (more, expected) =>
  expect(nextQuestionnaireState({ ...AT, ...more }, TODAY)).toEqual(expected),
)

test.each([
  [true, 2, 0, true],
  [true, 2, 1, true],
  [true, 2, 2, false],
  [true, 0, 0, false],
  [false, 2, 0, false],
])('obligatory %s, %i allowed, %i taken: %s', (obligatory, postponements, times, expected) =>
  expect(mayPostpone({ obligatory, postponements }, times)).toBe(expected),
)

test.each([
  ['2030-03-10', null, true],
  ['2030-03-07', null, true],
  ['2030-03-08', null, false],
  ['2030-03-11', null, false],
  ['2030-03-07', '2030-03-07', false],
  ['2030-03-07', '2030-03-04', true],
])('every three days until 10 March: %s, last on %s: %s', (day, reminded_on, expected) =>
  expect(isReminderDay({ remind_days: 3, closes_on: '2030-03-10', reminded_on }, day)).toBe(expected),
)
test('without days nobody is reminded', () =>
  expect(isReminderDay({ remind_days: null, closes_on: '2030-03-10', reminded_on: null }, '2030-03-10')).toBe(false))

test.each([
  [{ obligatory: true }, 'outsider', 0, ['questionnaire_not_led']],
  [{}, 'outsider', 3, []],
  [{}, 'graduate', 3, ['questionnaire_outsiders_there']],
] as const)('%o to %s with %i on the list', (more, kind, outsiders, expected) =>
  expect(
    checkQuestionnaire({ ...SAID, ...more }, { about: 'university', kind, outsiders }, null, TODAY).map(
      ({ code }) => code,
    ),
  ).toEqual(expected),
)
test.each([
  ['outsider', 'planned', []],
  ['outsider', 'open', []],
  ['outsider', 'paused', []],
  ['outsider', 'closed', ['questionnaire_closed']],
  ['student', 'planned', ['questionnaire_no_outsiders']],
] as const)('the list of a questionnaire to %s that is %s', (kind, status, expected) =>
  expect(checkOutsiderList({ kind, status }).map(({ code }) => code)).toEqual(expected),
)
