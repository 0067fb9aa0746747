import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graceLimit, graceMarks, type GraceCourse, type GraceInput, type GraceRule } from './grace.rules.ts'
import { gracePurposes, marksFor } from '#areas/study/catalogue/mark-regulation.rules.ts'
import { decideYear, type PromotionRules, type StudentYear, type YearCourse } from './promotion.rules.ts'
import { degreeResult, levelSum, nextRating, levelRatingOf } from './rating.rules.ts'

const scale = Object.entries({ EX: 8500, VG: 7500, G: 6500, P: 6000, W: 3500, VW: 0 }).map(([code, from]) => ({
  code,
  name: code,
  name_local: code,
  from,
}))

describe('ratings', () => {
  test('a rating begins exactly at its share of the maximum, whatever the maximum is', () => {
    expect(levelRatingOf(12_750, 15_000, scale)).toBe('EX')
    expect(levelRatingOf(12_749, 15_000, scale)).toBe('VG')
    expect(marksFor(6000, 12_500)).toBe(7500)
    expect(marksFor(3333, 100)).toBe(34)
    expect(nextRating(12_749, 15_000, scale)).toEqual({ rating: 'EX', from: 12_750 })
    expect(nextRating(15_000, 15_000, scale)).toBeNull()
  })

  test('a level has the rating of the sum of its marks, a degree that of the levels named', () => {
    expect(
      levelSum(
        [
          { mark: 9000, maximum: 10_000 },
          { mark: 12_000, maximum: 20_000 },
        ],
        scale,
      ),
    ).toEqual({
      marks: 21_000,
      maximum: 30_000,
      rating: 'G',
    })
    const level = (n: number, marks: number, failed: string[] = []) => ({ level: n, marks, maximum: 100_000, failed })
    const rules = { named: [2, 3], scale, honours: 'VG' }
    expect(degreeResult([level(1, 80_000), level(2, 90_000), level(3, 82_000)], rules)).toEqual({
      marks: 172_000,
      maximum: 200_000,
      rating: 'EX',
      honours: true,
      problems: [],
    })
    const without = degreeResult([level(1, 70_000), level(2, 90_000, ['ANA']), level(3, 82_000)], rules)
    expect(without.honours).toBe(false)
    expect(without.problems).toEqual([
      { code: 'level_honours_rating', data: { level: 1, rating: 'G', wanted: 'VG' } },
      { code: 'level_honours_failed', data: { level: 2, courses: 'ANA' } },
    ])
    expect(degreeResult([level(1, 99_000)], { ...rules, honours: null }).honours).toBe(false)
  })
})

describe('the end of a year', () => {
  const rules: PromotionRules = {
    max_carried: 2,
    exceptions: new Map([
      [9, 'required'],
      [8, 'uncounted'],
    ]),
    final_level: 5,
    carried_from_final_level: false,
    second_session: true,
    chances_in_level: 2,
    chances_in_all: 7,
  }
  const course = (course_id: number, state: YearCourse['state']): YearCourse => ({
    course_id,
    code: `C${course_id}`,
    state,
  })
  const year = (states: YearCourse['state'][], more: Partial<StudentYear> = {}): StudentYear => ({
    level: 1,
    courses: states.map((state, i) => course(i + 1, state)),
    stopped: false,
    is_external: false,
    chances: { in_level: 0, in_all: 0 },
    second_held: true,
    ...more,
  })
  const told = (given: StudentYear, with_: Partial<PromotionRules> = {}) => {
    const { outcome, reasons, uses_chance } = decideYear(given, { ...rules, ...with_ })
    return [outcome, uses_chance, ...reasons.map((one) => one.code)]
  }

  test('who passed everything goes on; from the final level with the degree', () => {
    expect(told(year(['passed', 'passed']))).toEqual(['promoted', true])
    expect(told(year(['passed'], { level: 5 }))).toEqual(['graduates', true])
  })

  test('with at most so many failed courses one goes on, the final level and named courses excepted', () => {
    expect(told(year(['failed', 'absent', 'passed']))).toEqual([
      'carries',
      true,
      'level_failed_courses',
      'level_carries',
    ])
    expect(told(year(['failed', 'failed', 'failed']))).toEqual([
      'repeats',
      true,
      'level_failed_courses',
      'level_too_many',
    ])
    expect(told(year(['failed'], { level: 5 }))).toEqual(['repeats', true, 'level_failed_courses', 'level_final'])
    expect(told(year(['failed'], { level: 5 }), { carried_from_final_level: true })[0]).toBe('carries')
    const required = { courses: [1, 2, 9].map((id) => course(id, 'failed')) }
    expect(told(year([], required))).toEqual(['repeats', true, 'level_failed_courses', 'level_not_carried'])
    expect(told(year([], { courses: [1, 2, 8].map((id) => course(id, 'failed')) }))[0]).toBe('carries')
  })

  test('the second session comes before promotion is decided, and uses no chance', () => {
    expect(told(year(['failed'], { second_held: false }))).toEqual([
      'second_session',
      false,
      'level_failed_courses',
      'level_second_session',
    ])
    expect(told(year(['passed'], { second_held: false }))[0]).toBe('promoted')
    expect(told(year(['failed'], { second_held: false }), { second_session: false })[0]).toBe('carries')
  })

  test('nothing is decided while a result is missing; a stopped year costs nothing', () => {
    expect(told(year(['failed', 'missing']))).toEqual(['waiting', false, 'level_waiting'])
    expect(told(year(['failed', 'failed', 'failed'], { stopped: true }))).toEqual(['stopped', false, 'level_stopped'])
  })

  test('a year that excused absences cost is not counted, one that would be repeated anyway is', () => {
    expect(told(year(['excused', 'excused', 'failed', 'failed']))).toEqual([
      'repeats',
      false,
      'level_failed_courses',
      'level_excused_courses',
      'level_too_many',
      'level_chance_kept',
    ])
    expect(told(year(['excused', 'failed', 'failed', 'failed']))[1]).toBe(true)
  })

  test('after the years of a level one sits as an external student for the chances left, then leaves', () => {
    const failed: YearCourse['state'][] = ['failed', 'failed', 'failed']
    expect(told(year(failed, { chances: { in_level: 1, in_all: 1 } }))).toEqual([
      'external',
      true,
      'level_failed_courses',
      'level_too_many',
      'level_chances_in_level',
      'level_external_left',
    ])
    const external = { is_external: true, chances: { in_level: 5, in_all: 5 } }
    expect(told(year(failed, external))[0]).toBe('external')
    expect(told(year(failed, { ...external, chances: { in_level: 6, in_all: 6 } }))).toEqual([
      'leaves',
      true,
      'level_failed_courses',
      'level_too_many',
      'level_chances_in_all',
    ])
    expect(told(year(['passed'], external))[0]).toBe('promoted')
    expect(
      told(year(failed, { chances: { in_level: 9, in_all: 9 } }), { chances_in_level: null, chances_in_all: null })[0],
    ).toBe('repeats')
  })
})

describe('grace marks', () => {
  const rule: GraceRule = {
    per_course: 400,
    in_all: 600,
    share: null,
    order: ['pass_course', 'promote', 'next_rating'],
  }
  const course = (course_id: number, mark: number | null, more: Partial<GraceCourse> = {}): GraceCourse => ({
    course_id,
    mark,
    maximum: 10_000,
    pass_mark: 6000,
    passed: mark !== null && mark >= 6000,
    liftable: mark !== null,
    counts: true,
    exception: null,
    ...more,
  })
  const given = (courses: GraceCourse[], max_carried: number | null = 2): GraceInput => ({
    courses,
    scale,
    max_carried,
  })

  test('a failed course is passed with what it lacks, no more', () => {
    expect(graceMarks(given([course(1, 5700), course(2, 5500), course(3, 9000)]), rule)).toEqual({
      courses: [{ course_id: 1, marks: 300 }],
      sum: 0,
      total: 300,
      reached: { pass_course: 1, promote: 0, next_rating: 0 },
    })
  })

  test('a written exam below its minimum, an absence and a limit that is too small get nothing', () => {
    const none = graceMarks(given([course(1, 7000, { passed: false, liftable: false }), course(2, null)]), rule)
    expect(none.total).toBe(0)
    expect(graceMarks(given([course(1, 5700)]), { ...rule, in_all: 200 }).total).toBe(0)
    expect(graceLimit({ ...rule, share: 100 }, 50_000)).toBe(500)
    expect(graceLimit({ ...rule, in_all: null, share: null }, 1)).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('the order of the rule decides: a promotion may cost the one course that cannot be carried', () => {
    const courses = [course(1, 5900), course(2, 5800), course(3, 5600, { exception: 'required' })]
    const some = { ...rule, in_all: 400 }
    expect(graceMarks(given(courses), { ...some, order: ['pass_course', 'promote'] }).courses).toEqual([
      { course_id: 1, marks: 100 },
      { course_id: 2, marks: 200 },
    ])
    expect(graceMarks(given(courses), { ...some, order: ['promote', 'pass_course'] })).toMatchObject({
      courses: [{ course_id: 3, marks: 400 }],
      reached: { promote: 1, pass_course: 1 },
    })
  })

  test('a rating is lifted by marks on the sum, for who goes on', () => {
    const courses = [course(1, 7400), course(2, 7300)]
    expect(graceMarks(given(courses), rule)).toMatchObject({ courses: [], sum: 300, total: 300 })
    expect(graceMarks(given([...courses, course(3, 1000, { counts: false })], null), rule).total).toBe(0)
    expect(graceMarks(given(courses), { ...rule, order: ['pass_course'] }).total).toBe(0)
  })

  /** What marks, put anywhere, come to; null: the rule forbids it. */
  const outcome = (input: GraceInput, the: GraceRule, on: readonly number[], sum: number) => {
    const maximum = input.courses.reduce((all, one) => all + (one.counts ? one.maximum : 0), 0)
    const total = on.reduce((all, one) => all + one, sum)
    if (total > graceLimit(the, maximum) || on.some((one) => one > the.per_course)) return null
    const passes = input.courses.map(
      (one, i) => one.passed || (one.liftable && one.mark !== null && one.mark + on[i]! >= one.pass_mark),
    )
    const open = (passed: readonly boolean[]) => input.courses.filter((_, i) => !passed[i])
    const goes = (left: readonly GraceCourse[]) =>
      input.max_carried === null
        ? left.length === 0
        : left.every((one) => one.exception !== 'required') &&
          left.filter((one) => one.exception === null).length <= input.max_carried
    const before = open(input.courses.map((one) => one.passed))
    const earned = input.courses.reduce((all, one) => all + (one.counts ? (one.mark ?? 0) : 0), 0)
    const added = input.courses.reduce((all, one, i) => all + (one.counts ? on[i]! : 0), sum)
    const place = (marks: number) => scale.findIndex((one) => one.code === levelRatingOf(marks, maximum, scale))
    const after = open(passes)
    return {
      total,
      pass_course: before.length - after.length,
      promote: goes(after) && !goes(before) ? 1 : 0,
      next_rating: maximum > 0 && goes(after) && place(earned + added) < place(earned) ? 1 : 0,
    }
  }

  const cases = fc.record({
    courses: fc.array(
      fc.record({
        mark: fc.option(fc.integer({ min: 20, max: 36 }), { nil: null, freq: 8 }),
        maximum: fc.constantFrom(40, 50),
        liftable: fc.boolean(),
        counts: fc.boolean(),
        exception: fc.constantFrom(null, null, 'required' as const, 'uncounted' as const),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    max_carried: fc.constantFrom(null, 0, 1, 2),
    rule: fc.record({
      per_course: fc.integer({ min: 0, max: 3 }),
      in_all: fc.integer({ min: 0, max: 5 }),
      share: fc.constantFrom(null, 100, 300, 500),
      order: fc.shuffledSubarray([...gracePurposes]),
    }),
  })

  test('never lower anybody, never exceed the rule, use the fewest marks: against every way to give them', () => {
    fc.assert(
      fc.property(cases, ({ courses, max_carried, rule: raw }) => {
        const the: GraceRule = { ...raw, per_course: raw.per_course * 100, in_all: raw.in_all * 100 }
        const input: GraceInput = {
          scale,
          max_carried,
          courses: courses.map((one, i) => {
            const [maximum, mark] = [one.maximum * 100, one.mark === null ? null : one.mark * 100]
            const pass_mark = marksFor(6000, maximum)
            const passed = mark !== null && mark >= pass_mark
            return { ...one, course_id: i + 1, mark, maximum, pass_mark, passed, liftable: one.liftable && !passed }
          }),
        }
        const grace = graceMarks(input, the)
        const on = input.courses.map(
          (one) => grace.courses.find(({ course_id }) => course_id === one.course_id)?.marks ?? 0,
        )
        const found = outcome(input, the, on, grace.sum)
        // Never more than the rule has, never less than what was earned, and what it says it reached it reaches.
        expect(found).not.toBeNull()
        expect([...on, grace.sum].every((one) => one >= 0)).toBe(true)
        expect(grace.total).toBe(found!.total)
        for (const purpose of the.order) expect(grace.reached[purpose]).toBe(found![purpose])
        // Given again to the marks that were earned, the same.
        expect(graceMarks(input, the)).toEqual(grace)
        // Every other way to give whole marks reaches less, or costs as much at least.
        const may = the.order.some((purpose) => purpose !== 'next_rating')
        const most = may ? raw.per_course : 0
        const walk = (i: number, so: number[]): void => {
          if (i < input.courses.length) {
            for (let n = 0; n <= most; n++) walk(i + 1, [...so, n * 100])
            return
          }
          for (let sum = 0; sum <= raw.in_all; sum++) {
            const other = outcome(input, the, so, sum * 100)
            if (!other) continue
            const better = the.order.map((purpose) => other[purpose] - found![purpose]).find((more) => more !== 0)
            if ((better ?? 0) > 0 || (better === undefined && other.total < found!.total))
              throw new Error(`better: ${JSON.stringify({ so, sum, other, found, grace })}`)
          }
        }
        walk(0, [])
      }),
      { numRuns: 1500 },
    )
  })
})
