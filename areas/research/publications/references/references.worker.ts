/** The thread in which files of references are read and reference lists are set: parsers of others work on texts of strangers. */
import { plugins, Cite } from '@citation-js/core'
import '@citation-js/plugin-csl'
import { parse } from '@retorquere/bibtex-parser'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { serveTasks } from '#kit/server/workers/serve.ts'
import { readBibtex } from './bibtex.rules.ts'
import { readCsl } from './csl.rules.ts'
import { readRis } from './ris.rules.ts'
import { decodeText } from './decode.server.ts'
import { formatOf, type ReadEntry, type ReferenceFormat } from './work.rules.ts'

export type ReferenceStyle = 'apa' | 'ieee' | 'vancouver'
export type ReferenceTask =
  | { readonly do: 'read'; readonly bytes: Uint8Array }
  | { readonly do: 'list'; readonly items: readonly object[]; readonly style: ReferenceStyle; readonly html: boolean }
export type ReferenceAnswer =
  | { readonly format: ReferenceFormat | null; readonly encoding: string; readonly entries: readonly ReadEntry[] }
  | { readonly text: string }

/** As they stand: titles are not changed to the case that some style would have them in. */
const AS_WRITTEN = { sentenceCase: false, english: false, caseProtection: false, unsupported: 'ignore' } as const

function read(bytes: Uint8Array): ReferenceAnswer {
  const { text, encoding } = decodeText(bytes)
  const source = text.replace(/^\uFEFF/, '')
  const format = formatOf(source)
  if (format === null) return { format, encoding, entries: [] }
  if (format === 'ris') return { format, encoding, entries: readRis(source) }
  if (format === 'csl') return { format, encoding, entries: readCsl(source) }
  // The parser knows lines that end in one way.
  const lines = source.replace(/\r\n?/g, '\n')
  return { format, encoding, entries: readBibtex(lines, parse(lines, AS_WRITTEN)) }
}

const styles = (
  plugins.config.get('@csl') as { styles: { has(name: string): boolean; add(name: string, csl: string): void } }
).styles
styles.add('ieee', readFileSync(path.join(import.meta.dirname, 'ieee.csl'), 'utf8'))

serveTasks((task: ReferenceTask): ReferenceAnswer =>
  task.do === 'read'
    ? read(task.bytes)
    : {
        text: new Cite(task.items).format('bibliography', {
          template: task.style,
          lang: 'en-US',
          format: task.html ? 'html' : 'text',
        }) as string,
      },
)
