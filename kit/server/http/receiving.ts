import type { FastifyRequest } from 'fastify'
import type { Call } from '#kit/contract/index.ts'
import type { Upload } from '../base/context.ts'
import { brokenText } from './bodies.ts'
import { refuse } from '../base/errors.ts'
import { checkFile, maxFileBytes } from '../storage/index.ts'
import type { FileKind } from '../storage/index.ts'

/** Bytes of such a field. */
export const FIELD_LENGTH = 100_000

/** Reads a multipart body: the text fields first, then the file, which is checked by its content. */
export async function receive(
  request: FastifyRequest,
  { field, accept, called, maxMB, part: isPart }: NonNullable<Call['upload']>,
): Promise<{ fields: Record<string, unknown>; file: Upload }> {
  if (!request.isMultipart()) throw refuse(422, 'file_missing', undefined, field)
  const maxBytes = maxMB ? maxMB * 1_000_000 : maxFileBytes
  const fields: Record<string, unknown> = {}
  let found: Upload | undefined
  if (boundaryOf(request) > LONGEST_BOUNDARY) throw refuse(400, 'invalid_input')
  for await (const part of whole(request.parts({ limits: { fileSize: maxBytes } }))) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw refuse(422, 'too_long', { max: FIELD_LENGTH }, part.fieldname)
      if (brokenText(part.value) !== undefined) throw refuse(422, 'text_control_characters', undefined, part.fieldname)
      fields[part.fieldname] = part.value
      continue
    }
    const content = await part.toBuffer()
    if (found) continue
    const { ext, mime } = isPart
      ? { ext: '', mime: 'application/octet-stream' }
      : await checkFile(content, part.filename, accept as FileKind[], { maxBytes, called })
    found = { name: part.filename, content, ext, mime }
  }
  if (!found) throw refuse(422, 'file_missing', undefined, field)
  return { fields, file: found }
}

/** Characters of a boundary between the parts of a form, by RFC 2046. */
const LONGEST_BOUNDARY = 70
const boundaryOf = ({ headers }: FastifyRequest): number => {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(headers['content-type'] ?? '') ?? []
  return (quoted ?? plain ?? '').length
}

/** The parts of a form; one that ends too early or is not formed as it should be is refused, not a failure of ours. */
async function* whole<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts
  } catch (error) {
    if (error instanceof Error && /^(Unexpected end|Part terminated|Malformed|Multipart: )/.test(error.message))
      throw refuse(422, 'invalid_input')
    throw error
  }
}
