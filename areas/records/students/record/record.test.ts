import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'
import { replacedAttempts, seen } from './record.rules.ts'
import { countsAs } from './record.server.ts'

const visibility = fc.record({
  marks: fc.option(fc.constantFrom(...controlStatuses)),
  letter: fc.option(fc.constantFrom(...controlStatuses)),
  points: fc.option(fc.constantFrom(...controlStatuses)),
  gpa: fc.option(fc.constantFrom(...controlStatuses)),
})
const result = fc.record({
  control_status: fc.constantFrom(...controlStatuses),
  total: fc.constant('80.00'),
  letter: fc.constant('B'),
  points: fc.constant('3.00'),
  passed: fc.constant(true),
})

describe('what a reader sees', () => {
  test('staff see everything; a student sees more the further control is, never less', () => {
    fc.assert(
      fc.property(result, visibility, (one, eyes) => {
        expect(seen(one, null)).toEqual(one)
        const count = (r: typeof one) => Object.values(r).filter((v) => v !== null).length
        const steps = controlStatuses.map((control_status) => count(seen({ ...one, control_status }, eyes)))
        expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      }),
    )
  })
  test('whether a course was passed is not told before its letter', () => {
    const eyes = { marks: 'Draft', letter: 'Published', points: 'Published', gpa: 'Published' } as const
    const one = { control_status: 'Approved', total: '80', letter: 'B', points: '3.00', passed: true } as const
    expect(seen(one, eyes)).toEqual({ ...one, letter: null, points: null, passed: null })
  })
})

describe('attempts that another one replaces', () => {
  const attempt = fc.record({
    course_id: fc.integer({ min: 1, max: 4 }),
    points: fc.option(fc.integer({ min: 0, max: 400 })),
    counts: fc.boolean(),
  })
  test('of each course exactly one counting attempt stands: the last, or the best and of equals the later', () => {
    fc.assert(
      fc.property(fc.array(attempt), (attempts) => {
        for (const rule of ['last', 'best'] as const) {
          const gone = replacedAttempts(attempts, rule)
          for (const id of new Set(attempts.map((a) => a.course_id))) {
            const counting = attempts.filter((a) => a.course_id === id && a.counts && a.points !== null)
            const best = Math.max(...counting.map((a) => a.points!))
            const expected = rule === 'last' ? counting.at(-1) : counting.findLast((a) => a.points === best)
            expect(counting.filter((a) => !gone.has(a))).toEqual(expected ? [expected] : [])
          }
        }
        expect(replacedAttempts(attempts, 'average').size).toBe(0)
      }),
    )
  })
})

test('hours that are only requested are not in progress; those one asks to leave still are', () => {
  const one = (main: string, more: object = {}) =>
    countsAs({ main, letter: null, passed: null, control_status: 'Draft', ...more } as never, null)
  expect(['RegisterRequest', 'AddRequest', 'Dropped'].map((main) => one(main))).toEqual([null, null, null])
  expect(['Registered', 'DropRequest', 'WithdrawRequest'].map((main) => one(main))).toEqual(
    Array.from({ length: 3 }, () => 'in_progress'),
  )
})
