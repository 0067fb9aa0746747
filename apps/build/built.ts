import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** What is known of a chunk of the web application. */
export type BuiltChunk = Pick<
  Rolldown.OutputChunk,
  'fileName' | 'imports' | 'moduleIds' | 'facadeModuleId' | 'isEntry' | 'code'
>
export interface Built {
  readonly chunks: readonly BuiltChunk[]
  readonly assets: readonly { readonly fileName: string; readonly source: string | Uint8Array }[]
}
/** Of which folder it is, what was built of it where, and which modules stand in each chunk: the files themselves do not say. */
interface Noted {
  readonly root: string
  readonly out: string
  readonly chunks: readonly Omit<BuiltChunk, 'code'>[]
  readonly assets: readonly string[]
}

/**
 * Names of the file in which a run of the tests finds what it has built a moment ago, so that nobody builds it once more
 * (`BUILT`); where it is not set, nothing is noted.
 */
const file = () => process.env.BUILT

/** Notes what was built, for {@link justBuilt}. */
export function noteBuilt(root: string): Plugin {
  let out = ''
  return {
    name: 'note-built',
    apply: () => file() !== undefined,
    configResolved(config) {
      out = path.resolve(config.root, config.build.outDir)
    },
    writeBundle(_options, bundle) {
      const all = Object.values(bundle)
      const noted: Noted = {
        root,
        out,
        chunks: all.flatMap((one) =>
          one.type === 'chunk'
            ? [
                {
                  fileName: one.fileName,
                  imports: one.imports,
                  moduleIds: one.moduleIds,
                  facadeModuleId: one.facadeModuleId,
                  isEntry: one.isEntry,
                },
              ]
            : [],
        ),
        assets: all.flatMap((one) => (one.type === 'asset' ? [one.fileName] : [])),
      }
      writeFileSync(file()!, JSON.stringify(noted))
    },
  }
}

/** What this run has built of this folder; null: nothing. */
export function justBuilt(root: string): Built | null {
  const from = file()
  if (from === undefined || !existsSync(from)) return null
  const noted = JSON.parse(readFileSync(from, 'utf8')) as Noted
  if (noted.root !== root) return null
  const read = (name: string) => readFileSync(path.join(noted.out, name))
  return {
    chunks: noted.chunks.map((one) => ({ ...one, code: read(one.fileName).toString() })),
    assets: noted.assets.map((fileName) => ({ fileName, source: read(fileName) })),
  }
}
