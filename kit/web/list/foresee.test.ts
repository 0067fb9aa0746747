import { expect, test } from 'vitest'
import { foresee } from './foresee.tsx'

const rows = [
  { id: 1, ready: true },
  { id: 2, ready: false, why: 'Marks are missing' },
  { id: 3, ready: false, why: 'Marks are missing' },
  { id: 4, ready: false },
]
const seen = new Map(rows.map((row) => [row.id, row]))
const action = {
  applies: (row: object) => (row as { ready: boolean }).ready,
  whyNot: (row: object) => (row as { why?: string }).why ?? null,
}

test('an action on many is asked for those it happens to; why not to the others is counted', () => {
  const { able, stay } = foresee(action, [1, 2, 3, 4], seen, 'Not its turn')
  expect(able).toEqual([1])
  expect([...stay]).toEqual([
    ['Marks are missing', 2],
    ['Not its turn', 1],
  ])
})

test('what the list has not shown is left to the server', () => {
  expect(foresee(action, [1, 9], seen, '').able).toEqual([1, 9])
  expect(foresee({}, [2, 3], seen, '').able).toEqual([2, 3])
})
