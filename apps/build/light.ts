import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import { LANGUAGES } from '../../kit/contract/words.ts'
import { browserOnly, noCycles, readScreens, recordZod, screensPlugin, shortName } from './plugins.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const inRoot = (file: string): string => path.join(ROOT, file)

/** What stands in the place of a module on light pages. */
const INSTEAD: Readonly<Record<string, string>> = {
  'react-router': inRoot('kit/web/light/router.tsx'),
  [inRoot('kit/web/i18n/files.ts')]: inRoot('kit/web/light/files.ts'),
}
/** Who gets the module itself. */
const ITSELF: ReadonlySet<string> = new Set([inRoot('kit/web/i18n/every-file.ts')])

function instead(): Plugin {
  return {
    name: 'light-instead',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (!importer || ITSELF.has(importer)) return
      const known = INSTEAD[id]
      if (known) return known
      if (!id.endsWith('/files.ts')) return
      const resolved = await this.resolve(id, importer, { ...options, skipSelf: true })
      return resolved ? INSTEAD[resolved.id] : undefined
    },
  }
}

const COMPONENT = /@mantine\/core\/esm\/(?:components|utils)\/(\w+)\/(\1)\.mjs$/
/** The styles of a component come with it: of a hundred a light page shows five. */
function ownStyles(): Plugin {
  return {
    name: 'light-styles',
    transform(code, id) {
      const name = COMPONENT.exec(id)?.[1]
      const file = `@mantine/core/styles/${name}.layer.css`
      if (!name || !existsSync(inRoot(`node_modules/${file}`))) return
      return { code: `${code}\nimport '${file}'\n`, map: null }
    },
  }
}

/** What is fetched for a screen, besides the page's own script: in every language, and in one. */
export interface LightScreen {
  readonly path: string
  readonly files: readonly string[]
  /** Calls whose answers are fetched as well, with places of the path in them. */
  readonly asks: readonly string[]
  readonly texts: Readonly<Record<string, readonly string[]>>
}

/**
 * Light pages: what people see who have no account and come by a link (`screen(…, { light: true })`), built from the same
 * sources a second time. Without the shell, the router and the tables a form is there in half the time.
 */
export const buildLight = async (): Promise<Rolldown.RolldownOutput> =>
  (await build({
    root: inRoot('apps/web'),
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    plugins: [browserOnly(), recordZod(), instead(), ownStyles(), screensPlugin({ light: true }), react(), noCycles()],
    build: {
      write: false,
      target: 'baseline-widely-available',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: inRoot('apps/web/light.html'),
        treeshake: { moduleSideEffects: [{ test: /kit[\\/]contract[\\/]|\.contract\.ts$/, sideEffects: false }] },
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: ({ name, facadeModuleId }) => {
            const catalogue = /locales\/(\w+)\/([\w-]+)\.json$/.exec(facadeModuleId ?? '')
            return catalogue
              ? `assets/text-${catalogue[2]}-${catalogue[1]}-[hash].js`
              : `assets/light-${shortName(name)}-[hash].js`
          },
          assetFileNames: ({ names }) =>
            `assets/${shortName((names[0] ?? 'asset').replace(/\.\w+$/, ''))}-[hash][extname]`,
          codeSplitting: {
            // A bad line waits for each file anew: there are few, and one screen loads hardly anything of another.
            groups: [
              { name: 'base', tags: ['$initial'], priority: 10 },
              {
                name: 'parts',
                test: /node_modules[\\/]|kit[\\/]|\.contract\.ts$|\.module\.css$/,
                minShareCount: 4,
                priority: 5,
              },
            ],
          },
        },
      },
    },
  })) as Rolldown.RolldownOutput

type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }

/** The chunks that a module needs, itself included; those that the page has anyway are left out. */
export function lightChunks(built: Rolldown.RolldownOutput, module: string, had: readonly Chunk[] = []): Chunk[] {
  const chunks = built.output.filter((one): one is Chunk => one.type === 'chunk')
  const seen = new Set<Chunk>(had)
  const need = (chunk: Chunk | undefined): void => {
    if (!chunk || seen.has(chunk)) return
    seen.add(chunk)
    for (const file of chunk.imports) need(chunks.find((one) => one.fileName === file))
  }
  const chunk =
    chunks.find((one) => one.facadeModuleId?.endsWith(module)) ??
    chunks.find((one) => one.moduleIds.some((id) => id.endsWith(module)))
  if (!chunk) throw new Error(`no light chunk has ${module}`)
  need(chunk)
  return [...seen].filter((one) => !had.includes(one))
}

/** Which module shows a screen: as its area's file says it. */
async function moduleOf(screen: string, file: string): Promise<string> {
  const source = await readFile(inRoot(file), 'utf8')
  const found = source.match(/'\/[^']*': \(\) => import\('[^']+'\)/g)?.find((one) => one.startsWith(`'${screen}'`))
  const module = found && /import\('([^']+)'\)/.exec(found)?.[1]
  if (!module) throw new Error(`${file} says nothing of ${screen} in the form 'PATH': () => import('FILE')`)
  return path.join(path.dirname(file), module)
}

interface LightModule {
  readonly path: string
  readonly asks: readonly string[]
  readonly area: string
  readonly file: string
  readonly module: string
}
/** The module of each light screen, and its area's file. */
export async function lightModules(): Promise<LightModule[]> {
  const { screens, light, lightWebs } = await readScreens()
  return Promise.all(
    light.map(async ({ path: one, asks }) => {
      const area = String(screens.find((screen) => screen.path === one)?.area)
      const file = lightWebs.find((web) => web.area === area)?.file
      if (!file) throw new Error(`${area} has no light.web.tsx, and a light screen ${one}`)
      return { path: one, asks, area, file, module: await moduleOf(one, file) }
    }),
  )
}

/** What the server tells a browser to fetch at once, by screen. */
async function lightScreens(built: Rolldown.RolldownOutput): Promise<LightScreen[]> {
  const page = lightChunks(built, 'apps/web/light.html')
  const names = (chunks: readonly Chunk[]): string[] => [
    ...chunks.map(({ fileName }) => `/${fileName}`),
    ...chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])].map((file) => `/${file}`)),
  ]
  const textOf = (l: string, area: string): string[] => {
    const module = `locales/${l}/${area}.json`
    return existsSync(inRoot(module)) ? names(lightChunks(built, module, page)) : []
  }
  return (await lightModules()).map(({ path: screen, asks, area, file, module }) => ({
    path: screen,
    asks,
    files: names([...new Set([...lightChunks(built, file, page), ...lightChunks(built, module, page)])]),
    texts: Object.fromEntries(LANGUAGES.map((l) => [l, [...textOf(l, 'kit'), ...textOf(l, area)]])),
  }))
}

/** Adds `light.html`, its files, and `light.json` for the server. */
export function lightPages(): Plugin {
  return {
    name: 'light-pages',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const built = await buildLight()
      for (const one of built.output) {
        // Fonts and texts are those of the application, under the same names.
        if (one.fileName in bundle) continue
        this.emitFile({ type: 'asset', fileName: one.fileName, source: one.type === 'chunk' ? one.code : one.source })
      }
      this.emitFile({ type: 'asset', fileName: 'light.json', source: JSON.stringify(await lightScreens(built)) })
    },
  }
}
