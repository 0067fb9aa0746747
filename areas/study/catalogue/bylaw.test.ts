import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bylawTexts,
  checkBylaw,
  checkGpaRanges,
  checkGradeRanges,
  checkGradesVisibility,
  checkBylawLevels,
  checkLoadRanges,
  checkMinFinalExam,
  checkRepeatRule,
  checkSpecialGrades,
  checkWarningRule,
  classificationFor,
  gradeFor,
  levelFor,
  letterPoints,
  loadFor,
  type Bylaw,
  type GradeRange,
} from './bylaw.rules.ts'
import { describe as render } from '#areas/common/academics/problem.rules.ts'

const range = (letter: string, from: number, to: number, points: number, success = true): GradeRange => ({
  letter,
  from: from * 100,
  to: to * 100,
  points,
  success,
})
const good = [
  range('A', 90, 100, 400),
  range('B', 75, 90, 300),
  range('C', 65, 75, 240),
  range('D', 50, 65, 200),
  range('F', 0, 50, 0, false),
]
const bylaw: Bylaw = {
  grade_ranges: good,
  gpa_ranges: [
    { name: 'Pass', name_local: 'مقبول', from: 200, to: 300 },
    { name: 'Excellent', name_local: 'ممتاز', from: 300, to: 400 },
  ],
  load_ranges: [
    { from: 0, to: 200, max_ch_value: 12, max_summer_ch_value: 6, max_courses: 4 },
    { from: 200, to: 300, max_ch_value: 18, max_summer_ch_value: 9, max_courses: 6 },
    { from: 300, to: 400, max_ch_value: 21, max_summer_ch_value: 12, max_courses: null },
  ],
  levels: [
    { level: 1, passed_hours: 0 },
    { level: 2, passed_hours: 3000 },
    { level: 3, passed_hours: 6050 },
  ],
  warning: { type: 'cumulative', gpa: 200, count: 'consecutive', maximum: 4, summer: false, max_ch_value: 10 },
  repeat: {
    counts: 'last',
    max_grade: 'B',
    max_improve_grade: null,
    max_improvements: 5,
    improvable: ['D', 'C'],
  },
  max_repeats: null,
  graduating: { extra_hours: 0, extra_courses: 0 },
  min_percentage_final_exam: 3000,
  special_grades: {},
  grades_visibility: { marks: 'Submitted', letter: 'Published', points: 'Frozen', gpa: null },
}
const codes = (problems: { code: string; field: string | null }[]) =>
  problems.map(({ code, field }) => `${code} ${field}`)

test('a sound bylaw has no problem', () => expect(checkBylaw(bylaw)).toEqual([]))

describe('grade ranges', () => {
  test.each<[string, GradeRange[], string[]]>([
    ['none', [], ['ranges_missing grade_ranges']],
    [
      'a hole in the middle',
      [range('A', 60, 100, 400), range('F', 0, 50, 0, false)],
      ['range_hole grade_ranges.0.from'],
    ],
    [
      'a hole at the bottom',
      [range('A', 50, 100, 400), range('F', 1, 50, 0, false)],
      ['range_hole grade_ranges.1.from'],
    ],
    ['a hole at the top', [range('A', 50, 99, 400), range('F', 0, 50, 0, false)], ['range_hole grade_ranges']],
    ['an overlap', [range('A', 50, 100, 400), range('F', 0, 51, 0, false)], ['range_overlap grade_ranges.0.from']],
    [
      'the same range twice',
      [range('A', 50, 100, 400), range('B', 50, 100, 400), range('F', 0, 50, 0, false)],
      ['range_overlap grade_ranges.1.from'],
    ],
    [
      'closed ranges leave a hundredth',
      [range('A', 50, 100, 400), range('F', 0, 49.99, 0, false)],
      ['range_hole grade_ranges.0.from'],
    ],
    [
      'beyond 100',
      [range('A', 50, 101, 400), range('F', 0, 50, 0, false)],
      ['range_bounds grade_ranges.0.to', 'range_hole grade_ranges'],
    ],
    [
      'three places',
      [range('A', 50, 100, 400), { ...range('F', 0, 50, 0, false), to: 4999.5 }],
      ['range_bounds grade_ranges.1.to', 'range_hole grade_ranges.0.from'],
    ],
    [
      'empty',
      [range('A', 50, 100, 400), range('B', 60, 60, 400), range('F', 0, 50, 0, false)],
      ['range_empty grade_ranges.1.to'],
    ],
    [
      'same letter',
      [range('F', 50, 100, 400), range('F', 0, 50, 0, false)],
      ['grade_letter_twice grade_ranges.1.letter'],
    ],
    [
      'points fall',
      [range('A', 50, 100, 100), range('D', 40, 50, 200), range('F', 0, 40, 0, false)],
      ['grade_points_order grade_ranges.0.points'],
    ],
    [
      'points too many',
      [range('A', 50, 100, 401), range('F', 0, 50, 0, false)],
      ['grade_points grade_ranges.0.points'],
    ],
    [
      'success falls',
      [range('A', 50, 100, 400, false), range('D', 40, 50, 200), range('F', 0, 40, 0, false)],
      ['grade_success_order grade_ranges.0.success'],
    ],
    ['nobody fails', [range('A', 0, 100, 400)], ['grade_failing_missing grade_ranges.0.success']],
    ['nobody passes', [range('A', 0, 100, 400, false)], ['grade_success_missing grade_ranges']],
    ['no letter', [range(' ', 50, 100, 400), range('F', 0, 50, 0, false)], ['grade_letter grade_ranges.0.letter']],
  ])('%s', (_name, ranges, expected) => expect(codes(checkGradeRanges(ranges))).toEqual(expected))

  test('a range inside another one hides no hole and makes none', () => {
    const ranges = [range('F', 0, 60, 0, false), range('E', 20, 30, 0, false), range('A', 70, 100, 400)]
    expect(checkGradeRanges(ranges).map(({ code, data }) => [code, data['from'], data['to']])).toEqual([
      ['range_overlap', '20', '30'],
      ['range_hole', '60', '70'],
    ])
  })

  test('every hole and overlap is listed, with its ends and its text', () => {
    const problems = checkGradeRanges([
      range('A', 70, 95, 400),
      range('B', 60, 75.5, 300),
      range('F', 10, 50, 0, false),
    ])
    expect(problems.map(({ code, data }) => [code, data['from'], data['to']])).toEqual([
      ['range_hole', '0', '10'],
      ['range_hole', '50', '60'],
      ['range_overlap', '70', '75.5'],
      ['range_hole', '95', '100'],
    ])
    expect(problems.map((one) => render(one, bylawTexts).en)[2]).toBe('70 to 75.5 is covered by more than one range')
  })

  test.each([
    [10001, undefined],
    [-1, undefined],
    [10000, 'A'],
    [9000, 'A'],
    [8999, 'B'],
    [5000, 'D'],
    [4999, 'F'],
    [0, 'F'],
  ])('%i is %s', (percent, letter) => expect(gradeFor(good, percent)?.letter).toBe(letter))

  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 12 })
  const tiles = (points: number[]): GradeRange[] => {
    const bounds = [0, ...points.sort((one, other) => one - other), 10000]
    return bounds.slice(1).map((to, index) => ({
      letter: `G${index}`,
      from: bounds[index] as number,
      to,
      points: Math.min(400, index * 30),
      success: index > 0,
    }))
  }

  test('any cuts tile in any order, and each percentage has exactly one grade', () => {
    fc.assert(
      fc.property(
        cuts.map(tiles).chain((ranges) => fc.shuffledSubarray(ranges, { minLength: ranges.length })),
        fc.integer({ min: 0, max: 10000 }),
        (ranges, percent) => {
          expect(checkGradeRanges(ranges)).toEqual([])
          const holding = ranges.filter(
            ({ from, to }) => percent >= from && (percent < to || percent === 10000) && percent <= to,
          )
          expect(gradeFor(ranges, percent)).toBe(holding[0])
          expect(holding).toHaveLength(1)
        },
      ),
    )
  })

  test('moving one bound is always noticed', () => {
    const shift = fc.integer({ min: -300, max: 300 }).filter((value) => value !== 0)
    fc.assert(
      fc.property(cuts.map(tiles), fc.nat(), fc.boolean(), shift, (ranges, pick, lower, by) => {
        const index = pick % ranges.length
        const changed = ranges.map((one, position) =>
          position !== index ? one : lower ? { ...one, from: one.from + by } : { ...one, to: one.to + by },
        )
        expect(checkGradeRanges(changed).some(({ code }) => code.startsWith('range_'))).toBe(true)
      }),
    )
  })
})

describe('GPA ranges, loads, levels', () => {
  test('classifications may begin above 0 but must reach 4', () => {
    expect(checkGpaRanges(bylaw.gpa_ranges)).toEqual([])
    expect(codes(checkGpaRanges(bylaw.gpa_ranges.slice(0, 1)))).toEqual(['range_hole gpa_ranges'])
    expect(codes(checkGpaRanges([{ name: 'A', name_local: '', from: 0, to: 400 }]))).toEqual([
      'gpa_name gpa_ranges.0.name',
    ])
    expect(classificationFor(bylaw.gpa_ranges, 400)?.name).toBe('Excellent')
    expect(classificationFor(bylaw.gpa_ranges, 299)?.name).toBe('Pass')
    expect(classificationFor(bylaw.gpa_ranges, 199)).toBeNull()
  })

  test.each([
    [{ max_ch_value: 301 }, 'load_hours load_ranges.0.max_ch_value'],
    [{ max_ch_value: 1.5 }, 'load_hours load_ranges.0.max_ch_value'],
    [{ max_summer_ch_value: -1 }, 'load_hours load_ranges.0.max_summer_ch_value'],
    [{ max_courses: 31 }, 'load_courses load_ranges.0.max_courses'],
    [{ from: 1 }, 'range_hole load_ranges.0.from'],
  ])('a load range with %j', (change, expected) =>
    expect(codes(checkLoadRanges([{ ...bylaw.load_ranges[0]!, to: 400, ...change }]))).toEqual([expected]),
  )

  test.each<[number | null, number, 'fall' | 'spring' | 'summer', number, number | null]>([
    [199, 0, 'fall', 12, 4],
    [200, 0, 'spring', 18, 6],
    [250, 0, 'summer', 9, 6],
    [400, 0, 'fall', 21, null],
    [null, 0, 'fall', 18, 6],
    [190, 1, 'fall', 10, 4],
    [190, 1, 'summer', 6, 4],
  ])('GPA %s, %i warnings, %s: %i hours, %s courses', (gpa, warnings, term, max_ch, max_courses) =>
    expect(loadFor(bylaw, { gpa, warnings, hours_to_degree: 900 }, term)).toEqual({ max_ch, max_courses }),
  )

  test('who can complete the degree with it has what the bylaw allows beyond the load', () => {
    const rules = { ...bylaw, graduating: { extra_hours: 3, extra_courses: 1 } }
    const of = (hours_to_degree: number | null, gpa = 250) =>
      loadFor(rules, { gpa, warnings: 0, hours_to_degree }, 'fall')
    expect(of(2100)).toEqual({ max_ch: 21, max_courses: 7 })
    expect(of(2101)).toEqual({ max_ch: 18, max_courses: 6 })
    // Nothing is left, or nobody knows.
    expect(of(0)).toEqual({ max_ch: 18, max_courses: 6 })
    expect(of(null)).toEqual({ max_ch: 18, max_courses: 6 })
    expect(of(100, 400)).toEqual({ max_ch: 24, max_courses: null })
    expect(loadFor(rules, { gpa: 190, warnings: 1, hours_to_degree: 1300 }, 'fall')?.max_ch).toBe(13)
  })

  test('warnings switched off do not lower the load', () => {
    const off = { ...bylaw, warning: { ...bylaw.warning, maximum: 0 } }
    expect(loadFor(off, { gpa: 190, warnings: 2, hours_to_degree: null }, 'fall')?.max_ch).toBe(12)
  })

  test.each<[[number, number][], string[]]>([
    [
      [
        [1, 0],
        [2, 3000],
      ],
      [],
    ],
    [
      [
        [2, 3000],
        [1, 0],
      ],
      [],
    ],
    [[[1, 100]], ['level_start levels.0.passed_hours']],
    [
      [
        [0, 0],
        [8, 3000],
      ],
      ['level_number levels.1.level'],
    ],
    [
      [
        [1, 0],
        [1, 3000],
      ],
      ['level_twice levels.1.level'],
    ],
    [
      [
        [1, 0],
        [2, 3000],
        [3, 3000],
      ],
      ['level_hours_order levels.2.passed_hours'],
    ],
    [
      [
        [1, 0],
        [2, 30001],
      ],
      ['level_hours levels.1.passed_hours'],
    ],
  ])('levels %j', (levels, expected) =>
    expect(codes(checkBylawLevels(levels.map(([level, passed_hours]) => ({ level, passed_hours }))))).toEqual(expected),
  )

  test.each([
    [0, 1],
    [2999, 1],
    [3000, 2],
    [6049, 2],
    [6050, 3],
    [30000, 3],
  ])('%i passed hours open level %i', (hours, level) => expect(levelFor(bylaw.levels, hours)).toBe(level))

  test('more passed hours never mean a lower level', () => {
    fc.assert(
      fc.property(fc.nat(30000), fc.nat(30000), (one, other) => {
        expect(levelFor(bylaw.levels, Math.max(one, other))).toBeGreaterThanOrEqual(
          levelFor(bylaw.levels, Math.min(one, other)),
        )
      }),
    )
  })
})

describe('other settings', () => {
  test('limits', () => {
    expect(codes(checkWarningRule({ ...bylaw.warning, gpa: 401, maximum: 21, max_ch_value: 301 }))).toEqual([
      'warning_gpa warning.gpa',
      'warning_maximum warning.maximum',
      'load_hours warning.max_ch_value',
    ])
    expect(
      codes(checkRepeatRule({ ...bylaw.repeat, max_grade: 'X', improvable: ['D', 'E'], max_improvements: -1 }, good)),
    ).toEqual([
      'repeat_grade repeat.max_grade',
      'repeat_grade repeat.improvable.1',
      'repeat_improvements repeat.max_improvements',
    ])
    expect([0, 3000].flatMap((share) => checkMinFinalExam(share))).toEqual([])
    expect([-1, 3001, 0.5].flatMap((share) => checkMinFinalExam(share))).toHaveLength(3)
    expect(letterPoints(good)).toEqual({ A: 400, B: 300, C: 240, D: 200, F: 0 })
  })

  test('a special grade that counts in the GPA needs points', () => {
    const grade = { letter: 'W', points: null, success: false, counts_in_gpa: false, counts_in_attempted_hours: false }
    expect(checkSpecialGrades({ Withdrawn: grade })).toEqual([])
    expect(codes(checkSpecialGrades({ Withdrawn: { ...grade, counts_in_gpa: true } }))).toEqual([
      'special_points special_grades.Withdrawn.points',
    ])
    expect(codes(checkSpecialGrades({ Withdrawn: { ...grade, letter: '' } }))).toEqual([
      'special_letter special_grades.Withdrawn.letter',
    ])
  })

  test('letters are not shown before publishing', () => {
    expect(
      codes(checkGradesVisibility({ marks: 'Draft', letter: 'Approved', points: null, gpa: 'Published' })),
    ).toEqual(['visibility_early grades_visibility.letter'])
  })

  test('every text stands in both languages', () => {
    for (const text of Object.values(bylawTexts)) {
      expect(text.en).toMatch(/[a-z]/)
      expect(text.ar).toMatch(/[\u0600-\u06ff]/)
      expect(text.ar.match(/\{\w+\}/g)?.sort()).toEqual(text.en.match(/\{\w+\}/g)?.sort())
    }
  })
})
