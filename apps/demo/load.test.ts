import { expect, test } from 'vitest'
import { inOrder } from './load.ts'
import { EVERYTHING, demoPart } from './part.ts'

const part = (fills: string[], needs: string[] = []) => demoPart(fills, needs, async () => {})

test('each part is loaded after what it needs', () => {
  const [a, b, c] = [part(['a'], ['c']), part(['b']), part(['c'], ['b'])]
  expect(
    inOrder(
      new Map([
        ['a', a],
        ['b', b],
        ['c', c],
      ]),
    ),
  ).toEqual([b, c, a])
})

test('what nobody fills, and parts that need each other, are told by name', () => {
  expect(() => inOrder(new Map([['x.demo.ts', part(['a'], ['nothing'])]]))).toThrow(/x\.demo\.ts needs nothing/)
  const ring = new Map([
    ['x.demo.ts', part(['a'], ['b'])],
    ['y.demo.ts', part(['b'], ['a'])],
  ])
  expect(() => inOrder(ring)).toThrow(/x\.demo\.ts, y\.demo\.ts/)
})

test('a part that needs everything comes last, whatever it is called', () => {
  const [a, b] = [part(['a'], [EVERYTHING]), part(['b'])]
  expect(
    inOrder(
      new Map([
        ['a', a],
        ['b', b],
      ]),
    ),
  ).toEqual([b, a])
})
