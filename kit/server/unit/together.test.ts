import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Lanes, together } from './together.ts'

/** Doubles numbers, and keeps which it was given together; a run ends when it is told to. */
function doubling(options: { most?: number; lanes?: number | Lanes } = {}) {
  const runs: number[][] = []
  const ends: (() => void)[] = []
  const double = together<number, number>(
    async (items) => {
      runs.push([...items])
      if (items.includes(13)) throw new Error('unlucky')
      await new Promise<void>((end) => ends.push(end))
      return items.map((item) => item * 2)
    },
    { most: 4, lanes: 1, apart: (item) => item % 100, ...options },
  )
  return { double, runs, end: () => ends.shift()?.() }
}

test('what is asked for in one turn of the event loop is done in one run, in the order asked', async () => {
  const { double, runs, end } = doubling()
  const all = Promise.all([3, 1, 2].map(double))
  await turn()
  expect(runs).toEqual([[3, 1, 2]])
  end()
  expect(await all).toEqual([6, 2, 4])
})

test('what comes while a run is under way shares the next; the same key never shares one, and none is too long', async () => {
  const { double, runs, end } = doubling()
  const all = [double(1)]
  await turn()
  all.push(...[2, 102, 3, 4, 5, 6].map(double))
  for (let i = 0; i < 3; i++) {
    await turn()
    end()
    await turn()
  }
  expect(runs).toEqual([[1], [2, 3, 4, 5], [102, 6]])
  expect(await Promise.all(all)).toEqual([2, 4, 204, 6, 8, 10, 12])
})

test('nobody suffers from a neighbour: the items of a run that fails are done alone', async () => {
  const { double, runs, end } = doubling()
  const all = Promise.allSettled([1, 13, 2].map(double))
  await turn()
  await turn()
  end()
  end()
  expect((await all).map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(runs).toEqual([[1, 13, 2], [1], [13], [2]])
})

test('kinds of work that share a lane take turns: each gathers while the other is under way, and a failure holds up nobody', async () => {
  const lanes = new Lanes(1)
  const [one, other] = [doubling({ lanes }), doubling({ lanes })]
  const first = one.double(1)
  await turn()
  const all = Promise.allSettled([...[2, 3].map(one.double), ...[4, 13, 5].map(other.double)])
  await turn()
  expect([one.runs, other.runs]).toEqual([[[1]], []])
  one.end()
  expect(await first).toBe(2)
  await turn()
  expect([one.runs, other.runs]).toEqual([[[1]], [[4, 13, 5], [4], [13], [5]]])
  other.end()
  other.end()
  await turn()
  expect(one.runs).toEqual([[1], [2, 3]])
  one.end()
  expect((await all).map((answer) => answer.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
})
