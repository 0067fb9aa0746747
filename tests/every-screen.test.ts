import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { PERMISSION_KEYS } from '#access/permissions.contract.ts'
import { MENU_GROUPS } from '#access/menu.contract.ts'
import { screensOf } from '#kit/contract/index.ts'
import { AREAS } from '../apps/areas.contract.ts'

/** Every declared screen, without a browser: whether it can be opened, by whom, and from where. */
const SCREENS = AREAS.flatMap((area) => screensOf(area).map((screen) => ({ area, screen })))
type One = (typeof SCREENS)[number]
const at = ({ area, screen }: One) => `${area.name}: ${screen.path}`
const PATHS = new Set(SCREENS.map(({ screen }) => screen.path))

const root = path.join(import.meta.dirname, '..')
interface AreaWeb {
  area: string
  screens?: Record<string, () => Promise<{ default: unknown }>>
  resources?: Record<string, () => Promise<{ default: { resource?: { name: string } } }>>
}
/** The web side is written for another project of the compiler, so it is reached by its address. */
const loadPlain = async (): Promise<Record<string, () => Promise<unknown>>> =>
  ((await import(path.join(root, 'apps/web/areas.ts'))) as { PLAIN_RESOURCES: Record<string, () => Promise<unknown>> })
    .PLAIN_RESOURCES
const loadWebs = async (): Promise<Map<string, AreaWeb>> => {
  const { AREA_WEBS } = (await import(path.join(root, 'apps/web/areas.ts'))) as {
    AREA_WEBS: Record<string, () => Promise<{ default: AreaWeb }>>
  }
  return new Map(
    await Promise.all(
      Object.entries(AREA_WEBS).map(async ([name, load]): Promise<[string, AreaWeb]> => [name, (await load()).default]),
    ),
  )
}

describe('every screen', () => {
  it('asks for a permission of the catalogue', () => {
    const known = new Set<string>([...PERMISSION_KEYS, 'public', 'signed_in'])
    const unknown = SCREENS.filter(({ screen }) => [screen.permission].flat().some((key) => !known.has(key as string)))
    expect(unknown.map(at)).toEqual([])
  })
  it('has a title in English and Arabic', () => {
    const poor = SCREENS.filter(
      ({ screen }) => !/[a-z]/i.test(screen.title[0]) || !/\p{Script=Arabic}/u.test(screen.title[1]),
    )
    expect(poor.map(at)).toEqual([])
  })
  it('stands beneath a screen that is there, and not beneath itself', () => {
    const wrong = SCREENS.filter(({ screen }) => {
      const parents = [screen.parent, ...Object.values(screen.parentOfType ?? {})].filter((p) => p !== undefined)
      return parents.some((parent) => !PATHS.has(parent) || parent === screen.path)
    })
    expect(wrong.map(at)).toEqual([])
  })
  it('has an address of its own', () => {
    /** Every form an address takes: with and without what is optional. */
    const shapes = (route: string): string[] =>
      route
        .split('/')
        .reduce<string[]>(
          (forms, part) =>
            part.endsWith('?')
              ? [...forms, ...forms.map((form) => `${form}/:`)]
              : forms.map((form) => (part === '' ? form : `${form}/${part.startsWith(':') ? ':' : part}`)),
          [''],
        )
    const taken = new Map<string, string>()
    const twice = SCREENS.flatMap((one) =>
      [...new Set(shapes(one.screen.path))].flatMap((shape) => {
        const other = taken.get(shape)
        taken.set(shape, at(one))
        return other ? [`${at(one)} and ${other}`] : []
      }),
    )
    expect(twice).toEqual([])
  })
  it('in the menu has a group, an icon that exists, and needs no parameter', () => {
    const pascal = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    const icons = path.join(root, 'node_modules/@tabler/icons-react/dist/esm/icons')
    const there = (name: string) => existsSync(path.join(icons, `Icon${pascal(name)}.mjs`))
    expect(Object.values(MENU_GROUPS).filter(({ icon }) => !there(icon))).toEqual([])
    const wrong = SCREENS.flatMap((one) => {
      const { menu, path: route } = one.screen
      if (!menu) return []
      return [
        ...(menu.group in MENU_GROUPS ? [] : [`${at(one)}: no group ${menu.group}`]),
        ...(there(menu.icon) ? [] : [`${at(one)}: no icon ${menu.icon}`]),
        ...(/:\w+(?!\w|\?)/.test(route) ? [`${at(one)}: a parameter`] : []),
      ]
    })
    expect(wrong).toEqual([])
  })
  it('that is set up once stands on the page of the setup, with a sentence in every language', () => {
    const setup = SCREENS.filter(({ screen }) => screen.menu?.setup)
    const page = readFileSync(path.join(root, 'areas/common/settings/management.web.tsx'), 'utf8')
    expect(setup.length).toBeGreaterThan(20)
    const bare = ({ screen }: One) => screen.path.replace(/\/:\w+\?/g, '')
    expect(setup.filter((one) => !page.includes(`['${bare(one)}', `)).map(at)).toEqual([])
    const listed = [...page.matchAll(/\['(\/[^']+)', '(\w+)'\]/g)]
    expect(listed.filter(([, to]) => !SCREENS.some((one) => bare(one) === to)).map(([, to]) => to)).toEqual([])
    for (const language of ['ar', 'de', 'en', 'fr', 'pt']) {
      const { ui } = JSON.parse(readFileSync(path.join(root, `locales/${language}/settings.json`), 'utf8'))
      expect(listed.filter(([, , key]) => !ui[`part_${key}`] || !ui[`part_${key}_text`])).toEqual([])
    }
  })
  it('is shown by its area, or as a screen of a resource', async () => {
    const [webs, plain] = [await loadWebs(), await loadPlain()]
    const dark = SCREENS.filter(({ area, screen }) => {
      const web = webs.get(area.name)
      if (web?.screens?.[screen.path]) return false
      const resource = area.resources.find((r) => Object.values(r.screens).includes(screen.path))
      return !(resource && (web?.resources?.[resource.name] ?? plain[resource.name]))
    })
    expect(dark.map(at)).toEqual([])
    // And nothing is shown that is not declared.
    const stray = [...webs].flatMap(([name, web]) => [
      ...(web.area === name && AREAS.some((a) => a.name === name) ? [] : [`${name}: no such area`]),
      ...Object.keys(web.screens ?? {}).flatMap((p) => (PATHS.has(p) ? [] : [`${name}: ${p}`])),
      ...Object.keys(web.resources ?? {}).flatMap((r) =>
        AREAS.find((a) => a.name === name)?.resources.some((known) => known.name === r) ? [] : [`${name}: ${r}`],
      ),
    ])
    expect(stray).toEqual([])
  })
  it('can be loaded', async () => {
    // What modules ask of a browser before anything is drawn.
    vi.stubGlobal('window', Object.assign(new EventTarget(), { matchMedia: () => new EventTarget() }))
    vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '', documentElement: {} }))
    const failures: string[] = []
    for (const [name, web] of await loadWebs()) {
      // A copy of the repository with one more area loads that one.
      if (process.env.SCREENS_OF && process.env.SCREENS_OF !== name) continue
      for (const [route, load] of Object.entries({ ...web.screens, ...web.resources })) {
        try {
          const { default: shown } = await load()
          if (typeof shown !== 'function' && typeof shown !== 'object') failures.push(`${name}: ${route} shows nothing`)
        } catch (error) {
          failures.push(`${name}: ${route}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
    }
    for (const [name, load] of Object.entries(process.env.SCREENS_OF ? {} : await loadPlain())) {
      const shown = (await load()) as { name?: string } | undefined
      if (shown?.name !== name) failures.push(`${name} is not what is exported`)
    }
    vi.unstubAllGlobals()
    expect(failures).toEqual([])
  }, 180_000)
})

describe('the parts of the program', () => {
  /** The sources of one side, comments taken out. */
  const sources = (...patterns: string[]): Map<string, string> =>
    new Map(
      globSync(patterns, { cwd: root })
        .filter((file) => !/\.test\.tsx?$|(^|\/)testing\.ts$/.test(file))
        .map((file) => [
          file,
          readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g, ''),
        ]),
    )

  it('the kit names no area', () => {
    /** What every university is made of, the kinds of people who sign in, and how amounts are written: words of the kit itself. */
    const OWN = new Set('faculty department bylaw program student instructor employee applicant currency'.split(' '))
    // Tables that the kit brings itself.
    for (const file of globSync('db/migrations/0001_*.sql', { cwd: root }))
      for (const [, table] of readFileSync(path.join(root, file), 'utf8').matchAll(/create table (\w+)/g))
        OWN.add(table!)
    /** Who a person is: the places where the kit reads tables of people. */
    const PERSON: Readonly<Record<string, readonly string[]>> = {
      [path.join('kit', 'server', 'identity', 'auth.ts')]: ['students', 'instructors'],
      // Which of a person's records is meant.
      [path.join('kit', 'server', 'mail', 'notifications.ts')]: ['students', 'programs'],
      // Whom a decision concerns.
      [path.join('kit', 'server', 'workflow', 'basis.ts')]: ['students'],
      [path.join('kit', 'web', 'basis', 'outdated.tsx')]: ['/students'],
    }
    const areas = AREAS.filter((a) => !existsSync(path.join(root, `kit/contract/${a.name}.area.ts`)))
    const words = areas.flatMap((a) => [a.name, ...a.resources.flatMap((r) => [r.name, r.table, r.path])])
    const named: string[] = []
    const files = sources('kit/**/*.{ts,tsx}')
    expect(files.size).toBeGreaterThan(100)
    for (const [file, text] of files) {
      if (/['"](?:#areas\/|(?:\.\.\/)+(?:areas|apps)\/)/.test(text)) named.push(`${file} imports an area`)
      // An example shows a part of the kit on something that a reader knows.
      if (/\bexample\.tsx?$/.test(file)) continue
      for (const word of words) {
        if (OWN.has(word) || PERSON[file]?.includes(word)) continue
        const asText = word.length > 4 && new RegExp(`['"\`]${word}['"\`]`).test(text)
        const asTable = new RegExp(`\\b(?:from|join|into|update|table) ${word}\\b`).test(text)
        if (asText || asTable) named.push(`${file} names ${word}`)
      }
    }
    expect(named).toEqual([])
  })

  it('no server file is within reach of the browser', () => {
    const imports = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g
    const names = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).imports as Record<string, string>
    const resolve = (name: string, from: string): string | undefined => {
      if (name.startsWith('.')) return path.join(path.dirname(from), name)
      const known = Object.entries(names).find(([key]) => name.startsWith(key.slice(0, -1)))
      return known ? path.join(known[1].slice(2, -1), name.slice(known[0].length - 1)) : undefined
    }
    const reached = new Map([[path.join('apps', 'web', 'main.tsx'), '']])
    const packages = new Set<string>()
    for (const [file] of reached) {
      if (!/\.tsx?$/.test(file) || !existsSync(path.join(root, file))) continue
      const text = readFileSync(path.join(root, file), 'utf8').replace(/^import type [\s\S]*?from '[^']*'$/gm, '')
      for (const [, name] of text.matchAll(imports)) {
        const next = resolve(name!, file)
        if (next && !reached.has(next)) reached.set(next, file)
        else if (!next) packages.add(name!)
      }
    }
    expect(reached.size).toBeGreaterThan(100)
    const wrong = [...reached].filter(([file]) => /\.(server|demo|worker)\.ts$|^db\/|^kit\/server\//.test(file))
    expect(wrong).toEqual([])
    const forbidden = ['pg', 'pg-boss', 'kysely', 'fastify', 'pino', 'nodemailer', 'undici', 'yazl', 'hucre']
    expect([...packages].filter((name) => name.startsWith('node:') || forbidden.includes(name))).toEqual([])
  })

  const built = path.join(root, 'dist/web/assets')
  it.skipIf(!existsSync(built))('no code of the server is in what is built for the browser', () => {
    /** Texts that stand in every build of these packages, and in our own server. */
    const marks = [
      'FST_ERR_', // fastify
      'Client has encountered a connection error', // pg
      'kysely_migration', // kysely
      'pgboss', // pg-boss
      'set_config(', // kit/server
      'DATABASE_URL',
      'node:fs',
    ]
    const found = globSync('*.js', { cwd: built }).flatMap((file) => {
      const text = readFileSync(path.join(built, file), 'utf8')
      return marks.filter((mark) => text.includes(mark)).map((mark) => `${file}: ${mark}`)
    })
    expect(found).toEqual([])
  })
})
