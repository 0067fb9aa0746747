import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { KIT_ERRORS } from '#kit/contract/index.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { CODES, namedInTests } from './mutate/codes.ts'

const root = path.join(import.meta.dirname, '..')
const texts = new Set([...Object.keys(KIT_ERRORS), ...AREAS.flatMap((a) => Object.keys(a.errors))])

test('every refusal in the sources has its texts', () => {
  const without: string[] = []
  const files = globSync('{areas,kit,access}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => /\.(test|web|demo)\.tsx?$/.test(name),
  })
  expect(files.length).toBeGreaterThan(50)
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8')
    for (const [, code] of source.matchAll(/\b(?:refuse\(\s*\d{3},|failing\()\s*'([^']+)'/g)) {
      if (code && !texts.has(code)) without.push(`${file}: ${code}`)
    }
  }
  expect(without).toEqual([])
})

test('texts of refusals are there in both languages and tell as much', () => {
  const places = (text: string) => text.match(/\{\w+\}/g)?.length ?? 0
  const words = (text: string) => text.replace(/\{\w+\}/g, '')
  const poor = [KIT_ERRORS, ...AREAS.map((a) => a.errors)].flatMap((errors) =>
    Object.entries(errors).flatMap(([code, [en, ar]]) =>
      places(en) === places(ar) && /[a-z]/i.test(words(en)) === /[\u0600-\u06ff]/.test(words(ar)) ? [] : [code],
    ),
  )
  expect(poor).toEqual([])
})

test('every refusal is named by a test that gets it', () => {
  const named = namedInTests()
  expect([...CODES].filter((code) => !named.has(code))).toEqual([])
})
