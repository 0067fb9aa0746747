import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TURNS, notToday } from './turns.ts'

const files = TURNS.flat()

test('every file that takes turns is there, in one group, and has its day', () => {
  expect(files.filter((file) => !existsSync(path.join(import.meta.dirname, '..', file)))).toEqual([])
  expect(new Set(files).size).toBe(files.length)
  const days = TURNS.map((_, day) => notToday(String(20_000 + day)))
  for (const file of files) expect(days.filter((left) => !left.includes(file))).toHaveLength(1)
  expect(notToday(undefined)).toEqual([])
})
