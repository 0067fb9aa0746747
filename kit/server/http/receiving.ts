import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Call } from '#kit/contract/index.ts'
import type { Upload } from '../base/context.ts'
import { brokenText } from './bodies.ts'
import { refuse } from '../base/errors.ts'
import { FileError, checkBytes, checkFile, maxFileBytes } from '../storage/index.ts'
import type { Content, FileKind, Stored } from '../storage/index.ts'

/** Bytes of such a field. */
export const FIELD_LENGTH = 100_000

/** For so long an upload that was streamed is in the store, unless a record names it. */
const LENT_DAYS = 7

/**
 * Reads a multipart body: the text fields first, then the file, which is checked by its content.
 *
 * @param lend puts a content into the store for some days: for files that are streamed
 */
export async function receive(
  request: FastifyRequest,
  { field, accept, called, maxMB, part: isPart, streamed }: NonNullable<Call['upload']>,
  lend: (content: Content, days: number) => Promise<Stored>,
): Promise<{ fields: Record<string, unknown>; file: Upload }> {
  if (!request.isMultipart()) throw refuse(422, 'file_missing', undefined, field)
  const maxBytes = maxMB ? maxMB * 1_000_000 : maxFileBytes
  const fields: Record<string, unknown> = {}
  let found: Upload | undefined
  if (boundaryOf(request) > LONGEST_BOUNDARY) throw refuse(400, 'invalid_input')
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw refuse(422, 'too_long', { max: FIELD_LENGTH }, part.fieldname)
        if (brokenText(part.value) !== undefined)
          throw refuse(422, 'text_control_characters', undefined, part.fieldname)
        fields[part.fieldname] = part.value
        continue
      }
      if (streamed) {
        if (found) part.file.resume()
        else found = await streamedFile(part, accept as FileKind[], { maxBytes, called }, lend)
        continue
      }
      const content = await part.toBuffer()
      if (found) continue
      const { ext, mime } = isPart
        ? { ext: '', mime: 'application/octet-stream' }
        : await checkFile(content, part.filename, accept as FileKind[], { maxBytes, called })
      found = { name: part.filename, content, ext, mime }
    }
  } catch (error) {
    throw unformed(error) ? refuse(422, 'invalid_input') : error
  }
  if (!found) throw refuse(422, 'file_missing', undefined, field)
  return { fields, file: found }
}

/** Puts a file into the store as it arrives. It is known by its beginning; one that turns out too large is not kept. */
async function streamedFile(
  { file, filename }: Pick<MultipartFile, 'file' | 'filename'>,
  accept: readonly FileKind[],
  { maxBytes, called }: { maxBytes: number; called: string | undefined },
  lend: (content: Content, days: number) => Promise<Stored>,
): Promise<Upload> {
  const arriving = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const first: Buffer[] = []
  let size = 0
  let over = false
  while (size < checkBytes && !over) {
    const { value, done } = await arriving.next()
    if (done) over = true
    else size += first.push(value) && value.length
  }
  const content = Buffer.concat(first)
  try {
    const { ext, mime } = await checkFile(content, filename, accept, { size: over ? size : size + 1, maxBytes, called })
    async function* whole(): AsyncGenerator<Buffer> {
      yield content
      for (let next = await arriving.next(); !next.done; next = await arriving.next()) yield next.value
      if (file.truncated) throw new FileError('file_too_large', { limit: maxBytes })
    }
    return { name: filename, content, ext, mime, stored: await lend(whole(), LENT_DAYS) }
  } finally {
    // What is not wanted any more still has to arrive, else the answer would not be heard.
    file.resume()
  }
}

/** Characters of a boundary between the parts of a form, by RFC 2046. */
const LONGEST_BOUNDARY = 70
const boundaryOf = ({ headers }: FastifyRequest): number => {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(headers['content-type'] ?? '') ?? []
  return (quoted ?? plain ?? '').length
}

/** Whether a form ended too early, also within its file, or is not formed as it should be: no failure of ours. */
const unformed = (error: unknown): boolean =>
  error instanceof Error && /^(Unexpected end|Part terminated|Malformed|Multipart: )/.test(error.message)
