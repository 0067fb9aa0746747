import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { serveTasks } from '../workers/serve.ts'
import { markAccessible } from './accessible.ts'
import type { PdfAttachment } from './pdf.ts'

/** What the thread is asked; written by pdf.ts, which has made every string printable. */
export interface PdfTask {
  template: string
  data: string
  attached: readonly PdfAttachment[]
  files: Record<string, Uint8Array>
  tags: boolean
  standard: 'a-2b' | 'a-3b' | '1.7'
  /** Seconds since 1970: the only date in the file, so that the same data give the same bytes. */
  created: number
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

const faces = [
  'amiri/400Regular/Amiri_400Regular.ttf',
  'amiri/700Bold/Amiri_700Bold.ttf',
  'ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf',
  'ibm-plex-sans/700Bold/IBMPlexSans_700Bold.ttf',
]

function loadFace(path: string): Buffer {
  const [family, ...rest] = path.split('/')
  return readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${family}/${rest.join('/')}`)))
}

const compiler = NodeCompiler.create({
  workspace: root,
  fontArgs: [{ fontBlobs: faces.map(loadFace) }],
})

serveTasks((task: PdfTask): Uint8Array => {
  if (!existsSync(task.template))
    throw Object.assign(new Error(`No template ${task.template}`), { code: 'pdf_template_error' })
  const shadows = Object.keys(task.files).map((name) => join(root, 'files', name))
  try {
    for (const [name, bytes] of Object.entries(task.files)) {
      compiler.mapShadow(join(root, 'files', name), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    }
    const source = {
      mainFilePath: task.template,
      inputs: {
        data: task.data,
        ...(task.attached.length && { attached: JSON.stringify(task.attached) }),
      },
    }
    const made = compiler.pdf(source, {
      pdfStandard: task.standard,
      pdfTags: task.tags,
      creationTimestamp: task.created,
    })
    if (!task.tags || task.standard === '1.7') return made
    // In tests the compiler judges what the file says of itself: what keeps it from PDF/UA-1 is an error there.
    if (process.env.EMS_JUDGE_PDF) compiler.pdf(source, { pdfStandard: 'ua-1', creationTimestamp: task.created })
    return markAccessible(made)
  } catch (error) {
    throw explained(error as Error)
  } finally {
    for (const path of shadows) compiler.unmapShadow(path)
    // Data differ in every document, so nothing of the last one is worth keeping: memory stays flat.
    compiler.evictCache(0)
  }
})

/** The compiler throws a debug print of its findings; this keeps their messages and tells a missing glyph apart. */
function explained(error: Error): Error {
  const messages = [...error.message.matchAll(/message: "((?:[^"\\]|\\.)*)"/g)].map((match) =>
    match[1]!.replaceAll('\\"', '"'),
  )
  const missing = messages
    .map((text) => /the text `(.*)` could not be displayed/s.exec(text)?.[1])
    .filter((text) => text !== undefined)
  return Object.assign(new Error(messages.join('; ') || error.message), {
    code: missing.length > 0 ? 'pdf_glyph_missing' : 'pdf_template_error',
    data: {
      messages,
      ...(missing.length > 0 && { texts: missing.map((text) => text.replace(/^"|"$/g, '')) }),
    },
  })
}
