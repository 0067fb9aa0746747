import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asRefusal } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { figuresAsked, type FiguresAsked } from './figures.contract.ts'
import { FIGURES_JOB, FIGURES_KEPT } from './kept.rules.ts'
import { readFigures } from './read.server.ts'
import { SYSTEM_LINKS, type ReportLink } from './reports.contract.ts'

/** Works out what nobody waits for: acts for the program, which reaches every row, and keeps what it found. */
export const workOutFiguresJob = defineJob<{ link: ReportLink; asked: FiguresAsked; digest: string }, void>({
  name: FIGURES_JOB,
  retries: 1,
  run: async (ctx, { link, asked }) => void (await readFigures(ctx, link, asked, true)),
})

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
    const questions = rows.flatMap((row) => {
      // What an earlier release asked for may be nothing that this one has.
      const asked = figuresAsked.safeParse(row.asked)
      const link = SYSTEM_LINKS.find((one) => one === row.link)
      return asked.success && link ? [{ link, asked: asked.data }] : []
    })
    const isAtFirst = ({ asked }: { asked: FiguresAsked }) => Object.keys(asked).length === 0
    const shown = new Set(questions.filter(isAtFirst).map(({ link }) => link))
    questions.push(...SYSTEM_LINKS.filter((link) => !shown.has(link)).map((link) => ({ link, asked: {} })))
    let worked_out = 0
    for (const [at, { link, asked }] of questions.entries()) {
      await progress((100 * at) / questions.length)
      try {
        await readFigures(ctx, link, asked, true)
        worked_out += 1
      } catch (error) {
        if (!asRefusal(error)) throw error
      }
    }
    return { worked_out }
  },
})
