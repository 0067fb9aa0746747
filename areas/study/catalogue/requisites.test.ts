import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkRequisite,
  coursesIn,
  cycleThrough,
  evaluateRequisites,
  findCycle,
  printRequisite,
  type PassedCourse,
  type Requisite,
} from './requisites.rules.ts'

const letters = { A: 400, 'B+': 330, B: 300, C: 200, D: 100 }
const passed = (course_id: number, letter: string | null = 'C'): PassedCourse => ({
  course_id,
  letter,
  points: letter === null ? null : (letters[letter as keyof typeof letters] ?? null),
})

const leaf = fc.integer({ min: 1, max: 6 }).map((course): Requisite => ({ course }))
const anyRequisite = fc.letrec<{ node: Requisite }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }).map((all): Requisite => ({ all })),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((any): Requisite => ({ any })),
  ),
})).node

describe('structure', () => {
  test.each<[unknown, string | undefined]>([
    [{ course: 3 }, undefined],
    [{ all: [] }, undefined],
    [
      {
        all: [
          { course: 1 },
          {
            any: [
              { course: 2, min_grade: 'C' },
              { course: 3, min_points: '2.5' },
            ],
          },
        ],
      },
      undefined,
    ],
    [{ any: [] }, 'requisite_any_empty'],
    [{ course: '3' }, 'requisite_shape'],
    [{ course: 0 }, 'requisite_shape'],
    [{ course: 1.5 }, 'requisite_shape'],
    [{ course: 1, extra: true }, 'requisite_shape'],
    [{ all: [], any: [] }, 'requisite_shape'],
    [{ none: [] }, 'requisite_shape'],
    [{ all: { course: 1 } }, 'requisite_shape'],
    [[{ course: 1 }], 'requisite_shape'],
    [null, 'requisite_shape'],
    [{ course: 1, min_points: '4.01' }, 'requisite_minimum'],
    [{ course: 1, min_points: 2 }, 'requisite_minimum'],
    [{ course: 1, min_grade: ' ' }, 'requisite_minimum'],
    [{ course: 1, min_grade: 'C', min_points: '2' }, 'requisite_minimum'],
    [{ all: Array.from({ length: 101 }, (_, index) => ({ course: index + 1 })) }, 'requisite_size'],
  ])('%j', (value, code) => expect(checkRequisite(value).map((problem) => problem.code)[0]).toBe(code))

  test('names the place, all places, and how deep is too deep', () => {
    const problems = checkRequisite({ all: [{ course: 1 }, { any: [{ course: -1 }, 5] }] })
    expect(problems.map((problem) => problem.field)).toEqual(['all.1.any.0', 'all.1.any.1'])
    let deep: Requisite = { course: 1 }
    for (let count = 0; count < 8; count += 1) deep = { all: [deep] }
    expect(checkRequisite(deep)[0]?.code).toBe('requisite_depth')
  })

  test('what the generator makes is well formed', () => {
    fc.assert(
      fc.property(anyRequisite, (value) => checkRequisite(value).every((one) => one.code === 'requisite_depth')),
    )
  })
})

describe('evaluation', () => {
  const tree: Requisite = { all: [{ course: 1 }, { any: [{ course: 2 }, { all: [{ course: 3 }, { course: 4 }] }] }] }

  test.each<[number[], boolean, number[], Requisite | null]>([
    [[1, 2], true, [], null],
    [[1, 3, 4], true, [], null],
    [[1, 3], false, [2, 4], { any: [{ course: 2 }, { course: 4 }] }],
    [[2], false, [1], { course: 1 }],
    [[], false, [1, 2, 3, 4], tree],
  ])('with %j', (courses, met, missing, rest) => {
    const result = evaluateRequisites(
      tree,
      courses.map((course) => passed(course)),
    )
    expect(result.met).toBe(met)
    expect(result.missing.map((one) => one.course)).toEqual(missing)
    expect(result.rest).toEqual(rest)
  })

  test.each<[Requisite, PassedCourse[], string | undefined]>([
    [{ course: 1, min_grade: 'C' }, [passed(1, 'D')], 'grade_below'],
    [{ course: 1, min_grade: 'C' }, [passed(1, 'C')], undefined],
    [{ course: 1, min_grade: 'C' }, [passed(1, 'D'), passed(1, 'B')], undefined],
    [{ course: 1, min_points: '3.31' }, [passed(1, 'B+')], 'grade_below'],
    [{ course: 1, min_points: '3.3' }, [passed(1, 'B+')], undefined],
    [{ course: 1, min_grade: 'C' }, [passed(1, null)], 'grade_unknown'],
    [{ course: 1, min_grade: 'X' }, [passed(1, 'A')], 'grade_unknown'],
    [{ course: 1, min_grade: 'C' }, [], 'not_passed'],
    [{ course: 1 }, [passed(1, null)], undefined],
  ])('%j with %j', (requisite, courses, reason) =>
    expect(evaluateRequisites(requisite, courses, letters).missing[0]?.reason).toBe(reason),
  )

  test('nothing required is met', () => {
    expect(evaluateRequisites(null, [])).toEqual({ met: true, rest: null, missing: [] })
    expect(evaluateRequisites({ all: [] }, []).met).toBe(true)
  })

  const truth = (node: Requisite, courses: ReadonlySet<number>): boolean =>
    'course' in node
      ? courses.has(node.course)
      : 'all' in node
        ? node.all.every((child) => truth(child, courses))
        : node.any.some((child) => truth(child, courses))

  test('agrees with boolean logic; what is left is equivalent to what was asked; passing it all meets it', () => {
    const sets = fc.subarray([1, 2, 3, 4, 5, 6])
    fc.assert(
      fc.property(anyRequisite, sets, sets, (requisite, courses, more) => {
        const result = evaluateRequisites(
          requisite,
          courses.map((course) => passed(course)),
        )
        expect(result.met).toBe(truth(requisite, new Set(courses)))
        expect(result.met).toBe(result.missing.length === 0)
        expect(coursesIn(result.rest).sort()).toEqual([...new Set(result.missing.map((one) => one.course))].sort())
        if (result.rest !== null) {
          const later = new Set([...courses, ...more])
          expect(truth(result.rest, later)).toBe(truth(requisite, later))
          expect(result.missing.some((one) => courses.includes(one.course))).toBe(false)
        }
        const all = [...courses, ...result.missing.map((one) => one.course)]
        expect(
          evaluateRequisites(
            requisite,
            all.map((course) => passed(course)),
          ).met,
        ).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('cycles', () => {
  test('are named', () => {
    expect(
      findCycle(
        new Map([
          [1, [2]],
          [2, [3]],
          [3, [1]],
        ]),
      ),
    ).toEqual([1, 2, 3, 1])
    expect(
      findCycle(
        new Map([
          [9, [1]],
          [1, [1]],
        ]),
      ),
    ).toEqual([1, 1])
    expect(
      findCycle(
        new Map([
          [1, [2, 3]],
          [2, [4]],
          [3, [4]],
          [4, []],
        ]),
      ),
    ).toBeNull()
    expect(
      cycleThrough(
        1,
        { any: [{ course: 2 }] },
        new Map([
          [1, []],
          [2, [1]],
        ]),
      ),
    ).toEqual([1, 2, 1])
    expect(
      cycleThrough(
        1,
        null,
        new Map([
          [1, [2]],
          [2, [1]],
        ]),
      ),
    ).toBeNull()
  })

  test('a chain of 100,000 courses needs no stack', () => {
    const graph = new Map(Array.from({ length: 100_000 }, (_, index) => [index, [index + 1]] as const))
    expect(findCycle(graph)).toBeNull()
  })

  test('many ways to the same course are walked once', () => {
    const layers = Array.from({ length: 40 }, (_, layer) => [layer * 2 + 2, layer * 2 + 3])
    const graph = new Map(layers.flatMap((next, layer) => [[layer * 2, next] as const, [layer * 2 + 1, next] as const]))
    expect(findCycle(graph)).toBeNull()
  })

  test('found exactly where the reachability relation has one, and each step of it is an edge', () => {
    const edges = fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 })), { maxLength: 14 })
    fc.assert(
      fc.property(edges, (pairs) => {
        const graph = new Map<number, number[]>()
        for (const [from, to] of pairs) graph.set(from, [...(graph.get(from) ?? []), to])
        const reach = Array.from({ length: 8 }, (_, from) =>
          Array.from({ length: 8 }, (_x, to) => graph.get(from)?.includes(to) ?? false),
        )
        for (let via = 0; via < 8; via += 1)
          for (const row of reach)
            for (let to = 0; to < 8; to += 1) row[to] ||= row[via] === true && reach[via]?.[to] === true
        const cycle = findCycle(graph)
        expect(cycle !== null).toBe(reach.some((row, index) => row[index]))
        cycle?.slice(1).forEach((to, index) => expect(graph.get(cycle[index] as number)).toContain(to))
        if (cycle !== null) expect(cycle[0]).toBe(cycle.at(-1))
      }),
      { numRuns: 500 },
    )
  })
})

test('prints in both languages', () => {
  const tree: Requisite = { all: [{ course: 1 }, { any: [{ course: 2 }, { course: 3, min_grade: 'C+' }] }] }
  expect(printRequisite(tree, 'en', (id) => `CS${id}`)).toBe('CS1 and (CS2 or CS3 (at least C+))')
  expect(printRequisite(tree, 'de', (id) => `CS${id}`)).toBe('CS1 und (CS2 oder CS3 (mindestens C+))')
  expect(printRequisite(tree, 'ar', (id) => `CS${id}`)).toBe(
    '\u2068CS1\u2069 و(\u2068CS2\u2069 أو \u2068CS3\u2069 (بحد أدنى \u2068C+\u2069))',
  )
  expect(printRequisite({ any: [{ all: [{ course: 1 }] }] }, 'en', String)).toBe('1')
  expect(printRequisite(null, 'ar', String)).toBe('لا يوجد')
})
