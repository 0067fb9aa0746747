import { describe, expect, test } from 'vitest'
import { logistic, marginsOf, toShares } from './logistic.rules.ts'
import type { SparseRows } from './logistic.rules.ts'

/** Rows of numbers, of which zeros are left out. */
function sparse(table: readonly (readonly number[])[]): SparseRows {
  const entries = table.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [[column, value] as const])))
  const begins = [0]
  for (const row of entries) begins.push(begins.at(-1)! + row.length)
  return {
    begins: Int32Array.from(begins),
    columns: Int32Array.from(entries.flat().map(([column]) => column)),
    values: Float64Array.from(entries.flat().map(([, value]) => value)),
    width: table[0]!.length,
  }
}
const shares = (rows: SparseRows, row: number, weights: readonly ArrayLike<number>[]): number[] => {
  const out: number[] = []
  marginsOf(rows, row, weights, out)
  toShares(out)
  return out
}
const all = (n: number) => Int32Array.from({ length: n }, (_, i) => i)

test('shares add up to one, also of margins that no exponential holds', () => {
  const margins = [1000, 999, -1000]
  expect(toShares(margins)).toBeCloseTo(1000 + Math.log(1 + Math.exp(-1)), 9)
  expect(margins[0]! + margins[1]! + margins[2]!).toBeCloseTo(1, 12)
  expect(margins[0]).toBeCloseTo(1 / (1 + Math.exp(-1)), 12)
})

test('a margin is the constant and what stands in the row', () => {
  const rows = sparse([
    [0, 2, 0],
    [0, 0, 0],
  ])
  const out: number[] = []
  marginsOf(rows, 0, [[1, 10, 100, 5]], out)
  expect(out).toEqual([25])
  marginsOf(rows, 1, [[1, 10, 100, 5]], out)
  expect(out).toEqual([5])
})

describe('the regression', () => {
  const rows = sparse([
    [1, 0],
    [1, 0],
    [1, 0],
    [1, 0],
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 1],
  ])
  const y = Int32Array.from([0, 0, 0, 1, 1, 1, 1, 0])

  test('without a ridge says what the rows say', () => {
    const weights = logistic(rows, y, 2, all(8), 0)
    expect(shares(rows, 0, weights)[0]).toBeCloseTo(3 / 4, 3)
    expect(shares(rows, 4, weights)[0]).toBeCloseTo(1 / 4, 3)
  })

  test('a ridge draws towards how often each class is, and never past it', () => {
    const said = [0, 1, 10, 1000].map((ridge) => shares(rows, 0, logistic(rows, y, 2, all(8), ridge))[0]!)
    expect(said).toEqual(said.toSorted((a, b) => b - a))
    expect(said.at(-1)).toBeGreaterThanOrEqual(0.5)
    expect(said.at(-1)).toBeCloseTo(0.5, 2)
  })

  test('the constant is held back by nothing: without columns that tell, shares are those of the classes', () => {
    const plain = sparse([[0], [0], [0], [0]])
    const weights = logistic(plain, Int32Array.from([0, 0, 0, 1]), 3, all(4), 50)
    const found = shares(plain, 0, weights)
    expect(found[0]).toBeCloseTo(3 / 4, 2)
    expect(found[1]).toBeCloseTo(1 / 4, 2)
    expect(found[2]).toBeLessThan(0.01)
  })

  test('rows that are not trained on say nothing', () => {
    const some = Int32Array.from([0, 1, 2, 4, 5, 6])
    const other = Int32Array.from(y, (one, i) => (some.includes(i) ? one : 1 - one))
    expect(logistic(rows, y, 2, some, 1)).toEqual(logistic(rows, other, 2, some, 1))
  })

  test('what is separable stays finite by the ridge, and is told right', () => {
    const weights = logistic(rows, Int32Array.from([0, 0, 0, 0, 1, 1, 1, 1]), 2, all(8), 0.01)
    expect(weights.flatMap((one) => [...one]).every(Number.isFinite)).toBe(true)
    expect(shares(rows, 0, weights)[0]).toBeGreaterThan(0.95)
    expect(shares(rows, 7, weights)[1]).toBeGreaterThan(0.95)
  })
})
