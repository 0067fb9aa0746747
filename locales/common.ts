import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { TRANSLATED } from './missing.ts'

/**
 * Moves labels that several areas have to the catalogue of the kit, where all find them: `node locales/common.ts`. Where
 * areas differ, the kit's word counts, else the first; each is printed. A test notices when it was forgotten.
 */
interface Catalogue {
  labels?: Record<string, string>
}
const folder = new URL('./', import.meta.url)

for (const language of TRANSLATED) {
  const names = readdirSync(new URL(`${language}/`, folder)).map((name) => name.slice(0, -5))
  const fileOf = (name: string) => new URL(`${language}/${name}.json`, folder)
  const catalogues = new Map(
    names.map((name) => [name, JSON.parse(readFileSync(fileOf(name), 'utf8')) as Catalogue] as const),
  )
  const kit = catalogues.get('kit')!
  const found = Map.groupBy(
    [...catalogues].flatMap(([name, { labels = {} }]) => Object.keys(labels).map((label) => ({ label, name }))),
    ({ label }) => label,
  )
  const changed = new Set<string>()
  for (const [label, where] of found) {
    if (where.length < 2) continue
    const words = new Set(where.map(({ name }) => catalogues.get(name)!.labels![label]!))
    const word = kit.labels?.[label] ?? [...words][0]!
    if (words.size > 1)
      console.log(`${language}: ${label} is now “${word}”, no more ${[...words].filter((w) => w !== word).join(', ')}`)
    for (const { name } of where) {
      delete catalogues.get(name)!.labels![label]
      changed.add(name)
    }
    ;(kit.labels ??= {})[label] = word
    changed.add('kit')
  }
  for (const name of changed) writeFileSync(fileOf(name), `${JSON.stringify(catalogues.get(name), null, 2)}\n`)
}
