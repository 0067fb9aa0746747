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
function exampleOf(schema: Json): unknown {
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(list)) return exampleOf((list as Json[]).find((s) => s.type !== 'null' && s.const !== '') ?? {})
  }
  switch (schema.type) {
    case 'object': {
      const required = (schema.required ?? []) as string[]
      const properties = (schema.properties ?? {}) as Record<string, Json>
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]))
    }
    case 'array':
      return schema.minItems ? [exampleOf((schema.items ?? {}) as Json)] : []
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1))
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return schema.format === 'date'
        ? '2026-10-01'
        : schema.format === 'email'
          ? 'name@university.example'
          : schema.format === 'date-time'
            ? '2026-10-01T09:00:00Z'
            : 'text'
  }
}

const refusals = (call: Call): Json => {
  const why: [string, string, boolean][] = [
    ['401', 'Not signed in', call.permission !== 'public'],
    ['403', 'Not allowed, or read-only mode', call.permission !== 'public' || !call.reads],
    ['404', 'Not there, or not within the reader’s scope', call.path.includes('{')],
    ['409', 'The state does not permit it', !call.reads],
    ['422', 'Invalid input: each field at fault is named', Boolean(call.body ?? call.query ?? call.upload)],
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

/** A unique name of a call for generated clients: `post_students_by_id_transcript`. */
const operationId = (call: Call): string =>
  `${call.method}${call.path}`
    .toLowerCase()
    .replace(/\{(\w+)\}/g, 'by_$1')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '')

function operation(call: Call, tag: string, shared: Shared): Json {
  const id = operationId(call)
  const params = schemaOf(call.params, 'input', shared, `${id}_params`) as { properties?: Record<string, Json> }
  const query = call.query
    ? (schemaOf(call.query, 'input', shared, `${id}_query`) as {
        properties?: Record<string, Json>
        required?: string[]
      })
    : {}
  const body = call.body ? schemaOf(call.body, 'input', shared, id) : undefined
  const example = call.example ?? (body && exampleOf(body))
  const permission = Array.isArray(call.permission) ? call.permission.join(' | ') : String(call.permission)
  return {
    operationId: id,
    tags: [tag],
    summary: call.summary[0],
    description: `${call.summary[1]}\n\nPermission: \`${permission}\`${call.reads || call.method === 'GET' ? '' : '\n\nRefused in read-only mode.'}`,
    'x-permission': call.permission,
    ...(call.permission === 'public' ? { security: [] } : {}),
    parameters: [
      ...[...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
        const schema = params.properties?.[name as string] ?? { type: 'string' }
        return { name, in: 'path', required: true, schema, example: schema.pattern ? 1 : exampleOf(schema) }
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
  for (const area of areas) {
    for (const call of callsOf(area))
      (paths[call.path] ??= {})[call.method.toLowerCase()] = operation(call, area.name, shared)
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
