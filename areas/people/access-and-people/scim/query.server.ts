/** Lists as directories ask for them: filter, order and page as SQL. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { FilterError, parseFilter } from './filter.rules.ts'
import type { Filter, Value } from './filter.rules.ts'
import { ScimError } from './resource.rules.ts'

/** How an attribute is compared. `some`: SQL around a comparison of an entry's value, for lists of others. */
export interface Attribute {
  readonly sql: RawBuilder<unknown>
  readonly kind: 'text' | 'exact' | 'flag' | 'instant'
  readonly some?: (condition: RawBuilder<unknown>) => RawBuilder<unknown>
}
export type Attributes = Readonly<Record<string, Attribute>>

const like = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`)
const COMPARE = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const

/** @throws {ScimError} `invalidFilter` */
export function conditionOf(text: string, attributes: Attributes): RawBuilder<unknown> {
  try {
    return condition(parseFilter(text), attributes, '')
  } catch (error) {
    throw error instanceof FilterError ? new ScimError('invalidFilter', error.message) : error
  }
}

function condition(filter: Filter, attributes: Attributes, within: string): RawBuilder<unknown> {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const [left, right] = [filter.left, filter.right].map((one) => condition(one, attributes, within))
      return filter.op === 'and' ? sql`(${left} and ${right})` : sql`(${left} or ${right})`
    }
    case 'not':
      return sql`(not coalesce(${condition(filter.of, attributes, within)}, false))`
    case 'some':
      return condition(filter.of, attributes, `${filter.attribute}.`)
    default: {
      const attribute = attributes[within + filter.attribute]
      if (!attribute) throw new FilterError(`nothing is filtered by ${filter.attribute}`)
      const around = attribute.some ?? ((one: RawBuilder<unknown>) => one)
      return around(filter.op === 'pr' ? sql`(${attribute.sql} is not null)` : compared(filter, attribute))
    }
  }
}

function compared(
  { op, value, attribute: name }: Extract<Filter, { value: Value }>,
  { sql: of, kind }: Attribute,
): RawBuilder<unknown> {
  if (value === null) {
    if (op === 'eq') return sql`(${of} is null)`
    if (op === 'ne') return sql`(${of} is not null)`
    throw new FilterError(`${name} ${op} null`)
  }
  if (kind === 'flag') {
    const flag = typeof value === 'boolean' ? value : /^true$/i.test(String(value))
    if (op === 'eq') return sql`(${of} = ${flag}::boolean)`
    if (op === 'ne') return sql`(${of} <> ${flag}::boolean)`
    throw new FilterError(`${name} is only compared by eq and ne`)
  }
  if (kind === 'instant') {
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
    if (Number.isNaN(at)) throw new FilterError(`${name} is an instant`)
    // Told in milliseconds, compared in milliseconds.
    const mine = sql`date_trunc('milliseconds', ${of})`
    const instant = sql`${new Date(at)}::timestamptz`
    if (op === 'eq') return sql`(${mine} = ${instant})`
    if (op === 'ne') return sql`(${mine} <> ${instant})`
    if (op in COMPARE) return sql`(${mine} ${sql.raw(COMPARE[op as keyof typeof COMPARE])} ${instant})`
    throw new FilterError(`${name} is not compared by ${op}`)
  }
  const fold = kind === 'text'
  const mine = fold ? sql`lower(${of})` : of
  const given = fold ? String(value).toLowerCase() : String(value)
  if (op === 'eq') return sql`(${mine} = ${given})`
  if (op === 'ne') return sql`(${mine} is distinct from ${given})`
  if (op === 'co') return sql`(${mine} like ${`%${like(given)}%`})`
  if (op === 'sw') return sql`(${mine} like ${`${like(given)}%`})`
  if (op === 'ew') return sql`(${mine} like ${`%${like(given)}`})`
  return sql`(${mine} ${sql.raw(COMPARE[op])} ${given})`
}

const MOST = 200
/** What page is meant, and in which order. @throws {ScimError} */
export function pageOf(query: Readonly<Record<string, unknown>>, attributes: Attributes) {
  const number = (name: string, unless: number): number => {
    const given = query[name]
    if (given === undefined || given === '') return unless
    if (typeof given !== 'string' || !/^-?\d{1,9}$/.test(given))
      throw new ScimError('invalidValue', `${name} is a number`)
    return Number(given)
  }
  const by = typeof query.sortBy === 'string' ? query.sortBy.toLowerCase().replace(/^urn:.*:/, '') : null
  const order = by === null ? undefined : attributes[by]
  if (by !== null && (!order || order.some)) throw new ScimError('invalidValue', `nothing is ordered by ${by}`)
  const down = String(query.sortOrder).toLowerCase() === 'descending'
  return {
    startIndex: Math.max(1, number('startIndex', 1)),
    count: Math.min(MOST, Math.max(0, number('count', 100))),
    order: order ? sql`${order.sql} ${sql.raw(down ? 'desc' : 'asc')} nulls last,` : sql``,
  }
}
