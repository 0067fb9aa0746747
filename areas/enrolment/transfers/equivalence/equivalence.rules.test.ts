import { describe, expect, test } from 'vitest'
import {
  checkConversions,
  pointsOf,
  shareOfMaximum,
  usualConversions,
} from '#areas/study/catalogue/conversion.rules.ts'
import { checkExternal, checkOpeningAgain } from '../external/external.rules.ts'
import { checkExecution, type ExecutionFacts } from '../internal/internal.rules.ts'
import { checkOut } from '../out/out.rules.ts'
import { entryInto } from './entry.rules.ts'
import { checkEquivalences, convertGrade, markOf, misfits, propose, together } from './equivalence.rules.ts'
import type { EquivalenceDecided, DecidedCourse, PassedElsewhere, Scale } from './equivalence.rules.ts'

describe('the table of conversions', () => {
  const table = usualConversions(6000)
  test('is read in both directions, and rises in both', () => {
    expect(checkConversions(table)).toEqual([])
    expect([0, 6000, 6250, 8500, 10_000].map((share) => pointsOf(table, share))).toEqual([0, 100, 150, 330, 400])
    expect([0, 100, 150, 330, 400].map((points) => shareOfMaximum(table, points))).toEqual([
      0, 6000, 6250, 8500, 10_000,
    ])
    for (let share = 1; share <= 10_000; share += 7)
      expect(Math.abs(shareOfMaximum(table, pointsOf(table, share)!)! - share)).toBeLessThanOrEqual(40)
    expect(pointsOf([], 6000)).toBeNull()
  })
  test('has neither hole nor overlap on either scale, and never falls', () => {
    const codes = (lines: typeof table) => checkConversions(lines).map((one) => `${one.code}@${one.field}`)
    const but = (i: number, part: object) => table.map((line, at) => (at === i ? { ...line, ...part } : line))
    expect(codes(but(1, { to_share: 6400 }))).toEqual(['range_hole@conversions.2.from_share'])
    expect(codes(but(2, { from_points: 190 }))).toEqual(['range_overlap@conversions.2.from_points'])
    expect(codes(table.slice(1))).toEqual([
      'range_hole@conversions.0.from_share',
      'range_hole@conversions.0.from_points',
    ])
    expect(codes(table.slice(0, -1))).toEqual(['range_hole@conversions', 'range_hole@conversions'])
    expect(
      codes([
        { from_share: 0, to_share: 5000, from_points: 200, to_points: 400 },
        { from_share: 5000, to_share: 10_000, from_points: 0, to_points: 200 },
      ]),
    ).toEqual(['conversion_order@conversions.1.from_points'])
    expect(usualConversions(7000).map((line) => line.from_share)).toEqual([0, 7000, 7500, 8500])
  })
})

const passed = (key: string, part: Partial<PassedElsewhere> = {}): PassedElsewhere => ({
  key,
  course_id: null,
  hours: 300,
  percent: null,
  letter: null,
  points: null,
  by_marks: false,
  ...part,
})
const RANGES = [
  { letter: 'A', from: 8500, to: 10_000, points: 400, success: true },
  { letter: 'C', from: 6000, to: 8500, points: 200, success: true },
  { letter: 'F', from: 0, to: 6000, points: 0, success: false },
]
const MARKS = {
  pass_share: 5000,
  ratings: [
    { code: 'EX', name: '', name_local: '', from: 8500 },
    { code: 'P', name: '', name_local: '', from: 5000 },
    { code: 'W', name: '', name_local: '', from: 0 },
  ],
}
const byHours = { ranges: RANGES, marks: null, conversions: usualConversions(6000) }
const byMarks = { ranges: [], marks: MARKS, conversions: usualConversions(5000) }

test('a grade between the kinds is told by the table; what was passed never fails', () => {
  expect(convertGrade(passed('a', { by_marks: true, percent: 7000 }), byHours)).toMatchObject({
    letter: 'C',
    points: 200,
  })
  // 62 % passed there has 1.4 points here: no passing grade has so few.
  expect(convertGrade(passed('a', { by_marks: true, percent: 6200 }), byHours)).toBeNull()
  expect(convertGrade(passed('a', { by_marks: true, percent: 6200 }), { ...byHours, conversions: [] })?.letter).toBe(
    'C',
  )
  expect(convertGrade(passed('a', { points: 400, percent: 9100 }), byMarks)).toEqual({
    letter: 'EX',
    points: null,
    share: 10_000,
  })
  expect(convertGrade(passed('a', { points: 50, percent: 6000 }), byMarks)).toBeNull()
  expect(convertGrade(passed('a', { by_marks: true, percent: 8600, points: 100 }), byMarks)?.share).toBe(8600)
  expect(convertGrade(passed('a', { percent: 5900 }), byHours)).toBeNull()
  expect([markOf(8333, 15_000, 0), markOf(8333, 15_000, 2)]).toEqual([12_500, 12_500])
  expect(markOf(5850, 7500, 0)).toBe(4400)
})

test('what was decided of several courses together is proposed only where all are there', () => {
  const ours = [1, 2, 3].map((id) => ({ id, code: `C${id}`, hours: 300, maximum: 10_000 }))
  const counts = (...ids: number[]) =>
    ids.map((course_id) => ({ course_id, hours: null, counts_in_gpa: true, graded: true }))
  const pair = { keys: ['a', 'b'], counts: counts(1) }
  const decisions = new Map([
    ['a', pair],
    ['b', pair],
    ['c', { keys: ['c'], counts: counts(2, 3) }],
  ])
  const lines = (...keys: string[]) =>
    propose(
      keys.map((key) => passed(key, { percent: key === 'a' ? 6000 : 9500, hours: key === 'a' ? 300 : 100 })),
      ours,
      { equals: new Map(), decisions, scale: byHours },
    )
  const [a, b, c] = lines('a', 'b', 'c')
  // The better one leads; results are weighted by hours: (60 × 3 + 95 × 1) / 4 = 68.75.
  expect([a!.joined, b!.course_id, b!.grade?.letter]).toEqual([1, 1, 'C'])
  expect([c!.course_id, c!.more.map((one) => one.course_id)]).toEqual([2, [3]])
  expect(lines('a')[0]).toMatchObject({ course_id: null, joined: null })
  expect(together([passed('a', { points: 400 }), passed('b')]).points).toBeNull()
})

const OURS = new Map([1, 2, 3].map((id) => [id, { id, code: `C${id}`, hours: 300, maximum: 15_000 }]))
const course = (course_id: number, part: Partial<DecidedCourse> = {}): DecidedCourse => ({
  course_id,
  hours: null,
  letter: null,
  mark: null,
  counts_in_gpa: false,
  ...part,
})
const decided = (id: number, counts: DecidedCourse[], part: Partial<EquivalenceDecided> = {}): EquivalenceDecided => ({
  id,
  source: { code: `S${id}`, hours: 300 },
  counts,
  joined_to: null,
  place: id,
  ...part,
})
const wrong = (
  lines: EquivalenceDecided[],
  scale: Parameters<typeof checkEquivalences>[2] = byHours,
  same_hours = true,
) => checkEquivalences(lines, OURS, scale, { same_hours }).map((one) => `${one.code}@${one.field}`)

describe('what a decision keeps to', () => {
  test('each course of the program once, in its hours, with a grade that passes', () => {
    expect(wrong([decided(0, [course(1, { letter: 'C', counts_in_gpa: true })]), decided(1, [])])).toEqual([])
    expect(wrong([decided(0, [course(9)])])).toEqual(['equivalence_not_of_program@courses.0.course_id'])
    // What stands and is not sent again counts as well; the one that is sent is named.
    expect(wrong([decided(0, [course(1)], { place: null }), decided(1, [course(1)])])).toEqual([
      'equivalence_course_twice@courses.1.course_id',
    ])
    expect(wrong([decided(0, [course(1, { hours: 301 })])])).toEqual(['equivalence_hours@courses.0.credit_hours'])
    expect(wrong([decided(0, [course(1, { letter: 'F' })])])).toEqual(['equivalence_letter@courses.0.letter'])
    expect(wrong([decided(0, [course(1, { counts_in_gpa: true })])])).toEqual([
      'equivalence_gpa_without_grade@courses.0.counts_in_gpa',
    ])
    expect(wrong([decided(0, [course(1, { mark: 9000 })])])).toEqual(['equivalence_by_hours@courses.0.mark'])
  })
  test('by marks: from the marks that pass to the maximum, nothing in a GPA', () => {
    const at = (mark: number) => wrong([decided(0, [course(1, { mark })])], byMarks)
    expect([at(7500), at(15_000), at(7499), at(15_001)].map((one) => one.length)).toEqual([0, 0, 1, 1])
    expect(wrong([decided(0, [course(1, { mark: 9000, counts_in_gpa: true })])], byMarks)).toEqual([
      'equivalence_by_marks@courses.0.letter',
    ])
  })
  test('what counts together does so with a course that counts as one; no more is shared out than there was', () => {
    expect(wrong([decided(0, [course(1)]), decided(1, [], { joined_to: 0 })])).toEqual([])
    expect(wrong([decided(0, []), decided(1, [], { joined_to: 0 })])).toEqual([
      'equivalence_joined@courses.1.joined_to',
    ])
    expect(wrong([decided(0, [], { joined_to: 0 })])).toEqual(['equivalence_joined@courses.0.joined_to'])
    expect(wrong([decided(0, [course(1, { hours: 200 }), course(2, { hours: 100 })])])).toEqual([])
    const shared = [course(1, { hours: 200 }), course(2, { hours: 101 })]
    expect(wrong([decided(0, shared)])).toEqual(['equivalence_split_hours@courses.0.credit_hours'])
    // Two of theirs may be shared out; hours of another university are told otherwise.
    expect(wrong([decided(0, shared), decided(1, [], { joined_to: 0 })])).toEqual([])
    expect(wrong([decided(0, shared)], byHours, false)).toEqual([])
  })
})

test('who comes into a study by marks begins where the credited courses lead', () => {
  const plan = (...levels: number[][]) => ({
    min_credit_hours: 0,
    groups: [
      { id: 0, kind: 'mandatory' as const, min_credit_hours: null },
      { id: 7, kind: 'elective' as const, min_credit_hours: 300 },
    ],
    courses: levels.flatMap((ids, i) =>
      ids.map((id) => ({
        course_id: Math.abs(id),
        group_id: id < 0 ? 7 : 0,
        credit_hours: 300,
        level: i + 1,
        semester: i * 2 + 1,
        prerequisites: null,
        corequisite_ids: [],
      })),
    ),
  })
  const rules = {
    levels: [1, 2, 3].map((level) => ({ level, chances: 2, counts_for_graduation: true })),
    max_carried: 1,
    carried_from_final_level: false,
    required_courses: [] as number[],
    uncounted_courses: [] as number[],
  }
  const of = (passed: number[], more: Partial<typeof rules> = {}, courses = plan([1, 2, -3], [4, 5], [6])) =>
    entryInto(courses, { ...rules, ...more }, new Set(passed))
  expect(of([])).toEqual({ level: 1, carried: [] })
  // An elective that was not taken keeps nobody; one course may be carried, two may not.
  expect(of([1])).toEqual({ level: 2, carried: [2] })
  expect(of([1, 4, 5])).toEqual({ level: 3, carried: [2] })
  expect(of([1, 4])).toEqual({ level: 2, carried: [2] })
  expect(of([1], { required_courses: [2] })).toEqual({ level: 1, carried: [] })
  expect(of([1, 4], { uncounted_courses: [2] })).toEqual({ level: 3, carried: [2, 5] })
  // The final level is not left by a transfer, nor a level without courses.
  expect(of([1, 2, 4, 5, 6])).toEqual({ level: 3, carried: [] })
  expect(of([1, 2], {}, plan([1, 2], [], [6]))).toEqual({ level: 2, carried: [] })
})

test('what stands against executing is told whole, each by its own word', () => {
  const fine: ExecutionFacts = {
    studying: true,
    holds: [],
    out_pending: false,
    program_there: true,
    program_own: false,
    program_elsewhere: false,
    places: 2,
    taken: 1,
    moves: 0,
    most_moves: 1,
    same_program: true,
    agreed: true,
    undecided: 0,
    open_results: 0,
    level_open: false,
    gone: null,
    unfit: null,
    changed: [],
  }
  const against = (part: Partial<ExecutionFacts>) => checkExecution({ ...fine, ...part }).map((one) => one.code)
  expect(against({})).toEqual([])
  for (const [part, code] of [
    [{ studying: false }, 'transfer_not_studying'],
    [{ holds: ['unpaid_invoice', 'unpaid_invoice'] }, 'transfer_debt'],
    [{ holds: ['obligatory_survey'] }, 'transfer_survey'],
    [{ holds: ['blocked'] }, 'transfer_blocked'],
    [{ holds: ['missing_documents'] }, 'transfer_documents'],
    [{ program_own: true }, 'transfer_own_program'],
    [{ program_elsewhere: true }, 'transfer_to_other_record'],
    [{ program_there: false }, 'reference_missing'],
    [{ out_pending: true }, 'transfer_while_out'],
    [{ taken: 2 }, 'transfer_places'],
    [{ moves: 1 }, 'transfer_again'],
    [{ same_program: false }, 'transfer_program_changed'],
    [{ agreed: false }, 'transfer_not_agreed'],
    [{ undecided: 1 }, 'transfer_undecided'],
    [{ open_results: 1 }, 'transfer_results_open'],
    [{ level_open: true }, 'transfer_level_open'],
    [{ gone: 'C1' }, 'transfer_course_gone'],
    [{ unfit: 'C1' }, 'transfer_rules_changed'],
  ] as const)
    expect(against(part as Partial<ExecutionFacts>), code).toEqual([code])
  expect(checkOut({ studying: true, holds: [], internal_pending: true }).map((one) => one.code)).toEqual([
    'transfer_out_while_internal',
  ])
  const external = {
    applying: null,
    credited: false,
    studying: true,
    same_program: true,
    courses: 1,
    undecided: 0,
    passed_meanwhile: 0,
    gone: null,
    unfit: null,
  }
  expect(checkExternal(external)).toEqual([])
  for (const [part, code] of [
    [{ studying: false }, 'transfer_not_studying'],
    [{ same_program: false }, 'transfer_program_changed'],
    [{ courses: 0 }, 'transfer_without_courses'],
    [{ undecided: 1 }, 'transfer_undecided'],
  ] as const)
    expect(
      checkExternal({ ...external, ...part }).map((one) => one.code),
      code,
    ).toEqual([code])
  const applied = { ...external, applying: true, studying: false }
  expect(checkExternal(applied)).toEqual([])
  for (const [part, code] of [
    [{ applying: false }, 'transfer_not_applying'],
    [{ same_program: false }, 'transfer_other_program'],
    [{ undecided: 2 }, 'transfer_undecided'],
  ] as const)
    expect(
      checkExternal({ ...applied, ...part }).map((one) => one.code),
      code,
    ).toEqual([code])
  expect(checkOpeningAgain(applied)).toEqual([])
  expect(checkOpeningAgain({ ...applied, credited: true })).toEqual([{ code: 'transfer_credited' }])
  expect(checkExternal({ ...external, gone: 'C1', unfit: 'C2', passed_meanwhile: 1 }).map((one) => one.code)).toEqual([
    'transfer_passed_meanwhile',
    'transfer_rules_changed',
    'transfer_course_gone',
  ])
})

test('what was decided under other hours, marks or grades fits no more; what counts without a grade always does', () => {
  const ours = new Map([[1, { id: 1, code: 'C1', hours: 300, maximum: 10_000 }]])
  const range = (letter: string, points: number, success = true) => ({ letter, from: 0, to: 1, points, success })
  const hours = { ranges: [range('B', 300), range('F', 0, false)], marks: null, conversions: [] }
  const of = (part: object, scale: Scale = hours) =>
    misfits([{ course_id: 1, hours: 300, letter: 'B', points: 300, mark: null, maximum: null, ...part }], ours, scale)
  expect(of({})).toEqual([])
  expect(of({ letter: null, points: null })).toEqual([])
  // A course that is gone is told as such.
  expect(of({ course_id: 2 })).toEqual([])
  for (const part of [
    { hours: 301 },
    { points: 290 },
    { letter: 'C' },
    { letter: 'F', points: 0 },
    { letter: null },
    { letter: 'G', points: null, mark: 7000, maximum: 10_000 },
  ])
    expect(of(part), JSON.stringify(part)).toEqual(['C1'])
  const marks: Scale = {
    ranges: [],
    marks: { pass_share: 5000, ratings: [{ code: 'G', name: 'Good', name_local: 'جيد', from: 5000 }] },
    conversions: [],
  }
  const good = { letter: 'G', points: null, mark: 7000, maximum: 10_000 }
  expect(of(good, marks)).toEqual([])
  expect(of({ letter: null, points: null }, marks)).toEqual([])
  for (const part of [{ mark: 4900 }, { mark: 10_100 }, { maximum: 20_000 }, { letter: 'E' }, { points: 300 }])
    expect(of({ ...good, ...part }, marks), JSON.stringify(part)).toEqual(['C1'])
  expect(of({}, marks)).toEqual(['C1'])
})
