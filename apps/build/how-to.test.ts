import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')

it('the area that HOW-TO has a newcomer make is none of the product, and the test of that page makes the same one', () => {
  const page = readFileSync(path.join(root, 'docs/HOW-TO.md'), 'utf8')
  const [, area = ''] = /npm run new -- area ([\w/-]+)/.exec(page) ?? []
  expect(area).toMatch(/^[\w-]+\/[\w-]+$/)
  expect(existsSync(path.join(root, 'areas', path.dirname(area)))).toBe(true)
  expect(existsSync(path.join(root, 'areas', area))).toBe(false)
  const test = readFileSync(path.join(root, 'tests/new.test.ts'), 'utf8')
  for (const [, what = ''] of page.matchAll(/npm run new -- (?:lookup|workflow) (\w+)/g))
    expect([what, test.includes(`'${what}'`)]).toEqual([path.basename(area), true])
})
