import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulate, type PricedTwice } from './simulation.rules.ts'

const egp = (amount: number) => ({ currency: 'EGP', amount })

test('sums by faculty and currency, with whom it changes and who has no price', () => {
  expect(
    simulate([
      { faculty_id: 1, before: egp(100), after: egp(120) },
      { faculty_id: 1, before: egp(100), after: egp(100) },
      { faculty_id: 2, before: null, after: egp(5) },
      { faculty_id: 1, before: egp(7), after: { currency: 'USD', amount: 3 } },
      { faculty_id: 2, before: null, after: null },
    ]),
  ).toEqual({
    rows: [
      { faculty_id: 1, currency: 'EGP', students: 3, changed: 2, before: 207, after: 220 },
      { faculty_id: 1, currency: 'USD', students: 1, changed: 1, before: 0, after: 3 },
      { faculty_id: 2, currency: 'EGP', students: 1, changed: 1, before: 0, after: 5 },
    ],
    without_before: 2,
    without_after: 1,
  })
})

test('is the same in any order, and adds up to what everybody is charged', () => {
  const money = fc.option(
    fc.record({ currency: fc.constantFrom('EGP', 'USD'), amount: fc.integer({ min: 0, max: 10_000_000 }) }),
    { nil: null },
  )
  const student = fc.record({ faculty_id: fc.constantFrom(1, 2, null), before: money, after: money })
  fc.assert(
    fc.property(fc.array(student, { maxLength: 60 }), (students: PricedTwice[]) => {
      const { rows, ...without } = simulate(students)
      expect(simulate(students.toReversed())).toEqual({ rows, ...without })
      for (const side of ['before', 'after'] as const)
        for (const currency of ['EGP', 'USD'])
          expect(rows.filter((row) => row.currency === currency).reduce((sum, row) => sum + row[side], 0)).toBe(
            students.reduce((sum, one) => sum + (one[side]?.currency === currency ? one[side].amount : 0), 0),
          )
    }),
  )
})
