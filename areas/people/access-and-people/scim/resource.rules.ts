/** What a directory says of people and groups, in whichever of its ways; and what is told of them. */
import { FORMULA } from '#kit/contract/index.ts'
import { FilterError, matches, parsePath } from './filter.rules.ts'
import type { Path } from './filter.rules.ts'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Why a directory is refused, by the words of RFC 7644 (3.12). */
export type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidValue' | 'invalidSyntax' | 'noTarget' | 'mutability'
/** The request cannot be understood, or not be done. */
export class ScimError extends Error {
  readonly type: ScimType
  constructor(type: ScimType, detail: string) {
    super(detail)
    this.type = type
  }
}

const KINDS = { instructor: 1, employee: 2, student: 3 } as const
export const kindName = (type: number): string => Object.entries(KINDS).find(([, kind]) => kind === type)?.[0] ?? ''

/** A person as a directory says it; what is not known here it may say as well. */
export interface ScimPerson {
  readonly userName: string
  readonly externalId: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  readonly displayName: string | null
  /** The whole of the name, where it is said beside its parts. */
  readonly formatted: string | null
  readonly email: string | null
  readonly active: boolean
  readonly userType: number | null
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
/** A member by its name, however that is written. */
const member = (of: Json, name: string): unknown =>
  Object.entries(of).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

/** @throws {ScimError} */
function text(value: unknown, name: string, longest = 200): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new ScimError('invalidValue', `${name} is a text`)
  const trimmed = value.trim()
  if (trimmed.length > longest) throw new ScimError('invalidValue', `${name} has at most ${longest} characters`)
  // Hidden characters and markup deceive who reads a name later.
  if (/[\u0000-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF<>]/.test(trimmed))
    throw new ScimError('invalidValue', `${name} has characters that cannot be kept`)
  // A spreadsheet into which the name is exported would work it out.
  if (FORMULA.test(trimmed)) throw new ScimError('invalidValue', `${name} begins like a formula`)
  return trimmed || null
}
/** `true`, and what directories write for it. @throws {ScimError} */
export function truth(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw new ScimError('invalidValue', `${name} is true or false`)
}

const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s.]+$/
/** The address that counts: the first, of work before others, the primary before all. @throws {ScimError} */
function emailIn(given: unknown): string | null {
  if (given === undefined || given === null) return null
  const list = (Array.isArray(given) ? given : [given]).map((one) => (isObject(one) ? one : { value: one }))
  const flagged = (one: Json) => String(member(one, 'primary')).toLowerCase() === 'true'
  const chosen =
    list.find(flagged) ?? list.find((one) => String(member(one, 'type')).toLowerCase() === 'work') ?? list[0]
  const email = chosen ? text(member(chosen, 'value'), 'emails.value') : null
  if (email !== null && !EMAIL.test(email)) throw new ScimError('invalidValue', 'emails.value is no address')
  return email
}

/** A person out of what was sent whole. @throws {ScimError} */
export function personIn(sent: unknown): ScimPerson {
  if (!isObject(sent)) throw new ScimError('invalidSyntax', 'a User is an object')
  const userName = text(member(sent, 'userName'), 'userName')
  if (userName === null) throw new ScimError('invalidValue', 'userName is needed')
  const name = member(sent, 'name')
  const parts = isObject(name) ? name : {}
  const type = text(member(sent, 'userType'), 'userType')
  const active = member(sent, 'active')
  return {
    userName,
    externalId: text(member(sent, 'externalId'), 'externalId'),
    givenName: text(member(parts, 'givenName'), 'name.givenName'),
    familyName: text(member(parts, 'familyName'), 'name.familyName'),
    displayName: text(member(sent, 'displayName'), 'displayName'),
    formatted: text(member(parts, 'formatted'), 'name.formatted'),
    email: emailIn(member(sent, 'emails')) ?? (EMAIL.test(userName) ? userName : null),
    active: active === undefined || active === null ? true : truth(active, 'active'),
    // What a directory calls kinds of its own is not ours.
    userType: KINDS[(type ?? '').toLowerCase() as keyof typeof KINDS] ?? null,
  }
}

/** A name out of its parts; null: there are none. */
export const joined = (givenName: string | null, familyName: string | null): string | null =>
  [givenName, familyName].filter(Boolean).join(' ') || null

/** What a person is called in both scripts; null: as it is. */
export function namesOf({ givenName, familyName, displayName, formatted, userName }: ScimPerson): {
  readonly name: string | null
  readonly name_local: string | null
} {
  const arabic = (some: string | null) => some !== null && /[\u0600-\u06FF]/.test(some)
  const some = [joined(givenName, familyName), displayName, formatted].filter((one) => one !== null)
  const latin = some.find((one) => !arabic(one)) ?? null
  const local = some.find((one) => arabic(one)) ?? null
  return { name: latin ?? local ?? userName, name_local: local }
}

// --- Changes --------------------------------------------------------------------------------------------------------

interface Operation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: Path | null
  readonly value: unknown
}

/** The operations of a change, whichever case they are written in. @throws {ScimError} */
export function operationsIn(sent: unknown): Operation[] {
  const list = isObject(sent) ? member(sent, 'Operations') : undefined
  const schemas = isObject(sent) ? member(sent, 'schemas') : undefined
  if (!Array.isArray(list) || !list.length || (Array.isArray(schemas) && !schemas.includes(PATCH)))
    throw new ScimError('invalidSyntax', `Operations of ${PATCH} are needed`)
  if (list.length > 1000) throw new ScimError('invalidValue', 'at most 1000 operations at once')
  return list.flatMap((one: unknown): Operation[] => {
    const op = isObject(one) ? String(member(one, 'op')).toLowerCase() : ''
    if (!isObject(one) || !['add', 'replace', 'remove'].includes(op))
      throw new ScimError('invalidSyntax', 'op is add, replace or remove')
    const where = member(one, 'path')
    const value = member(one, 'value')
    if (where !== undefined && where !== null && where !== '')
      return [{ op: op as Operation['op'], path: pathIn(where), value }]
    if (op === 'remove') throw new ScimError('noTarget', 'what is removed has a path')
    if (!isObject(value)) throw new ScimError('invalidValue', 'without a path the value is an object')
    // Some write paths as names of members.
    return Object.entries(value).flatMap(([key, inner]) =>
      key.toLowerCase() === 'schemas' ? [] : [{ op: op as 'add', path: pathIn(key), value: inner }],
    )
  })
}
function pathIn(where: unknown): Path {
  try {
    return parsePath(String(where))
  } catch (error) {
    throw error instanceof FilterError ? new ScimError('invalidPath', `path: ${error.message}`) : error
  }
}

/** Attributes of a person by the lower case in which paths name them. */
const OF_PERSON: Readonly<Record<string, string>> = {
  username: 'userName',
  externalid: 'externalId',
  displayname: 'displayName',
  active: 'active',
  usertype: 'userType',
}
const OF_NAME: Readonly<Record<string, string>> = {
  givenname: 'givenName',
  familyname: 'familyName',
  formatted: 'formatted',
}
const READ_ONLY = new Set(['id', 'meta', 'groups'])

const named = (part: unknown): string | null => (typeof part === 'string' && part !== '' ? part : null)
/** A person after a change: what was told of it before, with the operations made on it, as it would be sent whole. @throws {ScimError} */
export function patchedPerson(before: Json, sent: unknown): Json {
  const after: Record<string, unknown> = { ...before }
  // The whole of a name is told also where only its parts were said.
  if (isObject(before.name)) {
    const { formatted, ...parts } = before.name
    const made = joined(named(parts.givenName), named(parts.familyName)) ?? before.displayName
    if (formatted === made) after.name = parts
  }
  let [namedAnew, shownAnew] = [false, false]
  for (const { op, path, value } of operationsIn(sent)) {
    const { attribute, sub, filter } = path!
    if (READ_ONLY.has(attribute)) throw new ScimError('mutability', `${attribute} is not changed by directories`)
    // People sign in with it.
    if (attribute === 'emails' && op === 'remove' && !filter && (sub === null || sub === 'value'))
      throw new ScimError('mutability', 'emails cannot be removed')
    if (attribute === 'emails') after.emails = patchedEmails(after.emails, op, filter && path, sub, value)
    else if (attribute === 'name') {
      const name: Record<string, unknown> = isObject(after.name) ? { ...after.name } : {}
      const set = sub === null ? (isObject(value) ? Object.entries(value) : []) : [[sub, value] as const]
      if (sub === null && op === 'remove') after.name = {}
      else {
        for (const [key, inner] of set) {
          const known = OF_NAME[key.toLowerCase()]
          if (known) name[known] = op === 'remove' ? null : inner
        }
        // The whole of a name that was told before is not what its parts say now.
        if (!set.some(([key]) => key.toLowerCase() === 'formatted')) delete name.formatted
        after.name = name
      }
      namedAnew = true
    } else {
      const known = OF_PERSON[attribute]
      // What is not kept here is no mistake of who sends it.
      if (!known) continue
      if (op === 'remove' && (known === 'userName' || known === 'active'))
        throw new ScimError('mutability', `${known} cannot be removed`)
      if (op === 'remove' && known === 'userType') throw new ScimError('mutability', 'userType is not changed')
      if (known === 'displayName') shownAnew = true
      after[known] = op === 'remove' ? null : value
    }
  }
  // Somebody who is shown by the parts of the name goes on to be, under the new one.
  const shownBy = (of: Json) => (isObject(of.name) ? joined(named(of.name.givenName), named(of.name.familyName)) : null)
  if (namedAnew && !shownAnew && before.displayName !== undefined && before.displayName === shownBy(before))
    after.displayName = shownBy(after)
  return after
}

/** There is one address here: whatever addresses a change, but another kind than work, is about it. */
function patchedEmails(before: unknown, op: Operation['op'], chosen: Path | null, sub: string | null, value: unknown) {
  const list = Array.isArray(before) ? before.filter(isObject) : []
  if (!chosen && sub === null) return op === 'remove' ? [] : value
  const filter = chosen?.filter ?? null
  const meant = filter === null ? list : list.filter((one) => matches(one, filter))
  if (op === 'remove') return sub === null || sub === 'value' ? list.filter((one) => !meant.includes(one)) : list
  if (sub !== null && sub !== 'value') return list
  const address: unknown = isObject(value) ? member(value, 'value') : Array.isArray(value) ? value[0] : value
  if (meant.length) return list.map((one) => (meant.includes(one) ? { ...one, value: address } : one))
  // One of another kind than we keep stands beside it, and is not kept.
  const work = filter === null || matches({ type: 'work', primary: true }, filter)
  return work && !list.length ? [{ type: 'work', primary: true, value: address }] : list
}

/** What becomes of a group. `members`: who is in it after, as a whole; else who comes and goes. */
export interface GroupChange {
  readonly name?: string
  readonly externalId?: string | null
  readonly members?: readonly number[]
  readonly add: readonly number[]
  readonly remove: readonly number[]
}

/** Ids of members as they are sent. @throws {ScimError} */
export function membersIn(value: unknown): number[] {
  if (value === undefined || value === null) return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return [
    ...new Set(
      list.map((one) => {
        const at = isObject(one) ? /\/Users\/([1-9]\d{0,8})$/.exec(String(member(one, '$ref') ?? ''))?.[1] : undefined
        const id = at ?? (isObject(one) ? member(one, 'value') : one)
        if ((typeof id !== 'string' && typeof id !== 'number') || !/^[1-9]\d{0,8}$/.test(String(id)))
          throw new ScimError('invalidValue', 'members.value is the id of a User')
        return Number(id)
      }),
    ),
  ]
}

/** What was sent whole of a group. @throws {ScimError} */
export function groupIn(sent: unknown): { name: string; externalId: string | null; members: number[] } {
  if (!isObject(sent)) throw new ScimError('invalidSyntax', 'a Group is an object')
  const name = text(member(sent, 'displayName'), 'displayName')
  if (name === null) throw new ScimError('invalidValue', 'displayName is needed')
  return {
    name,
    externalId: text(member(sent, 'externalId'), 'externalId'),
    members: membersIn(member(sent, 'members')),
  }
}

/** What a change makes of a group. @throws {ScimError} */
export function groupChange(sent: unknown): GroupChange {
  let change: GroupChange = { add: [], remove: [] }
  const idOf = (path: Path): number[] => {
    const { filter } = path
    if (filter?.op !== 'eq' || filter.attribute !== 'value')
      throw new ScimError('invalidPath', 'members are chosen by members[value eq "id"]')
    return membersIn([{ value: filter.value }])
  }
  for (const { op, path, value } of operationsIn(sent)) {
    const { attribute, filter } = path!
    if (READ_ONLY.has(attribute)) throw new ScimError('mutability', `${attribute} is not changed by directories`)
    if (attribute === 'displayname') {
      const name = text(value, 'displayName')
      if (op === 'remove' || name === null) throw new ScimError('mutability', 'displayName is needed')
      change = { ...change, name }
    } else if (attribute === 'externalid')
      change = { ...change, externalId: op === 'remove' ? null : text(value, 'externalId') }
    else if (attribute === 'members') {
      const ids = filter ? idOf(path!) : membersIn(value)
      if (op === 'replace' && !filter) change = { ...change, members: ids, add: [], remove: [] }
      // All of them: nothing says whom.
      else if (op === 'remove' && !filter && value === undefined)
        change = { ...change, members: [], add: [], remove: [] }
      else if (op === 'remove')
        change = {
          ...change,
          add: change.add.filter((id) => !ids.includes(id)),
          remove: [...change.remove, ...ids],
        }
      else
        change = {
          ...change,
          add: [...change.add, ...ids],
          remove: change.remove.filter((id) => !ids.includes(id)),
        }
    }
  }
  return change
}

/** Of an answer only what was asked for. `id` and `schemas` are always told. */
export function chosen(
  resource: Json,
  { attributes, excludedAttributes }: { attributes?: string | undefined; excludedAttributes?: string | undefined },
): Json {
  const listed = (list: string) =>
    list
      .toLowerCase()
      .split(',')
      .map((one) => one.trim().replace(/^urn:.*:/, ''))
      .filter(Boolean)
  const wanted = attributes ? listed(attributes) : null
  const left = excludedAttributes ? listed(excludedAttributes) : []
  const always = new Set(['id', 'schemas'])
  return Object.fromEntries(
    Object.entries(resource).flatMap(([key, value]) => {
      const name = key.toLowerCase()
      if (always.has(name)) return [[key, value]]
      if (wanted === null) return left.includes(name) ? [] : [[key, value]]
      if (wanted.includes(name)) return [[key, value]]
      const subs = wanted.flatMap((one) => (one.startsWith(`${name}.`) ? [one.slice(name.length + 1)] : []))
      if (!subs.length) return []
      const part = (of: unknown) =>
        isObject(of) ? Object.fromEntries(Object.entries(of).filter(([sub]) => subs.includes(sub.toLowerCase()))) : of
      return [[key, Array.isArray(value) ? value.map(part) : part(value)]]
    }),
  )
}
