import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '#kit/contract/index.ts'
import type { FileResult } from '../base/context.ts'
import { bodyLimits } from './bodies.ts'
import { Refusal, asRefusal, errorBody, refuse } from '../base/errors.ts'
import { maxFileBytes } from '../storage/index.ts'
import { loggedPath } from '../base/log.ts'
import { faultOf } from './ready.ts'

const zip = promisify(gzip)
/** Answers under this many characters are sent as they are. */
const WORTH_ZIPPING = 4096
/** Largest JSON body outside the declared calls: there is none. */
export const BODY_LIMIT = 16_000
/** Text fields that may come with a file. */
export const MOST_FIELDS = 50

const FILE_TYPES: Readonly<Record<FileResult['type'], string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  rar: 'application/vnd.rar',
  ics: 'text/calendar; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

export const isFile = (result: unknown): result is FileResult =>
  typeof result === 'object' && result !== null && 'content' in result && 'type' in result

/** A name as browsers understand it in every language (RFC 6266, RFC 5987), with a plain one beside it. */
export function contentDisposition(name: string, kind: 'attachment' | 'inline' = 'attachment'): string {
  const plain = name.replace(/[^\x20-\x7E]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export function sendFile(reply: FastifyReply, { name, type, ending = type, content }: FileResult): FastifyReply {
  const full = name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`
  return reply
    .header('content-type', FILE_TYPES[type])
    .header('content-disposition', contentDisposition(full))
    .header('cache-control', 'no-store')
    .send(content instanceof Uint8Array ? Buffer.from(content.buffer, content.byteOffset, content.byteLength) : content)
}

export async function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store')
  if (text.length < WORTH_ZIPPING || !request.headers['accept-encoding']?.includes('gzip')) return reply.send(text)
  // In zlib's own thread, so that other requests go on meanwhile.
  const small = await zip(text, { level: constants.Z_BEST_SPEED })
  return reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').send(small)
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const seconds = refusal.reasons[0]?.data?.seconds
  if (refusal.status === 429 && typeof seconds === 'number') reply.header('retry-after', seconds)
  return reply
    .code(refusal.status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(errorBody(refusal)))
}

/** Handles every failure at the end. Anything but a refusal is answered with a reference only; the log has the rest. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { call } = request.routeOptions.config as { call?: Call }
  let refusal = asRefusal(error) ?? refusalOfHttp(error, call ? bodyLimits(call).bytes : BODY_LIMIT)
  if (refusal?.reasons[0]?.code === 'value_not_storable')
    request.log.warn(
      { err: refusal.cause, path: loggedPath(request.originalUrl) },
      'input that a schema let through was refused by the database',
    )
  if (refusal?.status === 503) request.log.warn({ err: refusal.cause }, faultOf(refusal))
  if (refusal) {
    try {
      return sendRefusal(reply, refusal)
    } catch (mistake) {
      request.log.error({ err: mistake }, 'refusal without text')
    }
  }
  request.log.error({ err: error, path: loggedPath(request.originalUrl) }, 'unexpected failure')
  refusal = refuse(500, 'unexpected', { reference: request.id })
  return sendRefusal(reply, refusal)
}

/** What Fastify itself refuses: bodies that are no JSON, too large, of another kind. */
function refusalOfHttp(error: unknown, maxBytes: number): Refusal | undefined {
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return refuse(422, 'file_too_large', { max: maxFileBytes / 1_000_000 }, 'file')
  if (code === 'FST_FILES_LIMIT') return refuse(422, 'too_many', { max: 1 }, 'file')
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return refuse(422, 'too_many', { max: MOST_FIELDS })
  if (statusCode === 413) return refuse(413, 'body_too_large', { max: maxBytes / 1000 })
  if (statusCode === 503) return refuse(503, 'maintenance')
  if (/^FST_ERR_CTP_(INVALID_JSON_BODY|EMPTY_JSON_BODY|INVALID_MEDIA_TYPE)$/.test(code ?? ''))
    return refuse(422, 'body_not_json')
  if (statusCode && statusCode >= 400 && statusCode < 500) return refuse(422, 'invalid_input')
  return undefined
}
