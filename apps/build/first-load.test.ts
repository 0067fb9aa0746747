import { existsSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { build } from 'vite'
import type { Rolldown } from 'vite'
import { justBuilt, type Built, type BuiltChunk } from './built.ts'
import { buildLight, lightChunks, lightModules } from './light.ts'
import type { LightScreen } from './light.ts'

/** Bytes of an answer's headers, about: a screen of many small files is no smaller for it. */
const HEADERS = 400
/** What every screen begins with, in Arabic. */
const FIRST = ['apps/web/index.html', 'virtual:titles-ar', 'locales/ar/kit.json', 'locales/ar/kit-screens.json']

/**
 * What a browser that has nothing fetches until a screen stands there: the modules that are asked for one after the
 * other, with all they need. A new `import()` on the way belongs here; what is shown later, on a press, does not.
 */
const SCREENS = [
  {
    screen: '/home',
    // The names of all screens are among it: each new area adds some. What hangs at buttons comes when somebody comes near.
    most: 200,
    asks: ['kit/web/app/shell.web.tsx', 'kit/web/app/pages/home.tsx', 'locales/ar/registration.json'],
  },
  {
    screen: '/offering/registration',
    // What is read and entered without a line is 3 kB of every first load.
    most: 302,
    asks: [
      'areas/enrolment/registration/registration.web.tsx',
      'areas/enrolment/registration/desk/own.web.tsx',
      'locales/ar/registration.json',
    ],
  },
  {
    screen: '/students',
    // Its filters need what the menus of every screen are made of.
    most: 290,
    asks: [
      'areas/records/students/students.web.tsx',
      'areas/records/students/student/student.web.tsx',
      'kit/web/list/resource-list.tsx',
      'locales/ar/students.json',
    ],
  },
  {
    screen: '/overview',
    // The table of faculties and programs is the one of the kit; the clock of the university is in every first load.
    most: 285,
    asks: [
      'areas/office/reports/reports.web.tsx',
      'areas/office/reports/overview/overview.web.tsx',
      'kit/web/charts/drawing.tsx',
      'locales/ar/reports.json',
      'locales/ar/terms.json',
    ],
  },
] as const

/**
 * Screens that have a light page: for people who have no account, often on a bad line and an old phone. They are
 * built apart (`light.ts`), so what is measured is that build.
 */
const LIGHT = {
  // It also leads back into an application, and takes over what was typed into what the server drew.
  '/apply/:type?': 136,
  '/applicants/edit/:type/:id/:secretKey/:name?': 134,
  '/apply/:id/success': 131,
  '/certificates/graduate': 135,
  '/certificates/graduate/paid': 127,
  '/certificates/graduate/:id/:secretKey': 133,
  '/qr_code/:code?': 126,
  '/external-answer': 136,
  '/training-answer': 137,
  '/notices/stop/:token': 123,
  '/researchers/:slug': 136,
  '/repository': 136,
  '/repository/:handle': 136,
}

/** What no first load has: it comes with a form, a dialog, the palette. */
const LATER = [
  'node_modules/zod/',
  'node_modules/fuse.js/',
  'node_modules/@mantine/form/',
  'core/esm/components/Modal/',
  'core/esm/components/Drawer/',
  'kit/web/fields/date-input',
  'kit/web/fields/rich-input',
]

const root = path.join(import.meta.dirname, '../..')
let chunks: Built['chunks']
let assets: Built['assets']
const sizes = new Map<string, number>()

async function builtNow(): Promise<Built> {
  // Tests run as such; what is measured is what people get.
  vi.stubEnv('NODE_ENV', 'production')
  const { output } = (await build({
    root: path.join(root, 'apps/web'),
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'silent',
    build: { write: false },
  })) as Rolldown.RolldownOutput
  vi.unstubAllEnvs()
  return {
    chunks: output.filter((one) => one.type === 'chunk'),
    assets: output.filter((one) => one.type === 'asset'),
  }
}
beforeAll(async () => {
  ;({ chunks, assets } = justBuilt(root) ?? (await builtNow()))
  for (const { fileName, code } of chunks) sizes.set(fileName, brotliCompressSync(code).length + HEADERS)
}, 360_000)

/** The chunks that the modules of a screen need, whichever they are. */
function loaded(asks: readonly string[]): BuiltChunk[] {
  const seen = new Set<BuiltChunk>()
  const need = (chunk: BuiltChunk | undefined): void => {
    if (!chunk || seen.has(chunk)) return
    seen.add(chunk)
    for (const file of chunk.imports) need(chunks.find((one) => one.fileName === file))
  }
  for (const module of [...FIRST, ...asks]) {
    const chunk =
      chunks.find((one) => one.facadeModuleId?.endsWith(module)) ??
      chunks.find((one) => one.moduleIds.some((id) => id.endsWith(module)))
    if (!chunk) throw new Error(`no chunk has ${module}`)
    need(chunk)
  }
  return [...seen]
}

describe.each(SCREENS)('the first load of $screen', ({ most, asks }) => {
  it(`is at most ${most} kB of JavaScript`, () => {
    const all = loaded(asks)
    const total = all.reduce((sum, { fileName }) => sum + sizes.get(fileName)!, 0) / 1000
    const listed = all.map(({ fileName }) => `${(sizes.get(fileName)! / 1000).toFixed(1)} kB ${fileName}`)
    expect(total, listed.join('\n')).toBeLessThanOrEqual(most)
    // A limit that is far away holds nothing.
    expect(total, 'less than that: take the limit down').toBeGreaterThan(most - 30)
  })

  it('has nothing that comes with a form, a dialog or the palette', () => {
    const modules = loaded(asks).flatMap(({ moduleIds }) => moduleIds)
    expect(modules.filter((id) => LATER.some((part) => id.includes(part)))).toEqual([])
  })
})

describe('light pages', () => {
  let built: Rolldown.RolldownOutput
  let modules: Awaited<ReturnType<typeof lightModules>>
  beforeAll(async () => {
    vi.stubEnv('NODE_ENV', 'production')
    ;[built, modules] = await Promise.all([buildLight(), lightModules()])
    vi.unstubAllEnvs()
  }, 360_000)
  /** All that stands in a browser when the screen does, in Arabic. */
  const loadedFor = (path: string): Rolldown.OutputChunk[] => {
    const { area, file, module } = modules.find((one) => one.path === path)!
    const asks = ['apps/web/light.html', 'locales/ar/kit.json', `locales/ar/${area}.json`, file, module]
    return [
      ...new Set(
        asks
          .filter((one) => !one.startsWith('locales/') || existsSync(`${root}/${one}`))
          .flatMap((one) => lightChunks(built, one)),
      ),
    ]
  }

  it.each(Object.entries(LIGHT))('%s is at most %i kB of JavaScript', (path, most) => {
    const all = loadedFor(path).map(
      ({ fileName, code }) => [fileName, brotliCompressSync(code).length + HEADERS] as const,
    )
    const total = all.reduce((sum, [, size]) => sum + size, 0) / 1000
    expect(total, all.map(([file, size]) => `${(size / 1000).toFixed(1)} kB ${file}`).join('\n')).toBeLessThanOrEqual(
      most,
    )
    expect(total, 'less than that: take the limit down').toBeGreaterThan(most - 15)
    expect(most).toBeLessThanOrEqual(150)
  })

  it('has nothing of the application around it', () => {
    const inside = Object.keys(LIGHT).flatMap((path) => loadedFor(path).flatMap(({ moduleIds }) => moduleIds))
    const strange = [
      'node_modules/react-router/',
      '@floating-ui/',
      'kit/web/shell/shell.tsx',
      'kit/web/router/load.tsx',
    ]
    expect(
      inside.filter((id) =>
        [...strange, 'node_modules/zod/', 'node_modules/libphonenumber'].some((one) => id.includes(one)),
      ),
    ).toEqual([])
  })

  it('says which files each of them begins with, also its texts in every language', () => {
    const list = JSON.parse(String(assets.find(({ fileName }) => fileName === 'light.json')!.source)) as LightScreen[]
    expect(list.map((one) => one.path).toSorted()).toEqual(modules.map((one) => one.path).toSorted())
    const there = new Set([...chunks, ...assets].map(({ fileName }) => `/${fileName}`))
    for (const { files, texts } of list) {
      expect(Object.keys(texts).toSorted()).toEqual(['ar', 'de', 'en', 'fr', 'pt'])
      expect([...files, ...Object.values(texts).flat()].filter((file) => !there.has(file))).toEqual([])
      expect(texts.ar!.length).toBeGreaterThan(0)
    }
  })
})

describe('what comes before the first text', () => {
  it('is at most 90 kB of letters, also in Arabic', () => {
    const page = String(assets.find(({ fileName }) => fileName === 'index.html')!.source)
    const linked = assets.filter(({ fileName }) => fileName.endsWith('.css') && page.includes(fileName))
    const letters = new Set(linked.flatMap(({ source }) => String(source).match(/[\w-]+\.woff2/g) ?? []))
    const bytes = assets
      .filter(({ fileName }) => letters.has(path.basename(fileName)))
      .reduce((sum, { source }) => sum + source.length, 0)
    expect(letters.size).toBe(2)
    expect(bytes / 1000).toBeLessThanOrEqual(90)
  })

  it('is what the worker keeps from the beginning, and no screen besides the home', () => {
    const worker = String(assets.find(({ fileName }) => fileName === 'service-worker.js')!.source)
    const kept = new Set(worker.match(/assets\/[\w.-]+\.(?:js|css)/g))
    const entry = chunks.find((one) => one.isEntry)!
    for (const file of [entry.fileName, ...entry.imports]) expect(kept).toContain(file)
    const modules = chunks.filter(({ fileName }) => kept.has(fileName)).flatMap(({ moduleIds }) => moduleIds)
    expect(modules.filter((id) => id.includes('/areas/') && id.endsWith('.web.tsx'))).toEqual([])
    expect(kept.size).toBeLessThan(60)
  })
})
