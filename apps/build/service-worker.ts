import { createHash } from 'node:crypto'
import path from 'node:path'
import { build } from 'vite'
import type { Plugin, Rolldown } from 'vite'

const ROOT = path.join(import.meta.dirname, '../..')
const SCRIPT = path.join(ROOT, 'apps/web/service-worker.worker.ts')

/** What every screen of somebody signed in stands in: fetched when it is first shown, so named here. */
const FRAME = ['kit/web/app/shell.web.tsx', 'kit/web/app/pages/home.tsx', 'kit/web/offline/banner.tsx']

/** The files that a page needs before any screen: of its entry and of the frame, with all they import. */
export function shellFiles(bundle: Readonly<Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>>): {
  script: string
  files: string[]
} {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const entry = chunks.find((one) => one.isEntry)
  if (!entry) throw new Error('the build has no entry')
  const found = new Set<string>()
  const need = (chunk: Rolldown.OutputChunk): void => {
    if (found.has(chunk.fileName)) return
    found.add(chunk.fileName)
    const { viteMetadata } = chunk as { viteMetadata?: { importedCss: Set<string> } }
    for (const css of viteMetadata?.importedCss ?? []) found.add(css)
    for (const file of chunk.imports) {
      const imported = bundle[file]
      if (imported?.type === 'chunk') need(imported)
    }
  }
  need(entry)
  for (const module of FRAME) {
    const chunk = chunks.find((one) => one.moduleIds.some((id) => id.endsWith(module)))
    if (!chunk) throw new Error(`no chunk has ${module}`)
    need(chunk)
  }
  return { script: `/${entry.fileName}`, files: [...found].map((file) => `/${file}`).toSorted() }
}

/** Builds `service-worker.js`, with the list of what it keeps from the beginning. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const { script, files } = shellFiles(bundle)
      // The page has no digest in its name; it changes with what it names.
      const revision = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16)
      const shell = {
        script,
        files: [{ url: '/index.html', revision }, ...files.map((url) => ({ url, revision: null }))],
      }
      const built = (await build({
        root: path.join(ROOT, 'apps/web'),
        configFile: false,
        logLevel: 'silent',
        publicDir: false,
        define: { SHELL: JSON.stringify(shell), 'process.env.NODE_ENV': '"production"' },
        build: {
          write: false,
          target: 'baseline-widely-available',
          modulePreload: false,
          rolldownOptions: { input: SCRIPT, output: { format: 'iife', entryFileNames: 'service-worker.js' } },
        },
      })) as Rolldown.RolldownOutput
      const source = built.output[0].code
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source })
    },
  }
}
