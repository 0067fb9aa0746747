import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bylaw } from '#areas/study/catalogue/bylaw.rules.ts'
import { regulationRatingOf, reachesShare, usualRatings } from '#areas/study/catalogue/mark-regulation.rules.ts'
import { auditDegree } from '#areas/records/degree-audit/audits/plan.rules.ts'
import { checkScheme, gradeOf, readMark, type GradeInput, type MarkScheme } from './grading.rules.ts'
import {
  computeTerms,
  diffTerms,
  graduation,
  termBylaw,
  type StudentTerm,
  type TermBylaw,
  type TermRegistration,
} from './terms.rules.ts'

const scheme: MarkScheme = {
  places: 0,
  grade_type: 'letter',
  categories: [
    { id: 1, maximum: 2000, final_exam: false },
    { id: 2, maximum: 2000, final_exam: false },
    { id: 3, maximum: 6000, final_exam: true },
  ],
}
const bylaw: GradeInput['bylaw'] & Pick<Bylaw, 'levels' | 'warning'> = {
  grade_ranges: [
    { letter: 'A', from: 9000, to: 10000, points: 400, success: true },
    { letter: 'B', from: 7500, to: 9000, points: 300, success: true },
    { letter: 'C', from: 6000, to: 7500, points: 200, success: true },
    { letter: 'F', from: 0, to: 6000, points: 0, success: false },
  ],
  repeat: { counts: 'last', max_grade: 'B', max_improve_grade: null, max_improvements: null, improvable: [] },
  min_percentage_final_exam: 3000,
  special_grades: {
    Withdrawn: { letter: 'WF', points: 0, success: false, counts_in_gpa: true, counts_in_attempted_hours: true },
  },
  levels: [
    { level: 1, passed_hours: 0 },
    { level: 2, passed_hours: 600 },
  ],
  warning: { type: 'term', gpa: 200, count: 'consecutive', maximum: 3, summer: false, max_ch_value: null },
}
const grade = (change: Partial<GradeInput>) =>
  gradeOf({
    scheme,
    marks: { 1: 2000, 2: 2000, 3: 6000 },
    main: 'Registered',
    audit: false,
    attempt: 'Fresh',
    bylaw,
    ...change,
  })

describe('mark scheme and marks', () => {
  const final = { id: 9, maximum: 5000, final_exam: true }
  test.each<[string, MarkScheme['categories'], string[]]>([
    ['sums to 100', scheme.categories, []],
    ['99.99', [final, { id: 1, maximum: 4999, final_exam: false }], ['scheme_total']],
    [
      'thirds that only nearly sum',
      [final, { id: 1, maximum: 3333, final_exam: false }, { id: 2, maximum: 1666, final_exam: false }],
      ['scheme_total'],
    ],
    ['no final', [{ id: 1, maximum: 10000, final_exam: false }], ['scheme_final_exam']],
    ['two finals', [final, { ...final, id: 8 }], ['scheme_final_exam']],
    ['twice', [final, { ...final, final_exam: false }], ['scheme_category_twice']],
    [
      'zero',
      [
        { ...final, maximum: 10000 },
        { id: 1, maximum: 0, final_exam: false },
      ],
      ['scheme_maximum'],
    ],
    ['none', [], ['scheme_total', 'scheme_final_exam']],
  ])('%s', (_name, categories, expected) =>
    expect(checkScheme({ categories }).map((one) => one.code)).toEqual(expected),
  )

  test.each<[string, object | string]>([
    ['', { mark: null }],
    [' a ', { mark: 'A' }],
    ['12.5', { mark: 1250 }],
    ['0', { mark: 0 }],
    ['20', { mark: 2000 }],
    ['١٢٫٢٥', { mark: 1225 }],
    ['20.01', 'mark_maximum'],
    ['-1', 'mark_maximum'],
    ['12.345', 'mark_shape'],
    ['1e1', 'mark_shape'],
    ['B', 'mark_shape'],
  ])('reads %j', (text, expected) => {
    const result = readMark(text, 2000)
    expect('problem' in result ? result.problem.code : result).toEqual(expected)
  })
})

describe('grade', () => {
  test.each<[string, Partial<GradeInput>, object]>([
    [
      'full marks',
      {},
      { state: 'graded', total: 10000, letter: 'A', points: 400, outcome: 'passed', counts_in_gpa: true },
    ],
    [
      '59.5 rounds up to a pass',
      { marks: { 1: 1000, 2: 950, 3: 4000 } },
      { total: 6000, letter: 'C', outcome: 'passed' },
    ],
    ['59.49 does not', { marks: { 1: 1000, 2: 949, 3: 4000 } }, { total: 5900, letter: 'F', outcome: 'failed' }],
    ['rounding is once, at the total', { marks: { 1: 1050, 2: 1050, 3: 3850 } }, { total: 6000, letter: 'C' }],
    [
      'one place',
      { scheme: { ...scheme, places: 1 }, marks: { 1: 1000, 2: 994, 3: 4000 } },
      { total: 5990, letter: 'F' },
    ],
    [
      'two places',
      { scheme: { ...scheme, places: 2 }, marks: { 1: 1000, 2: 999, 3: 4000 } },
      { total: 5999, letter: 'F' },
    ],
    ['final just enough', { marks: { 1: 2000, 2: 2000, 3: 1800 } }, { total: 5800, failed_final: false }],
    [
      'final below the minimum',
      {
        marks: { 1: 2000, 2: 2000, 3: 1799 },
        bylaw: { ...bylaw, grade_ranges: bylaw.grade_ranges.map((one) => ({ ...one, success: true })) },
      },
      { total: 5800, letter: 'F', points: 0, failed_final: true },
    ],
    [
      'final below the minimum, whatever the total',
      { marks: { 1: 2000, 2: 2000, 3: 5399 }, bylaw: { ...bylaw, min_percentage_final_exam: 9000 } },
      { total: 9400, letter: 'F', points: 0, outcome: 'failed', failed_final: true },
    ],
    [
      'absent from the final',
      { marks: { 1: 2000, 2: 2000, 3: 'A' } },
      { state: 'special', special: 'Absent', letter: 'ABS', points: 0, outcome: 'failed', counts_in_gpa: true },
    ],
    ['absent elsewhere is nothing', { marks: { 1: 'A', 2: 2000, 3: 6000 } }, { total: 8000, letter: 'B' }],
    [
      'marks to come',
      { marks: { 1: 0, 3: null } },
      { state: 'missing', letter: null, missing: [2, 3], outcome: 'none', counts_in_gpa: false },
    ],
    ['zero is a mark', { marks: { 1: 0, 2: 0, 3: 0 } }, { state: 'graded', total: 0, letter: 'F' }],
    ['repeated is capped', { attempt: 'Repeat' }, { total: 10000, letter: 'B', points: 300 }],
    ['a cap raises nobody', { attempt: 'Repeat', marks: { 1: 2000, 2: 0, 3: 4000 } }, { letter: 'C', points: 200 }],
    ['improved is not capped here', { attempt: 'Improve' }, { letter: 'A' }],
    [
      'improved is capped where the bylaw says so',
      { attempt: 'Improve', bylaw: { ...bylaw, repeat: { ...bylaw.repeat, max_improve_grade: 'C' } } },
      { letter: 'C' },
    ],
    [
      'pass/fail passed',
      { scheme: { ...scheme, grade_type: 'pass_fail' } },
      { state: 'graded', letter: 'P', points: null, outcome: 'passed', counts_in_gpa: false },
    ],
    [
      'pass/fail failed',
      { scheme: { ...scheme, grade_type: 'pass_fail' }, marks: { 1: 0, 2: 0, 3: 2000 } },
      { letter: 'NP', outcome: 'failed', counts_in_gpa: false },
    ],
    ['banned', { main: 'Banned' }, { special: 'Banned', points: 0, outcome: 'failed' }],
    [
      'withdrawn, as this bylaw has it',
      { main: 'Withdrawn' },
      { letter: 'WF', points: 0, outcome: 'failed', counts_in_gpa: true },
    ],
    ['excused', { main: 'Excused' }, { letter: 'EX', outcome: 'none', counts_in_attempted_hours: false }],
    [
      'incomplete',
      { main: 'Incomplete' },
      { letter: 'I', outcome: 'none', counts_in_gpa: false, counts_in_attempted_hours: true },
    ],
    ['completed', { main: 'Complete' }, { letter: 'A' }],
    ['audited', { audit: true }, { special: 'Audit', counts_in_gpa: false, outcome: 'none' }],
    ['dropped', { main: 'Dropped' }, { state: 'none', letter: null, outcome: 'none' }],
    ['requested', { main: 'RegisterRequest' }, { state: 'none' }],
  ])('%s', (_name, change, expected) => expect(grade(change)).toMatchObject(expected))

  const mark = (maximum: number) => fc.integer({ min: 0, max: maximum })
  const places = fc.constantFrom(0 as const, 1 as const, 2 as const)

  test('the total is the rounded sum of an exact reference, within 0 to 100, and a higher mark is never a lower grade', () => {
    fc.assert(
      fc.property(mark(2000), mark(2000), mark(6000), places, mark(500), (one, two, three, to, more) => {
        const now = grade({ marks: { 1: one, 2: two, 3: three }, scheme: { ...scheme, places: to } })
        const unit = 10n ** BigInt(2 - to)
        const exact = ((2n * BigInt(one + two + three) + unit) / (2n * unit)) * unit
        expect(BigInt(now.total ?? -1)).toBe(exact)
        expect(now.total).toBeLessThanOrEqual(10000)
        const better = grade({
          marks: { 1: one, 2: two, 3: Math.min(6000, three + more) },
          scheme: { ...scheme, places: to },
        })
        expect(better.points).toBeGreaterThanOrEqual(now.points ?? 0)
      }),
      { numRuns: 1000 },
    )
  })
})

const registration = (
  course_id: number,
  points: number | null,
  change: Partial<TermRegistration> = {},
): TermRegistration => ({
  course_id,
  credit_hours: 300,
  points,
  outcome: points === null ? 'none' : points > 0 ? 'passed' : 'failed',
  counts_in_gpa: points !== null,
  counts_in_attempted_hours: true,
  ...change,
})
const term = (
  term_id: number,
  registrations: TermRegistration[],
  term_type: StudentTerm['term_type'] = 'fall',
): StudentTerm => ({ term_id, term_type, registrations })
const rules = (change: Partial<TermBylaw> = {}): TermBylaw => ({
  ...termBylaw(bylaw),
  max_repeat_points: null,
  ...change,
})

describe('terms', () => {
  test('the rows of two terms', () => {
    const rows = computeTerms({
      bylaw: rules(),
      terms: [
        term(1, [registration(1, 400), registration(2, 0), registration(3, null)]),
        term(2, [registration(2, 300, { credit_hours: 200 }), registration(4, 370)]),
      ],
    })
    expect(rows).toEqual([
      {
        term_id: 1,
        gpa: 200,
        registered_hours: 900,
        passed_hours: 300,
        points: 1200,
        cumulative_gpa: 200,
        cumulative_registered_hours: 900,
        cumulative_passed_hours: 300,
        cumulative_points: 1200,
        warned: false,
        warnings: 0,
        standing: 'good',
        level: 1,
      },
      {
        term_id: 2,
        gpa: 342,
        registered_hours: 500,
        passed_hours: 500,
        points: 1710,
        cumulative_gpa: 364,
        cumulative_registered_hours: 1400,
        cumulative_passed_hours: 800,
        cumulative_points: 2910,
        warned: false,
        warnings: 0,
        standing: 'good',
        level: 2,
      },
    ])
  })

  const attempts = [term(1, [registration(1, 0)]), term(2, [registration(1, 400)]), term(3, [registration(1, 200)])]
  test.each([
    ['last', [0, 400, 200]],
    ['best', [0, 400, 400]],
    ['average', [0, 200, 200]],
  ] as const)('%s attempt counts', (counts, gpas) => {
    const rows = computeTerms({ bylaw: rules({ counts }), terms: attempts })
    expect(rows.map((row) => row.cumulative_gpa)).toEqual(gpas)
    expect(rows.map((row) => row.cumulative_registered_hours)).toEqual([300, 600, 900])
    expect(rows.map((row) => row.cumulative_passed_hours)).toEqual([0, 300, 300])
  })

  test('a repeated course is capped, an improved one by its own cap', () => {
    const rows = computeTerms({
      bylaw: rules({ max_repeat_points: 300, max_improve_points: 370 }),
      terms: [term(1, [registration(1, 0)]), term(2, [registration(1, 400)]), term(3, [registration(1, 400)])],
    })
    expect(rows.map((row) => row.gpa)).toEqual([0, 300, 370])
  })

  test('a failed improvement does not take passed hours away', () => {
    const rows = computeTerms({
      bylaw: rules(),
      terms: [term(1, [registration(1, 200)]), term(2, [registration(1, 0)])],
    })
    expect(rows[1]).toMatchObject({ cumulative_gpa: 0, cumulative_passed_hours: 300, passed_hours: 0 })
  })

  test('halves round up: 3.445 is 3.45, 3.4449 is 3.44', () => {
    const of = (points: number[]) =>
      computeTerms({
        bylaw: rules(),
        terms: [
          term(
            1,
            points.map((one, index) => registration(index, one)),
          ),
        ],
      })[0]?.gpa
    expect(of([344, 345])).toBe(345)
    expect(of([344, 344, 345])).toBe(344)
  })

  test('what does not count gives no GPA, but passed hours where passed', () => {
    const pass = registration(1, null, { outcome: 'passed' })
    expect(computeTerms({ bylaw: rules(), terms: [term(1, [pass])] })[0]).toMatchObject({
      gpa: null,
      cumulative_gpa: null,
      passed_hours: 300,
      warnings: 0,
    })
  })

  const good = (id: number, type?: StudentTerm['term_type']) => term(id, [registration(id, 400)], type)
  const bad = (id: number, type?: StudentTerm['term_type']) => term(id, [registration(id, 100)], type)
  const empty = (id: number) => term(id, [])
  test.each<[string, Partial<TermBylaw['warning']>, StudentTerm[], [number, string][]]>([
    [
      'consecutive',
      {},
      [bad(1), bad(2), good(3), bad(4)],
      [
        [1, 'warning'],
        [2, 'warning'],
        [0, 'good'],
        [1, 'warning'],
      ],
    ],
    [
      'consecutive to the end',
      {},
      [bad(1), bad(2), bad(3)],
      [
        [1, 'warning'],
        [2, 'warning'],
        [3, 'dismissal'],
      ],
    ],
    [
      'total',
      { count: 'total' },
      [bad(1), good(2), bad(3), good(4), bad(5)],
      [
        [1, 'warning'],
        [1, 'good'],
        [2, 'warning'],
        [2, 'good'],
        [3, 'dismissal'],
      ],
    ],
    [
      'a term away ends nothing',
      {},
      [bad(1), empty(2), bad(3)],
      [
        [1, 'warning'],
        [1, 'warning'],
        [2, 'warning'],
      ],
    ],
    [
      'summer is left out',
      {},
      [bad(1), bad(2, 'summer'), good(3, 'summer')],
      [
        [1, 'warning'],
        [1, 'warning'],
        [1, 'warning'],
      ],
    ],
    [
      'summer counts',
      { summer: true },
      [bad(1), bad(2, 'summer')],
      [
        [1, 'warning'],
        [2, 'warning'],
      ],
    ],
    [
      'cumulative',
      { type: 'cumulative' },
      [good(1), bad(2), bad(3), bad(4), bad(5)],
      [
        [0, 'good'],
        [0, 'good'],
        [0, 'good'],
        [1, 'warning'],
        [2, 'warning'],
      ],
    ],
    [
      'switched off',
      { maximum: 0 },
      [bad(1), bad(2)],
      [
        [0, 'good'],
        [0, 'good'],
      ],
    ],
    ['exactly the limit is enough', { gpa: 100 }, [bad(1)], [[0, 'good']]],
  ])('warnings: %s', (_name, change, terms, expected) => {
    const rows = computeTerms({ bylaw: rules({ warning: { ...bylaw.warning, ...change } }), terms })
    expect(rows.map((row) => [row.warnings, row.standing])).toEqual(expected)
  })

  test('differences are listed, and there are none when nothing changed', () => {
    const rows = computeTerms({ bylaw: rules(), terms: attempts })
    expect(diffTerms(rows, computeTerms({ bylaw: rules(), terms: attempts }))).toEqual([])
    const stored = rows.slice(0, 2).map((row) => (row.term_id === 2 ? { ...row, gpa: 399 } : row))
    expect(diffTerms(stored, rows)).toEqual([
      { term_id: 2, field: 'gpa', stored: 399, computed: 400 },
      { term_id: 3, field: 'term_id', stored: null, computed: 3 },
    ])
  })
})

describe('against exact rationals', () => {
  const anyRegistration = fc
    .record({
      course_id: fc.integer({ min: 1, max: 6 }),
      credit_hours: fc.integer({ min: 25, max: 1500 }),
      points: fc.option(fc.integer({ min: 0, max: 400 }), { freq: 8 }),
      counts: fc.boolean(),
    })
    .map(({ course_id, credit_hours, points, counts }) =>
      registration(course_id, points, { credit_hours, counts_in_gpa: counts }),
    )
  const anyTerms = fc
    .array(fc.array(anyRegistration, { maxLength: 6 }), { maxLength: 8 })
    .map((all) => all.map((one, index) => term(index, one)))
  const halfUp = (top: bigint, bottom: bigint) => (bottom === 0n ? null : Number((2n * top + bottom) / (2n * bottom)))

  test.each(['last', 'best', 'average'] as const)('the cumulative GPA by the %s attempt', (counts) => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const rows = computeTerms({ bylaw: rules({ counts }), terms })
        rows.forEach((row, index) => {
          const taken = new Map<number, { points: bigint; hours: bigint }[]>()
          for (const one of terms.slice(0, index + 1).flatMap((each) => each.registrations)) {
            if (!one.counts_in_gpa || one.points === null) continue
            const list = taken.get(one.course_id) ?? []
            taken.set(one.course_id, [...list, { points: BigInt(one.points), hours: BigInt(one.credit_hours) }])
          }
          let top = 0n
          let bottom = 1n
          let hours = 0n
          for (const list of taken.values()) {
            const last = list.at(-1)!
            const best = list.reduce((one, other) => (other.points >= one.points ? other : one))
            const mean = {
              points: list.reduce((total, one) => total + one.points, 0n),
              hours: last.hours,
              count: BigInt(list.length),
            }
            const {
              points,
              hours: ch,
              count,
            } = counts === 'average' ? mean : { ...(counts === 'last' ? last : best), count: 1n }
            top = top * count + points * ch * bottom
            bottom *= count
            hours += ch
          }
          expect(row.cumulative_gpa).toBe(halfUp(top, bottom * hours))
          const here = terms[index]!.registrations.filter((one) => one.counts_in_gpa && one.points !== null)
          const sum = here.reduce((total, one) => total + BigInt(one.points ?? 0) * BigInt(one.credit_hours), 0n)
          expect(row.gpa).toBe(
            halfUp(
              sum,
              here.reduce((total, one) => total + BigInt(one.credit_hours), 0n),
            ),
          )
        })
      }),
      { numRuns: 500 },
    )
  })

  test('GPAs lie between 0 and 4, passed hours never fall and never exceed what was taken', () => {
    fc.assert(
      fc.property(anyTerms, fc.constantFrom('last' as const, 'best' as const, 'average' as const), (terms, counts) => {
        let registered = 0
        let passed = 0
        for (const row of computeTerms({ bylaw: rules({ counts }), terms })) {
          for (const gpa of [row.gpa, row.cumulative_gpa]) {
            if (gpa !== null) expect(Number.isInteger(gpa) && gpa >= 0 && gpa <= 400).toBe(true)
          }
          expect(row.passed_hours).toBeLessThanOrEqual(row.registered_hours)
          expect(row.cumulative_registered_hours).toBe(registered + row.registered_hours)
          expect(row.cumulative_passed_hours).toBeGreaterThanOrEqual(passed)
          expect(row.cumulative_passed_hours).toBeLessThanOrEqual(passed + row.passed_hours)
          expect(row.level).toBe(row.cumulative_passed_hours >= 600 ? 2 : 1)
          registered = row.cumulative_registered_hours
          passed = row.cumulative_passed_hours
        }
      }),
    )
  })

  test('terms to come change nothing of those before', () => {
    fc.assert(
      fc.property(anyTerms, fc.nat(8), (terms, cut) => {
        const all = computeTerms({ bylaw: rules(), terms })
        expect(computeTerms({ bylaw: rules(), terms: terms.slice(0, cut) })).toEqual(all.slice(0, cut))
      }),
    )
  })

  test('the best attempt is never worse than the last', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const same = terms.map((one) => ({
          ...one,
          registrations: one.registrations.map((each) => ({ ...each, credit_hours: 300 })),
        }))
        const best = computeTerms({ bylaw: rules({ counts: 'best' }), terms: same }).at(-1)?.cumulative_gpa ?? 0
        expect(best).toBeGreaterThanOrEqual(computeTerms({ bylaw: rules(), terms: same }).at(-1)?.cumulative_gpa ?? 0)
      }),
    )
  })
})

test('ten thousand students of ten terms and five courses take well under a second', () => {
  const terms = Array.from({ length: 10 }, (_, index) =>
    term(
      index,
      Array.from({ length: 5 }, (_one, course) => registration(index * 4 + course, (index * 37 + course * 53) % 401)),
    ),
  )
  const bylaws = rules({ counts: 'average' })
  const start = Date.now()
  let rows = 0
  for (let student = 0; student < 10_000; student += 1) rows += computeTerms({ bylaw: bylaws, terms }).length
  expect(rows).toBe(100_000)
  expect(Date.now() - start).toBeLessThan(6000)
})

describe('graduation', () => {
  const plan = {
    min_credit_hours: 300,
    groups: [{ id: 1, kind: 'mandatory' as const, min_credit_hours: null }],
    courses: [
      { course_id: 1, group_id: 1, credit_hours: 300, level: 1, semester: 1, prerequisites: null, corequisite_ids: [] },
    ],
  }
  const audit = (passed: boolean, gpa: number | null, training_weeks: number) =>
    auditDegree({
      plan,
      courses: passed ? [{ course_id: 1, credit_hours: 300, state: 'passed', equal_ids: [] }] : [],
      gpa,
      min_gpa: 200,
      training_weeks,
      min_training_weeks: 4,
    })

  test('is open when nothing stands against it', () => {
    expect(graduation(audit(true, 200, 4), 'good', 0)).toEqual({ eligible: true, reasons: [] })
    expect(graduation(audit(true, 200, 4), 'warning', 0).eligible).toBe(true)
  })

  test('gives every reason', () => {
    expect(graduation(audit(false, null, 3), 'dismissal', 2).reasons.map((one) => [one.code, one.data])).toEqual([
      ['graduation_hours', { earned: '0', required: '3' }],
      ['graduation_gpa', { actual: '–', required: '2' }],
      ['graduation_training', { earned: 3, required: 4 }],
      ['graduation_requirements', { count: 1 }],
      ['graduation_unfinished', { count: 2 }],
      ['graduation_standing', {}],
    ])
  })
})

describe('a regulation by marks', () => {
  // Out of 150: year work 30, practical 30, written 90.
  const of150: MarkScheme = {
    ...scheme,
    categories: [
      { id: 1, maximum: 3000, final_exam: false },
      { id: 2, maximum: 3000, final_exam: false },
      { id: 3, maximum: 9000, final_exam: true },
    ],
  }
  const rules = (pass: number, later_sitting_capped = true) => ({
    ...bylaw,
    marks: { pass_share: pass, ratings: usualRatings(pass), later_sitting_capped },
  })
  const rated = (marks: [number, number, number], change: Partial<GradeInput> = {}) =>
    grade({ scheme: of150, marks: { 1: marks[0], 2: marks[1], 3: marks[2] }, bylaw: rules(5000), ...change })

  test.each<[string, [number, number, number], Partial<GradeInput>, Partial<ReturnType<typeof gradeOf>>]>([
    [
      'all marks',
      [3000, 3000, 9000],
      {},
      { total: 15000, maximum: 15000, letter: 'EX', outcome: 'passed', points: null },
    ],
    ['85 % exactly', [3000, 3000, 6750], {}, { total: 12800, letter: 'EX' }],
    ['half', [1500, 1500, 4500], {}, { total: 7500, letter: 'P', outcome: 'passed', counts_in_gpa: true }],
    ['one less than half', [1500, 1500, 4400], {}, { total: 7400, letter: 'W', outcome: 'failed' }],
    ['60 % to pass', [1500, 1500, 5900], { bylaw: rules(6000) }, { total: 8900, letter: 'W', outcome: 'failed' }],
    // 75 of 150 passes, but 26 of 90 is less than 30 % of the written exam: the best rating that fails.
    ['weak written exam', [3000, 3000, 2600], {}, { total: 8600, letter: 'W', outcome: 'failed', failed_final: true }],
    ['written exam at the minimum', [3000, 3000, 2700], {}, { total: 8700, letter: 'P', outcome: 'passed' }],
    ['later sitting', [3000, 3000, 9000], { attempt: 'Repeat' }, { total: 7500, letter: 'P', outcome: 'passed' }],
    [
      'later sitting, not capped',
      [3000, 3000, 9000],
      { attempt: 'Repeat', bylaw: rules(5000, false) },
      { letter: 'EX' },
    ],
    ['later sitting, failed again', [500, 500, 4000], { attempt: 'Repeat' }, { total: 5000, outcome: 'failed' }],
  ])('%s', (_name, marks, change, wanted) => {
    expect(rated(marks, change)).toMatchObject(wanted)
  })

  test('states have the grades of the bylaw, without points', () => {
    expect(grade({ scheme: of150, marks: { 1: 3000, 2: 3000, 3: 'A' }, bylaw: rules(5000) })).toMatchObject({
      special: 'Absent',
      outcome: 'failed',
      points: null,
      maximum: 15000,
    })
    expect(rated([0, 0, 0], { main: 'Excused' })).toMatchObject({ outcome: 'none', maximum: 15000, points: null })
  })

  test('pass and fail go by the share that passes', () => {
    const kind = { ...of150, grade_type: 'pass_fail' as const }
    expect(rated([3000, 3000, 3000], { scheme: kind, bylaw: rules(6000) })).toMatchObject({ letter: 'P', total: 9000 })
    expect(rated([3000, 2900, 3000], { scheme: kind, bylaw: rules(6000) })).toMatchObject({ letter: 'NP' })
  })

  test('a scheme sums to what the course is out of', () => {
    expect(checkScheme(of150, 15000)).toEqual([])
    expect(checkScheme(of150).map((one) => one.code)).toEqual(['scheme_total'])
    expect(checkScheme(scheme, 15000)[0]).toMatchObject({
      code: 'scheme_total',
      data: { total: '100', maximum: '150' },
    })
  })

  test('by credit hours a course out of another maximum counts in percent', () => {
    const half = grade({ scheme: of150, marks: { 1: 3000, 2: 3000, 3: 5250 } })
    expect(half).toMatchObject({ total: 7500, maximum: null, letter: 'B', points: 300 })
  })

  test('passed is what reaches the share and the written minimum; the rating always agrees', () =>
    fc.assert(
      fc.property(
        fc.tuple(fc.nat(3000), fc.nat(3000), fc.nat(9000)),
        fc.integer({ min: 3600, max: 6400 }),
        fc.constantFrom('Fresh' as const, 'Repeat' as const),
        (marks, pass, attempt) => {
          const result = rated(marks, { bylaw: rules(pass), attempt, scheme: { ...of150, places: 2 } })
          const sum = marks[0] + marks[1] + marks[2]
          const passed = reachesShare(sum, 15000, pass) && reachesShare(marks[2], 9000, 3000)
          expect(result.outcome).toBe(passed ? 'passed' : 'failed')
          expect(usualRatings(pass).find((one) => one.code === result.letter)!.from >= pass).toBe(passed)
          if (passed && attempt === 'Repeat')
            expect(regulationRatingOf(usualRatings(pass), result.total, 15000)!.from).toBe(pass)
          else expect(result.total).toBe(sum)
        },
      ),
    ))
})
