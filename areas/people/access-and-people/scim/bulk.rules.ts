/** Many changes in one request (RFC 7644, 3.7): what is asked, and in which order it can be done. */
import { ScimError } from './resource.rules.ts'

export const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
export const BULK_MAX = { operations: 500, payload: 1_000_000 } as const

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
/** A member by its name, however that is written. */
const member = (of: Json, name: string): unknown =>
  Object.entries(of).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

export interface BulkOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly resource: 'Users' | 'Groups'
  /** Id of what is changed, or the name that this request gives to what it makes; null for what is made. */
  readonly target: string | null
  readonly bulkId: string | null
  readonly version: string | null
  readonly data: unknown
}
/** What is asked of one operation, or why it cannot be understood. */
export type AskedOperation =
  | BulkOperation
  | { readonly wrong: ScimError; readonly method: string; readonly bulkId: string | null }

/** A reference to what the same request makes. */
const NAMED = /^bulkId:(.+)$/i
const PATH = /^\/(Users|Groups)(?:\/([^/?#]+))?$/i

/** @throws {ScimError} where the request as a whole cannot be understood; `tooMany` with how many operations there are */
export function bulkIn(sent: unknown): { failOnErrors: number; operations: AskedOperation[]; tooMany: boolean } {
  const list = isObject(sent) ? member(sent, 'Operations') : undefined
  const schemas = isObject(sent) ? member(sent, 'schemas') : undefined
  if (!Array.isArray(list) || !list.length || !Array.isArray(schemas) || !schemas.includes(BULK))
    throw new ScimError('invalidSyntax', `Operations of ${BULK} are needed`)
  const limit = member(sent as Json, 'failOnErrors') ?? 0
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0)
    throw new ScimError('invalidValue', 'failOnErrors is a whole number')
  if (list.length > BULK_MAX.operations) return { failOnErrors: 0, operations: [], tooMany: true }
  const names = new Set<string>()
  return {
    failOnErrors: limit || Infinity,
    operations: list.map((one) => operationIn(one, names)),
    tooMany: false,
  }
}

function operationIn(one: unknown, names: Set<string>): AskedOperation {
  const of = isObject(one) ? one : {}
  const method = String(member(of, 'method') ?? '').toUpperCase()
  const given = member(of, 'bulkId')
  const bulkId = typeof given === 'string' && given ? given : null
  const wrong = (detail: string, type: 'invalidSyntax' | 'invalidPath' | 'invalidValue' = 'invalidSyntax') => ({
    wrong: new ScimError(type, detail),
    method,
    bulkId,
  })
  if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH' && method !== 'DELETE')
    return wrong('method is POST, PUT, PATCH or DELETE')
  const [, kind, target = null] = PATH.exec(String(member(of, 'path') ?? '')) ?? []
  if (!kind || (method === 'POST') !== (target === null))
    return wrong('path is that of a User or a Group', 'invalidPath')
  if (method === 'POST') {
    if (bulkId === null) return wrong('what is made has a bulkId')
    if (names.has(bulkId)) return wrong(`the bulkId ${bulkId} is given twice`, 'invalidValue')
    names.add(bulkId)
  }
  const version = member(of, 'version')
  return {
    method,
    resource: kind.toLowerCase() === 'users' ? 'Users' : 'Groups',
    target,
    bulkId,
    version: typeof version === 'string' ? version : null,
    data: member(of, 'data'),
  }
}

/** Names of what the same request makes that an operation leans on. */
export function referencesIn({ target, data }: Pick<BulkOperation, 'target' | 'data'>): string[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      const [, name] = NAMED.exec(value) ?? []
      if (name) found.add(name)
      // Also where a change chooses members by it.
      for (const [, inner] of value.matchAll(/"bulkId:([^"]+)"/gi)) found.add(inner!)
    } else if (Array.isArray(value)) value.forEach(look)
    else if (isObject(value)) Object.values(value).forEach(look)
  }
  look(target)
  look(data)
  return [...found]
}

/** The same with ids in place of these names. */
export function withNamedIds<T>(value: T, ids: ReadonlyMap<string, string>): T {
  const put = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      const [, name] = NAMED.exec(inner) ?? []
      return name
        ? (ids.get(name) ?? inner)
        : inner.replace(/"bulkId:([^"]+)"/gi, (all, one: string) => {
            const id = ids.get(one)
            return id === undefined ? all : JSON.stringify(id)
          })
    }
    if (Array.isArray(inner)) return inner.map(put)
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).map(([key, of]) => [key, put(of)])) : inner
  }
  return put(value) as T
}
