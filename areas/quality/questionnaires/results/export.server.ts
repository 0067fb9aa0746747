/** Results as files: of one offering or instructor, of all together, and the reports of all as a job. */
import type { PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { zipSync } from 'fflate'
import { resultsOfAll, shownComments } from './all.server.ts'
import { atomKey } from './compare.rules.ts'
import { resultFileCalls } from './export.contract.ts'
import {
  detailSheet,
  overviewSheet,
  reportName,
  reportPdf,
  reportsName,
  type ReportHead,
  type Reported,
} from './report.server.ts'
import { resultsOf } from './results.server.ts'

/** One set, or all within reach together, as a file tells it. */
async function reported(ctx: Ctx, id: number, set_id: number | undefined): Promise<{ head: ReportHead; of: Reported }> {
  const found = await resultsOf(ctx, id, set_id)
  if (found.withheld !== null) throw refuse(409, found.withheld)
  const comments = await shownComments(ctx, set_id === undefined ? [] : [set_id])
  return {
    head: { type: found.type, term: null, questions: found.questions, university: await universityHead(ctx) },
    of: {
      ...found,
      pooled: set_id !== undefined && found.pooled,
      comments: (question) => comments.get(atomKey({ question, part: set_id ?? 0 })) ?? [],
    },
  }
}

/**
 * A report of each set within reach, in one ZIP: a file of the person who asked. Killed, it begins again; it writes nothing but the file.
 */
export const reportsJob = defineJob<{ id: number; lang: PaperLanguage }, { name: string; url: string }>({
  name: 'questionnaire-reports',
  retries: 1,
  async run(ctx, { id, lang }, progress) {
    const all = await resultsOfAll(ctx, id)
    const head: ReportHead = { ...all, university: await universityHead(ctx) }
    const comments = await shownComments(
      ctx,
      all.sets.map((set) => set.id),
    )
    const files: Record<string, Uint8Array> = {}
    for (const [i, set] of all.sets.entries()) {
      progress.signal.throwIfAborted()
      const of: Reported = {
        ...set,
        comments: (question) => comments.get(atomKey({ question, part: set.id })) ?? [],
      }
      // Offerings of one course differ by their number alone.
      const name = reportName(head, of, lang)
      files[files[name] ? name.replace(/\.pdf$/, ` ${set.id}.pdf`) : name] = await reportPdf(head, of, lang)
      if (i % 10 === 9) await progress((95 * (i + 1)) / all.sets.length)
    }
    // Pages are packed already.
    const content = zipSync(files, { level: 0 })
    const name = reportsName(head, lang)
    const file = await ctx.services.files.save(ctx, { name, content, ext: 'zip', mime: 'application/zip' })
    return { name, url: ctx.services.files.link(file, ctx.actor ?? 'everybody') }
  },
})

export const resultFileHandlers: readonly Handled[] = [
  handle(resultFileCalls.sheet, async (ctx, { params, body }) => {
    if (body.set_id === undefined) return overviewSheet(ctx, await resultsOfAll(ctx, params.id), body.lang)
    const { head, of } = await reported(ctx, params.id, body.set_id)
    return detailSheet(ctx, head, of, body.lang)
  }),
  handle(resultFileCalls.report, async (ctx, { params, body }) => {
    const { head, of } = await reported(ctx, params.id, body.set_id)
    return { name: reportName(head, of, body.lang), type: 'pdf', content: await reportPdf(head, of, body.lang) }
  }),
  handle(resultFileCalls.reports, async (ctx, { params, body }) => {
    // Whoever may see nothing of it is told now.
    await resultsOfAll(ctx, params.id)
    const job_id = await ctx.write((tx) =>
      ctx.services.jobs.send(tx, reportsJob, { id: params.id, lang: body.lang }, { actor: ctx.actor, lang: ctx.lang }),
    )
    return { job_id }
  }),
]
