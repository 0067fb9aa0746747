import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import fastify, { LogController } from 'fastify'
import type { ConnectionError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { LANGUAGES, callsOf } from '#kit/contract/index.ts'
import type { Call, Language } from '#kit/contract/index.ts'
import type { AreaServer } from './area.ts'
import { isBearer } from '../identity/auth.ts'
import type { Actor, Auth, Ctx, Handled, Services, Upload } from '../base/context.ts'
import { Budget, bodyLimits, brokenText, checkStructure } from './bodies.ts'
import { unheard } from '../base/hears.ts'
import { closedForMaintenance, createModes, worksMeanwhile } from '../base/modes.ts'
import type { Modes } from '../base/modes.ts'
import { registerNotices } from '../mail/notifications.ts'
import { createMerged, followMerged, mergeableIn } from '../resource/merged.ts'
import { ownerMistakes } from '../workflow/owners.ts'
import { registerBases } from '../workflow/basis-registry.ts'
import { registerPapers } from '../papers/papers.ts'
import { Places } from './places.ts'
import { addProtocol } from './protocols.ts'
import { Refusal, asRefusal, errorBody, parse, reasonsOfZod, refuse, registerErrors } from '../base/errors.ts'
import { lookupSource, registerLookup, registerResources, registerTables, registerWork } from '../base/registry.ts'
import { requestContext } from '../unit/request.ts'
import { holds } from '../base/scope.ts'
import { maxFileBytes } from '../storage/index.ts'
import { Turns } from './turns.ts'
import { countUpload } from '../files/uploads.ts'
import { loggedPath } from '../base/log.ts'
import { installMetrics } from '../base/metrics.ts'
import { installHealth } from './ready.ts'
import { installOpenApi } from './openapi.ts'
import { noteRefused, trace } from './tracing.ts'
import { createFirst } from './first.ts'
import { installWeb, protectiveHeaders } from './web.ts'
import { BODY_LIMIT, MOST_FIELDS, isFile, sendFile, sendJson, sendRefusal, answerFailure } from './answering.ts'
import { FIELD_LENGTH, receive } from './receiving.ts'

export interface AppOptions {
  areas: readonly AreaServer[]
  services: Services
  auth: Auth
  log: Logger
  /** Folder of the built web application; without it only the API is served. */
  dist?: string
  /** Only some areas are there (tests): a lookup to a resource of an absent area answers nothing instead of stopping the start. */
  partial?: boolean
}
/** Files that are made at once in a process: twice the threads, so that one is gathered while another is written. */
const FILES_AT_ONCE = 4
/** Files of one person that may wait. */
const MOST_WAITING = 40
/** Calls of one person: what a screen asks for at once, and of what is heavy as much as leaves the database to others. */
const OF_PERSON = { light: 8, heavy: 2, waiting: 100 } as const
const OF_ADDRESS = { light: 32, heavy: 2, waiting: 2000 } as const
/** Calls of all at once, of the connections to the database: more would only wait there, where nobody looks whose they are. */
const ofAll = (connections: number) => ({ light: connections * 6, heavy: Math.max(2, connections >> 1) })

/** A path with its parameters in a form that does not depend on their names: `/students/{id}/terms` → `/students/{}/terms`. */
const shapeOf = (c: Call): string => `${c.method} ${c.path.replace(/\{\w+\}/g, '{}')}`

/**
 * The HTTP server: every call the areas declare at `/api` + path (and, the same, at `/api/ems` + path), health,
 * metrics, the description of the API, and the web application.
 *
 * @throws {Error} listing every call without handler, handler without call, two calls at one place, and lookup that
 * leads nowhere: such a program does not start
 */
export function createApp({ areas, services, auth, log, dist, partial = false }: AppOptions): FastifyInstance {
  const bound = bind(areas, partial)
  const modes = createModes(services)
  const merged = createMerged(services)
  const turns = new Turns({ size: FILES_AT_ONCE, waiting: MOST_WAITING })
  const places = new Places({ person: OF_PERSON, address: OF_ADDRESS, all: ofAll(services.config.poolSize) })
  const budget = new Budget()

  const protection = protectiveHeaders(services.config.publicUrl.startsWith('https:'))
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: (raw) => {
      const given = raw.headers['x-request-id']
      return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
    },
    rewriteUrl: (raw) => {
      const url = raw.url ?? '/'
      return url.startsWith('/api/ems/') ? `/api${url.slice(8)}` : url
    },
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: services.config.trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // An address that cannot be read is an address where nothing is, in our words.
    frameworkErrors: (_error, _request, reply) => void sendRefusal(reply.headers(protection), refuse(404, 'not_found')),
    // Nor is what is no request at all answered in the words of others.
    clientErrorHandler: (error, socket) => refuseNoRequest(error, socket, protection),
    keepAliveTimeout: 72_000,
    requestTimeout: 120_000,
  }) as unknown as FastifyInstance

  const json = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    const { call } = request.routeOptions.config as { call?: Call }
    try {
      if (call) checkStructure(body as string, bodyLimits(call))
    } catch (error) {
      return done(error as Error)
    }
    // Only escapes can bring what no text in the database can hold.
    const suspicious = /\\u(?:0000|d[89a-f])/i.test(body as string)
    void json(request, body as string, (error, value) => {
      const field = !error && suspicious ? brokenText(value) : undefined
      if (field === undefined) done(error, value)
      else done(refuse(422, 'text_control_characters', undefined, field || null))
    })
  })

  void app.register(cookie)
  void app.register(multipart, {
    limits: { files: 1, fields: MOST_FIELDS, fieldSize: FIELD_LENGTH, fileSize: maxFileBytes },
  })
  /** A proxy that was not told of is told of once. */
  let forwarded = services.config.trustProxy === false
  // The university's calendar is known before the first call; where the database does not answer yet, with the first.
  app.addHook('onReady', async () => {
    await Promise.resolve(modes()).catch(() => undefined)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (forwarded && request.headers['x-forwarded-for'] !== undefined) {
      forwarded = false
      request.log.warn(
        'Requests come through a proxy, but TRUST_PROXY is not set: everybody has the address of the proxy, and one person who mistypes passwords shuts sign-in for all',
      )
    }
    reply.headers(protection).header('x-request-id', request.id)
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    const answer = answerFailure(error, request, reply)
    if (reply.statusCode === 403 && request.actor) noteRefused(services, request, asRefusal(error)?.reasons[0]?.code)
    return answer
  })
  if (!dist) app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refuse(404, 'not_found')))

  const observe = installMetrics(app, services, areas)
  app.addHook('onResponse', (request, reply, done) => {
    const ms = reply.elapsedTime
    const { call, asked } = request.routeOptions.config as { call?: Call; asked?: string }
    observe(call ? `${call.method} ${call.path}` : (asked ?? 'other'), reply.statusCode, ms)
    if (call ?? asked) {
      const line = {
        request_id: request.id,
        user_id: request.actor?.user_id,
        as: request.actor?.impersonator_id ?? undefined,
        method: request.method,
        path: loggedPath(request.originalUrl),
        status: reply.statusCode,
        ms: Math.round(ms * 10) / 10,
      }
      if (reply.statusCode >= 500) log.warn(line, 'answered')
      else log.info(line, 'answered')
    }
    done()
  })
  // A connection whose request was still open when the server began to stop is idle only afterwards.
  app.addHook('preClose', (done) => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(sweep))
    done()
  })
  app.decorateRequest('actor', null)
  app.decorateRequest('ctx', null)

  // Plugins are loaded before routes that use what they add.
  void app.register((routes, _options, done) => {
    for (const handled of bound) addRoute(routes, handled, { services, auth, modes, merged, turns, places, budget })
    for (const area of areas) {
      for (const protocol of area.protocols ?? []) addProtocol(routes, protocol, { services, budget, places, modes })
      area.install?.(routes, services)
    }
    done()
  })
  installHealth(app, services)
  installOpenApi(app, areas)
  if (dist)
    installWeb(
      app,
      dist,
      createFirst(
        areas.flatMap(({ firsts = [] }) => firsts),
        services,
        log,
      ),
    )
  return app
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}
/** Answers on a connection on which something came that is no request: too long an address, a broken line. Then it ends. */
function refuseNoRequest(error: ConnectionError, socket: Socket, protection: Readonly<Record<string, string>>): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify(errorBody(refuse(status, 'invalid_input')))
  const headers = {
    ...protection,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (socket.writable) socket.write([`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, '', body].join('\r\n'))
  socket.destroy(error)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it; null before this is known, or when nobody is signed in. */
    actor: Actor | null
    /** What its handler works with; null before it is admitted. */
    ctx: Ctx | null
  }
}

/** A call with its handler; `news`: it is answered once this process has heard what it changed. */
type Bound = Handled & { readonly news: boolean }

/** Pairs every declared call with its handler, and makes texts, resources and lookups known. */
function bind(areas: readonly AreaServer[], partial: boolean): Bound[] {
  const mistakes: string[] = []
  const bound: Bound[] = []
  const places = new Map<string, string>()
  for (const { area, handlers, lookups, work, basis, facts, told } of areas) {
    const { news } = area
    if (work) registerWork(area.name, work)
    registerBases(area.name, basis ?? [], facts ?? [])
    for (const one of area.basis)
      if (!basis?.some((served) => served.basis === one))
        mistakes.push(`${area.name}: '${one.kind}' is declared and not served`)
    registerErrors(area.name, area.errors)
    registerResources(area.resources)
    if (told) registerTables(told)
    registerPapers(area)
    registerNotices(area)
    for (const lookup of lookups) registerLookup(lookup)
    const byPlace = new Map<string, Handled[]>()
    for (const h of handlers) byPlace.set(shapeOf(h.call), [...(byPlace.get(shapeOf(h.call)) ?? []), h])
    const own = new Set<string>()
    for (const c of area.calls) {
      if (own.has(shapeOf(c))) mistakes.push(`${area.name}: ${shapeOf(c)} is declared twice`)
      own.add(shapeOf(c))
    }
    for (const c of callsOf(area)) {
      const place = shapeOf(c)
      const taken = places.get(place)
      if (taken) mistakes.push(`${place} is declared by the areas ${taken} and ${area.name}`)
      places.set(place, area.name)
      const found = byPlace.get(place) ?? []
      // A call of the area's own stands before the generic one of a resource at the same place.
      const exact = found.filter((h) => h.call === c)
      if (exact.length > 1) mistakes.push(`${area.name}: two handlers of ${place}`)
      const chosen = exact[0] ?? found[0]
      if (!chosen) mistakes.push(`${area.name}: no handler of ${c.method} ${c.path}`)
      else bound.push({ call: c, handler: chosen.handler, news })
      byPlace.delete(place)
    }
    for (const { call } of [...byPlace.values()].flat())
      mistakes.push(`${area.name}: a handler of ${call.method} ${call.path}, which is not declared`)
  }
  if (!partial) {
    mistakes.push(...ownerMistakes(areas), ...unheard())
    for (const { area } of areas) {
      for (const r of area.resources) {
        for (const [name, field] of Object.entries(r.fields)) {
          if (field.to && !lookupSource(field.to))
            mistakes.push(`${r.name}.${name} looks up '${field.to}', which is no named resource`)
          const source = field.to ? lookupSource(field.to) : undefined
          if (source && field.dependsOn && !source.narrow && !source.filters?.includes(field.dependsOn))
            mistakes.push(
              `${r.name}.${name} depends on ${field.dependsOn}, by which '${source.name}' cannot be narrowed`,
            )
        }
      }
    }
  }
  if (mistakes.length) throw new Error(`The areas do not fit together:\n  ${mistakes.join('\n  ')}`)
  return bound
}

interface Door {
  readonly services: Services
  readonly auth: Auth
  readonly modes: () => Modes | Promise<Modes>
  readonly merged: ReturnType<typeof createMerged>
  readonly turns: Turns
  readonly places: Places
  readonly budget: Budget
}

/** Adds one call. What can be known before a request is worked out here. */
function addRoute(
  app: FastifyInstance,
  { call, handler, news }: Bound,
  { services, auth, modes, merged, turns, places, budget }: Door,
): void {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1] as string)
  let position = 0
  const path = call.path.replace(/\{\w+\}/g, () => `:p${position++}`)
  const isPublic = call.permission === 'public'
  const changes = !call.reads
  const {
    params: paramsSchema,
    query: querySchema,
    body: bodySchema,
    response,
    upload,
    file,
    permission,
    confirm,
    personal,
    heavy,
  } = call
  const { bytes: maxBytes } = bodyLimits(call)
  const mergeable = mergeableIn(call)
  let check = response
  let answers = 0

  /** Who may not call is told so before the body is read: strangers must not make the server parse what they send. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isPublic && call.method !== 'GET') {
      const sent = Number(request.headers['content-length'] ?? maxBytes)
      budget.spend(request.ip, Math.min(sent, maxBytes))
    }
    const actor = isPublic ? await auth.authenticate(request).catch(onlyRefusals) : await auth.authenticate(request)
    request.actor = actor
    const ctx = requestContext(services, actor, languageOf(request), request.ip, request.id, { request, reply })
    request.ctx = ctx
    if (!isPublic) {
      if (!actor) throw refuse(401, 'not_signed_in')
      if (!holds(ctx, permission)) throw refuse(403, call.method === 'DELETE' ? 'delete_not_allowed' : 'not_allowed')
      if (personal && (personal === 'always' ? actor.impersonator_id : (actor.delegation_id ?? null)) !== null)
        throw refuse(403, 'personal')
      // What was meant for one record of the person is not done in another, because another tab has chosen it.
      const record = request.headers['x-record']
      if (record !== undefined && record !== String(actor.student_id)) throw refuse(409, 'record_switched')
    }
    // A GET that begins something, as the documents have one, is no address to be sent to from elsewhere.
    if ((call.method !== 'GET' || changes) && !(actor && isBearer(request))) refuseOtherSites(request, services)
    if (changes || !call.inMaintenance) {
      const now = modes()
      const mode = now instanceof Promise ? await now : now
      if (mode.maintenance && !call.inMaintenance && !worksMeanwhile(actor)) throw closedForMaintenance(mode)
      // A server that was started read-only stays so; the setting is taken back by the call that made it.
      const closed = mode.readOnly && !(call.endsReadOnly && !services.config.readOnly)
      if (changes && (closed || actor?.read_only)) throw refuse(403, 'you are in readonly mode')
    }
  }
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const ctx = request.ctx as Ctx
    const { actor } = ctx
    if (request.url.includes('%00')) throw refuse(404, 'not_found')
    let params: unknown = NOTHING
    let into: number | undefined
    if (names.length) {
      const given = request.params as Record<string, string>
      const named: Record<string, unknown> = {}
      for (let i = 0; i < names.length; i++) named[names[i] as string] = given[`p${i}`]
      const parsed = paramsSchema.safeParse(named)
      // An address that cannot be is an address where nothing is.
      if (!parsed.success) throw refuse(404, 'not_found')
      params = parsed.data
      if (mergeable) {
        const map = merged()
        const found = followMerged(map instanceof Promise ? await map : map, mergeable, params as never, call.reads)
        if (found) ({ params, into } = found)
      }
    }
    const query = querySchema ? parse(querySchema, request.query) : undefined
    let body: unknown
    let sent: Upload | null = null
    if (upload && !(upload.optional && !request.isMultipart())) {
      if (actor) await countUpload(services, actor, request, upload.part ? 0 : 1)
      const received = await receive(request, upload, services.files.lend)
      sent = received.file
      body = bodySchema ? parse(bodySchema, received.fields) : undefined
    } else if (bodySchema) body = parse(bodySchema, request.body ?? NOTHING)
    const answered = () =>
      (handler as (ctx: Ctx, input: unknown) => Promise<unknown>)(ctx, { params, query, body, file: sent })
    const proved = () =>
      confirm && actor && (typeof confirm === 'string' || confirm(body as never))
        ? auth.demandProof(actor, confirm === 'second factor')
        : undefined
    // What is made into a file takes long: people take turns. The same one asked for twice at once is made once.
    let result: unknown
    if (file && actor && !sent) {
      await proved()
      const key = JSON.stringify([actor.user_id, call.method, call.path, params, query, body, ctx.lang])
      result = await turns.take(String(actor.impersonator_id ?? actor.user_id), key, answered)
      // A stream can be read once only.
      if (isFile(result) && result.content instanceof Readable) {
        if (streams.has(result.content)) result = await answered()
        else streams.add(result.content)
      }
    } else {
      // From here on the database is asked: what was sent is read by now, so that a slow line keeps nobody waiting.
      const sort = heavy && (heavy === true || heavy(body as never)) ? 'heavy' : 'light'
      const who = actor ? String(actor.impersonator_id ?? actor.user_id) : request.ip
      const gone = call.reads ? () => reply.raw.destroyed : undefined
      const place = places.enter(who, sort, actor ? 'person' : 'address', gone)
      if (place !== true && !(await place)) return reply.hijack()
      try {
        await proved()
        result = await answered()
      } finally {
        places.leave(who, sort)
      }
    }
    if (news && changes) await services.events.heardAll()
    trace(ctx, call, params, body, result)
    if (into !== undefined) reply.header('x-merged-into', String(into))
    if (reply.sent) return reply
    if (file && isFile(result)) return sendFile(reply, file.fixed ? { ...result, name: file.name } : result)
    let answer = result
    if (response) {
      // Compiled for calls that are made again: of a thousand calls a process makes few.
      if (++answers === 2) check = z.compile(response)
      const checked = check!.safeParse(result)
      if (!checked.success) {
        throw new Error(
          `The answer of ${call.method} ${call.path} is not as declared: ${JSON.stringify(reasonsOfZod(checked.error))}`,
        )
      }
      answer = checked.data
    }
    return sendJson(request, reply, JSON.stringify(answer ?? NOTHING))
  }

  app.route({
    method: call.method,
    url: `/api${path}`,
    bodyLimit: maxBytes,
    preParsing: admit,
    handler: serve,
    config: { call } as object,
  })
}
const NOTHING = Object.freeze({})
/** Contents that are on their way to somebody. */
const streams = new WeakSet<Readable>()

const onlyRefusals = (error: unknown): null => {
  if (error instanceof Refusal && error.status === 401) return null
  throw error
}

/** The reader's language: of the header the web application sends, else of the browser; Arabic when neither is known. */
function languageOf(request: FastifyRequest): Language {
  const given = request.headers['x-language'] ?? request.headers['accept-language']
  const two = typeof given === 'string' ? given.slice(0, 2) : ''
  return (LANGUAGES as readonly string[]).includes(two) ? (two as Language) : 'ar'
}

/** Another site's page must not act with the visitor's cookie. Clients that send no origin are no such page. */
function refuseOtherSites(request: FastifyRequest, services: Services): void {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  const { origin } = headers
  if (site === undefined && origin === undefined) return
  if (
    origin !== undefined &&
    (origin === services.config.publicUrl || origin === `${request.protocol}://${request.host}`)
  )
    return
  throw refuse(403, 'not_allowed')
}
