import type { Ctx } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asRefusal } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { ownAsked } from '../own/own.contract.ts'
import { readOwn } from '../own/read.server.ts'
import { figuresAsked } from './figures.contract.ts'
import { FIGURES_JOB, FIGURES_KEPT, OWN_REPORT } from './kept.rules.ts'
import { readFigures } from './read.server.ts'
import { SYSTEM_LINKS } from './reports.contract.ts'

/** Works out what nobody waits for: acts for the program, which reaches every row, and keeps what it found. */
export const workOutFiguresJob = defineJob<{ link: string; asked: unknown; digest: string }, void>({
  name: FIGURES_JOB,
  retries: 1,
  run: async (ctx, { link, asked }) => await reading(link, asked)?.(ctx),
})

/** How a report is read anew; null: an earlier release asked for something that this one has no more. */
function reading(link: string, asked: unknown): ((ctx: Ctx) => Promise<void>) | null {
  if (link === OWN_REPORT) {
    const own = ownAsked.safeParse(asked)
    return own.success ? async (ctx) => void (await readOwn(ctx, own.data, true)) : null
  }
  const known = SYSTEM_LINKS.find((one) => one === link)
  const figures = figuresAsked.safeParse(asked)
  return known && figures.success ? async (ctx) => void (await readFigures(ctx, known, figures.data, true)) : null
}

/**
 * Each night: what people asked for in the last days is worked out again, and what each report shows at first, so that the day
 * begins with young figures.
 */
export const keptFiguresJob = defineJob<Record<string, never>, { worked_out: number }>({
  name: 'kept-figures',
  cron: '10 1 * * *',
  async run(ctx, _payload, progress) {
    const { rows } = await ctx.write(async (tx) => {
      await sql`delete from kept_figures where asked_at < now() - make_interval(days => ${FIGURES_KEPT.asked}::int)`.execute(
        tx,
      )
      return sql<{ link: string; asked: unknown }>`select link, asked from kept_figures order by asked_at desc`.execute(
        tx,
      )
    })
    const isAtFirst = (asked: unknown) => Object.keys(asked as object).length === 0
    const shown = new Set(rows.filter(({ asked }) => isAtFirst(asked)).map(({ link }) => link))
    const questions = [
      ...rows,
      ...SYSTEM_LINKS.filter((link) => !shown.has(link)).map((link) => ({ link, asked: {} })),
    ].flatMap(({ link, asked }) => reading(link, asked) ?? [])
    let worked_out = 0
    for (const [at, read] of questions.entries()) {
      await progress((100 * at) / questions.length)
      try {
        await read(ctx)
        worked_out += 1
      } catch (error) {
        if (!asRefusal(error)) throw error
      }
    }
    return { worked_out }
  },
})
