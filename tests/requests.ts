import { callsOf } from '#kit/contract/index.ts'
import type { Area, Call } from '#kit/contract/index.ts'
import type { TestDatabase } from '#db/testing.ts'
import { choicesOf, generate, inner, put, shapeOf } from './generate.ts'

/** A request that is made for a call: some record stands wherever the call names one of its kind. */
export interface MadeRequest {
  readonly url: string
  readonly body?: unknown
}
/** A record, and those that belong to it: id by table. */
export type Around = ReadonlyMap<string, number>

/** Which table a name in a path or a body speaks of: `registration_ids`, `studentId`, `offering`. */
export type TableOf = (name: string) => string | undefined

interface Key {
  readonly table: string
  readonly column: string
  readonly to: string
}
export interface Keys {
  readonly of: TableOf
  readonly keys: readonly Key[]
}

/** Foreign keys of a database: what the names of ids speak of. */
export async function keysOf({ pool }: TestDatabase): Promise<Keys> {
  const { rows: keys } = await pool.query<Key>(`
    select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as to
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and array_length(c.conkey, 1) = 1 and c.conparentid = 0`)
  const counts = new Map<string, Map<string, number>>()
  for (const { column, to } of keys) {
    const of = counts.get(column) ?? new Map<string, number>()
    counts.set(column, of.set(to, (of.get(to) ?? 0) + 1))
  }
  const most = (of: ReadonlyMap<string, number>) => [...of].toSorted((a, b) => b[1] - a[1])[0]![0]
  const known = new Map([...counts].map(([column, of]) => [column, most(of)]))
  return {
    keys,
    of: (name) => {
      const snake = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
      const one = snake.replace(/ids$/, 'id')
      return known.get(one) ?? known.get(`${one.replace(/s$/, '')}_id`)
    },
  }
}

/** A record with those that it names, and those that these name. */
export async function aroundOf({ pool }: TestDatabase, { keys }: Keys, table: string, id: number): Promise<Around> {
  const around = new Map<string, number>([[table, id]])
  const up = async (from: string, row: number): Promise<string[]> => {
    const own = keys.filter((key) => key.table === from)
    if (!own.length) return []
    const { rows } = await pool.query<Record<string, number | null>>(
      `select ${own.map(({ column }) => `"${column}"`).join(', ')} from ${from} where id = $1`,
      [row],
    )
    return own.flatMap(({ column, to }) => {
      const value = rows[0]?.[column]
      if (typeof value !== 'number' || around.has(to)) return []
      around.set(to, value)
      return [to]
    })
  }
  for (const parent of await up(table, id)) await up(parent, around.get(parent)!)
  return around
}

/** Values of a field that choose what is done: each is tried. */
const CHOOSES = /status|state$|decision|action|measure|forced|enroll|accept|decide/

const REASONS: Readonly<Record<string, unknown>> = {
  reason: 'As decided by the council',
  why: 'As decided by the council',
  note: 'As decided by the council',
  outside_reason: 'As decided by the council',
  overrides: [{ code: 'stage_closed', reason: 'As decided by the council' }],
}

/** Ways to fill a body about a record: as it is asked for, then with each other choice of what is done. */
function* bodiesOf(call: Call, id: (name: string) => number): Generator<unknown> {
  if (!call.body) return void (yield undefined)
  let body = generate(call.body, { id })
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return void (yield body)
  const shape = shapeOf(call.body)
  const example = (call.example ?? {}) as Record<string, unknown>
  for (const [name, field] of Object.entries(shape)) {
    // No file was uploaded by whoever calls.
    if (/(^|_)file_ids?$/.test(name) && field.safeParse(undefined).success) {
      const { [name]: _file, ...rest } = body as Record<string, unknown>
      body = rest
      continue
    }
    const given = (body as Record<string, unknown>)[name]
    const named = /(^|_)ids?$/.test(name)
    const filled = named
      ? (given ?? (field.safeParse([id(name)]).success ? [id(name)] : id(name)))
      : (REASONS[name] ?? example[name] ?? given)
    if (filled !== undefined && field.safeParse(filled).success) body = put(body, [name], filled)
  }
  if (inner(call.body).safeParse(body).success || call.body.safeParse(body).success) yield body
  else yield (body = generate(call.body, { id }))
  for (const [name, field] of Object.entries(shape)) {
    if (!CHOOSES.test(name)) continue
    const values = inner(field).def.type === 'boolean' ? [true, false] : choicesOf(field)
    for (const value of values) if (value !== (body as Record<string, unknown>)[name]) yield put(body, [name], value)
  }
}

/**
 * What `{id}` of a path speaks of: a record of the workflow or resource at the path, or of what one of its words names.
 *
 * @param flows tables of the workflows by their calls
 */
export function placesOf(
  areas: readonly Area[],
  flows: ReadonlyMap<Call, string>,
  of: TableOf,
): (call: Call) => string | undefined {
  const places = new Map<Call, string>(flows)
  const resources = areas.flatMap((area) => area.resources)
  for (const call of areas.flatMap(callsOf)) {
    if (places.has(call) || !call.path.includes('{id}')) continue
    const [before] = call.path.split('/{id}') as [string]
    const resource = resources
      .filter(({ path }) => before === path || before.startsWith(`${path}/`))
      .toSorted((a, b) => b.path.length - a.path.length)[0]
    const word = before
      .split(/[/_-]/)
      .toReversed()
      .map((one) => (one ? of(one) : undefined))
      .find(Boolean)
    const table = resource?.table ?? word
    if (table) places.set(call, table)
  }
  return (call) => places.get(call)
}

/**
 * Requests of a call about a record. `about` tells which of the tables around the record the call names at all: none of
 * those asked for, no request. `own`: the call is of the area that declares the states of the record.
 */
export function* requestsAbout(
  call: Call,
  around: Around,
  {
    of,
    place,
    asked,
    own,
  }: { of: TableOf; place: (call: Call) => string | undefined; asked: ReadonlySet<string>; own: boolean },
): Generator<MadeRequest> {
  const params = shapeOf(call.params)
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!)
  let about = false
  const idOf = (name: string): number => {
    const table = of(name)
    if (table && asked.has(table)) about = true
    return (table === undefined ? undefined : around.get(table)) ?? 1
  }
  const values = names.map((name): string[] => {
    const schema = params[name]!
    const choices = choicesOf(schema) as string[]
    if (choices.length) return CHOOSES.test(name) ? choices : choices.slice(0, 1)
    const accepts = (value: unknown) => schema.safeParse(value).success
    if (name === 'status' && accepts('11'))
      return Array.from({ length: 20 }, (_, i) => String(i)).filter((code) => accepts(code))
    if (!accepts('1'))
      return [
        ['preview', 'faculty', '2026-11-24', '00000000-0000-4000-8000-000000000000', 'text'].find(accepts) ?? 'text',
      ]
    const table = name === 'id' || !of(name) ? place(call) : of(name)
    if (table) {
      if (asked.has(table)) about = true
      return [String(around.get(table) ?? 1)]
    }
    // It may be of any kind: the record itself is tried.
    if (own) about = true
    return [String([...around.values()][0])]
  })
  const bodies = [...bodiesOf(call, idOf)]
  if (!about) return
  const urls = values.reduce<string[][]>((rows, list) => rows.flatMap((row) => list.map((v) => [...row, v])), [[]])
  for (const url of urls) {
    let at = 0
    const path = call.path.replace(/\{\w+\}/g, () => encodeURIComponent(url[at++]!))
    for (const body of bodies) yield { url: path, ...(body !== undefined && { body }) }
  }
}
