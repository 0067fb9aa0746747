/** SCIM 2.0 (RFC 7643, 7644) at `/api/scim/v2`, for directories that keep accounts in step. */
import type { Ctx } from '#kit/server/base/context.ts'
import { errorBody, refuse } from '#kit/server/base/errors.ts'
import type { Refusal } from '#kit/server/base/errors.ts'
import type { Asked, Protocol, ProtocolAnswer, ProtocolRoute } from '#kit/server/http/protocols.ts'
import { BULK_MAX } from './bulk.rules.ts'
import { bulkHandler } from './bulk.server.ts'
import { admit, directoryOf } from './directory.server.ts'
import { createGroup, deleteGroup, scimGroup, listGroups, patchGroup, replaceGroup } from './groups.server.ts'
import { createPerson, deletePerson, listPeople, patchPerson, person, replacePerson } from './people.server.ts'
import { ScimError, chosen } from './resource.rules.ts'
import { RESOURCE_TYPES, SERVICE, schemasFor } from './schemas.rules.ts'

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

const idIn = ({ params }: Asked): number => {
  if (!/^[1-9]\d{0,8}$/.test(params.id ?? '')) throw refuse(404, 'not_found')
  return Number(params.id)
}
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const only = <T extends object>(resource: T, { query }: Asked) =>
  chosen(resource as Readonly<Record<string, unknown>>, {
    attributes: textOf(query.attributes),
    excludedAttributes: textOf(query.excludedAttributes),
  })

interface Resource {
  readonly meta: { readonly version: string; readonly location: string }
}
const one = (asked: Asked, resource: Resource, status = 200): ProtocolAnswer => ({
  status,
  headers: { etag: resource.meta.version, ...(status === 201 && { location: resource.meta.location }) },
  body: JSON.stringify(only(resource, asked)),
})
const listed = (resources: readonly object[], total = resources.length, startIndex = 1): ProtocolAnswer => ({
  status: 200,
  body: JSON.stringify({
    schemas: [LIST],
    totalResults: total,
    itemsPerPage: resources.length,
    startIndex,
    Resources: resources,
  }),
})

/** What a directory could not have meant is told in the words of the protocol. */
const told =
  (handler: ProtocolRoute['handler']): ProtocolRoute['handler'] =>
  async (ctx, asked) => {
    try {
      return await handler(ctx, asked)
    } catch (error) {
      if (error instanceof ScimError) return refused(400, error.message, error.type)
      throw error
    }
  }
const refused = (status: number, detail: string, scimType?: string): ProtocolAnswer => ({
  status,
  ...(status === 401 && { headers: { 'www-authenticate': 'Bearer' } }),
  body: JSON.stringify({ schemas: [ERROR], status: String(status), ...(scimType && { scimType }), detail }),
})
function refusalOf(refusal: Refusal): ProtocolAnswer {
  const { error, message } = errorBody(refusal)
  const [reason] = refusal.reasons
  const text = reason && refusal.status !== 422 ? errorBody(refusal).errors[0]!.en : error.en
  // What others call a body that cannot be read is a bad request here.
  const status = refusal.status === 422 ? 400 : refusal.status
  const type = message === 'scim_unique' ? 'uniqueness' : status === 400 ? 'invalidSyntax' : undefined
  return refused(status, text, type)
}

interface Kept<T extends Resource> {
  readonly list: (
    ctx: Ctx,
    query: Asked['query'],
  ) => Promise<{ total: number; startIndex: number; resources: readonly T[] }>
  readonly show: (ctx: Ctx, id: number, query?: Asked['query']) => Promise<T>
  readonly create: (ctx: Ctx, sent: unknown) => Promise<T>
  readonly replace: (ctx: Ctx, id: number, sent: unknown) => Promise<T>
  readonly patch: (ctx: Ctx, id: number, sent: unknown) => Promise<T>
  readonly remove: (ctx: Ctx, id: number) => Promise<void>
}
const search = async <T extends Resource>(ctx: Ctx, asked: Asked, { list }: Kept<T>): Promise<ProtocolAnswer> => {
  const { total, startIndex, resources } = await list(ctx, asked.query)
  return listed(
    resources.map((resource) => only(resource, asked)),
    total,
    startIndex,
  )
}
/** A search by POST sends in the body what else stands in the address. */
const inBody = ({ body, ...asked }: Asked): Asked => {
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  const query = Object.fromEntries(
    Object.entries(sent).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : String(value)]),
  )
  return { ...asked, query, body: undefined }
}

/** A search through people and groups, one after the other. What is asked of an attribute that one of them lacks finds none of it. */
async function searchAll(ctx: Ctx, asked: Asked): Promise<ProtocolAnswer> {
  const from = Math.max(1, Number(textOf(asked.query.startIndex) ?? 1) || 1)
  const wanted = textOf(asked.query.count)
  const of = async (list: Kept<Resource>['list'], query: Asked['query']) => {
    try {
      return await list(ctx, query)
    } catch (error) {
      if (error instanceof ScimError && error.type === 'invalidFilter') return error
      throw error
    }
  }
  const people = await of(listPeople, asked.query)
  const before = people instanceof ScimError ? 0 : people.total
  const shown = people instanceof ScimError ? [] : people.resources
  const left = Math.max(0, Math.min(200, Number(wanted ?? 100)) - shown.length)
  const groups = await of(listGroups, {
    ...asked.query,
    startIndex: String(Math.max(1, from - before)),
    count: String(left),
  })
  if (people instanceof ScimError && groups instanceof ScimError) throw people
  const found = [...shown, ...(groups instanceof ScimError ? [] : groups.resources)]
  const total = before + (groups instanceof ScimError ? 0 : groups.total)
  return listed(
    found.map((resource) => only(resource, asked)),
    total,
    from,
  )
}

const served = <T extends Resource>(path: string, kept: Kept<T>): ProtocolRoute[] => [
  { method: 'GET', path, handler: told((ctx, asked) => search(ctx, asked, kept)) },
  {
    method: 'POST',
    path: `${path}/.search`,
    reads: true,
    handler: told((ctx, asked) => search(ctx, inBody(asked), kept)),
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    handler: told(async (ctx, asked) => {
      const found = await kept.show(ctx, idIn(asked), asked.query)
      if (ctx.http?.request.headers['if-none-match'] === found.meta.version)
        return { status: 304, headers: { etag: found.meta.version } }
      return one(asked, found)
    }),
  },
  { method: 'POST', path, handler: told(async (ctx, asked) => one(asked, await kept.create(ctx, asked.body), 201)) },
  {
    method: 'PUT',
    path: `${path}/:id`,
    handler: told(async (ctx, asked) => one(asked, await kept.replace(ctx, idIn(asked), asked.body))),
  },
  {
    method: 'PATCH',
    path: `${path}/:id`,
    handler: told(async (ctx, asked) => one(asked, await kept.patch(ctx, idIn(asked), asked.body))),
  },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    handler: told(async (ctx, asked) => {
      await kept.remove(ctx, idIn(asked))
      return { status: 204 }
    }),
  },
]

/** What describes the service itself, whole and one by one. */
const described = (path: string, all: (ctx: Ctx) => readonly { readonly id: string }[]): ProtocolRoute[] => [
  { method: 'GET', path, handler: async (ctx) => listed(all(ctx)) },
  {
    method: 'GET',
    path: `${path}/:id`,
    handler: async (ctx, { params }) => {
      const found = all(ctx).find(({ id }) => id.toLowerCase() === params.id?.toLowerCase())
      if (!found) throw refuse(404, 'not_found')
      return { status: 200, body: JSON.stringify(found) }
    },
  },
]

/** Where nothing is changed, whatever is sent. */
const onlyRead = (...paths: string[]): ProtocolRoute[] =>
  paths.flatMap((path) =>
    (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => ({
      method,
      path,
      reads: true,
      handler: async () => ({ ...refused(405, 'Only GET is answered here'), headers: { allow: 'GET' } }),
    })),
  )

/** What each single operation is. */
const resources: readonly ProtocolRoute[] = [
  ...served('/Users', {
    list: listPeople,
    show: person,
    create: createPerson,
    replace: replacePerson,
    patch: patchPerson,
    remove: deletePerson,
  }),
  ...served('/Groups', {
    list: listGroups,
    show: scimGroup,
    create: createGroup,
    replace: replaceGroup,
    patch: patchGroup,
    remove: deleteGroup,
  }),
]

export const scimProtocol: Protocol = {
  name: 'scim',
  prefix: '/scim/v2',
  types: ['application/scim+json', 'application/json'],
  reads: 'json',
  maxBody: BULK_MAX.payload,
  admit,
  routes: [
    {
      method: 'GET',
      path: '/ServiceProviderConfig',
      handler: async () => ({ status: 200, body: JSON.stringify(SERVICE) }),
    },
    ...onlyRead('/ServiceProviderConfig', '/ResourceTypes', '/Schemas'),
    ...described('/ResourceTypes', () => RESOURCE_TYPES),
    ...described('/Schemas', (ctx) => schemasFor(directoryOf(ctx).kinds)),
    { method: 'POST', path: '/.search', reads: true, handler: told((ctx, asked) => searchAll(ctx, inBody(asked))) },
    ...resources,
    { method: 'POST', path: '/Bulk', handler: told(bulkHandler(resources, { refused, refusalOf })) },
  ],
  refused: refusalOf,
}
