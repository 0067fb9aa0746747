/** The rows behind a figure of an own report, as far as the reader reaches them. */
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { requireReach } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { DimensionKey } from '../figures/dimensions.contract.ts'
import type { CellRows } from '../figures/figures.contract.ts'
import { figureSubject, measureOf } from '../figures/measures.contract.ts'
import { madeOf } from '../figures/read.server.ts'
import { isRatio, type Sql } from '../figures/subject.server.ts'
import type { OwnCellAsked } from './own.contract.ts'
import { bridgesFor, ownQuestion } from './read.server.ts'

/** Rows of a figure, and how many there are: rows, and persons. @throws {Refusal} 403, 422 */
export async function readOwnRows(
  ctx: Ctx,
  { asked, measure, row, column, before, page, perPage }: OwnCellAsked,
): Promise<{ data: CellRows; meta: { count: number; people: number } }> {
  const question = ownQuestion(ctx, asked, asked.today ? await bridgesFor(ctx, asked) : {})
  const { subject, right, from, where, when } = question
  if (!asked.measures.includes(measure)) throw refuse(422, 'unknown_field', { field: measure }, 'measure')
  const { rows: rowsRight } = figureSubject(measureOf(measure).of)
  requireReach(ctx, rowsRight)
  const told = measureOf(measure).told ?? rowsRight
  const made = madeOf(subject, measure)
  const { when: counts } = isRatio(made) ? made.over[0] : made
  const is = (
    by: readonly DimensionKey[],
    keys: readonly (string | null)[] | null | undefined,
    field: string,
  ): Sql[] => {
    if (!keys) return []
    if (keys.length !== by.length) throw refuse(422, 'unknown_field', { field }, field)
    return by.map((key, at) => {
      const of = subject.dimensions[key]!
      return keys[at] === null ? sql`(${of}) is null` : sql`(${of})::text = ${keys[at]}`
    })
  }
  const narrowed = sql.join(
    [
      where,
      sql`${when} = ${sql.lit(before ? 1 : 0)}`,
      ...[...new Set([right, rowsRight, told])].map((key) => subject.reach(ctx, key)),
      ...(counts ? [sql`(${counts})`] : []),
      ...is(asked.rows, row, 'row'),
      ...is(asked.columns, column, 'column'),
    ],
    sql` and `,
  )
  const { row: said } = subject
  const { rows } = await sql<{ count: number; people: number; rows: CellRows['rows'] }>`
    with q as (select ${said.to} as "to", ${said.code} as code, ${said.name} as name, ${said.name_local} as name_local,
        json_build_array(${sql.join(said.facts.map((fact) => fact.of))}) as facts
      from ${from} where ${narrowed} order by ${said.order} limit ${perPage} offset ${(page - 1) * perPage})
    select n.count, n.people, (select coalesce(json_agg(q), '[]') from q) as rows
    from (select count(*)::int as count, count(distinct ${subject.person})::int as people from ${from} where ${narrowed}) n`.execute(
    ctx.db,
  )
  const found = firstRow(rows)
  return {
    data: { facts: said.facts.map(({ fact }) => fact), rows: found.rows },
    meta: { count: found.count, people: found.people },
  }
}
