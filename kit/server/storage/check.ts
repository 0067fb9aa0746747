import { fileTypeFromBuffer } from 'file-type'

/**
 * - `file_type_error`: what the file holds is not accepted; `accepted` in the words of people, and `found` when the content is known.
 * - `file_too_large`: `limit` in bytes.
 * - `file_not_found`: storage has no content of that hash.
 */
export type FileErrorCode = 'file_type_error' | 'file_too_large' | 'file_not_found'

export class FileError extends Error {
  readonly code: FileErrorCode
  readonly data: Record<string, unknown>
  constructor(code: FileErrorCode, data: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(code, options)
    this.name = 'FileError'
    this.code = code
    this.data = data
  }
}

/** The kinds of file the university takes. `jpg` and `jpeg` are one kind, written `jpg`. */
export type FileKind = 'pdf' | 'jpg' | 'png' | 'zip' | 'rar' | 'xlsx' | 'docx' | 'pptx' | 'csv' | 'txt'

const mimes: Record<FileKind, string> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  zip: 'application/zip',
  rar: 'application/vnd.rar',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  csv: 'text/csv',
  // XML, too: no browser is to make a page of it.
  txt: 'text/plain',
}

/** The documents' limit for one uploaded file. */
export const maxFileBytes = 30_000_000

/** Bytes at the start of a file that are enough to tell its kind. */
export const checkBytes = 65_536

/**
 * Tells a file's kind by its content; the answer's `ext` and `mime` are the ones to keep and to serve it with. The name
 * counts only for CSV, which has no mark of its own: such a file must be called so and be text.
 * `called` names what is accepted where kinds are not what people call it.
 * `head` is the whole file or at least its first `checkBytes`; `size` is the whole file's, when only the head is given.
 */
export async function checkFile(
  head: Uint8Array,
  fileName: string,
  accepted: readonly (FileKind | 'jpeg')[],
  {
    size = head.byteLength,
    maxBytes = maxFileBytes,
    called,
  }: { size?: number; maxBytes?: number; called?: string | undefined } = {},
): Promise<{ ext: FileKind; mime: string }> {
  if (size > maxBytes) throw new FileError('file_too_large', { limit: maxBytes })
  const wanted = new Set(accepted.map((kind) => (kind === 'jpeg' ? 'jpg' : kind)))
  const known = await contentKind(head, fileName, size)
  const found = wanted.has('txt') && (known === null || known === 'xml') && isText(head, fileName) ? 'txt' : known
  if (!found || !wanted.has(found as FileKind))
    throw new FileError('file_type_error', { accepted: called ? [called] : [...wanted], found })
  return { ext: found as FileKind, mime: mimes[found as FileKind] }
}

async function contentKind(head: Uint8Array, fileName: string, size: number): Promise<string | null> {
  // A damaged file can make the detection read past its end.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found) return found.ext
  return /\.csv$/i.test(fileName) && isPlainText(head, head.byteLength < size) ? 'csv' : null
}

/** Text of a program that is no page and no script, in whatever encoding: what banks send. */
function isText(head: Uint8Array, fileName: string): boolean {
  if (/\.(?:html?|svg|js|mjs|php|sh|bat|exe)$/i.test(fileName)) return false
  const marked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  // Two bytes for each letter without a mark: the first letters of a table are Latin, or signs.
  const wide = marked || (head.length > 3 && (head[0] === 0) !== (head[1] === 0) && (head[2] === 0) !== (head[3] === 0))
  const text = new TextDecoder('latin1').decode(head.subarray(marked ? 2 : 0, 4096))
  // oxlint-disable-next-line no-control-regex
  const plain = wide || !/[\u0000-\u0008\u000E-\u001F]/.test(text)
  return head.length > 0 && plain && !/^\s*(?:<(?:!doctype html|html|script|svg)|#!|%!)/i.test(text)
}

/** UTF-8 without control characters and not the start of a page or script that a browser would run. */
function isPlainText(head: Uint8Array, cut: boolean): boolean {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: cut })
  } catch {
    return false
  }
  // oxlint-disable-next-line no-control-regex
  return text.length > 0 && !/[\u0000-\u0008\u000E-\u001F]/.test(text) && !/^\s*(<[!?a-z]|#!|%!)/i.test(text)
}
