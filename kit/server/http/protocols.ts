/** Protocols of others that the program speaks: addresses, kinds of bodies and refusals are theirs, not those of our calls. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loggedPath } from '../base/log.ts'
import type { Budget } from './bodies.ts'
import { brokenText, checkStructure } from './bodies.ts'
import type { Ctx, Services } from '../base/context.ts'
import { asRefusal, refuse } from '../base/errors.ts'
import type { Refusal } from '../base/errors.ts'
import { closedForMaintenance } from '../base/modes.ts'
import type { Modes } from '../base/modes.ts'
import type { Places } from './places.ts'
import { faultOf } from './ready.ts'
import { requestContext } from '../unit/request.ts'

/** What is asked: parameters of the path by name, those of the address, and the body as its kind is read. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface ProtocolAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Kind of `body`; unless told the protocol's first. */
  readonly type?: string
  readonly body?: string
}

export interface ProtocolRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Behind the prefix; parameters as `:name`. */
  readonly path: string
  /** true when a POST changes nothing: allowed in read-only mode. */
  readonly reads?: boolean
  /** Works while the university is closed for maintenance. */
  readonly inMaintenance?: boolean
  handler(ctx: Ctx, asked: Asked): Promise<ProtocolAnswer>
}

/**
 * Another system's protocol at its own addresses, below `/api` unless a standard says otherwise. It has no sessions: `admit` identifies the caller from
 * what the protocol itself sends. Cookies are ignored, so a page of another site cannot act with a user's session.
 */
export interface Protocol {
  readonly name: string
  readonly prefix: `/${string}`
  /** Its addresses are fixed by a standard and do not lie below `/api`. */
  readonly atRoot?: true
  /** Kinds of bodies, the first being that of its answers. */
  readonly types: readonly [string, ...string[]]
  /** `bytes`: as they came, of whatever kind, for what is signed. */
  readonly reads: 'json' | 'form' | 'bytes'
  /** Bytes of a body. */
  readonly maxBody: number
  readonly routes: readonly ProtocolRoute[]
  /** Knows who asks, before the body is read; gives what handlers work with. @throws {Refusal} */
  admit?(ctx: Ctx, request: FastifyRequest): Promise<Ctx>
  /** A refusal in the protocol's own words; `reference` of what is our own failure. */
  refused(refusal: Refusal): ProtocolAnswer
}

interface Door {
  readonly services: Services
  readonly budget: Budget
  readonly places: Places
  readonly modes: () => Modes | Promise<Modes>
}

/** Serves a protocol, in a part of the server of its own. */
export function addProtocol(app: FastifyInstance, protocol: Protocol, { services, budget, places, modes }: Door): void {
  void app.register(
    (part, _options, done) => {
      part.removeAllContentTypeParsers()
      const { reads } = protocol
      if (reads === 'bytes')
        part.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))
      else
        part.addContentTypeParser([...protocol.types], { parseAs: 'string' }, (_request, body, parsed) => {
          try {
            parsed(null, read(protocol, body as string))
          } catch (error) {
            parsed(error as Error)
          }
        })
      part.setErrorHandler((error, request, reply) => fail(protocol, error, request, reply))
      part.setNotFoundHandler((request, reply) => fail(protocol, refuse(404, 'not_found'), request, reply))
      for (const route of protocol.routes) addRoute(part, protocol, route, { services, budget, places, modes })
      done()
    },
    { prefix: protocol.atRoot ? protocol.prefix : `/api${protocol.prefix}` },
  )
}

function addRoute(
  part: FastifyInstance,
  protocol: Protocol,
  { method, path, reads = method === 'GET', inMaintenance = false, handler }: ProtocolRoute,
  { services, budget, places, modes }: Door,
): void {
  part.route({
    method,
    url: path,
    bodyLimit: protocol.maxBody,
    config: { asked: `${method} ${protocol.prefix}${path}` } as object,
    preParsing: async (request, reply) => {
      // Who is known before the body is read makes us parse nothing as a stranger.
      if (!protocol.admit) {
        const sent = Number(request.headers['content-length'] ?? (method === 'GET' ? 0 : protocol.maxBody))
        budget.spend(request.ip, Math.min(sent, protocol.maxBody))
      }
      const stranger = requestContext(services, null, 'en', request.ip, request.id, { request, reply })
      request.ctx = (await protocol.admit?.(stranger, request)) ?? stranger
      const mode = await modes()
      if (mode.maintenance && !inMaintenance) throw closedForMaintenance(mode)
      if (!reads && mode.readOnly) throw refuse(403, 'you are in readonly mode')
    },
    handler: async (request, reply) => {
      if (request.url.includes('%00')) throw refuse(404, 'not_found')
      const place = places.enter(request.ip, 'light', 'address')
      if (place !== true) await place
      try {
        const answer = await handler(request.ctx!, {
          params: request.params as Record<string, string>,
          query: request.query as Record<string, unknown>,
          body: request.body,
        })
        return send(protocol, reply, answer)
      } finally {
        places.leave(request.ip, 'light')
      }
    },
  })
}

function read({ reads, maxBody }: Protocol, text: string): unknown {
  if (reads === 'form') {
    const form = Object.fromEntries(new URLSearchParams(text))
    if (brokenText(form) !== undefined) throw refuse(422, 'text_control_characters')
    return form
  }
  if (text === '') return undefined
  checkStructure(text, { bytes: maxBody, values: maxBody / 8 })
  let body: unknown
  try {
    body = JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw new SyntaxError(key)
      return value
    })
  } catch {
    throw refuse(422, 'body_not_json')
  }
  const field = brokenText(body)
  if (field !== undefined) throw refuse(422, 'text_control_characters', undefined, field || null)
  return body
}

const send = ({ types }: Protocol, reply: FastifyReply, { status, headers, type, body }: ProtocolAnswer) => {
  void reply.code(status).header('cache-control', 'no-store')
  if (headers) void reply.headers(headers)
  if (body === undefined) return reply.send()
  return reply.header('content-type', `${type ?? types[0]}; charset=utf-8`).send(body)
}

function fail(protocol: Protocol, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  let refusal = asRefusal(error) ?? ofHttp(error, protocol)
  if (refusal?.status === 503) request.log.warn({ err: refusal.cause }, faultOf(refusal))
  if (!refusal) {
    request.log.error({ err: error, path: loggedPath(request.originalUrl) }, 'unexpected failure')
    refusal = refuse(500, 'unexpected', { reference: request.id })
  }
  const seconds = refusal.reasons[0]?.data?.seconds
  if (refusal.status === 429 && typeof seconds === 'number') void reply.header('retry-after', seconds)
  return send(protocol, reply, protocol.refused(refusal))
}

/** What Fastify itself refuses. */
function ofHttp(error: unknown, { maxBody }: Protocol): Refusal | undefined {
  const { statusCode } = (error ?? {}) as { statusCode?: number }
  if (statusCode === 413) return refuse(413, 'body_too_large', { max: maxBody / 1000 })
  if (statusCode === 415) return refuse(415, 'body_not_json')
  if (statusCode === 503) return refuse(503, 'maintenance')
  return statusCode && statusCode >= 400 && statusCode < 500 ? refuse(422, 'invalid_input') : undefined
}
