import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/**
 * The words in which queries name a record beside what they are about: `{id, name, name_local, code}`, as `ref` of the
 * contract. An alias is written by who writes the query, never by who asks.
 */

/** Text of SQL: the pairs of the row `alias`, for an object that has more than them. */
export const refPairs = (alias: string): string =>
  `'id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local, 'code', ${alias}.code`
/** Text of SQL: the row `alias` as an object. */
export const refText = (alias: string): string => `json_build_object(${refPairs(alias)})`
/** Text of SQL: what the person `alias` is called in one script: the used name, else the legal one. */
export const calledText = (alias: string, local = false): string => {
  const name = local ? 'name_local' : 'name'
  return `coalesce(${alias}.used_${name}, ${alias}.${name})`
}
/**
 * Text of SQL: the pairs of a person by the used name, where people meet every day: class lists, conversation. Papers,
 * exports and whatever decides bear the legal name (`ref`).
 */
export const calledPairs = (alias: string): string =>
  `'id', ${alias}.id, 'name', ${calledText(alias)}, 'name_local', ${calledText(alias, true)}`
/** The row `alias` as an object. */
export const ref = (alias: string): RawBuilder<unknown> => sql.raw(refText(alias))
/** The same where the row may be missing: null then. */
export const refOrNull = (alias: string): RawBuilder<unknown> =>
  sql.raw(`case when ${alias}.id is not null then ${refText(alias)} end`)

/**
 * The search pattern for a typed word. It is a subquery, so that it is calculated once per statement, and not again
 * for each row that an index returns when the plan was made for any word.
 */
export const patternOf = (word: string): RawBuilder<string> => sql<string>`(select search_pattern(${word}))`

/** The columns of a row that an outer join did not find. */
export type Absent<Row> = { readonly [Column in keyof Row]: null }
