import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PoolError, TaskError, WorkerPool } from '../workers/pool.ts'
import type { PdfTask } from './pdf.worker.ts'

/**
 * Why a document could not be made:
 * - `pdf_glyph_missing`: a character has no glyph in the fonts; `data.texts` are the texts.
 * - `pdf_template_error`: the template is missing or wrong, or its data lack something; `data.messages`.
 * - `pdf_timeout`, `pdf_failed`, `pdf_busy`: the work took too long, the thread died, too many are waiting.
 */
export type PdfErrorCode = 'pdf_glyph_missing' | 'pdf_template_error' | 'pdf_timeout' | 'pdf_failed' | 'pdf_busy'

export class PdfError extends Error {
  readonly code: PdfErrorCode
  readonly data: Record<string, unknown>
  constructor(code: PdfErrorCode, message: string, data: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PdfError'
    this.code = code
    this.data = data
  }
}

/** A file of text inside a PDF. */
export interface PdfAttachment {
  /** A plain file name, unique in its PDF. */
  readonly name: string
  /** The media type. */
  readonly type: string
  readonly content: string
  /** What readers of PDF show beside the name. */
  readonly description: string
}

export interface PdfRequest {
  /** The absolute path of a `.typ` file inside the project, or a name given to `registerTemplate`. */
  template: string
  /** JSON the template reads as `data` (paper.typ). Strings are text to it, never markup. */
  data: unknown
  /** A JSON record put inside the PDF, so that a machine can read what the page says (PDF/A-3). */
  attach?: { name: string; json: unknown }
  /** Further files put inside the PDF: the same in the forms that other programs read (PDF/A-3). */
  attached?: readonly PdfAttachment[]
  /** Images by a plain file name (`logo.svg`): PNG, JPEG, SVG or WebP. Templates find them under `/files/`. */
  files?: Record<string, Uint8Array>
  /** Structure for screen readers; leave it out of lists of hundreds of pages, where it multiplies the size. Default true. */
  tags?: boolean
  /** The date of the document; the same request with the same date gives the same bytes. Default now. */
  created?: Date
  /** PDF/A, where a character without a glyph is an error. `false` prints a box in its place. Default true. */
  archive?: boolean
}

const plainName = /^[\w-]+(\.[\w-]+)*$/

const open = () =>
  new WorkerPool<PdfTask, Uint8Array>(new URL('./pdf.worker.ts', import.meta.url), {
    size: 2,
    timeMs: 60_000,
    heapMb: 512,
    queue: 500,
  })
let pool: ReturnType<typeof open> | undefined

const templates = new Map<string, string>([['list', fileURLToPath(new URL('./list.typ', import.meta.url))]])

/** Gives the `.typ` file at an absolute path a name for `renderPdf`. */
export function registerTemplate(name: string, path: string): void {
  if (!isAbsolute(path)) throw new Error(`The path of template ${name} is not absolute`)
  templates.set(name, path)
}

/** Makes one PDF in a thread. Throws `PdfError`. */
export async function renderPdf(request: PdfRequest): Promise<Uint8Array> {
  const template = templates.get(request.template) ?? request.template
  if (!isAbsolute(template)) throw new PdfError('pdf_template_error', `No template is called ${template}`)
  const files = request.files ?? {}
  for (const name of Object.keys(files)) {
    if (!plainName.test(name)) throw new PdfError('pdf_template_error', `Not a plain file name: ${name}`)
  }
  const attached = attachedTo(request)
  for (const { name } of attached) {
    if (!plainName.test(name)) throw new PdfError('pdf_template_error', `Not a plain file name: ${name}`)
  }
  const archive = request.archive ?? true
  try {
    return await (pool ??= open()).run({
      template,
      data: printable(request.data),
      attached,
      files,
      tags: request.tags ?? true,
      standard: archive ? (attached.length ? 'a-3b' : 'a-2b') : '1.7',
      created: Math.floor((request.created ?? new Date()).getTime() / 1000),
    })
  } catch (error) {
    if (error instanceof TaskError) {
      const code = error.code === 'pdf_glyph_missing' ? error.code : 'pdf_template_error'
      throw new PdfError(code, error.message, error.data, { cause: error })
    }
    if (error instanceof PoolError) {
      const code = error.reason === 'time' ? 'pdf_timeout' : error.reason === 'busy' ? 'pdf_busy' : 'pdf_failed'
      throw new PdfError(code, error.message, {}, { cause: error })
    }
    throw error
  }
}

const attachedTo = ({ attach, attached = [] }: PdfRequest): PdfAttachment[] => [
  ...(attach
    ? [
        {
          name: attach.name,
          type: 'application/json',
          content: JSON.stringify(attach.json, wellFormed, 2),
          description: 'The record of this document',
        },
      ]
    : []),
  ...attached,
]

/** Ends the threads, for an orderly stop of the process. Nothing can be rendered afterwards. */
export async function closePdf(): Promise<void> {
  const closing = pool
  pool = undefined
  await closing?.close()
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

// Controls have no glyph. Embeddings, overrides, isolates and marks of direction could turn the text around them; the
// templates set the direction of every value themselves. The joiners U+200C and U+200D are letters' business and stay.
// oxlint-disable no-control-regex
const unprintable =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/g

function printable(data: unknown): string {
  return JSON.stringify(data ?? {}, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\t', ' ').replaceAll(unprintable, '') : value,
  )
}
