/** The rows behind a figure: the same statement without the sums, as far as the reader reaches them. */
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { requireReach } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { CellAsked, CellRows } from './figures.contract.ts'
import { measureOf, figureSubject } from './measures.contract.ts'
import { madeOf, narrowed, questionOf } from './read.server.ts'
import type { ReportLink } from './reports.contract.ts'
import { isRatio, type Sql } from './subject.server.ts'

/** Rows of a cell, and how many there are: rows, and persons. A share leads to its first part. */
export async function readCellRows(
  ctx: Ctx,
  link: ReportLink,
  { row, of_row, column, of_column, page, perPage, ...asked }: CellAsked,
): Promise<{ data: CellRows; meta: { count: number; people: number } }> {
  const question = questionOf(link, asked)
  const { report, subject, rows: by, columns } = question
  const right = measureOf(question.measure).told ?? figureSubject(report.of).rows
  requireReach(ctx, figureSubject(report.of).rows)
  const made = madeOf(subject, question.measure)
  const { when } = isRatio(made) ? made.over[0] : made
  const is = (of: Sql, key: string | null | undefined): Sql =>
    key == null ? sql`(${of}) is null` : sql`(${of})::text = ${key}`
  const where = sql.join(
    [
      narrowed(question),
      subject.reach(ctx, report.permission),
      subject.reach(ctx, figureSubject(report.of).rows),
      ...(right === figureSubject(report.of).rows ? [] : [subject.reach(ctx, right)]),
      ...(when ? [sql`(${when})`] : []),
      ...(of_row ? [is(subject.dimensions[by]!, row)] : []),
      ...(of_column && columns ? [is(subject.dimensions[columns]!, column)] : []),
    ],
    sql` and `,
  )
  const { row: said } = subject
  const { rows } = await sql<{ count: number; people: number; rows: CellRows['rows'] }>`
    with q as (select ${said.to} as "to", ${said.code} as code, ${said.name} as name, ${said.name_local} as name_local,
        json_build_array(${sql.join(said.facts.map((fact) => fact.of))}) as facts
      from ${subject.from} where ${where} order by ${said.order} limit ${perPage} offset ${(page - 1) * perPage})
    select n.count, n.people, (select coalesce(json_agg(q), '[]') from q) as rows
    from (select count(*)::int as count, count(distinct ${subject.person})::int as people from ${subject.from} where ${where}) n`.execute(
    ctx.db,
  )
  const found = firstRow(rows)
  return {
    data: {
      facts: said.facts.map(({ fact }) => fact),
      rows: found.rows,
    },
    meta: { count: found.count, people: found.people },
  }
}
