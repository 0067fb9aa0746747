/**
 * Figures that take long to work out are kept, so that the next one who asks is answered at once and told of when they are. A
 * university of a few thousand students never sees any: its reports are read as they are asked for.
 */
import { createHash } from 'node:crypto'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { asRefusal, refuse } from '#kit/server/base/errors.ts'
import { sql, type RawBuilder } from 'kysely'
import { FIGURES_JOB, FIGURES_KEPT, OWN_REPORT } from './kept.rules.ts'
import type { ReportLink } from './reports.contract.ts'

/** A report as it is asked for, by whoever reaches all of its rows. */
export interface KeptQuestion {
  /** Of the university's reports, or an own one. */
  readonly link: ReportLink | typeof OWN_REPORT
  /** As it was asked, so that a job may ask again. */
  readonly asked: object
  /** What its sums are of, and how they are made: another release may make others. */
  readonly of: readonly unknown[]
  /** SQL: the current term where it is of it; null: it is of none. */
  readonly term: RawBuilder<unknown> | null
  /** Not what was kept. */
  readonly fresh: boolean
}

/** Filters in one order, so that two questions that mean the same are the same. */
export const filtersInOrder = (
  filters: readonly { readonly by: string; readonly values: readonly (string | number)[] }[],
): (readonly [string, readonly string[]])[] =>
  filters.map(({ by, values }) => [by, values.map(String).toSorted()] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))

const digestOf = ({ of }: KeptQuestion): string => createHash('sha256').update(JSON.stringify(of)).digest('hex')
const termOf = ({ term }: KeptQuestion): RawBuilder<unknown> => term ?? sql`null::int`

/**
 * What was kept, or what is read now. Reading that goes on for longer than somebody waits is taken over by a job.
 *
 * @throws {Refusal} 409 `report_worked_out`: a job works it out
 */
export async function keptOrRead<Sums>(
  ctx: Ctx,
  asked: KeptQuestion,
  read: (db: Db) => Promise<Sums>,
): Promise<{ answer: Sums; kept: boolean }> {
  if (ctx.inUnit) return { answer: await read(ctx.db), kept: false }
  const digest = digestOf(asked)
  if (!asked.fresh) {
    const answer = await keptFor<Sums>(ctx, asked, digest)
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
async function keptFor<Sums>(ctx: Ctx, asked: KeptQuestion, digest: string): Promise<Sums | null> {
  const { rows } = await sql<{ id: number; answer: Sums; old: boolean; seen: boolean }>`
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
async function withinPatience<Sums>(
  ctx: Ctx,
  asked: KeptQuestion,
  digest: string,
  read: (db: Db) => Promise<Sums>,
): Promise<Sums> {
  if (await ctx.services.jobs.underWay(ctx.db, FIGURES_JOB, { digest })) throw refuse(409, 'report_worked_out')
  try {
    return await ctx.write(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(FIGURES_KEPT.patience)}, true)`.execute(tx)
      return await read(tx)
    })
  } catch (error) {
    // Rows that somebody holds for long are waited for by the job as well.
    if (!['took_too_long', 'data_busy'].includes(asRefusal(error)?.message ?? '')) throw error
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
