import { expect, test } from 'vitest'
import { gridMove, type GridPlace } from './grid.rules.ts'

const SIZE = { rows: 3, columns: 4 }
const at = (row: number, column: number): GridPlace => ({ row, column })
const TABLE: readonly [string, GridPlace, object, GridPlace | null][] = [
  ['ArrowUp', at(1, 1), {}, at(0, 1)],
  ['ArrowUp', at(0, 1), {}, null],
  ['ArrowDown', at(1, 1), {}, at(2, 1)],
  ['ArrowDown', at(2, 1), {}, null],
  ['ArrowRight', at(1, 1), {}, at(1, 2)],
  ['ArrowRight', at(1, 3), {}, null],
  ['ArrowLeft', at(1, 1), {}, at(1, 0)],
  ['ArrowLeft', at(1, 0), {}, null],
  ['ArrowRight', at(1, 1), { rtl: true }, at(1, 0)],
  ['ArrowLeft', at(1, 3), { rtl: true }, null],
  ['Home', at(2, 2), {}, at(2, 0)],
  ['End', at(0, 1), {}, at(0, 3)],
  ['Home', at(2, 2), { ctrl: true }, at(0, 0)],
  ['End', at(0, 1), { ctrl: true }, at(2, 3)],
  ['Enter', at(1, 1), {}, null],
  ['toString', at(1, 1), {}, null],
]
test.each(TABLE)('%s from %j %j', (key, from, more, to) => {
  expect(gridMove(key, from, { ...SIZE, ...more })).toEqual(to)
})
