import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { withRowsAside } from './aside.ts'

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('ems-rows-'))

it('gives the rows as they were handed in, more than once, and leaves no file', async () => {
  const before = left()
  const given = Array.from({ length: 20_000 }, (_, n) => ({ n, text: `line\n${n} “بيانات” \u2028`, none: null }))
  await withRowsAside<(typeof given)[number], void>(
    async (keep) => {
      for (let at = 0; at < given.length; at += 999) await keep(given.slice(at, at + 999))
    },
    async ({ count, pieces }) => {
      expect(count).toBe(given.length)
      for (let time = 0; time < 2; time++) {
        const read = []
        for await (const piece of pieces()) read.push(...piece)
        expect(read).toEqual(given)
      }
      expect(left()).toEqual(before)
    },
  )
})

it('what fails while rows come, or while they are used, is told, and nothing is left', async () => {
  const before = left()
  const failing = withRowsAside<number, void>(
    async (keep) => {
      await keep([1])
      throw new Error('the line was cut')
    },
    () => Promise.resolve(),
  )
  await expect(failing).rejects.toThrow('the line was cut')
  const used = withRowsAside<number, void>(
    (keep) => keep([1]),
    () => Promise.reject(new Error('no room')),
  )
  await expect(used).rejects.toThrow('no room')
  expect(left()).toEqual(before)
})

it('none is none', async () => {
  const all = await withRowsAside<number, number[]>(
    () => Promise.resolve(),
    async ({ pieces }) => {
      const read: number[] = []
      for await (const piece of pieces()) read.push(...piece)
      return read
    },
  )
  expect(all).toEqual([])
})
