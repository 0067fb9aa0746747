/** The rows behind a figure: the same statement without the sums, as far as the reader reaches them. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { requireReach } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { FactKey } from './facts.contract.ts'
import type { CellAsked, CellRows } from './figures.contract.ts'
import { measureOf, figureSubject } from './measures.contract.ts'
import { madeOf, narrowed, questionOf, unitsOfReport } from './read.server.ts'
import type { ReportLink } from './reports.contract.ts'
import { isRatio, type Sql, type SubjectSql } from './subject.server.ts'
import { readBridges } from './units.server.ts'

/** What narrows rows to those of a cell which the reader may open. A share leads to its first part. @throws {Refusal} 403, 422 */
async function behindCell(ctx: Ctx, link: ReportLink, { row, of_row, column, of_column, ...asked }: CellQuestion) {
  const bridges = asked.today ? await readBridges(ctx.db, unitsOfReport(link)) : {}
  const question = questionOf(link, asked, bridges)
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
  return { subject, where }
}
type CellQuestion = Omit<CellAsked, 'page' | 'perPage'>
const shownOf = ({ row: said }: SubjectSql): Sql =>
  sql`${said.to} as "to", ${said.code} as code, ${said.name} as name, ${said.name_local} as name_local,
    json_build_array(${sql.join(said.facts.map((fact) => fact.of))}) as facts`

/** Rows of a cell, and how many there are: rows, and persons. */
export async function readCellRows(
  ctx: Ctx,
  link: ReportLink,
  { page, perPage, ...asked }: CellAsked,
): Promise<{ data: CellRows; meta: { count: number; people: number } }> {
  const { subject, where } = await behindCell(ctx, link, asked)
  const { rows } = await sql<{ count: number; people: number; rows: CellRows['rows'] }>`
    with q as (select ${shownOf(subject)}
      from ${subject.from} where ${where} order by ${subject.row.order} limit ${perPage} offset ${(page - 1) * perPage})
    select n.count, n.people, (select coalesce(json_agg(q), '[]') from q) as rows
    from (select count(*)::int as count, count(distinct ${subject.person})::int as people from ${subject.from} where ${where}) n`.execute(
    ctx.db,
  )
  const { count, people, rows: found } = firstRow(rows)
  return { data: { facts: factsOf(subject), rows: found }, meta: { count, people } }
}
const factsOf = (subject: SubjectSql): FactKey[] => subject.row.facts.map(({ fact }) => fact)

/** Rows that are in memory at a time. */
const TOGETHER = 2_000

/** All rows of a cell, piece by piece, as they stood when the first was read. */
export async function everyCellRow(ctx: Ctx, link: ReportLink, asked: CellQuestion) {
  const { subject, where } = await behindCell(ctx, link, asked)
  return {
    facts: factsOf(subject),
    count: async (): Promise<number> => {
      const { rows } = await sql<{
        count: number
      }>`select count(*)::int as count from ${subject.from} where ${where}`.execute(ctx.db)
      return firstRow(rows).count
    },
    async *pieces(tx: Tx): AsyncGenerator<CellRows['rows']> {
      await sql`declare report_rows no scroll cursor for select ${shownOf(subject)} from ${subject.from} where ${where}
        order by ${subject.row.order}`.execute(tx)
      for (;;) {
        const { rows } = await sql<CellRows['rows'][number]>`fetch ${sql.lit(TOGETHER)} from report_rows`.execute(tx)
        const all = rows.length
        yield rows
        // What was read is let go at once: the promises that brought it outlive it, and with them memory would grow.
        rows.length = 0
        if (all < TOGETHER) break
      }
      await sql`close report_rows`.execute(tx)
    },
  }
}
