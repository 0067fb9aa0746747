/**
 * Figures that take long to work out are kept, so that the next one who asks is answered at once and told of when they are. A
 * university of a few thousand students never sees any: its reports are read as they are asked for.
 */
import { createHash } from 'node:crypto'
import type { Db, Tx } from '#db/connect.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { asRefusal, refuse } from '#kit/server/base/errors.ts'
import { sql, type RawBuilder } from 'kysely'
import type { FiguresAsked } from './figures.contract.ts'
import { FIGURES_JOB, FIGURES_KEPT } from './kept.rules.ts'
import type { FigureSums, ReportQuestion } from './read.server.ts'
import type { ReportLink } from './reports.contract.ts'

/** A report as it is asked for, by whoever reaches all of its rows. */
interface KeptQuestion {
  readonly link: ReportLink
  readonly asked: FiguresAsked
  readonly question: ReportQuestion
  /** How its sums are made: another release may make others. */
  readonly made: readonly string[]
  /** Not what was kept. */
  readonly fresh: boolean
}

/** Two questions that have the same sums have the same digest, whichever measure of them is shown. */
const digestOf = ({ question, made }: KeptQuestion): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        question.rows,
        question.columns,
        question.report.measures,
        made,
        question.filters
          .map(({ by, values }) => [by, values.map(String).toSorted()] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ]),
    )
    .digest('hex')
const termOf = ({ question: { current } }: KeptQuestion): RawBuilder<unknown> =>
  current ? currentTermId(current) : sql`null::int`

/**
 * What was kept, or what is read now. Reading that goes on for longer than somebody waits is taken over by a job.
 *
 * @throws {Refusal} 409 `report_worked_out`: a job works it out
 */
export async function keptOrRead(
  ctx: Ctx,
  asked: KeptQuestion,
  read: (db: Db) => Promise<FigureSums>,
): Promise<{ answer: FigureSums; kept: boolean }> {
  if (ctx.inUnit) return { answer: await read(ctx.db), kept: false }
  const digest = digestOf(asked)
  if (!asked.fresh) {
    const answer = await keptFor(ctx, asked, digest)
    if (answer) return { answer, kept: true }
  }
  const begun = performance.now()
  const answer = await (ctx.http ? withinPatience(ctx, asked, digest, read) : ctx.write(read))
  const took = Math.round(performance.now() - begun)
  if (took >= FIGURES_KEPT.after)
    await beside(ctx, (tx) =>
      sql`insert into kept_figures (link, digest, term_id, asked, answer, took_ms)
        values (${asked.link}, ${digest}, ${termOf(asked)}, ${JSON.stringify(asked.asked)}::jsonb, ${JSON.stringify(answer)}::jsonb, ${took}::int)
        on conflict on constraint kept_figures_question
        do update set answer = excluded.answer, made_at = now(), took_ms = excluded.took_ms`.execute(tx),
    )
  return { answer, kept: false }
}

/** What is kept, if it is young enough; what is no longer young is worked out again behind the answer. */
async function keptFor(ctx: Ctx, asked: KeptQuestion, digest: string): Promise<FigureSums | null> {
  const { rows } = await sql<{ id: number; answer: FigureSums; old: boolean; seen: boolean }>`
    select id, answer, made_at < now() - make_interval(secs => ${FIGURES_KEPT.young}::int) as old,
      asked_at > now() - interval '1 hour' as seen
    from kept_figures where link = ${asked.link} and digest = ${digest} and term_id is not distinct from ${termOf(asked)}
      and made_at > now() - make_interval(secs => ${FIGURES_KEPT.longest}::int)`.execute(ctx.db)
  const [kept] = rows
  if (!kept) return null
  if (kept.old || !kept.seen)
    await beside(ctx, async (tx) => {
      await sql`update kept_figures set asked_at = now() where id = ${kept.id}`.execute(tx)
      if (kept.old) await workOut(ctx, tx, asked, digest)
    })
  return kept.answer
}

/** Reads while somebody waits; what is not there by then is left to a job. */
async function withinPatience(
  ctx: Ctx,
  asked: KeptQuestion,
  digest: string,
  read: (db: Db) => Promise<FigureSums>,
): Promise<FigureSums> {
  if (await ctx.services.jobs.underWay(ctx.db, FIGURES_JOB, { digest })) throw refuse(409, 'report_worked_out')
  try {
    return await ctx.write(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(FIGURES_KEPT.patience)}, true)`.execute(tx)
      return await read(tx)
    })
  } catch (error) {
    if (asRefusal(error)?.message !== 'took_too_long') throw error
    await ctx.write((tx) => workOut(ctx, tx, asked, digest))
    throw refuse(409, 'report_worked_out')
  }
}

/** Has a job work it out, unless one does so already. */
async function workOut(ctx: Ctx, tx: Db, { link, asked }: KeptQuestion, digest: string): Promise<void> {
  if (await ctx.services.jobs.underWay(tx, FIGURES_JOB, { digest })) return
  await ctx.services.jobs.send(tx, FIGURES_JOB, { link, asked, digest }, { actor: null })
}

/** Writes beside an answer that stands without it, also on a database that only reads. */
async function beside(ctx: Ctx, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  try {
    await ctx.write(work)
  } catch (error) {
    if (!asRefusal(error)) throw error
  }
}
