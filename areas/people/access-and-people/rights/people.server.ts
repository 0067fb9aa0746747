import { sql } from 'kysely'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import type { UNITS } from '#access/reach.contract.ts'

/**
 * How accounts are bound to the university, for queries in which they stand under `alias`: to the units of their record
 * of an instructor or student, and to those in which they may do something.
 */
export const userReach = (alias = 't') => {
  const at = (unit: (typeof UNITS)[number]) => (ids: readonly number[]) =>
    sql`exists (select from user_units x where x.user_id = ${sql.ref(`${alias}.id`)} and x.unit = ${unit} and x.unit_id = any(${ids}::int[]))`
  return {
    faculty: at('faculty'),
    department: at('department'),
    bylaw: at('bylaw'),
    program: at('program'),
  } satisfies ScopeParts
}
