import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { callsOf } from '#kit/contract/index.ts'
import type { Area, Call } from '#kit/contract/index.ts'
import type { AreaServer } from './area.ts'

type Json = Record<string, unknown>

const FILE_MIME: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
  csv: 'text/csv',
  ics: 'text/calendar',
  json: 'application/json',
}

/** A record of known keys has a property for each of them: what is required is also described. */
function nameKeys(schema: Json): void {
  if (!Array.isArray(schema.required) || typeof schema.additionalProperties !== 'object') return
  const known = (schema.properties ??= {}) as Record<string, unknown>
  for (const name of schema.required as string[]) known[name] ??= schema.additionalProperties
}

/** Schemas that refer to themselves, by the name under which the document keeps them. */
type Shared = Map<string, Json>

/**
 * The JSON schema of what a caller sends (`input`) or receives (`output`). What refers to itself (a tree, an expression)
 * is kept once among the schemas of the document, where references find it from wherever they stand.
 */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', shared: Shared, name: string): Json {
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'ref',
    override: ({ jsonSchema }) => nameKeys(jsonSchema as Json),
  }) as Json & { $defs?: Record<string, Json> }
  const text = JSON.stringify(rest)
  const whole = text.includes('"$ref":"#"')
  if (!$defs && !whole) return rest
  const place = (inner: string) => `${name}_${inner.replaceAll('_', '') || 'self'}`
  const put = (json: string): Json =>
    JSON.parse(
      json
        .replace(
          /"\$ref":"#\/\$defs\/([^"]+)"/g,
          (_ref, inner: string) => `"$ref":"#/components/schemas/${place(inner)}"`,
        )
        .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${place('')}"`),
    ) as Json
  for (const [inner, def] of Object.entries($defs ?? {})) shared.set(place(inner), put(JSON.stringify(def)))
  const done = put(text)
  if (!whole) return done
  shared.set(place(''), done)
  return { $ref: `#/components/schemas/${place('')}` }
}

/** An example that a schema accepts, for calls that give none. */
function exampleOf(schema: Json, shared: Shared): unknown {
  if (typeof schema.$ref === 'string') return exampleOf(shared.get(schema.$ref.split('/').at(-1)!) ?? {}, shared)
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(list))
      return exampleOf((list as Json[]).find((s) => s.type !== 'null' && s.const !== '') ?? {}, shared)
  }
  switch (schema.type) {
    case 'object': {
      const required = (schema.required ?? []) as string[]
      const properties = (schema.properties ?? {}) as Record<string, Json>
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, shared)]))
    }
    case 'array':
      return schema.minItems ? [exampleOf((schema.items ?? {}) as Json, shared)] : []
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1))
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textOf(schema)
  }
}
/** Texts of which one is an example of nearly every pattern: a word, a number, a time, a day, codes, a mail, an id. */
const TEXTS = [
  'text',
  '1',
  '09:00',
  '2026-10-01',
  'EGP',
  'ab12',
  '2026-10-01T09:00:00Z',
  'name@university.example',
  // A secret key.
  'q7Zk1dYwP0x_R3sVtN8bLmC5uHj-E2aGfTi9oXyKzQw',
  '00000000-0000-4000-8000-000000000000',
]
const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-10-01',
  email: 'name@university.example',
  'date-time': '2026-10-01T09:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://university.example',
}
function textOf(schema: Json): string {
  const byFormat = BY_FORMAT[String(schema.format)]
  if (byFormat !== undefined) return byFormat
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : null
  const [least, most] = [Number(schema.minLength ?? 0), Number(schema.maxLength ?? Infinity)]
  const texts = TEXTS.flatMap((one) => [one, one.repeat(Math.ceil(least / one.length) || 1).slice(0, most)])
  return texts.find((one) => one.length >= least && one.length <= most && (pattern?.test(one) ?? true)) ?? 'text'
}

const refusals = (call: Call): Json => {
  const why: [string, string, boolean][] = [
    ['401', 'Not signed in', call.permission !== 'public'],
    ['403', 'Not allowed, or read-only mode', call.permission !== 'public' || !call.reads],
    ['404', 'Not there, or not within the reader’s scope', call.path.includes('{')],
    ['409', 'The state does not permit it', !call.reads],
    ['422', 'Invalid input: each field at fault is named', Boolean(call.body ?? call.query ?? call.upload)],
    ['429', 'Too many calls: the header `Retry-After` says when to come again', true],
    ['503', 'Maintenance', true],
  ]
  return Object.fromEntries(
    why
      .filter(([, , applies]) => applies)
      .map(([status, description]) => [
        status,
        { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
      ]),
  )
}

/**
 * The paths under which a call is described. Where two calls differ only in which part of the path is the choice
 * (`/exam-deliveries/{id}/{type}`, `/exam-deliveries/{type}/{id}`), each choice has a path of its own.
 */
function describedPaths(call: Call, shapes: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  if (shapes.get(shapeOfPath(call.path))!.size === 1) return [call.path]
  const { properties = {} } = z.toJSONSchema(call.params, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Json>
  }
  return [...call.path.matchAll(/\{(\w+)\}/g)].reduce(
    (paths, [part, name]) => {
      const choices = properties[name!]?.enum
      return Array.isArray(choices)
        ? paths.flatMap((one) => choices.map((choice) => one.replace(part, String(choice))))
        : paths
    },
    [call.path as string],
  )
}
const shapeOfPath = (path: string): string => path.replace(/\{\w+\}/g, '{}')

/** A unique name of a call for generated clients: `post_students_by_id_transcript`. */
const operationId = (call: Call, path: string): string =>
  `${call.method}${path}`
    .toLowerCase()
    .replace(/\{(\w+)\}/g, 'by_$1')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '')

function operation(call: Call, path: string, tag: string, shared: Shared): Json {
  const id = operationId(call, path)
  const params = schemaOf(call.params, 'input', shared, `${id}_params`) as { properties?: Record<string, Json> }
  const query = call.query
    ? (schemaOf(call.query, 'input', shared, `${id}_query`) as {
        properties?: Record<string, Json>
        required?: string[]
      })
    : {}
  const body = call.body ? schemaOf(call.body, 'input', shared, id) : undefined
  const example = call.example ?? (body && exampleOf(body, shared))
  const permission = Array.isArray(call.permission) ? call.permission.join(' | ') : String(call.permission)
  return {
    operationId: id,
    tags: [tag],
    summary: call.summary[0],
    description: `${call.summary[1]}\n\nPermission: \`${permission}\`${call.reads || call.method === 'GET' ? '' : '\n\nRefused in read-only mode.'}`,
    'x-permission': call.permission,
    ...(call.permission === 'public' ? { security: [] } : {}),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
        const schema = params.properties?.[name as string] ?? { type: 'string' }
        return { name, in: 'path', required: true, schema, example: exampleOf(schema, shared) }
      }),
      ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'query',
        required: query.required?.includes(name) ?? false,
        schema,
      })),
    ],
    ...(call.upload
      ? {
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: [call.upload.field],
                  properties: {
                    ...(body?.properties as Json | undefined),
                    [call.upload.field]: {
                      type: 'string',
                      format: 'binary',
                      description: call.upload.part ? 'A part of a file' : `One of ${call.upload.accept.join(', ')}`,
                    },
                  },
                },
              },
            },
          },
        }
      : body
        ? { requestBody: { required: true, content: { 'application/json': { schema: body, example } } } }
        : {}),
    responses: {
      '200': call.file
        ? {
            description: `A file: ${call.file.name}`,
            content: {
              [FILE_MIME[call.file.type] ?? 'application/octet-stream']: {
                schema: { type: 'string', format: 'binary' },
              },
            },
          }
        : {
            description: 'Done',
            content: {
              'application/json': {
                schema: call.response ? schemaOf(call.response, 'output', shared, `${id}_answer`) : { type: 'object' },
              },
            },
          },
      ...refusals(call),
    },
  }
}

/** The description of the API by the areas' contracts, as OpenAPI 3.1. */
export function openApi(areas: readonly Area[], version: string): Json {
  const paths: Record<string, Json> = {}
  const shared: Shared = new Map()
  const shapes = new Map<string, Set<string>>()
  for (const { path } of areas.flatMap(callsOf)) {
    const shape = shapeOfPath(path)
    shapes.set(shape, (shapes.get(shape) ?? new Set()).add(path))
  }
  for (const area of areas) {
    for (const call of callsOf(area))
      for (const path of describedPaths(call, shapes))
        (paths[path] ??= {})[call.method.toLowerCase()] = operation(call, path, area.name, shared)
  }
  const text = { type: 'string' }
  return {
    openapi: '3.1.0',
    info: {
      title: 'University EMS',
      version,
      description: 'Every call of University EMS. The same calls answer under `/api/ems`.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: '/api' }],
    tags: areas
      .filter((a) => callsOf(a).length)
      .map((a) => ({ name: a.name, description: `${a.label[0]} · ${a.label[1]}` })),
    security: [{ bearer: [] }, { cookie: [] }],
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that `POST /login` gives.' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      },
      schemas: {
        ...Object.fromEntries(shared),
        Error: {
          type: 'object',
          required: ['message', 'error', 'errors'],
          properties: {
            message: { ...text, description: 'Key of the refusal' },
            error: { type: 'object', required: ['en', 'ar'], properties: { en: text, ar: text } },
            more: { type: 'integer', description: 'How many more reasons were found than `errors` lists' },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                required: ['field', 'code', 'en', 'ar'],
                properties: {
                  field: { type: ['string', 'null'], description: 'Path in the input, e.g. slots.0.quota' },
                  code: text,
                  en: text,
                  ar: text,
                  data: { type: 'object' },
                },
              },
            },
          },
        },
      },
    },
  }
}

/** Serves the description at `/api/openapi.json` and a page to browse it at `/api/docs`. */
export function installOpenApi(app: FastifyInstance, areas: readonly AreaServer[]): void {
  // Made when first asked for: hundreds of schemas are not needed to start.
  let made: Promise<{ plain: string; zipped: Buffer }> | undefined
  const make = async (): Promise<{ plain: string; zipped: Buffer }> => {
    const { version } = JSON.parse(await readFile(path.join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
      version: string
    }
    const plain = JSON.stringify(
      openApi(
        areas.map((a) => a.area),
        version,
      ),
    )
    return { plain, zipped: await promisify(gzip)(plain) }
  }
  app.get('/api/openapi.json', async (request, reply) => {
    const { plain, zipped } = await (made ??= make())
    reply.header('content-type', 'application/json; charset=utf-8').header('vary', 'accept-encoding')
    if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(zipped)
  })
  const page = (url: string, file: string, type: string): void => {
    app.get(url, async (_request, reply) =>
      reply
        .header('content-type', `${type}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .send(await readFile(path.join(import.meta.dirname, 'docs', file), 'utf8')),
    )
  }
  page('/api/docs', 'docs.html', 'text/html')
  page('/api/docs/docs.js', 'docs.js', 'text/javascript')
  page('/api/docs/docs.css', 'docs.css', 'text/css')
}
