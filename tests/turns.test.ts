import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { RUN_IN_TURN, TURNS, notToday, unseenToday } from './turns.ts'

const files = TURNS.flat()

test('every file that takes turns is there, in one group, and has its day', () => {
  expect(files.filter((file) => !existsSync(path.join(import.meta.dirname, '..', file)))).toEqual([])
  expect(new Set(files).size).toBe(files.length)
  const days = TURNS.map((_, day) => notToday(String(20_000 + day)))
  for (const file of files) expect(days.filter((left) => !left.includes(file))).toHaveLength(1)
  expect(notToday(undefined)).toEqual([])
})

test('what only a file of another day runs is missed on its own day, and wherever everything is run', () => {
  const root = path.join(import.meta.dirname, '..')
  for (const [source, file] of Object.entries(RUN_IN_TURN)) {
    expect([source, existsSync(path.join(root, source)), files.includes(file)]).toEqual([source, true, true])
    const day = TURNS.findIndex((group) => group.includes(file))
    const unseen = [`${source}:7`, 'kit/server/base/modes.ts:41']
    expect(unseenToday(unseen, String(day))).toEqual(unseen)
    expect(unseenToday(unseen, undefined)).toEqual(unseen)
    expect(unseenToday(unseen, String(day + 1))).toEqual(['kit/server/base/modes.ts:41'])
  }
})
