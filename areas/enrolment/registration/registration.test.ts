import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyOverrides,
  checkRequest,
  checkCourseReturn,
  freeSeats,
  meetingsClash,
  overridableCodes,
} from './registration.rules.ts'
import { refusal, refusalCodes, refusalTexts, type RefusalCode } from './registration-refusals.rules.ts'
import type { CurrentRegistration, OfferedSlot, RequestInput } from './registration-input.rules.ts'
import { countsInLoad, flag, mainFlags, seatHoldingMains } from '#areas/common/academics/status.rules.ts'

const slot = (id: number, change: Partial<OfferedSlot> = {}): OfferedSlot => ({
  id,
  group: 1,
  type: 'Lecture',
  meetings: [{ day: 0, from: 540, to: 600 }],
  quota: 30,
  over_quota: 5,
  taken: 10,
  held: 0,
  ...change,
})

const later = (id: number, section: string) => slot(id, { section, meetings: [{ day: 4, from: 540, to: 600 }] })

const registered = (course_id: number, change: Partial<CurrentRegistration> = {}): CurrentRegistration => ({
  offering_id: course_id * 10,
  course_id,
  course_code: `C${course_id}`,
  credit_hours: 300,
  status: (flag.Registered | flag.Fresh).toString(),
  meetings: [{ day: 3, from: 540, to: 600 }],
  exams: [],
  ...change,
})

type Change = {
  [Key in keyof Omit<RequestInput, 'student' | 'offering' | 'bylaw'>]?: RequestInput[Key]
} & {
  student?: Partial<RequestInput['student']>
  offering?: Partial<Omit<RequestInput['offering'], 'course'>>
  course?: Partial<RequestInput['offering']['course']>
  bylaw?: Partial<RequestInput['bylaw']>
}

const input = ({ student, offering, course, bylaw, ...rest }: Change = {}): RequestInput => ({
  now: '2026-02-01T10:00:00+02:00',
  today: '2026-02-01',
  who: 'student',
  action: 'request',
  improve: false,
  stages: [{ code: 'register', from: '2026-02-01T08:00:00+02:00', to: '2026-02-08T00:00:00+02:00' }],
  term_type: 'spring',
  slot_ids: [1, 2],
  together_ids: [],
  course_codes: { 5: 'MA101', 6: 'CS101', 7: 'PH101' },
  ...rest,
  bylaw: {
    grade_ranges: [
      { letter: 'B', from: 7500, to: 10000, points: 300, success: true },
      { letter: 'C', from: 5000, to: 7500, points: 200, success: true },
      { letter: 'F', from: 0, to: 5000, points: 0, success: false },
    ],
    load_ranges: [
      { from: 0, to: 200, max_ch_value: 12, max_summer_ch_value: 6, max_courses: 4 },
      { from: 200, to: 400, max_ch_value: 18, max_summer_ch_value: 9, max_courses: 6 },
    ],
    warning: { type: 'cumulative', gpa: 200, count: 'total', maximum: 4, summer: false, max_ch_value: null },
    repeat: {
      counts: 'last',
      max_grade: null,
      max_improve_grade: null,
      max_improvements: 2,
      improvable: ['C'],
    },
    max_repeats: null,
    graduating: { extra_hours: 0, extra_courses: 0 },
    ...bylaw,
  },
  student: {
    program_id: 1,
    level: 2,
    gpa: 250,
    passed_hours: 3000,
    hours_to_degree: 9000,
    warnings: 0,
    improvements: 0,
    passed: [{ course_id: 5, letter: 'C', points: 200 }],
    current: [],
    not_studying: null,
    blocked: false,
    unpaid_invoices: [],
    unfilled_surveys: [],
    missing_documents: [],
    ...student,
  },
  offering: {
    id: 100,
    state: 'open',
    control_status: 'Draft',
    program_ids: [1, 2],
    levels: [2, 3],
    slots: [
      slot(1),
      slot(2, { type: 'Lab', meetings: [{ day: 1, from: 600, to: 720 }] }),
      slot(3, { group: 2, meetings: [{ day: 2, from: 540, to: 600 }] }),
    ],
    exams: [{ date: '2026-06-01', from: 540, to: 660 }],
    ...offering,
    course: {
      id: 10,
      code: 'CS201',
      credit_hours: 300,
      prerequisites: { course: 5 },
      corequisite_ids: [],
      min_passed_hours: null,
      min_level: null,
      equal_ids: [11],
      failed_attempts: 0,
      ...course,
    },
  },
})

const codes = (change: Change) => checkRequest(input(change)).map((one) => one.code)
const five = [1, 2, 3, 4].map((id) => registered(id)).concat(registered(20, { credit_hours: 350 }))
const addWindow = [{ code: 'add_drop' as const, from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }]
const inState = (main: (typeof mainFlags)[number]) => ({ status: flag[main].toString() })

test('a request that breaks no rule', () => expect(checkRequest(input())).toEqual([]))

describe('one rule each', () => {
  test.each<[string, Change, RefusalCode[]]>([
    ['before the window', { now: '2026-02-01T07:59:59+02:00' }, ['stage_closed']],
    ['on its first instant, in another zone', { now: '2026-02-01T06:00:00Z' }, []],
    ['on its last instant', { now: '2026-02-08T00:00:00+02:00' }, ['stage_closed']],
    ['no window', { stages: [] }, ['stage_closed']],
    ['adding needs the other window', { action: 'add' }, ['stage_closed']],
    ['adding in its window', { action: 'add', stages: addWindow }, []],
    ['enrolment needs none', { action: 'enroll', who: 'registrar', stages: [] }, []],
    ['draft', { offering: { state: 'draft' } }, ['offering_draft']],
    ['closed', { offering: { state: 'closed' } }, ['offering_closed']],
    ['marks submitted', { offering: { control_status: 'Submitted' } }, ['offering_control']],
    ['marks frozen, and closed', { offering: { state: 'closed', control_status: 'Frozen' } }, ['offering_control']],
    ['other program', { student: { program_id: 3 } }, ['offering_program']],
    ['open to all programs', { student: { program_id: 3 }, offering: { program_ids: [] } }, []],
    ['other level', { student: { level: 1 } }, ['offering_level']],
    ['by marks, in the block', { bylaw: { marks: {} }, offering: { plan_kind: 'mandatory' } }, ['comes_by_block']],
    ['by marks, an elective', { bylaw: { marks: {} }, offering: { plan_kind: 'elective' } }, []],
    ['by credit hours', { offering: { plan_kind: 'mandatory' } }, []],
    ['no load by marks', { bylaw: { marks: {} }, student: { gpa: 0, warnings: 3, current: five } }, []],
    ['open to all levels', { student: { level: 1 }, offering: { levels: [] } }, []],
    ['registered already', { student: { current: [registered(10)] } }, ['already_registered']],
    ['an equal course registered', { student: { current: [registered(11)] } }, ['already_registered']],
    ['taken in the other program', { student: { elsewhere: [registered(10)] } }, ['course_in_other_program']],
    ['an equal one taken there', { student: { elsewhere: [registered(11)] } }, ['course_in_other_program']],
    ['dropped there', { student: { elsewhere: [registered(10, inState('Dropped'))] } }, []],
    [
      'a meeting of the other program',
      { student: { elsewhere: [registered(1, { meetings: [{ day: 0, from: 570, to: 630 }] })] } },
      ['time_clash'],
    ],
    ['hours of the other program', { student: { elsewhere: five } }, []],
    [
      'withdrawn in this term',
      { student: { current: [registered(10, inState('Withdrawn'))] } },
      ['already_registered'],
    ],
    ['dropped in this term', { student: { current: [registered(10, inState('Dropped'))] } }, []],
    [
      'passed',
      {
        student: {
          passed: [
            { course_id: 5, letter: 'C', points: 200 },
            { course_id: 10, letter: 'C', points: 200 },
          ],
        },
      },
      ['already_passed'],
    ],
    [
      'improving',
      {
        improve: true,
        student: {
          passed: [
            { course_id: 5, letter: 'C', points: 200 },
            { course_id: 11, letter: 'C', points: 200 },
          ],
        },
      },
      [],
    ],
    [
      'improving too good a grade',
      {
        improve: true,
        student: {
          passed: [
            { course_id: 5, letter: 'C', points: 200 },
            { course_id: 10, letter: 'C', points: 200 },
            { course_id: 10, letter: 'B', points: 300 },
          ],
        },
      },
      ['improvement_grade'],
    ],
    [
      'improving once too often',
      {
        improve: true,
        student: {
          improvements: 2,
          passed: [
            { course_id: 5, letter: 'C', points: 200 },
            { course_id: 10, letter: 'C', points: 200 },
          ],
        },
      },
      ['improvement_limit'],
    ],
    ['prerequisite', { student: { passed: [] } }, ['prerequisites']],
    ['prerequisite below its grade', { course: { prerequisites: { course: 5, min_grade: 'B' } } }, ['prerequisites']],
    ['co-requisite', { course: { corequisite_ids: [6, 5] } }, ['corequisites']],
    ['co-requisite registered', { course: { corequisite_ids: [6] }, student: { current: [registered(6)] } }, []],
    [
      'co-requisite withdrawn',
      { course: { corequisite_ids: [6] }, student: { current: [registered(6, inState('Withdrawn'))] } },
      ['corequisites'],
    ],
    ['co-requisite in the same call', { course: { corequisite_ids: [6] }, together_ids: [6] }, []],
    ['passed hours', { course: { min_passed_hours: 3001 } }, ['min_passed_hours']],
    ['passed hours just reached', { course: { min_passed_hours: 3000 } }, []],
    ['level', { course: { min_level: 3 } }, ['min_level']],
    ['hours, by half an hour', { student: { current: five } }, ['credit_hours_limit']],
    ['hours exactly', { student: { current: five }, course: { credit_hours: 250 } }, []],
    [
      'hours withdrawn do not count',
      { student: { current: [...five.slice(0, 4), registered(20, { credit_hours: 350, ...inState('Withdrawn') })] } },
      [],
    ],
    ['summer hours', { term_type: 'summer', student: { current: five.slice(0, 3) } }, ['credit_hours_limit']],
    [
      'courses of a low GPA',
      { student: { gpa: 199, current: [1, 2, 3, 4].map((id) => registered(id, { credit_hours: 100 })) } },
      ['courses_limit'],
    ],
    [
      'hours under warning',
      {
        student: { warnings: 1, current: [registered(1)] },
        bylaw: { warning: { type: 'term', gpa: 200, count: 'total', maximum: 2, summer: false, max_ch_value: 5 } },
      },
      ['credit_hours_limit'],
    ],
    [
      'clash by a minute',
      { student: { current: [registered(1, { meetings: [{ day: 0, from: 599, to: 700 }] })] } },
      ['time_clash'],
    ],
    ['back to back', { student: { current: [registered(1, { meetings: [{ day: 0, from: 600, to: 700 }] })] } }, []],
    [
      'same time on another day',
      { student: { current: [registered(1, { meetings: [{ day: 4, from: 540, to: 600 }] })] } },
      [],
    ],
    [
      'clash with a dropped course',
      { student: { current: [registered(1, { ...inState('Dropped'), meetings: [{ day: 0, from: 540, to: 600 }] })] } },
      [],
    ],
    ['clash within the choice', { offering: { slots: [slot(1), slot(2, { type: 'Lab' })] } }, ['time_clash']],
    [
      'exam clash',
      { student: { current: [registered(1, { exams: [{ date: '2026-06-01', from: 600, to: 700 }] })] } },
      ['exam_clash'],
    ],
    [
      'exam on the same day',
      { student: { current: [registered(1, { exams: [{ date: '2026-06-01', from: 660, to: 700 }] })] } },
      [],
    ],
    ['overdue', { student: { unpaid_invoices: [{ code: 'I-1', due_date: '2026-01-31' }] } }, ['hold_payment']],
    ['due today', { student: { unpaid_invoices: [{ code: 'I-1', due_date: '2026-02-01' }] } }, []],
    ['survey', { student: { unfilled_surveys: [{ en: 'Teaching', ar: 'التدريس' }] } }, ['hold_survey']],
    ['blocked', { student: { blocked: true } }, ['hold_blocked']],
    ['failed as often as it may be repeated', { course: { failed_attempts: 2 }, bylaw: { max_repeats: 2 } }, []],
    ['failed more often', { course: { failed_attempts: 3 }, bylaw: { max_repeats: 2 } }, ['repeat_limit']],
    ['failed often, and no limit', { course: { failed_attempts: 9 } }, []],
    [
      'failed often, and passed since',
      {
        course: { failed_attempts: 3 },
        bylaw: { max_repeats: 2 },
        improve: true,
        student: {
          passed: [
            { course_id: 10, letter: 'C', points: 200 },
            { course_id: 5, letter: 'B', points: 300 },
          ],
        },
      },
      [],
    ],
    ['dismissed', { student: { not_studying: { en: 'Dismissed', ar: 'مفصول' } } }, ['not_studying']],
    ['documents', { student: { missing_documents: [{ en: 'Photo', ar: 'صورة' }] } }, ['hold_documents']],
    ['no slot', { slot_ids: [] }, ['slot_required']],
    ['no slot where there is none', { slot_ids: [], offering: { slots: [] } }, []],
    ['a slot of another offering', { slot_ids: [1, 2, 99] }, ['slot_unknown']],
    ['two groups', { slot_ids: [3, 2] }, ['slot_groups']],
    ['a meeting type left out', { slot_ids: [1] }, ['slot_type_missing']],
    ['two alternatives of a type', { offering: { slots: [slot(1), later(2, 'B')] } }, ['slot_type_twice']],
    ['two meetings of one section', { offering: { slots: [slot(1, { section: 'A' }), later(2, 'A')] } }, []],
    ['the other group has no lab', { slot_ids: [3] }, []],
    ['full', { offering: { slots: [slot(1, { taken: 30 })] }, slot_ids: [1] }, ['slot_full']],
    ['full, staff', { who: 'advisor', offering: { slots: [slot(1, { taken: 34 })] }, slot_ids: [1] }, []],
    [
      'full for staff too',
      { who: 'registrar', offering: { slots: [slot(1, { taken: 35 })] }, slot_ids: [1] },
      ['slot_full'],
    ],
    [
      'the last seat is held for the wait list',
      { offering: { slots: [slot(1, { taken: 29, held: 1 })] }, slot_ids: [1] },
      ['slot_full'],
    ],
    ['which may give it', { who: 'system', offering: { slots: [slot(1, { taken: 29, held: 1 })] }, slot_ids: [1] }, []],
    [
      'full for the wait list',
      { who: 'system', offering: { slots: [slot(1, { taken: 30 })] }, slot_ids: [1] },
      ['slot_full'],
    ],
  ])('%s', (_name, change, expected) => expect(codes(change)).toEqual(expected))
})

test('all failures come together, in the order of the catalogue', () => {
  const found = codes({
    stages: [],
    offering: { state: 'closed', slots: [slot(1, { taken: 40 }), slot(2, { type: 'Lab' })] },
    student: {
      program_id: 9,
      level: 1,
      gpa: 100,
      passed: [],
      current: [10, 1, 2, 3].map((id) =>
        registered(id, {
          meetings: [{ day: 0, from: 0, to: 1440 }],
          exams: [{ date: '2026-06-01', from: 0, to: 1440 }],
        }),
      ),
      blocked: true,
      unpaid_invoices: [{ code: 'I-1', due_date: '2025-01-31' }],
      unfilled_surveys: [{ en: 'Teaching', ar: 'التدريس' }],
      missing_documents: [{ en: 'Photo', ar: 'صورة' }],
    },
    course: { corequisite_ids: [6], min_passed_hours: 9000, min_level: 4 },
    slot_ids: [1],
  })
  expect(found).toEqual([
    'stage_closed',
    'offering_closed',
    'offering_program',
    'offering_level',
    'already_registered',
    'prerequisites',
    'corequisites',
    'min_passed_hours',
    'min_level',
    'credit_hours_limit',
    'courses_limit',
    'time_clash',
    'exam_clash',
    'hold_payment',
    'hold_survey',
    'hold_blocked',
    'hold_documents',
    'slot_type_missing',
    'slot_full',
  ])
  expect(found).toEqual(refusalCodes.filter((code) => found.includes(code)))
})

describe('texts', () => {
  test('say what failed', () => {
    const [hours] = checkRequest(input({ course: { min_passed_hours: 9050 } }))
    expect(hours?.en).toBe('Course requires minimum passed hours 90.5')
    expect(hours?.step.en).toBe('You have passed 30 hours so far')
    const [missing] = checkRequest(input({ course: { prerequisites: { any: [{ course: 6 }, { course: 8 }] } } }))
    expect(missing?.en).toBe('Prerequisites are not met: CS101 or #8')
    expect(missing?.data['ids']).toEqual([6, 8])
    expect(refusal('min_level', { data: 3, level: 1 }).en).toBe('Course requires minimum level 3')
    expect(refusalTexts.slot_required.en).toBe('Please select an offering slot before registering')
  })

  test('every refusal leaves no placeholder open', () => {
    const placement = (level: number | null, at: number) => ({
      test: 'a',
      test_local: 'ب',
      level,
      level_name: 'a',
      level_name_local: 'ب',
      courses: [
        { course_id: 10, level: at },
        { course_id: 6, level: 2 },
      ],
    })
    const changes: Change[] = [
      { student: { placements: [placement(null, 1), placement(2, 1), placement(2, 3)] } },
      {
        offering: { state: 'draft' },
        student: { level: 1, passed: [{ course_id: 10, letter: 'B', points: 300 }], improvements: 3 },
        improve: true,
        slot_ids: [2, 3, 99],
      },
      {
        offering: { state: 'closed' },
        student: { passed: [{ course_id: 10, letter: null, points: null }], gpa: 0, current: five, program_id: 4 },
        stages: [],
        course: { corequisite_ids: [6], min_level: 7, min_passed_hours: 9999 },
        slot_ids: [1],
      },
      {
        student: {
          blocked: true,
          unpaid_invoices: [{ code: 'I', due_date: '2000-01-01' }],
          unfilled_surveys: [{ en: 'a', ar: 'ب' }],
          missing_documents: [{ en: 'a', ar: 'ب' }],
          not_studying: { en: 'a', ar: 'ب' },
          current: [
            registered(10),
            registered(12, {
              exams: [{ date: '2026-06-01', from: 0, to: 999 }],
              meetings: [{ day: 0, from: 0, to: 999 }],
            }),
          ],
        },
        slot_ids: [],
      },
      {
        student: {
          current: [
            registered(12, {
              exams: [{ date: '2026-06-01', from: 0, to: 999 }],
              meetings: [{ day: 0, from: 0, to: 999 }],
            }),
          ],
        },
        offering: { slots: [slot(1, { taken: 30 })] },
      },
      { offering: { slots: [slot(1), later(2, 'B')] } },
      { student: { elsewhere: [registered(10)] } },
      { offering: { control_status: 'Reviewed' } },
    ]
    changes.push({ course: { failed_attempts: 1 }, bylaw: { max_repeats: 0 } })
    changes.push({ bylaw: { marks: {} }, offering: { plan_kind: 'mandatory' } })
    const seen = new Set<string>()
    for (const one of changes.flatMap((change) => checkRequest(input(change)))) {
      seen.add(one.code)
      expect(`${one.en}${one.ar}${one.step.en}${one.step.ar}`).not.toMatch(/[{}]/)
    }
    // What leaves is judged beside what stays (changes/corequisites.server.ts).
    expect([...seen, 'corequisite_needed'].sort()).toEqual([...refusalCodes].sort())
  })
})

describe('overrides', () => {
  const refusals = checkRequest(
    input({ stages: [], student: { blocked: true }, offering: { slots: [slot(1, { taken: 35 })] }, slot_ids: [1] }),
  )

  test('set aside what they name, and tell what had no effect', () => {
    const result = applyOverrides(refusals, [
      { code: 'stage_closed', reason: ' came back from hospital ' },
      { code: 'hold_blocked', reason: ' ' },
      { code: 'slot_full', reason: 'please' },
      { code: 'min_level', reason: 'good student' },
    ])
    expect(result.remaining.map((one) => one.code)).toEqual(['hold_blocked', 'slot_full'])
    expect(result.overridden.map((one) => [one.code, one.reason])).toEqual([
      ['stage_closed', 'came back from hospital'],
    ])
    expect(result.rejected.map((one) => [one.code, one.problem])).toEqual([
      ['hold_blocked', 'reason_missing'],
      ['slot_full', 'not_overridable'],
      ['min_level', 'not_broken'],
    ])
  })

  test('never invent or lose a refusal, and never pass a full slot', () => {
    const some = fc.subarray([...refusalCodes]).map((names) => names.map((code) => refusal(code, {})))
    const asked = fc.array(
      fc.record({ code: fc.constantFrom(...refusalCodes), reason: fc.constantFrom('', 'because') }),
    )
    fc.assert(
      fc.property(some, asked, (given, overrides) => {
        const { remaining, overridden } = applyOverrides(given, overrides)
        expect([...remaining, ...overridden].map((one) => one.code).sort()).toEqual(given.map((one) => one.code).sort())
        for (const one of overridden) expect(overridableCodes.has(one.code)).toBe(true)
        for (const one of remaining) {
          expect(
            overrides.some(({ code, reason }) => code === one.code && reason !== '' && overridableCodes.has(code)),
          ).toBe(false)
        }
      }),
    )
    for (const code of ['slot_full', 'already_registered', 'slot_required'] as const)
      expect(overridableCodes.has(code)).toBe(false)
  })
})

describe('properties', () => {
  const meeting = fc
    .record({ day: fc.integer({ min: 0, max: 1 }), from: fc.nat(20), length: fc.integer({ min: 1, max: 10 }) })
    .map(({ day, from, length }) => ({ day, from, to: from + length }))

  test('meetings clash exactly when they share a minute', () => {
    fc.assert(
      fc.property(meeting, meeting, (one, other) => {
        let shared = false
        for (let minute = 0; minute < 40; minute += 1) {
          shared ||=
            one.day === other.day && minute >= one.from && minute < one.to && minute >= other.from && minute < other.to
        }
        expect(meetingsClash(one, other)).toBe(shared)
        expect(meetingsClash(other, one)).toBe(shared)
      }),
      { numRuns: 500 },
    )
  })

  test('seats: staff never have fewer than students, nobody less than none, and one seat taken is one seat less', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), fc.nat(120), fc.nat(9), (quota, over_quota, taken, held) => {
        const seats = freeSeats({ quota, over_quota, taken, held }, 'student')
        const staff = freeSeats({ quota, over_quota, taken, held }, 'registrar')
        expect(staff).toBeGreaterThanOrEqual(seats)
        expect(taken + staff).toBeLessThanOrEqual(Math.max(taken, quota + over_quota))
        expect(freeSeats({ quota, over_quota, taken: taken + 1, held }, 'student')).toBe(Math.max(0, seats - 1))
        // What is held is the wait list's alone.
        expect(freeSeats({ quota, over_quota, taken, held }, 'system')).toBe(seats + held)
        expect(freeSeats({ quota, over_quota, taken, held: held + 1 }, 'student')).toBe(Math.max(0, seats - 1))
      }),
    )
  })

  test('one more course in the load never removes a refusal of the load', () => {
    const current = fc.array(
      fc.tuple(
        fc.integer({ min: 20, max: 60 }),
        fc.integer({ min: 0, max: 600 }),
        fc.constantFrom(...seatHoldingMains),
      ),
      { maxLength: 8 },
    )
    const limits = (change: Change) =>
      codes(change).filter((code) => code === 'credit_hours_limit' || code === 'courses_limit')
    fc.assert(
      fc.property(current, fc.integer({ min: 0, max: 400 }), (rows, gpa) => {
        const all = rows.map(([id, credit_hours, main]) => registered(id, { credit_hours, ...inState(main) }))
        const fewer = limits({ student: { gpa, current: all.slice(1) } })
        expect(limits({ student: { gpa, current: all } })).toEqual(expect.arrayContaining(fewer))
      }),
    )
  })
})

describe('what comes back into a term', () => {
  const back = (change: Change & { exams?: CurrentRegistration['exams'] } = {}) => {
    const { bylaw, term_type, student } = input(change)
    const registration = registered(10, { meetings: [{ day: 0, from: 540, to: 600 }], exams: change.exams ?? [] })
    return checkCourseReturn({ bylaw, term_type, student, registration, others: student.current })
  }
  const at = (day: number) => ({ meetings: [{ day, from: 570, to: 630 }] })
  test.each<[string, Parameters<typeof back>[0], RefusalCode[]]>([
    ['its place is free', { student: { current: [registered(1)] } }, []],
    ['its hours are used', { student: { current: five } }, ['credit_hours_limit']],
    ['hours exactly', { student: { current: [1, 2, 3, 4, 6].map((id) => registered(id)) } }, []],
    ['its time is used', { student: { current: [registered(1, at(0))] } }, ['time_clash']],
    ['by a request', { student: { current: [registered(1, { ...at(0), ...inState('AddRequest') })] } }, ['time_clash']],
    ['by what left as well', { student: { current: [registered(1, { ...at(0), ...inState('Withdrawn') })] } }, []],
    ['back to back', { student: { current: [registered(1, { meetings: [{ day: 0, from: 600, to: 660 }] })] } }, []],
    [
      'its exam',
      {
        exams: [{ date: '2026-06-01', from: 540, to: 660 }],
        student: { current: [registered(1, { exams: [{ date: '2026-06-01', from: 600, to: 700 }] })] },
      },
      ['exam_clash'],
    ],
    [
      'one course too many',
      { student: { gpa: 199, current: [1, 2, 3, 4].map((id) => registered(id, { credit_hours: 100 })) } },
      ['courses_limit'],
    ],
    [
      'all at once',
      { student: { gpa: 199, current: [registered(1, at(0)), ...[2, 3, 4].map((id) => registered(id))] } },
      ['credit_hours_limit', 'courses_limit', 'time_clash'],
    ],
    // Windows, holds and prerequisites were settled when it was registered.
    ['nothing else is asked', { stages: [], student: { blocked: true, passed: [], level: 1 } }, []],
  ])('%s', (_name, change, expected) => expect(back(change).map((one) => one.code)).toEqual(expected))

  test('is refused for the load and the week exactly as a request for it would be', () => {
    const minute = fc.integer({ min: 480, max: 720 })
    const meeting = fc
      .record({ day: fc.integer({ min: 0, max: 2 }), from: minute, to: minute })
      .filter((m) => m.from < m.to)
    const other = fc.record({
      offering_id: fc.integer({ min: 200, max: 900 }),
      course_id: fc.integer({ min: 20, max: 90 }),
      course_code: fc.constant('X'),
      credit_hours: fc.integer({ min: 0, max: 900 }),
      status: fc.constantFrom(...mainFlags).map((main) => flag[main].toString()),
      meetings: fc.array(meeting, { maxLength: 2 }),
      exams: fc.constant<CurrentRegistration['exams']>([]),
    })
    fc.assert(
      fc.property(
        fc.array(other, { maxLength: 6 }),
        meeting,
        fc.integer({ min: 0, max: 400 }),
        (current, mine, gpa) => {
          const request = input({
            student: { current, gpa },
            offering: { slots: [slot(1, { meetings: [mine] })], exams: [] },
            slot_ids: [1],
          })
          const asked = checkRequest(request)
          const returned = checkCourseReturn({
            ...request,
            registration: registered(10, { offering_id: 100, course_code: 'CS201', meetings: [mine] }),
            others: current,
          })
          const weighed = new Set(['credit_hours_limit', 'courses_limit', 'time_clash', 'exam_clash'])
          expect(returned).toEqual(asked.filter((one) => weighed.has(one.code)))
          // What left the term weighs nothing.
          if (!current.some((one) => countsInLoad(mainFlags.find((main) => flag[main].toString() === one.status)!)))
            expect(returned).toEqual([])
        },
      ),
    )
  })
})
