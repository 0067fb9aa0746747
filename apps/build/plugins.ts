import { execFile } from 'node:child_process'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import type { BuiltAreas, BuiltScreens } from './screens.ts'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('./screens.ts', import.meta.url))
const PREFIX = '\0virtual:'

/** What the areas declare, as data: read by a process of its own. */
export const readScreens = async (): Promise<BuiltScreens & BuiltAreas> =>
  JSON.parse((await run(process.execPath, [SCRIPT], { maxBuffer: 1 << 26 })).stdout) as BuiltScreens & BuiltAreas

/**
 * `virtual:screens`, `virtual:titles`, `virtual:icons` and `virtual:areas`: what the areas declare, as plain data, and where
 * their web sides and plain resources are fetched. Asked of a process of its own, so that a
 * change of a contract is seen without starting the development server again.
 *
 * @param options.light only what light pages show
 */
export function screensPlugin({ light = false }: { readonly light?: boolean } = {}): Plugin {
  let built: Promise<BuiltScreens & BuiltAreas> | undefined
  const ask = () => (built ??= readScreens().then((all) => (light ? onlyLight(all) : all)))
  const json = (value: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`
  return {
    name: 'screens',
    resolveId: (id) => (/^virtual:(screens|areas|icons|titles(-\w+)?)$/.test(id) ? PREFIX + id.slice(8) : undefined),
    async load(id) {
      if (!id.startsWith(PREFIX)) return
      const name = id.slice(PREFIX.length)
      const { screens, titles, groups, groupNames, webs, plain, outlets } = await ask()
      if (name === 'areas') {
        const entry = (key: string, file: string, then = '') =>
          `${JSON.stringify(key)}: () => import(${JSON.stringify(ROOT + file)})${then}`
        const areas = webs.map(({ area, file }) => entry(area, file))
        const resources = plain.map(({ resource, file, exported }) =>
          entry(resource, file, `.then((m) => m.${exported})`),
        )
        return `export const AREA_WEBS = { ${areas.join(', ')} }\nexport const PLAIN_RESOURCES = { ${resources.join(', ')} }\nexport const OUTLETS = ${json(outlets)}`
      }
      if (name === 'screens') return `export const SCREENS = ${json(screens)}\nexport const GROUPS = ${json(groups)}`
      if (name === 'icons') {
        const names = [
          ...new Set([
            ...groups.map((group) => group.icon),
            ...screens.flatMap((s) => (s.menu as { icon: string } | undefined)?.icon ?? []),
          ]),
        ].toSorted()
        const imports = names.map(
          (icon, i) => `import i${i} from '@tabler/icons-react/dist/esm/icons/Icon${pascal(icon)}.mjs'`,
        )
        return `${imports.join('\n')}\nexport const ICONS = { ${names.map((icon, i) => `'${icon}': i${i}`).join(', ')} }`
      }
      if (name === 'titles') {
        const entries = Object.keys(titles).map((l) => `${l}: () => import('virtual:titles-${l}')`)
        return `export const TITLES = { ${entries.join(', ')} }`
      }
      const l = name.slice('titles-'.length)
      return `export default ${json({ titles: titles[l], groups: groupNames[l] })}`
    },
    hotUpdate({ file }) {
      if (!/\.contract\.ts$|\.area\.ts$|locales\/\w+\/[\w-]+\.json$/.test(file)) return
      built = undefined
      const graph = this.environment.moduleGraph
      for (const id of graph.idToModuleMap.keys()) {
        const module = id.startsWith(PREFIX) ? graph.getModuleById(id) : undefined
        if (module) graph.invalidateModule(module)
      }
      this.environment.hot.send({ type: 'full-reload' })
    },
  }
}

/** What is left of it for people who have no account. */
const onlyLight = (all: BuiltScreens & BuiltAreas): BuiltScreens & BuiltAreas => ({
  ...all,
  screens: all.screens.flatMap((one) =>
    all.light.some(({ path }) => path === one.path)
      ? [{ path: one.path, permission: one.permission, area: one.area }]
      : [],
  ),
  titles: Object.fromEntries(Object.keys(all.titles).map((l) => [l, []])),
  groups: [],
  groupNames: Object.fromEntries(Object.keys(all.groupNames).map((l) => [l, {}])),
  webs: all.lightWebs,
  plain: [],
})

const pascal = (name: string): string => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

const brotli = promisify(brotliCompress)
const gz = promisify(gzip)

/** Writes `.br` and `.gz` beside every text asset, so that the server spends no time on compression. */
export function precompress(): Plugin {
  let out = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      out = path.resolve(config.root, config.build.outDir)
    },
    // Not when the bundle closes: that comes after a failed build as well, whose own error it would hide.
    async writeBundle() {
      const entries = await readdir(out, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((e) => e.isFile() && /\.(js|css|html|svg|json|txt|webmanifest)$/.test(e.name))
        .map((e) => path.join(e.parentPath, e.name))
      const compress = async (file: string) => {
        const content = await readFile(file)
        if (content.length < 1024 && !file.endsWith('.html')) return
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
        await Promise.all([
          brotli(content, { params }).then((small) => writeFile(`${file}.br`, small)),
          gz(content, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
        ])
      }
      // Several at once: each is work of one core.
      let next = 0
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let file = files[next++]; file !== undefined; file = files[next++]) await compress(file)
        }),
      )
    },
  }
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const short = (id: string): string => path.relative(ROOT, id)
const isServer = (id: string): boolean => /\.server\.ts$|^db[\\/]|^kit[\\/]server[\\/]/.test(short(id))

/** What is recorded in the place of Zod, and the one file that has Zod itself. */
const RECORDED = path.join(ROOT, 'kit/web/zod/recorded.ts')
const REAL = path.join(ROOT, 'kit/web/zod/zod.ts')

/** In the browser schemas are recorded and built when something is checked: Zod comes with the first form, not with the first screen. */
export function recordZod(): Plugin {
  return {
    name: 'record-zod',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id === 'zod' && importer && importer !== REAL && !importer.includes('node_modules') ? RECORDED : undefined,
  }
}

/** Fails the build when code of the server or of the database would reach a browser, and says who imports it. */
export function browserOnly(): Plugin {
  return {
    name: 'browser-only',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const id of chunk.moduleIds.filter(isServer)) {
          const importer = this.getModuleInfo(id)?.importers.find((one) => !isServer(one))
          if (importer) this.error(`${short(importer)} imports ${short(id)}: server code may not reach the browser`)
        }
      }
    },
  }
}

/** Fails the build when chunks need each other in a circle: one of them would run before what it uses is there. */
export function noCycles(): Plugin {
  return {
    name: 'no-cycles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const seen = new Map<string, 'open' | 'done'>()
      const visit = (file: string, path: readonly string[]): void => {
        if (seen.get(file) === 'done') return
        if (seen.get(file) === 'open')
          this.error(`chunks in a circle: ${[...path.slice(path.indexOf(file)), file].join(' > ')}`)
        seen.set(file, 'open')
        const chunk = bundle[file]
        if (chunk?.type === 'chunk') for (const next of chunk.imports) visit(next, [...path, file])
        seen.set(file, 'done')
      }
      for (const file of Object.keys(bundle)) visit(file, [])
    },
  }
}

/** Shared chunks are named after all that use them: the first word is enough. */
export const shortName = (name: string): string =>
  name
    .split('~', 1)[0]!
    .replace(/^_?virtual[_:]/, '')
    .replace(/\.web$/, '')
