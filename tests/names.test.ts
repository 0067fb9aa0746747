import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..')

/** Names that a module exports at its top level. */
const exportsOf = (source: string): string[] => [
  ...[...source.matchAll(/^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm)].map(
    ([, name]) => name!,
  ),
  ...[...source.matchAll(/^export const \{([^}]*)\}/gm)].flatMap(([, names]) =>
    names!.split(',').flatMap((name) => name.split(':').at(-1)?.trim() || []),
  ),
]

/** An area calls the constant of its permissions like itself, and may call its main resource so as well: `students`. */
const LIKE_THE_AREA = /permissions\.contract\.ts$/

it('no two areas export the same name for different things', () => {
  const areas = new Map<string, Set<string>>()
  for (const file of globSync('areas/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$/.test(file) || LIKE_THE_AREA.test(file)) continue
    const area = file.split(path.sep).slice(1, 3).join('/')
    for (const name of exportsOf(readFileSync(path.join(root, file), 'utf8')))
      areas.set(name, (areas.get(name) ?? new Set()).add(area))
  }
  expect(areas.size).toBeGreaterThan(3000)
  const twice = [...areas].flatMap(([name, where]) => (where.size > 1 ? [`${name}: ${[...where].join(', ')}`] : []))
  expect(twice).toEqual([])
  expect(exportsOf('export const { a, b: c } = x\nexport async function d() {}\nconst e = 1')).toEqual(['d', 'a', 'c'])
})
