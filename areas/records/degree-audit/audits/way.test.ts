import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Requisite } from '#areas/study/catalogue/requisites.rules.ts'
import { auditTree } from './evaluate.rules.ts'
import { neededCourses, shortestWay, type WayCourse } from './way.rules.ts'

const course = (order: number, prerequisites: Requisite | null = null): WayCourse => ({
  credit_hours: 300,
  prerequisites,
  order,
})
const none = new Set<number>()

test('prerequisites first, long chains first, and no term beyond the load', () => {
  const courses = new Map([
    [1, course(1)],
    [2, course(2)],
    [3, course(3, { course: 1 })],
    [4, course(4, { all: [{ course: 3 }, { course: 2 }] })],
    [5, course(5)],
  ])
  expect(shortestWay([5, 4], [], courses, none, 600)).toEqual({
    terms: [[1, 2], [3, 5], [4]],
    open: [],
    at_least: 3,
    proved: true,
  })
  expect(shortestWay([4], [], courses, new Set([1, 2]), 600).terms).toEqual([[3], [4]])
})

test('of alternatives the one that needs least', () => {
  const courses = new Map([
    [1, course(1)],
    [2, course(2, { course: 1 })],
    [3, course(3)],
    [4, course(4, { any: [{ course: 2 }, { course: 3 }] })],
  ])
  expect(shortestWay([4], [], courses, none, 1800).terms).toEqual([[3], [4]])
})

test('what is missing: listed courses, of a list the first in the plan, and what is not listed', () => {
  const name = (key: string) => ({ key, name: key, name_local: key })
  const list = (...ids: number[]) => ids.map((course_id) => ({ by: 'course' as const, course_id }))
  const answer = auditTree(
    {
      kind: 'all',
      ...name('root'),
      parts: [
        { kind: 'courses', ...name('core'), unit: 'courses', min: 'all', from: list(1, 2) },
        { kind: 'courses', ...name('pool'), unit: 'hours', min: 6, from: list(3, 4, 5) },
        { kind: 'courses', ...name('free'), unit: 'courses', min: 1, from: [{ by: 'code', pattern: 'X*' }] },
      ],
    },
    [],
    {
      courses: [
        {
          course_id: 1,
          codes: [],
          credit_hours: 300,
          state: 'passed',
          equal_ids: [],
          points: null,
          counts_in_gpa: true,
        },
      ],
    },
  )
  const courses = new Map([1, 2, 3, 4, 5].map((id) => [id, course(10 - id)]))
  expect(neededCourses(answer.root, courses)).toEqual({ needed: [2, 5, 4], open: ['free'] })
})

test('whatever the prerequisites: each course once, after what it needs, within the load, never below the bound', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ hours: fc.integer({ min: 1, max: 4 }), needs: fc.array(fc.nat(12), { maxLength: 2 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.integer({ min: 4, max: 9 }),
      (rows, load) => {
        const courses = new Map(
          rows.map(({ hours, needs }, id) => [
            id,
            {
              credit_hours: hours * 100,
              order: id,
              prerequisites: { all: needs.filter((on) => on < id).map((on) => ({ course: on })) },
            },
          ]),
        )
        const { terms, at_least } = shortestWay([...courses.keys()], [], courses, none, load * 100)
        const place = new Map(terms.flatMap((term, i) => term.map((id) => [id, i] as const)))
        expect([...place.keys()].toSorted((a, b) => a - b)).toEqual([...courses.keys()])
        expect(terms.length).toBeGreaterThanOrEqual(at_least)
        for (const [id, { prerequisites }] of courses)
          for (const one of prerequisites.all) expect(place.get(one.course)!).toBeLessThan(place.get(id)!)
        for (const term of terms)
          expect(term.reduce((sum, id) => sum + courses.get(id)!.credit_hours, 0)).toBeLessThanOrEqual(load * 100)
      },
    ),
  )
})
