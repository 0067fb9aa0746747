import { globSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** The folders of the server side of the kit, in order: each uses those before it. `kit/server/README.md` says what they offer. */
const ORDER = [
  'workers',
  'sheets',
  'storage',
  'documents',
  'base',
  'unit',
  'identity',
  'jobs',
  'files',
  'mail',
  'resource',
  'handing-in',
  'workflow',
  'papers',
  'calendar',
  'http',
]
const kit = path.join(import.meta.dirname, '../kit/server')

it('every folder of the kit has its place and its line in the page', () => {
  const folders = readdirSync(kit, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
  expect(folders.toSorted()).toEqual(ORDER.toSorted())
  const page = readFileSync(path.join(kit, 'README.md'), 'utf8')
  expect(ORDER.filter((folder) => !page.includes(`| \`${folder}/\` |`))).toEqual([])
})

it('a folder of the kit uses those before it', () => {
  const against = globSync('*/**/*.ts', { cwd: kit }).flatMap((file) => {
    if (file.endsWith('.test.ts')) return []
    const own = ORDER.indexOf(file.split(path.sep)[0]!)
    const imports = readFileSync(path.join(kit, file), 'utf8').matchAll(
      /^(?:import|export)\s+(?!type\b)(?:\{[^}]*\}|[\w*\s]+)\s+from '([^']+)'/gm,
    )
    return [...imports].flatMap(([, name]) => {
      const target = name!.startsWith('#kit/server/')
        ? name!.slice('#kit/server/'.length)
        : name!.startsWith('.')
          ? path.relative(kit, path.join(kit, path.dirname(file), name!))
          : ''
      const folder = target.split(/[/\\]/)[0]!
      return target.includes('/') && ORDER.indexOf(folder) > own ? [`${file} → ${target}`] : []
    })
  })
  expect(against).toEqual([])
})

it('each part of the kit has an example that compiles, and its page shows the same text', () => {
  const pages = [
    ...ORDER.map((folder) => ['server/README.md', `server/${folder}/example.ts`] as const),
    ['contract/README.md', 'contract/example.ts'] as const,
    ['web/README.md', 'web/example.tsx'] as const,
  ]
  const read = (file: string): string => readFileSync(path.join(kit, '..', file), 'utf8')
  expect(
    pages.filter(([page, file]) => !read(page).includes(`\n${read(file)}\`\`\`\n`)).map(([, file]) => file),
  ).toEqual([])
  expect(pages.filter(([, file]) => read(file).split('\n').length > 33).map(([, file]) => file)).toEqual([])
})

it('the pages of the contract and of the browser name every part', () => {
  const page = (name: string): string => readFileSync(path.join(kit, '..', name, 'README.md'), 'utf8')
  const parts = (name: string): string[] =>
    readdirSync(path.join(kit, '..', name)).filter((file) => !/example|test|README|index/.test(file))
  expect(parts('contract').filter((file) => !page('contract').includes(`\`${file}\``))).toEqual([])
  expect(parts('web').filter((file) => !page('web').includes(`\`${file}${file.includes('.') ? '' : '/'}\``))).toEqual(
    [],
  )
})
