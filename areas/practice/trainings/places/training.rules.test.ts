import { expect, test } from 'vitest'
import {
  checkOrganisationAsked,
  checkOrganisationAssesses,
  checkTraining,
  checkTrainingAccepted,
  checkTrainingApproved,
  checkTrainingAsked,
  checkTrainingReport,
  othersOf,
  type StudentTrainingFacts,
  type TrainingAsked,
  type TrainingSaid,
} from './training.rules.ts'

const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)
const SAID: TrainingSaid = {
  starts_on: '2030-07-01',
  ends_on: '2030-07-28',
  opens_on: '2030-05-01',
  closes_on: '2030-06-01',
  weeks: 4,
  places: 5,
  by_week: false,
  week_places: [],
  taken: [],
  asked_until: 0,
}
test.each<[string, Partial<TrainingSaid>, string[]]>([
  ['as it should be', {}, []],
  ['of one day', { ends_on: '2030-07-01', weeks: 1 }, []],
  ['a week that was begun counts', { ends_on: '2030-07-30', weeks: 5 }, []],
  ['ends before it begins', { ends_on: '2030-06-30' }, ['training_days']],
  ['more weeks than there are', { weeks: 5 }, ['training_weeks']],
  ['closes before it opens', { closes_on: '2030-04-01' }, ['training_window']],
  ['as many places as are taken', { taken: [{ week: 1, taken: 5 }] }, []],
  ['fewer places than are taken', { taken: [{ week: 1, taken: 6 }] }, ['training_places_taken']],
  [
    'fewer places in a week than are taken in it',
    { taken: [{ week: 2, taken: 3 }], week_places: [{ week: 2, places: 2 }] },
    ['training_places_taken'],
  ],
  ['more places in a week alone', { taken: [{ week: 2, taken: 6 }], week_places: [{ week: 2, places: 6 }] }, []],
  ['places of the last week', { week_places: [{ week: 4, places: 1 }] }, []],
  ['places of a week that it has not', { week_places: [{ week: 5, places: 1 }] }, ['training_week_range']],
  ['weeks that were asked for', { by_week: true, asked_until: 4 }, []],
  ['shorter than what was asked for', { by_week: true, asked_until: 5 }, ['training_weeks_asked']],
  ['in one piece though weeks were asked for', { asked_until: 1 }, ['training_weeks_asked']],
])('a training: %s', (_, more, expected) => expect(codes(checkTraining({ ...SAID, ...more }))).toEqual(expected))

const NAMES = { name: 'Engineering', name_local: 'الهندسة' }
const ASKED: TrainingAsked = {
  today: '2030-05-10',
  opens_on: '2030-05-01',
  closes_on: '2030-06-01',
  removed: false,
  faculty: null,
  program: null,
  in_faculty: false,
  in_program: false,
  min_level: null,
  level: 1,
  min_gpa: null,
  gpa: null,
  min_hours: null,
  hours: '0.00',
  cv_required: false,
  cv: false,
  studying: true,
  called_off: null,
  by_week: false,
  weeks: 4,
  from_week: null,
  until_week: null,
}
test.each<[string, Partial<TrainingAsked>, string[]]>([
  ['by anybody', {}, []],
  ['on the first day', { today: '2030-05-01' }, []],
  ['on the last day', { today: '2030-06-01' }, []],
  ['the day after', { today: '2030-06-02' }, ['training_closed']],
  ['too early', { today: '2030-04-30' }, ['training_closed']],
  ['what is offered no more', { removed: true }, ['training_removed']],
  ['of the faculty', { faculty: NAMES, in_faculty: true }, []],
  [
    'of another faculty and program',
    { faculty: NAMES, program: NAMES },
    ['training_other_faculty', 'training_other_program'],
  ],
  ['of the level', { min_level: 2, level: 2 }, []],
  ['below the level', { min_level: 2 }, ['training_level']],
  ['with the GPA', { min_gpa: '2.50', gpa: '2.50' }, []],
  ['below the GPA', { min_gpa: '2.50', gpa: '2.49' }, ['training_gpa']],
  ['without a GPA', { min_gpa: '0.00' }, ['training_gpa']],
  ['with too few hours', { min_hours: '60.00', hours: '59.00' }, ['training_hours']],
  ['without a CV', { cv_required: true }, ['training_cv']],
  ['with a CV', { cv_required: true, cv: true }, []],
  ['though it was called off', { called_off: 'No desks' }, ['training_is_called_off']],
  ['in weeks, though it is in one piece', { from_week: 1, until_week: 2 }, ['training_whole']],
  ['without weeks where they are chosen', { by_week: true }, ['training_weeks_missing']],
  ['in its last weeks', { by_week: true, from_week: 3, until_week: 4 }, []],
  ['in one week', { by_week: true, from_week: 2, until_week: 2 }, []],
  ['in weeks that it has not', { by_week: true, from_week: 3, until_week: 5 }, ['training_week_range']],
  ['in weeks that go back', { by_week: true, from_week: 3, until_week: 2 }, ['training_week_range']],
  ['by who studies no more', { studying: false }, ['training_not_studying']],
])('asked for %s', (_, more, expected) => expect(codes(checkTrainingAsked({ ...ASKED, ...more }))).toEqual(expected))

const FACTS: StudentTrainingFacts = {
  today: '2030-07-28',
  ends_on: '2030-07-28',
  studying: true,
  places: 2,
  full_weeks: [],
  by_week: false,
  called_off: null,
  agreement_until: null,
  needs_interview: false,
  interviewed: false,
  meanwhile: null,
  min_reports: 0,
  reports: 0,
  assessed: true,
}
test.each<[string, Partial<StudentTrainingFacts>, string[]]>([
  ['the last place', {}, []],
  ['a place that was found', { places: null, full_weeks: [1] }, []],
  ['no place', { full_weeks: [1, 2] }, ['training_full']],
  ['no place in some weeks', { by_week: true, full_weeks: [2] }, ['training_weeks_full']],
  ['called off', { called_off: 'No desks' }, ['training_is_called_off']],
  ['an agreement to the last day', { agreement_until: '2030-07-28' }, []],
  ['an agreement that ends before', { agreement_until: '2030-07-27' }, ['training_agreement_over']],
  ['without the interview', { needs_interview: true }, ['training_not_interviewed']],
  ['after the interview', { needs_interview: true, interviewed: true }, []],
  ['two at a time', { meanwhile: NAMES }, ['training_meanwhile']],
  ['left', { studying: false }, ['training_not_studying']],
])('accepted: %s', (_, more, expected) => expect(codes(checkTrainingAccepted({ ...FACTS, ...more }))).toEqual(expected))
test.each<[string, Partial<StudentTrainingFacts>, string[]]>([
  ['on its last day', {}, []],
  ['before it is over', { today: '2030-07-27' }, ['training_not_over']],
  ['with too few reports', { min_reports: 2, reports: 1 }, ['training_reports_missing']],
  ['not assessed', { assessed: false }, ['training_not_assessed']],
])('approved: %s', (_, more, expected) => expect(codes(checkTrainingApproved({ ...FACTS, ...more }))).toEqual(expected))

const AT = { status: 'accepted', starts_on: '2030-07-01', ends_on: '2030-07-28', today: '2030-07-08' }
test.each<[number, Partial<typeof AT>, string[]]>([
  [1, {}, []],
  [2, {}, []],
  [3, {}, ['training_report_ahead']],
  [5, { today: '2031-01-01' }, ['training_report_week']],
  [1, { status: 'requested' }, ['training_no_reports']],
])('week %i is reported on', (week, more, expected) =>
  expect(codes(checkTrainingReport({ ...AT, ...more }, week))).toEqual(expected),
)

const QUESTION = { email: 'office@delta.example', called_off: null, over: false }
test.each<[string, Partial<typeof QUESTION> | { email: null } | { called_off: string }, string[]]>([
  ['of a training that takes place', {}, []],
  ['without an address', { email: null }, ['training_no_email']],
  ['too late', { over: true }, ['training_link_late']],
  ['of one that was called off', { called_off: 'No desks' }, ['training_is_called_off']],
])('the organisation is asked %s', (_, more, expected) =>
  expect(codes(checkOrganisationAsked({ ...QUESTION, ...more }))).toEqual(expected),
)
const SEEN = { status: 'accepted', starts_on: '2030-07-01', today: '2030-07-01', visited_on: null as string | null }
test.each<[string, Partial<typeof SEEN>, string[]]>([
  ['on the first day', {}, []],
  ['before it begins', { today: '2030-06-30' }, ['training_not_begun']],
  ['after it was approved', { status: 'approved' }, ['training_assessed_late']],
  ['after a visit today', { visited_on: '2030-07-01' }, []],
  ['after a visit that is to come', { visited_on: '2030-07-02' }, ['training_visit_day']],
  ['after a visit before it', { visited_on: '2030-06-30' }, ['training_visit_day']],
])('the organisation assesses %s', (_, more, expected) =>
  expect(codes(checkOrganisationAssesses({ ...SEEN, ...more }))).toEqual(expected),
)

test('of other requests those after it go, or all, or none', () => {
  const others = [{ wish: 1 }, { wish: 3 }, { wish: null }]
  expect(othersOf('keep', 2, others)).toEqual([])
  expect(othersOf('later', 2, others)).toEqual([{ wish: 3 }, { wish: null }])
  expect(othersOf('later', null, others)).toEqual([{ wish: null }])
  expect(othersOf('all', 2, others)).toEqual(others)
})
