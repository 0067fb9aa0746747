import { describe, expect, test } from 'vitest'
import {
  checkMarking,
  checkMarks,
  checkRotationBack,
  checkRotationPublished,
  checkRotationSubmitted,
  rotationMarkOf,
  type RotationControlFacts,
} from './grades/offering.rules.ts'
import { checkIntern, checkWishes, type InternFacts } from './interns/intern.rules.ts'
import {
  checkCompleted,
  checkInterrupted,
  checkRotationAccepted,
  checkRotationAsked,
  checkRotationLeft,
  checkRotationRemoved,
  typeDone,
  type RotationFacts,
  type TrainingTypeFacts,
} from './rotations/rotation.rules.ts'
import { checkEmtyazCourse, checkEmtyazYear, yearEnds, type CourseSaid, type YearSaid } from './setup/setup.rules.ts'

const codes = (list: readonly { readonly code: string; readonly field?: string | null | undefined }[]) =>
  list.map(({ code, field }) => (field ? `${code}@${field}` : code)).toSorted()

const year: YearSaid = {
  starts_on: '2030-01-04',
  periods: 12,
  period_weeks: 4,
  wishes_from: null,
  wishes_until: null,
  used_from: null,
  used_until: null,
}
describe('a year', () => {
  test('ends on the last day of its last period', () => expect(yearEnds(year)).toBe('2030-12-05'))
  test.each<[string, Partial<YearSaid>, string[]]>([
    ['nothing stands against it', {}, []],
    ['one day of asking alone', { wishes_from: '2030-01-01' }, ['emtyaz_wishes_both@wishes_until']],
    ['the other alone', { wishes_until: '2030-01-01' }, ['emtyaz_wishes_both@wishes_from']],
    [
      'asking ends before it begins',
      { wishes_from: '2030-01-02', wishes_until: '2030-01-01' },
      ['emtyaz_wishes_order@wishes_until'],
    ],
    ['asking on one day', { wishes_from: '2030-01-02', wishes_until: '2030-01-02' }, []],
    ['begins after what it has', { used_from: '2030-01-03', used_until: '2030-02-01' }, ['emtyaz_year_used@starts_on']],
    ['ends before what it has', { used_from: '2030-01-04', used_until: '2030-12-06' }, ['emtyaz_year_used@periods']],
    ['holds what it has to the last day', { used_from: '2030-01-04', used_until: '2030-12-05' }, []],
  ])('%s', (_, more, expected) => expect(codes(checkEmtyazYear({ ...year, ...more }))).toEqual(expected))
})

const course: CourseSaid = {
  pass_mark: 60,
  criteria: [
    { id: 1, name: 'Skill', max_mark: 99.5 },
    { id: 2, name: 'Conduct', max_mark: 0.5 },
  ],
  given: [],
}
describe('a course', () => {
  test.each<[string, Partial<CourseSaid>, string[]]>([
    ['nothing stands against it', {}, []],
    ['passed by all of it', { pass_mark: 100 }, []],
    ['without criteria', { criteria: [] }, ['emtyaz_no_criteria@criteria']],
    ['passed by more than there is', { pass_mark: 100.01 }, ['emtyaz_pass_mark@pass_mark']],
    ['what was marked by goes', { given: [{ id: 3, name: 'Old', most: 4 }] }, ['emtyaz_criterion_marked@criteria']],
    ['what nobody was marked by goes', { given: [{ id: 3, name: 'Old', most: null }] }, []],
    ['below what was given', { given: [{ id: 1, name: 'Skill', most: 99.75 }] }, ['emtyaz_criterion_below@criteria']],
    ['as much as was given', { given: [{ id: 1, name: 'Skill', most: 99.5 }] }, []],
    [
      'one more where somebody is marked',
      { given: [{ id: 1, name: 'Skill', most: 1 }], criteria: [...course.criteria, { name: 'New', max_mark: 1 }] },
      ['emtyaz_criterion_late@criteria'],
    ],
  ])('%s', (_, more, expected) => expect(codes(checkEmtyazCourse({ ...course, ...more }))).toEqual(expected))
})

const intern: InternFacts = {
  status: 'graduated',
  in_faculty: true,
  in_bylaw: true,
  year_from: '2030-01-04',
  year_until: '2030-12-05',
  joined_on: '2030-01-04',
  elsewhere: false,
  first_day: null,
  completed: false,
  with_there: true,
}
describe('an intern', () => {
  test.each<[string, Partial<InternFacts>, string[]]>([
    ['nothing stands against it', {}, []],
    ['still studies', { status: 'studying' }, ['emtyaz_not_graduated@student_id']],
    [
      'of another faculty and bylaw',
      { in_faculty: false, in_bylaw: false },
      ['emtyaz_other_bylaw@student_id', 'emtyaz_other_faculty@student_id'],
    ],
    ['in another year', { elsewhere: true }, ['emtyaz_elsewhere@student_id']],
    ['the day before the year', { joined_on: '2030-01-03' }, ['emtyaz_joined_outside@joined_on']],
    ['the day after it', { joined_on: '2030-12-06' }, ['emtyaz_joined_outside@joined_on']],
    ['on its last day', { joined_on: '2030-12-05' }, []],
    [
      'after the first rotation',
      { joined_on: '2030-02-02', first_day: '2030-02-01' },
      ['emtyaz_joined_after@joined_on'],
    ],
    ['has completed it', { completed: true }, ['emtyaz_completed']],
    ['with somebody from elsewhere', { with_there: false }, ['emtyaz_with_elsewhere@with_student_id']],
  ])('%s', (_, more, expected) => expect(codes(checkIntern({ ...intern, ...more }, true))).toEqual(expected))
  test('who is in it stays, whatever became of the status', () =>
    expect(checkIntern({ ...intern, status: 'studying' }, false)).toEqual([]))
  test('wishes for electives of the year, each once', () => {
    expect(checkWishes([{ id: 1 }, { id: 2 }], [2, 1])).toEqual([])
    expect(codes(checkWishes([{ id: 1 }], [1, 3, 1]))).toEqual(['emtyaz_wish_none@wishes', 'emtyaz_wish_twice@wishes'])
  })
})

const rotation: RotationFacts = {
  today: '2030-01-01',
  gone: false,
  closed: false,
  completed: false,
  year_from: '2030-01-04',
  year_until: '2030-12-05',
  joined_on: '2030-01-04',
  starts_on: '2030-02-01',
  ends_on: '2030-02-28',
  days: 28,
  training_removed: false,
  withdrawn_from: null,
  other_bylaw: false,
  free: 1,
  meanwhile: null,
  leave: 0,
  leave_days: 2,
  again: false,
  is_makeup: false,
  to_make_up: 0,
  is_elective: false,
  electives: 0,
  most_electives: 1,
  marked: false,
  open: true,
  asking: null,
}
describe('a rotation', () => {
  test.each<[string, Partial<RotationFacts>, string[]]>([
    ['nothing stands against it', {}, []],
    ['the year is closed and completed', { closed: true, completed: true }, ['emtyaz_closed', 'emtyaz_completed']],
    ['the intern was taken out', { gone: true }, ['rotation_no_intern']],
    ['the training is removed', { training_removed: true }, ['rotation_training_removed@training_id']],
    ['the hospital leaves on its last day', { withdrawn_from: '2030-02-28' }, ['rotation_withdrawn@training_id']],
    ['the hospital leaves the day after', { withdrawn_from: '2030-03-01' }, []],
    ['before the year', { year_from: '2030-02-02' }, ['rotation_outside_year@starts_on']],
    ['after it', { year_until: '2030-02-27' }, ['rotation_outside_year@starts_on']],
    ['before joining', { joined_on: '2030-02-02' }, ['rotation_before_joining@starts_on']],
    ['of another bylaw', { other_bylaw: true }, ['rotation_other_bylaw@training_id']],
    ['once more', { again: true }, ['rotation_twice@training_id']],
    ['a day too long', { ends_on: '2030-03-01' }, ['rotation_days_wrong@ends_on']],
    ['one elective too many', { is_elective: true, electives: 1 }, ['rotation_electives@training_id']],
    ['the last elective', { is_elective: true, electives: 0 }, []],
    ['obligatory, besides electives', { electives: 1 }, []],
    ['makes up for nothing', { is_makeup: true }, ['rotation_nothing_to_make_up@is_makeup']],
    ['makes up, as long as is said, again', { is_makeup: true, to_make_up: 7, again: true, ends_on: '2030-02-07' }, []],
    ['nobody asks in this year', { asking: { from: null, until: null } }, ['rotation_not_asked']],
    ['asked for too early', { asking: { from: '2030-01-02', until: '2030-01-03' } }, ['rotation_window']],
    ['asked for too late', { asking: { from: '2029-12-01', until: '2029-12-31' } }, ['rotation_window']],
    ['asked for on the last day', { asking: { from: '2029-12-01', until: '2030-01-01' } }, []],
  ])('%s', (_, more, expected) => expect(codes(checkRotationAsked({ ...rotation, ...more }))).toEqual(expected))
  test.each<[string, Partial<RotationFacts>, string[]]>([
    ['the last place', {}, []],
    ['no place', { free: 0 }, ['rotation_full']],
    ['elsewhere', { meanwhile: { name: 'Surgery', name_local: 'جراحة' } }, ['rotation_meanwhile_of']],
    ['on leave as long as is allowed', { leave: 2 }, []],
    ['on leave for longer', { leave: 3 }, ['rotation_on_leave']],
    ['marks are submitted', { open: false }, ['rotation_submitted']],
  ])('accepted: %s', (_, more, expected) =>
    expect(codes(checkRotationAccepted({ ...rotation, ...more }))).toEqual(expected),
  )
  test('what has begun is not removed, what is marked not changed', () => {
    expect(codes(checkRotationLeft({ ...rotation, today: '2030-02-01' }))).toEqual(['rotation_begun'])
    expect(codes(checkRotationLeft({ ...rotation, today: '2030-01-31' }))).toEqual([])
    expect(codes(checkRotationRemoved({ ...rotation, marked: true, open: false }))).toEqual(['rotation_marked_already'])
    expect(codes(checkRotationRemoved({ ...rotation, open: false }))).toEqual(['rotation_submitted'])
  })
  test.each<[string, string, object, string[]]>([
    ['never came', '2030-01-31', {}, []],
    ['two days before', '2030-01-30', {}, ['rotation_interrupted_day@on']],
    ['the day before the last', '2030-02-27', {}, []],
    ['a day to come', '2030-02-11', { today: '2030-02-10' }, ['rotation_interrupted_day@on']],
    ['the last day', '2030-02-28', {}, ['rotation_interrupted_day@on']],
    ['not accepted', '2030-02-10', { status: 'requested' }, ['rotation_not_running']],
    [
      'over already',
      '2030-02-10',
      { outcome: 'passed', marked: true },
      ['rotation_marked_already', 'rotation_not_running'],
    ],
  ])('ends early: %s', (_, on, more, expected) =>
    expect(
      codes(checkInterrupted({ ...rotation, today: '2030-02-28', status: 'accepted', outcome: null, ...more }, on)),
    ).toEqual(expected),
  )
})

const type = (rotations: TrainingTypeFacts['rotations'], more: Partial<TrainingTypeFacts> = {}): TrainingTypeFacts => ({
  name: 'Ward',
  name_local: 'قسم',
  is_elective: false,
  days: 28,
  rotations,
  ...more,
})
const had = (outcome: string | null, more: object = {}) => ({
  status: 'accepted',
  outcome,
  starts_on: '2030-02-01',
  ends_on: '2030-02-28',
  leave: 0,
  ...more,
})
describe('what counts of a training type', () => {
  test.each<[string, TrainingTypeFacts['rotations'], ReturnType<typeof typeDone>]>([
    ['nothing', [], { done: 0, planned: 0, lacking: 28, to_make_up: 0 }],
    ['planned', [had(null)], { done: 0, planned: 28, lacking: 0, to_make_up: 0 }],
    ['asked for', [had(null, { status: 'requested' })], { done: 0, planned: 0, lacking: 28, to_make_up: 0 }],
    ['passed', [had('passed')], { done: 28, planned: 0, lacking: 0, to_make_up: 0 }],
    ['failed', [had('failed')], { done: 0, planned: 0, lacking: 28, to_make_up: 28 }],
    ['failed and repeated', [had('failed'), had('passed')], { done: 28, planned: 0, lacking: 0, to_make_up: 0 }],
    [
      'interrupted after a week',
      [had('interrupted', { ends_on: '2030-02-07' })],
      { done: 7, planned: 0, lacking: 21, to_make_up: 21 },
    ],
    [
      'never came',
      [had('interrupted', { ends_on: '2030-01-31' })],
      { done: 0, planned: 0, lacking: 28, to_make_up: 28 },
    ],
    [
      'two days on leave, as allowed',
      [had('passed', { leave: 2 })],
      { done: 28, planned: 0, lacking: 0, to_make_up: 0 },
    ],
    ['three, one of them missed', [had('passed', { leave: 3 })], { done: 27, planned: 0, lacking: 1, to_make_up: 1 }],
  ])('%s', (_, rotations, expected) => expect(typeDone(type(rotations), 2)).toEqual(expected))
  test('the year is done with every obligatory type and as many electives as it has', () => {
    const rules = { leave_days: 2, electives: 1 }
    expect(codes(checkCompleted([type([had('passed')]), type([had(null)], { is_elective: true })], rules))).toEqual([
      'emtyaz_electives_missing',
    ])
    expect(codes(checkCompleted([type([]), type([had('passed')], { is_elective: true })], rules))).toEqual([
      'emtyaz_type_missing',
    ])
    expect(checkCompleted([type([had('passed')]), type([had('passed')], { is_elective: true })], rules)).toEqual([])
  })
})

const control: RotationControlFacts = {
  today: '2030-03-01',
  ends_on: '2030-02-28',
  closed: false,
  unmarked: [],
  completed: [],
  interns: 2,
}
const mona = { name: 'Mona', name_local: 'منى' }
describe('marks', () => {
  test.each<[string, Partial<RotationControlFacts>, string[]]>([
    ['nothing stands against it', {}, []],
    ['on the last day', { today: '2030-02-28' }, []],
    ['the day before', { today: '2030-02-27' }, ['rotation_not_over']],
    ['nobody is in it', { interns: 0 }, ['rotation_nobody']],
    ['somebody has none', { unmarked: [mona] }, ['rotation_unmarked']],
    ['the year is closed', { closed: true }, ['emtyaz_closed']],
  ])('submitted: %s', (_, more, expected) =>
    expect(codes(checkRotationSubmitted({ ...control, ...more }))).toEqual(expected),
  )
  test('published with everybody, taken back from nobody who has completed', () => {
    expect(codes(checkRotationPublished({ ...control, unmarked: [mona] }))).toEqual(['rotation_unmarked'])
    expect(codes(checkRotationBack({ ...control, completed: [mona] }))).toEqual(['rotation_completed_by'])
    expect(checkRotationBack(control)).toEqual([])
  })
  const marking = {
    today: '2030-03-14',
    ends_on: '2030-02-28',
    marks_days: 14,
    control_status: 'Draft',
    closed: false,
    late: false,
  }
  test.each<[string, object, string[]]>([
    ['on the last day of the deadline', {}, []],
    ['a day later', { today: '2030-03-15' }, ['rotation_marks_late']],
    ['a day later, by who may', { today: '2030-03-15', late: true }, []],
    ['too early', { today: '2030-02-27' }, ['rotation_not_over']],
    ['submitted', { control_status: 'Submitted' }, ['rotation_submitted']],
    ['closed', { closed: true }, ['emtyaz_closed']],
  ])('entered %s', (_, more, expected) => expect(codes(checkMarking({ ...marking, ...more }))).toEqual(expected))
  const criteria = [
    { id: 1, max_mark: 40 },
    { id: 2, max_mark: 0.1 },
    { id: 3, max_mark: 0.2 },
  ]
  test('between nothing and the maximum, by criteria of the course', () => {
    expect(
      checkMarks(criteria, [
        { criterion_id: 1, points: 40 },
        { criterion_id: 1, points: null },
      ]),
    ).toEqual([])
    expect(
      codes(
        checkMarks(criteria, [
          { criterion_id: 1, points: 40.01 },
          { criterion_id: 4, points: 1 },
        ]),
      ),
    ).toEqual(['reference_missing@criterion_id', 'rotation_points@points'])
  })
  test('a mark is the sum of all, in hundredths, or none', () => {
    expect(
      rotationMarkOf(
        criteria,
        new Map([
          [1, 40],
          [2, 0.1],
          [3, 0.2],
        ]),
      ),
    ).toBe(40.3)
    expect(
      rotationMarkOf(
        criteria,
        new Map([
          [1, 40],
          [2, 0.1],
        ]),
      ),
    ).toBe(null)
    expect(rotationMarkOf([], new Map())).toBe(null)
  })
})
